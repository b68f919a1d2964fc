// Starts the repository's program `messaging` for tests and benchmarks: the simulated service, the suites and a
// server.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Path of the program. */
export const MESSAGING = resolve(process.env.MESSAGING_PROGRAM ?? `${import.meta.dirname}/../../target/debug/messaging`);

/** Starts `messaging ARGUMENTS...`. Resolves with the first JSON that it prints. */
export const start = (...args) => startWith({}, ...args);

/** Starts the program with additional environment variables. */
export async function startWith(env, ...args) {
  const file = MESSAGING;
  if (!existsSync(file)) {
    throw new Error(`${file} is missing. Build it in the repository's root with \`cargo build --features verify\`, or name it in MESSAGING_PROGRAM`);
  }
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const exited = new Promise((done) => child.once('exit', done));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text));
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += line;
    const printed = parse(text);
    if (printed) {
      child.stdout.resume();
      return {
        ...printed,
        async stop(signal) {
          child.kill(signal);
          await exited;
        },
      };
    }
  }
  throw Object.assign(new Error(`host-test ${args[0]} did not start: ${complaint}`), { complaint });
}

/** Starts the simulated service. `ledger` returns the requests and messages that it received. */
export async function simulatedService(...args) {
  const service = await start('service', '--json', '--listen', '127.0.0.1:0', ...args);
  const baseUrl = service['base-url'];
  return {
    baseUrl,
    apiKey: service.key,
    stop: service.stop,
    ledger: async () => (await fetch(`${baseUrl}/_simulator/ledger`)).json(),
  };
}

/** Token of the senders of `journalServer`. */
export const JOURNAL_TOKEN = 'token-of-senders-and-nobody-else';

/** Starts a server with a journal of sends in a directory. */
export async function journalServer(folder) {
  const { workers, stop } = await startWith({ MESSAGING_JOURNAL_TOKENS: JOURNAL_TOKEN, RUST_LOG: 'off' },
    'serve', '--json', '--listen', '127.0.0.1:0', '--workers', '127.0.0.1:0',
    '--store', `${folder}/inbox.sqlite`, '--journal', `${folder}/journal.sqlite`);
  return { url: workers, stop };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
