// Tests the workflows of this example in n8n. `../run` runs the tests. The simulated service's ledger shows which
// messages were created.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { JOURNAL_TOKEN, journalServer, simulatedService } from '../../node/host-test.js';
import { CREATED, rawService, reply } from '../../node/test/service.js';
import { N8n } from './n8n.mjs';

const workflow = (name) => JSON.parse(readFileSync(join(import.meta.dirname, `../workflows/${name}.json`), 'utf8'));
const SEND = workflow('send');
const SHIPPED_EVENTS = workflow('events');
const EVENTS = withHook(SHIPPED_EVENTS, SHIPPED_EVENTS.id, randomUUID());
const TOOL = workflow('tool');
const hookOf = ({ nodes }) => `/webhook/${nodes[0].webhookId}/messaging-event`;
const HOOK = hookOf(EVENTS);
const OK = '+34 600 111 222';
const LOST = '+99900002000';
const OTHER = '+34600111333';
const LIMITED = '+99900000429';
const SCRIPTED = { messagingPluginApi: { id: 'scriptedAccount01', name: 'scripted' } };

const WITH_JOURNAL = { messagingPluginApi: { id: 'journalAccount001', name: 'with a journal' } };
const SCRIPTED_WITH_JOURNAL = { messagingPluginApi: { id: 'journalAccount002', name: 'scripted, with a journal' } };

const BEARER = 'only-agents-know-this';

let service;
/** A service that answers each request with the function `answer`. Each test sets `answer`. */
let scripted;
let answer;
let n8n;
let folder;
let journal;

/** Returns a copy of the workflow `SEND` for the recipient `phone`. `settings` replace those of the node that sends. */
function sending(id, phone, settings) {
  const copy = structuredClone(SEND);
  copy.nodes[1].parameters.jsonOutput = JSON.stringify({ phone });
  Object.assign(copy.nodes[3], settings);
  return { ...copy, id, name: id };
}

/** Returns a copy of the workflow `given` with another ID and another webhook ID. */
function withHook(given, id, webhookId) {
  const copy = structuredClone(given);
  copy.nodes[0].webhookId = webhookId;
  return { ...copy, id, name: id };
}

/** Returns a workflow that an HTTP request starts, and that sends to the scripted service. */
function started(id, change = () => {}) {
  const copy = sending(id, [OK, OTHER], { onError: 'stopWorkflow', retryOnFail: false, credentials: SCRIPTED });
  copy.nodes[0] = {
    ...copy.nodes[0], type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: randomUUID(),
    parameters: { path: id, httpMethod: 'POST', responseMode: 'onReceived' },
  };
  change(copy);
  return copy;
}

const SCRIPTED_EVENTS = withHook(SHIPPED_EVENTS, 'scriptedEvents01', randomUUID());
SCRIPTED_EVENTS.nodes[1].credentials = SCRIPTED;
const STOPPED = started('stopped000000001');
const FAILED = started('failed0000000001');
const NO_TEXTS = sending('noTexts000000001', Array(5).fill(OK), {
  retryOnFail: false, parameters: { ...SEND.nodes[3].parameters, message: '={{ [undefined, null, [1, 2], { a: 1 }, true][$itemIndex] }}' },
});
const DEVICE = sending('device0000000001', [OK], { parameters: { ...SEND.nodes[3].parameters, options: { device: '={{ 7 }}' } } });
const withKey = (key, more) => ({ ...SEND.nodes[3].parameters, ...more, options: { idempotencyKey: key } });
const ONCE = sending('once000000000001', [OK, LOST], {
  onError: 'continueErrorOutput', credentials: WITH_JOURNAL, parameters: withKey('=shipped-{{ $json.phone.replaceAll(" ", "") }}'),
});
const NO_KEY = sending('noKey00000000001', [OK, OK], {
  retryOnFail: false, credentials: WITH_JOURNAL, parameters: withKey('={{ [undefined, ""][$itemIndex] }}'),
});
const NO_JOURNAL = sending('noJournal0000001', [OK], { retryOnFail: false, parameters: withKey('order-17') });
const KILLED = started('killed0000000001', ({ nodes }) => {
  Object.assign(nodes[3], { credentials: SCRIPTED_WITH_JOURNAL, parameters: withKey('order-18', { deadlineMs: 1000 }) });
});
// A node of n8n that would send the API key to another address.
const ELSEWHERE = sending('elsewhere0000001', [OK], {
  type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2,
  parameters: { url: 'http://127.0.0.1:9/', authentication: 'predefinedCredentialType', nodeCredentialType: 'messagingPluginApi' },
});

