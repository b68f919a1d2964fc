// Tests leased events, loops over events, and errors. The tests check the resulting states of the events.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Inbox, InboxRefusedError, InboxUnavailableError, LeaseLostError, TokenRefusedError } from 'messaging-plugin/inbox';
import { read } from '../src/inbox-errors.js';
import { selfSigned } from './certificate.js';
import { BREAK, LOSE, TOKEN, failure, problem, started, until } from './inbox-server.js';
import { rawService } from './service.js';

test('leased events are done after ack', async (t) => {
  const { server, stop, inbox } = await started(t);
  server.put('a', 'b', 'c');
  const seen = [];
  for await (const event of inbox) {
    seen.push([event.key, event.json(), event.payload, event.messageId, event.attempts]);
    await event.ack();
    if (seen.length === 3) stop.abort();
  }
  assert.deepEqual(seen, ['a', 'b', 'c'].map((key) => [key, { key }, `{"key":"${key}"}`, `m-${key}`, 1]));
  assert.deepEqual([1, 2, 3].map(server.state), ['done', 'done', 'done']);
});

test('loop left within its body releases event', async (t) => {
  const { server, inbox } = await started(t);
  server.put('a', 'b');
  let turns = 0;
  for await (const event of inbox) if (++turns === 2) break;
  assert.deepEqual([1, 2].map(server.state), ['leased', 'pending']);
  await (async () => {
    for await (const event of inbox) return;
  })();
  assert.equal(server.state(2), 'pending');
  const thrown = new Error('of the body');
  assert.equal(await failure((async () => {
    for await (const event of inbox) throw thrown;
  })()), thrown);
  assert.equal(server.state(2), 'pending');
  for await (const event of inbox) {
    await event.ack();
    break;
  }
  assert.deepEqual([1, 2].map(server.state), ['leased', 'done']);
  assert.equal(server.event(2).failures, 0);
});

test('nack stores reason, can make event dead', async (t) => {
  const { server, inbox } = await started(t);
  server.put('a', 'b', 'c');
  const [a, b, c] = await inbox.lease({ limit: 3 });
  assert.equal(await a.nack(new RangeError('too far'), { pauseMs: 7, deadAfter: 3 }), 'pending');
  assert.equal(await b.nack('not possible', { dead: true }), 'dead');
  assert.equal(await c.nack('🎈'.repeat(3_000)), 'pending');
  server.put('d');
  const [d] = (await inbox.lease({ limit: 4 })).filter(({ key }) => key === 'd');
  await d.nack('x'.repeat(3_000));
  assert.deepEqual(server.asked('nack').map(({ body }) => [body.error.length, body.pause_ms, body.dead_after, body.dead]),
    [[19, 7, 3, undefined], [12, undefined, undefined, true], [4_000, undefined, undefined, undefined],
      [2_000, undefined, undefined, undefined]]);
  assert.equal(server.event(1).last_error, 'RangeError: too far');
  server.put('e');
  const [again] = await inbox.lease();
  await again.nack('half a pair \ud83c');
  assert.equal(server.event(again.id).last_error, 'half a pair \ufffd');
});

test('single calls fail soon without server', async (t) => {
  const { now } = performance;
  t.after(() => (performance.now = now));
  // Makes the clock run ten times faster.
  performance.now = () => now.call(performance) * 10;
  const inbox = new Inbox({ url: 'http://127.0.0.1:1', token: TOKEN });
  for (const call of [() => inbox.list(), () => inbox.show(1), () => inbox.lease()]) {
    const began = performance.now();
    const error = await failure(call());
    assert.ok(error instanceof InboxUnavailableError, inspect(error));
    assert.match(error.message, /ECONNREFUSED|no connection in time/);
    const took = performance.now() - began;
    assert.ok(took < 60_000, `${took} ms`);
  }
});

test('single call ends at its timeout', async (t) => {
  const silent = await rawService(() => {});
  t.after(() => silent.close());
  const inbox = new Inbox({ url: silent.baseUrl, token: TOKEN });
  const options = { timeoutMs: 200 };
  for (const call of [() => inbox.list(options), () => inbox.show(1, options), () => inbox.lease(options)]) {
    const began = performance.now();
    assert.ok((await failure(call())) instanceof InboxUnavailableError);
    assert.ok(performance.now() - began < 5_000);
  }
  await assert.rejects(inbox.list({ timeoutMs: 0 }), /timeoutMs has to be/);
  await assert.rejects(inbox.lease({ timeout: 5 }), /did you mean timeoutMs/);
});

