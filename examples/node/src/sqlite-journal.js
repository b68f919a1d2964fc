// A journal of sends in a file of SQLite, the same that the repository's host has: any number of processes on one
// machine can share it, in whatever language they are written.

import { JournalFailure } from './once-errors.js';

/** "MSGJ", in the header of every journal. */
const APPLICATION_ID = 0x4d53474a;
const VERSION = 1;
const MAX_TEXT_BYTES = 64 * 1024;
/** A file of up to so many bytes is looked through before it is used. */
const CHECKED_BYTES = 64 * 1024 * 1024;
const PAGE_KEYS = 500;
/** The most requests in one transaction. */
const BATCH = 256;
const BETWEEN_TRIES_MS = 10;
/** Primary codes of SQLite that somebody has to mend: no permission, read-only, damaged, cannot open, no database. */
const REFUSED = [3, 8, 11, 14, 26];

const SCHEMA = `
  BEGIN IMMEDIATE;
  CREATE TABLE journal (key TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};
  COMMIT;`;
// FULL: a commit has reached the disk when it returns. The fullfsyncs say what that means on macOS, and nothing elsewhere.
const SETTINGS = `
  PRAGMA cell_size_check = ON;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA temp_store = MEMORY;`;

const encoder = new TextEncoder();

export class SqliteJournal {
  #modules;
  #path;
  #timeoutMs;
  #database;
  #identity;
  #queue = [];
  #closed = false;