const WORKFLOWS = [
  SEND,
  EVENTS,
  { ...SHIPPED_EVENTS, id: 'shippedEvents001', name: 'as it is shipped' },
  SCRIPTED_EVENTS,
  STOPPED,
  FAILED,
  TOOL,
  NO_TEXTS,
  DEVICE,
  ONCE,
  NO_KEY,
  NO_JOURNAL,
  KILLED,
  ELSEWHERE,
  sending('throws0000000001', [OK, LOST], { onError: 'stopWorkflow' }),
  sending('safe000000000001', [OK, LIMITED], { onError: 'stopWorkflow' }),
  sending('first00000000001', [LOST, OK], {}),
  sending('branch0000000001', [LOST, OK, LIMITED], {
    onError: 'continueErrorOutput', maxTries: 2,
    parameters: { ...SEND.nodes[3].parameters, options: { fields: '{ "reference": 12345678901234567890, "price": 1.10 }' } },
  }),
  sending('denied0000000001', [OK], { onError: 'stopWorkflow', retryOnFail: false, credentials: { messagingPluginApi: { id: 'wrongAccount00001', name: 'wrong' } } }),
];

before(async () => {
  service = await simulatedService();
  scripted = await rawService((socket, request) => answer(socket, request));
  folder = mkdtempSync(join(tmpdir(), 'n8n-journal-'));
  journal = await journalServer(folder);
  n8n = await N8n.make();
  const credential = (id, name, apiKey, baseUrl = service.baseUrl, more = {}) =>
    ({ id, name, type: 'messagingPluginApi', data: { baseUrl, apiKey, ...more } });
  const kept = { journalUrl: journal.url, journalToken: JOURNAL_TOKEN };
  await n8n.import('credentials', [
    credential('messagingAccount1', 'simulated service', service.apiKey),
    credential('wrongAccount00001', 'wrong', 'another-key'),
    credential('scriptedAccount01', 'scripted', 'scripted-key', scripted.baseUrl),
    credential('journalAccount001', 'with a journal', service.apiKey, service.baseUrl, kept),
    credential('journalAccount002', 'scripted, with a journal', 'scripted-key', scripted.baseUrl, kept),
    { id: 'messagingBearer01', name: 'agents', type: 'httpBearerAuth', data: { token: BEARER } },
  ]);
  await n8n.import('workflow', WORKFLOWS);
});

