// Runs the conformance suite of `host-test` through this package:
// `npm run conform [-- --report FILE]`; with `--faults` the portable cases of its
// fault suite. Exit codes: 0 every case passed, 1 one did not, 2 not run.

import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { MessagingError, Plugin, PluginCrashedError, Pool } from './src/index.js';
import { start } from './host-test.js';

const AT_ONCE = 4;
const { values: options } = parseArgs({
  options: { report: { type: 'string' }, faults: { type: 'boolean' } },
});
const command = options.faults ? 'faults' : 'conform';

let suite;
try {
  suite = await start(command, '--serve');
} catch (error) {
  const reason = /unrecognized subcommand/.test(error.complaint)
    ? `this host-test has no \`${command}\` command`
    : error.message;
  console.log(`conformance: not run: ${reason}`);
  process.exit(2);
}

const pool = new Pool({ size: AT_ONCE });
await pool.start();
const names = await request('GET', '/cases');
const waiting = [...names];
const failures = [];
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  for (let name; (name = waiting.shift()) !== undefined;) {
    const { passed, problems } = await judge(name);
    if (!passed) failures.push({ name, problems });
  }
}));
const { devDependencies } = createRequire(import.meta.url)('./package.json');
const host = `Node ${process.versions.node}, jco-transpile ${devDependencies['@bytecodealliance/jco-transpile']}`;
const report = await request('POST', '/report', { host });
await pool.close();
await suite.stop();

if (options.report) {
  await mkdir(dirname(options.report), { recursive: true });
  await writeFile(options.report, `${JSON.stringify(report, undefined, 2)}\n`);
}
for (const { name, problems } of failures) {
  console.log(`✗ ${name}`);
  for (const problem of problems) console.log(`    ${problem}`);
}
console.log(`conformance: ${names.length - failures.length} of ${names.length} cases passed on ${host}`);
process.exit(names.length > 0 && failures.length === 0 ? 0 : 1);

async function judge(name) {
  const path = `/cases/${encodeURIComponent(name)}`;
  const { settings, allow, function: called, argument } = await request('POST', path);
  const plugin = await Plugin.load({ settings, allow, pool });
  let outcome;
  try {
    outcome = { ok: kebab(await plugin[camelCase(called)](camel(argument))) };
  } catch (error) {
    outcome = error instanceof MessagingError && !(error instanceof PluginCrashedError)
      ? { error: { case: error.case, payload: kebab(error.payload) } }
      : { trap: String(error) };
  }
  return request('POST', `${path}/outcome`, outcome);
}

async function request(method, path, body) {
  const reply = await fetch(suite.control + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

/** The WIT's spelling of a value as jco lifts it. */
function kebab(value) {
  if (value === undefined) return null;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(kebab);
  const name = (key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [name(key), kebab(field)]));
}

/** A record's fields as this package spells them. */
function camel(record) {
  return Object.fromEntries(Object.entries(record).map(([key, field]) => [camelCase(key), field]));
}

function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
