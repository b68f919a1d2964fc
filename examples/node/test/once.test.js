// Tests `sendOnce` with every kind of journal. The simulated service's ledger shows which messages were created.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once as event } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { createServer as createListener } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { inspect } from 'node:util';
import { ExecutionFailedError, InvalidInputError, InvalidSettingsError, NotSentError, OutcomeUnknownError, Plugin, RefusedError, UnavailableError } from 'messaging-plugin';
import { BusyError, HttpJournal, JournalError, JournalFailure, KeyForgottenError, KeyReusedError, NotRecordedError, Once, SqliteJournal, checkJournal } from 'messaging-plugin/once';
import { JOURNAL_TOKEN as TOKEN, MESSAGING, VERIFY, journalServer, simulatedService, startWith } from '../host-test.js';
import { onceErrorOf } from '../src/once-errors.js';
import { selfSigned } from './certificate.js';

const HERE = new URL('../', import.meta.url).pathname;
const MESSAGE = { phone: '+34600111222', message: 'It is on its way.' };
const CLOSES = { ...MESSAGE, phone: '+99900002000' };
const DEADLINES = JSON.parse(readFileSync(new URL('../../../guest/core/tests/deadline_cases.json', import.meta.url), 'utf8'));
const sqlite = await import('node:sqlite').catch(() => undefined);
const needsSqlite = { skip: sqlite ? false : 'NOT RUN: this Node has no node:sqlite' };

before(() => {
  if (!sqlite) console.error('NOT RUN: the tests of SqliteJournal, which needs Node 22.13 or newer');
});

/** Returns a journal in memory. `before(name)` runs before each function and may throw. */
function journalInMemory(before = () => {}) {
  const texts = new Map();
  return {
    texts,
    async get(key) {
      await before('get');
      return texts.get(key);
    },
    async swap(key, expected, text) {
      await before('swap');
      const found = texts.get(key);
      if (found !== expected) return { swapped: false, found };
      texts.set(key, text);
      return { swapped: true };
    },
    async listItems() {
      await before('listItems');
      return { items: Array.from(texts, ([key, text]) => ({ key, text })) };
    },
  };
}

async function setUp(t, options) {
  const service = await simulatedService();
  t.after(() => service.stop());
  const plugin = await Plugin.load({ baseUrl: service.baseUrl, apiKey: service.apiKey, deadlineMs: 2_000, ...options });
  t.after(() => plugin.close());
  return { service, plugin };
}

async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'once-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

const failed = (call) => call.then((value) => assert.fail(inspect(value)), (error) => error);

test('journal in memory passes journal suite', async () => {
  const journal = journalInMemory();
  await checkJournal(() => journal);
});

test('journal suite rejects every broken journal', async () => {
  const correct = journalInMemory();
  const broken = {
    'another client': () => journalInMemory(),
    'a swap that ignores the value': () => ({ ...correct, swap: async (key, _, text) => (correct.texts.set(key, text), { swapped: true }) }),
    'a swap in two steps': () => ({
      ...correct,
      async swap(key, expected, text) {
        const found = await correct.get(key);
        await new Promise(setImmediate);
        if (found !== expected) return { swapped: false, found };
        correct.texts.set(key, text);
        return { swapped: true };
      },
    }),
    'a list of one page': () => ({ ...correct, listItems: async () => ({ items: (await correct.listItems()).items.slice(0, 500) }) }),
    'keys in lower case': () => ({ ...correct, get: (key) => correct.get(key.toLowerCase()), swap: (key, ...more) => correct.swap(key.toLowerCase(), ...more) }),
  };
  for (const [name, open] of Object.entries(broken)) {
    await assert.rejects(async () => checkJournal(open), /^Error: journal suite: /, name);
    correct.texts.clear();
  }
});

