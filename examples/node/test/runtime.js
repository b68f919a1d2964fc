// Commands of other JavaScript runtimes, for Linux on x86-64. `npm ci --prefix test/runtimes` installs the runtimes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const HERE = new URL('../', import.meta.url).pathname;
const binary = (path) => `${HERE}test/runtimes/node_modules/${path}`;

/** Command of each runtime by name. */
export const RUNTIMES = {
  'Node 22': [binary('node22/bin/node')],
  'Node 24': [binary('node24/bin/node')],
  Deno: [binary('deno/deno'), 'run', '--allow-all', '--quiet'],
  Bun: [binary('bun/bin/bun')],
};

/** Returns the options of a test that needs the runtime `name`. */
export function needs(name) {
  const isThere = existsSync(RUNTIMES[name][0]);
  if (!isThere) console.error(`NOT RUN: ${name} is not installed; run npm ci --prefix test/runtimes`);
  return { skip: isThere ? false : 'not installed' };
}

export async function run([command, ...args], env) {
  // Removes NODE_TEST_CONTEXT. With it, Node would count the child's tests as tests of the current run.
  const own = { ...process.env, ...env, NODE_TEST_CONTEXT: undefined };
  const child = spawn(command, args, { cwd: HERE, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code };
}
