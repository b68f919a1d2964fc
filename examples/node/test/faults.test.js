// Tests broken connections with both drivers. A failure that is falsely reported as "not sent" would cause a second
// message, so each test counts the requests.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import https from 'node:https';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotSentError, OutcomeUnknownError, Plugin, UnavailableError } from 'messaging-plugin';
import { CREATED, rawService } from './service.js';

const FAULTS = {
  'resets before its reply': (socket) => socket.resetAndDestroy(),
  'closes without reply': (socket) => socket.end(),
  'resets in status line': (socket) => socket.write('HTTP/1.1 2', () => socket.resetAndDestroy()),
  'closes in reply head': (socket, status) => socket.end(`HTTP/1.1 ${status}\r\nContent-Le`),
  'cuts its body short': (socket, status) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n{"id":"msg-1"`),
  'resets within its body': (socket, status) =>
    socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n{"id":"msg-1"`, () => socket.resetAndDestroy()),
  'cuts a chunk short': (socket, status) =>
    socket.end(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"id":"msg-1"`),
  'sends invalid chunk size': (socket, status) =>
    socket.end(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"id":"msg-1"}\r\n0\r\n\r\n`),
  'does not speak HTTP': (socket) => socket.end('220 ready\r\n\r\n'),
  'sends two content lengths': (socket, status) =>
    socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 14\r\nContent-Length: 15\r\n\r\n{"id":"msg-1"}`),
  'never answers': () => {},
  'stops within its body': (socket, status) =>
    socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n{"id":"msg-1"`),
};

const DRIVERS = { 'node:http': undefined, fetch };

for (const [what, fault] of Object.entries(FAULTS)) for (const [driver, fetch] of Object.entries(DRIVERS)) {
  test(`outcome unknown: service ${what} (${driver})`, async (t) => {
    const sockets = [];
    const service = await rawService((socket, request) => {
      sockets.push(socket);
      fault(socket, request.startsWith('GET') ? '200 OK' : '201 Created');
    });
    // Only a service that stops answering makes the calls wait for the deadline.
    const deadlineMs = /never|stops/.test(what) ? 2000 : 20_000;
    const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', deadlineMs, fetch });
    t.after(async () => {
      await plugin.close();
      for (const socket of sockets) socket.destroy();
      await service.close();
    });
    const error = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
    assert.ok(error instanceof OutcomeUnknownError, String(error));
    assert.equal(service.requests.length, 1);
    await assert.rejects(plugin.listTemplates(), UnavailableError);
  });
}

for (const [driver, fetch] of Object.entries(DRIVERS)) test(`late call leaves no connection open (${driver})`, { timeout: 10_000 }, async (t) => {
  const sockets = [];
  const closed = [];
  const faults = {
    head: () => {},
    body: (socket) => socket.write('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{'),
    // The rest of the body never arrives.
    redirect: (socket) => socket.write('HTTP/1.1 307 Elsewhere\r\nContent-Length: 100\r\n\r\n{'),
  };
  const service = await rawService((socket, request) => {
    sockets.push(socket);
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
    faults[/"message":"(\w+)"/.exec(request)[1]](socket);
  });
  const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', deadlineMs: 300, fetch });
  t.after(async () => {
    await plugin.close();
    for (const socket of sockets) socket.destroy();
    await service.close();
  });
  for (const message of Object.keys(faults)) {
    await assert.rejects(plugin.sendMessage({ phone: '+34600111222', message }), OutcomeUnknownError);
  }
  // The connections must close before `plugin.close`, which would close them too.
  await Promise.all(closed);
  assert.equal(closed.length, 3);
});

test('route lost after request leaves outcome unknown', async () => {
  const failing = (syscall) => async () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('no route'), { code: 'EHOSTUNREACH', syscall }) });
  };
  for (const [syscall, kind] of [['connect', NotSentError], ['read', OutcomeUnknownError]]) {
    const plugin = await Plugin.load({ baseUrl: 'http://127.0.0.1:9', apiKey: 'key', maxAttempts: 1, fetch: failing(syscall) });
    await assert.rejects(plugin.sendMessage({ phone: '+34600111222', message: 'hi' }), kind, syscall);
  }
});

