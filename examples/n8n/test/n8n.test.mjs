// The example's workflows in the real n8n, judged by the ledger of the simulated service: `../run`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { simulatedService } from '../../node/host-test.js';
import { N8n } from './n8n.mjs';

const workflow = (name) => JSON.parse(readFileSync(join(import.meta.dirname, `../workflows/${name}.json`), 'utf8'));
const SEND = workflow('send');
const EVENTS = workflow('events');
const TOOL = workflow('tool');
const HOOK = `/webhook/${EVENTS.nodes[0].webhookId}/messaging-event`;
const OK = '+34 600 111 222';
const LOST = '+99900002000';
const LIMITED = '+99900000429';

let service;
let n8n;

/** The example's workflow with other recipients, and other settings of the node that sends. */
function sending(id, phone, settings) {
  const copy = structuredClone(SEND);
  copy.nodes[1].parameters.jsonOutput = JSON.stringify({ phone });
  Object.assign(copy.nodes[3], settings);
  return { ...copy, id, name: id };
}

const WORKFLOWS = [
  SEND,
  EVENTS,
  TOOL,
  sending('throws0000000001', [OK, LOST], { onError: 'stopWorkflow' }),
  sending('safe000000000001', [OK, LIMITED], { onError: 'stopWorkflow' }),
  sending('first00000000001', [LOST, OK], {}),
  sending('branch0000000001', [LOST, OK, LIMITED], { onError: 'continueErrorOutput', maxTries: 2 }),
  sending('denied0000000001', [OK], { onError: 'stopWorkflow', retryOnFail: false, credentials: { messagingPluginApi: { id: 'wrongAccount00001', name: 'wrong' } } }),
];

before(async () => {
  service = await simulatedService();
  n8n = await N8n.make();
  const credential = (id, name, apiKey) => ({ id, name, type: 'messagingPluginApi', data: { baseUrl: service.baseUrl, apiKey } });
  await n8n.import('credentials', [
    credential('messagingAccount1', 'simulated service', service.apiKey),
    credential('wrongAccount00001', 'wrong', 'another-key'),
  ]);
  await n8n.import('workflow', WORKFLOWS);
});

after(async () => {
  await n8n?.remove();
  await service?.stop();
});

/** Counts requests of POST by recipient, and messages created, while `work` runs. */
async function counted(work) {
  const before = await service.ledger();
  const result = await work();
  const { requests, messages } = await service.ledger();
  const made = {};
  for (const { method, body } of requests.slice(before.requests.length)) {
    if (method !== 'POST') continue;
    const { phone } = JSON.parse(body);
    made[phone] = (made[phone] ?? 0) + 1;
  }
  return { ...result, made, created: messages.length - before.messages.length };
}
const plain = (phone) => phone.replaceAll(' ', '');

test('the workflow sends, says of each item what became of it, and lists', async () => {
  const { made, created, ...nodes } = await counted(() => n8n.execute(SEND.id));
  assert.deepEqual(made, { [plain(OK)]: 1, [LOST]: 1, '+99900000400': 1 });
  assert.equal(created, 2);
  const [ok, lost, refused] = nodes['Send Message'].items;
  assert.match(ok.id, /^msg-/);
  assert.deepEqual([lost.details.case, lost.details.mayExist, lost.details.retry], ['permanent-outcome-unknown', true, 'never']);
  assert.deepEqual([refused.details.case, refused.details.mayExist], ['permanent-refused', false]);
  const [page] = nodes['List Templates'].items;
  assert.equal(page.templates.length, page.total);
  assert.equal(page.incomplete, undefined);
});

test('"Retry On Fail" sends nothing twice: neither what was created nor what may exist', async () => {
  const { made, created, ...nodes } = await counted(() => n8n.execute('throws0000000001'));
  assert.match(nodes['Send Message'].error.message, /^permanent-outcome-unknown/);
  assert.match(nodes['Send Message'].error.description, /may exist/);
  assert.deepEqual(made, { [plain(OK)]: 1, [LOST]: 1 });
  assert.equal(created, 2);
});

test('"Retry On Fail" repeats what is safe to repeat, and that alone', async () => {
  const { made, created, ...nodes } = await counted(() => n8n.execute('safe000000000001'));
  assert.match(nodes['Send Message'].error.message, /^rate-limited/);
  assert.equal(made[plain(OK)], 1);
  // Three runs of the node. The service's hint of a minute leaves the component no time for attempts of its own.
  assert.equal(made[LIMITED], 3);
  assert.equal(created, 1);
});

test('an error in the first item, for which n8n runs the node again, sends nothing twice', async () => {
  const { made, created } = await counted(() => n8n.execute('first00000000001'));
  assert.deepEqual(made, { [plain(OK)]: 1, [LOST]: 1 });
  assert.equal(created, 2);
});

test('the error output gets the items that failed, with their input', async () => {
  const { made, ...nodes } = await counted(() => n8n.execute('branch0000000001'));
  const { items, errors } = nodes['Send Message'];
  assert.deepEqual(items.map(({ id }) => typeof id), ['string']);
  assert.deepEqual(errors.map(({ phone, details }) => [phone, details.retry, details.mayExist]), [[LOST, 'never', true], [LIMITED, 'safe', false]]);
  assert.deepEqual([made[LOST], made[plain(OK)]], [1, 1]);
});

