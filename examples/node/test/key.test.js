// Tests that the API key is sent in one header to one origin, and is masked in every reply.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { OutcomeUnknownError, Plugin, RefusedError } from 'messaging-plugin';
import { Pieces } from '../src/http.js';
import { Key, isEncoded, isKey } from '../src/key.js';

const MESSAGE = { phone: '+34600111222', message: 'hi' };
const bytes = (text) => new TextEncoder().encode(text);
const string = (bytes) => new TextDecoder().decode(bytes);
const masked = (key, text) => string(new Key(key).maskBody(bytes(text), true, true));

test('key is masked in three levels of escapes', () => {
  const key = 'ca"n/ry';
  for (const text of [
    String.raw`ca\"n/ry`,
    String.raw`ca\"n\/ry`,
    String.raw`\u0063a\"n/ry`,
    String.raw`\u0063\u0061\u0022\u006e\u002F\u0072\u0079`,
    String.raw`ca\u0022n/r\u0079`,
    String.raw`ca\\\"n/ry`,
    String.raw`\\u0063a\\u0022n\\\/ry`,
    JSON.stringify(JSON.stringify(JSON.stringify(key).slice(1, -1)).slice(1, -1)).slice(1, -1),
  ]) {
    assert.equal(masked(key, text), '*'.repeat(text.length), text);
    assert.equal(masked(key, `a ${text} b ${text}`), `a ${'*'.repeat(text.length)} b ${'*'.repeat(text.length)}`);
  }
  for (const text of [String.raw`\u0163a\"n/ry`, String.raw`ca\\"n/`, String.raw`ca\u+022n/ry`, String.raw`ca\"n/rz`]) {
    assert.equal(masked(key, text), text);
  }
});

test('body cut within key contains no key part', () => {
  const key = new Key('key-kex');
  for (const repeated of ['key-kex', 'k\\u0065y-\\u006bex', '\\\\u006b\\u0065y-kex']) {
    const whole = `bad ${repeated}`;
    for (let cut = 4; cut < whole.length; cut++) {
      const left = key.maskBody(bytes(whole.slice(0, cut)), false, true);
      assert.equal(string(left), whole.slice(0, Math.min(cut, 4)), `${repeated} at ${cut}`);
    }
  }
  // The end of a complete body can be the beginning of the key. This end is masked only if it has `LEAST` bytes or more.
  assert.equal(string(key.maskBody(bytes('bad key-ke'), true, false)), 'bad ******');
  assert.equal(string(key.maskBody(bytes('bad ke'), true, false)), 'bad ke');
  assert.equal(string(key.maskBody(bytes('bad key-ke'), true, true)), 'bad key-ke');
});

test('search in repetitions masks the rest', () => {
  const key = new Key(`${'a'.repeat(4095)}b`);
  const text = `${'a'.repeat(1 << 20)} end`;
  assert.ok(string(key.maskBody(bytes(text), true, true)).endsWith('****'));
  // Each word repeats the key without its last character.
  const ordinary = 'sk_live_012345678 '.repeat(1 << 14);
  assert.equal(masked('sk_live_0123456789', ordinary), ordinary);
});

test('body in pieces of one byte is whole', () => {
  for (const most of [0, 1, 999, 1000, 5000]) {
    const pieces = new Pieces(most);
    const body = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
    const taken = Array.from(body, (_, at) => pieces.take(body.subarray(at, at + 1)));
    assert.equal(taken.filter(Boolean).length, Math.min(most, 1000));
    assert.deepEqual(pieces.bytes(), body);
  }
  assert.equal(new Pieces(1).bytes().length, 0);
});

