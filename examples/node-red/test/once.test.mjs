// Tests messages with a key in Node-RED flows that retry. The service's ledger shows which messages were created.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { MESSAGING, simulatedService, start as startHost } from '../../node/host-test.js';
import { CREATED, rawService, reply } from '../../node/test/service.js';
import { freePort, post as postTo, start, userFolder } from './node-red.mjs';

const MESSAGE = { phone: '+34 600 111 222', message: 'Your order is ready.' };
/** A message that the service creates before it closes the connection without a reply. */
const CLOSES = { ...MESSAGE, phone: '+99900002000' };
/** A message that the service creates without sending a reply. */
const HANGS = { ...MESSAGE, phone: '+99900002002' };

let service;
let user;
let red;
const env = (baseUrl = service.baseUrl) => ({ MESSAGING_BASE_URL: baseUrl, MESSAGING_API_KEY: service.apiKey });
const post = (path, ...given) => postTo(red.url + path, ...given);
/** Sends in a flow that retries. If `during` is given, the flow retries while the error is in this list. Otherwise, it
 *  retries after any error, `times` times. */
const blindly = (key, message, { times = 15, during } = {}) => post('/blind', { key, ...message, times, during });
const sent = async (baseUrl = service.baseUrl) => (await (await fetch(`${baseUrl}/_simulator/ledger`)).json()).messages.length;

before(async () => {
  service = await simulatedService();
  user = await userFolder('a message that may be repeated');
  await addFlow(user.folder);
  red = await start(user.folder, env());
  await red.says('sent at the start: ');
});

after(async () => {
  await red?.stop();
  await service?.stop();
  await user?.remove();
});

/** Shortens the delays of the example's flow. Adds a flow that retries every failure, a flow that sends at each start,
 *  and a flow without a journal. */
async function addFlow(folder) {
  const file = join(folder, 'flows.json');
  const flow = JSON.parse(await readFile(file, 'utf8'));
  const z = 'once.flow';
  const node = (id) => flow.find((one) => one.id === id);
  Object.assign(node('once.pause'), { timeout: '50', timeoutUnits: 'milliseconds' });
  const send = (id, ...wires) => ({ ...node('once.send'), id, wires: [wires] });
  const unkept = { ...node('once.account'), id: 'test.unkept', journal: '' };
  flow.push(
    { z, id: 'test.post', type: 'http in', url: '/blind', method: 'post', wires: [['test.key']] },
    {
      z, id: 'test.key', type: 'function', outputs: 1, wires: [['test.send']],
      func: 'msg.key = msg.payload.key; msg.asked = msg.payload; msg.cases = []; return msg;',
    },
    send('test.send', 'once.created'),
    { z, id: 'test.catch', type: 'catch', scope: ['test.send'], wires: [['test.again']] },
    {
      z, id: 'test.again', type: 'function', outputs: 2, wires: [['test.pause'], ['test.failed']],
      func: `
        const { times, during } = msg.asked;
        msg.cases.push(msg.failure.case);
        node.warn('again after ' + msg.failure.case);
        const isOver = during ? !during.includes(msg.failure.case) : msg.cases.length > times;
        if (isOver) msg.payload = { ...msg.failure, cases: msg.cases, text: msg.error.message };
        delete msg.error;
        return isOver ? [null, msg] : [msg, null];`,
    },
    { z, id: 'test.pause', type: 'delay', pauseType: 'delay', timeout: '20', timeoutUnits: 'milliseconds', wires: [['test.send']] },
    { z, id: 'test.failed', type: 'http response', statusCode: '422', wires: [] },

    {
      z, id: 'test.start', type: 'inject', once: true, onceDelay: '0.05', wires: [['test.started']],
      props: [{ p: 'key', v: 'at-the-start', vt: 'str' }, { p: 'payload', v: JSON.stringify(MESSAGE), vt: 'json' }],
    },
    send('test.started', 'test.count'),
    { z, id: 'test.count', type: 'function', outputs: 1, wires: [[]], func: "node.warn('sent at the start: ' + JSON.stringify(msg.payload));" },

    { z, id: 'test.unkept.post', type: 'http in', url: '/unkept', method: 'post', wires: [['test.unkept.key']] },
    { z, id: 'test.unkept.key', type: 'function', func: 'msg.key = msg.payload.key; return msg;', outputs: 1, wires: [['test.unkept.send']] },
    unkept,
    { ...send('test.unkept.send', 'once.created'), account: 'test.unkept' },
    { z, id: 'test.unkept.catch', type: 'catch', scope: ['test.unkept.send'], wires: [['once.look']] },
  );
  await writeFile(file, JSON.stringify(flow));
  const credentials = join(folder, 'flows_cred.json');
  const known = JSON.parse(await readFile(credentials, 'utf8'));
  await writeFile(credentials, JSON.stringify({ ...known, 'test.unkept': known['once.account'] }));
}