// An attempt to connect ends 50 ms before the deadline of its call, so the call reports `not-sent`.
for (const [what, code, answer] of [
  ['does not speak TLS', 'EPROTO|ERR_SSL', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['never completes its handshake', 'no connection in time', () => {}],
  ['closes in its handshake', 'ECONNRESET', (socket) => socket.end()],
  ['resets in its handshake', 'ECONNRESET', (socket) => socket.resetAndDestroy()],
]) {
  test(`nothing was sent: service ${what}`, async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
      t.after(() => socket.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.close());
    const baseUrl = `https://127.0.0.1:${server.address().port}`;
    const plugin = await Plugin.load({ baseUrl, apiKey: 'key', deadlineMs: 500, maxAttempts: 1 });
    t.after(() => plugin.close());
    const error = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
    assert.ok(error instanceof NotSentError, inspect(error));
    assert.match(error.payload.detail, new RegExp(code));
  });
}

// The accept queue of the listener is full, so connections are neither accepted nor refused.
test('send to unreachable address is not-sent in time', async (t) => {
  const address = await blackHole(t);
  if (!address) return t.skip('this system refuses connections if the accept queue is full');
  const plugin = await Plugin.load({ baseUrl: address, apiKey: 'key', deadlineMs: 700, maxAttempts: 3 });
  t.after(() => plugin.close());
  const error = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
  assert.ok(error instanceof NotSentError, inspect(error));
  assert.match(error.payload.detail, /no connection in time/);
});

for (const [driver, fetch] of Object.entries(DRIVERS)) {
  test(`untrusted certificate proves that nothing was sent (${driver})`, async (t) => {
    const { server, requests } = await tlsService(t);
    const baseUrl = `https://localhost:${server.address().port}`;
    const plugin = await Plugin.load({ baseUrl, apiKey: 'key', maxAttempts: 1, fetch });
    t.after(() => plugin.close());
    const error = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
    assert.ok(error instanceof NotSentError, inspect(error));
    assert.match(error.payload.detail, /DEPTH_ZERO_SELF_SIGNED_CERT/);
    assert.equal(requests(), 0);
  });
}

test('environment does not disable certificate checks', async (t) => {
  const { server, requests } = await tlsService(t);
  const script = `
    import { Plugin } from 'messaging-plugin';
    const plugin = await Plugin.load({ baseUrl: 'https://localhost:${server.address().port}', apiKey: 'key', maxAttempts: 1 });
    await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((error) => console.log(error.case));
    await plugin.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  assert.equal(await text(child.stdout), 'not-sent\n');
  assert.equal(requests(), 0);
});

/** Starts a TLS service with a self-signed certificate. */
async function tlsService(t) {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'));
  t.after(() => rm(folder, { recursive: true }));
  const [key, cert] = ['key.pem', 'cert.pem'].map((file) => join(folder, file));
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes',
    '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']);
  assert.equal(made.status, 0, String(made.stderr));
  let requests = 0;
  const server = https.createServer({ key: await readFile(key), cert: await readFile(cert) }, (request, reply) => {
    requests++;
    reply.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"msg-1"}');
  });
  await once(server.listen(0, 'localhost'), 'listening');
  t.after(() => (server.closeAllConnections(), server.close()));
  return { server, requests: () => requests };
}

/** Returns an address at which connections are neither accepted nor refused, or `undefined` if the system refuses
 *  connections when the accept queue is full. */
async function blackHole(t) {
  const script = 'require("net").createServer().listen({ host: "127.0.0.1", port: 0, backlog: 1 }, function () {'
    + ' console.log(this.address().port); for (;;); })';
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const port = Number(String((await once(child.stdout, 'data'))[0]));
  // Fills the accept queue.
  for (let one = 0; one < 4; one++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    t.after(() => socket.destroy());
    const connected = await Promise.race([once(socket, 'connect').then(() => true), sleep(300, false)]);
    if (!connected) return `http://127.0.0.1:${port}`;
  }
  return undefined;
}