test('only one of many concurrent calls sends', async (t) => {
  const { service, plugin } = await setUp(t);
  const journal = journalInMemory();
  const calls = await Promise.all(Array.from({ length: 16 }, () => new Once(plugin, journal).sendOnce('k', MESSAGE)));
  assert.deepEqual(new Set(calls.map(({ id }) => id)), new Set(['msg-0001']));
  assert.equal(calls.filter(({ replayed }) => !replayed).length, 1);
  assert.equal((await service.ledger()).messages.length, 1);
  const entry = await new Once(plugin, journal).lookUp('k');
  assert.deepEqual([entry.state, entry.id, entry.attempts, entry.resolutions], ['created', 'msg-0001', 1, []]);
  assert.ok(!journal.texts.get('k').includes('on its way'));
});

test('client error is returned and frees key', async (t) => {
  const { service, plugin } = await setUp(t);
  const once = new Once(plugin, journalInMemory());
  const refused = await failed(once.sendOnce('k', { ...MESSAGE, phone: '+99900000422' }));
  assert.ok(refused instanceof RefusedError && refused.payload.status === 422, inspect(refused));
  assert.equal((await once.lookUp('k')).state, 'not-created');
  const said = new NotSentError('not-sent', { detail: 'no route' }, true);
  const client = { sendMessage: () => Promise.reject(said) };
  const journal = journalInMemory();
  assert.equal(await failed(new Once(client, journal).sendOnce('k', MESSAGE)), said);
  assert.equal((await new Once(plugin, journal).sendOnce('k', MESSAGE)).replayed, false);
  assert.equal((await service.ledger()).messages.length, 1);
});

test('promise instead of client or journal is rejected', async (t) => {
  const { plugin } = await setUp(t);
  assert.throws(() => new Once(Promise.resolve(plugin), journalInMemory()), /await Plugin.load/);
  assert.throws(() => new Once(plugin, Promise.resolve(journalInMemory())), /await SqliteJournal.open/);
});

test('options of one call are rejected', async (t) => {
  const { service, plugin } = await setUp(t);
  const error = await failed(new Once(plugin, journalInMemory()).sendOnce('k', MESSAGE, { deadlineMs: 5 }));
  assert.ok(error instanceof TypeError && /deadlineMs of Once/.test(error.message), inspect(error));
  assert.equal((await service.ledger()).requests.length, 0);
});

test('deadline of Once ends the send', async (t) => {
  const silent = createListener();
  await event(silent.listen(0, '127.0.0.1'), 'listening');
  const sockets = [];
  silent.on('connection', (socket) => sockets.push(socket));
  t.after(() => {
    silent.close();
    sockets.forEach((socket) => socket.destroy());
  });
  const client = await Plugin.load({ baseUrl: `http://127.0.0.1:${silent.address().port}`, apiKey: 'key', deadlineMs: 600_000 });
  const error = await failed(new Once(client, journalInMemory(), { deadlineMs: 200 }).sendOnce('k', MESSAGE));
  assert.ok(error instanceof OutcomeUnknownError, inspect(error));
});

test('unknown outcome stays until it is resolved', async (t) => {
  const { service, plugin } = await setUp(t);
  const once = new Once(plugin, journalInMemory());
  for (let time = 0; time < 2; time++) {
    const error = await failed(once.sendOnce('k', CLOSES));
    assert.ok(error instanceof OutcomeUnknownError && error.mayExist, inspect(error));
  }
  const { state, attempts } = await once.lookUp('k');
  assert.equal(state, 'unknown');
  const wrong = await failed(once.resolve('k', { attempt: 0.5, found: 'not-created', by: 'Ada', reason: 'looked' }));
  assert.ok(wrong instanceof InvalidInputError && wrong.payload.field === 'resolution.attempt', inspect(wrong));
  await once.resolve('k', { attempt: attempts, found: { created: 'msg-0001' }, by: 'Ada', reason: 'looked' });
  assert.deepEqual(await once.sendOnce('k', CLOSES), { id: 'msg-0001', json: undefined, replayed: true, recorded: true });
  const [made] = (await once.lookUp('k')).resolutions;
  assert.deepEqual([made.found, made.by, made.attempt], [{ created: 'msg-0001' }, 'Ada', 1]);
  assert.equal((await service.ledger()).messages.length, 1);
  const reused = await failed(once.sendOnce('k', MESSAGE));
  assert.ok(reused instanceof KeyReusedError && !reused.mayExist && reused.retry === 'never', inspect(reused));
  await once.forget('k');
  assert.ok((await failed(once.sendOnce('k', CLOSES))) instanceof KeyForgottenError);
  assert.deepEqual((await once.listEntries()).entries.map(({ key, state }) => [key, state]), [['k', 'forgotten']]);
});