test('an event is settled once', async (t) => {
  const { server, inbox } = await started(t);
  server.put('a');
  const [event] = await inbox.lease();
  assert.equal(event.isSettled, false);
  const [first, second] = await Promise.allSettled([event.ack(), event.nack('no')]);
  assert.equal(first.status, 'fulfilled');
  assert.match(second.reason.message, /event 1 is settled already: ack/);
  assert.equal(event.isSettled, true);
  await assert.rejects(event.extend(), /settled already/);
  assert.deepEqual(server.requests.map(({ what }) => what), ['lease', 'ack']);
});

test('waiting lease returns only requested kinds', async (t) => {
  const { server, inbox } = await started(t, { kinds: ['call'] });
  server.put('message');
  const leased = inbox.lease({ waitMs: 20_000 });
  await until(() => server.waiting() === 1);
  server.put('call-1');
  assert.deepEqual((await leased).map(({ key, kind }) => [key, kind]), [['call-1', 'call']]);
  assert.equal(server.state(1), 'pending');
});

test('lease without pending event returns empty list', async (t) => {
  const { server, inbox } = await started(t);
  assert.deepEqual(await inbox.lease({ waitMs: 30 }), []);
  assert.deepEqual(await inbox.lease(), []);
  assert.equal(server.requests.length, 2);
});

test('loop over an empty inbox pauses between requests', async (t) => {
  const { server, stop, inbox } = await started(t, {}, { fault: () => ({ status: 200, json: { events: [] } }) });
  setTimeout(() => stop.abort(), 300);
  for await (const event of inbox) assert.fail(event.key);
  assert.equal(server.requests.length, 1);
});

test('request with lost reply is repeated, counts once', async (t) => {
  const { server, inbox, errors } = await started(t, {}, {
    fault: ({ what }, count) => (what !== 'lease' && count % 2 === 1 ? LOSE : undefined),
  });
  server.put('a', 'b', 'c');
  const [a, b, c] = await inbox.lease({ limit: 3 });
  await a.extend();
  await a.ack();
  assert.equal(await b.nack('no'), undefined);
  await c.release();
  assert.deepEqual([1, 2, 3].map(server.state), ['done', 'pending', 'pending']);
  assert.deepEqual([server.event(2).failures, server.event(3).failures], [1, 0]);
  assert.deepEqual(server.requests.map(({ what }) => what),
    ['lease', 'extend', 'extend', 'ack', 'ack', 'nack', 'nack', 'release', 'release']);
  assert.ok(errors.length === 4 && errors.every(([error]) => error instanceof InboxUnavailableError && error.code === 'unreachable'), inspect(errors));
});

test('nack after a lost lease is a LeaseLostError', async (t) => {
  const { server, inbox } = await started(t);
  server.put('a');
  const [event] = await inbox.lease();
  server.endLeases();
  assert.ok((await failure(event.nack('no'))) instanceof LeaseLostError);
  assert.equal(event.isSettled && event.isLost, true);
  await assert.rejects(event.ack(), /the lease on event 1 is lost/);
});

test('lost reply to lease only delays events', async (t) => {
  const { server, inbox } = await started(t, {}, { fault: ({ what }, count) => (what === 'lease' && count === 1 ? LOSE : undefined) });
  server.put('a');
  const leased = inbox.lease({ waitMs: 20_000 });
  await until(() => server.waiting() === 1);
  assert.equal(server.state(1), 'leased');
  server.endLeases();
  const [event] = await leased;
  assert.deepEqual([event.key, event.attempts], ['a', 2]);
});

