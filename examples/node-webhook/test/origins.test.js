// Tests proofs of origin in Node. Uses the test cases that all hosts share, and deliveries that are signed with the
// current time.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { inbox, keys, serve } from './serving.js';

const cases = new URL('../../../host-test/conformance/cases/origins/cases.json', import.meta.url);
const { body, groups } = JSON.parse(await readFile(cases, 'utf8'));

const deliver = async (url, headers) => (await fetch(url, { method: 'POST', headers, body })).status;

for (const { name, settings, cases } of groups) {
  test(`deliveries are answered as in other hosts: ${name}`, async (t) => {
    const folder = await inbox(t);
    const { url } = await serve(t, folder, settings);
    for (const { name, path, headers, status } of cases) {
      assert.equal(await deliver(new URL(path, url), headers), status, name);
    }
    assert.deepEqual(await keys(folder), cases.flatMap(({ key }) => key ?? []).sort());
  });
}

const now = () => Math.floor(Date.now() / 1000);
const tolerance = { MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS: '300' };

test('delivery is accepted only within tolerance: timestamped', async (t) => {
  const secret = 'a-secret-of-enough-bytes';
  const folder = await inbox(t);
  const { url } = await serve(t, folder, {
    MESSAGING_WEBHOOK_SIGNATURE_SECRET: secret,
    MESSAGING_WEBHOOK_SIGNED: 'timestamped',
    ...tolerance,
  });
  for (const [key, age, status] of [['now', 0, 200], ['late', 1000, 401], ['early', -1000, 401]]) {
    const at = now() - age;
    const digits = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-idempotency-key': key };
    assert.equal(await deliver(url, { ...headers, 'x-signature': `t=${at},v1=${digits}` }), status, key);
  }
  assert.deepEqual(await keys(folder), ['now']);
});

test('delivery is accepted only within tolerance: standard-webhooks', async (t) => {
  const secret = 'C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const folder = await inbox(t);
  const { url } = await serve(t, folder, {
    MESSAGING_WEBHOOK_SIGNATURE_SECRET: `whsec_${secret}`,
    MESSAGING_WEBHOOK_SIGNED: 'standard-webhooks',
    ...tolerance,
  });
  for (const [id, age, status] of [['now', 0, 200], ['late', 1000, 401], ['early', -1000, 401]]) {
    const at = now() - age;
    const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${at}.${body}`);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': `v1,${mac.digest('base64')}`,
    };
    assert.equal(await deliver(url, headers), status, id);
  }
  assert.deepEqual(await keys(folder), ['now']);
});