test('only code call-is-over leaves outcome unknown', async () => {
  const once = new Once({ sendMessage: () => assert.fail('sent') }, journalInMemory());
  const error = await failed(once.resolve('k', { attempt: 1, found: 'not-created', by: 'Ada', reason: 'looked' }));
  assert.deepEqual([error.payload.code, error.mayExist, error.retry], ['no-entry', false, 'never']);
  const over = onceErrorOf({ tag: 'permanent-other', val: { code: 'call-is-over', detail: 'the call is over' } });
  assert.equal(over.mayExist, true);
});

test('unexpected result of client leaves outcome unknown', async () => {
  for (const thrown of [new TypeError('fetch failed'), 'a text', undefined, Object.create(null), Object.assign(new Error('odd'), { case: 'odd' })]) {
    const once = new Once({ sendMessage: () => Promise.reject(thrown) }, journalInMemory());
    assert.ok((await failed(once.sendOnce('k', MESSAGE))) instanceof OutcomeUnknownError, inspect(thrown));
  }
  for (const created of [undefined, {}, { id: 'msg-1' }, { id: 7, json: '{}' }]) {
    const once = new Once({ sendMessage: async () => created }, journalInMemory());
    assert.ok((await failed(once.sendOnce('k', MESSAGE))) instanceof OutcomeUnknownError, inspect(created));
  }
});

test('failed journal prevents send or is reported', async (t) => {
  const { service, plugin } = await setUp(t);
  const fails = (failure, from) => {
    let calls = 0;
    return journalInMemory(() => {
      if (++calls >= from) throw failure;
    });
  };
  const gone = new Error('it went away');
  const refused = new JournalFailure('no table', { refused: true });
  assert.ok((await failed(new Once(plugin, fails(gone, 1)).sendOnce('k', MESSAGE))) instanceof UnavailableError);
  assert.ok((await failed(new Once(plugin, fails(refused, 1)).sendOnce('k', MESSAGE))) instanceof JournalError);
  assert.ok((await failed(new Once(plugin, fails(refused, 1)).lookUp('k'))) instanceof JournalError);
  assert.equal((await service.ledger()).requests.length, 0);
  const sent = await new Once(plugin, fails(refused, 2)).sendOnce('k', MESSAGE);
  assert.deepEqual([sent.id, sent.recorded], ['msg-0001', false]);
  const not = await failed(new Once(plugin, fails(refused, 2)).sendOnce('k', { ...MESSAGE, phone: '+99900000422' }));
  assert.ok(not instanceof NotRecordedError && not.payload.error === 'permanent-refused', inspect(not));
});

test('call under key of active sender is busy', async () => {
  const journal = journalInMemory();
  let answer;
  const client = { deadlineMs: 100, sendMessage: () => new Promise((resolve) => (answer = resolve)) };
  const sending = new Once(client, journal).sendOnce('k', MESSAGE);
  while (!answer) await new Promise(setImmediate);
  const busy = await failed(new Once(client, journal).sendOnce('k', MESSAGE));
  assert.ok(busy instanceof BusyError && busy.retry === 'safe' && busy.retryAfterMs > 0, inspect(busy));
  answer({ id: 'msg-1', json: '{}' });
  assert.equal((await sending).id, 'msg-1');
});

