-- Version 2. Strings are bytea, because a text column depends on the encoding and the collation of
-- the database, and cannot hold a NUL. Indexes hold digests, because an index entry has a maximum
-- length and a string does not.
CREATE TABLE messaging_inbox.version (version integer PRIMARY KEY);
INSERT INTO messaging_inbox.version VALUES (2);

-- The clock of all servers, in milliseconds since 1970.
CREATE FUNCTION messaging_inbox.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
    AS 'SELECT (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000)::bigint';

-- The age of the store, as measured by its processes.
CREATE TABLE messaging_inbox.age (
    one integer PRIMARY KEY CHECK (one = 1),
    age_ms bigint NOT NULL
);
INSERT INTO messaging_inbox.age VALUES (1, 0);

CREATE TABLE messaging_inbox.events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    idempotency_key bytea NOT NULL,
    copy bigint NOT NULL DEFAULT 0,
    message_id bytea NOT NULL,
    kind bytea NOT NULL,
    json bytea NOT NULL,
    received_at_ms bigint NOT NULL,
    state text NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'leased', 'done', 'quarantined', 'dead')),
    lease bytea,
    -- Start and end of a lease or a delay.
    since_ms bigint NOT NULL DEFAULT 0,
    due_ms bigint NOT NULL DEFAULT 0,
    attempts bigint NOT NULL DEFAULT 0,
    failures bigint NOT NULL DEFAULT 0,
    last_error bytea,
    done_at_ms bigint,
    -- Age of the store when the event was done.
    done_age_ms bigint,
    dead_at_ms bigint,
    copy_token bytea,
    traceparent bytea,
    tracestate bytea,
    -- Set if replays are detected. Of the events with equal content, the first has the digest in
    -- "digest", and the others have it in "digest_after". When the first event is pruned, another
    -- event gets the digest in "digest".
    digest bytea,
    digest_after bytea,
    replay_of bigint,
    -- Start times of the last leases, 14 characters each.
    attempted_at_ms text NOT NULL DEFAULT ''
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
    autovacuum_analyze_scale_factor = 0.05);

CREATE UNIQUE INDEX events_key ON messaging_inbox.events (sha256(idempotency_key), copy);
CREATE UNIQUE INDEX events_digest ON messaging_inbox.events (digest) WHERE digest IS NOT NULL;
CREATE INDEX events_digest_after ON messaging_inbox.events (digest_after, id)
    WHERE digest_after IS NOT NULL;
-- Queues: untried events in order of identifiers, and tried events by due time.
CREATE INDEX events_new ON messaging_inbox.events (id)
    WHERE state = 'pending' AND attempts = 0;
CREATE INDEX events_new_kind ON messaging_inbox.events (sha256(kind), id)
    WHERE state = 'pending' AND attempts = 0;
CREATE INDEX events_again ON messaging_inbox.events (due_ms, id)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_again_kind ON messaging_inbox.events (sha256(kind), due_ms, id)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_since ON messaging_inbox.events (since_ms)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_tried ON messaging_inbox.events (id)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_done ON messaging_inbox.events (done_age_ms, id) WHERE state = 'done';
CREATE INDEX events_quarantined ON messaging_inbox.events (id) WHERE state = 'quarantined';
CREATE INDEX events_dead ON messaging_inbox.events (id) WHERE state = 'dead';

-- Number of events in each state, as the sum over the rows. Each transaction updates a row that no
-- other transaction has locked. Therefore no transaction waits. The number of rows grows to the
-- maximum number of concurrent transactions.
CREATE TABLE messaging_inbox.tally (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pending bigint NOT NULL, leased bigint NOT NULL, done bigint NOT NULL,
    quarantined bigint NOT NULL, dead bigint NOT NULL
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

CREATE FUNCTION messaging_inbox.add_to_tally(p bigint, l bigint, d bigint, q bigint, x bigint)
RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
    UPDATE messaging_inbox.tally SET pending = pending + p, leased = leased + l,
        done = done + d, quarantined = quarantined + q, dead = dead + x
    WHERE id = (SELECT id FROM messaging_inbox.tally ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        INSERT INTO messaging_inbox.tally (pending, leased, done, quarantined, dead)
        VALUES (p, l, d, q, x);
    END IF;
END $body$;

CREATE FUNCTION messaging_inbox.count_new() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT FROM new_rows) THEN
        PERFORM messaging_inbox.add_to_tally(
            count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'leased'),
            count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'quarantined'),
            count(*) FILTER (WHERE state = 'dead')) FROM new_rows;
    END IF;
    RETURN NULL;