test('temporary errors are retried after their delay', async (t) => {
  const faults = [BREAK, problem(503, 'unavailable', 'the disk', { 'retry-after': '1' }), { status: 502, json: '<html>' },
    problem(408, 'too-slow', 'the body'), { status: 429, json: '' }];
  const { server, inbox, errors } = await started(t, {}, { fault: (_, count) => faults[count - 1] });
  server.put('a');
  const began = performance.now();
  assert.equal((await inbox.lease()).length, 1);
  assert.ok(performance.now() - began >= 1_000);
  assert.deepEqual(errors.map(([error]) => [error.name, error.code, error.status]), [
    ['InboxUnavailableError', 'unreachable', undefined],
    ['InboxUnavailableError', 'unavailable', 503],
    ['InboxUnavailableError', 'unavailable', 502],
    ['InboxUnavailableError', 'too-slow', 408],
    ['InboxUnavailableError', 'unavailable', 429],
  ]);
});

test('error has delay of each Retry-After form', () => {
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT';
  const delayOf = (values, more = { date: [date] }) => {
    const headers = { 'retry-after': values, ...more };
    const reply = { status: 503, ended: 'whole', body: new Uint8Array(), header: (name) => headers[name] ?? [] };
    return read('lease', reply).error.retryAfterMs;
  };
  for (const [value, expected] of [
    ['0', 0], ['120', 120_000], ['300.0', 300_000], ['299.997', 300_000], ['0.001', 1_000],
    ['9'.repeat(400), 2 ** 32 - 1],
    ['Sat, 21 Nov 2026 10:00:05 GMT', 5_000], ['Saturday, 21-Nov-26 10:00:05 GMT', 5_000], ['Sat Nov 21 10:00:05 2026', 5_000],
    ['Sat, 21 Nov 2020 10:00:05 GMT', 0],
    ...['', '-1', '.5', '5.', '1e3', '120s', 'soon', 'soon 5', 'Sat, 21 Nov 2026', 'Sat, 32 Nov 2026 10:00:05 GMT']
      .map((value) => [value, 60_000]),
  ]) {
    assert.equal(delayOf([value]), expected, value);
  }
  assert.equal(delayOf(['1', 'soon', '120']), 120_000);
  assert.equal(delayOf([]), undefined);
  const ahead = delayOf([new Date(Date.now() + 30_000).toUTCString()], {});
  assert.ok(ahead > 20_000 && ahead <= 30_000, `${ahead} ms`);
});

test('unreachable inbox is an InboxUnavailableError after retries', async (t) => {
  const { server, inbox } = await started(t, { retryTimeoutMs: 400 });
  server.close();
  const calls = [inbox.lease(), inbox.run(() => {}), inbox[Symbol.asyncIterator]().next(), inbox.show(1)];
  for (const error of await Promise.all(calls.map(failure))) {
    assert.ok(error instanceof InboxUnavailableError, inspect(error));
    assert.deepEqual([error.code, error.detail], ['unreachable', 'ECONNREFUSED']);
  }
});

test('lease whose wait is interrupted is requested again', async (t) => {
  const broken = () => new Promise((resolve) => setTimeout(resolve, 300, BREAK));
  const { server, inbox } = await started(t, { retryTimeoutMs: 200 }, { fault: (_, count) => (count === 1 ? broken() : undefined) });
  server.put('a');
  assert.equal((await inbox.lease({ waitMs: 1_000 })).length, 1);
});

test('permanent error is never retried', async (t) => {
  let answer;
  const { server, inbox } = await started(t, {}, { fault: () => answer });
  for (const [status, code, kind] of [
    [400, 'malformed', InboxRefusedError],
    [401, 'unauthorized', TokenRefusedError],
    [403, 'forbidden', TokenRefusedError],
    [404, 'not-found', InboxRefusedError],
    [409, 'lease-lost', LeaseLostError],
    [413, 'too-large', InboxRefusedError],
  ]) {
    answer = problem(status, code, 'so it is', {}, 'limit');
    const error = await failure(inbox.lease());
    assert.deepEqual([error.constructor, error.status, error.code, error.detail, error.field], [kind, status, code, 'so it is', 'limit']);
  }
  for (answer of [{ status: 200, json: '<html>' }, { status: 200, json: '[]' }, { status: 200, json: '{"a":1}' },
    { status: 200, json: { events: [{ id: 1, key: 'a', payload: '{}' }] } }, { status: 200, json: { events: [null] } },
    { status: 302, headers: { location: `${server.url}/v1/lease` }, json: '' }]) {
    const error = await failure(inbox.lease());
    assert.deepEqual([error.constructor, error.code], [InboxRefusedError, 'unexpected-reply']);
  }
  assert.equal(server.requests.length, 12);
});