async function restart(signal, baseUrl) {
  await red.stop(signal);
  red = await start(user.folder, env(baseUrl));
}

/** Runs the program `messaging` on the journal of the node. */
function messaging(...args) {
  const journal = join(user.folder, 'messaging-journal.sqlite');
  const { status, stdout, stderr } = spawnSync(MESSAGING, [...args, '--journal', journal, '--json'], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout.trim() === '' ? undefined : JSON.parse(stdout);
}

test('concurrent equal inputs create one message', async () => {
  const before = await sent();
  const all = await Promise.all(Array.from({ length: 5 }, () => post('/orders/1/shipped', MESSAGE)));
  all.push(await post('/orders/1/shipped', MESSAGE));
  for (const { status, json } of all) assert.deepEqual([status, json.id, json.recorded], [201, all[0].json.id, true], JSON.stringify(json));
  assert.equal(all.filter(({ json }) => !json.replayed).length, 1);
  assert.equal(await sent(), before + 1);
});

test('retries after lost replies create one message', async () => {
  const before = await sent();
  const { status, json } = await blindly('order-2', CLOSES);
  assert.deepEqual([status, json.retry, json.mayExist], [422, 'never', true]);
  assert.deepEqual(json.cases, Array(16).fill('permanent-outcome-unknown'));
  assert.match(json.text, /look for the message, then resolve order-2$/);
  assert.equal(await sent(), before + 1);
});

test('command line and node share a journal', async () => {
  const before = await sent();
  assert.equal((await post('/orders/3/shipped', CLOSES)).status, 422);
  const { state, attempts } = messaging('sent', 'show', 'order-3-shipped');
  assert.deepEqual([state, attempts], ['unknown', 1]);
  const { id } = (await service.ledger()).messages.at(-1);
  messaging('sent', 'resolve', 'order-3-shipped', '--created', id, '--by', 'Ada', '--reason', 'seen in the inbox');
  const { status, json } = await post('/orders/3/shipped', CLOSES);
  assert.deepEqual([status, json.id, json.replayed], [201, id, true]);
  assert.equal(await sent(), before + 1);
});

test('message resolved as not created is sent once', async () => {
  const refused = { ...MESSAGE, phone: '+99900000503' };
  const before = await sent();
  const { json } = await post('/orders/4/shipped', refused);
  assert.deepEqual([json.case, json.payload.status], ['permanent-outcome-unknown', 503]);
  assert.match(json.advice, /look for the message, then resolve order-4-shipped$/);
  const { requests } = await service.ledger();
  await blindly('order-4-shipped', refused);
  assert.equal((await service.ledger()).requests.length, requests.length);
  const found = { attempt: 1, found: 'not-created', by: 'Ada', reason: 'it is not there' };
  const wrong = await post('/resolved/order-4-shipped', { ...found, found: undefined });
  assert.deepEqual([wrong.status, wrong.json.case], [422, 'permanent-invalid-input']);
  const { status, json: entry } = await post('/resolved/order-4-shipped', found);
  assert.deepEqual([status, entry.state, entry.resolutions[0].by], [200, 'not-created', 'Ada']);
  await blindly('order-4-shipped', refused);
  assert.equal((await service.ledger()).requests.length, requests.length + 1);
  assert.equal(await sent(), before);
});

test('reused or missing key is rejected', async () => {
  await post('/orders/5/shipped', MESSAGE);
  const before = await sent();
  assert.equal((await post('/orders/5/shipped', { ...MESSAGE, message: 'another' })).json.case, 'permanent-key-reused');
  const { json } = await blindly(undefined, MESSAGE, { times: 0 });
  assert.deepEqual([json.case, json.payload.field, json.mayExist], ['permanent-invalid-input', 'key', false]);
  assert.equal(await sent(), before);
});

test('key without a journal is rejected', async () => {
  const before = await sent();
  const { json } = await post('/unkept', { ...MESSAGE, key: 'order-6' });
  assert.deepEqual([json.case, json.payload.setting, json.mayExist], ['permanent-invalid-settings', 'journal', false]);
  assert.equal((await post('/unkept', MESSAGE)).status, 201);
  assert.equal(await sent(), before + 1);
});

test('message sent at each start is created once', async () => {
  const before = await sent();
  for (const type of ['full', 'nodes']) {
    await red.deploy(type, (flows) => (flows.find(({ id }) => id === 'test.started').name = type));
  }
  await restart('SIGKILL');
  await red.says('sent at the start: {"id":');
  assert.match(red.log(), /sent at the start: .*"replayed":true/);
  assert.equal(await sent(), before);
  assert.equal((await service.ledger()).messages.filter(({ id }) => id === messaging('sent', 'show', 'at-the-start').id).length, 1);
});

test('service that starts late gets one message', async (t) => {
  const port = await freePort();
  await restart('SIGTERM', `http://127.0.0.1:${port}`);
  t.after(() => restart());
  const reply = blindly('order-7', MESSAGE, { during: ['not-sent'] });
  await red.says('again after not-sent');
  const late = await startHost('service', '--json', '--listen', `127.0.0.1:${port}`);
  t.after(() => late.stop());
  assert.equal((await reply).status, 201);
  assert.equal(await sent(late['base-url']), 1);
});

test('rate-limited flow creates one message', async (t) => {
  const replies = [reply('429 Too Many Requests', '{}'), reply('429 Too Many Requests', '{}'), CREATED];
  const limiting = await rawService((socket) => socket.end(replies.shift()));
  t.after(() => limiting.close());
  await restart('SIGTERM', limiting.baseUrl);
  t.after(() => restart());
  assert.equal((await blindly('order-8', MESSAGE)).json.id, 'msg-1');
  assert.equal((await blindly('order-8', MESSAGE)).json.replayed, true);
  assert.equal(limiting.requests.length, 3);
});

test('killed Node-RED leaves the outcome unknown', async () => {
  const before = await sent();
  const lost = blindly('order-9', HANGS).catch(() => 'lost');
  while ((await sent()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
  await red.stop('SIGKILL');
  assert.equal(await lost, 'lost');
  assert.equal(messaging('sent', 'show', 'order-9').state, 'sending');
  red = await start(user.folder, env());
  const { json } = await blindly('order-9', HANGS, { during: ['busy'] });
  assert.equal(json.case, 'permanent-outcome-unknown');
  assert.equal(await sent(), before + 1);
});

test('redeployment waits until an active send is recorded', async (t) => {
  let arrived;
  const arrival = new Promise((resolve) => (arrived = resolve));
  const slow = await rawService(arrived);
  t.after(() => slow.close());
  await restart('SIGTERM', slow.baseUrl);
  t.after(() => restart());
  // The flow is stopped before it answers this request.
  blindly('order-10', MESSAGE, { times: 0 }).catch(() => {});
  const socket = await arrival;
  const deployed = red.deploy('full', (flows) => (flows.find(({ id }) => id === 'test.send').name = 'redeployed'));
  await red.says('Stopping');
  socket.end(CREATED);
  await deployed;
  const { status, json } = await blindly('order-10', MESSAGE, { during: ['busy', 'unavailable'] });
  assert.deepEqual([status, json.id, json.replayed], [201, 'msg-1', true]);
  assert.equal(slow.requests.length, 1);
});

test('journal that cannot be opened prevents sends', async () => {
  const before = await sent();
  const journal = (location) => red.deploy('nodes', (flows) => (flows.find(({ id }) => id === 'once.account').journal = location));
  for (const location of ['postgres://u@127.0.0.1/d', 'http://journal.example', 'http://127.0.0.1:1']) {
    await journal(location);
    const { json } = await blindly('order-11', MESSAGE, { times: 0 });
    assert.equal(json.case, 'permanent-journal');
    assert.match(json.text, /give the URL and the token/);
  }
  await journal('none/journal.sqlite');
  const { json } = await blindly('order-11', MESSAGE, { times: 2 });
  assert.deepEqual(json.cases, Array(3).fill('permanent-journal'));
  assert.equal(json.mayExist, false);
  assert.equal(await sent(), before);
  await mkdir(join(user.folder, 'none'));
  assert.equal((await blindly('order-11', MESSAGE)).status, 201);
  assert.equal(await sent(), before + 1);
});

test('http: to other machines requires allowHttp', async () => {
  const account = (change) => red.deploy('nodes', (flows) => Object.assign(flows.find(({ id }) => id === 'test.unkept'), change));
  await account({ baseUrl: 'http://service.example' });
  assert.equal((await post('/unkept', MESSAGE)).json.case, 'permanent-invalid-settings');
  await account({ allowHttp: true });
  assert.equal((await post('/unkept', MESSAGE)).json.case, 'not-sent');
  const { Journal } = createRequire(join(user.folder, 'package.json'))('node-red-contrib-messaging-plugin/src/journal.js');
  const opened = (allowHttp) => new Journal('http://journal.example', { token: 'a-token', allowHttp }).opened();
  await assert.rejects(opened(false), /use https, or allowHttp/);
  await opened(true);
});
