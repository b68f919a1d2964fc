// Tests the steps of one send with Restate's journal in memory. Checks which process makes the request, and how many
// requests it makes.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Plugin } from 'messaging-plugin';
import { messageObject } from '../src/message.js';

const DEADLINE_MS = 1_000;

/** Returns a worker process that counts its requests. */
function worker(sendMessage = async () => ({ id: 'msg-1' }), isStopping = () => false) {
  const plugin = { sendMessage: mock.fn(sendMessage) };
  const { send } = messageObject({ plugin, deadlineMs: DEADLINE_MS, isStopping }).object;
  return { requests: () => plugin.sendMessage.mock.callCount(), send };
}

/** Returns Restate's side of one invocation. `lose` maps a step to `connection` if the connection is lost after the
 *  step, or to `result` if the result of the step is also lost. */
function invocation() {
  const journal = new Map();
  const state = new Map();
  const context = (lose = {}) => ({
    request: () => ({ id: 'inv-1' }),
    get: async (name) => state.get(name),
    set: (name, value) => state.set(name, value),
    sleep: () => new Promise(() => {}),
    date: { now: async () => Date.now(), toJSON: async () => new Date().toISOString() },
    awakeable: () => ({ id: 'prom-1', promise: new Promise(() => {}) }),
    async run(name, action) {
      if (!journal.has(name)) {
        const result = await action();
        if (lose[name] !== 'result') journal.set(name, result);
      }
      if (lose[name]) throw new Error('the connection is lost');
      return journal.get(name);
    },
  });
  // Restate repeats an invocation with its journal, and with the state that existed before the invocation.
  const again = () => state.clear();
  return { state, context, again };
}

const MESSAGE = { phone: '+34600111222', message: 'Ready.' };
const LOSSES = {
  'after intent': { 'intent 1': 'connection' },
  'before intent is durable': { 'intent 1': 'result' },
  'before result is durable': { 'send 1': 'result' },
  'after result': { 'send 1': 'connection' },
};
for (const [when, lose] of Object.entries(LOSSES)) {
  test(`lost connection ${when} sends once`, async () => {
    const { send, requests } = worker();
    const { context, again } = invocation();
    await assert.rejects(send(context(lose), MESSAGE), /connection is lost/);
    again();
    assert.deepEqual(await send(context(), MESSAGE), { state: 'created', id: 'msg-1' });
    assert.equal(requests(), 1);
  });
}

test('message with unknown member is refused', async () => {
  const plugin = await Plugin.load({ fetch: () => assert.fail('a request was made') });
  const { send } = worker((message) => plugin.sendMessage(message));
  const { context } = invocation();
  const result = await send(context(), { ...MESSAGE, template: 1 });
  assert.deepEqual([result.state, /template is not a member/.test(result.detail)], ['refused', true]);
});

test('worker that stops after intent sends nothing', async () => {
  const isStopping = mock.fn(() => isStopping.mock.callCount() > 0);
  const { send, requests } = worker(undefined, isStopping);
  const { context, state } = invocation();
  void send(context(), MESSAGE);
  await untilState(state, 'waiting');
  assert.equal(requests(), 0);
});

async function untilState(state, name) {
  while (state.get('entry')?.state !== name) await new Promise(setImmediate);
}

test('intent of lost worker leaves outcome unknown', async () => {
  const [first, second] = [worker(), worker()];
  const { context, again, state } = invocation();
  await assert.rejects(first.send(context({ 'intent 1': 'connection' }), MESSAGE));
  again();
  void second.send(context(), MESSAGE);
  await untilState(state, 'unknown');
  assert.equal(second.requests(), 0);
});

for (const [name, clock, method] of [['monotonic', performance, 'now'], ['wall', Date, 'now']]) {
  test(`expired intent is not sent (${name} clock)`, async (t) => {
    const real = clock[method];
    t.after(() => (clock[method] = real));
    const { send, requests } = worker();
    const { context, again, state } = invocation();
    await assert.rejects(send(context({ 'intent 1': 'connection' }), MESSAGE));
    again();
    clock[method] = () => real.call(clock) + DEADLINE_MS + 1;
    void send(context(), MESSAGE);
    await untilState(state, 'waiting');
    assert.equal(requests(), 0);
  });
}
