// Tests file operations that the inbox needs and the shim does not support.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { importsOf } from '../src/folder.js';

test('root directory syncs, failed write throws error code', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  t.after(() => rm(folder, { recursive: true }));
  const [[root, path]] = importsOf(folder)['wasi:filesystem/preopens'].getDirectories();
  assert.equal(path, '/inbox');
  root.sync();
  const file = root.openAt({}, 'a', { create: true }, { read: true });
  assert.throws(() => file.write(new Uint8Array([1]), 0n), (code) => code === 'bad-descriptor');
});
