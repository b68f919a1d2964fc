// Tests proofs of origin with the cases of the webhook component, and with each form of a delivery.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { InvalidSettingsError, Proofs, UnverifiedError } from '../src/proofs.js';

const PREFIX = 'MESSAGING_WEBHOOK_';
const ALL = JSON.parse(readFileSync(new URL('../../../guest/core/tests/origin_cases.json', import.meta.url), 'utf8'));
const SECRET = '0123456789abcdef-secret';
const BODY = '{"id":"m-1"}';
const prefixed = (settings) => Object.fromEntries(Object.entries(settings).map(([name, value]) => [PREFIX + name, value]));
const proofsOf = (settings) => new Proofs({ settings: { PATH: '/bin', MESSAGING_WEBHOOK_PORT: '80', ...prefixed(settings) } });

for (const { name, settings, cases, headers, body } of ALL.deliveries) {
  test(`webhook and package agree: ${name}`, () => {
    const proofs = proofsOf(settings);
    for (const one of cases) {
      const given = Object.entries({ ...headers, ...one.headers }).filter(([, value]) => value !== null);
      const bytes = one.body_hex ? Buffer.from(one.body_hex, 'hex') : Buffer.from(one.body ?? body ?? ALL.body);
      const verify = () => proofs.verify(given, bytes, { path: one.path ?? '/', nowMs: 1_000 * (one.now ?? 0) });
      const [reason, header] = one.refused ?? [];
      if (reason) {
        const message = ALL.reasons[reason].replace('{}', header);
        assert.throws(verify, (error) => error instanceof UnverifiedError && error.message === message, JSON.stringify(one));
      } else {
        const delivery = verify();
        assert.equal(delivery.body, bytes);
        const keys = delivery.headers.filter(({ name }) => name === 'x-idempotency-key').map(({ value }) => value);
        if (one.key) assert.deepEqual(keys, [one.key]);
      }
    }
  });
}

test('header of white space is rejected in time', { timeout: 20_000 }, () => {
  const value = `x${'\t'.repeat(200_000)}y`;
  const ordinary = { SIGNATURE_SECRET: SECRET, SIGNATURE_HEADER: 'x-sig', SIGNED: 'timestamped' };
  const standard = { SIGNATURE_SECRET: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', SIGNED: 'standard-webhooks' };
  const headers = { 'webhook-id': 'e', 'webhook-timestamp': '1', 'webhook-signature': value, 'x-sig': value };
  for (const settings of [ordinary, standard]) assert.throws(() => proofsOf(settings).verify(headers, BODY), UnverifiedError);
});

test('webhook and package reject the same settings', () => {
  for (const { settings, invalid, detail } of ALL.settings) {
    const tries = Math.max(...Object.values(settings).map((value) => [value].flat().length));
    for (let index = 0; index < tries; index++) {
      const chosen = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, Array.isArray(value) ? value[index] : value]));
      if (!invalid) proofsOf(chosen);
      else {
        assert.throws(() => proofsOf(chosen), (error) =>
          error instanceof InvalidSettingsError && error.payload.setting === PREFIX + invalid && error.payload.detail.includes(detail), inspect(chosen));
      }
    }
  }
});

test('options are settings in camel case', () => {
  const signatureSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const proofs = new Proofs({ signatureSecret, signed: 'standard-webhooks', timestampToleranceSeconds: 1 });
  const { headers, body } = ALL.deliveries.find(({ name }) => name.startsWith('vector'));
  assert.equal(proofs.verify(headers, body, { nowMs: 1_649_367_554_000 }).body, body);
  assert.throws(() => proofs.verify(headers, body), UnverifiedError);
  assert.ok(!inspect(proofs, { showHidden: true, depth: null }).includes('C2FV'));
  assert.throws(() => new Proofs({ signatureSecrets: SECRET }), /^TypeError: signatureSecrets is not a member of the options; did you mean signatureSecret\?/);
  assert.throws(() => new Proofs({ headerSecret: 5 }), InvalidSettingsError);
  for (const none of [undefined, {}, { settings: {} }, { headerSecret: undefined }]) {
    assert.throws(() => new Proofs(none), /no other secret is set/);
  }
});

test('misspelled secret is rejected', () => {
  for (const end of ['SIGNATURESECRET', 'SIGNATURE_SECRT', 'PATH_SECRET_FILES']) {
    const settings = { [`${PREFIX}HEADER_SECRET`]: SECRET, [PREFIX + end]: SECRET };
    assert.throws(() => new Proofs({ settings }), (error) => error instanceof InvalidSettingsError
      && error.payload.setting === PREFIX + end && /did you mean MESSAGING_WEBHOOK_/.test(error.message) && !error.message.includes(SECRET));
  }
});

test('secret is read from a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'proofs-')), 'secret');
  const settings = { MESSAGING_WEBHOOK_HEADER_SECRET_FILE: file };
  const isRejected = (settings, variable, why) => assert.throws(() => new Proofs({ settings }), (error) => (
    error instanceof InvalidSettingsError && error.payload.setting === PREFIX + variable && why.test(error.payload.detail)
    && !inspect(error).includes(file)));
  isRejected(settings, 'HEADER_SECRET_FILE', /cannot be read: ENOENT/);
  for (const text of [SECRET, `${SECRET}\n`, `\ufeff${SECRET}\r\n`]) {
    writeFileSync(file, text);
    assert.equal(new Proofs({ settings }).verify({ 'X-Webhook-Secret': SECRET }, BODY).body, BODY);
  }
  assert.throws(() => new Proofs({ headerSecret: `other-${SECRET}`, settings }).verify({ 'X-Webhook-Secret': SECRET }, BODY), UnverifiedError);
  isRejected({ ...settings, MESSAGING_WEBHOOK_HEADER_SECRET: SECRET }, 'HEADER_SECRET', /are both set/);
  writeFileSync(file, Buffer.from([0xff]));
  isRejected(settings, 'HEADER_SECRET_FILE', /cannot be read: it is not UTF-8/);
});

test('delivery has any form except a parsed body', () => {
  const proofs = new Proofs({ headerSecret: SECRET });
  const names = { 'X-Webhook-Secret': SECRET, 'Content-Type': 'application/json', 'X-Idempotency-Key': 'evt-1', Cookie: 'a' };
  const read = [{ name: 'content-type', value: 'application/json' }, { name: 'x-idempotency-key', value: 'evt-1' }];
  for (const headers of [names, new Headers(names), new Map(Object.entries(names)), Object.entries(names), { ...names, 'X-Webhook-Secret': [SECRET] }]) {
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)]) {
      assert.deepEqual(proofs.verify(headers, body), { headers: read, body });
    }
  }
  for (const body of [JSON.parse(BODY), undefined, null]) assert.throws(() => proofs.verify(names, body), /^TypeError: body is not bytes/);
  assert.throws(() => proofs.verify({ ...names, 'X-Webhook-Secret': `${SECRET}\u0130` }, BODY), /the header x-webhook-secret is malformed/);
  assert.throws(() => proofs.verify(names, BODY, { url: '/' }), /^TypeError: url is not a member/);
  assert.throws(() => new Proofs({ pathSecret: SECRET }).verify(names, BODY), /^TypeError: path is not a string/);
});