test('onWait receives the reason for a wait', async () => {
  const journal = journalInMemory();
  let answer;
  const client = { deadlineMs: 100, sendMessage: () => new Promise((resolve) => (answer = resolve)) };
  const sending = new Once(client, journal).sendOnce('k', MESSAGE);
  while (!answer) await new Promise(setImmediate);
  const waits = [];
  await failed(new Once(client, journal, { onWait: (wait) => waits.push(wait) }).sendOnce('k', MESSAGE));
  assert.deepEqual(waits[0], { key: 'k', reason: 'sender', detail: 'another sender holds the key' });
  answer({ id: 'msg-1', json: '{}' });
  await sending;
  let calls = 0;
  const late = journalInMemory(() => {
    if (++calls === 1) throw new Error('it went away');
  });
  const throwing = new Once({ sendMessage: async () => ({ id: 'msg-1', json: '{}' }) }, late, {
    onWait(wait) {
      waits.splice(0, waits.length, wait);
      throw new Error('ignored');
    },
  });
  assert.equal((await throwing.sendOnce('k', MESSAGE)).id, 'msg-1');
  assert.equal(waits[0].reason, 'journal');
  assert.match(waits[0].detail, /it went away/);
});

test('key belongs to one base URL', async (t) => {
  const [first, second] = [await setUp(t), await setUp(t)];
  const journal = journalInMemory();
  const { id } = await new Once(first.plugin, journal).sendOnce('order-17', MESSAGE);
  const other = new Once(second.plugin, journal);
  await assert.rejects(other.sendOnce('order-17', MESSAGE), KeyReusedError);
  assert.equal((await new Once(first.plugin, journal).sendOnce('order-17', MESSAGE)).id, id);
  // If a client has no base URL, only the request is compared.
  const client = { sendMessage: () => assert.fail() };
  assert.equal((await new Once(client, journal).sendOnce('order-17', MESSAGE)).id, id);
});

test('deadline that is not plain digits is rejected', async () => {
  const client = { sendMessage: () => assert.fail() };
  for (const given of DEADLINES.invalid) {
    const plugin = await Plugin.load({ settings: { MESSAGING_DEADLINE_MS: given } });
    assert.throws(() => new Once(plugin, journalInMemory()), InvalidSettingsError, given);
  }
  for (const given of [0, 0.5, Number.NaN, 600_001, 1e21]) {
    assert.throws(() => new Once(client, journalInMemory(), { deadlineMs: given }), InvalidSettingsError, String(given));
  }
  for (const [given, expected] of Object.entries(DEADLINES.valid)) {
    assert.equal((await Plugin.load({ settings: { MESSAGING_DEADLINE_MS: given } })).deadlineMs, expected, given);
  }
  assert.equal((await Plugin.load({})).deadlineMs, undefined);
});

test('copies of process claim with different attempt names', async (t) => {
  const { getRandomValues } = crypto;
  t.after(() => (crypto.getRandomValues = getRandomValues));
  crypto.getRandomValues = (bytes) => bytes.fill(7);
  const claims = [1, 2].map(() => {
    const journal = journalInMemory();
    return new Once({ sendMessage: async () => ({ id: 'msg-1', json: '{}' }) }, journal).sendOnce('k', MESSAGE).then(() => journal.texts.get('k'));
  });
  const [one, other] = (await Promise.all(claims)).map((text) => JSON.parse(text).entry);
  assert.notEqual(one.attempt.name, other.attempt.name);
  assert.notEqual(one.digest.salt, other.digest.salt);
});

