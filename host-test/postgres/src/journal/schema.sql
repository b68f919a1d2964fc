-- Version 1. Keys and texts are bytea: no encoding, collation or NUL of the database's has a say in
-- them, and keys are in the order of their bytes.
CREATE TABLE messaging_journal.version (
    one integer PRIMARY KEY CHECK (one = 1),
    version integer NOT NULL,
    -- The oldest version of the program that can go on with it.
    compatible_from integer NOT NULL
);
INSERT INTO messaging_journal.version VALUES (1, 0, 0);

-- Each text is written at least twice: room on its page keeps the index as it is.
CREATE TABLE messaging_journal.entries (
    key bytea PRIMARY KEY,
    text bytea NOT NULL
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
    SELECT messaging_journal.as_text(key) AS key, messaging_journal.as_text(text) AS text
    FROM messaging_journal.entries;
