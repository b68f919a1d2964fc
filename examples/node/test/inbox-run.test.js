// `run` and the end of its handlers. The resulting state of the events is the reference.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { InboxUnavailableError, LeaseLostError, TokenRefusedError } from 'messaging-plugin/inbox';
import { BREAK, TOKEN, failure, started, until } from './inbox-server.js';

test('run acknowledges what its handler has done, and gives back what it has not', async (t) => {
  const { server, stop, inbox, told } = await started(t);
  server.put('good', 'bad', 'own', 'late');
  const bad = new Error('it is bad');
  const running = inbox.run(async (event) => {
    if (event.key === 'bad') throw bad;
    if (event.key === 'own') await event.nack('by itself', { dead: true });
    if (event.key === 'late') stop.abort();
  }, { pauseMs: (event, error) => (error === bad ? 9 : 0), deadAfter: 1 });
  await running;
  assert.deepEqual([1, 2, 3, 4].map(server.state), ['done', 'dead', 'dead', 'done']);
  assert.equal(server.event(2).last_error, 'Error: it is bad');
  assert.deepEqual(server.asked('nack').map(({ body }) => [body.pause_ms, body.dead_after]), [[9, 1], [undefined, undefined]]);
  assert.deepEqual(told.map(([error, event]) => [error, event.key]), [[bad, 'bad']]);
});

test('run has as many handlers at once as it may, and asks for no more events than it has room for', async (t) => {
  const { server, stop, inbox } = await started(t);
  server.put(...Array.from({ length: 20 }, (_, n) => `e${n}`));
  let [now, most, over] = [0, 0, 0];
  await inbox.run(async () => {
    most = Math.max(most, ++now);
    await until(() => most >= 4);
    now--;
    if (++over === 20) stop.abort();
  }, { concurrency: 4 });
  assert.equal(most, 4);
  assert.ok(server.asked('lease').every(({ body }) => body.limit <= 4));
  assert.ok(Array.from({ length: 20 }, (_, n) => server.state(n + 1)).every((state) => state === 'done'));
});

test('pauses after failures grow with their number, where nothing is said', async (t) => {
  const { server, stop, inbox } = await started(t);
  server.put('a');
  let calls = 0;
  await inbox.run(() => {
    if (++calls === 12) stop.abort();
    throw new Error('no');
  });
  const pauses = server.asked('nack').map(({ body }) => body.pause_ms);
  pauses.forEach((pause, n) => {
    const most = Math.min(1_000 * 2 ** n, 300_000);
    assert.ok(Number.isInteger(pause) && pause >= most / 2 && pause <= most, `${pauses}`);
  });
});

test('the lease of a handler at work is extended, and no longer when it is over', async (t) => {
  const { server, stop, inbox } = await started(t, { leaseMs: 1_000 });
  server.put('a');
  await inbox.run(async () => {
    await until(() => server.asked('extend').length === 3);
    stop.abort();
  });
  assert.ok(server.asked('extend').every(({ body }) => body.lease_ms === 1_000));
  const { length } = server.requests;
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.deepEqual([server.requests.length, server.requests.at(-1).what, server.state(1)], [length, 'ack', 'done']);
});

test('a handler whose lease is lost is told to stop, and nothing is said about its event', async (t) => {
  const { server, stop, inbox, told } = await started(t, { leaseMs: 1_000 });
  server.put('a');
  const reasons = [];
  await inbox.run(async (event, { signal }) => {
    stop.abort();
    server.endLeases();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    reasons.push(signal.reason);
    signal.throwIfAborted();
  });
  assert.ok(reasons[0] instanceof LeaseLostError, inspect(reasons));
  assert.deepEqual(told.map(([error, event]) => [error, event.key]), [[reasons[0], 'a']]);
  assert.deepEqual(server.requests.map(({ what }) => what), ['lease', 'extend']);
  assert.deepEqual([server.state(1), server.event(1).failures], ['pending', 0]);
});

test('a handler that acknowledges its event while the lease is being extended has not lost it', async (t) => {
  const { server, stop, inbox, told } = await started(t, { leaseMs: 1_000 }, {
    fault: ({ what }) => (what === 'extend' ? until(() => server.state(1) === 'done') : undefined),
  });
  server.put('a');
  await inbox.run(async (event, { signal }) => {
    await until(() => server.asked('extend').length === 1);
    await event.ack();
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(signal.aborted, false);
    stop.abort();
  });
  assert.deepEqual(told, []);
});