after(async () => {
  await n8n?.remove();
  await service?.stop();
  await scripted?.close();
  await journal?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

/** Counts POST requests by recipient, and created messages, while `work` runs. */
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

test('workflow sends, reports each item, lists templates', async () => {
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

test('"Retry On Fail" repeats only provably unsent messages', async () => {
  const { made, created, ...nodes } = await counted(() => n8n.execute('throws0000000001'));
  assert.match(nodes['Send Message'].error.message, /^permanent-outcome-unknown/);
  assert.match(nodes['Send Message'].error.description, /may exist/);
  assert.deepEqual(made, { [plain(OK)]: 1, [LOST]: 1 });
  assert.equal(created, 2);
});

test('"Retry On Fail" repeats only after safe errors', async () => {
  const { made, created, ...nodes } = await counted(() => n8n.execute('safe000000000001'));
  assert.match(nodes['Send Message'].error.message, /^rate-limited/);
  assert.equal(made[plain(OK)], 1);
  // n8n runs the node three times. The component does not retry: the service asks for a delay of one minute, which is
  // longer than the deadline.
  assert.equal(made[LIMITED], 3);
  assert.equal(created, 1);
});

test('rerun after an error sends nothing twice', async () => {
  const { made, created } = await counted(() => n8n.execute('first00000000001'));
  assert.deepEqual(made, { [plain(OK)]: 1, [LOST]: 1 });
  assert.equal(created, 2);
});

test('error output gets failed items with their input', async () => {
  const { made, ...nodes } = await counted(() => n8n.execute('branch0000000001'));
  const { items, errors } = nodes['Send Message'];
  assert.deepEqual(items.map(({ id }) => typeof id), ['string']);
  assert.deepEqual(errors.map(({ phone, details }) => [phone, details.retry, details.mayExist]), [[LOST, 'never', true], [LIMITED, 'safe', false]]);
  assert.deepEqual([made[LOST], made[plain(OK)]], [1, 1]);
});

test('numbers in fields keep all their digits', async () => {
  const { requests } = await service.ledger();
  assert.match(requests.findLast(({ method }) => method === 'POST').body, /"reference":12345678901234567890,"price":1\.10/);
});

test('repeated workflow creates one message per key', async () => {
  const { made, ...first } = await counted(() => n8n.execute(ONCE.id));
  assert.deepEqual(made, { [plain(OK)]: 1, [LOST]: 1 });
  const { created, ...second } = await counted(() => n8n.execute(ONCE.id));
  assert.deepEqual(second.made, {});
  assert.equal(created, 0);
  const [[sent], [again]] = [first, second].map((nodes) => nodes['Send Message'].items);
  assert.deepEqual([sent.replayed, again.replayed, again.id], [false, true, sent.id]);
  for (const nodes of [first, second]) {
    const [{ phone, details }] = nodes['Send Message'].errors;
    assert.deepEqual([phone, details.case, details.mayExist, details.retry], [LOST, 'permanent-outcome-unknown', true, 'never']);
  }
  assert.ok(![first.text, second.text].some((text) => text.includes(JOURNAL_TOKEN)));
});

test('empty key or missing journal sends nothing', async () => {
  for (const { id } of [NO_KEY, NO_JOURNAL]) {
    const { made, ...nodes } = await counted(() => n8n.execute(id));
    assert.deepEqual(made, {});
    for (const { details } of nodes['Send Message'].items) {
      assert.deepEqual([details.case, details.retry, details.mayExist], ['permanent-invalid-input', 'never', false]);
    }
  }
});

test('wrong API key is reported and never shown', async () => {
  const { text, created, ...nodes } = await counted(() => n8n.execute('denied0000000001'));
  assert.match(nodes['Send Message'].error.message, /^permanent-unauthorized: .*status 401/);
  assert.equal(created, 0);
  assert.ok(!text.includes('another-key'));
});

test('message or device without string type is rejected', async () => {
  const texts = await counted(() => n8n.execute(NO_TEXTS.id));
  for (const { details } of texts['Send Message'].items) {
    assert.deepEqual([details.case, details.payload.field, details.mayExist], ['permanent-invalid-input', 'message', false]);
  }
  assert.equal(texts['Send Message'].items.length, 5);
  assert.deepEqual(texts.made, {});
  const { made, ...nodes } = await counted(() => n8n.execute(DEVICE.id));
  assert.match(nodes['Send Message'].items[0].error, /device.*numeric device in the fields: \{ "device": 7 \}/);
  assert.deepEqual(made, {});
});

test('n8n gives API key only to this package', async () => {
  const { text } = await n8n.execute(ELSEWHERE.id);
  assert.match(text, /restricted to/);
});

test('destination that n8n forbids is denied', async () => {
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

async function deliver(key, body = bodyOf(key), hook = HOOK) {
  const reply = await fetch(n8n.url + hook, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-idempotency-key': key },
    body,
  });
  return { status: reply.status, text: await reply.text() };
}
/**
 * Returns the number of messages that the workflow sent about an event. n8n responds to a delivery after the workflow
 * has sent its message.
 */
const worked = async (key) => (await service.ledger()).messages.filter(({ message }) => message === bodyOf(key)).length;

test('trigger handles concurrent deliveries of an event once', async () => {
  for (const { id } of [EVENTS, TOOL, SCRIPTED_EVENTS, STOPPED, FAILED, KILLED, { id: 'shippedEvents001' }]) {
    const { code, text } = await n8n.command('publish:workflow', `--id=${id}`);
    assert.equal(code, 0, text);
  }
  await n8n.start(HOOK);
  assert.deepEqual(await deliver('evt-1'), { status: 200, text: '' });
  assert.equal(await worked('evt-1'), 1);
  assert.deepEqual(await deliver('evt-1'), { status: 200, text: '{"message":"repeated"}' });
  assert.equal(await worked('evt-1'), 1);
  // Other content under a reused key is a new event.
  assert.deepEqual(await deliver('evt-1', bodyOf('other content')), { status: 200, text: '' });
  assert.equal(await worked('other content'), 1);
  const both = await Promise.all([deliver('evt-2'), deliver('evt-2')]);
  assert.deepEqual(both.map(({ status }) => status), [200, 200]);
  assert.equal(await worked('evt-2'), 1);
});

test('the trigger rejects an invalid event', async () => {
  const { status, text } = await deliver('evt-3', '{"id":"msg-1"}');
  assert.equal(status, 400);
  assert.match(text, /permanent-invalid-input/);
});

test('redelivery of a failed event is handled once', async () => {
  const hook = hookOf(SCRIPTED_EVENTS);
  const before = scripted.requests.length;
  answer = (socket) => socket.end(reply('429 Too Many Requests\r\nRetry-After: 3600', '{}'));
  assert.equal((await deliver('evt-5', bodyOf('evt-5'), hook)).status, 500);
  answer = (socket) => socket.end(CREATED);
  assert.deepEqual(await deliver('evt-5', bodyOf('evt-5'), hook), { status: 200, text: '' });
  assert.deepEqual(await deliver('evt-5', bodyOf('evt-5'), hook), { status: 200, text: '{"message":"repeated"}' });
  assert.equal(scripted.requests.length, before + 2);
});

test('event with unknown reply outcome is handled once', async () => {
  const hook = hookOf(SCRIPTED_EVENTS);
  const before = scripted.requests.length;
  answer = (socket) => socket.destroy();
  assert.equal((await deliver('evt-6', bodyOf('evt-6'), hook)).status, 200);
  answer = (socket) => socket.end(CREATED);
  assert.equal((await deliver('evt-6', bodyOf('evt-6'), hook)).status, 200);
  assert.equal(scripted.requests.length, before + 1);
});

test('trigger with the public address is not activated', async () => {
  assert.equal((await deliver('evt-7', bodyOf('evt-7'), hookOf(SHIPPED_EVENTS))).status, 404);
});

async function judge(apiKey, baseUrl, allowHttp = false) {
  const data = { baseUrl, apiKey, allowHttp };
  return await n8n.rest('/credentials/test', { credentials: { id: 'messagingAccount1', name: 'any', type: 'messagingPluginApi', data } });
}

test('credential test sends API key only to service', async () => {
  await n8n.login();
  const other = await rawService((socket) => socket.end(CREATED));
  const elsewhere = await rawService((socket) => socket.end(CREATED), '0.0.0.0');
  for (const status of [301, 302, 307, 308]) {
    answer = (socket) => socket.end(reply(`${status} Elsewhere\r\nLocation: ${other.baseUrl}/stolen`, '{"data":[]}'));
    assert.equal((await judge('scripted-key', scripted.baseUrl)).status, 'Error');
  }
  const own = Object.values(networkInterfaces()).flat().find(({ internal, family }) => !internal && family === 'IPv4');
  if (own) {
    const { status, message } = await judge('scripted-key', elsewhere.baseUrl.replace('0.0.0.0', own.address));
    assert.equal(status, 'Error');
    assert.match(message, /would show the secret to the network/);
    await judge('scripted-key', elsewhere.baseUrl.replace('0.0.0.0', own.address), true);
    assert.equal(elsewhere.requests.splice(0).length, 1);
  }
  for (const body of ['not an API', '{}', '{"data":7}', '[]']) {
    answer = (socket) => socket.end(reply('200 OK\r\nContent-Type: application/json', body));
    assert.notEqual((await judge('scripted-key', scripted.baseUrl))?.status, 'OK', body);
  }
  assert.deepEqual([...other.requests, ...elsewhere.requests], []);
  await other.close();
  await elsewhere.close();
});

test('the credentials are tested without creating anything', async () => {
  const before = await service.ledger();
  assert.equal((await judge(service.apiKey, `${service.baseUrl}/`)).status, 'OK');
  assert.equal((await judge('another-key', service.baseUrl)).status, 'Error');
  const { requests, created } = await service.ledger();
  const made = requests.slice(before.requests.length).map(({ method }) => method);
  assert.ok(made.length >= 2 && made.every((method) => method === 'GET'), String(made));
  assert.equal(created, before.created);
});

test('retried execution sends nothing twice', async () => {
  const filter = encodeURIComponent(JSON.stringify({ workflowId: 'throws0000000001' }));
  const { results } = await n8n.rest(`/executions?filter=${filter}`);
  const { made, status } = await counted(() => n8n.rest(`/executions/${results[0].id}/retry`, { loadWorkflow: true }));
  assert.equal(status, 'error');
  assert.deepEqual(made, {});
});

/** Resolves with the newest execution of a workflow when `isWanted` accepts the execution. */
async function executionOf(workflowId, isWanted) {
  const filter = encodeURIComponent(JSON.stringify({ workflowId }));
  for (;;) {
    const [newest] = (await n8n.rest(`/executions?filter=${filter}`)).results;
    if (newest && isWanted(newest)) return newest;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const begin = async ({ id }) => assert.equal((await fetch(`${n8n.url}/webhook/${id}`, { method: 'POST' })).status, 200);

test('retry of a stopped execution sends nothing', async () => {
  const arrived = new Promise((resolve) => (answer = resolve));
  await begin(STOPPED);
  const socket = await arrived;
  const { id } = await executionOf(STOPPED.id, ({ status }) => status === 'running');
  assert.equal((await n8n.rest(`/executions/${id}/stop`, {})).status, 'canceled');
  socket.destroy();
  const before = scripted.requests.length;
  answer = (socket) => socket.end(CREATED);
  for (const loadWorkflow of [true, false]) {
    const { status, data } = await n8n.rest(`/executions/${id}/retry`, { loadWorkflow });
    assert.equal(status, 'error');
    assert.match(JSON.stringify(data), /n8n has no record of the sends of the retried execution/);
  }
  assert.equal(scripted.requests.length, before);
});

test('retry of failed execution sends only unsent message', async () => {
  const phones = () => scripted.requests.slice(before).map((request) => JSON.parse(request.split('\r\n\r\n')[1]).phone);
  const before = scripted.requests.length;
  answer = (socket, request) => socket.end(request.includes(OTHER) ? reply('429 Too Many Requests\r\nRetry-After: 3600', '{}') : CREATED);
  await begin(FAILED);
  const { id } = await executionOf(FAILED.id, ({ status }) => status === 'error');
  assert.deepEqual(phones(), [plain(OK), OTHER]);
  answer = (socket, request) => socket.end(request.startsWith('GET') ? reply('200 OK', '{"data":[],"total":0,"page":0,"size":0}') : CREATED);
  await n8n.rest(`/executions/${id}/retry`, { loadWorkflow: true });
  assert.deepEqual(scripted.requests.slice(before).filter((request) => request.startsWith('POST')).length, 3);
  assert.match(scripted.requests[before + 2], new RegExp(OTHER.replace('+', '\\+')));
});

test('agent tool repeats only safe calls', async () => {
  const ask = async (method, params, session, token = BEARER) => {
    const reply = await fetch(`${n8n.url}/mcp/messaging`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${token}`, ...session },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    if (reply.status !== 200) return { status: reply.status };
    const [, json] = /^data: (.*)$/m.exec(await reply.text());
    return { session: { 'mcp-session-id': reply.headers.get('mcp-session-id') }, ...JSON.parse(json).result };
  };
  const hello = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  assert.deepEqual(await ask('initialize', hello, {}, 'a-guess'), { status: 403 });
  const { session } = await ask('initialize', hello);
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

test('redelivery after a kill handles the event', async () => {
  const hook = hookOf(SCRIPTED_EVENTS);
  const before = scripted.requests.length;
  const arrived = new Promise((resolve) => (answer = resolve));
  const first = deliver('evt-8', bodyOf('evt-8'), hook).catch(() => 'no answer');
  await arrived;
  await n8n.stop('SIGKILL');
  assert.equal(await first, 'no answer');
  answer = (socket) => socket.end(CREATED);
  await n8n.start(hook);
  assert.deepEqual(await deliver('evt-8', bodyOf('evt-8'), hook), { status: 200, text: '' });
  assert.equal(scripted.requests.length, before + 2);

  const { id } = await crashed();
  await n8n.rest(`/executions/${id}/retry`, { loadWorkflow: true });
  assert.equal(scripted.requests.length, before + 2);
});

test('keyed send of killed workflow is not repeated', async () => {
  const arrived = new Promise((resolve) => (answer = resolve));
  const before = scripted.requests.length;
  await begin(KILLED);
  await arrived;
  await n8n.stop('SIGKILL');
  answer = (socket) => socket.end(CREATED);
  await n8n.start(`/webhook/${KILLED.id}`);
  // The request of `n8n.start` has started an execution too. Sends under the key return `busy` until the journal treats
  // the killed sender as lost.
  for (let said = 'busy'; said === 'busy';) {
    const known = (await executionOf(KILLED.id, () => true)).id;
    await begin(KILLED);
    const { id } = await executionOf(KILLED.id, ({ id, status }) => id !== known && status === 'error');
    const { data } = await n8n.rest(`/executions/${id}`);
    said = data.includes('permanent-outcome-unknown') ? 'unknown' : 'busy';
    if (said === 'busy') assert.match(data, /"busy/);
  }
  assert.equal(scripted.requests.length, before + 1);
});

async function crashed() {
  const filter = encodeURIComponent(JSON.stringify({ workflowId: SCRIPTED_EVENTS.id, status: ['crashed'] }));
  return (await n8n.rest(`/executions?filter=${filter}`)).results[0];
}
