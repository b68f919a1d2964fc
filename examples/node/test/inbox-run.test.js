// Tests `run` and the end of its handlers. The tests check the resulting states of the events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { InboxUnavailableError, LeaseLostError, TokenRefusedError } from 'messaging-plugin/inbox';
import { BREAK, TOKEN, failure, started, until } from './inbox-server.js';

test('run acks handled events and nacks failed events', async (t) => {
  const { server, stop, inbox, errors } = await started(t);
  server.put('good', 'bad', 'own', 'late');
  const bad = new Error('it is bad');
  const running = inbox.run(async (event) => {
    if (event.key === 'bad') throw bad;
    if (event.key === 'own') await event.nack('rejected by the handler', { dead: true });
    if (event.key === 'late') stop.abort();
  }, { pauseMs: (event, error) => (error === bad ? 9 : 0), deadAfter: 1 });
  await running;
  assert.deepEqual([1, 2, 3, 4].map(server.state), ['done', 'dead', 'dead', 'done']);
  assert.equal(server.event(2).last_error, 'Error: it is bad');
  assert.deepEqual(server.asked('nack').map(({ body }) => [body.pause_ms, body.dead_after]), [[9, 1], [undefined, undefined]]);
  assert.deepEqual(errors.map(([error, event]) => [error, event.key]), [[bad, 'bad']]);
});

