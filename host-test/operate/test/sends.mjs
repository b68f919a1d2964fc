// Sends messages under keys with the command line, to a simulated service. `serve` uses the journal of these
// sends.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT, freePort, PROGRAM } from './inbox.mjs';

/** A phone number for which the service creates the message, then closes the connection without a response. */
export const CLOSES = '+99900002000';

/** Starts a simulated service. It stops at the end of the test. */
export async function startSends(t) {
  const folder = await mkdtemp(join(tmpdir(), 'sends-'));
  const journal = join(folder, 'journal.sqlite');
  const address = `127.0.0.1:${await freePort()}`;
  const service = spawn(PROGRAM, ['service', '--listen', address], { env: ENVIRONMENT, stdio: 'ignore' });
  const ledger = async () => (await fetch(`http://${address}/_simulator/ledger`)).json();
  while (!(await ledger().catch(() => null))) await new Promise((done) => setTimeout(done, 50));
  const env = {
    ...ENVIRONMENT, MESSAGING_ONCE_JOURNAL: journal, MESSAGING_BASE_URL: `http://${address}`,
    MESSAGING_API_KEY: 'simulated-key', MESSAGING_DEADLINE_MS: '2000',
  };
  const runIn = async (more, ...args) => {
    const { stdout } = await promisify(execFile)(PROGRAM, [...args, '--json'], { env: { ...env, ...more } }).catch((failed) => failed);
    return JSON.parse(stdout);
  };
  const run = (...args) => runIn({}, ...args);
  t.after(async () => {
    service.kill();
    await once(service, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  return {
    journal, ledger, run, url: env.MESSAGING_BASE_URL,
    /** Sends under a key, to the service or to the URL `base`. */
    send: (key, phone, { base } = {}) =>
      runIn(base ? { MESSAGING_BASE_URL: base } : {}, 'send', '--once', key, '--phone', phone, '--message', 'Is it ready?'),
    show: (key) => run('sent', 'show', key),
  };
}