test('masked text lacks key and keeps its length', () => {
  const alphabet = ['a', 'b', '\\', '"', '/', 'u0061', '\\u0062', 'é', ' ', '*'];
  let seed = 7;
  const random = (below) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const any = (length) => Array.from({ length }, () => alphabet[random(alphabet.length)]).join('');
  const unescaped = (text) => text.replaceAll(/\\u([0-9a-fA-F]{4})|\\(["\\/])/g,
    (_, code, sign) => sign ?? String.fromCharCode(parseInt(code, 16)));
  for (let round = 0; round < 3_000; round++) {
    const key = ['abab', 'a"b/', 'ba\\b', 'b*a*b'][random(4)];
    let repeated = key;
    for (let depth = random(4); depth > 0; depth--) repeated = JSON.stringify(repeated).slice(1, -1);
    const text = any(random(12)) + repeated + any(random(12));
    let out = masked(key, text);
    assert.equal(bytes(out).length, bytes(text).length, text);
    for (let depth = 0; depth <= 3; depth++) {
      assert.ok(!out.includes(key), `${text} -> ${out}`);
      out = unescaped(out);
    }
  }
});

test('key replaces its placeholder only for its origin', () => {
  const key = new Key('canary-key');
  const { placeholder } = key;
  const token = { name: 'token', value: placeholder };
  assert.deepEqual(key.inject([token], true), [{ name: 'token', value: 'canary-key' }]);
  assert.equal(key.inject([token], false), undefined);
  assert.equal(key.inject([{ name: 'x-other', value: placeholder }, token], true), undefined);
  assert.equal(key.inject([{ name: 'token', value: `a${placeholder}` }], true), undefined);
  assert.ok(!inspect(key, { showHidden: true, depth: null }).includes('canary'));
});

test('component rejects key that header cannot carry', async (t) => {
  for (const good of ['k', 'in words', 'a\tb', '{{secret:x}}', '"quoted"', 'k'.repeat(4096)]) assert.ok(isKey(good), good);
  for (const bad of ['', ' k', 'k ', 'a\nb', 'a\0b', 'kéy', 'k😀', 'k'.repeat(4097), 'a\x7f']) {
    assert.ok(!isKey(bad), bad);
    const plugin = await Plugin.load({ baseUrl: 'https://api.example.com', apiKey: bad, fetch: () => assert.fail() });
    t.after(() => plugin.close());
    const error = await plugin.sendMessage(MESSAGE).catch((e) => e);
    assert.equal(error.payload?.setting, 'MESSAGING_API_KEY', inspect(error));
  }
});

test('reply with encoding that hides key is withheld', () => {
  const header = (headers) => (name) => headers[name] ?? [];
  for (const [headers, encoded] of [
    [{ 'content-encoding': ['gzip'] }, true],
    [{ 'content-encoding': ['identity, br'] }, true],
    [{ 'transfer-encoding': ['gzip, chunked'] }, true],
    [{ 'content-type': ['text/plain; charset = ibm037'] }, true],
    [{ 'content-type': ['text/plain; charset=utf-7'] }, true],
    [{ 'content-type': ['text/plain; charset="UTF-7"'] }, true],
    [{ 'content-type': ['text/plain; charset=cp01140'] }, true],
    [{ 'content-type': ['text/plain; charset=EBCDIC-CP-US'] }, true],
    ...['ibm-1140-s390', 'ibm-1140_P100-1997', 'windows-65000', 'cp65000', 'ibm-1214']
      .map((charset) => [{ 'content-type': [`text/plain; charset=${charset}`] }, true]),
    ...['iso-8859-15', 'windows-1251', 'cp437', 'gbk', 'utf8mb4', 'no-such-name', '', 'utf-16']
      .map((charset) => [{ 'content-type': [`application/json; charset=${charset}`] }, false]),
    [{ 'content-encoding': ['identity'] }, false],
    [{ 'content-encoding': [''] }, false],
    [{ 'transfer-encoding': ['chunked'] }, false],
    [{ 'content-type': ['application/json; charset="UTF-8"'] }, false],
    [{ 'content-type': ['application/json'] }, false],
  ]) assert.equal(isEncoded(header(headers)), encoded, inspect(headers));
});

test('key repeated in reply is masked in error', async (t) => {
  const apiKey = 'canary-8f31c2d7';
  const wide = new Uint8Array(Buffer.from(`{"message":"${apiKey}"}`, 'utf16le'));
  const replies = [
    new Response(`{"message":"bad key ${apiKey}","code":"${apiKey}"}`, { status: 422 }),
    new Response(JSON.stringify({ message: 'escaped: canar\\u0079-8f31c2d7' }), { status: 422 }),
    new Response(wide, { status: 422 }),
    new Response(`bad key ${apiKey}`, { status: 422, headers: { 'retry-after': apiKey } }),
  ];
  const plugin = await Plugin.load({ baseUrl: 'https://api.example.com', apiKey, fetch: async () => replies.shift() });
  t.after(() => plugin.close());
  while (replies.length > 0) {
    const error = await plugin.sendMessage(MESSAGE).catch((e) => e);
    assert.ok(error instanceof RefusedError, inspect(error));
    // Removes zero bytes, so that the search also finds a key in UTF-16.
    const shown = inspect(error, { depth: null }).replaceAll(/\\x00|\\u0000|\0/g, '');
    assert.ok(!shown.includes('8f31c2d7'), shown);
  }
});

test('key as message ID makes outcome unknown', async (t) => {
  const apiKey = 'canary-8f31c2d7';
  const plugin = await Plugin.load({
    baseUrl: 'https://api.example.com',
    apiKey,
    fetch: async () => new Response(JSON.stringify({ id: apiKey }), { status: 201 }),
  });
  t.after(() => plugin.close());
  const error = await plugin.sendMessage(MESSAGE).catch((e) => e);
  assert.ok(error instanceof OutcomeUnknownError, inspect(error));
  assert.equal(error.payload.status, 201);
});

test('key in an error of fetch is masked', async (t) => {
  const apiKey = 'canary-8f31c2d7';
  const plugin = await Plugin.load({
    baseUrl: 'https://api.example.com',
    apiKey,
    fetch: async (url, { headers }) => {
      throw new TypeError(`cannot send ${JSON.stringify(headers)}`);
    },
  });
  t.after(() => plugin.close());
  const error = await plugin.sendMessage(MESSAGE).catch((e) => e);
  assert.ok(error instanceof OutcomeUnknownError, inspect(error));
  assert.match(error.payload.detail, /cannot send/);
  assert.ok(!inspect(error, { depth: null }).includes('8f31c2d7'), inspect(error));
});
