-- Version 2. Stores the events of a batch whose keys are new; returns those keys. A function keeps its plan
-- in each server process, through any pooler, where a statement is planned anew each time.
--
-- It asks what every statement asks that is relied on: that a commit is on the disk and on the standby when
-- it returns, and that the tables are of a version that its program knows, not emptied by a crash, and with
-- the indexes that keep a key from being kept twice.
CREATE FUNCTION messaging_inbox.put(bytea[], bytea[], bytea[], bytea[], bytea[], bytea[], bytea[])
RETURNS SETOF bytea LANGUAGE plpgsql AS $body$
BEGIN
    RETURN QUERY
        WITH now AS MATERIALIZED (SELECT messaging_inbox.now_ms() AS ms WHERE
            current_setting('synchronous_commit') IN ('on', 'remote_apply')
            AND current_setting('fsync') = 'on'
            AND (SELECT relpersistence = 'p' FROM pg_catalog.pg_class
                WHERE oid = 'messaging_inbox.events'::regclass)
            AND (SELECT count(*) = 3 FROM pg_catalog.pg_index
                WHERE indisunique AND indisvalid AND indrelid = 'messaging_inbox.events'::regclass
                    AND indexrelid = ANY ((SELECT ARRAY[
                    to_regclass('messaging_inbox.events_key'),
                    to_regclass('messaging_inbox.events_digest'),
                    to_regclass('messaging_inbox.events_pkey')])::oid[]))
            AND (SELECT compatible_from <= 2 FROM messaging_inbox.version))
        INSERT INTO messaging_inbox.events
            (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate, digest)
        SELECT k, m, d, j, now.ms, p, s, g
        FROM unnest($1, $2, $3, $4, $5, $6, $7) AS new (k, m, d, j, p, s, g), now
        ON CONFLICT DO NOTHING
        RETURNING idempotency_key;
END $body$;

-- Who empties the table waits for whoever writes to it, and they for him.
CREATE FUNCTION messaging_inbox.count_none() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    DELETE FROM messaging_inbox.tally;
    RETURN NULL;
END $body$;
CREATE TRIGGER events_emptied AFTER TRUNCATE ON messaging_inbox.events
    FOR EACH STATEMENT EXECUTE FUNCTION messaging_inbox.count_none();
