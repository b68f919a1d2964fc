// Tests `sendMessage`, `listTemplates` and `handleEvent` against the simulated service. The service's ledger shows
// requests and messages.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import {
  DeniedError,
  InvalidInputError,
  InvalidSettingsError,
  NotSentError,
  OutcomeUnknownError,
  Plugin,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from 'messaging-plugin';
import { Once } from 'messaging-plugin/once';
import { Proofs } from 'messaging-plugin/proofs';
import { simulatedService } from '../host-test.js';
import { CREATED, rawService, reply } from './service.js';

const KEY = 'canary-8f31c2d7';
let service;
let plugin;

before(async () => {
  service = await simulatedService('--key', KEY);
  plugin = await load();
});

after(async () => {
  await plugin?.close();
  await service?.stop();
});

const load = (options) =>
  Plugin.load({ baseUrl: service.baseUrl, apiKey: KEY, deadlineMs: 5_000, ...options });

/** Returns the requests that the service received, and the messages that it created, during `work`. */
async function received(work) {
  const before = await service.ledger();
  await work();
  const now = await service.ledger();
  return {
    requests: now.requests.slice(before.requests.length),
    messages: now.messages.slice(before.messages.length),
  };
}

test('message is created with and without device', async () => {
  const { messages } = await received(async () => {
    const created = await plugin.sendMessage({ phone: '+34 600 111 222', message: 'ünï\0 🎈' });
    assert.equal(JSON.parse(created.json).id, created.id);
    await plugin.sendMessage({ phone: '+34600111222', message: 'hi', device: '7' });
  });
  assert.deepEqual(
    messages.map(({ id, ...message }) => message),
    [
      { phone: '+34600111222', message: 'ünï\0 🎈' },
      { phone: '+34600111222', message: 'hi', device: '7' },
    ],
  );
});

test('further fields are sent as JSON', async (t) => {
  const service = await rawService((socket) => socket.end(CREATED));
  t.after(() => service.close());
  const plugin = await load({ baseUrl: service.baseUrl });
  t.after(() => plugin.close());
  const message = { phone: '+34600111222', message: 'hi' };
  const template = { name: 'order_ready', variables: ['é', 1.5, null, true] };
  await plugin.sendMessage({ ...message, fields: { device: 7, template, left: undefined } });
  const exact = [
    { name: 'z', json: '{"b":1, "b":2}' },
    { name: 'a', json: '10000000000000000001' },
  ];
  await plugin.sendMessage({ ...message, fields: exact });
  const start = '{"phone":"+34600111222","message":"hi"';
  assert.deepEqual(service.requests.map((request) => request.split('\r\n\r\n')[1]), [
    `${start},"device":7,"template":${JSON.stringify(template)}}`,
    `${start},"z":{"b":1, "b":2},"a":10000000000000000001}`,
  ]);
});

for (const [what, fields, field] of [
  ['reserved member', { phone: '1' }, 'fields[0].name'],
  ['repeated member', ['1', '2'].map((json) => ({ name: 'a', json })), 'fields[1].name'],
  ['invalid JSON', [{ name: 'a', json: '{' }], 'fields[0].json'],
  ['lone surrogate', { a: { b: '\ud83c' } }, 'fields[0].json'],
]) {
  test(`${what} is rejected with field name`, async () => {
    const { requests } = await received(async () => {
      const call = plugin.sendMessage({ phone: '+34600111222', message: 'hi', fields });
      await assert.rejects(call, (error) =>
        error instanceof InvalidInputError && error.payload.field === field && error.message.includes(field));
    });
    assert.deepEqual(requests, []);
  });
}

test('fields that JSON cannot represent are rejected', async () => {
  const { requests } = await received(async () => {
    const cycle = {};
    cycle.cycle = cycle;
    const wrong = ['a', { a: NaN }, { a: [Infinity] }, { a: 1n }, { a() {} }, { cycle }, [{ name: 'a' }], [null], new Map([['a', 1]])];
    for (const fields of wrong) {
      await assert.rejects(plugin.sendMessage({ phone: '+34600111222', message: 'hi', fields }), (error) =>
        error instanceof InvalidInputError && error.payload.field.startsWith('fields') && !error.mayExist);
    }
  });
  assert.deepEqual(requests, []);
});

