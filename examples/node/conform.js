// Runs the conformance suite of `messaging-verify` with this package: `npm run conform [-- --report FILE]`.
//
//     --faults       runs the portable cases of the fault suite
//     --fetch        uses fetch in place of node:http
//     --with FILE    uses another build of the package; FILE exports the package's classes, `fetch`, `limits` and `name`
//
// Exit codes: 0 if every case passed, 1 if a case did not pass, 2 if the suite did not run.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startSuite } from './host-test.js';
import { camel, camelCase, kebab } from './spelling.js';

const AT_ONCE = 8;
// Cases that cannot pass with fetch, and the reason. No driver can change this behavior of fetch.
const LIMITS_OF_FETCH = {
  Node: {
    'interim_reply_is_not_the_reply.100': 'fetch closes the connection at an unrequested status 100: outcome unknown',
    'every_refusing_4xx_is_refused.407': 'fetch reports a status 407 as a network error: outcome unknown',
    'every_refusing_4xx_is_refused.421': 'fetch repeats a request after status 421, which means that the service did not process it',
  },
  Deno: {
    'unknown_name_is_not_sent': 'errors of fetch have no cause: outcome unknown',
  },
  Bun: {
    'header_of_megabyte_is_unknown': 'fetch accepts headers of any size',
  },
};
const { values: options } = parseArgs({
  options: {
    report: { type: 'string' },
    faults: { type: 'boolean' },
    fetch: { type: 'boolean' },
    with: { type: 'string' },
    case: { type: 'string', default: '' },
  },
});
const built = await import(options.with ? resolve(options.with) : 'messaging-plugin');
const { MessagingError, Plugin, PluginCrashedError } = built;
const driver = built.name ?? (options.fetch ? 'fetch' : undefined);

let suite;
try {
  suite = await startSuite(options.faults ? 'faults' : 'conform', '--serve');
} catch (error) {
  console.log(`conformance: not run: ${error.message}`);
  process.exit(2);
}

const names = (await request('GET', '/cases')).filter((name) => name.includes(options.case));
const waiting = [...names];
const verdicts = [];
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  for (let name; (name = waiting.shift()) !== undefined;) verdicts.push({ name, ...(await judge(name)) });
}));
const host = [runtime(), 'component without imports', driver].filter(Boolean).join(', ');
const report = await request('POST', '/report', { host });
await suite.stop();

if (options.report) {
  await mkdir(dirname(options.report), { recursive: true });
  await writeFile(options.report, `${JSON.stringify(report, undefined, 2)}\n`);
}
const limits = built.limits ?? (options.fetch ? LIMITS_OF_FETCH[runtime().split(' ')[0]] : {});
const isExpected = ({ name, passed }) => passed !== Object.hasOwn(limits, name);
const failures = verdicts.filter((verdict) => !isExpected(verdict));
for (const { name, passed, problems } of failures) {
  console.log(`✗ ${name}${passed ? `: passed, but is listed as a case that cannot pass with ${driver}` : ''}`);
  for (const problem of problems) console.log(`    ${problem}`);
}
const weaker = verdicts.filter(({ result }) => result === 'weaker');
for (const { name } of weaker) console.log(`weaker: ${name}`);
const limited = verdicts.filter(({ name }) => Object.hasOwn(limits, name));
for (const { name } of limited) console.log(`limit of ${driver}: ${name}: ${limits[name]}`);
const passed = verdicts.filter((verdict) => verdict.passed).length;
console.log(`conformance: ${passed} of ${names.length} cases passed on ${host}`);
process.exit(names.length > 0 && failures.length === 0 ? 0 : 1);

async function judge(name) {
  const path = `/cases/${encodeURIComponent(name)}`;
  const { settings, allow, function: called, argument } = await request('POST', path);
  const fetch = built.fetch ?? (options.fetch ? globalThis.fetch : undefined);
  const plugin = await Plugin.load({ settings, allow, fetch });
  let outcome;
  try {
    outcome = { ok: kebab(await plugin[camelCase(called)](camel(argument))) };
  } catch (error) {
    outcome = error instanceof MessagingError && !(error instanceof PluginCrashedError)
      ? { error: { case: error.case, payload: kebab(error.payload) } }
      : { trap: String(error) };
  }
  await plugin.close();
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

function runtime() {
  if (globalThis.Deno) return `Deno ${Deno.version.deno}`;
  if (process.versions.bun) return `Bun ${process.versions.bun}`;
  return `Node ${process.versions.node}`;
}
