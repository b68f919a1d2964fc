// A journal of sends in an SQLite file. The Rust, Python and Node code of this repository shares its schema and files.

import { onlyMembers } from './members.js';
import { JournalFailure } from './once-errors.js';

/** "MSGJ", in the header of every journal. */
const APPLICATION_ID = 0x4d53474a;
const VERSION = 1;
const SCHEMA = `
  CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};`;
// macOS flushes the cache of a disk only with the two fullfsync settings.
const SETTINGS = 'PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;';
const MAX_VALUE_BYTES = 64 * 1024;
const PAGE_KEYS = 500;
/** Maximum number of requests in one transaction. */
const BATCH = 256;
const OPEN_PAUSE_MS = 10;
/** Maximum number of symbolic links to follow, as in Linux. */
const MAX_LINKS = 40;
/** Primary error codes of SQLite that only an operator can remedy: wrong schema, no permission, read-only, corrupt,
 *  cannot open, not a database. */
const REFUSED = [1, 3, 8, 11, 14, 26];
const OPENING = Symbol('opening');

export class SqliteJournal {
  #modules;
  #path;
  #database;
  /** Device and inode of the database file, -wal and -shm. SQLite never replaces these files of an open database. */
  #identity;
  #queue = [];
  #closed = false;

  constructor(opening) {
    if (opening !== OPENING) throw new TypeError('await SqliteJournal.open(path) in place of new SqliteJournal()');
  }

  /** Opens a journal. Creates the file if missing, and waits for other processes that create the file. */
  static async open(path, options = {}) {
    onlyMembers(options, ['timeoutMs'], 'the options');
    const { timeoutMs = 2_000 } = options;
    if (typeof path !== 'string') throw new TypeError(`the path is not a string: ${typeof path}`);
    if (path === ':memory:') throw new TypeError('a journal in memory would forget its keys; name a file');
    // A mistake in an environment file or shell script can add a line break, space or quotation mark. The path would then
    // name another, empty journal.
    if (/[\0-\x1f\x7f]|^[ "']|[ "']$/.test(path)) {
      throw new TypeError(`${JSON.stringify(path)} has a control character, or a space or quotation mark at an end; remove it`);
    }
    const journal = new SqliteJournal(OPENING);
    journal.#modules = modules();
    journal.#path = resolved(path, journal.#modules);
    for (const began = performance.now(); ;) {
      try {
        journal.#open(timeoutMs);
        return journal;
      } catch (error) {
        journal.#database?.close();
        journal.#database = undefined;
        const failure = journal.#failureOf('open', error);
        if (failure.refused || performance.now() - began > timeoutMs) throw failure;
        await new Promise((resolve) => setTimeout(resolve, OPEN_PAUSE_MS));
      }
    }
  }

  async get(key) {
    return this.#ask(false, () => this.#get(key));
  }

  async swap(key, expected, value) {
    const { length } = new TextEncoder().encode(value);
    if (length > MAX_VALUE_BYTES) throw this.#refusal(`a value of ${length} bytes is too long; the limit is ${MAX_VALUE_BYTES}`);
    return this.#ask(true, () => {
      const found = this.#get(key);
      if (found !== expected) return { swapped: false, found };
      this.#database
        .prepare('INSERT INTO journal (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
        .run(key, value);
      return { swapped: true };
    });
  }