test('templates are listed over one or all pages', async () => {
  const all = await plugin.listTemplates({ everyPage: 'page' });
  assert.equal(all.incomplete, undefined);
  assert.equal(all.templates.length, all.total);
  const first = await plugin.listTemplates();
  assert.equal(first.incomplete, 'pages-not-followed');
  const { requests } = await received(() =>
    plugin.listTemplates({ status: 'approved', parameters: { q: 'a&b' } }),
  );
  assert.deepEqual(requests.map(({ query }) => query), ['status=approved&q=a%26b']);
});

test('event is parsed from headers of any form', async () => {
  const body = '{"id":"msg-1","object":"message","event":"message:in:new"}';
  const names = { 'X-Idempotency-Key': 'evt-1', 'Content-Type': 'application/json' };
  const forms = [
    names,
    new Headers(names),
    new Map(Object.entries(names)),
    Object.entries(names),
    Object.entries(names).map(([name, value]) => ({ name, value })),
    { 'x-idempotency-key': ['evt-1'], 'content-type': ['application/json'], cookie: undefined },
  ];
  for (const headers of forms) {
    assert.deepEqual(await plugin.handleEvent({ headers, body }), {
      idempotencyKey: 'evt-1',
      messageId: 'msg-1',
      kind: 'message:in:new',
      json: body,
    });
  }
  const bytes = new TextEncoder().encode(body);
  for (const body of [bytes, Buffer.from(bytes), bytes.buffer]) assert.equal((await plugin.handleEvent({ headers: names, body })).messageId, 'msg-1');
  const error = await plugin.handleEvent({ headers: names, body: Buffer.from([0xff]) }).catch((e) => e);
  assert.deepEqual([error.constructor, error.payload], [InvalidInputError, { field: 'body', detail: 'is not UTF-8' }]);
  const twice = { ...names, 'x-idempotency-key': ['evt-1', 'evt-2'] };
  await assert.rejects(plugin.handleEvent({ headers: twice, body }), InvalidInputError);
});

test('verified delivery is parsed as an event', async () => {
  const key = Buffer.from('0123456789abcdef');
  const body = Buffer.from('{"id":"msg-1","object":"message","event":"message:in:new"}');
  const signature = createHmac('sha256', key).update('evt-1.17.').update(body).digest('base64');
  const proofs = new Proofs({ signatureSecret: `whsec_${key.toString('base64')}`, signed: 'standard-webhooks', timestampToleranceSeconds: 0 });
  const headers = { 'webhook-id': 'evt-1', 'webhook-timestamp': '17', 'webhook-signature': `v1,${signature}`, 'content-type': 'application/json' };
  const event = await plugin.handleEvent(proofs.verify(headers, body));
  assert.deepEqual([event.idempotencyKey, event.json], ['evt-1', String(body)]);
});

test('unknown member is rejected with a suggestion', async () => {
  const message = { phone: '+34600111222', message: 'hi' };
  const { requests } = await received(async () => {
    for (const [call, said] of [
      [() => plugin.sendMessage({ ...message, template: 1 }), /template is not a member of a message; .* fields: \{ "template": … \}/],
      [() => plugin.sendMessage({ ...message, Phone: '1' }), /did you mean phone\?/],
      [() => plugin.sendMessage(message, 5000), /the options: not an object with members; use signal, deadlineMs/],
      [() => plugin.sendMessage(message, AbortSignal.timeout(5000)), /the options: not an object/],
      [() => plugin.listTemplates({}, 5000), /the options: not an object/],
      [() => plugin.sendMessage(message, { signal: new AbortController() }), /signal is not an AbortSignal/],
      [() => new Plugin({ baseUrl: 'http://127.0.0.1' }), /await Plugin.load/],
      [() => load({ fetch: 'x' }), /fetch is not a function/],
      [() => plugin.sendMessage(message, { deadline: 5 }), /deadline is not a member of the options; did you mean deadlineMs\?/],
      [() => plugin.listTemplates({ every_page: 'page' }), /did you mean everyPage\?/],
      [() => plugin.handleEvent({ header: {}, body: '' }), /did you mean headers\?/],
      [() => load({ baseUri: 'http://127.0.0.1' }), /baseUri is not a member of the options; did you mean baseUrl\?/],
      [() => new Once(plugin, {}, { deadlinMs: 1 }), /did you mean deadlineMs\?/],
    ]) {
      await assert.rejects(async () => call(), (error) => error instanceof TypeError && said.test(error.message), String(said));
    }
  });
  assert.deepEqual(requests, []);
});