END $body$;
CREATE TRIGGER events_come AFTER INSERT ON messaging_inbox.events
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION messaging_inbox.count_new();

CREATE FUNCTION messaging_inbox.count_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT FROM new_rows) THEN
        PERFORM messaging_inbox.add_to_tally(
            coalesce(sum(n) FILTER (WHERE state = 'pending'), 0)::bigint,
            coalesce(sum(n) FILTER (WHERE state = 'leased'), 0)::bigint,
            coalesce(sum(n) FILTER (WHERE state = 'done'), 0)::bigint,
            coalesce(sum(n) FILTER (WHERE state = 'quarantined'), 0)::bigint,
            coalesce(sum(n) FILTER (WHERE state = 'dead'), 0)::bigint)
        FROM (SELECT state, 1 AS n FROM new_rows UNION ALL SELECT state, -1 FROM old_rows) AS changed;
    END IF;
    RETURN NULL;
END $body$;
CREATE TRIGGER events_change AFTER UPDATE ON messaging_inbox.events
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION messaging_inbox.count_changed();

CREATE FUNCTION messaging_inbox.count_gone() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT FROM old_rows) THEN
        PERFORM messaging_inbox.add_to_tally(
            -count(*) FILTER (WHERE state = 'pending'), -count(*) FILTER (WHERE state = 'leased'),
            -count(*) FILTER (WHERE state = 'done'), -count(*) FILTER (WHERE state = 'quarantined'),
            -count(*) FILTER (WHERE state = 'dead')) FROM old_rows;
    END IF;
    RETURN NULL;
END $body$;
CREATE TRIGGER events_go AFTER DELETE ON messaging_inbox.events
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION messaging_inbox.count_gone();

-- Readable values, for psql.
CREATE FUNCTION messaging_inbox.as_text(bytes bytea) RETURNS text LANGUAGE plpgsql STABLE AS $body$
BEGIN
    RETURN pg_catalog.convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    -- The bytes are not UTF-8, or the database's encoding lacks a character.
    RETURN pg_catalog.encode(bytes, 'escape');
END $body$;
CREATE VIEW messaging_inbox.readable AS
    SELECT id, messaging_inbox.as_text(idempotency_key) AS idempotency_key, copy,
        messaging_inbox.as_text(message_id) AS message_id, messaging_inbox.as_text(kind) AS kind, state,
        to_timestamp(received_at_ms / 1000.0) AS received_at,
        to_timestamp(nullif(due_ms, 0) / 1000.0) AS due_at, attempts, failures,
        messaging_inbox.as_text(last_error) AS last_error, messaging_inbox.as_text(json) AS json
    FROM messaging_inbox.events;

-- Stores the events of a group whose keys are new, and returns these keys. A function keeps its
-- plan in each server process, even behind a pooler. A statement would be planned each time.
CREATE FUNCTION messaging_inbox.put(bytea[], bytea[], bytea[], bytea[], bytea[], bytea[], bytea[])
RETURNS SETOF bytea LANGUAGE plpgsql AS $body$
BEGIN
    RETURN QUERY
        WITH now AS MATERIALIZED (SELECT messaging_inbox.now_ms() AS ms)
        INSERT INTO messaging_inbox.events
            (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate, digest)
        SELECT k, m, d, j, now.ms, p, s, g
        FROM unnest($1, $2, $3, $4, $5, $6, $7) AS new (k, m, d, j, p, s, g), now
        ON CONFLICT DO NOTHING
        RETURNING idempotency_key;
END $body$;

-- Deletes the counts. TRUNCATE waits for all writers of the table and blocks new writers.
CREATE FUNCTION messaging_inbox.count_none() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    DELETE FROM messaging_inbox.tally;
    RETURN NULL;
END $body$;
CREATE TRIGGER events_emptied AFTER TRUNCATE ON messaging_inbox.events
    FOR EACH STATEMENT EXECUTE FUNCTION messaging_inbox.count_none();
