// Tests the package after its installation from the file of `npm pack` in an empty directory.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { simulatedService } from '../host-test.js';
import { TOKEN, inboxServer } from './inbox-server.js';

const HERE = new URL('../', import.meta.url).pathname;
let folder;
let service;

function npm(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'package-'));
  npm(HERE, 'pack', '--ignore-scripts', '--pack-destination', folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  // Fails if the package needs anything from a registry.
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${file}`);
  service = await simulatedService();
});

after(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(file, script) {
  await writeFile(join(folder, file), script);
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { MESSAGING_BASE_URL: service.baseUrl, MESSAGING_API_KEY: service.apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  assert.equal(err, '');
  return out;
}

const SEND = `
  const plugin = await Plugin.load({ baseUrl: process.env.MESSAGING_BASE_URL, apiKey: process.env.MESSAGING_API_KEY });
  console.log((await plugin.sendMessage({ phone: '+34 600 111 222', message: 'hi' })).id);
  await plugin.close();`;

test('imported and required package sends messages', async () => {
  assert.equal(await run('import.mjs', `import { Plugin } from 'messaging-plugin';${SEND}`), 'msg-0001\n');
  const required = `const { Plugin } = require('messaging-plugin'); (async () => {${SEND}})();`;
  assert.equal(await run('require.cjs', required), 'msg-0002\n');
  assert.equal((await service.ledger()).messages.length, 2);
  const both = `
    import { createRequire } from 'node:module';
    import * as imported from 'messaging-plugin';
    const required = createRequire(import.meta.url)('messaging-plugin');
    console.log(Object.keys(imported).length, Object.entries(imported).every(([name, value]) => required[name] === value));`;
  assert.equal(await run('both.mjs', both), '15 true\n');
});

test('imported and required package leases events', async (t) => {
  const server = await inboxServer();
  t.after(() => server.close());
  server.put('a', 'b');
  const work = `
    const inbox = new Inbox({ url: '${server.url}', token: '${TOKEN}' });
    for await (const event of inbox) {
      await event.ack();
      console.log(event.key);
      break;
    }`;
  assert.equal(await run('import.mjs', `import { Inbox } from 'messaging-plugin/inbox';${work}`), 'a\n');
  assert.equal(await run('require.cjs', `const { Inbox } = require('messaging-plugin/inbox'); (async () => {${work}})();`), 'b\n');
  assert.deepEqual([1, 2].map(server.state), ['done', 'done']);
});

test('imported and required Once share error classes', async () => {
  const send = `
    const client = { sendMessage: () => Promise.reject(new RefusedError('permanent-refused', { status: 422 }, true)) };
    const journal = { get: async () => undefined, swap: async () => ({ swapped: true }) };
    const error = await new Once(client, journal).sendOnce('k', { phone: '+34600111222', message: 'hi' }).catch((error) => error);
    console.log(error instanceof RefusedError, error.case);`;
  const imported = `import { RefusedError } from 'messaging-plugin'; import { Once } from 'messaging-plugin/once';${send}`;
  assert.equal(await run('import.mjs', imported), 'true permanent-refused\n');
  const required = `const { RefusedError } = require('messaging-plugin'); const { Once } = require('messaging-plugin/once');`;
  assert.equal(await run('require.cjs', `${required} (async () => {${send}})();`), 'true permanent-refused\n');
});

test('npx shows version and first program', async () => {
  const about = JSON.parse(npm(folder, 'exec', '--offline', '--', 'messaging-plugin', '--json'));
  const { version } = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8'));
  assert.equal(about.version, version);
  assert.match(about.components[0].interface, /^messaging:integration\/sans-io@/);
  const shown = npm(folder, 'exec', '--offline', '--', 'messaging-plugin');
  assert.ok(shown.includes(about.components[1].sha256), shown);
  const program = shown.match(/^ {4}.*$/gm).join('\n');
  assert.match(await run('first.mjs', program), /^msg-\d+\n$/);
});

test('files for browsers import no module of Node', async () => {
  const files = new Set(['src/index.js', 'src/once.js']);
  for (const file of files) {
    const source = await readFile(join(HERE, file), 'utf8');
    for (const [, name] of source.matchAll(/\b(?:from|import)[ (]*'([^']+)'/g)) {
      assert.match(name, /^\.\.?\//, file);
      files.add(join(dirname(file), name));
    }
  }
  assert.ok(files.has('src/sqlite-journal.js'), `${[...files]}`);
});

test('imported and required package verifies deliveries', async () => {
  const verify = `
    const { headers } = new Proofs({ headerSecret: '0123456789abcdef' }).verify({ 'X-Webhook-Secret': '0123456789abcdef', 'X-Idempotency-Key': 'k' }, '{}');
    console.log(headers[0].value);`;
  assert.equal(await run('import.mjs', `import { Proofs } from 'messaging-plugin/proofs';${verify}`), 'k\n');
  assert.equal(await run('require.cjs', `const { Proofs } = require('messaging-plugin/proofs');${verify}`), 'k\n');
});

test('types are found without package exports', async () => {
  await writeFile(join(folder, 'program.ts'), `
    import { Plugin } from 'messaging-plugin';
    import { Inbox } from 'messaging-plugin/inbox';
    import { SqliteJournal } from 'messaging-plugin/once';
    import { Proofs } from 'messaging-plugin/proofs';
    console.log(Plugin, Inbox, SqliteJournal, Proofs);`);
  const args = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'commonjs', '--moduleResolution', 'node10', 'program.ts'];
  const { status, stdout } = spawnSync(process.execPath, [join(HERE, 'node_modules/typescript/bin/tsc'), ...args], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

test('package has no needless dependency or file', async () => {
  assert.deepEqual((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.')), ['messaging-plugin']);
  const installed = join(folder, 'node_modules/messaging-plugin');
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  assert.deepEqual((await readdir(installed)).sort(), [
    'LICENSE', 'README.md', 'bin.js', 'cjs', 'example.js', 'generated', 'package.json', 'receive.js', 'src', 'worker.js',
  ]);
  const core = await readFile(join(installed, 'generated/component.wasm'));
  assert.deepEqual(new Set(WebAssembly.Module.imports(new WebAssembly.Module(core)).map(({ module }) => module)),
    new Set(['[export]messaging:integration/sans-io@0.2.0']));
});
