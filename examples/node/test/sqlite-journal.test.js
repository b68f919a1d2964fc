// Tests the SQLite journal: its schema, the identity of its file, and concurrent processes.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once as event } from 'node:events';
import fs, { rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { inspect } from 'node:util';
import { JournalFailure, SqliteJournal, checkJournal } from 'messaging-plugin/once';

const HERE = new URL('../', import.meta.url).pathname;
const sqlite = await import('node:sqlite').catch(() => undefined);
const needsSqlite = { skip: sqlite ? false : 'NOT RUN: this Node has no node:sqlite' };

before(() => {
  if (!sqlite) console.error('NOT RUN: the tests of SqliteJournal, which needs Node 22.13 or newer');
});

async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'once-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

const failed = (call) => call.then((value) => assert.fail(inspect(value)), (error) => error);

async function isRejected(call, { refused, message }) {
  const error = await failed(call);
  assert.ok(error instanceof JournalFailure, inspect(error));
  assert.equal(error.refused, refused, error.message);
  assert.match(error.message, message);
}

/** Runs a program in another process. Returns the program's output. */
function run(script, ...args) {
  const options = { cwd: HERE, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script, ...args], options);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Reads a key in another process, which then closes the journal. */
const readElsewhere = (file, key) => run(`
  import { SqliteJournal } from 'messaging-plugin/once';
  const journal = await SqliteJournal.open(process.argv[1]);
  console.log(await journal.get(process.argv[2]));
  journal.close();`, file, key).trim();

test('Node without node:sqlite gets required version in error', { skip: sqlite ? 'this Node has node:sqlite' : false }, async () => {
  await isRejected(SqliteJournal.open('journal.sqlite'), { refused: true, message: /Node 22\.13/ });
});

test('sqlite journal passes journal suite', needsSqlite, async (t) => {
  const file = join(await folder(t), 'journal.sqlite');
  await checkJournal(() => SqliteJournal.open(file));
});

test('new journal has shared schema and settings', needsSqlite, async (t) => {
  const file = join(await folder(t), 'journal.sqlite');
  const journal = await SqliteJournal.open(file);
  t.after(() => journal.close());
  const database = new sqlite.DatabaseSync(file, { readOnly: true });
  const value = (sql) => Object.values(database.prepare(sql).get())[0];
  assert.equal(value('SELECT group_concat(sql) FROM sqlite_schema'),
    'CREATE TABLE journal (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID');
  assert.deepEqual([value('PRAGMA application_id'), value('PRAGMA user_version'), value('PRAGMA journal_mode')], [1297303370, 1, 'wal']);
  database.close();
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('file without journal is rejected and unchanged', needsSqlite, async (t) => {
  const path = await folder(t);
  new sqlite.DatabaseSync(join(path, 'other.sqlite')).exec('CREATE TABLE t (a)');
  await writeFile(join(path, 'text'), 'this is a text and no database, however long it is made to be '.repeat(20));
  const contents = () => Promise.all(['other.sqlite', 'text'].map((name) => readFile(join(path, name), 'latin1')));
  const before = await contents();
  for (const name of ['other.sqlite', 'text', '.', 'no/such/folder']) {
    await isRejected(SqliteJournal.open(join(path, name)), { refused: true, message: /journal/ });
  }
  for (const name of ['j.sqlite\r', 'j.sqlite ', '"j.sqlite"']) {
    await assert.rejects(SqliteJournal.open(name.startsWith('"') ? name : join(path, name)), /at an end; remove it/);
  }
  assert.deepEqual(await contents(), before);
});

test('missing or empty file with wal is rejected', needsSqlite, async (t) => {
  const file = join(await folder(t), 'journal.sqlite');
  await writeFile(`${file}-wal`, 'a log');
  for (const prepare of [() => {}, () => writeFile(file, '')]) {
    await prepare();
    await isRejected(SqliteJournal.open(file), { refused: true, message: /-wal holds data/ });
    assert.equal(await readFile(`${file}-wal`, 'utf8'), 'a log');
  }
});

test('replaced file is rejected until it is back', needsSqlite, async (t) => {
  const path = await folder(t);
  const [file, moved] = [join(path, 'journal.sqlite'), join(path, 'moved.sqlite')];
  const journal = await SqliteJournal.open(file);
  assert.deepEqual(await journal.swap('k', undefined, 'one'), { swapped: true });
  const move = async (from, to) => {
    for (const end of ['', '-wal', '-shm']) await rename(from + end, to + end);
  };
  await move(file, moved);
  await isRejected(journal.get('k'), { refused: true, message: /moved, replaced or deleted/ });
  await assert.rejects(stat(file), { code: 'ENOENT' });
  // Replaces the file with an empty file, as logrotate does, then with the journal of another process.
  await writeFile(file, '');
  await isRejected(journal.swap('k', undefined, 'two'), { refused: true, message: /moved, replaced or deleted/ });
  assert.equal((await stat(file)).size, 0);
  assert.equal(readElsewhere(file, 'k'), 'undefined');
  await isRejected(journal.swap('k', undefined, 'two'), { refused: true, message: /moved, replaced or deleted/ });
  await rm(file);
  await move(moved, file);
  assert.deepEqual(await journal.swap('k', 'one', 'three'), { swapped: true });
  journal.close();
  assert.equal(readElsewhere(file, 'k'), 'three');
});

test('replaced shm is rejected until it is back', needsSqlite, async (t) => {
  const file = join(await folder(t), 'journal.sqlite');
  const journal = await SqliteJournal.open(file);
  t.after(() => journal.close());
  await rename(`${file}-shm`, `${file}-moved`);
  await isRejected(journal.swap('k', undefined, 'one'), { refused: true, message: /-shm was moved, replaced or deleted/ });
  await rename(`${file}-moved`, `${file}-shm`);
  assert.deepEqual(await journal.swap('k', undefined, 'one'), { swapped: true });
});

test('symbolic link is resolved to its target', needsSqlite, async (t) => {
  const path = await folder(t);
  const [file, link] = [join(path, 'journal.sqlite'), join(path, 'link')];
  await symlink('chained', link);
  await symlink('journal.sqlite', join(path, 'chained'));
  // The links have no target yet.
  await writeFile(`${file}-wal`, 'a log');
  await isRejected(SqliteJournal.open(link), { refused: true, message: /-wal holds data/ });
  await rm(`${file}-wal`);
  const journal = await SqliteJournal.open(link);
  assert.deepEqual(await journal.swap('k', undefined, 'one'), { swapped: true });
  await rm(`${file}-wal`);
  await isRejected(journal.swap('k', 'one', 'two'), { refused: true, message: /moved, replaced or deleted/ });
  assert.equal(await readlink(link), 'chained');
});

test('file that other users can change is rejected', needsSqlite, async (t) => {
  const file = join(await folder(t), 'journal.sqlite');
  (await SqliteJournal.open(file)).close();
  await chmod(file, 0o662);
  await isRejected(SqliteJournal.open(file), { refused: true, message: /every user can write to the file; run `chmod o-w`/ });
  await chmod(file, 0o660);
  const [user, own] = [1_000, 2_000];
  let owners;
  for (const name of ['statSync', 'lstatSync']) {
    const real = fs[name];
    t.mock.method(fs, name, (path, how) => {
      const found = real(path, how);
      const [uid, gid] = owners[path.slice(file.length)] ?? [user, user];
      return found && Object.assign(found, { uid, gid });
    });
  }
  const geteuid = t.mock.method(process, 'geteuid', () => user);
  for (owners of [{ '': [own, own] }, ...['-journal', '-wal', '-shm'].map((end) => ({ [end]: [own, own] }))]) {
    const [[end]] = Object.entries(owners);
    if (end) await writeFile(file + end, '');
    await isRejected(SqliteJournal.open(file), { refused: true, message: /another user \(uid 2000\) owns .*chown/ });
    if (end) await rm(file + end);
  }
  for (owners of [{ '': [0, 0] }, { '-wal': [0, 0] }, { '-wal': [own, user] }]) {
    await writeFile(`${file}-wal`, '');
    (await SqliteJournal.open(file)).close();
  }
  owners = { '': [own, own] };
  geteuid.mock.mockImplementation(() => 0);
  (await SqliteJournal.open(file)).close();
});

test('file mounted without its directory is rejected', needsSqlite, async (t) => {
  const file = join(await folder(t), 'a \\journal.sqlite');
  (await SqliteJournal.open(file)).close();
  const point = file.replace('\\', '\\134').replace(' ', '\\040');
  const mounts = `1 2 0:3 / /proc rw\n4 5 8:1 /j.sqlite ${point} rw,relatime - ext4 /dev/a rw\n`;
  const { readFileSync } = fs;
  t.mock.method(fs, 'readFileSync', (path, ...how) => (path === '/proc/self/mountinfo' ? mounts : readFileSync(path, ...how)));
  await isRejected(SqliteJournal.open(file), { refused: true, message: /only the file is mounted.*; mount its directory/ });
  (await SqliteJournal.open(`${file}-2`)).close();
});

test('unrecorded swap after lost locks is not acknowledged', needsSqlite, async (t) => {
  const file = join(await folder(t), 'journal.sqlite');
  const journal = await SqliteJournal.open(file);
  await journal.swap('k', undefined, 'one');
  // POSIX drops the locks of a process when the process closes any descriptor of the file. The next process therefore
  // considers itself the last user of the journal, and deletes the -wal.
  await readFile(file);
  assert.equal(readElsewhere(file, 'k'), 'one');
  const outcome = await journal.swap('k', 'one', 'two').catch((error) => error);
  if (!(outcome instanceof JournalFailure)) {
    // The SQLite of Node 22 keeps the -wal.
    assert.equal(readElsewhere(file, 'k'), 'two');
    return;
  }
  assert.ok(outcome.refused);
  assert.match(outcome.message, /-wal or -shm was moved/);
  assert.equal(readElsewhere(file, 'k'), 'one');
});

test('wal removed during commit is reported', needsSqlite, async (t) => {
  const file = join(await folder(t), 'journal.sqlite');
  const journal = await SqliteJournal.open(file);
  const { exec } = sqlite.DatabaseSync.prototype;
  t.after(() => (sqlite.DatabaseSync.prototype.exec = exec));
  sqlite.DatabaseSync.prototype.exec = function (sql) {
    if (sql === 'COMMIT') rmSync(`${file}-wal`);
    return exec.call(this, sql);
  };
  await isRejected(journal.swap('k', undefined, 'one'), { refused: false, message: /may not be recorded/ });
});

test('closed journal rejects requests', needsSqlite, async (t) => {
  const journal = await SqliteJournal.open(join(await folder(t), 'journal.sqlite'));
  journal.close();
  journal.close();
  await isRejected(journal.get('k'), { refused: true, message: /closed/ });
});

test('concurrent processes swap each key once', needsSqlite, async (t) => {
  const file = join(await folder(t), 'journal.sqlite');
  const script = `
    import { SqliteJournal } from 'messaging-plugin/once';
    const journal = await SqliteJournal.open(${JSON.stringify(file)}, { timeoutMs: 20_000 });
    let won = 0;
    for (let key = 0; key < 200; key++) {
      const { swapped } = await journal.swap(String(key), undefined, String(process.pid));
      if (swapped) won++;
    }
    console.log(won);`;
  const won = await Promise.all(Array.from({ length: 4 }, async () => {
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
      cwd: HERE,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [out] = await Promise.all([text(child.stdout), event(child, 'exit')]);
    return Number(out);
  }));
  assert.equal(won.reduce((sum, each) => sum + each), 200);
});
