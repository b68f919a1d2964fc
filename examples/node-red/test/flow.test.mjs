// Tests the example's flow in Node-RED. The simulated service's ledger shows which messages were created.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { simulatedService } from '../../node/host-test.js';
import { CREATED, rawService } from '../../node/test/service.js';
import { post as postTo, start, userFolder } from './node-red.mjs';

let service;
let user;
let red;
const env = () => ({ MESSAGING_BASE_URL: service.baseUrl, MESSAGING_API_KEY: service.apiKey });

before(async () => {
  service = await simulatedService();
  user = await userFolder();
  await addFlow(user.folder);
  red = await start(user.folder, env());
});

after(async () => {
  await red?.stop();
  await service?.stop();
  await user?.remove();
});

/** Adds the flows that the tests need to the example's flow. */
async function addFlow(folder) {
  const file = join(folder, 'flows.json');
  const flow = JSON.parse(await readFile(file, 'utf8'));
  const z = 'messaging.flow';
  const add = (...nodes) => flow.push(...nodes.map((node) => ({ z, ...node })));
  const incoming = (name, ...wires) => ({
    id: `test.${name}.in`, type: 'http in', url: `/${name}`, method: 'post', skipBodyParsing: ['first', 'slow'].includes(name), wires: [wires],
  });
  const send = (id, property) => ({
    id, type: 'messaging-send', account: 'messaging.account', phone: 'payload.phone', phoneType: 'msg', ...property,
    device: '', deviceType: 'str', fields: '', fieldsType: 'json', wires: [['messaging.created']],
  });
  const run = (id, func, ...wires) => ({ id, type: 'function', func, outputs: 1, wires: [wires] });
  add(
    incoming('expression', 'test.expression'),
    send('test.expression', { message: '"Hello " & payload.name', messageType: 'jsonata' }),
    incoming('context', 'test.set'),
    run('test.set', "flow.set('text', 'from the context'); return msg;", 'test.context'),
    send('test.context', { message: 'text', messageType: 'flow' }),
    incoming('first', 'test.answer', 'test.later'),
    { id: 'test.answer', type: 'http response', statusCode: '200', wires: [] },
    { id: 'test.later', type: 'delay', pauseType: 'delay', timeout: '100', timeoutUnits: 'milliseconds', wires: [['test.first']] },
    { id: 'test.first', type: 'messaging-event', wires: [['test.worked'], []] },
    run('test.worked', "flow.set('first', (flow.get('first') ?? 0) + 1);"),
    incoming('slow', 'test.slow'),
    { id: 'test.slow', type: 'messaging-event', wires: [['test.begun'], ['messaging.kept']] },
    run('test.begun', "flow.set('slow', (flow.get('slow') ?? 0) + 1); return msg;", 'test.work'),
    { id: 'test.work', type: 'delay', pauseType: 'delay', timeout: '2', timeoutUnits: 'seconds', wires: [['messaging.kept']] },
    incoming('count', 'test.count'),
    run('test.count', "msg.payload = { first: flow.get('first') ?? 0, slow: flow.get('slow') ?? 0 }; return msg;", 'messaging.kept'),
  );
  await writeFile(file, JSON.stringify(flow));
}

const post = (path, ...given) => postTo(red.url + path, ...given);
const received = async () => (await service.ledger()).messages.length;
const deliver = (key, body = '{"id":"msg-1","object":"message","event":"message:in:new"}') =>
  post('/events', body, { 'x-idempotency-key': key });
/** Returns the number of events that the flow has processed. */
const worked = async () => {
  const { msg, format } = await (await fetch(`${red.url}/context/flow/messaging.flow/events`)).json();
  return format === 'number' ? Number(msg) : 0;
};

test('a message is created once, with further fields', async () => {
  const before = await received();
  const { status, json } = await post('/messages', { phone: '+34 600 111 222', message: 'Your order is ready.', fields: { device: 7 } });
  assert.deepEqual([status, json.id], [201, `msg-000${before + 1}`]);
  const { messages } = await service.ledger();
  assert.deepEqual(messages.length, before + 1);
  assert.equal(messages.at(-1).phone, '+34600111222');
});

test('message with unknown outcome is sent once', async () => {
  const before = await received();
  const { status, json } = await post('/messages', { phone: '+99900002000', message: 'lost' });
  assert.equal(status, 422);
  assert.deepEqual([json.case, json.retry, json.mayExist], ['permanent-outcome-unknown', 'never', true]);
  assert.equal(await received(), before + 1);
});

test('rate limit is reported as safe to retry', async () => {
  const before = await received();
  const { status, json } = await post('/messages', { phone: '+99900000429', message: 'later' });
  assert.deepEqual([status, json.case, json.retry, json.mayExist], [503, 'rate-limited', 'safe', false]);
  assert.equal(await received(), before);
});

