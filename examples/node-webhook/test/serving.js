// Starts `npm run serve` in a separate process for the tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts the receiver with `folder` as its inbox and `settings` as its environment. */
export async function serve(t, folder, settings) {
  const child = spawn(
    process.execPath,
    [`${import.meta.dirname}/../serve.js`, '--inbox', folder, '--listen', '127.0.0.1:0'],
    { env: settings, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = new Promise((done) => child.once('exit', done));
  t.after(() => child.kill());
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\S+\//.exec(line) ?? assert.fail(line);
    child.stdout.resume();
    return { url, kill: () => (child.kill('SIGKILL'), exited) };
  }
  assert.fail('serve did not start');
}

/** Returns a directory for events, which is removed after the test. */
export async function inbox(t) {
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the keys of the events in a directory, in order. */
export async function keys(folder) {
  const files = await readdir(join(folder, 'events')).catch(() => []);
  const read = async (file) => JSON.parse(await readFile(join(folder, 'events', file), 'utf8'));
  const records = await Promise.all(files.map(read));
  return records.map((record) => record['idempotency-key']).sort();
}
