// Runs the example program as its README describes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { simulatedService } from '../host-test.js';

const FILE = new URL('../example.js', import.meta.url);

async function run(service, phone) {
  const child = spawn(process.execPath, [FILE.pathname, phone, 'Your order is ready.'], {
    env: { MESSAGING_BASE_URL: service.baseUrl, MESSAGING_API_KEY: service.apiKey },
  });
  const exit = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err, code: (await exit)[0] };
}

test('example sends one message and explains errors', async (t) => {
  const service = await simulatedService();
  t.after(() => service.stop());
  assert.deepEqual(await run(service, '+34 600 111 222'), { out: 'created msg-0001\n', err: '', code: 0 });
  const lost = await run(service, '+99900002000');
  assert.equal(lost.code, 1);
  assert.match(lost.err, /^permanent-outcome-unknown: .*\nthe message may exist: check/);
  assert.equal((await service.ledger()).messages.length, 2);
});

test('README contains the example unchanged', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  assert.ok(readme.includes(await readFile(FILE, 'utf8')));
});
