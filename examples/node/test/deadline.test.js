// Tests that no byte of a request leaves after its deadline, even if the process or its event loop stops, or a clock
// jumps.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { inspect } from 'node:util';
import { NotSentError, Plugin } from 'messaging-plugin';
import { HttpJournal, Once } from 'messaging-plugin/once';
import { nodeDriver } from '../src/node-http.js';
import { selfSigned } from './certificate.js';
import { CREATED_AND_KEPT, rawService } from './service.js';

const MESSAGE = { phone: '+34600111222', message: 'hi' };
const DEADLINE_MS = 400;

const folder = mkdtempSync(join(tmpdir(), 'deadline-'));
after(() => rmSync(folder, { recursive: true }));
const { key, cert, file } = selfSigned(folder);

/** Starts a TLS service. `onHello` runs during each handshake. */
async function tlsService(t, onHello = () => {}) {
  let requests = 0;
  const context = createSecureContext({ key, cert });
  const SNICallback = (_, done) => {
    onHello();
    done(null, context);
  };
  const server = https.createServer({ key, cert, SNICallback }, (request, reply) => {
    requests++;
    request.resume().on('end', () => reply.writeHead(201).end('{"id":"msg-1"}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: server.address().port, requests: () => requests };
}

function blockEventLoop(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

async function isNotSent(call) {
  const error = await call.then((value) => assert.fail(inspect(value)), (error) => error);
  assert.ok(error instanceof NotSentError, inspect(error));
}

for (const [name, clock, method] of [['monotonic', performance, 'now'], ['wall', Date, 'now']]) {
  test(`handshake past deadline prevents request (${name} clock)`, async (t) => {
    const real = clock[method];
    t.after(() => (clock[method] = real));
    const service = await tlsService(t, () => (clock[method] = () => real.call(clock) + 60_000));
    const driver = nodeDriver({ ca: cert });
    t.after(() => driver.close());
    const outcome = await driver.exchange({
      method: 'POST', url: `https://localhost:${service.port}/messages`, headers: [], body: Buffer.from('{}'), timeLeftMs: 10_000, maxReplyBytes: 1024,
    });
    assert.deepEqual(outcome, { failure: 'not-reached', detail: 'the deadline passed before the request was written' });
    assert.equal(service.requests(), 0);
  });
}

test('HTTP journal sends nothing after its deadline', async (t) => {
  const { now } = performance;
  t.after(() => (performance.now = now));
  const service = await tlsService(t, () => (performance.now = () => now.call(performance) + 60_000));
  const journal = new HttpJournal({ url: `https://localhost:${service.port}`, token: 'token', ca: cert });
  await assert.rejects(journal.get('k'), /the deadline passed before the request was written/);
  assert.equal(service.requests(), 0);
});

test('process stopped past its deadline sends nothing', { skip: process.platform === 'win32' }, async (t) => {
  const service = await tlsService(t);
  const script = `
    import { Plugin } from 'messaging-plugin';
    const plugin = await Plugin.load({ baseUrl: process.argv[1], apiKey: 'key', deadlineMs: ${DEADLINE_MS}, maxAttempts: 1 });
    await plugin.sendMessage(${JSON.stringify(MESSAGE)}).then(console.log, (error) => console.log(error.case));
    await plugin.close();`;
  let child;
  // Stops the process at the start of its handshake, completes the handshake, and resumes the process.
  const proxy = createServer((client) => {
    client.once('data', (hello) => {
      child.kill('SIGSTOP');
      const server = connect(service.port, '127.0.0.1');
      server.write(hello);
      client.pipe(server).pipe(client);
      for (const socket of [client, server]) {
        socket.on('error', () => {});
        t.after(() => socket.destroy());
      }
      setTimeout(() => child.kill('SIGCONT'), 2 * DEADLINE_MS);
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  t.after(() => proxy.close());
  child = spawn(process.execPath, ['--input-type=module', '--eval', script, `https://localhost:${proxy.address().port}`], {
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.equal(out.trim(), 'not-sent');
  assert.equal(service.requests(), 0);
});

const PHASES = {
  tick: (work) => process.nextTick(work),
  'first turn': (work) => setImmediate(work),
  'second turn': (work) => setImmediate(() => setImmediate(work)),
  'third turn': (work) => setImmediate(() => setImmediate(() => setImmediate(work))),
};
for (const [phase, at] of Object.entries(PHASES)) {
  for (const isKept of [false, true]) {
    test(`blocked loop sends nothing late (${phase}, kept: ${isKept})`, async (t) => {
      const service = await rawService((socket) => socket.write(CREATED_AND_KEPT));
      const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', deadlineMs: DEADLINE_MS, maxAttempts: 1 });
      t.after(async () => {
        await plugin.close();
        await service.close();
      });
      // Repeats the first call until it succeeds, because a call on a busy machine can exceed the deadline.
      for (let isWarm = !isKept; !isWarm;) isWarm = await plugin.sendMessage(MESSAGE).then(() => true, () => false);
      const { end } = http.ClientRequest.prototype;
      t.after(() => (http.ClientRequest.prototype.end = end));
      const writtenAt = [];
      http.ClientRequest.prototype.end = function (...given) {
        writtenAt.push(performance.now());
        return end.apply(this, given);
      };
      const began = performance.now();
      const call = plugin.sendMessage(MESSAGE);
      const blocked = new Promise((resolve) => at(() => resolve(blockEventLoop(2 * DEADLINE_MS))));
      const [outcome] = await Promise.all([call.catch((error) => error), blocked]);
      assert.deepEqual(writtenAt.filter((time) => time >= began + DEADLINE_MS), []);
      assert.equal(outcome instanceof NotSentError, writtenAt.length === 0, inspect(outcome));
    });
  }
}

for (const [driver, given] of [['node:http', undefined], ['fetch', fetch]]) {
  test(`sendOnce sends nothing after its deadline (${driver})`, async (t) => {
    const service = await rawService((socket) => socket.write(CREATED_AND_KEPT));
    const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', deadlineMs: DEADLINE_MS, fetch: given });
    t.after(async () => {
      await plugin.close();
      await service.close();
    });
    const values = new Map();
    const journal = {
      get: async (key) => values.get(key),
      swap: async (key, expected, value) => (values.get(key) === expected
        ? (values.set(key, value), { swapped: true })
        : { swapped: false, found: values.get(key) }),
      listItems: async () => ({ items: [] }),
    };
    const client = {
      deadlineMs: DEADLINE_MS,
      sendMessage(request, options) {
        blockEventLoop(2 * DEADLINE_MS);
        return plugin.sendMessage(request, options);
      },
    };
    await isNotSent(new Once(client, journal).sendOnce('k', MESSAGE));
    assert.equal(service.requests.length, 0);
    const patient = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', fetch: given });
    assert.equal((await new Once(patient, journal).sendOnce('k', MESSAGE)).replayed, false);
    await patient.close();
  });
}