test('a wrong key is said to be one, and is nowhere in the output', async () => {
  const { text, created, ...nodes } = await counted(() => n8n.execute('denied0000000001'));
  assert.match(nodes['Send Message'].error.message, /^permanent-unauthorized: .*status 401/);
  assert.equal(created, 0);
  assert.ok(!text.includes('another-key'));
});

test('what n8n forbids is denied, and a proxy that is not there is proof that nothing was sent', async () => {
  const send = (baseUrl, env) => spawnSync(process.execPath, [join(import.meta.dirname, 'send-once.mjs'), baseUrl], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  }).stdout.trim();
  const before = (await service.ledger()).requests.length;
  assert.equal(send(service.baseUrl, { N8N_SSRF_PROTECTION_ENABLED: 'true' }), 'permanent-denied');
  for (const scheme of ['http', 'https']) {
    const proxy = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' };
    assert.equal(send(`${scheme}://service.example`, proxy), 'not-sent');
  }
  assert.equal((await service.ledger()).requests.length, before);
  assert.match(send(service.baseUrl, {}), /^msg-/);
});

const bodyOf = (text) => `{"id":"msg-1","object":"message","event":"message:in:new","n":12345678901234567890123,"text":"${text}"}`;

async function deliver(key, body = bodyOf(key)) {
  const reply = await fetch(n8n.url + HOOK, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-idempotency-key': key },
    body,
  });
  return { status: reply.status, text: await reply.text() };
}
/** How often the workflow has replied to an event; it does so before the delivery is answered. */
const worked = async (key) => (await service.ledger()).messages.filter(({ message }) => message === bodyOf(key)).length;

test('the trigger works on an event once, byte for byte, also when two deliveries come at once', async () => {
  for (const { id } of [EVENTS, TOOL]) {
    const { code, text } = await n8n.command('publish:workflow', `--id=${id}`);
    assert.equal(code, 0, text);
  }
  await n8n.start(HOOK);
  assert.deepEqual(await deliver('evt-1'), { status: 200, text: '' });
  assert.equal(await worked('evt-1'), 1);
  assert.deepEqual(await deliver('evt-1'), { status: 200, text: '{"message":"repeated"}' });
  assert.equal(await worked('evt-1'), 1);
  const both = await Promise.all([deliver('evt-2'), deliver('evt-2')]);
  assert.deepEqual(both.map(({ status }) => status), [200, 200]);
  assert.equal(await worked('evt-2'), 1);
});

test('the trigger refuses what is no event', async () => {
  const { status, text } = await deliver('evt-3', '{"id":"msg-1"}');
  assert.equal(status, 400);
  assert.match(text, /permanent-invalid-input/);
});

test('the credentials are tested without creating anything', async () => {
  await n8n.login();
  const judge = async (apiKey) => (await n8n.rest('/credentials/test', {
    credentials: { id: 'messagingAccount1', name: 'simulated service', type: 'messagingPluginApi', data: { baseUrl: `${service.baseUrl}/`, apiKey } },
  })).status;
  const before = await service.ledger();
  assert.equal(await judge(service.apiKey), 'OK');
  assert.equal(await judge('another-key'), 'Error');
  const { requests, created } = await service.ledger();
  const made = requests.slice(before.requests.length).map(({ method }) => method);
  assert.ok(made.length >= 2 && made.every((method) => method === 'GET'), String(made));
  assert.equal(created, before.created);
});

test('an execution that is retried from the list of executions sends nothing twice', async () => {
  const filter = encodeURIComponent(JSON.stringify({ workflowId: 'throws0000000001' }));
  const { results } = await n8n.rest(`/executions?filter=${filter}`);
  const { made, status } = await counted(() => n8n.rest(`/executions/${results[0].id}/retry`, { loadWorkflow: true }));
  assert.equal(status, 'error');
  assert.deepEqual(made, {});
});

test('as a tool of an agent it repeats what is safe, and answers with the rest', async () => {
  const ask = async (method, params, session) => {
    const reply = await fetch(`${n8n.url}/mcp/messaging`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...session },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const [, json] = /^data: (.*)$/m.exec(await reply.text());
    return { session: { 'mcp-session-id': reply.headers.get('mcp-session-id') }, ...JSON.parse(json).result };
  };
  const { session } = await ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
  const send = async (phone) => {
    const { content, isError } = await ask('tools/call', { name: 'Send_Message', arguments: { phone, message: 'hi' } }, session);
    return { isError, text: content[0].text };
  };
  const { made, created, ...answers } = await counted(async () => ({ ok: await send(OK), lost: await send(LOST), limited: await send(LIMITED) }));
  assert.match(JSON.parse(answers.ok.text)[0].id, /^msg-/);
  assert.equal(JSON.parse(answers.lost.text)[0].details.mayExist, true);
  assert.equal(answers.limited.isError, true);
  assert.deepEqual(made, { [plain(OK)]: 1, [LOST]: 1, [LIMITED]: 3 });
  assert.equal(created, 2);
});

test('after a restart, the node "Remove Duplicates" knows the event', async () => {
  await n8n.stop();
  await n8n.start(HOOK);
  assert.equal((await deliver('evt-1')).status, 200);
  assert.equal(await worked('evt-1'), 1);
  assert.equal((await deliver('evt-4')).status, 200);
  assert.equal(await worked('evt-4'), 1);
});