test('message can be string or UTF-8 bytes', async () => {
  const { messages } = await received(async () => {
    await plugin.sendMessage({ phone: '+34600111222', message: Buffer.from('ünï 🎈') });
    await assert.rejects(plugin.sendMessage({ phone: '+34600111222', message: Buffer.from([0xff]) }), /message: is not UTF-8/);
  });
  assert.deepEqual(messages.map(({ message }) => message), ['ünï 🎈']);
});

test('deadline of call replaces deadline of plugin', async (t) => {
  const silent = await rawService(() => {});
  t.after(() => silent.close());
  const plugin = await load({ baseUrl: silent.baseUrl, deadlineMs: 600_000 });
  t.after(() => plugin.close());
  await assert.rejects(plugin.listTemplates({}, { deadlineMs: 200 }), UnavailableError);
  await assert.rejects(plugin.sendMessage({ phone: '+34600111222', message: 'hi' }, { deadlineMs: 200 }), OutcomeUnknownError);
  await assert.rejects(plugin.listTemplates({}, { deadlineMs: 0 }), InvalidSettingsError);
});

test('error contains no rejected API key', async () => {
  const other = await load({ apiKey: 'canary-not-accepted' });
  const error = await other.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
  assert.ok(error instanceof UnauthorizedError);
  assert.equal(error.case, 'permanent-unauthorized');
  assert.equal(error.payload.status, 401);
  assert.equal(error.retry, 'never');
  const shown = inspect([error, other], { showHidden: true, depth: null }) + error.stack + JSON.stringify(error);
  assert.ok(!shown.includes('canary'), shown);
  await other.close();
});

test('error of unavailable read has retry delay', async (t) => {
  const service = await rawService((socket) =>
    socket.end(reply('503 Unavailable\r\nRetry-After: 60', '')));
  t.after(() => service.close());
  const plugin = await load({ baseUrl: service.baseUrl, maxAttempts: 1 });
  t.after(() => plugin.close());
  const error = await plugin.listTemplates().catch((e) => e);
  assert.ok(error instanceof UnavailableError, inspect(error));
  assert.equal(error.retryAfterMs, 60_000);
  assert.equal(error.retry, 'safe');
});

test('error of unknown outcome has reply details', async (t) => {
  const service = await rawService((socket) =>
    socket.end(reply('409 Conflict', `{"code":"in_progress","message":"sending, key ${KEY}"}`)));
  t.after(() => service.close());
  const plugin = await load({ baseUrl: service.baseUrl });
  t.after(() => plugin.close());
  const error = await plugin.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
  assert.ok(error instanceof OutcomeUnknownError, inspect(error));
  assert.equal(error.payload.status, 409);
  assert.equal(error.payload.refusal.code, 'in_progress');
  assert.match(error.message, /status 409: .*sending/);
  assert.ok(!inspect(error, { depth: null }).includes(KEY), inspect(error));
});

test('error of rate limit has retry delay', async () => {
  const error = await plugin.sendMessage({ phone: '+99900000429', message: 'hi' }).catch((e) => e);
  assert.ok(error instanceof RateLimitedError);
  assert.equal(error.retryAfterMs, 60_000);
  assert.equal(error.retry, 'safe');
});

for (const [phone, what] of [
  ['+99900002000', 'closes without reply'],
  ['+99900002001', 'closes within reply'],
  ['+99900002002', 'never answers'],
  ['+99900001500', 'fails after creation'],
]) {
  test(`outcome is unknown if service ${what}`, async () => {
    const impatient = await load({ deadlineMs: 1_000 });
    const { messages, requests } = await received(async () => {
      const error = await impatient.sendMessage({ phone, message: 'hi' }).catch((e) => e);
      assert.ok(error instanceof OutcomeUnknownError, inspect(error));
      assert.equal(error.retry, 'never');
      assert.equal(error.mayExist, true);
    });
    assert.equal(messages.length, 1);
    assert.equal(requests.length, 1);
    await impatient.close();
  });
}