  async listItems(after = '') {
    return this.#ask(false, () => {
      const rows = this.#database
        .prepare('SELECT key, value FROM journal WHERE key > ? ORDER BY key LIMIT ?')
        .all(after, PAGE_KEYS);
      const items = rows.map(({ key, value }) => ({ key, text: value }));
      return { items, next: items.length === PAGE_KEYS ? items.at(-1).key : undefined };
    });
  }

  /** Closes the file. Later requests fail. */
  close() {
    if (!this.#closed) this.#database.close();
    this.#closed = true;
  }

  #get(key) {
    return this.#database.prepare('SELECT value FROM journal WHERE key = ?').get(key)?.value;
  }

  /** Adds a request to the next transaction, which serves all requests of this turn of the event loop. */
  #ask(writes, work) {
    return new Promise((resolve, reject) => {
      if (this.#queue.push({ writes, work, resolve, reject }) === 1) setImmediate(() => this.#serve());
    });
  }

  #serve() {
    const batch = this.#queue.splice(0, BATCH);
    if (this.#queue.length > 0) setImmediate(() => this.#serve());
    try {
      const results = this.#commit(batch);
      batch.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      if (!this.#closed && this.#database.isTransaction !== false) this.#rollBack();
      const failure = this.#failureOf('transaction', error);
      for (const { reject } of batch) reject(failure);
    }
  }

  #commit(batch) {
    if (this.#closed) throw this.#refusal('it is closed');
    if (!this.#isInPlace()) throw this.#refusal(MOVED);
    this.#database.exec(batch.some(({ writes }) => writes) ? 'BEGIN IMMEDIATE' : 'BEGIN');
    const results = batch.map(({ work }) => work());
    this.#database.exec('COMMIT');
    if (!this.#isInPlace()) throw this.#failure(`the transaction may not be recorded: ${MOVED}`);
    return results;
  }

  #rollBack() {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // Without an open transaction, ROLLBACK fails. Node 22.13 cannot report if a transaction is open.
    }
  }

  #isInPlace() {
    return this.#identity === this.#identityNow();
  }

  /** Returns device and inode of the database file, its -wal and its -shm. */
  #identityNow() {
    return ['', '-wal', '-shm'].map((end) => {
      const found = this.#modules.fs.statSync(this.#path + end, { bigint: true, throwIfNoEntry: false });
      return found && `${found.dev}:${found.ino}`;
    }).join();
  }

  #open(timeoutMs) {
    this.#createFile();
    this.#checkRights();
    if (this.#isMounted()) throw this.#refusal('only the file is mounted, so its -wal is not in the volume; mount its directory');
    this.#database = new this.#modules.sqlite.DatabaseSync(this.#path);
    this.#database.exec(`PRAGMA busy_timeout = ${Math.floor(timeoutMs)}`);
    const isNew = this.#isEmpty();
    const [mode] = Object.values(this.#database.prepare('PRAGMA journal_mode = WAL').get());
    if (mode !== 'wal') throw this.#refusal('its file system does not support WAL mode; move it to a local disk');
    this.#database.exec(SETTINGS);
    if (isNew) {
      this.#database.exec('BEGIN IMMEDIATE');
      // Another process may have created the table before this transaction.
      this.#database.exec(this.#isEmpty() ? `${SCHEMA} COMMIT` : 'ROLLBACK');
    }
    // SQLite opens the -wal at the first read.
    this.#get('');
    this.#identity = this.#identityNow();
  }

  /** Returns true if the database is empty. Throws if the database is not a journal. */
  #isEmpty() {
    const { application, version, tables } = this.#database.prepare(`
      SELECT application_id AS application, user_version AS version, (SELECT count(*) FROM sqlite_schema) AS tables
      FROM pragma_application_id, pragma_user_version`).get();
    if (application === 0 && version === 0 && tables === 0) return true;
    if (application !== APPLICATION_ID) throw this.#refusal('it is a database, but not a journal; name another file');
    if (version !== VERSION) throw this.#refusal(`it has version ${version}; this package supports version ${VERSION}`);
    return false;
  }

  /** Creates a missing file, empty and readable only by its owner. SQLite copies the mode to the -wal and -shm. */
  #createFile() {
    const { fs } = this.#modules;
    const size = (path) => fs.statSync(path, { throwIfNoEntry: false })?.size;
    const found = size(this.#path);
    // SQLite would delete the -wal of an empty database.
    if (!found && size(`${this.#path}-wal`)) {
      throw this.#refusal('it is missing or empty, but its -wal holds data; put the file back next to it');
    }
    if (found !== undefined) {
      if (fs.statSync(this.#path).isDirectory()) throw this.#refusal('it is a directory; name a file');
      return;
    }
    try {
      fs.closeSync(fs.openSync(this.#path, 'a', 0o600));
    } catch (error) {
      throw this.#refusal(`${error.message}; create its directory, and allow writing to it`);
    }
  }

  /** Rejects files that an unrelated user could change. `messaging` has equal rules: the group may write, as is
   *  usual in Kubernetes, and root may open a file of any owner. */
  #checkRights() {
    const { fs } = this.#modules;
    const user = globalThis.process.geteuid?.();
    if (user === undefined) return; // Windows
    const { uid, gid, mode } = fs.statSync(this.#path);
    if (user !== 0 && uid !== 0 && uid !== user) throw this.#refusal(`another user (uid ${uid}) owns the file; change the owner with chown, or name another file`);
    if (mode & 0o002) throw this.#refusal('every user can write to the file; run `chmod o-w` on it');
    for (const end of ['-journal', '-wal', '-shm']) {
      const file = this.#path + end;
      const other = fs.lstatSync(file, { throwIfNoEntry: false });
      if (!other || [0, user, uid].includes(other.uid) || (mode & 0o020 && other.gid === gid)) continue;
      throw this.#refusal(`another user (uid ${other.uid}) owns ${file}; stop all processes that use the journal; \`chown\` the file if it belongs to the journal, otherwise move it away`);
    }
  }

  /** Returns true if proc_pid_mountinfo(5) lists the file as a mount point. */
  #isMounted() {
    const name = this.#path.replace(/[ \t\n\\]/g, (character) => `\\${character.charCodeAt().toString(8).padStart(3, '0')}`);
    try {
      const mounts = this.#modules.fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
      return mounts.some((mount) => mount.split(' ')[4] === name);
    } catch {
      return false; // Only Linux has this list.
    }
  }

  #failureOf(doing, error) {
    if (error instanceof JournalFailure) return error;
    const refused = REFUSED.includes(error.errcode & 0xff);
    return this.#failure(`${doing} failed: ${error.message}`, { refused, cause: error });
  }

  #refusal(detail) {
    return this.#failure(detail, { refused: true });
  }

  #failure(detail, options) {
    return new JournalFailure(`journal ${this.#path}: ${detail}`, options);
  }
}

const MOVED = 'its file, -wal or -shm was moved, replaced or deleted; put the originals back; if one was deleted, first copy it from /proc/PID/fd to another directory, then stop all processes, put the copy in its place, and restart';

/** Resolves symbolic links, even to a missing target, because SQLite creates the -wal next to the target. */
function resolved(file, { fs, path }) {
  let found = path.resolve(file);
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return fs.realpathSync(found);
    } catch (error) {
      // Any other error is reported when the file is opened.
      if (error.code !== 'ENOENT') return found;
    }
    try {
      const folder = fs.realpathSync(path.dirname(found));
      found = path.join(folder, path.basename(found));
      found = path.resolve(folder, fs.readlinkSync(found));
    } catch {
      return found;
    }
  }
  return found;
}

function modules() {
  // Does not use `import`, because bundlers for browsers reject imports of Node's modules.
  const [fs, path, sqlite] = ['node:fs', 'node:path', 'node:sqlite'].map((name) => globalThis.process?.getBuiltinModule?.(name));
  if (sqlite?.DatabaseSync) return { fs, path, sqlite };
  throw new JournalFailure('SqliteJournal needs node:sqlite: update to Node 22.13 or newer, or use another journal', { refused: true });
}
