// The journal of an account: a file of SQLite, or tables in PostgreSQL.

const { resolve } = require('node:path');
const { JournalFailure, PostgresJournal, SqliteJournal } = require('messaging-plugin/once');

/** How long PostgreSQL may take to answer. */
const TIMEOUT_MS = 5_000;

/** A journal that is opened when it is first asked, and again where that failed. */
class Journal {
  #open;
  #opened;

  /** @param place a file, from `folder`, or a postgres: URL
   *  @param password of the URL's user */
  constructor(place, { folder, password }) {
    this.#open = () => (/^postgres(ql)?:/.test(place) ? inPostgres(place, password) : inFile(resolve(folder, place)));
  }

  get(key) {
    return this.#ask('get', key);
  }

  swap(key, expected, text) {
    return this.#ask('swap', key, expected, text);
  }

  listItems(after) {
    return this.#ask('listItems', after);
  }

  async opened() {
    try {
      return await (this.#opened ??= this.#open());
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async close() {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }

  async #ask(name, ...given) {
    const { journal } = await this.opened();
    return journal[name](...given);
  }
}

async function inFile(path) {
  const journal = await SqliteJournal.open(path);
  return { journal, close: () => journal.close() };
}

async function inPostgres(place, password) {
  if (!URL.canParse(place)) throw refusal('its URL is none');
  const url = new URL(place);
  if (url.password) throw refusal('its URL holds a password, which an export of the flow would show; take the field for it');
  if (password) url.password = encodeURIComponent(password);
  const pool = new (postgres().Pool)({
    connectionString: url.href, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS,
  });
  // A connection that is lost while nobody uses it would end Node-RED. Who asks next gets another one.
  pool.on('error', () => {});
  return { journal: new PostgresJournal(pool), close: () => pool.end() };
}

function postgres() {
  try {
    return require('pg');
  } catch (cause) {
    throw refusal('PostgreSQL needs the package pg: run `npm install pg` in the user folder', cause);
  }
}

function refusal(detail, cause) {
  return new JournalFailure(`the journal: ${detail}`, { refused: true, cause });
}

module.exports = { Journal };
