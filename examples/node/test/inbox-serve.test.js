// Tests the inbox client against `messaging serve --workers`.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Inbox, InboxRefusedError, InboxUnavailableError, LeaseLostError, TokenRefusedError } from 'messaging-plugin/inbox';
import { startWith } from '../host-test.js';

const TOKENS = ['worker-token-of-yesterday', 'worker-token-of-tomorrow'];

async function folderOf(t) {
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function served(t, { folder, tokens = TOKENS, workers = '127.0.0.1:0', args = [], ca } = {}) {
  folder ??= await folderOf(t);
  const server = await startWith({ MESSAGING_WORKER_TOKENS: tokens.join(' '), RUST_LOG: 'off' },
    'serve', '--json', '--listen', '127.0.0.1:0', '--workers', workers, '--store', join(folder, 'inbox.sqlite'), ...args);
  t.after(() => server.stop('SIGKILL'));
  const agent = new (ca ? https : http).Agent({ keepAlive: true, maxSockets: 32, ca });
  t.after(() => agent.destroy());
  const deliver = async (key) => {
    const request = (ca ? https : http).request(server.url.replace('127.0.0.1', ca ? 'localhost' : '127.0.0.1'), {
      agent, method: 'POST', headers: { 'x-idempotency-key': key, 'content-type': 'application/json' },
    });
    request.end(JSON.stringify({ id: `m-${key}`, object: 'message', event: key.split('-')[0] }));
    const [reply] = await once(request, 'response');
    reply.resume();
    await once(reply, 'end');
    assert.equal(reply.statusCode, 200);
  };
  const url = server.workers.replace('127.0.0.1', ca ? 'localhost' : '127.0.0.1');
  return {
    url,
    server,
    deliver: async (...keys) => {
      for (let at = 0; at < keys.length; at += 100) await Promise.all(keys.slice(at, at + 100).map(deliver));
    },
    inbox: (options) => new Inbox({ url, token: TOKENS[0], ca, ...options }),
  };
}

const failure = (promise) => promise.then(() => assert.fail('the promise resolved'), (error) => error);

test('killed workers lose none of 10,000 events', async (t) => {
  const folder = await folderOf(t);
  const { url, inbox, deliver } = await served(t, { folder });
  const keys = Array.from({ length: 10_000 }, (_, n) => `event-${n}`);
  await deliver(...keys);
  await mkdir(join(folder, 'done'));
  await writeFile(join(folder, 'lines'), '');
  const lines = async () => (await readFile(join(folder, 'lines'), 'utf8')).split('\n').slice(0, -1);

  const worker = (token) => spawn(process.execPath, [new URL('inbox-worker.js', import.meta.url).pathname, url, folder],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, TOKEN: token } });
  // The workers use both tokens.
  const workers = [worker(TOKENS[0]), worker(TOKENS[1]), worker(TOKENS[1])];
  t.after(() => workers.forEach((one) => one.kill('SIGKILL')));
  let killed = 0;
  const look = inbox();
  const open = async () => (await Promise.all(['pending', 'leased'].map((state) => look.list({ state, limit: 1 })))).flat();
  while ((await open()).length > 0) {
    if ((await lines()).length > 1_500 * (killed + 1) && killed < 5) {
      const at = killed++ % 3;
      const gone = once(workers[at], 'exit');
      workers[at].kill('SIGKILL');
      await gone;
      workers[at] = worker(TOKENS[at % 2]);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const ends = workers.map((one) => once(one, 'exit'));
  workers.forEach((one) => one.kill('SIGTERM'));
  assert.deepEqual((await Promise.all(ends)).map(([code]) => code), [0, 0, 0]);

  assert.equal(killed, 5);
  const seen = (await lines()).map((line) => line.split(' '));
  assert.deepEqual([...new Set(seen.map(([key]) => key))].sort(), keys.toSorted());
  assert.deepEqual((await readdir(join(folder, 'done'))).sort(), keys.toSorted());
  let count = 0;
  for (let page, after = 0; (page = await look.list({ state: 'done', after, limit: 1_000 })).length > 0; after = page.at(-1).id) count += page.length;
  assert.equal(count, 10_000);
  t.diagnostic(`${seen.length} events handled, ${seen.filter(([, attempts]) => attempts > 1).length} of them again`);
});

test('two tokens are accepted during rotation', async (t) => {
  const { inbox, deliver } = await served(t);
  await deliver('event-1', 'event-2');
  for (const token of TOKENS) assert.equal((await inbox({ token }).lease()).length, 1);
  for (const token of ['unknown-worker-token', TOKENS.join(' ').slice(0, 20)]) {
    const error = await failure(inbox({ token }).lease());
    assert.deepEqual([error.constructor, error.status, error.code], [TokenRefusedError, 401, 'unauthorized']);
  }
});

test('lease request waits until event, timeout or abort', async (t) => {
  const { inbox, deliver } = await served(t);
  const [leased] = await Promise.all([inbox().lease({ waitMs: 30_000 }), deliver('event-1')]);
  assert.deepEqual(leased.map(({ key }) => key), ['event-1']);

  const began = performance.now();
  assert.deepEqual(await inbox().lease({ waitMs: 300 }), []);
  assert.ok(performance.now() - began >= 300);

  const stop = new AbortController();
  const reason = new Error('enough');
  const waiting = failure(inbox({ signal: stop.signal }).lease({ waitMs: 30_000 }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  stop.abort(reason);
  assert.equal(await waiting, reason);
  // The canceled wait must not receive the next event.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await deliver('event-2');
  assert.deepEqual((await inbox().lease({ waitMs: 5_000 })).map(({ key, attempts }) => [key, attempts]), [['event-2', 1]]);
});

test('only requested kinds are leased, with all fields', async (t) => {
  const { inbox, deliver } = await served(t);
  await deliver('first-1', 'second-1');
  const [event] = await inbox({ kinds: ['second'] }).lease({ limit: 10 });
  const { id, key, messageId, kind, attempts, failures, lastError, payload } = event;
  assert.deepEqual({ key, messageId, kind, attempts, failures, lastError, payload }, {
    key: 'second-1', messageId: 'm-second-1', kind: 'second', attempts: 1, failures: 0, lastError: null,
    payload: '{"id":"m-second-1","object":"message","event":"second"}',
  });
  assert.ok(Math.abs(event.receivedAtMs - Date.now()) < 60_000);
  const shown = await inbox().show(id);
  assert.deepEqual([shown.state, shown.payload, shown.firstId], ['leased', payload, null]);
  assert.deepEqual((await inbox().list({ kind: 'first' })).map(({ key, state }) => [key, state]), [['first-1', 'pending']]);
  assert.equal((await failure(inbox().show(99))).code, 'not-found');
  const wrong = await failure(inbox().lease({ limit: 101 }));
  assert.deepEqual([wrong.constructor, wrong.code, wrong.field], [InboxRefusedError, 'malformed', 'limit']);
});

test('event is dead after deadAfter failures', async (t) => {
  const { inbox, deliver } = await served(t);
  await deliver('event-1');
  const [first] = await inbox().lease();
  assert.equal(await first.nack(new Error('no 🎈'.repeat(1_000)), { pauseMs: 0, deadAfter: 2 }), 'pending');
  const [second] = await inbox().lease({ waitMs: 5_000 });
  assert.deepEqual([second.failures, second.attempts, [...second.lastError].length], [1, 2, 2_000]);
  assert.equal(await second.nack('half a pair \ud83c', { deadAfter: 2 }), 'dead');
  assert.deepEqual((await inbox().list({ state: 'dead' })).map(({ lastError }) => lastError), ['half a pair \ufffd']);
});

/** Starts a proxy. `lose` discards the next reply, and `hold` discards all requests; both close the connection. */
async function passage(t, url) {
  const self = { lose: false, hold: false };
  const sockets = new Set();
  const server = net.createServer((client) => {
    const inbox = net.connect(new URL(url).port, '127.0.0.1');
    for (const socket of [client, inbox]) sockets.add(socket.on('error', () => {}));
    client.on('data', (data) => (self.hold ? client.destroy() : inbox.write(data)));
    inbox.on('data', (data) => {
      if (!self.lose) return client.write(data);
      self.lose = false;
      client.destroy();
      inbox.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return Object.assign(self, { url: `http://127.0.0.1:${server.address().port}` });
}

test('request repeated after lost reply counts once', async (t) => {
  const { url, inbox, deliver } = await served(t);
  const way = await passage(t, url);
  const errors = [];
  const worker = inbox({ url: way.url, onError: (error) => errors.push(error) });
  await deliver('event-1', 'event-2', 'event-3');
  const [a, b, c] = await worker.lease({ limit: 3 });
  const nack = () => b.nack('no', { pauseMs: 600_000 });
  for (const [ask, answer] of [[() => a.extend()], [() => a.ack()], [nack, 'pending'], [() => c.release()]]) {
    way.lose = true;
    assert.equal(await ask(), answer);
  }
  assert.equal(errors.length, 4);
  assert.ok(errors.every((error) => error instanceof InboxUnavailableError));
  const after = await inbox().list();
  assert.deepEqual(after.map(({ state, failures, lastError }) => [state, failures, lastError]),
    [['done', 0, null], ['pending', 1, 'no'], ['pending', 0, null]]);
  assert.deepEqual((await inbox().lease({ limit: 3 })).map(({ key }) => key), [c.key]);
});

test('expired lease is lost to next worker', async (t) => {
  const { inbox, deliver } = await served(t);
  await deliver('event-1', 'event-2');
  const [late, lost] = await inbox({ leaseMs: 1_000 }).lease({ limit: 2 });
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await late.ack();
  const [other] = await inbox().lease({ limit: 2 });
  assert.equal(other.key, lost.key);
  assert.ok((await failure(lost.ack())) instanceof LeaseLostError);
  assert.equal(lost.isLost, true);
  await other.ack();
});

test('handler learns that its event was leased again', async (t) => {
  const { url, inbox, deliver } = await served(t);
  const way = await passage(t, url);
  await deliver('event-1');
  const stop = new AbortController();
  const errors = [];
  await inbox({ url: way.url, leaseMs: 1_000, signal: stop.signal, onError: (error) => errors.push(error) }).run(async (event, { signal }) => {
    stop.abort();
    // Discards the extensions until the lease has ended.
    way.hold = true;
    const [other] = await inbox().lease({ waitMs: 5_000 });
    assert.deepEqual([other.key, other.attempts], ['event-1', 2]);
    await other.ack();
    way.hold = false;
    if (!signal.aborted) await once(signal, 'abort');
    assert.ok(signal.reason instanceof LeaseLostError);
  });
  assert.ok(errors.some((error) => error instanceof LeaseLostError));
  assert.deepEqual((await inbox().list()).map(({ state, failures }) => [state, failures]), [['done', 0]]);
});

test('workers reconnect to a restarted inbox', async (t) => {
  const folder = await folderOf(t);
  const first = await served(t, { folder });
  await first.deliver('event-1');
  const stop = new AbortController();
  const seen = [];
  const running = first.inbox({ signal: stop.signal }).run(async (event) => {
    seen.push(event.key);
    if (event.key === 'event-1') await first.server.stop('SIGKILL');
    if (event.key === 'event-2') stop.abort();
  });
  while (seen.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
  const second = await served(t, { folder, workers: new URL(first.url).host });
  await second.deliver('event-2');
  await running;
  assert.deepEqual(seen, ['event-1', 'event-2']);
  assert.deepEqual((await second.inbox().list()).map(({ state }) => state), ['done', 'done']);
});

test('client trusts private authority of inbox', async (t) => {
  const folder = await folderOf(t);
  const file = (name) => join(folder, name);
  const openssl = (...args) => {
    const made = spawnSync('openssl', args, { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
  };
  const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...KEY, '-keyout', file('ca.key'), '-out', file('ca.pem'), '-days', '2', '-subj', '/CN=a private authority');
  openssl('req', '-x509', ...KEY, '-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-keyout', file('key'), '-out', file('cert'), '-days', '2',
    '-subj', '/CN=inbox', '-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=CA:FALSE');
  const ca = await readFile(file('ca.pem'), 'utf8');
  const { inbox, deliver } = await served(t, { folder, ca, args: ['--tls-cert', file('cert'), '--tls-key', file('key')] });
  await deliver('event-1');
  const [event] = await inbox().lease({ waitMs: 5_000 });
  await event.ack();
  assert.equal(event.key, 'event-1');
  const error = await failure(inbox({ ca: undefined, retryTimeoutMs: 0 }).lease());
  assert.ok(error instanceof InboxUnavailableError);
  assert.match(error.detail, /SELF_SIGNED|UNABLE_TO/);
});
