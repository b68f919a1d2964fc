// Tests drivers in unusual conditions: missing replies, bodies of unusual types, and a service that closes its
// connections.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { OutcomeUnknownError, Plugin, RefusedError } from 'messaging-plugin';
import { Component } from '../src/component.js';
import { SANS_IO, ownModule } from '../src/plugin.js';
import { rawService } from './service.js';

const MESSAGE = { phone: '+34600111222', message: 'hi' };
const load = (options) =>
  Plugin.load({ baseUrl: 'http://127.0.0.1:1', apiKey: 'canary-8f31c2d7', deadlineMs: 300, maxAttempts: 1, ...options });
const head = { status: 201, headers: new Headers() };
const never = () => new Promise(() => {});

async function isUnknownInTime(plugin) {
  const outcome = await Promise.race([
    plugin.sendMessage(MESSAGE).catch((error) => error),
    new Promise((resolve) => setTimeout(resolve, 10_000, 'no outcome').unref()),
  ]);
  assert.ok(outcome instanceof OutcomeUnknownError, inspect(outcome));
  await plugin.close();
}

test('deadline holds if fetch ignores the signal', async () => {
  const body = () => new ReadableStream({ pull: never });
  for (const fetch of [never, async () => new Response(body(), { status: 201 }), async () => ({ ...head, body: {}, arrayBuffer: never })]) {
    await isUnknownInTime(await load({ fetch }));
  }
});

test('deadline holds if a body cannot be decoded', async (t) => {
  for (const encoding of ['gzip', 'br', 'deflate']) {
    const service = await rawService((socket) => {
      socket.write(`HTTP/1.1 201 Created\r\nContent-Encoding: ${encoding}\r\n\r\n`);
      setImmediate(() => socket.end('{"id":"msg-1"}'));
    });
    t.after(() => service.close());
    await isUnknownInTime(await load({ baseUrl: service.baseUrl, fetch }));
  }
});

test('fetch bodies of each kind are read', async () => {
  const bytes = Buffer.from('{"id":"msg-1"}');
  for (const reply of [
    new Response(bytes, { status: 201 }),
    { ...head, body: Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]) },
    { ...head, body: {}, arrayBuffer: async () => new Uint8Array(bytes).buffer },
  ]) {
    const plugin = await load({ fetch: async () => reply });
    assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
  }
});

test('reply is cut at its maximum size', async () => {
  const endless = { next: async () => ({ done: false, value: new Uint8Array(1024) }) };
  for (const body of [
    { [Symbol.asyncIterator]: () => endless },
    { [Symbol.asyncIterator]: () => ({ ...endless, return: () => { throw new Error('no'); } }) },
    { getReader: () => ({ read: endless.next, cancel: () => Promise.reject(new Error('no')) }) },
  ]) {
    const plugin = await load({ maxReplyBytes: 4096, fetch: async () => ({ ...head, status: 400, body }) });
    await assert.rejects(plugin.sendMessage(MESSAGE), RefusedError);
  }
});

test('invalid fetch reply leaves outcome unknown', async () => {
  for (const reply of [
    undefined, null, {}, { status: 201, body: {} }, { ...head, body: Readable.from(['text']) }, { ...head, status: 'ok' },
    { ...head, body: { getReader: () => { throw new Error('locked'); } } },
  ]) {
    await isUnknownInTime(await load({ fetch: async () => reply }));
  }
});

test('service that closes each connection gets every message', async (t) => {
  const service = createServer((request, reply) => {
    request.resume().on('end', () => reply.writeHead(201).end('{"id":"msg-1"}', () => request.socket.end()));
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  t.after(() => service.close());
  const plugin = await load({ baseUrl: `http://127.0.0.1:${service.address().port}`, deadlineMs: 10_000 });
  for (let sent = 0; sent < 50; sent++) await plugin.sendMessage(MESSAGE);
  await plugin.close();
});

test('one signal serves many calls without a warning', async (t) => {
  const warnings = [];
  const warned = (warning) => warnings.push(warning);
  process.on('warning', warned);
  t.after(() => process.off('warning', warned));
  const { signal } = new AbortController();
  const service = await rawService(() => {});
  for (const given of [{ fetch: never }, {}]) {
    const plugin = await load({ ...given, baseUrl: service.baseUrl });
    await Promise.allSettled(Array.from({ length: 30 }, () => plugin.sendMessage(MESSAGE, { signal })));
    await plugin.close();
  }
  await service.close();
  assert.deepEqual(warnings, []);
});

test('memory of a large event is released', async () => {
  const component = new Component(await ownModule(), SANS_IO);
  component.pure('handle-event', { headers: [], body: ' '.repeat(16 << 20) });
  assert.ok(component.instance.memory.buffer.byteLength < 8 << 20);
});
