// Tests the package in a real browser, without a bundler, against the simulated service. Needs Chromium. The environment
// variable CHROMIUM names another program than `chromium`.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { simulatedService } from '../host-test.js';
import { CREATED_AND_KEPT, rawService } from './service.js';

const CHROMIUM = process.env.CHROMIUM ?? 'chromium';
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
  '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage',
];
const PACKAGE = new URL('../', import.meta.url);
const installed = spawnSync(CHROMIUM, ['--version']).status === 0;

before(() => {
  if (!installed) console.error(`NOT RUN: ${CHROMIUM} is not installed; install Debian's package chromium`);
});

/** Serves the package and a page that runs `script`. Resolves with the page's report. */
async function inPage(t, script) {
  let report;
  const reported = new Promise((resolve) => (report = resolve));
  const server = createServer(async (request, reply) => {
    if (request.url === '/report') {
      report(JSON.parse(await text(request)));
      reply.end();
    } else if (request.url === '/') {
      const page = `<!doctype html><script type="module">
        import * as messaging from '/src/index.js';
        const report = (value) => fetch('/report', { method: 'POST', body: JSON.stringify(value) });
        (async () => { ${await script(origin)} })().then(report, (error) => report({ thrown: String(error) }));
      </script>`;
      reply.setHeader('content-type', 'text/html').end(page);
    } else if (/^\/(src|generated)\/[\w-]+\.js$/.test(request.url)) {
      reply.setHeader('content-type', 'text/javascript').end(await readFile(new URL(`.${request.url}`, PACKAGE)));
    } else {
      reply.writeHead(404).end();
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const browser = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, origin], { stdio: 'ignore' });
  const exited = once(browser, 'exit');
  t.after(async () => {
    browser.kill();
    await exited;
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  return Promise.race([reported, exited.then(() => assert.fail('the browser exited'))]);
}

const options = { skip: installed ? false : 'no Chromium', timeout: 60_000 };

test('page sends a message and gets typed errors', options, async (t) => {
  let service;
  const seen = await inPage(t, async (origin) => {
    service = await simulatedService('--cors', origin);
    t.after(() => service.stop());
    return `
      const { baseUrl, apiKey } = ${JSON.stringify(service)};
      const plugin = await messaging.Plugin.load({ baseUrl, apiKey });
      const created = await plugin.sendMessage({ phone: '+34 600 111 222', message: 'from a page' });
      const { templates } = await plugin.listTemplates({ everyPage: 'page' });
      const event = await plugin.handleEvent({
        headers: { 'x-idempotency-key': 'evt-1', 'content-type': 'application/json' },
        body: '{"id":"msg-1","object":"message","event":"message:in:new"}',
      });
      const errors = {};
      for (const phone of ['+99900000429', '+99900002001', '+99900002004', '+34600']) {
        const error = await plugin.sendMessage({ phone, message: 'hi' }).catch((error) => error);
        errors[phone] = [error.name, error.retry, error.retryAfterMs ?? null, error instanceof messaging.MessagingError];
      }
      const nowhere = await messaging.Plugin.load({ baseUrl: 'http://127.0.0.1:1', apiKey });
      errors.nowhere = (await nowhere.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((error) => error)).name;
      return { created, templates: templates.length, event: event.kind, errors };`;
  });
  assert.deepEqual(seen, {
    created: { id: 'msg-0001', json: '{"id":"msg-0001"}' },
    templates: 9,
    event: 'message:in:new',
    errors: {
      '+99900000429': ['RateLimitedError', 'safe', 60_000, true],
      '+99900002001': ['OutcomeUnknownError', 'never', null, true],
      // The page sees neither the redirect nor its target.
      '+99900002004': ['OutcomeUnknownError', 'never', null, true],
      '+34600': ['InvalidInputError', 'never', null, true],
      // A browser does not report that it could not connect.
      nowhere: 'OutcomeUnknownError',
    },
  });
  const { messages, requests } = await service.ledger();
  assert.deepEqual(messages.map(({ message }) => message), ['from a page', 'hi', 'hi']);
  assert.ok(requests.every(({ method }) => method !== 'OPTIONS'));
});

test('page creates no message without CORS', options, async (t) => {
  let service;
  const seen = await inPage(t, async () => {
    service = await simulatedService();
    t.after(() => service.stop());
    return `
      const { baseUrl, apiKey } = ${JSON.stringify(service)};
      const plugin = await messaging.Plugin.load({ baseUrl, apiKey });
      return (await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((error) => error)).name;`;
  });
  assert.equal(seen, 'OutcomeUnknownError');
  assert.deepEqual((await service.ledger()).messages, []);
});

// No driver can prevent the browser's retry, because a page cannot observe the browser's connections. The README states
// this limit.
test('browser repeats a request on a reset connection', options, async (t) => {
  let service;
  const readable = (reply) => reply.replace('\r\n', '\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Headers: token, content-type\r\n');
  const posts = [];
  const seen = await inPage(t, async () => {
    service = await rawService((socket, request) => {
      if (request.startsWith('OPTIONS')) socket.write(readable('HTTP/1.1 204 No Content\r\n\r\n'));
      else if (posts.push(request) === 1) socket.write(readable(CREATED_AND_KEPT));
      else socket.resetAndDestroy();
    });
    t.after(() => service.close());
    return `
      const plugin = await messaging.Plugin.load({ baseUrl: '${service.baseUrl}', apiKey: 'key' });
      const send = () => plugin.sendMessage({ phone: '+34600111222', message: 'hi' });
      return [(await send()).id, (await send().catch((error) => error)).name];`;
  });
  assert.deepEqual(seen, ['msg-1', 'OutcomeUnknownError']);
  assert.equal(posts.length, 3);
});
