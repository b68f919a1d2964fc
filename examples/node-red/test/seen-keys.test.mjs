// Tests SeenKeys with a simulated clock and context.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const { KEPT_MS, MOST, SeenKeys } = createRequire(import.meta.url)('../src/seen-keys.js');

function seenKeys(kept = []) {
  const store = { keys: kept, now: 0, complaints: [] };
  const context = {
    get: (name, callback) => callback(undefined, store[name]),
    set: (name, value, callback) => {
      store[name] = value;
      callback(store.failing);
    },
  };
  return [new SeenKeys(context, (error) => store.complaints.push(error), () => store.now), store];
}

const event = (idempotencyKey, json = '{}') => ({ idempotencyKey, json });
/** Returns the entry of an event in the context. */
const kept = (key, at) => [`${createHash('sha256').update('{}').digest('hex')} ${key}`, at];

function response() {
  return Object.assign(new EventEmitter(), { statusCode: 200, destroyed: false });
}

test('event whose flow failed is handled again', async () => {
  const [seen] = seenKeys();
  for (const end of [(one) => Object.assign(one, { statusCode: 500 }).emit('finish'), (one) => one.emit('close')]) {
    const one = response();
    assert.equal(await seen.isNew(event('evt-1'), one), true);
    end(one);
  }
  const answered = response();
  assert.equal(await seen.isNew(event('evt-1'), answered), true);
  answered.emit('finish');
  assert.equal(await seen.isNew(event('evt-1'), response()), false);
});

test('delivery waits for active delivery of same event', async () => {
  const [seen] = seenKeys();
  const first = response();
  await seen.isNew(event('evt-1'), first);
  const others = [seen.isNew(event('evt-1'), response()), seen.isNew(event('evt-1'), response())];
  first.emit('close');
  assert.equal(await Promise.race(others), true);
  let decided = 0;
  for (const other of others) other.then(() => decided++);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(decided, 1);
});

test('event already answered with 2xx is remembered', async () => {
  const [seen] = seenKeys();
  const answered = (statusCode) => Object.assign(response(), { statusCode, writableFinished: true, destroyed: true });
  assert.equal(await seen.isNew(event('evt-1'), answered(500)), true);
  assert.equal(await seen.isNew(event('evt-1'), answered(202)), true);
  assert.equal(await seen.isNew(event('evt-1'), answered(202)), false);
});

test('keys are kept in memory without a context', async () => {
  const seen = new SeenKeys();
  assert.equal(await seen.isNew(event('evt-1')), true);
  assert.equal(await seen.isNew(event('evt-1')), false);
});

test('other content under known key is new event', async () => {
  const [seen] = seenKeys();
  assert.equal(await seen.isNew(event('evt-1')), true);
  assert.equal(await seen.isNew(event('evt-1', '{"n":1}')), true);
  assert.equal(await seen.isNew(event('evt-1')), false);
  assert.equal(await seen.isNew(event('evt-1', '{"n":1}')), false);
});

test('keys are kept for seven days', async () => {
  const [seen, store] = seenKeys([kept('evt-1', 0)]);
  store.now = KEPT_MS - 1;
  assert.equal(await seen.isNew(event('evt-1')), false);
  store.now = KEPT_MS;
  assert.equal(await seen.isNew(event('evt-1')), true);
  assert.deepEqual(store.keys, [kept('evt-1', KEPT_MS)]);
});

test('oldest key is removed above the maximum', async () => {
  const [seen, store] = seenKeys(Array.from({ length: MOST }, (_, at) => kept(`evt-${at}`, 0)));
  assert.equal(await seen.isNew(event('evt-new')), true);
  assert.equal(store.keys.length, MOST);
  assert.equal(await seen.isNew(event('evt-1')), false);
  assert.equal(await seen.isNew(event('evt-0')), true);
});

test('failed write of a context is reported', async () => {
  const [seen, store] = seenKeys();
  store.failing = new Error('full');
  assert.equal(await seen.isNew(event('evt-1')), true);
  assert.deepEqual(store.complaints, [store.failing]);
});