test('a lease is extended late where the event loop stood still, while nobody else has the event', async (t) => {
  const { server, stop, inbox, told } = await started(t, { leaseMs: 1_000 });
  server.put('a');
  await inbox.run(async (event, { signal }) => {
    for (const began = performance.now(); performance.now() < began + 1_100;);
    await until(() => server.asked('extend').length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(signal.aborted, false);
    stop.abort();
  });
  assert.deepEqual([server.state(1), told], ['done', []]);
});

test('who fails because its lease has ended gives its event back, which has not failed', async (t) => {
  const { server, stop, inbox } = await started(t, { leaseMs: 1_000 }, { fault: ({ what }) => (what === 'extend' ? BREAK : undefined) });
  server.put('a');
  await inbox.run(async (event, { signal }) => {
    stop.abort();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('what it was calling was aborted');
  });
  assert.deepEqual([server.state(1), server.event(1).failures, server.asked('release').length], ['pending', 0, 1]);
});

for (const [how, wrong] of [['is not there', BREAK], ['does not answer', new Promise(() => {})]]) {
  test(`a handler whose lease ends while the inbox ${how} is told to stop, and can still be done`, async (t) => {
    const { server, stop, inbox, told } = await started(t, { leaseMs: 1_000 }, { fault: ({ what }) => (what === 'extend' ? wrong : undefined) });
    server.put('a');
    const began = performance.now();
    await inbox.run(async (event, { signal }) => {
      stop.abort();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      assert.equal(signal.reason.code, 'lease-ended');
    });
    assert.ok(performance.now() - began < 2_000);
    assert.equal(server.state(1), 'done');
    assert.ok(told.at(-1)[0] instanceof LeaseLostError, inspect(told));
  });
}

test('who stops while it waits is over at once', async (t) => {
  const { server, stop, inbox } = await started(t);
  const over = Promise.all([inbox.run(() => assert.fail('an event')), (async () => {
    for await (const event of inbox) assert.fail(event.key);
  })()]);
  await until(() => server.waiting() === 2);
  const began = performance.now();
  stop.abort();
  await over;
  assert.ok(performance.now() - began < 1_000);
  await until(() => server.waiting() === 0);
});

test('who stops lets handlers come to their end', async (t) => {
  const { server, stop, inbox } = await started(t);
  server.put('a');
  let finish;
  let isOver = false;
  const running = inbox.run(() => new Promise((resolve) => (finish = resolve)), { concurrency: 2 }).then(() => (isOver = true));
  await until(() => finish && server.waiting() === 1);
  stop.abort();
  await until(() => server.waiting() === 0);
  assert.equal(isOver, false);
  finish();
  await running;
  assert.equal(server.state(1), 'done');
});

test('events that come with the wish to stop are given back', async (t) => {
  const { server, stop, inbox } = await started(t);
  server.put('a', 'b');
  // Aborts after the reply has arrived and before the client handles it.
  const parse = JSON.parse;
  t.mock.method(JSON, 'parse', (text) => {
    const value = parse(text);
    if (value?.events) stop.abort();
    return value;
  });
  await inbox.run(() => assert.fail('an event'), { concurrency: 2 });
  assert.deepEqual([1, 2].map(server.state), ['pending', 'pending']);
  assert.equal(server.asked('release').length, 2);
});

test('an acknowledgement that the inbox does not take ends no run, and its event comes again', async (t) => {
  const { server, stop, inbox, told } = await started(t, { patienceMs: 0 }, { fault: ({ what }, count) => (what === 'ack' && count === 1 ? BREAK : undefined) });
  server.put('a');
  const attempts = [];
  await inbox.run((event) => {
    attempts.push(event.attempts);
    if (attempts.length === 2) stop.abort();
    else setTimeout(() => server.endLeases(), 100);
  });
  assert.deepEqual(attempts, [1, 2]);
  assert.equal(server.state(1), 'done');
  assert.ok(told[0][0] instanceof InboxUnavailableError, inspect(told));
});

test('run ends with an error that no repetition mends, when its handlers are over', async (t) => {
  const { server, inbox } = await started(t);
  server.put('a');
  const error = await failure(inbox.run(async () => {
    server.tokens = [];
    await until(() => server.asked('lease').length === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    server.tokens = [TOKEN];
  }, { concurrency: 2 }));
  assert.ok(error instanceof TokenRefusedError, inspect(error));
  assert.equal(server.state(1), 'done');
});
