// `npm run test:runtimes` runs tests and suites in every runtime. This takes about ten minutes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs, run, RUNTIMES } from './runtime.js';

const OF_CONNECTIONS = ['keeping', 'faults', 'signal'];
const OF_DEADLINES = ['deadline'];
const OF_THE_INBOX = ['inbox', 'inbox-run'];
// These tests need node:sqlite, which the default Node may not have.
const OF_ONCE = ['once', 'sqlite-journal', 'receive'];
const OF_PROOFS = ['proofs'];
const TESTS = {
  'Node 22': { flags: ['--test'], files: [...OF_CONNECTIONS, ...OF_DEADLINES, ...OF_THE_INBOX, ...OF_ONCE] },
  'Node 24': { flags: ['--test'], files: [...OF_CONNECTIONS, ...OF_DEADLINES, ...OF_THE_INBOX, ...OF_ONCE] },
  Bun: { flags: ['test', '--timeout', '20000'], files: [...OF_CONNECTIONS, ...OF_THE_INBOX, ...OF_PROOFS] },
  // No tests of kept connections, because the package keeps no connections in Deno.
  Deno: { flags: ['test', '--no-check', '--allow-all'], files: [...OF_THE_INBOX, ...OF_PROOFS] },
};

for (const [name, command] of Object.entries(RUNTIMES)) {
  test(`${name} passes its list of tests`, needs(name), async () => {
    const { flags, files } = TESTS[name];
    const { out, err, code } = await run([command[0], ...flags, ...files.map((file) => `./test/${file}.test.js`)]);
    assert.equal(code, 0, out + err);
    assert.match(out + err, /stop lets handlers end/);
    if (files.includes('once')) assert.match(out + err, /Once passes the suite for workers/);
    if (files.includes('signal')) assert.match(out + err, /aborted signal prevents a send/);
  });

  for (const flags of [[], ['--faults'], ['--fetch'], ['--faults', '--fetch']]) {
    test(`${name} passes conform.js ${flags.join(' ')}`, needs(name), async () => {
      const { out, err, code } = await run([...command, 'conform.js', ...flags]);
      assert.equal(code, 0, out + err);
      assert.match(out, new RegExp(`cases passed on ${name.split(' ')[0]} `));
    });
  }
}
