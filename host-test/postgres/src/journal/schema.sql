-- Version 1. Keys and values are bytea: no encoding, collation or NUL of the database matters, and keys are
-- in the order of their bytes.
CREATE TABLE messaging_journal.version (version integer PRIMARY KEY);
INSERT INTO messaging_journal.version VALUES (1);

-- Each value is written at least twice: room on its page keeps the index as it is.
CREATE TABLE messaging_journal.entries (
    key bytea PRIMARY KEY,
    value bytea NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- For people with psql: texts as they can be printed.
CREATE FUNCTION messaging_journal.as_text(bytes bytea) RETURNS text LANGUAGE plpgsql STABLE AS $body$
BEGIN
    RETURN pg_catalog.convert_from(bytes, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    -- It is none, or this database's encoding lacks a character.
    RETURN pg_catalog.encode(bytes, 'escape');
END $body$;
CREATE VIEW messaging_journal.readable AS
    SELECT messaging_journal.as_text(key) AS key, messaging_journal.as_text(value) AS value
    FROM messaging_journal.entries;
