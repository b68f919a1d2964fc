import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulatedService } from '../host-test.js';
import { needs, run, RUNTIMES } from './runtime.js';

for (const [name, command] of Object.entries(RUNTIMES)) {
  test(`${name} loads package by import and require`, needs(name), async (t) => {
    const service = await simulatedService();
    t.after(() => service.stop());
    const env = { MESSAGING_BASE_URL: service.baseUrl, MESSAGING_API_KEY: service.apiKey };
    const sent = await run([...command, 'example.js', '+34 600 111 222', 'Your order is ready.'], env);
    assert.deepEqual([sent.out, sent.code], ['created msg-0001\n', 0], sent.err);
    const required = await run([...command, 'test/required.cjs'], env);
    assert.deepEqual([required.out, required.code], ['created msg-0002\n', 0], required.err);
    assert.equal((await service.ledger()).messages.length, 2);
  });
}

test('Node 24 passes the tests that need node:sqlite', needs('Node 24'), async () => {
  const [node] = RUNTIMES['Node 24'];
  const { out, err, code } = await run([node, '--test', './test/once.test.js', './test/sqlite-journal.test.js', './test/receive.test.js']);
  assert.equal(code, 0, out + err);
  assert.match(out + err, /Once passes the suite for workers/);
  assert.match(out + err, /receiver stores events before its answer/);
});