test('refused connection proves that nothing was sent', async () => {
  // Nothing listens on port 1 of the loopback address.
  const nowhere = await load({ baseUrl: 'http://127.0.0.1:1', maxAttempts: 2 });
  const error = await nowhere.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
  assert.ok(error instanceof NotSentError, inspect(error));
  assert.equal(error.retry, 'safe');
  assert.equal(error.mayExist, false);
  await nowhere.close();
});

for (const allow of [[], ['https://api.example.com'], ['http://127.0.0.1:1']]) {
  test(`destination outside the allow list [${allow}] is denied`, async () => {
    const confined = await load({ allow });
    const { requests } = await received(async () => {
      await assert.rejects(confined.sendMessage({ phone: '+34600111222', message: 'hi' }), DeniedError);
      await assert.rejects(confined.listTemplates(), DeniedError);
    });
    assert.deepEqual(requests, []);
    await confined.close();
  });
}

test('invalid base URL is denied', async () => {
  // The component does not validate internationalized domain names.
  const plugin = await load({ baseUrl: 'https://xn--a.example' });
  await assert.rejects(plugin.sendMessage({ phone: '+34600111222', message: 'hi' }), DeniedError);
  await plugin.close();
});

test('allow list with invalid origin is rejected', async () => {
  for (const entry of ['api.example.com', 'https://api.example.com/v1', 'ftp://a', 'https://u:p@a', '*']) {
    await assert.rejects(load({ allow: [entry] }), TypeError);
  }
  await assert.rejects(load({ allow: 'https://api.example.com' }), { name: 'TypeError', message: /not an array/ });
  const plugin = await load({ allow: [service.baseUrl.toUpperCase()] });
  await plugin.listTemplates();
  await plugin.close();
});

test('only the given settings reach the component', async () => {
  process.env.MESSAGING_MAX_ATTEMPTS = 'of this process';
  const plugin = await load();
  await plugin.listTemplates();
  await plugin.close();
  delete process.env.MESSAGING_MAX_ATTEMPTS;
  const invalid = await load({ settings: { MESSAGING_MAX_ATTEMPTS: 'x' } });
  await assert.rejects(invalid.listTemplates(), (error) =>
    error instanceof InvalidSettingsError && error.payload.setting === 'MESSAGING_MAX_ATTEMPTS');
  await invalid.close();
});

test('text with lone surrogates is rejected', async () => {
  const { requests } = await received(async () => {
    const call = plugin.sendMessage({ phone: '+34600111222', message: 'half \ud83c' });
    await assert.rejects(call, (error) =>
      error instanceof InvalidInputError && error.payload.field === 'message');
  });
  assert.deepEqual(requests, []);
});

test('value of wrong type prevents the send', async () => {
  const right = { phone: '+34600111222', message: 'hi' };
  const { requests } = await received(async () => {
    for (const [request, field] of [
      [undefined, 'request'], [{ phone: '+34600111222' }, 'message'], [{ ...right, phone: 34600111222 }, 'phone'],
      [{ ...right, message: null }, 'message'], [{ ...right, message: {} }, 'message'], [{ ...right, device: 7 }, 'device'],
    ]) {
      const error = await plugin.sendMessage(request).catch((e) => e);
      assert.ok(error instanceof InvalidInputError, inspect(error));
      assert.deepEqual([error.payload.field, error.mayExist], [field, false]);
    }
    await assert.rejects(plugin.listTemplates({ status: 1 }), InvalidInputError);
    await assert.rejects(plugin.handleEvent({ headers: 'a', body: '' }), InvalidInputError);
  });
  assert.deepEqual(requests, []);
  await assert.rejects(plugin.sendMessage({ ...right, device: 7 }), /numeric device in the fields: \{ "device": 7 \}/);
});

test('call of closed plugin is not sent', async () => {
  const closed = await load();
  await closed.close();
  const error = await closed.sendMessage({ phone: '+34600111222', message: 'hi' }).catch((e) => e);
  assert.ok(error instanceof NotSentError, inspect(error));
  assert.equal(error.retry, 'never');
});

