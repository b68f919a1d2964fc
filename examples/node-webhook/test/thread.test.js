// A thread that dies or does not end affects only its own call.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Crash, Thread } from '../src/thread.js';

const SCRIPT = new URL(`data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (deed) => {
    if (deed === 'exit') process.exit(3);
    if (deed === 'spin') for (;;);
    if (deed === 'trap') parentPort.postMessage({ trap: 'unreachable' });
    else parentPort.postMessage({ env: { ...process.env }, argv: process.argv.slice(2) });
  });
  parentPort.postMessage('loaded');
`)}`);

async function thread() {
  const thread = new Thread(SCRIPT, {});
  await thread.loaded();
  return thread;
}

for (const deed of ['exit', 'spin', 'trap']) {
  test(`${deed} in thread ends call and thread`, async () => {
    const one = await thread();
    await assert.rejects(one.call(deed, 300), Crash);
    assert.equal(one.ended, true);
  });
}

test('thread gets no variables or arguments', async () => {
  const one = await thread();
  assert.deepEqual(await one.call('look', 5_000), { env: {}, argv: [] });
  await one.end();
});
