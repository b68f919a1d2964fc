// Unknown sends on the operator's page, in a real browser. `send --once` writes the journal, and an operator resolves
// the sends. Checks the journal and the service's ledger afterwards. Needs Chromium.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as pass } from 'node:http';
import { test } from 'node:test';
import { startInbox, TOKEN } from './inbox.mjs';
import { allFit, fits, isRed, open, options, signedIn, signIn } from './person.mjs';
import { CLOSES, startSends } from './sends.mjs';

const CUSTOMER = '+34600111222';
const MARKUP = '</pre><img src=x onerror="document.title=\'owned\'"><script>document.title=\'owned\'</script>\u202egnp.exe';

const withJournal = (t, sends) => startInbox(t, { options: ['--journal', sends.journal] });
const keys = (page) => page.evaluate('[...document.querySelectorAll("#unknown .key")].map((key) => key.innerText)');

/** Types texts into the fields of the confirmation. `texts` contains a text for each field name. */
async function fill(page, texts) {
  for (const [field, text] of Object.entries(texts)) {
    await page.evaluate(`document.getElementById('confirm-${field}').select()`);
    await page.click(`#confirm-${field}`);
    await page.type(text);
  }
}

/**
 * A gateway that responds with status 502 and a body. It stops at the end of the test. If `service` is the URL of a
 * service, only the first request fails, and later requests are forwarded to the service.
 */