  /** Opens a journal, and makes it where there is none. Waits for others who do so at the same time. */
  static async open(path, { timeoutMs = 2_000 } = {}) {
    const journal = new SqliteJournal();
    journal.#modules = await modules();
    journal.#path = journal.#modules.path.resolve(path);
    journal.#timeoutMs = timeoutMs;
    for (const begun = performance.now(); ;) {
      try {
        journal.#open(true);
        return journal;
      } catch (error) {
        if (error.refused || performance.now() - begun > timeoutMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
      }
    }
  }

  async get(key) {
    return this.#ask(false, () => this.#get(key));
  }

  async swap(key, expected, text) {
    const { length } = encoder.encode(text);
    if (length > MAX_TEXT_BYTES) throw new JournalFailure(`the journal takes no text of ${length} bytes`, { refused: true });
    return this.#ask(true, () => {
      const found = this.#get(key);
      if (found !== expected) return { swapped: false, found };
      this.#database
        .prepare('INSERT INTO journal (key, text) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text')
        .run(key, text);
      return { swapped: true };
    });
  }

  async listItems(after = '') {
    return this.#ask(false, () => {
      const rows = this.#database
        .prepare('SELECT key, text FROM journal WHERE key > ? ORDER BY key LIMIT ?')
        .all(after, PAGE_KEYS);
      const items = rows.map(({ key, text }) => ({ key, text }));
      return { items, next: items.length === PAGE_KEYS ? items.at(-1).key : undefined };
    });
  }

  /** Refuses whatever is asked afterwards. */
  close() {
    this.#closed = true;
    this.#forget();
  }

  #get(key) {
    return this.#database.prepare('SELECT text FROM journal WHERE key = ?').get(key)?.text;
  }

  /** Waits for the transaction that everything takes part in which is asked in this turn of the event loop. */
  #ask(writes, work) {
    if (this.#closed) return Promise.reject(new JournalFailure('the journal is closed', { refused: true }));
    return new Promise((resolve, reject) => {
      if (this.#queue.push({ writes, work, resolve, reject }) === 1) setImmediate(() => this.#serve());
    });
  }

  #serve() {
    const batch = this.#queue.splice(0, BATCH);
    if (this.#queue.length > 0) setImmediate(() => this.#serve());
    let results;
    try {
      results = this.#commit(batch);
    } catch (error) {
      const failure = this.#failureOf('a transaction', error);
      this.#recover();
      for (const { reject } of batch) reject(failure);
      return;
    }
    batch.forEach(({ resolve }, index) => resolve(results[index]));
  }

  #commit(batch) {
    if (!this.#isThere()) {
      this.#forget();
      this.#open(false);
    }
    this.#database.exec(batch.some(({ writes }) => writes) ? 'BEGIN IMMEDIATE' : 'BEGIN');
    const results = batch.map(({ work }) => work());
    this.#database.exec('COMMIT');
    // A commit to a file that nobody will find again is not kept.
    if (!this.#isThere()) throw this.#failure('another file, or none, is in its place; put it back');
    return results;
  }

  /** After a failed transaction: no connection, so that the next one begins without it. */
  #recover() {
    try {
      this.#database?.exec('ROLLBACK');
    } catch {
      this.#forget();
    }
  }

  #forget() {
    try {
      this.#database?.close();
    } catch {
      // It is given up either way.
    }
    this.#database = undefined;
  }

  #isThere() {
    return this.#database !== undefined && this.#identity === this.#identityNow();
  }

  /** Marks of the file, which another one in its place has not. */
  #identityNow() {
    const found = this.#modules.fs.statSync(this.#path, { throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  }

  #open(create) {
    try {
      const made = this.#prepare(create);
      this.#database = new this.#modules.sqlite.DatabaseSync(this.#path);
      this.#identity = this.#identityNow();
      this.#setUp(made);
    } catch (error) {
      this.#forget();
      throw this.#failureOf('opening it', error);
    }
  }

  #setUp(made) {
    const database = this.#database;
    database.exec(`PRAGMA busy_timeout = ${Math.floor(this.#timeoutMs)}`);
    const known = this.#check();
    const [mode] = Object.values(database.prepare('PRAGMA journal_mode = WAL').get());
    if (String(mode).toLowerCase() !== 'wal') {
      throw this.#refusal('its file system cannot share memory between processes; put it on a local disk');
    }
    database.exec(SETTINGS);
    if (!known) {
      try {
        database.exec(SCHEMA);
      } catch (error) {
        if (database.isTransaction !== false) {
          try {
            database.exec('ROLLBACK');
          } catch {
            // SQLite has rolled back by itself where it had to.
          }
        }
        // Another process may have been faster.
        if (!this.#check()) throw error;
      }
    }
    if (made || !known) this.#syncFolder();
  }

  /** Whether it is a journal; not, where it is empty. */
  #check() {
    const number = (sql) => Object.values(this.#database.prepare(sql).get())[0];
    // At one moment: another process may be setting it up.
    this.#database.exec('BEGIN');
    let tables, application, version;
    try {
      tables = number('SELECT count(*) FROM sqlite_schema');
      application = number('PRAGMA application_id');
      version = number('PRAGMA user_version');
    } finally {
      this.#database.exec('ROLLBACK');
    }
    if (tables === 0 && application === 0 && version === 0) return false;
    if (application !== APPLICATION_ID) throw this.#refusal('it is a database, and no journal; name another file');
    if (version !== VERSION) throw this.#refusal(`it is of version ${version}, and this package knows version ${VERSION}`);
    if (this.#modules.fs.statSync(this.#path).size <= CHECKED_BYTES) {
      const said = number('PRAGMA quick_check(1)');
      if (said !== 'ok') throw this.#refusal(`it is damaged: ${said}`);
    }
    return true;
  }

  /** Makes an empty file where there is none, for its owner alone; SQLite gives its other files the same rights.
   *  @returns whether it did */
  #prepare(create) {
    const { fs } = this.#modules;
    const found = fs.statSync(this.#path, { throwIfNoEntry: false });
    if (found?.isFile()) return false;
    if (found) throw this.#refusal('it is not a file');
    if (!create) throw this.#refusal('there is no such file');
    // SQLite would take the log for a left one, and delete it: it holds what was sent.
    if (fs.statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size > 0) {
      throw this.#refusal('it is gone, and its log, the file -wal, is there; put the file back beside it');
    }
    try {
      fs.closeSync(fs.openSync(this.#path, 'a', 0o600));
    } catch (error) {
      throw this.#refusal(`${error.message}; make its folder, with the right to write to it`);
    }
    return true;
  }

  #syncFolder() {
    // Windows has no such thing.
    if (globalThis.process?.platform === 'win32') return;
    const { fs, path } = this.#modules;
    const folder = fs.openSync(path.dirname(this.#path), 'r');
    try {
      fs.fsyncSync(folder);
    } finally {
      fs.closeSync(folder);
    }
  }

  #failureOf(doing, error) {
    if (error instanceof JournalFailure) return error;
    const refused = typeof error.errcode === 'number' && REFUSED.includes(error.errcode & 0xff);
    return this.#failure(`${doing}: ${error.message}`, { refused, cause: error });
  }

  #refusal(detail) {
    return this.#failure(detail, { refused: true });
  }

  #failure(detail, options) {
    return new JournalFailure(`the journal ${this.#path}: ${detail}`, options);
  }
}

async function modules() {
  const [fs, path, sqlite] = await Promise.all([
    import('node:fs'),
    import('node:path'),
    import('node:sqlite').catch(() => undefined),
  ]);
  if (sqlite?.DatabaseSync) return { fs, path, sqlite };
  throw new JournalFailure(
    'SqliteJournal needs the module node:sqlite, of Node 22.13 or newer: take such a Node, or another journal',
    { refused: true },
  );
}