test('run limits concurrent handlers and leases', async (t) => {
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

test('default delay grows with the number of failures', async (t) => {
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

test('delay from function pauseMs is rounded and limited', async (t) => {
  const { server, stop, inbox } = await started(t);
  server.put('a', 'b', 'c');
  const pauses = { a: 5062.5, b: -1, c: Infinity };
  await inbox.run((event) => {
    if (event.key === 'c') stop.abort();
    throw new Error('no');
  }, { pauseMs: ({ key }) => pauses[key], deadAfter: 1 });
  assert.deepEqual(server.asked('nack').map(({ body }) => body.pause_ms), [5063, 0, 604_800_000]);
});

test('pauseMs result that is not numeric ends run', async (t) => {
  const { server, inbox } = await started(t);
  server.put('a');
  const run = inbox.run(() => {
    throw new Error('no');
  }, { pauseMs: () => 'later' });
  await assert.rejects(run, /pauseMs returned later/);
});

test('invalid pauseMs ends waiting run', { timeout: 20_000 }, async (t) => {
  const { server, inbox } = await started(t);
  server.put('a');
  const run = inbox.run(async () => {
    await until(() => server.waiting() === 1);
    throw new Error('no');
  }, { concurrency: 2, pauseMs: () => 'later' });
  await assert.rejects(run, /pauseMs returned later/);
  await until(() => server.waiting() === 0);
  server.put('b');
  assert.equal(server.state(2), 'pending');
});

test('lease is extended while its handler runs', async (t) => {
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

test('lost lease aborts its handler without a nack', async (t) => {
  const { server, stop, inbox, errors } = await started(t, { leaseMs: 1_000 });
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
  assert.deepEqual(errors.map(([error, event]) => [error, event.key]), [[reasons[0], 'a']]);
  assert.deepEqual(server.requests.map(({ what }) => what), ['lease', 'extend']);
  assert.deepEqual([server.state(1), server.event(1).failures], ['pending', 0]);
});

test('event acked by handler is not lost', async (t) => {
  const { server, stop, inbox, errors } = await started(t, { leaseMs: 1_000 }, {
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
  assert.deepEqual(errors, []);
});

test('lease is extended late after blocked event loop', async (t) => {
  const { server, stop, inbox, errors } = await started(t, { leaseMs: 1_000 });
  server.put('a');
  await inbox.run(async (event, { signal }) => {
    for (const began = performance.now(); performance.now() < began + 1_100;);
    await until(() => server.asked('extend').length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(signal.aborted, false);
    stop.abort();
  });
  assert.deepEqual([server.state(1), errors], ['done', []]);
});

test('handler failure after end of lease releases event', async (t) => {
  const { server, stop, inbox } = await started(t, { leaseMs: 1_000 }, { fault: ({ what }) => (what === 'extend' ? BREAK : undefined) });
  server.put('a');
  await inbox.run(async (event, { signal }) => {
    stop.abort();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('the called function was aborted');
  });
  assert.deepEqual([server.state(1), server.event(1).failures, server.asked('release').length], ['pending', 0, 1]);
});

for (const [how, wrong] of [['is unreachable', BREAK], ['does not answer', new Promise(() => {})]]) {
  test(`handler can finish while the inbox ${how}`, async (t) => {
    const { server, stop, inbox, errors } = await started(t, { leaseMs: 1_000 }, { fault: ({ what }) => (what === 'extend' ? wrong : undefined) });
    server.put('a');
    const began = performance.now();
    await inbox.run(async (event, { signal }) => {
      stop.abort();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      assert.equal(signal.reason.code, 'lease-ended');
    });
    assert.ok(performance.now() - began < 2_000);
    assert.equal(server.state(1), 'done');
    assert.ok(errors.at(-1)[0] instanceof LeaseLostError, inspect(errors));
  });
}

test('handler that rejects without a reason is reported', async (t) => {
  const { server, stop, inbox, errors } = await started(t);
  server.put('a');
  await inbox.run(() => {
    stop.abort();
    return Promise.reject();
  }, { deadAfter: 1 });
  assert.deepEqual([server.state(1), errors.map(([error, event]) => [error, event.key])], ['dead', [[undefined, 'a']]]);
});

test('error without a text fails its event', async (t) => {
  const { server, stop, inbox } = await started(t);
  server.put('a');
  await inbox.run(() => {
    stop.abort();
    throw Object.create(null);
  }, { deadAfter: 1 });
  assert.deepEqual([server.state(1), server.event(1).last_error], ['dead', 'an error without a text']);
});

test('stop ends a waiting worker at once', async (t) => {
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

test('stop lets handlers end', async (t) => {
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

test('events leased during a stop are released', async (t) => {
  const { server, stop, inbox } = await started(t);
  server.put('a', 'b');
  // Aborts between the arrival of the reply and its handling by the client.
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

test('events leased before a stop are released', async (t) => {
  const { server, stop, inbox, errors } = await started(t);
  server.put('a');
  // The client could abandon the request between the stop and the reply.
  server.onLease = async () => {
    stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 100));
  };
  await inbox.run(() => assert.fail('an event'));
  assert.deepEqual([server.state(1), server.asked('release').length, errors], ['pending', 1, []]);
});

for (const broken of ['onError', 'pauseMs']) {
  test(`event fails even if ${broken} throws`, async (t) => {
    const throws = () => {
      throw new RangeError('broken');
    };
    const { server, inbox } = await started(t, broken === 'onError' ? { onError: throws } : {});
    server.put('a');
    const failing = () => {
      throw new Error('failed');
    };
    await assert.rejects(inbox.run(failing, broken === 'pauseMs' ? { pauseMs: throws } : {}), RangeError);
    assert.deepEqual([server.state(1), server.event(1).failures], ['pending', 1]);
  });
}

test('failed ack does not end the run', async (t) => {
  const { server, stop, inbox, errors } = await started(t, { retryTimeoutMs: 0 }, { fault: ({ what }, count) => (what === 'ack' && count === 1 ? BREAK : undefined) });
  server.put('a');
  const attempts = [];
  await inbox.run((event) => {
    attempts.push(event.attempts);
    if (attempts.length === 2) stop.abort();
    else setTimeout(() => server.endLeases(), 100);
  });
  assert.deepEqual(attempts, [1, 2]);
  assert.equal(server.state(1), 'done');
  assert.ok(errors[0][0] instanceof InboxUnavailableError, inspect(errors));
});

test('permanent error ends run after active handlers', async (t) => {
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