test('plugins of one process keep their settings apart', async () => {
  const right = await load();
  const wrong = await load({ apiKey: 'canary-not-accepted' });
  const denied = await load({ allow: [] });
  for (let round = 0; round < 2; round++) {
    await right.listTemplates();
    await assert.rejects(wrong.listTemplates(), UnauthorizedError);
    await assert.rejects(denied.listTemplates(), DeniedError);
  }
  for (const plugin of [right, wrong, denied]) await plugin.close();
});

test('service at an IPv6 address is reached', async (t) => {
  const service = await rawService((socket) => socket.end(CREATED), '::1');
  t.after(() => service.close());
  const message = { phone: '+34600111222', message: 'hi' };
  const plugin = await load({ baseUrl: service.baseUrl });
  t.after(() => plugin.close());
  assert.equal((await plugin.sendMessage(message)).id, 'msg-1');
  assert.match(service.requests[0], /^host: \[::1\]:\d+$/im);
  const confined = await load({ baseUrl: service.baseUrl, allow: ['http://[::2]:80'] });
  t.after(() => confined.close());
  await assert.rejects(confined.sendMessage(message), DeniedError);
  assert.equal(service.requests.length, 1);
});

test('unusual base URL is sent unchanged', async (t) => {
  const service = await rawService((socket) => socket.end(CREATED));
  t.after(() => service.close());
  for (const fetch of [undefined, globalThis.fetch]) {
    const plugin = await load({ baseUrl: `${service.baseUrl}/a'b/%7e~/c;d=e,(f)!`, fetch });
    t.after(() => plugin.close());
    await plugin.sendMessage({ phone: '+34600111222', message: 'hi' });
    assert.match(service.requests.at(-1), /^POST \/a'b\/%7e~\/c;d=e,\(f\)!\/v1\/messages HTTP/);
  }
});

test('close waits for calls and rejects new calls', async (t) => {
  let closed;
  const service = await rawService((socket) => {
    closed = plugin.close();
    socket.end(CREATED);
  });
  t.after(() => service.close());
  const plugin = await load({ baseUrl: service.baseUrl });
  assert.equal((await plugin.sendMessage({ phone: '+34600111222', message: 'hi' })).id, 'msg-1');
  await assert.rejects(plugin.sendMessage({ phone: '+34600111222', message: 'hi' }), /closed/);
  await assert.rejects(plugin.handleEvent({ headers: {}, body: '{}' }), /closed/);
  await closed;
});

test('ten thousand concurrent calls return their results', async (t) => {
  // `fetch` makes no requests, because this test puts load only on the component.
  let begun = 0;
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  const plugin = await load({
    fetch: async () => {
      if (++begun === 10_000) open();
      await gate;
      return new Response('{"id":"msg-1"}', { status: 201 });
    },
  });
  t.after(() => plugin.close());
  const calls = Array.from({ length: 10_000 }, () => plugin.sendMessage({ phone: '+34600111222', message: 'hi' }));
  for (const { id } of await Promise.all(calls)) assert.equal(id, 'msg-1');
});

test('unknown options are rejected', async () => {
  for (const options of [{ size: 4 }, { pool: {} }, { baseUri: service.baseUrl }]) {
    await assert.rejects(load(options), TypeError);
  }
});

test('option of another type is rejected', async () => {
  for (const options of [
    { apiKey: null }, { apiKey: Buffer.from('key') }, { baseUrl: new URL(service.baseUrl) }, { deadlineMs: '10' },
    { allowHttp: 'false' }, { retryRateLimited: 0 }, { settings: { MESSAGING_MAX_ATTEMPTS: 3 } },
  ]) {
    await assert.rejects(load(options), InvalidSettingsError);
  }
});

test('byte order mark inside a reply is kept', async (t) => {
  const template = { name: '\ufeffa', status: 'approved', language: 'es' };
  const body = JSON.stringify({ data: [template], total: 1, page: 0, size: 1 });
  const raw = await rawService((socket) => socket.end(reply('200 OK', body)));
  const plugin = await load({ baseUrl: raw.baseUrl });
  t.after(async () => {
    await plugin.close();
    await raw.close();
  });
  const { templates } = await plugin.listTemplates();
  assert.equal(templates[0].name, '\ufeffa');
});