async function failing(t, body, service) {
  let hasFailed = false;
  const server = createServer((request, response) => {
    if (service && hasFailed) {
      const { method, headers, url } = request;
      return request.pipe(pass(service + url, { method, headers }, (reply) => {
        response.writeHead(reply.statusCode, reply.headers);
        reply.pipe(response);
      }));
    }
    hasFailed = true;
    request.resume();
    response.writeHead(502, { 'Content-Type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

test('unknown send is shown first with its details', options, async (t) => {
  const sends = await startSends(t);
  await sends.send('order-17', CUSTOMER);
  await sends.send('order-18', CLOSES);
  const inbox = await withJournal(t, sends);
  const page = await signedIn(t, inbox);
  await page.sees('#sends', 'order-18');
  assert.deepEqual(await keys(page), ['order-18']);
  const text = await page.text('#unknown');
  assert.match(text, /awaiting-reply/);
  assert.ok(!text.includes('600111222') && !text.includes('99900002000'), 'the page shows a phone number');
  assert.equal(await page.evaluate('document.title'), '1 unknown · Inbox');
  assert.equal(await page.evaluate('document.querySelector("#states a").innerText.replace(/\\s+/g, " ").slice(0, 15)'), 'Unknown sends 1');
  await page.click('#states a', 'Pending');
  await page.sees('#list-empty', 'No event waits.');
});

test('send resolved as created returns its message', options, async (t) => {
  const sends = await startSends(t);
  await sends.send('order-18', CLOSES);
  const inbox = await withJournal(t, sends);
  const page = await signedIn(t, inbox);
  await page.click('#unknown button', 'The message exists');
  await page.sees('#confirm', 'order-18');
  await page.click('#confirm-yes');
  await page.sees('#confirm-error', 'Its identifier in the service is missing.');
  await fill(page, { created: 'msg-0001', by: 'Ada' });
  await page.click('#confirm-yes');
  await page.sees('#confirm-error', 'How you know is missing.');
  assert.equal((await sends.show('order-18')).state, 'unknown');
  await fill(page, { reason: 'seen in the inbox' });
  await page.click('#confirm-yes');
  await page.sees('#notice', 'order-18 is created.');
  await page.sees('#sends-empty', 'No unknown sends.');
  const { state, id, resolutions } = await sends.show('order-18');
  assert.deepEqual([state, id, resolutions[0].by, resolutions[0].reason], ['created', 'msg-0001', 'Ada', 'seen in the inbox']);
  assert.deepEqual((await sends.send('order-18', CLOSES)).ok.replayed, true);
  assert.equal((await sends.ledger()).created, 1);
});

test('send resolved as not-created can be repeated', options, async (t) => {
  const sends = await startSends(t);
  const base = await failing(t, '{}', sends.url);
  await sends.send('order-19', CUSTOMER, { base });
  const inbox = await withJournal(t, sends);
  const page = await signedIn(t, inbox);
  await page.click('#unknown button', 'Not created');
  await page.sees('#confirm', 'the recipient gets both');
  assert.equal(await isRed(page, '#confirm-yes', 'backgroundColor'), true);
  assert.equal(await isRed(page, '#unknown .danger', 'color'), true);
  await page.press('Escape');
  await page.until('!document.getElementById("confirm").open');
  assert.equal((await sends.show('order-19')).state, 'unknown');
  await page.click('#unknown button', 'Not created');
  await fill(page, { by: 'Ada', reason: 'the inbox has none' });
  await page.click('#confirm-yes');
  await page.sees('#notice', 'order-19 is not-created.');
  assert.equal((await sends.send('order-19', CUSTOMER, { base })).ok.replayed, false);
  assert.equal((await sends.ledger()).created, 1);
});

test('outdated resolution is refused', options, async (t) => {
  const sends = await startSends(t);
  const base = await failing(t, '{}');
  await sends.send('order-20', CUSTOMER, { base });
  const inbox = await withJournal(t, sends);
  const page = await signedIn(t, inbox);
  await page.click('#unknown button', 'Not created');
  await fill(page, { by: 'Ada', reason: 'the inbox has none' });
  await sends.run('sent', 'resolve', 'order-20', '--not-created', '--by', 'Bo', '--reason', 'likewise');
  await sends.send('order-20', CUSTOMER, { base });
  await page.click('#confirm-yes');
  await page.sees('#confirm-error', 'the last attempt is 2; read the entry again');
  const { state, resolutions } = await sends.show('order-20');
  assert.deepEqual([state, resolutions.length], ['unknown', 1]);
});

test('hostile service text is harmless and fits', options, async (t) => {
  const sends = await startSends(t);
  const base = await failing(t, JSON.stringify({ message: MARKUP, errors: [{ field: MARKUP, message: 'x'.repeat(500) }], more: 'y'.repeat(3000) }));
  await sends.send(`<img/src=x>${'k'.repeat(200)}`, CUSTOMER, { base });
  const inbox = await withJournal(t, sends);
  const page = await signedIn(t, inbox);
  await page.sees('#unknown .key', '<img/src=x>');
  await page.click('#unknown summary', 'Reply of the service');
  await page.sees('#unknown details', '<img src=x onerror=');
  await page.sees('#unknown details', '\\u202egnp.exe');
  assert.equal(await page.evaluate('document.querySelectorAll("#inbox img, #inbox script").length'), 0);
  assert.equal(await page.evaluate('document.title'), '1 unknown · Inbox');
  await allFit(page, [['#pending', '#list-empty'], ['#sends', '#unknown details p']]);
  await page.click('#unknown button', 'Not created');
  await page.sees('#confirm', '<img/src=x>');
  await fits(page);
});

test('page is usable by keyboard with readable contrast', options, async (t) => {
  const sends = await startSends(t);
  await sends.send('order-21', CLOSES);
  const inbox = await withJournal(t, sends);
  const page = await signedIn(t, inbox);
  await page.sees('#unknown', 'order-21');
  await page.evaluate('document.querySelector("#unknown .end button").focus()');
  await page.press('Enter');
  await page.sees('#confirm', 'order-21');
  await fits(page);
  for (const text of ['msg-0001', 'Ada', 'seen in the inbox']) {
    await page.type(text);
    await page.press('Tab');
  }
  await page.press('Tab');
  await page.press('Enter');
  await page.sees('#notice', 'order-21 is created.');
  assert.equal((await sends.show('order-21')).id, 'msg-0001');
});

test('new send closes no open details', options, async (t) => {
  const sends = await startSends(t);
  const base = await failing(t, '{"message":"gateway"}');
  await sends.send('order-22', CUSTOMER, { base });
  const inbox = await withJournal(t, sends);
  const page = await signedIn(t, inbox);
  await page.click('#unknown summary');
  await page.until('document.querySelector("#unknown details").open');
  const before = await page.text('#as-of');
  await page.until(`document.getElementById('as-of').innerText !== ${JSON.stringify(before)}`);
  assert.equal(await page.evaluate('document.querySelector("#unknown details").open'), true);
  await sends.send('order-23', CLOSES);
  await page.sees('#unknown', 'order-23');
  assert.deepEqual(await keys(page), ['order-22', 'order-23']);
});

test('page without a journal shows no sends', options, async (t) => {
  const inbox = await startInbox(t);
  const page = await open(t, inbox, '#sends');
  await signIn(page);
  await page.sees('#sends-empty', 'start it with --journal');
  assert.ok(!(await page.text('#states')).includes('Unknown sends'));
  const sends = await startSends(t);
  await sends.send('order-24', CLOSES);
  const other = await withJournal(t, sends);
  const reply = await fetch(`${other.page}v1/sends`);
  assert.equal(reply.status, 401);
  const metrics = await fetch(`${other.page}metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  assert.match(await metrics.text(), /messaging_sends\{state="unknown"\} 1/);
});