test('a wrong value is refused without a request', async () => {
  const { requests } = await service.ledger();
  for (const [phone, field] of [['600 111 222', 'phone'], [600111222, 'phone'], [undefined, 'phone']]) {
    const { status, json } = await post('/messages', { phone, message: 'hi' });
    assert.deepEqual([status, json.case, json.payload.field, json.mayExist], [422, 'permanent-invalid-input', field, false]);
  }
  assert.deepEqual((await service.ledger()).requests, requests);
});

test('all templates are listed', async () => {
  const reply = await fetch(`${red.url}/templates`);
  const { templates, total, incomplete } = await reply.json();
  assert.equal(templates.length, total);
  assert.equal(incomplete, undefined);
  const approved = await (await fetch(`${red.url}/templates?status=approved`)).json();
  assert.ok(approved.total < total);
});

test('concurrent deliveries of an event are handled once', async () => {
  const before = await worked();
  const both = await Promise.all([deliver('evt-1'), deliver('evt-1')]);
  const third = await deliver('evt-1');
  for (const { status, json } of [...both, third]) {
    assert.deepEqual([status, json.idempotencyKey, json.kind], [200, 'evt-1', 'message:in:new']);
    assert.equal(json.json, '{"id":"msg-1","object":"message","event":"message:in:new"}');
  }
  assert.equal(await worked(), before + 1);
});

test('JSON text of event stays unchanged', async () => {
  const body = '{"id":"msg-1","object":"message","event":"message:in:new","n":12345678901234567890123, "d":1.10}';
  assert.equal((await deliver('evt-exact', body)).json.json, body);
});

test('invalid event goes to the catch node', async () => {
  const before = await worked();
  const { status, json } = await deliver('evt-2', '{"id":"msg-1"}');
  assert.deepEqual([status, json.case, json.retry], [422, 'permanent-invalid-input', 'never']);
  assert.equal(await worked(), before);
});

test('compressed event is rejected because of its encoding', async () => {
  const body = gzipSync('{"id":"msg-1","object":"message","event":"message:in:new"}');
  const { status, json } = await post('/events', body, { 'x-idempotency-key': 'evt-gzip', 'content-encoding': 'gzip' });
  assert.deepEqual([status, json.payload.field], [422, 'content-encoding']);
});

test('context on disk keeps event keys across restarts', async () => {
  await deliver('evt-3');
  const before = await worked();
  await red.stop();
  red = await start(user.folder, env());
  assert.equal((await deliver('evt-3')).status, 200);
  assert.equal(await worked(), before);
});

test('stop of Node-RED waits for an active send', async (t) => {
  let arrived;
  const arrival = new Promise((resolve) => (arrived = resolve));
  const slow = await rawService(arrived);
  t.after(() => slow.close());
  await red.stop();
  red = await start(user.folder, { ...env(), MESSAGING_BASE_URL: slow.baseUrl });
  const reply = post('/messages', { phone: '+34600111222', message: 'slow' }).catch(() => {});
  const socket = await arrival;
  const stopped = red.stop();
  await red.says('Stopping flows');
  socket.end(CREATED);
  await stopped;
  await reply;
  assert.match(red.log(), /\[messaging-send:.*\] after the flow was stopped: created msg-1/);
  assert.equal(slow.requests.length, 1);
  red = await start(user.folder, env());
});

test('node properties can be expressions or context values', async () => {
  const before = await received();
  for (const path of ['/expression', '/context']) {
    const { status, json } = await post(path, { phone: '+34600111222', name: 'Ana' });
    assert.equal(status, 201, JSON.stringify(json));
  }
  const { messages } = await service.ledger();
  assert.deepEqual(messages.slice(before).map(({ message }) => message), ['Hello Ana', 'from the context']);
});

test('event answered before processing is processed once', async () => {
  for (let delivery = 0; delivery < 3; delivery++) {
    await post('/first', '{"id":"msg-1","object":"message","event":"message:in:new"}', { 'x-idempotency-key': 'evt-first' });
    // The flow processes the event after the answer.
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.equal((await post('/count', {})).json.first, 1);
});

test('redeployed node recognizes event with active delivery', async () => {
  const slow = () => post('/slow', '{"id":"msg-1","object":"message","event":"message:in:new"}', { 'x-idempotency-key': 'evt-slow' });
  const first = slow();
  while ((await post('/count', {})).json.slow < 1) await new Promise((resolve) => setTimeout(resolve, 50));
  await red.deploy('nodes', (flows) => (flows.find(({ id }) => id === 'test.slow').name = 'redeployed'));
  assert.equal((await first).status, 200);
  assert.equal((await slow()).status, 200);
  assert.equal((await post('/count', {})).json.slow, 1);
});

test('logs, flows and messages contain no API key', async () => {
  const { json } = await post('/messages', { phone: '+99900000400', message: service.apiKey });
  for (const text of [red.log(), JSON.stringify(json), await readFile(join(user.folder, 'flows.json'), 'utf8')]) {
    assert.ok(!text.includes(service.apiKey));
  }
});