test('list and event are read without a lease', async (t) => {
  const { server, inbox } = await started(t);
  server.put('a');
  assert.deepEqual((await inbox.list({ state: 'pending', limit: 5 })).map(({ id, key, messageId, lastError }) => [id, key, messageId, lastError]),
    [[1, 'a', 'm-a', null]]);
  assert.equal(server.requests[0].url, '/v1/events?state=pending&limit=5');
  assert.equal((await inbox.show(1)).payload, '{"key":"a"}');
  assert.equal((await failure(inbox.show(2))).code, 'not-found');
  assert.equal(server.state(1), 'pending');
});

test('token is in one header and never printed', async (t) => {
  let answer;
  const { server, inbox, errors } = await started(t, { retryTimeoutMs: 200 }, { fault: () => answer });
  server.put('a');
  const [event] = await inbox.lease();
  assert.equal(server.requests[0].headers.authorization, `Bearer ${TOKEN}`);
  assert.doesNotMatch(server.requests.map(({ url, body }) => url + JSON.stringify(body)).join(), /canary/);
  const shown = [inbox, event];
  for (answer of [BREAK, problem(401, 'unauthorized', 'no'), problem(503, 'unavailable', 'no'), { status: 200, json: '' }]) {
    shown.push(await failure(inbox.lease()), await failure(event.extend()));
  }
  shown.push(...errors.flat());
  for (const one of shown) {
    const texts = [String(one), inspect(one, { depth: 9, showHidden: true, getters: true }), JSON.stringify(one), one?.stack, one?.message];
    assert.doesNotMatch(texts.join(), /canary/);
  }
});

test('invalid options are rejected early', () => {
  const usual = { url: 'https://inbox.example', token: TOKEN };
  for (const [options, complaint] of [
    [{ url: 'http://inbox.example' }, /unencrypted to another machine/],
    [{ url: 'https://me:canary@inbox.example' }, /user name, password/],
    [{ url: 'inbox.example' }, /http or https/],
    [{ url: 'https://inbox.example?a=1' }, /query/],
    [{ token: '' }, /token has to be/],
    [{ token: `${TOKEN}\n` }, /token has to be/],
    [{ token: undefined }, /token has to be/],
    [{ leaseMs: 999 }, /leaseMs/],
    [{ leaseMs: '60000' }, /leaseMs/],
    [{ concurrency: 2 }, /concurrency is not a member of the options/],
    [{ retryTimeoutMs: 'a' }, /retryTimeoutMs/],
  ]) {
    assert.throws(() => new Inbox({ ...usual, ...options }), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, complaint);
      assert.doesNotMatch(error.message, /canary/);
      return true;
    });
  }
  for (const url of ['http://localhost:1/', 'http://127.9.9.9:1', 'http://[::1]:1/inbox/']) new Inbox({ ...usual, url });
  new Inbox({ ...usual, url: 'http://inbox.example', allowHttp: true });
});

test('inbox behind a path prefix is reached', async (t) => {
  const { server } = await started(t);
  assert.deepEqual(await new Inbox({ url: `${server.url}/of/a/proxy/`, token: TOKEN }).list(), []);
  assert.equal(server.requests[0].url, '/of/a/proxy/v1/events');
});

test('private certificate authority is trusted only if given', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { key, cert } = selfSigned(folder);
  const { cert: other } = selfSigned(folder, 'other');
  const { server, inbox } = await started(t, { ca: cert }, { tls: { key, cert } });
  server.put('a');
  assert.deepEqual((await inbox.lease()).map(({ key }) => key), ['a']);
  for (const ca of [undefined, other]) {
    const error = await failure(new Inbox({ url: server.url, token: TOKEN, ca, retryTimeoutMs: 0 }).lease());
    assert.ok(error instanceof InboxUnavailableError, inspect(error));
    assert.match(error.detail, /CERT|SIGNATURE|VERIFY/i);
  }
  assert.equal(server.requests.length, 1);
});
