// Starts the repository's programs for tests and benchmarks: `messaging` with the simulated service and a server, and
// `messaging-verify` with the suites.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const built = (name) => `${import.meta.dirname}/../../target/debug/${name}`;

/** Path of the program `messaging`. */
export const MESSAGING = resolve(process.env.MESSAGING_PROGRAM ?? built('messaging'));

/** Path of the program `messaging-verify`, which contains the test suites. */
export const VERIFY = resolve(process.env.MESSAGING_VERIFY_PROGRAM ?? built('messaging-verify'));

/** Starts `messaging ARGUMENTS...`. Resolves with the first JSON that it prints. */
export const start = (...args) => startWith({}, ...args);

/** Starts `messaging ARGUMENTS...` with additional environment variables. */
export const startWith = (env, ...args) => launch(MESSAGING, 'messaging-cli', env, args);

/** Starts `messaging-verify ARGUMENTS...`. Resolves with the first JSON that it prints. */
export const startSuite = (...args) => launch(VERIFY, 'messaging-verify', {}, args);

async function launch(file, package_, env, args) {
  if (!existsSync(file)) {
    throw new Error(`${file} is missing. Build it in the repository's root with \`cargo build --package ${package_}\`, or set its path in MESSAGING_PROGRAM or MESSAGING_VERIFY_PROGRAM`);
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
  throw Object.assign(new Error(`${file} ${args[0]} did not start: ${complaint}`), { complaint });
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

/** Token that `journalServer` accepts from senders. */
export const JOURNAL_TOKEN = 'token-of-senders-only';

/** Starts `messaging serve` with inbox and journal in a directory. Returns the URL for workers and senders. */
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
