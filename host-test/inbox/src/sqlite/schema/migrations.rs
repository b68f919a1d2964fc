//! The versions of the schema: the step to each, and how a reader sees a file of an older one.

/// One step for each schema version, the first one making version 1. A step that has
/// been released is never changed.
pub(super) const MIGRATIONS: [&str; 6] = [
    // 1: what has been received. A conflicting event has a copy number above 0, so that
    // the one index says what is unique, and a new entry costs one insert and no search.
    // AUTOINCREMENT: the number of a pruned event is never given to another.
    "CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        idempotency_key TEXT NOT NULL,
        copy INTEGER NOT NULL DEFAULT 0,
        message_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        json TEXT NOT NULL,
        received_at_ms INTEGER NOT NULL,
        UNIQUE (idempotency_key, copy)
    );",
    // 2: handing on what has been received, and the key-value table. The partial
    // indexes hold what is open, so that done events slow nothing down, and the state, so
    // that counting and looking for what is due reads no event. Values have numbers because wasi:keyvalue 0.2.0-draft pages by number.
    "ALTER TABLE events ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';
    ALTER TABLE events ADD COLUMN lease TEXT;
    ALTER TABLE events ADD COLUMN due_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE events ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE events ADD COLUMN last_error TEXT;
    ALTER TABLE events ADD COLUMN done_at_ms INTEGER;
    UPDATE events SET state = 'quarantined' WHERE copy > 0;
    CREATE INDEX events_open ON events (id, due_ms, state) WHERE state IN ('waiting', 'taken');
    CREATE INDEX events_quarantined ON events (id, state) WHERE state = 'quarantined';
    CREATE INDEX events_done ON events (done_at_ms, state) WHERE state = 'done';
    CREATE TABLE kv (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        bucket TEXT NOT NULL,
        key TEXT NOT NULL,
        value BLOB NOT NULL,
        UNIQUE (bucket, key)
    );
    CREATE INDEX kv_pages ON kv (bucket, id);",
    // 3: one index for each lane of what is open (lease.rs), so that taking costs the
    // same whatever waits; since when a lease or a pause counts (lease.rs); what tells the
    // copies under one key apart for who processes them; and how old the store is, as it
    // has measured it (age.rs). A lease of before counts as one of a day at most.
    "ALTER TABLE events ADD COLUMN since_ms INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE events ADD COLUMN copy_token TEXT;
    ALTER TABLE events ADD COLUMN done_age_ms INTEGER;
    UPDATE events SET since_ms = due_ms - 86400000
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    UPDATE events SET copy_token = lower(hex(randomblob(16))) WHERE copy > 0;
    DROP INDEX events_open;
    DROP INDEX events_done;
    CREATE INDEX events_new ON events (id, state, attempts)
        WHERE state = 'waiting' AND attempts = 0;
    CREATE INDEX events_again ON events (due_ms, id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE INDEX events_since ON events (since_ms, id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE INDEX events_done ON events (done_age_ms, id, state) WHERE state = 'done';
    CREATE TABLE age (one INTEGER PRIMARY KEY CHECK (one = 1), age_ms INTEGER NOT NULL);
    INSERT INTO age VALUES (1, 0);",
    // 4: which log belongs to the file (see `log_belongs`).
    "CREATE TABLE trace (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        round INTEGER NOT NULL, base INTEGER NOT NULL, latest INTEGER NOT NULL
    );
    INSERT INTO trace VALUES (1, 0, 0, 0);",
    // 5: dead letters, and how often an event failed; the trace context that it came with;
    // the lanes for workers of certain kinds; the oldest event that was tried; and how many
    // events there are in each state, so that to know it reads a few rows. Triggers keep that
    // where an event changes its state or goes. None runs where one comes, which has to be fast:
    // it is waiting then, and the numbers that were given so far say how many have come. So the
    // row of `waiting` is the less by that, and who inserts another state corrects it (put.rs).
    "ALTER TABLE events ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE events ADD COLUMN dead_at_ms INTEGER;
    ALTER TABLE events ADD COLUMN traceparent TEXT;
    ALTER TABLE events ADD COLUMN tracestate TEXT;
    CREATE INDEX events_dead ON events (id, kind, dead_at_ms, state) WHERE state = 'dead';
    CREATE INDEX events_tried ON events (id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE INDEX events_new_kind ON events (kind, id, state, attempts)
        WHERE state = 'waiting' AND attempts = 0;
    CREATE INDEX events_again_kind ON events (kind, due_ms, id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE INDEX events_since_kind ON events (kind, since_ms, id, state, attempts)
        WHERE state IN ('waiting', 'taken') AND attempts > 0;
    CREATE TABLE tally (state TEXT PRIMARY KEY, events INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO tally
        SELECT state, count(events.id)
        FROM (SELECT 'waiting' AS state UNION ALL SELECT 'taken' UNION ALL SELECT 'done'
            UNION ALL SELECT 'quarantined' UNION ALL SELECT 'dead') AS known
        LEFT JOIN events USING (state) GROUP BY state;
    UPDATE tally SET events = events
        - coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)
        WHERE state = 'waiting';
    CREATE VIEW counts AS SELECT
        (SELECT events FROM tally WHERE state = 'waiting')
            + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS pending,
        (SELECT events FROM tally WHERE state = 'taken') AS leased,
        (SELECT events FROM tally WHERE state = 'done') AS done,
        (SELECT events FROM tally WHERE state = 'quarantined') AS quarantined,
        (SELECT events FROM tally WHERE state = 'dead') AS dead;
    CREATE TRIGGER events_move AFTER UPDATE OF state ON events WHEN OLD.state <> NEW.state BEGIN
        UPDATE tally SET events = events - 1 WHERE state = OLD.state;
        UPDATE tally SET events = events + 1 WHERE state = NEW.state;
    END;
    CREATE TRIGGER events_go AFTER DELETE ON events BEGIN
        UPDATE tally SET events = events - 1 WHERE state = OLD.state;
    END;",
    // 6: the same event under another key (put.rs). Those of before are not compared: a digest
    // is what events have that were stored while somebody wanted to know.
    "ALTER TABLE events ADD COLUMN digest INTEGER;
    ALTER TABLE events ADD COLUMN replay_of INTEGER;
    CREATE INDEX events_digest ON events (digest) WHERE digest IS NOT NULL;",
];

/// The columns of version 5, and its counts.
macro_rules! before_5 {
    () => {
"0 AS failures, NULL AS dead_at_ms, NULL AS traceparent, NULL AS tracestate,
            NULL AS replay_of FROM main.events;
        CREATE TEMP VIEW counts AS SELECT count(*) FILTER (WHERE state = 'waiting') AS pending,
            count(*) FILTER (WHERE state = 'taken') AS leased,
            count(*) FILTER (WHERE state = 'done') AS done,
            count(*) FILTER (WHERE state = 'quarantined') AS quarantined, 0 AS dead FROM events;"
    };
}

/// Columns and tables that an older version lacks, for readers: views that take the tables'
/// place on one connection, and change nothing in the file.
pub(super) const SEEN_AS_CURRENT: [&str; 5] = [
    concat!(
        "CREATE TEMP VIEW events AS SELECT *,
            CASE WHEN copy > 0 THEN 'quarantined' ELSE 'waiting' END AS state, NULL AS lease,
            0 AS due_ms, 0 AS attempts, NULL AS last_error, NULL AS done_at_ms,
            NULL AS copy_token, ",
        before_5!(),
        "CREATE TEMP VIEW kv AS SELECT NULL AS id, NULL AS bucket, NULL AS key WHERE false;"
    ),
    concat!("CREATE TEMP VIEW events AS SELECT *, NULL AS copy_token, ", before_5!()),
    concat!("CREATE TEMP VIEW events AS SELECT *, ", before_5!()),
    concat!("CREATE TEMP VIEW events AS SELECT *, ", before_5!()),
    "CREATE TEMP VIEW events AS SELECT *, NULL AS replay_of FROM main.events;",
];
