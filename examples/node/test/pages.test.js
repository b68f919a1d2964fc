// Runs the programs in the READMEs. Adds code for the variables that a program uses but does not declare.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Inbox } from 'messaging-plugin/inbox';
import { simulatedService, startWith } from '../host-test.js';
import { RUNTIMES, needs } from './runtime.js';

const PACKAGE = new URL('../', import.meta.url).pathname;
const MAIN_PAGE = new URL('../../../README.md', import.meta.url);
const PAGE = new URL('../README.md', import.meta.url);
const TOKEN = 'token-of-the-workers';
const EVENT = '{"id":"msg-1","object":"message","event":"message:in:new","text":"Is it ready?"}';
const hasSqlite = await import('node:sqlite').then(() => true, () => false);

/** Returns the blocks of JavaScript on a page. */
async function blocks(page) {
  return [...(await readFile(page, 'utf8')).matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
}

/** Returns the only block of JavaScript on a page that contains `part`. */
async function block(page, part) {
  const found = (await blocks(page)).filter((code) => code.includes(part));
  assert.equal(found.length, 1, `${page}: blocks with ${part}`);
  return found[0];
}

/** Creates a directory with the package in `node_modules`. */
async function directory(t) {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'node_modules'));
  await symlink(PACKAGE, join(folder, 'node_modules/messaging-plugin'));
  return folder;
}

/** Starts a program in a directory. `text` resolves with its output, and rejects if the program fails. */
function started(cwd, code, env = {}, node = process.execPath) {
  const args = ['--no-warnings', '--input-type=module', '--eval', code];
  const child = spawn(node, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return {
    child,
    text: output.then(([out, err, [status]]) => {
      assert.equal(status, 0, err);
      return out;
    }),
  };
}

/** Returns code that declares the variables of a program that sends to a service. */
const variables = ({ baseUrl, apiKey }) => `
  const [baseUrl, apiKey] = ${JSON.stringify([baseUrl, apiKey])};
  const [phone, message] = ['+34 600 111 222', 'Your order is ready.'];`;

/** Returns code that creates `plugin`, for a program that only uses `plugin`. */
const plugin = (service) => `import { Plugin } from 'messaging-plugin'; ${variables(service)}
  const plugin = await Plugin.load({ baseUrl, apiKey });`;

async function service(t) {
  const running = await simulatedService();
  t.after(() => running.stop());
  return running;
}

test('each program of the pages has a test', async () => {
  // example.test.js tests the fourth program of PAGE.
  assert.deepEqual([(await blocks(MAIN_PAGE)).length, (await blocks(PAGE)).length], [1, 4]);
});

test('program of main page sends one message', async (t) => {
  const target = await service(t);
  const code = `${variables(target)} ${await block(MAIN_PAGE, 'sendMessage')}; console.log(id); await plugin.close();`;
  assert.equal(await started(await directory(t), code).text, 'msg-0001\n');
  assert.deepEqual((await target.ledger()).messages.map(({ phone }) => phone), ['+34600111222']);
});

test('program of the page verifies a delivery', async (t) => {
  const [target, folder] = [await service(t), await directory(t)];
  const key = Buffer.from('a key of at least 24 bytes');
  const signatureSecret = `whsec_${key.toString('base64')}`;
  const seconds = Math.floor(Date.now() / 1_000);
  const headers = {
    'webhook-id': 'evt-1', 'webhook-timestamp': `${seconds}`, 'content-type': 'application/json',
    'webhook-signature': `v1,${createHmac('sha256', key).update(`evt-1.${seconds}.${EVENT}`).digest('base64')}`,
  };
  const run = (code, body, env) => started(folder, `
    import { createServer } from 'node:http';
    ${plugin(target)}
    const { signatureSecret, headers, body } = ${JSON.stringify({ signatureSecret, headers, body })};
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => server.on('listening', listening));
    const request = await new Promise((delivered) => {
      server.on('request', delivered);
      fetch('http://127.0.0.1:' + server.address().port, { method: 'POST', headers, body }).catch(() => {});
    });
    ${code}
    console.log(event.idempotencyKey, event.kind);
    process.exit();`, env).text;

  const code = await block(PAGE, 'new Proofs');
  assert.equal(await run(code, EVENT), 'evt-1 message:in:new\n');
  await assert.rejects(run(code, EVENT.replace('Is', 'is')), /UnverifiedError/);
  const settings = code.replace(/\(\{.*?\}\); \/\/ or (\{.*?\})/, '($1);');
  assert.notEqual(settings, code);
  const env = { MESSAGING_WEBHOOK_SIGNATURE_SECRET: signatureSecret, MESSAGING_WEBHOOK_SIGNED: 'standard-webhooks' };
  assert.equal(await run(settings, EVENT, env), 'evt-1 message:in:new\n');
  await assert.rejects(run(settings, EVENT), /InvalidSettingsError/);
});

test('program of the page sends once', hasSqlite ? {} : needs('Node 24'), async (t) => {
  const target = await service(t);
  const code = `${plugin(target)} ${await block(PAGE, 'sendOnce')}; console.log(message.id, message.replayed); await plugin.close();`
    .replace("const [phone, message] = ['+34 600 111 222', 'Your order is ready.'];", "const phone = '+34 600 111 222';");
  const node = hasSqlite ? process.execPath : RUNTIMES['Node 24'][0];
  const folder = await directory(t);
  assert.equal(await started(folder, code, {}, node).text, 'msg-0001 false\n');
  assert.equal(await started(folder, code, {}, node).text, 'msg-0001 true\n');
  assert.equal((await target.ledger()).messages.length, 1);
});

test('program of the page processes an event', async (t) => {
  const folder = await directory(t);
  const served = await startWith({ MESSAGING_WORKER_TOKENS: TOKEN, RUST_LOG: 'off' }, 'serve', '--json', '--listen', '127.0.0.1:0',
    '--workers', '127.0.0.1:0', '--store', join(folder, 'inbox.sqlite'));
  t.after(() => served.stop());
  const headers = { 'x-idempotency-key': 'evt-1', 'content-type': 'application/json' };
  assert.equal((await fetch(served.url, { method: 'POST', headers, body: EVENT })).status, 200);
  const worker = started(folder, `
    import { Inbox } from 'messaging-plugin/inbox';
    const [url, token] = ${JSON.stringify([served.workers, TOKEN])};
    const stop = new AbortController();
    const { signal } = stop;
    process.once('SIGTERM', () => stop.abort());
    const onError = (error) => { throw error; };
    ${await block(PAGE, '.run(async')}`);
  const inbox = new Inbox({ url: served.workers, token: TOKEN });
  for (const began = Date.now(); (await inbox.list({ state: 'done' })).length === 0;) assert.ok(Date.now() < began + 10_000);
  worker.child.kill('SIGTERM');
  assert.equal(await worker.text, 'evt-1 message:in:new Is it ready?\n');
});
