// Other runtimes: `npm ci --prefix test/runtimes` installs them, for Linux on x86-64.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { simulatedService } from '../host-test.js';

const HERE = new URL('../', import.meta.url).pathname;
const binary = (path) => `${HERE}test/runtimes/node_modules/${path}`;
const RUNTIMES = {
  'Node 22': [binary('node22/bin/node')],
  'Node 24': [binary('node24/bin/node')],
  Deno: [binary('deno/deno'), 'run', '--allow-all', '--quiet'],
  Bun: [binary('bun/bin/bun')],
};
const OF_CONNECTIONS = ['keeping', 'faults', 'signal'];
const OF_DEADLINES = ['deadline'];
const OF_THE_INBOX = ['inbox', 'inbox-run'];
// They need node:sqlite, which the Node of the other tests may not have.
const OF_ONCE = ['once', 'sqlite-journal'];
const TESTS = {
  'Node 22': { flags: ['--test'], files: [...OF_CONNECTIONS, ...OF_DEADLINES, ...OF_THE_INBOX, ...OF_ONCE] },
  'Node 24': { flags: ['--test'], files: [...OF_CONNECTIONS, ...OF_DEADLINES, ...OF_THE_INBOX, ...OF_ONCE] },
  Bun: { flags: ['test', '--timeout', '20000'], files: [...OF_CONNECTIONS, ...OF_THE_INBOX] },
  // It keeps no connections here.
  Deno: { flags: ['test', '--no-check', '--allow-all'], files: OF_THE_INBOX },
};

before(() => {
  for (const [name, [file]] of Object.entries(RUNTIMES)) {
    if (!existsSync(file)) console.error(`NOT RUN: ${name} is not installed: npm ci --prefix test/runtimes`);
  }
});

async function run([command, ...args], env) {
  // With this variable Node takes its tests for those of the tests that are running.
  const own = { ...process.env, ...env, NODE_TEST_CONTEXT: undefined };
  const child = spawn(command, args, { cwd: HERE, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code };
}

for (const [name, command] of Object.entries(RUNTIMES)) {
  const options = { skip: existsSync(command[0]) ? false : 'not installed' };

  test(`${name} sends a message, imported and required`, options, async (t) => {
    const service = await simulatedService();
    t.after(() => service.stop());
    const env = { MESSAGING_BASE_URL: service.baseUrl, MESSAGING_API_KEY: service.apiKey };
    const sent = await run([...command, 'example.js', '+34 600 111 222', 'Your order is ready.'], env);
    assert.deepEqual([sent.out, sent.code], ['created msg-0001\n', 0], sent.err);
    const required = await run([...command, 'test/required.cjs'], env);
    assert.deepEqual([required.out, required.code], ['created msg-0002\n', 0], required.err);
    assert.equal((await service.ledger()).messages.length, 2);
  });

  test(`${name} passes the tests of ${TESTS[name].files.join(', ')}`, options, async () => {
    const { flags, files } = TESTS[name];
    const { out, err, code } = await run([command[0], ...flags, ...files.map((file) => `./test/${file}.test.js`)]);
    assert.equal(code, 0, out + err);
    assert.match(out + err, /who stops/);
    if (files.includes('once')) assert.match(out + err, /it passes the suite of those that send once/);
    if (files.includes('signal')) assert.match(out + err, /who gives up/);
  });

  for (const flags of [[], ['--faults'], ['--fetch'], ['--faults', '--fetch']]) {
    test(`${name} passes conform.js ${flags.join(' ')}`, options, async () => {
      const { out, err, code } = await run([...command, 'conform.js', ...flags]);
      assert.equal(code, 0, out + err);
      assert.match(out, new RegExp(`cases passed on ${name.split(' ')[0]} `));
    });
  }
}
