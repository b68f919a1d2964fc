-- Version 1. Keys and values are bytea, because a text column depends on the encoding and the
-- collation of the database, and cannot hold a NUL. Keys are ordered by their bytes.
CREATE TABLE messaging_journal.version (version integer PRIMARY KEY);
INSERT INTO messaging_journal.version VALUES (1);

-- Each value is written at least twice. Free space on its page avoids index updates.
CREATE TABLE messaging_journal.entries (
    key bytea PRIMARY KEY,
    value bytea NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Readable values, for psql.
CREATE FUNCTION messaging_journal.as_text(bytes bytea) RETURNS text LANGUAGE plpgsql STABLE AS $body$
BEGIN
    RETURN pg_catalog.convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    -- The bytes are not UTF-8, or the database's encoding lacks a character.
    RETURN pg_catalog.encode(bytes, 'escape');
END $body$;
CREATE VIEW messaging_journal.readable AS
    SELECT messaging_journal.as_text(key) AS key, messaging_journal.as_text(value) AS value
    FROM messaging_journal.entries;
