// Tests the example receiver: stored events and answers.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const SECRET = 'only-the-sender-knows';
const BODY = '{"id":"msg-1","object":"message","event":"message:in:new"}';
const HEADERS = { 'x-webhook-secret': SECRET, 'x-idempotency-key': 'evt-1', 'content-type': 'application/json' };
const HERE = new URL('../', import.meta.url);
const sqlite = await import('node:sqlite').catch(() => undefined);
if (!sqlite) console.error('NOT RUN: the test of receive.js, which needs Node 22.13 or newer');

async function started(file, t) {
  const child = spawn(process.execPath, ['--no-warnings', 'receive.js', file, '0'], {
    cwd: HERE,
    env: { MESSAGING_WEBHOOK_HEADER_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  const post = (body = BODY, headers = HEADERS) => fetch(url, { method: 'POST', body, headers });
  const deliver = async (...given) => (await post(...given)).status;
  return { child, post, deliver };
}

test('receiver stores events before its answer', { skip: sqlite ? false : 'needs node:sqlite' }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'receive-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'inbox.sqlite');
  const rows = (table) => {
    const store = new sqlite.DatabaseSync(file);
    const found = store.prepare(`SELECT * FROM ${table}`).all().map((row) => Object.values(row));
    store.close();
    return found;
  };
  const first = await started(file, t);
  assert.equal(await first.deliver(BODY, { ...HEADERS, 'x-webhook-secret': 'another-secret-of-it' }), 401);
  assert.equal(await first.deliver('{'), 400);
  assert.equal(await first.deliver(new Uint8Array([0xff])), 400);
  assert.equal(await first.deliver('x'.repeat(256 * 1024 + 1)).catch(() => 413), 413);
  assert.deepEqual(rows('events'), []);
  assert.equal(await first.deliver(), 200);
  first.child.kill('SIGKILL');
  const { deliver } = await started(file, t);
  const other = BODY.replace('msg-1', 'msg-2');
  assert.deepEqual([await deliver(), await deliver(other), await deliver(other)], [200, 200, 200]);
  assert.deepEqual([rows('events'), rows('conflicts')], [[['evt-1', 'msg-1', BODY]], [['evt-1', other]]]);
});

test('receiver rejects an encoded body', { skip: sqlite ? false : 'needs node:sqlite' }, async (t) => {
  const { post, deliver } = await started(':memory:', t);
  const encoded = (encoding, secret = SECRET) => ({ ...HEADERS, 'content-encoding': encoding, 'x-webhook-secret': secret });
  for (const [encoding, shown] of [['gzip', 'gzip'], [`g\xe9${'z'.repeat(60)}`, `g?${'z'.repeat(38)}`]]) {
    const answer = await post(gzipSync(BODY), encoded(encoding));
    assert.deepEqual([answer.status, await answer.text()], [415, `unsupported content encoding: ${shown}`]);
  }
  assert.equal(await deliver(gzipSync(BODY), encoded('gzip', 'another-secret-of-it')), 401);
  assert.equal(await deliver(BODY, encoded('Identity')), 200);
});

test('commit syncs the directory of the store', { skip: sqlite ? false : 'needs node:sqlite' }, () => {
  const preload = `
    import { DatabaseSync } from 'node:sqlite';
    const { exec } = DatabaseSync.prototype;
    DatabaseSync.prototype.exec = function (sql) {
      exec.call(this, sql);
      console.log(this.prepare('PRAGMA synchronous').get().synchronous);
      process.exit();
    };`;
  const { stdout } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', `data:text/javascript,${encodeURIComponent(preload)}`, 'receive.js', ':memory:', '0'],
    { cwd: HERE, env: { MESSAGING_WEBHOOK_HEADER_SECRET: SECRET }, encoding: 'utf8' },
  );
  assert.equal(stdout, '3\n');
});
