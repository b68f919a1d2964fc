// Tests the component in the WebAssembly engine: conversion of values, traps and memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Plugin, PluginCrashedError } from 'messaging-plugin';

const MESSAGE = { phone: '+34600111222', message: 'hi' };
const KEY = 'canary-8f31c2d7';
const created = (id = 'msg-1') => new Response(JSON.stringify({ id }), { status: 201 });

const load = (options) =>
  Plugin.load({ baseUrl: 'https://api.example.com', apiKey: KEY, ...options });

test('component returns strings of any length unchanged', async (t) => {
  const plugin = await load();
  t.after(() => plugin.close());
  const headers = { 'x-idempotency-key': 'evt-1', 'content-type': 'application/json' };
  const event = { id: 'msg-1', object: 'message', event: 'message:in:new' };
  for (const part of ['a', 'é', '🎈', '\ufeff', '\0', 'aé']) {
    for (let length = 0; length < 70; length++) {
      const body = JSON.stringify({ ...event, text: part.repeat(length) });
      assert.equal((await plugin.handleEvent({ headers, body })).json, body);
      const kind = `k${part === '\0' ? 'a' : part.repeat(length)}`;
      const other = JSON.stringify({ ...event, event: kind });
      assert.equal((await plugin.handleEvent({ headers, body: other })).kind, kind);
    }
  }
});

/** Makes the component trap in functions for which `control.trapsAt` returns true, and counts the instances. */
function trapping(t) {
  const { Instance } = WebAssembly;
  t.after(() => (WebAssembly.Instance = Instance));
  const control = { instances: 0, trapsAt: () => false };
  WebAssembly.Instance = function (...given) {
    control.instances++;
    const exports = Object.entries(new Instance(...given).exports).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      return [name, (...values) => {
        if (control.trapsAt(name)) throw new WebAssembly.RuntimeError(`unreachable, with ${KEY}`);
        return value(...values);
      }];
    });
    return { exports: Object.fromEntries(exports) };
  };
  return control;
}

test('trap makes outcome of send unknown', async (t) => {
  const control = trapping(t);
  const plugin = await load({ fetch: async () => created() });
  t.after(() => plugin.close());
  for (const [step, name] of ['[constructor]', '.next'].entries()) {
    control.trapsAt = (called) => called.includes(name);
    const sent = await plugin.sendMessage(MESSAGE).catch((e) => e);
    assert.ok(sent instanceof PluginCrashedError, inspect(sent));
    assert.deepEqual([sent.retry, sent.mayExist], ['never', true]);
    assert.match(sent.message, /may exist/);
    assert.ok(!inspect(sent, { showHidden: true, depth: null }).includes(KEY), inspect(sent));
    const read = await plugin.listTemplates().catch((e) => e);
    assert.ok(read instanceof PluginCrashedError, inspect(read));
    assert.deepEqual([read.retry, read.mayExist], ['safe', false]);
    control.trapsAt = () => false;
    assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
    assert.equal(control.instances, 1 + 2 * (step + 1));
  }
});

test('trap repeats no request of concurrent call', async (t) => {
  const control = trapping(t);
  const answers = [];
  const requests = [];
  const plugin = await load({
    fetch: (url, { body }) => {
      requests.push(JSON.parse(new TextDecoder().decode(body)).message);
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  t.after(() => plugin.close());
  const send = (message) => plugin.sendMessage({ ...MESSAGE, message }).catch((error) => error);
  const calls = ['a', 'b', 'c'].map(send);
  while (answers.length < 3) await new Promise(setImmediate);
  // The next step traps. This is a step of call b, whose reply arrives first.
  let traps = 1;
  control.trapsAt = (name) => name.endsWith('.next') && traps-- > 0;
  answers[1](created('msg-b'));
  assert.ok((await calls[1]) instanceof PluginCrashedError);
  assert.equal((await send('d').constructor, control.instances), 2);
  answers[0](created('msg-a'));
  answers[2](created('msg-c'));
  while (answers.length < 4) await new Promise(setImmediate);
  answers[3](created('msg-d'));
  assert.equal((await calls[0]).id, 'msg-a');
  assert.equal((await calls[2]).id, 'msg-c');
  assert.deepEqual(requests, ['a', 'b', 'c', 'd']);
});

test('paused call continues after trap in another call', async (t) => {
  const control = trapping(t);
  let requests = 0;
  const plugin = await load({
    fetch: async () => (++requests === 1
      ? new Response('', { status: 429, headers: { 'retry-after': '1' } })
      : created(`msg-${requests}`)),
  });
  t.after(() => plugin.close());
  const call = plugin.sendMessage(MESSAGE);
  while (requests < 1) await new Promise(setImmediate);
  await new Promise(setImmediate);
  control.trapsAt = (name) => name.endsWith('handle-event');
  await assert.rejects(plugin.handleEvent({ headers: {}, body: '' }), PluginCrashedError);
  assert.equal((await call).id, 'msg-2');
  assert.equal(control.instances, 2);
});

test('trap in destructor keeps outcome of call', async (t) => {
  const control = trapping(t);
  const plugin = await load({ fetch: async () => created() });
  t.after(() => plugin.close());
  control.trapsAt = (name) => name.includes('[dtor]');
  assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
  assert.equal(control.instances, 2);
});

test('memory of a large reply is released', async (t) => {
  const control = trapping(t);
  const templates = Array.from({ length: 30_000 }, (_, index) => (
    { name: `template-${index}`, status: 'approved', language: 'es', text: 'x'.repeat(50) }));
  const body = JSON.stringify({ data: templates, total: templates.length, page: 0, size: templates.length });
  const plugin = await load({ maxReplyBytes: 4_194_304, fetch: async () => new Response(body) });
  t.after(() => plugin.close());
  assert.equal((await plugin.listTemplates()).templates.length, 30_000);
  assert.equal(control.instances, 2);
  const small = await load({ fetch: async () => created() });
  t.after(() => small.close());
  for (let round = 0; round < 3_000; round++) await small.sendMessage(MESSAGE);
  assert.equal(control.instances, 3);
});

test('plugin runs a precompiled component', async (t) => {
  const { readFile } = await import('node:fs/promises');
  const { createRequire } = await import('node:module');
  const file = createRequire(import.meta.url).resolve('messaging-plugin/component.wasm');
  const component = new WebAssembly.Module(await readFile(file));
  const plugin = await load({ component, fetch: async () => created() });
  t.after(() => plugin.close());
  assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
});
