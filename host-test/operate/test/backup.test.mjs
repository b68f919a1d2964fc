// Backup of an inbox in use, and its restore, by the procedure of docs/operating.md.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ENVIRONMENT, PROGRAM, startInbox } from './inbox.mjs';

const SENDERS = 4;
const command = (...args) => promisify(execFile)(PROGRAM, ['inbox', ...args], { env: ENVIRONMENT });

/**
 * Starts to deliver events, and repeats each delivery until it is acknowledged. Returns the acknowledged keys, and two
 * functions: `more` waits for further keys, `end` stops the deliveries.
 */
function deliverAlways(inbox) {
  const acknowledged = [];
  let going = true;
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let event = 1; going; event += 1) {
      const key = `evt-${sender}-${event}`;
      while (!(await inbox.deliver(key).then(() => true, () => false))) {
        if (!going) return;
        await new Promise((done) => setTimeout(done, 20));
      }
      acknowledged.push(key);
    }
  });
  return {
    acknowledged,
    async more(than = acknowledged.length + 100) {
      while (acknowledged.length < than) await new Promise((done) => setTimeout(done, 10));
    },
    async end() {
      going = false;
      await Promise.all(senders);
    },
  };
}

test('online backup has every acknowledged event', { timeout: 120_000 }, async (t) => {
  const inbox = await startInbox(t);
  const folder = join(dirname(inbox.store), 'copies of "today\'s" inbox');
  const deliveries = deliverAlways(inbox);
  t.after(() => deliveries.end());
  await deliveries.more();

  const before = [...deliveries.acknowledged];
  await mkdir(folder);
  const copy = join(folder, 'inbox.sqlite');
  await command('backup', '--store', inbox.store, copy);
  assert.deepEqual(await readdir(folder), ['inbox.sqlite']);
  assert.equal((await stat(copy)).mode & 0o777, 0o600);
  await deliveries.more();

  // The restore procedure of docs/operating.md: stop, move the files away, restore, start.
  await inbox.stop();
  assert.deepEqual((await readdir(dirname(inbox.store))).filter((name) => name.startsWith('inbox.sqlite')), ['inbox.sqlite']);
  const aside = join(dirname(inbox.store), 'aside');
  await mkdir(aside);
  for (const name of await readdir(dirname(inbox.store))) {
    if (name.startsWith('inbox.sqlite')) await rename(join(dirname(inbox.store), name), join(aside, name));
  }
  await command('restore', '--store', inbox.store, copy);
  const lost = deliveries.acknowledged.length;
  await inbox.start();
  await deliveries.more(lost + 100);
  await deliveries.end();

  const stored = new Set((await inbox.all()).map((event) => event['idempotency-key']));
  const missing = (keys) => keys.filter((key) => !stored.has(key));
  assert.deepEqual(missing(before), []);
  // Each event source may have had one delivery in progress when the inbox stopped.
  assert.deepEqual(missing(deliveries.acknowledged.slice(lost + SENDERS)), []);
  // A key in the backup is known: its redelivery is a duplicate.
  await inbox.deliver(before[0]);
  assert.equal((await inbox.all()).length, stored.size);
  const numbers = (await inbox.all()).map(({ id }) => id);
  assert.equal(new Set(numbers).size, numbers.length);
});
