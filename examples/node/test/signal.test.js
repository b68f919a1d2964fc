// Tests callers that abort: the call rejects with the abort reason if no message can exist, otherwise with an unknown
// outcome.

import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { OutcomeUnknownError, Plugin } from 'messaging-plugin';
import { CREATED, rawService, reply } from './service.js';

const MESSAGE = { phone: '+34600111222', message: 'hi' };
const REASON = new Error('the person has left');
const DRIVERS = { 'node:http': undefined, fetch };

for (const [driver, fetch] of Object.entries(DRIVERS)) {
  const load = async (t, service, options) => {
    const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', fetch, ...options });
    t.after(async () => {
      await plugin.close();
      await service.close();
    });
    return plugin;
  };

  test(`aborted signal prevents a send (${driver})`, async (t) => {
    const service = await rawService((socket) => socket.end(CREATED));
    const plugin = await load(t, service);
    const signal = AbortSignal.abort(REASON);
    await assert.rejects(plugin.sendMessage(MESSAGE, { signal }), REASON);
    await assert.rejects(plugin.listTemplates({}, { signal }), REASON);
    assert.equal(service.requests.length, 0);
  });

  test(`abort during send leaves outcome unknown (${driver})`, async (t) => {
    const giveUp = new AbortController();
    const closed = [];
    const service = await rawService((socket) => {
      closed.push(new Promise((resolve) => socket.once('close', resolve)));
      giveUp.abort(REASON);
    });
    const plugin = await load(t, service);
    const error = await plugin.sendMessage(MESSAGE, { signal: giveUp.signal }).catch((e) => e);
    assert.ok(error instanceof OutcomeUnknownError, inspect(error));
    assert.match(error.payload.detail, /canceled by the caller/);
    await Promise.all(closed);
    assert.equal(service.requests.length, 1);
  });

  test(`aborted read rejects with the abort reason (${driver})`, async (t) => {
    const giveUp = new AbortController();
    const service = await rawService(() => giveUp.abort(REASON));
    const plugin = await load(t, service);
    await assert.rejects(plugin.listTemplates({}, { signal: giveUp.signal }), REASON);
    assert.equal(service.requests.length, 1);
  });

  test(`abort during a delay sends nothing (${driver})`, async (t) => {
    const giveUp = new AbortController();
    const service = await rawService((socket) => {
      socket.end(reply('429 Too Many Requests\r\nRetry-After: 5', ''));
      setTimeout(() => giveUp.abort(REASON), 50);
    });
    const plugin = await load(t, service);
    await assert.rejects(plugin.sendMessage(MESSAGE, { signal: giveUp.signal }), REASON);
    assert.equal(service.requests.length, 1);
  });

  test(`signal keeps no listener of ended calls (${driver})`, async (t) => {
    const { signal } = new AbortController();
    const service = await rawService((socket) => socket.end(CREATED));
    const plugin = await load(t, service);
    for (let round = 0; round < 12; round++) await plugin.sendMessage(MESSAGE, { signal });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
}

test('abort before the connection sends nothing', async (t) => {
  const giveUp = new AbortController();
  const server = createServer((socket) => {
    t.after(() => socket.destroy());
    socket.once('data', () => giveUp.abort(REASON));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  // The server's TLS handshake never ends.
  const plugin = await Plugin.load({ baseUrl: `https://127.0.0.1:${server.address().port}`, apiKey: 'key' });
  t.after(() => plugin.close());
  await assert.rejects(plugin.sendMessage(MESSAGE, { signal: giveUp.signal }), REASON);
});

test('reply before abort is the outcome', async (t) => {
  const giveUp = new AbortController();
  const plugin = await Plugin.load({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    fetch: async () => new Response(new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":"msg-1"}'));
        controller.close();
        giveUp.abort(REASON);
      },
    }), { status: 201 }),
  });
  t.after(() => plugin.close());
  assert.equal((await plugin.sendMessage(MESSAGE, { signal: giveUp.signal })).id, 'msg-1');
});
