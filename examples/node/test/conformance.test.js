// The conformance suite, where the host binary has it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('every case of the conformance suite passes', (t) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${import.meta.dirname}/../conform.js`], {
    encoding: 'utf8',
  });
  if (status === 2) return t.skip(stdout.trim());
  assert.equal(status, 0, stdout + stderr);
});