test('call that trapped is safe to retry', async (t) => {
  const { Instance } = WebAssembly;
  t.after(() => (WebAssembly.Instance = Instance));
  let traps = 0;
  WebAssembly.Instance = function (...given) {
    const exports = Object.entries(new Instance(...given).exports).map(([name, value]) => [
      name,
      typeof value !== 'function' ? value : (...values) => {
        if (name.endsWith('.next') && traps-- > 0) throw new WebAssembly.RuntimeError('unreachable');
        return value(...values);
      },
    ]);
    return { exports: Object.fromEntries(exports) };
  };
  const answers = [];
  let requests = 0;
  const client = { sendMessage: () => (requests++, new Promise((resolve) => answers.push(resolve))) };
  const once = new Once(client, journalInMemory());
  const [one, other] = ['one', 'other'].map((key) => once.sendOnce(key, MESSAGE).catch((error) => error));
  while (answers.length < 2) await new Promise(setImmediate);
  traps = 1;
  answers[0]({ id: 'msg-1', json: '{}' });
  const error = await one;
  assert.ok(error instanceof ExecutionFailedError && error.mayExist && error.retry === 'safe', inspect(error));
  answers[1]({ id: 'msg-2', json: '{}' });
  assert.equal((await other).id, 'msg-2');
  assert.equal(requests, 2);
  assert.equal((await once.lookUp('one')).state, 'sending');
});

test('invalid arguments are rejected without a journal request', async () => {
  const once = new Once({ sendMessage: () => assert.fail() }, journalInMemory(() => assert.fail()));
  for (const call of [
    once.sendOnce(17, MESSAGE),
    once.sendOnce('a b', MESSAGE),
    once.sendOnce('k', { phone: '+34600111222' }),
    once.lookUp(''),
    once.resolve('k', { attempt: 1, found: {}, by: 'Ada', reason: 'looked' }),
    once.resolve('k', { attempt: 1, found: 'not-created', by: '', reason: 'looked' }),
  ]) {
    const error = await failed(call);
    assert.ok(error instanceof InvalidInputError, inspect(error));
  }
});

