// Runs the conformance suite and the fault suite with both drivers.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

for (const flags of [[], ['--faults'], ['--fetch'], ['--faults', '--fetch']]) {
  test(`every case passes: conform.js ${flags.join(' ')}`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`${import.meta.dirname}/../conform.js`, ...flags], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  });
}
