// Tests `npm run serve` over HTTP, with a directory as its inbox.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { inbox, serve as serving } from './serving.js';

const SECRET = 'what-only-the-sender-knows';
const EVENT = '{"id":"msg-1","object":"message","event":"message:in:new","text":"Is it ready?"}';

const serve = (t, folder) => serving(t, folder, { MESSAGING_WEBHOOK_HEADER_SECRET: SECRET });

const deliver = async (url, { secret = SECRET, key = 'evt-1', body = EVENT } = {}) => {
  const headers = { 'content-type': 'application/json', 'x-idempotency-key': key, 'x-webhook-secret': secret };
  const reply = await fetch(url, { method: 'POST', headers, body });
  return { status: reply.status, text: await reply.text() };
};

test('acknowledged event is stored once despite a crash', async (t) => {
  const folder = await inbox(t);
  const first = await serve(t, folder);
  assert.deepEqual(await deliver(first.url), { status: 200, text: '{"received":true}' });
  await first.kill();
  const files = await readdir(join(folder, 'events'));
  assert.deepEqual(files, ['evt-1.json']);
  const kept = await readFile(join(folder, 'events/evt-1.json'), 'utf8');
  assert.ok(kept.includes('Is it ready?'), kept);

  const second = await serve(t, folder);
  assert.equal((await deliver(second.url)).status, 200);
  assert.deepEqual(await readdir(join(folder, 'events')), files);
  assert.equal(await readFile(join(folder, 'events/evt-1.json'), 'utf8'), kept);
  assert.deepEqual(await readdir(join(folder, 'tmp')), []);
});

test('invalid delivery is not stored', async (t) => {
  const folder = await inbox(t);
  const { url } = await serve(t, folder);
  assert.equal((await deliver(url, { secret: 'a-guess-of-the-secret' })).status, 401);
  assert.equal((await deliver(url, { body: '{' })).status, 400);
  assert.equal((await deliver(url, { body: `{"a":"${'x'.repeat(300_000)}"}` })).status, 413);
  assert.equal((await fetch(url)).status, 405);
  assert.equal((await deliver(url)).status, 200);
  assert.deepEqual(await readdir(join(folder, 'events')), ['evt-1.json']);
});

test('conflicting event is stored next to first event', async (t) => {
  const folder = await inbox(t);
  const { url } = await serve(t, folder);
  await deliver(url);
  assert.equal((await deliver(url, { body: EVENT.replace('msg-1', 'msg-2') })).status, 200);
  assert.equal((await readdir(join(folder, 'events'))).length, 1);
  assert.equal((await readdir(join(folder, 'conflict'))).length, 1);
});

/** Asserts that the program exits at start because of a setting, with an error that matches `message`. */
async function isRejected(t, name, value, message) {
  const args = [`${import.meta.dirname}/../serve.js`, '--inbox', await inbox(t), '--listen', '127.0.0.1:0'];
  const { status, stderr } = spawnSync(process.execPath, args, { env: { [name]: value }, encoding: 'utf8', timeout: 20_000 });
  assert.equal(status, 2, `${name}=${value}: ${stderr}`);
  assert.match(stderr, message);
}

test('setting for secret file is rejected', async (t) => {
  await isRejected(t, 'MESSAGING_WEBHOOK_HEADER_SECRET_FILE', '/run/secrets/webhook',
    /HEADER_SECRET_FILE is not a setting here; put the secret itself into MESSAGING_WEBHOOK_HEADER_SECRET,/);
});

test('invalid number is rejected at start', async (t) => {
  for (const value of ['0', '600001', '10s', '', '1e3', '-1']) {
    await isRejected(t, 'MESSAGING_WEBHOOK_DEADLINE_MS', value, /DEADLINE_MS is not a whole number from 1 to 600000/);
  }
  await isRejected(t, 'MESSAGING_WEBHOOK_MAX_BODY_BYTES', '16777217', /MAX_BODY_BYTES is not a whole number from 1 to 16777216/);
});

test('delivery without inbox directory is answered 503', async (t) => {
  const folder = await inbox(t);
  const { url } = await serve(t, folder);
  await rm(folder, { recursive: true });
  const reply = await deliver(url);
  assert.equal(reply.status, 503, reply.text);
});

test('unfinished delivery delays no other delivery', async (t) => {
  const { url } = await serve(t, await inbox(t));
  // There are more connections than worker threads.
  const slow = Array.from({ length: 8 }, () => {
    const socket = connect(new URL(url).port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nX-Webhook-Secret: ${SECRET}\r\nX-Idempotency-Key: evt-2\r\n`);
    socket.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
    t.after(() => socket.destroy());
    return once(socket, 'data').then(([data]) => String(data));
  });
  const first = await Promise.race([deliver(url), ...slow]);
  assert.equal(first.status, 200);
});

test('concurrent deliveries of an event store it once', async (t) => {
  const folder = await inbox(t);
  const { url } = await serve(t, folder);
  const all = await Promise.all(Array.from({ length: 20 }, () => deliver(url)));
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(await readdir(join(folder, 'events')), ['evt-1.json']);
  assert.deepEqual(await readdir(join(folder, 'conflict')), []);
});
