// Error codes that the shim reports for broken connections. A code that is wrongly proof of "not
// sent" would be a second message: each of these ends with one request.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { NotSentError, OutcomeUnknownError, Plugin, UnavailableError } from 'messaging-plugin';
import { CREATED, rawService } from './service.js';

const FAULTS = {
  'resets the connection before its reply': (socket) => socket.resetAndDestroy(),
  'closes without a reply': (socket) => socket.end(),
  'resets in the middle of its status line': (socket) => socket.write('HTTP/1.1 2', () => socket.resetAndDestroy()),
  'closes in the middle of its head': (socket, status) => socket.end(`HTTP/1.1 ${status}\r\nContent-Le`),
  'cuts its body short': (socket, status) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n{"id":"msg-1"`),
  'resets in the middle of its body': (socket, status) =>
    socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n{"id":"msg-1"`, () => socket.resetAndDestroy()),
  'cuts a chunk short': (socket, status) =>
    socket.end(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"id":"msg-1"`),
  'sends a chunk of no size': (socket, status) =>
    socket.end(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"id":"msg-1"}\r\n0\r\n\r\n`),
  'speaks no HTTP': (socket) => socket.end('220 ready\r\n\r\n'),
  'names two lengths': (socket, status) =>
    socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 14\r\nContent-Length: 15\r\n\r\n{"id":"msg-1"}`),
  // The shim alone would call this a timeout of the connection: proof of "not sent".
  'never answers': () => {},
  'stops in the middle of its body': (socket, status) =>
    socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n{"id":"msg-1"`),
};

for (const [what, fault] of Object.entries(FAULTS)) {
  test(`a service that ${what} got one request, and its outcome is unknown`, async (t) => {
    const sockets = [];
    const service = await rawService((socket, request) => {
      sockets.push(socket);
      fault(socket, request.startsWith('GET') ? '200 OK' : '201 Created');
    });
    const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', deadlineMs: 500, size: 1 });
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

test('a call that ends before its reply leaves no connection open', { timeout: 10_000 }, async (t) => {
  const sockets = [];
  const closed = [];
  const faults = {
    head: () => {},
    body: (socket) => socket.write('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{'),
    // Its rest would never end.
    redirect: (socket) => socket.write('HTTP/1.1 307 Elsewhere\r\nContent-Length: 100\r\n\r\n{'),
  };
  const service = await rawService((socket, request) => {
    sockets.push(socket);
    closed.push(once(socket, 'close'));
    faults[/"message":"(\w+)"/.exec(request)[1]](socket);
  });
  const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', deadlineMs: 300, size: 1 });
  t.after(async () => {
    await plugin.close();
    for (const socket of sockets) socket.destroy();
    await service.close();
  });
  for (const message of Object.keys(faults)) {
    await assert.rejects(plugin.sendMessage({ phone: '+34600111222', message }), OutcomeUnknownError);
  }
  // Before the threads end, which would close them too.
  await Promise.all(closed);
  assert.equal(closed.length, 3);
});

// A connection is given up after 10 s.
for (const [what, code, answer] of [
  ['speaks no TLS', 'TLS-protocol-error', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['never ends its handshake', 'connection-timeout', () => {}],
  ['hangs up in its handshake', 'destination-unavailable', (socket) => socket.end()],
]) {
  test(`a service that ${what} is proof that nothing was sent`, async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => answer(socket));
      t.after(() => socket.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const baseUrl = `https://127.0.0.1:${server.address().port}`;
    const plugin = await Plugin.load({ baseUrl, apiKey: 'key', deadlineMs: 11_000, maxAttempts: 1, size: 1 });
    t.after(async () => {
      await plugin.close();
      server.close();
    });
    const error = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
    assert.ok(error instanceof NotSentError, String(error));
    assert.match(error.payload.detail, new RegExp(`^${code} `));
  });
}
