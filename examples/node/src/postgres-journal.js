// A journal of sends in PostgreSQL, the same that the repository's host has: any number of machines can share it.

import { JournalFailure } from './once-errors.js';

const MAX_TEXT_BYTES = 64 * 1024;
const PAGE_KEYS = 500;
/** States of SQL that somebody has to mend: no such schema or table, no permission, a database to read alone. */
const REFUSED = { '3F000': 'NO_TABLES', '42P01': 'NO_TABLES', 42501: 'NO_RIGHT', 25006: 'READ_ONLY' };
const WHY = {
  NO_TABLES: 'it has no tables; make them with the command `messaging sent list --journal`',
  NO_RIGHT: 'give its role the right to use the schema messaging_journal and to write to its tables',
  READ_ONLY: 'it is open to read alone: a journal is on the primary',
  UNSAFE: 'its synchronous_commit or fsync is off or its table is unlogged, so that a crash loses what was noted, or its table has no '
    + 'primary key, so that a key can be there twice, or is newer than this package; `messaging sent list --journal` says which',
};

// A pooler may have given this a session with other settings than the last: so each statement asks.
const SAFE = `(current_setting('synchronous_commit') IN ('on', 'remote_apply') AND current_setting('fsync') = 'on'
  AND (SELECT relpersistence = 'p' FROM pg_catalog.pg_class WHERE oid = 'messaging_journal.entries'::regclass)
  AND EXISTS (SELECT FROM pg_catalog.pg_index WHERE indisunique AND indisvalid AND indrelid = 'messaging_journal.entries'::regclass
    AND indexrelid = (SELECT to_regclass('messaging_journal.entries_pkey')::oid))
  AND (SELECT compatible_from <= 1 FROM messaging_journal.version))`;
// Who is told what the journal has relies on the synchronous standby, as if it had been written now.
const CONFIRMED = `(SELECT CASE WHEN current_setting('synchronous_standby_names') <> ''
  THEN pg_logical_emit_message(true, 'messaging_journal', '') END)`;
const SWAP = `
  WITH asked AS MATERIALIZED (SELECT $1::bytea AS k, $2::bytea AS expected, $3::bytea AS new, ${SAFE} AS safe),
  inserted AS (
    INSERT INTO messaging_journal.entries (key, text) SELECT k, new FROM asked WHERE safe AND expected IS NULL
    ON CONFLICT DO NOTHING RETURNING key
  ), updated AS (
    UPDATE messaging_journal.entries AS entry SET text = new FROM asked
    WHERE safe AND entry.key = k AND entry.text = expected RETURNING entry.key
  )
  SELECT safe, EXISTS (SELECT FROM inserted) OR EXISTS (SELECT FROM updated) AS swapped FROM asked`;
const GET = `
  SELECT ${SAFE} AS safe, (SELECT text FROM messaging_journal.entries WHERE key = $1::bytea) AS text, ${CONFIRMED}`;
const LIST = 'SELECT key, text FROM messaging_journal.entries WHERE key > $1::bytea ORDER BY key LIMIT $2';

export class PostgresJournal {
  #pool;

  /** @param pool a `Pool` of the package `pg`, or what else has its `query` */
  constructor(pool) {
    this.#pool = pool;
  }

  async get(key) {
    const { text } = await this.#one(GET, [bytes(key)]);
    return text === null ? undefined : string(text);
  }

  async swap(key, expected, text) {
    const written = bytes(text);
    if (written.length > MAX_TEXT_BYTES) {
      throw new JournalFailure(`the journal takes no text of ${written.length} bytes`, { refused: true });
    }
    const { swapped } = await this.#one(SWAP, [bytes(key), expected === undefined ? null : bytes(expected), written]);
    return swapped ? { swapped } : { swapped, found: await this.get(key) };
  }

  async listItems(after = '') {
    const rows = await this.#query(LIST, [bytes(after), PAGE_KEYS]);
    const items = rows.map(({ key, text }) => ({ key: string(key), text: string(text) }));
    return { items, next: items.length === PAGE_KEYS ? items.at(-1).key : undefined };
  }

  async #one(sql, values) {
    const [row] = await this.#query(sql, values);
    if (row.safe === true) return row;
    throw new JournalFailure(`the journal: ${WHY.UNSAFE}`, { refused: true });
  }

  async #query(sql, values) {
    try {
      return (await this.#pool.query(sql, values)).rows;
    } catch (cause) {
      const why = REFUSED[cause?.code];
      const detail = `the journal: ${cause?.message || cause?.code || cause}${why ? `; ${WHY[why]}` : ''}`;
      throw new JournalFailure(detail, { refused: why !== undefined, cause });
    }
  }
}

const bytes = (text) => Buffer.from(text, 'utf8');
const string = (found) => found.toString('utf8');
