// Calls run beside each other and beside the embedder's own work.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { ExecutionFailedError, OtherError, Plugin, PluginCrashedError } from 'messaging-plugin';
import { CREATED, rawService } from './service.js';

const MESSAGE = { phone: '+34600111222', message: 'hi' };

test('the event loop goes on while a call is under way', async () => {
  // The service is on this same event loop, and answers after 50 ticks of it.
  let ticks = 0;
  const service = await rawService((socket) => {
    const timer = setInterval(() => {
      if (++ticks < 50) return;
      clearInterval(timer);
      socket.end(CREATED);
    }, 10);
  });
  const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', size: 1 });
  await plugin.sendMessage(MESSAGE);
  assert.equal(ticks, 50);
  await plugin.close();
  await service.close();
});

test('as many calls as there are workers are under way at once, and no more', async () => {
  // The gate opens when eight requests are held; the ninth call has to wait for it.
  const held = [];
  const service = await rawService((socket) => {
    held.push(socket);
    if (held.length === 8) held.forEach((one) => one.end(CREATED));
    if (held.length === 9) socket.end(CREATED);
  });
  const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', size: 8 });
  const calls = Array.from({ length: 9 }, () => plugin.sendMessage(MESSAGE));
  assert.equal((await Promise.all(calls)).length, 9);
  assert.equal(service.requests.length, 9);
  await plugin.close();
  await service.close();
});

test('close waits for the calls under way, and takes no more', async () => {
  const service = await rawService((socket) => {
    closed = plugin.close();
    socket.end(CREATED);
  });
  const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', size: 1 });
  let closed;
  assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
  await assert.rejects(plugin.sendMessage(MESSAGE), /closed/);
  await closed;
  await service.close();
});

// A component that does as its message says, in place of the transpiled one.
const MISBEHAVING = `
export function instantiate(core, imports) {
  const settings = Object.fromEntries(imports['wasi:cli/environment'].getEnvironment());
  const deeds = {
    trap() { throw new WebAssembly.RuntimeError('unreachable, with ' + settings.MESSAGING_API_KEY); },
    exit() { process.exit(3); },
    spin() { for (;;) {} },
    wait() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); },
    environment() { return JSON.stringify([process.env, process.argv.slice(2)]); },
    engine() { throw { tag: 'execution-failed' }; },
    other() { throw { tag: 'permanent-other', val: { code: 'no-senders', detail: 'none is set up', status: 404 } }; },
    unknown() { throw { tag: 'rate-limited-soon', val: { detail: 'of a later version', waited: 3 } }; },
    odd() { throw { tag: 'constructor', val: 3n }; },
  };
  const sendMessage = ({ message }) => ({ id: 'msg-1', json: deeds[message]?.() ?? '{}' });
  return { messaging: { sendMessage, listTemplates: ({ status }) => deeds[status]() } };
}`;

async function misbehaving(t, options) {
  const folder = await mkdtemp(join(tmpdir(), 'component-'));
  await writeFile(join(folder, 'plugin.js'), MISBEHAVING);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const component = pathToFileURL(`${folder}/`);
  const plugin = await Plugin.load({ baseUrl: 'http://127.0.0.1:1', apiKey: 'canary-key', component, ...options });
  t.after(async () => {
    await plugin.close();
    await rm(folder, { recursive: true });
  });
  return plugin;
}

for (const deed of ['trap', 'exit']) {
  test(`after a worker's ${deed} its own call is of unknown outcome, and the others go on`, async (t) => {
    const plugin = await misbehaving(t, { size: 2 });
    const send = (message) => plugin.sendMessage({ ...MESSAGE, message }).catch((error) => error);
    const [bad, ...good] = await Promise.all([send(deed), send('a'), send('b'), send('c')]);
    assert.ok(bad instanceof PluginCrashedError, inspect(bad));
    assert.equal(bad.retry, 'never');
    assert.match(bad.message, /may exist/);
    assert.ok(!inspect(bad, { showHidden: true }).includes('canary'), inspect(bad));
    assert.deepEqual(good.map(({ id }) => id), ['msg-1', 'msg-1', 'msg-1']);
  });
}

test('without an answer the outcome of a send is unknown, and a read is safe to try again', async (t) => {
  const plugin = await misbehaving(t);
  for (const [deed, kind] of [['trap', PluginCrashedError], ['engine', ExecutionFailedError]]) {
    const sent = await plugin.sendMessage({ ...MESSAGE, message: deed }).catch((e) => e);
    assert.ok(sent instanceof kind, inspect(sent));
    assert.equal(sent.retry, 'never');
    assert.equal(sent.mayExist, true);
    const read = await plugin.listTemplates({ status: deed }).catch((e) => e);
    assert.ok(read instanceof kind, inspect(read));
    assert.equal(read.retry, 'safe');
    assert.equal(read.mayExist, false);
  }
});

test('a case that is not known is as permanent-other, and must not be tried again', async (t) => {
  const plugin = await misbehaving(t);
  for (const [deed, payload] of [
    ['other', { code: 'no-senders', detail: 'none is set up', status: 404 }],
    ['unknown', { code: 'rate-limited-soon', detail: 'of a later version', status: undefined }],
    ['odd', { code: 'constructor', detail: '3n', status: undefined }],
  ]) {
    const calls = {
      send: () => plugin.sendMessage({ ...MESSAGE, message: deed }),
      read: () => plugin.listTemplates({ status: deed }),
    };
    for (const [kind, call] of Object.entries(calls)) {
      const error = await call().catch((e) => e);
      assert.equal(error.mayExist, kind === 'send');
      assert.ok(error instanceof OtherError, inspect(error));
      assert.equal(error.case, 'permanent-other');
      assert.deepEqual(error.payload, payload);
      assert.equal(error.retry, 'never');
      assert.ok(error.message.includes(payload.code) && error.message.includes(payload.detail), error.message);
    }
  }
});

test('a component that does not end is stopped, and the next call works', async (t) => {
  const plugin = await misbehaving(t, { size: 2, deadlineMs: 1 });
  await Promise.all(['spin', 'wait'].map((message) =>
    assert.rejects(plugin.sendMessage({ ...MESSAGE, message }), PluginCrashedError)));
  assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
});

test('a worker has no variable and no argument of this process', async (t) => {
  const plugin = await misbehaving(t);
  const { json } = await plugin.sendMessage({ ...MESSAGE, message: 'environment' });
  assert.deepEqual(JSON.parse(json), [{}, []]);
});

test('a component that is not there is found when it is loaded', async () => {
  const component = new URL('file:///nowhere/');
  await assert.rejects(Plugin.load({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', component }), /cannot be loaded.*npm run build/s);
});