test('file journal is shared with the command line', needsSqlite, async (t) => {
  const { service, plugin } = await setUp(t);
  const file = join(await folder(t), 'journal.sqlite');
  const journal = await SqliteJournal.open(file);
  const once = new Once(plugin, journal);
  assert.equal((await once.sendOnce('ours', MESSAGE)).id, 'msg-0001');
  const messaging = (...args) => {
    const env = { MESSAGING_BASE_URL: service.baseUrl, MESSAGING_API_KEY: service.apiKey, MESSAGING_ONCE_JOURNAL: file };
    const { status, stdout, stderr } = spawnSync(MESSAGING, [...args, '--json'], { env, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    return JSON.parse(stdout);
  };
  const send = (key) => messaging('send', '--once', key, '--phone', MESSAGE.phone, '--message', MESSAGE.message);
  assert.equal(send('ours').ok.replayed, true);
  assert.equal(send('theirs').ok.replayed, false);
  assert.deepEqual(await once.sendOnce('theirs', MESSAGE), { id: 'msg-0002', json: (await once.lookUp('theirs')).json, replayed: true, recorded: true });
  assert.deepEqual((await once.listEntries()).entries.map(({ key }) => key), ['ours', 'theirs']);
  assert.equal((await service.ledger()).messages.length, 2);
  journal.close();
  assert.ok((await failed(once.lookUp('ours'))) instanceof JournalError);
});

test('Once passes the suite for workers', needsSqlite, async () => {
  const worker = ['conform', '--json', '--worker', process.execPath, '--no-warnings', `${HERE}once-worker.js`];
  const { status, stdout, stderr } = spawnSync(VERIFY, worker, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  assert.equal(JSON.parse(stdout).cases.length, 17);
});

async function keeper(t, path) {
  const server = await journalServer(path);
  t.after(() => server.stop('SIGKILL'));
  return server.url;
}

/** Returns a `fetch` that gives a fixed reply without a server. */
const answering = (status, body) => async () => new Response(body, { status });

test('HTTP journal is shared between processes', async (t) => {
  const { service, plugin } = await setUp(t);
  const path = await folder(t);
  const url = await keeper(t, path);
  const calls = await Promise.all(Array.from({ length: 16 }, () =>
    new Once(plugin, new HttpJournal({ url, token: TOKEN })).sendOnce('a/../"key', MESSAGE)));
  assert.equal(calls.filter(({ replayed }) => !replayed).length, 1);
  assert.equal((await service.ledger()).messages.length, 1);
  const env = { MESSAGING_ONCE_JOURNAL: join(path, 'journal.sqlite') };
  const { stdout } = spawnSync(MESSAGING, ['sent', 'list', '--json'], { env, encoding: 'utf8' });
  assert.match(stdout, /"a\/\.\.\/\\"key"/);
  await checkJournal(() => new HttpJournal({ url, token: TOKEN }));
  const another = new HttpJournal({ url, token: 'another' });
  const journal = new HttpJournal({ url, token: TOKEN });
  for (const call of [() => journal.swap('k', undefined, 'x'.repeat(65_537)), () => journal.get(''), () => another.get('k')]) {
    const error = await failed(call());
    assert.ok(error instanceof JournalFailure && error.refused, inspect(error));
  }
});

test('only clear rejections prove that nothing was written', async () => {
  const swap = (fetch) => failed(new HttpJournal({ url: 'https://journal.example', token: TOKEN, timeoutMs: 50, fetch }).swap('k', undefined, 'x'));
  for (const [refused, fetch] of [
    [false, () => Promise.reject(new TypeError(`fetch failed for ${TOKEN}`))],
    [false, () => new Promise(() => {})],
    [false, answering(200, '{"swapped":"true"}')],
    [false, answering(200, '{"swapped":false}')],
    [false, answering(200, '<html>')],
    [false, answering(200, `{"swapped":true,"x":"${'x'.repeat(4 * 1024 * 1024)}"}`)],
    [false, answering(302, '')],
    [false, answering(503, '{"detail":"later"}')],
    [true, answering(404, `{"detail":"no journal for ${TOKEN}"}`)],
    [true, answering(401, '')],
    [true, answering(422, '')],
  ]) {
    const error = await swap(fetch);
    assert.ok(error instanceof JournalFailure && error.refused === refused, inspect(error));
    assert.ok(!inspect(error, { depth: 9 }).includes(TOKEN), inspect(error));
  }
});

test('HTTP journal trusts only the given authority', async (t) => {
  const path = await folder(t);
  const { key, cert } = selfSigned(path);
  const server = createServer({ key, cert }, (request, reply) => request.resume().on('end', () => reply.end('{"text":null}')));
  await event(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const options = { url: `https://localhost:${server.address().port}`, token: TOKEN };
  assert.equal(await new HttpJournal({ ...options, ca: cert }).get('k'), undefined);
  for (const ca of [undefined, selfSigned(path, 'other').cert]) {
    const error = await failed(new HttpJournal({ ...options, ca }).get('k'));
    assert.ok(error instanceof JournalFailure, inspect(error));
    assert.match(error.message, /CERT|SIGNATURE|VERIFY/i);
  }
  assert.throws(() => new HttpJournal({ ...options, ca: cert, fetch }), /ca has no effect with fetch/);
});

test('remote HTTP journal requires TLS', () => {
  for (const options of [{ url: 'http://journal.example' }, { url: 'https://a:b@journal.example' }, { url: 'journal' }, { token: 'a b' }]) {
    assert.throws(() => new HttpJournal({ url: 'https://journal.example', token: TOKEN, ...options }), TypeError);
  }
  const journal = new HttpJournal({ url: 'http://journal.example', token: TOKEN, allowHttp: true });
  assert.ok(!inspect(journal, { depth: 9, showHidden: true }).includes(TOKEN));
});

test('HTTP journal passes the suite', async (t) => {
  const env = { ...process.env, JOURNAL_TOKEN: TOKEN };
  const journal = await keeper(t, await folder(t));
  const child = spawn(VERIFY, ['conform', '--json', '--journal', journal, '--worker', process.execPath, '--no-warnings', `${HERE}once-worker.js`], { env });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), event(child, 'exit')]);
  assert.equal(status, 0, stdout + stderr);
  assert.equal(JSON.parse(stdout).cases.length, 17);
});
