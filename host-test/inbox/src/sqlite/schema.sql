-- Schema version 2.

-- A conflicting event has a copy number above 0. One index therefore enforces uniqueness, and a new event needs one
-- insert and no search. AUTOINCREMENT prevents the reuse of a pruned event's identifier.
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    idempotency_key TEXT NOT NULL,
    copy INTEGER NOT NULL DEFAULT 0,
    message_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    json TEXT NOT NULL,
    received_at_ms INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending',
    lease TEXT,
    due_ms INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    done_at_ms INTEGER,
    -- Start of the lease or the delay (lease.rs).
    since_ms INTEGER NOT NULL DEFAULT 0,
    -- Distinguishes conflicting events under one key.
    copy_token TEXT,
    -- Age of the store when pruning first found the done event (age.rs).
    done_age_ms INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    dead_at_ms INTEGER,
    traceparent TEXT,
    tracestate TEXT,
    -- Finds the same event under another key (put.rs).
    digest INTEGER,
    replay_of INTEGER,
    -- Start times of the last leases, 14 characters each (lease.rs).
    attempted_at_ms TEXT NOT NULL DEFAULT '',
    UNIQUE (idempotency_key, copy)
);

-- Queues of pending and leased events (lease.rs). A lease costs the same for any number of events. The state is part
-- of each index, so counts and searches read no event.
CREATE INDEX events_new ON events (id, state, attempts) WHERE state = 'pending' AND attempts = 0;
CREATE INDEX events_again ON events (due_ms, id, state, attempts)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_since ON events (since_ms, id, state, attempts)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_new_kind ON events (kind, id, state, attempts)
    WHERE state = 'pending' AND attempts = 0;
CREATE INDEX events_again_kind ON events (kind, due_ms, id, state, attempts)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_since_kind ON events (kind, since_ms, id, state, attempts)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_tried ON events (id, state, attempts)
    WHERE state IN ('pending', 'leased') AND attempts > 0;
CREATE INDEX events_done ON events (done_age_ms, id, state) WHERE state = 'done';
CREATE INDEX events_quarantined ON events (id, state) WHERE state = 'quarantined';
CREATE INDEX events_dead ON events (id, kind, dead_at_ms, state) WHERE state = 'dead';
CREATE INDEX events_digest ON events (digest) WHERE digest IS NOT NULL;

-- The number of events in each state. No trigger runs for an insert, because inserts must be fast. The row 'pending'
-- therefore lacks all inserted events, and `counts` adds them. An insert in another state corrects the table
-- (put.rs).
CREATE TABLE tally (state TEXT PRIMARY KEY, events INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO tally VALUES ('pending', 0), ('leased', 0), ('done', 0), ('quarantined', 0), ('dead', 0);
CREATE VIEW counts AS SELECT
    (SELECT events FROM tally WHERE state = 'pending')
        + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS pending,
    (SELECT events FROM tally WHERE state = 'leased') AS leased,
    (SELECT events FROM tally WHERE state = 'done') AS done,
    (SELECT events FROM tally WHERE state = 'quarantined') AS quarantined,
    (SELECT events FROM tally WHERE state = 'dead') AS dead;
CREATE TRIGGER events_move AFTER UPDATE OF state ON events WHEN OLD.state <> NEW.state BEGIN
    UPDATE tally SET events = events - 1 WHERE state = OLD.state;
    UPDATE tally SET events = events + 1 WHERE state = NEW.state;
END;
CREATE TRIGGER events_go AFTER DELETE ON events BEGIN
    UPDATE tally SET events = events - 1 WHERE state = OLD.state;
END;

-- The measured age of the store, in milliseconds (age.rs).
CREATE TABLE age (one INTEGER PRIMARY KEY CHECK (one = 1), age_ms INTEGER NOT NULL);
INSERT INTO age VALUES (1, 0);

PRAGMA application_id = 0x4d534749;
PRAGMA user_version = 2;
