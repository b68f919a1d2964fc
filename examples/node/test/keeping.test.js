// Tests kept connections. A POST must not use a connection that is closing. An unrequested reply must not answer the
// next request.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { OutcomeUnknownError, Plugin } from 'messaging-plugin';
import { CREATED, CREATED_AND_KEPT, rawService } from './service.js';

const MESSAGE = { phone: '+34600111222', message: 'hi' };

async function load(t, service) {
  const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', maxAttempts: 1 });
  t.after(async () => {
    await plugin.close();
    await service.close();
  });
  return plugin;
}

test('kept connection is reused', async (t) => {
  const service = await rawService((socket) => socket.write(CREATED_AND_KEPT));
  const plugin = await load(t, service);
  for (const pause of [0, 5, 50]) {
    await plugin.sendMessage(MESSAGE);
    await sleep(pause);
  }
  await plugin.sendMessage(MESSAGE);
  assert.equal(service.requests.length, 4);
  assert.equal(service.connections(), 1);
});

test('closed kept connection is not reused', async (t) => {
  const service = await rawService((socket) => {
    socket.write(CREATED_AND_KEPT);
    socket.end();
  });
  const plugin = await load(t, service);
  for (let round = 0; round < 20; round++) {
    await plugin.sendMessage(MESSAGE);
    await sleep(round);
  }
  assert.equal(service.requests.length, 20);
});

// This test runs in each phase of the event loop, because only one phase reads incoming data.
for (const [phase, reach] of Object.entries({
  timers: () => sleep(1),
  check: () => new Promise(setImmediate),
  poll: () => readFile(import.meta.filename),
})) test(`connection closed during work is not reused (${phase})`, async (t) => {
  const kept = [];
  const service = await rawService((socket) => {
    kept.push(socket);
    socket.write(CREATED_AND_KEPT);
  });
  const plugin = await load(t, service);
  await plugin.sendMessage(MESSAGE);
  await sleep(50);
  await reach();
  // This process has not yet read the reset when it sends.
  kept[0].resetAndDestroy();
  assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
  assert.equal(service.connections(), 2);
  assert.equal(service.requests.length, 2);
});

test('connection with unsolicited data is not reused', async (t) => {
  let requests = 0;
  const sockets = [];
  const service = await rawService((socket) => {
    sockets.push(socket);
    if (++requests > 1) socket.write(CREATED_AND_KEPT.replace('msg-1', 'msg-2'));
    else socket.write(CREATED_AND_KEPT);
  });
  const plugin = await load(t, service);
  assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
  sockets[0].write(CREATED_AND_KEPT.replace('msg-1', 'msg-9'));
  await sleep(50);
  assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-2');
  assert.equal(service.connections(), 2);
});

const ENDS = { 'is reset': (socket) => socket.resetAndDestroy(), ends: (socket) => socket.end() };

for (const [driver, fetch] of [['node:http', undefined], ['fetch', globalThis.fetch]]) {
  for (const [what, end] of Object.entries(ENDS)) {
    test(`send is unknown if connection ${what} (${driver})`, async (t) => {
      let requests = 0;
      const service = await rawService((socket) => (++requests === 1 ? socket.write(CREATED_AND_KEPT) : end(socket)));
      const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: 'key', fetch });
      t.after(async () => {
        await plugin.close();
        await service.close();
      });
      await plugin.sendMessage(MESSAGE);
      await sleep(30);
      const error = await plugin.sendMessage(MESSAGE).catch((e) => e);
      assert.ok(error instanceof OutcomeUnknownError, inspect(error));
      assert.equal(service.requests.length, 2);
      assert.equal(service.connections(), 1);
    });
  }
}

test('maximum idle time does not end slow call', { timeout: 20_000 }, async (t) => {
  const service = await rawService((socket) => {
    setTimeout(() => socket.write(CREATED_AND_KEPT), 4_500);
  });
  const plugin = await load(t, service);
  // The second call uses the kept connection.
  for (let round = 0; round < 2; round++) assert.equal((await plugin.sendMessage(MESSAGE)).id, 'msg-1');
  assert.equal(service.connections(), 1);
});

test('idle connection is closed within 5 s', { timeout: 10_000 }, async (t) => {
  const closed = [];
  const service = await rawService((socket) => {
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
    socket.write(CREATED_AND_KEPT);
  });
  const plugin = await load(t, service);
  const began = performance.now();
  await plugin.sendMessage(MESSAGE);
  await closed[0];
  assert.ok(performance.now() - began < 5_000);
});

test('process ends without closing the plugin', async (t) => {
  const { spawn } = await import('node:child_process');
  const service = await rawService((socket) => socket.write(CREATED_AND_KEPT));
  t.after(() => service.close());
  const script = `
    import { Plugin } from 'messaging-plugin';
    const plugin = await Plugin.load({ baseUrl: '${service.baseUrl}', apiKey: 'key' });
    await plugin.sendMessage({ phone: '+34600111222', message: 'hi' });
    console.log(performance.now());`;
  const began = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname, stdio: 'ignore' });
  assert.equal((await once(child, 'exit'))[0], 0);
  assert.ok(performance.now() - began < 3_500, 'the process waited for an unused connection');
});

test('reply with Connection: close ends the connection', async (t) => {
  const service = await rawService((socket) => socket.write(CREATED));
  const plugin = await load(t, service);
  await plugin.sendMessage(MESSAGE);
  await plugin.sendMessage(MESSAGE);
  assert.equal(service.connections(), 2);
});
