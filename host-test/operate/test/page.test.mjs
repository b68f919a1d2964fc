// The operator's page in a real browser, on a real `serve` and its store. Checks the visible page and the store
// afterwards. Needs Chromium from Debian, or the program that CHROMIUM names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInbox, TOKEN } from './inbox.mjs';
import { allFit, below, fits, inEveryLook, isRed, open, options, signedIn, signIn } from './person.mjs';

/** Returns the visible count on each tile. */
const counts = (page) => page.evaluate(`Object.fromEntries([...document.querySelectorAll('#states a')].map((tile) =>
  [tile.querySelector('.name').innerText, tile.querySelector('.count').innerText]))`);

const rows = (page) => page.evaluate('[...document.querySelectorAll("#events li")].map((row) => row.innerText)');

/** Makes events dead, each with its error. */
async function dead(inbox, events) {
  for (const [key, event, error] of events) await inbox.deliver(key, event);
  for (const leased of await inbox.lease(events.length)) {
    await inbox.kill(leased, events.find(([key]) => key === leased.key)[2]);
  }
}

test('page shows no data without a valid token', options, async (t) => {
  const inbox = await startInbox(t);
  await inbox.deliver('evt-secret', { text: 'only for operators' });
  const page = await open(t, inbox, '#event/1');
  await page.sees('#sign-in', 'Operator token');
  await signIn(page, 'an-operator-token-of-another-test');
  await page.sees('#sign-in-error', 'This token is not accepted.');
  await signIn(page, 'ein Schlüssel – mit Zeichen, die kein Header hat');
  await page.until('document.getElementById("sign-in-error").innerText !== "" && !document.querySelector("#sign-in button").disabled');
  const html = await page.evaluate('document.documentElement.outerHTML');
  assert.ok(!/evt-secret|only for operators|msg-/.test(html));
  assert.equal(await page.evaluate('document.getElementById("inbox").checkVisibility()'), false);
  assert.equal(await page.evaluate('sessionStorage.length + localStorage.length + document.cookie.length'), 0);

  await signIn(page);
  await page.sees('#event pre', 'only for operators');
});

test('token survives a reload until sign-out', options, async (t) => {
  const inbox = await startInbox(t);
  await inbox.deliver('evt-1');
  const page = await signedIn(t, inbox);
  await page.sees('#events', 'evt-1');
  await page.call('Page.reload');
  await page.sees('#events', 'evt-1');
  assert.equal(await page.evaluate('localStorage.length + document.cookie.length'), 0);

  await page.click('#sign-out');
  await page.sees('#sign-in', 'Operator token');
  assert.ok(!(await page.evaluate('document.documentElement.outerHTML')).includes('evt-1'));
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
  await page.call('Page.reload');
  await page.sees('#sign-in', 'Operator token');
});

test('rejected stored token leads to the sign-in form', options, async (t) => {
  const inbox = await startInbox(t);
  await inbox.deliver('evt-1');
  const page = await open(t, inbox);
  await page.until('document.getElementById("sign-in").checkVisibility()');
  await page.evaluate('sessionStorage.setItem("operator-token /", "one-that-was-rotated-away-long-ago")');
  await page.call('Page.reload');
  await page.sees('#sign-in-error', 'no longer accepted');
  assert.ok(!(await page.text()).includes('evt-1'));
});

test('tiles and chart count the events', options, async (t) => {
  const inbox = await startInbox(t);
  const page = await signedIn(t, inbox);
  await page.sees('#list-empty', 'No event waits.');
  for (const key of ['evt-1', 'evt-2', 'evt-3', 'evt-4']) await inbox.deliver(key);
  await inbox.deliver('evt-1', { text: 'another one' });
  const [first, second] = await inbox.lease(3);
  await inbox.ack(first);
  await inbox.kill(second);
  await page.until('[...document.querySelectorAll("#states .count")].map((count) => count.innerText).join() === "1,0,1,1,1,1"');
  assert.deepEqual(await counts(page), { Dead: '1', Stuck: '0', Quarantined: '1', Pending: '1', Leased: '1', Done: '1' });
  await page.sees('#states', 'oldest');
  const legend = '[...document.querySelectorAll("#legend li")].map((item) => item.innerText)';
  assert.deepEqual(await page.evaluate(legend), ['In', '4 stored', '1 conflict', 'Out', '1 done', '1 died']);
  assert.match(await page.evaluate('document.getElementById("chart").getAttribute("aria-label")'), /4 stored, .*1 died/);
  assert.equal(await page.evaluate('document.title'), '1 dead · Inbox');
  assert.equal((await rows(page)).length, 1);
  assert.match((await rows(page))[0], /evt-4/);

  // Half of the chart is for deliveries and half for results, both on the same scale.
  const [end, half, zero, ...other] = await page.evaluate('[...document.querySelectorAll("#chart text")].map((text) => text.textContent).slice(0, 5)');
  assert.deepEqual([zero, ...other, Number(half) * 2], ['0', half, end, Number(end)]);
  const height = (kind) => page.evaluate(`[...document.querySelectorAll("#chart rect.${kind}")].reduce((sum, bar) => sum + bar.height.baseVal.value, 0)`);
  assert.ok(Math.abs(await height('stored') - 4 * await height('done')) < 0.1);
  assert.ok(await height('done') >= 2);
});

test('page opens on the worst state', options, async (t) => {
  const inbox = await startInbox(t);
  const page = await signedIn(t, inbox);
  await page.until('location.hash === "#pending"');
  const opensOn = async (state) => {
    await page.click('h1 a');
    await page.until(`location.hash === "#${state}" && document.querySelector("#states [aria-current]")?.hash === "#${state}"`);
  };
  await inbox.deliver('evt-1');
  const [event] = await inbox.lease();
  await opensOn('leased');
  await inbox.ack(event);
  await opensOn('done');
  await inbox.deliver('evt-2');
  await opensOn('pending');
  await inbox.deliver('evt-1', { text: 'another one' });
  await opensOn('quarantined');
  await inbox.nack((await inbox.lease())[0], 'not now');
  await opensOn('stuck');
  await page.sees('#events .why', 'not now');
  assert.equal((await counts(page)).Stuck, '1');
  await dead(inbox, [['evt-3', {}, 'no']]);
  await opensOn('dead');
});

test('heading, title and dialog name the environment', options, async (t) => {
  const inbox = await startInbox(t, { options: ['--name', 'staging <b>'] });
  await dead(inbox, [['evt-1', {}, 'no']]);
  const page = await signedIn(t, inbox, '#event/1');
  await page.sees('h1 #name', 'staging <b>');
  assert.equal(await page.evaluate('document.title'), '1 dead · staging <b> · Inbox');
  await page.click('#event button', 'Requeue');
  await page.sees('#confirm', 'Environment: staging <b>');
  await fits(page);
});

test('whole row opens its event', options, async (t) => {
  const inbox = await startInbox(t);
  await dead(inbox, [['evt-1', { data: { text: 'Is it\nready?' } }, 'no']]);
  const page = await signedIn(t, inbox);
  await page.sees('#events .text', 'Is it ready?');
  await inEveryLook(page, async (look) => {
    const targets = await page.evaluate(`(() => {
      const { left, right, top, bottom } = document.querySelector('#events li').getBoundingClientRect();
      return [left + 4, (left + right) / 2, right - 4].flatMap((x) => [top + 4, (top + bottom) / 2, bottom - 4].map((y) =>
        document.elementFromPoint(x, y).closest('a')?.getAttribute('href')));
    })()`);
    assert.deepEqual([...new Set(targets)], ['#event/1'], look);
  });
  await page.click('#events .why');
  await page.sees('#event h2', 'Event 1');
  await page.evaluate('history.back()');
  await page.until('document.activeElement.getAttribute("href") === "#event/1"');
});

test('dangerous decisions are red', options, async (t) => {
  const inbox = await startInbox(t);
  await dead(inbox, [['evt-1', { text: 'the first' }, 'no']]);
  await inbox.deliver('evt-1', { text: 'the second' });
  const page = await signedIn(t, inbox, '#event/1');
  await page.sees('#event button', 'Requeue');
  assert.equal(await isRed(page, '#event button', 'backgroundColor'), false);
  await page.evaluate('location.hash = "#event/2"');
  await page.sees('#event button', 'Release');
  assert.equal(await isRed(page, '#event button', 'color'), true);
  await page.click('#event button', 'Release');
  await page.sees('#confirm', 'Release event 2?');
  assert.equal(await isRed(page, '#confirm-yes', 'backgroundColor'), true);
  assert.equal(await page.evaluate('document.activeElement.id'), 'confirm-no');
  await fits(page);
});

test('times are shown with time zone', options, async (t) => {
  const inbox = await startInbox(t);
  await dead(inbox, [['evt-1', {}, 'no']]);
  const page = await open(t, inbox, '#dead');
  await page.call('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kolkata' });
  await page.call('Page.reload');
  await signIn(page);
  for (const selector of ['#as-of', '#about']) await page.sees(selector, 'GMT+5:30');
  assert.match(await page.evaluate('document.getElementById("chart").textContent'), /GMT\+5:30/);
  assert.match(await page.evaluate('document.querySelector("#events time").title'), /GMT\+5:30/);
  await page.click('#events a');
  await page.sees('#event .history', 'GMT+5:30');
  assert.equal((await page.text('#event .history')).match(/GMT\+5:30/g).length, 3);
});

test('page works below the path of a proxy', options, async (t) => {
  const inbox = await startInbox(t);
  await dead(inbox, [['evt-1', {}, 'no']]);
  const page = await signedIn(t, await below(t, inbox, '/ops/inbox/'));
  await page.click('#events a');
  // The token is stored under the path of this page.
  assert.deepEqual(await page.evaluate('Object.keys(sessionStorage)'), ['operator-token /ops/inbox/']);
  await page.click('#event button', 'Requeue');
  await page.click('#confirm-yes');
  await page.sees('#notice', 'Event 1 is pending.');
  await page.click('#sign-out');
  await page.sees('#sign-in', 'Operator token');
  assert.equal(await page.evaluate('location.pathname'), '/ops/inbox/');
});

test('dead event is shown and requeued after confirmation', options, async (t) => {
  const inbox = await startInbox(t);
  await dead(inbox, [['evt-1', { text: 'hi' }, 'status 410: the workflow is gone']]);
  const page = await signedIn(t, inbox, '#dead');
  await page.sees('#events', 'status 410: the workflow is gone');
  await page.sees('#pages', '1 of 1 event shown');
  await page.click('#events a', '1');
  await page.sees('#event .history', 'Last error: status 410: the workflow is gone');
  await page.sees('#event pre', '"text": "hi"');

  await page.click('#event button', 'Requeue');
  await page.sees('#confirm', 'Requeue event 1?');
  await page.press('Escape');
  await page.until('!document.getElementById("confirm").open');
  assert.deepEqual(await inbox.states(), ['dead']);

  await page.click('#event button', 'Requeue');
  await page.click('#confirm-yes');
  await page.sees('#notice', 'Event 1 is pending.');
  await page.sees('#event h2', 'pending');
  const { state, attempts, 'last-error': error } = await inbox.show(1);
  assert.deepEqual([state, attempts, error], ['pending', 0, null]);
});

test('quarantined event is compared and released after confirmation', options, async (t) => {
  const inbox = await startInbox(t);
  await inbox.deliver('evt-1', { text: 'the first', n: 1 });
  await inbox.deliver('evt-1', { text: 'the second', n: 1 });
  const page = await signedIn(t, inbox, '#quarantined');
  await page.click('#events a', '2');
  await page.sees('#event .history', 'Another event with this key came first: event 1');
  await page.sees('#event', 'Event 1, which came first');
  const marked = await page.evaluate('[...document.querySelectorAll("#event mark")].map((mark) => mark.innerText)');
  assert.deepEqual(marked, ['"text": "the first",', '"text": "the second",']);

  await page.click('#event button', 'Release');
  await page.sees('#confirm', 'under its own key');
  await page.click('#confirm-yes');
  await page.sees('#notice', 'Event 2 is pending.');
  assert.deepEqual(await inbox.states(), ['pending', 'pending']);
});

test('release of a changed event is refused', options, async (t) => {
  const inbox = await startInbox(t);
  await inbox.deliver('evt-1', { text: 'the first' });
  await inbox.deliver('evt-1', { text: 'the second' });
  const page = await signedIn(t, inbox, '#event/2');
  await page.click('#event button', 'Release');
  await page.sees('#confirm', 'Release event 2?');
  await inbox.release(2);
  const leased = await inbox.lease(2);
  await page.click('#confirm-yes');
  await page.sees('#confirm-error', 'The event is now leased.');
  assert.deepEqual(await inbox.states(), ['leased', 'leased']);
  for (const event of leased) await inbox.ack(event);
});

test('dead events are requeued by kind', options, async (t) => {
  const inbox = await startInbox(t);
  await dead(inbox, [
    ['evt-1', { event: 'message:in:new' }, 'no'], ['evt-2', { event: 'message:out:failed' }, 'no'],
    ['evt-3', { event: 'message:in:new' }, 'no'], ['evt-4', { event: 'message:out:failed' }, 'no'],
  ]);
  const page = await signedIn(t, inbox, '#dead');
  await page.sees('#pages', '4 of 4 events shown');
  await page.click('#kind');
  await page.type('message:out:failed');
  await page.press('Enter');
  await page.sees('#pages', '2 events shown');
  await page.click('#requeue-all', 'Requeue all of this kind');
  await page.sees('#confirm', 'Kind: message:out:failed');
  await page.click('#confirm-yes');
  await page.sees('#notice', 'Requeued 2 events.');
  await page.sees('#list-empty', 'No event of this kind.');
  assert.deepEqual(await inbox.states(), ['dead', 'pending', 'dead', 'pending']);

  await page.click('#states a', 'Dead');
  await page.click('#requeue-all', 'Requeue all');
  await page.sees('#confirm', 'Requeue 2 dead events?');
  await page.click('#confirm-yes');
  await page.sees('#notice', 'Requeued 2 events.');
  assert.deepEqual(await inbox.states(), ['pending', 'pending', 'pending', 'pending']);
});

test('list is paged without repetition', options, async (t) => {
  const inbox = await startInbox(t);
  for (let event = 1; event <= 120; event += 1) await inbox.deliver(`evt-${event}`);
  const page = await signedIn(t, inbox);
  await page.sees('#pages', '50 of 120 events shown');
  const seen = [];
  for (const last of [50, 100, 120]) {
    await page.until(`[...document.querySelectorAll('#events .id')].at(-1)?.innerText === '${last}'`);
    seen.push(...await page.evaluate('[...document.querySelectorAll("#events .id")].map((id) => Number(id.innerText))'));
    if (last < 120) await page.click('#pages a', 'Next page');
  }
  assert.deepEqual(seen, Array.from({ length: 120 }, (_, index) => index + 1));
  assert.ok(!(await page.text('#pages')).includes('Next page'));
  await page.click('#pages a', 'First page');
  await page.until(`document.querySelector('#events .id').innerText === '1'`);
});

test('single event of a kind is found', options, async (t) => {
  const inbox = await startInbox(t);
  for (let event = 1; event <= 60; event += 1) await inbox.deliver(`evt-${event}`);
  await inbox.deliver('evt-rare', { event: 'message:rare' });
  const page = await signedIn(t, inbox, '#pending?kind=message%3Arare');
  await page.sees('#events', 'evt-rare');
  assert.equal((await rows(page)).length, 1);
});

test('JSON is shown formatted and raw', options, async (t) => {
  const inbox = await startInbox(t);
  const received = '{"id":"msg-1", "object":"message","event":"message:in:new","n":12345678901234567890,"price":1.10,"e":{},"a":[1,{"b":null}],"text":"a \\"b\\" \\u0041"}';
  await inbox.deliver('evt-1', received);
  const page = await signedIn(t, inbox, '#event/1');
  await page.sees('#event pre', '"price": 1.10');
  assert.equal((await page.text('#event pre')).trimEnd(), `{
  "id": "msg-1",
  "object": "message",
  "event": "message:in:new",
  "n": 12345678901234567890,
  "price": 1.10,
  "e": {},
  "a": [
    1,
    {
      "b": null
    }
  ],
  "text": "a \\"b\\" \\u0041"
}`);
  await page.click('#event button', 'As received');
  await page.until('document.querySelector("#event .choice [aria-pressed=true]").innerText === "As received"');
  assert.equal(await page.evaluate('document.querySelector("#event pre").textContent'), received);
});

const MARKUP = '</pre><img src=x onerror="document.title=\'owned\'"><script>document.title=\'owned\'</script><a href="javascript:alert(1)">x</a>';

test('hostile event runs no script, hides no text', options, async (t) => {
  const inbox = await startInbox(t);
  const hostile = { id: MARKUP, event: `${MARKUP}\u202egnp.exe`, text: `${MARKUP}\u202ereversed\u0000`, [MARKUP]: [MARKUP] };
  await dead(inbox, [['evt-1', hostile, `${MARKUP}\n\u202egnp.exe`]]);
  const page = await signedIn(t, inbox, '#dead');
  await page.sees('#events', '<img src=x onerror=');
  assert.match((await rows(page))[0], /\\u202egnp\.exe/);
  await page.click('#events a', '1');
  await page.sees('#event pre', '<img src=x onerror=');
  await page.sees('#event .history', '\\u202egnp.exe');
  await page.click('#event button', 'As received');
  await page.sees('#event pre', '<img src=x onerror=');
  assert.equal(await page.evaluate('document.querySelectorAll("#inbox img, #inbox script, a[href^=javascript]").length'), 0);
  assert.equal(await page.evaluate('document.title'), '1 dead · Inbox');
  assert.ok(!(await page.text('#event dl')).includes('\u202e'));
});

test('very large and deeply nested events are shown', options, async (t) => {
  const inbox = await startInbox(t);
  const event = (text) => ({ id: 'msg-1', object: 'message', event: 'message:in:new', text });
  await inbox.deliver('evt-large', event('x'.repeat(260_000)));
  await inbox.deliver('evt-deep', event(JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)));
  const page = await signedIn(t, inbox, '#event/1');
  await page.sees('#event', 'Too large to be formatted.');
  assert.ok((await page.evaluate('document.querySelector("#event pre").textContent.length')) > 260_000);
  await page.evaluate('location.hash = "#event/2"');
  await page.sees('#event pre', '[]');
});

test('page fits each width and color scheme', options, async (t) => {
  const inbox = await startInbox(t);
  await dead(inbox, [['k'.repeat(200), { event: 'e'.repeat(200), text: 'x'.repeat(2_000) }, 'x'.repeat(2_000)], ['evt-2', {}, 'no']]);
  await inbox.deliver('evt-2', { text: 'another one' });
  const page = await open(t, inbox, '#dead');
  await page.sees('#sign-in', 'Operator token');
  await fits(page);
  await signIn(page);
  await allFit(page, [['#dead', '#events a'], ['#event/1', '#event pre'], ['#event/3', '#event mark']]);
});

test('page can be operated by keyboard only', options, async (t) => {
  const inbox = await startInbox(t);
  await dead(inbox, [['evt-1', {}, 'no']]);
  const page = await open(t, inbox, '#dead');
  await page.until('document.activeElement.id === "token"');
  await page.type(TOKEN);
  await page.press('Enter');
  await page.sees('#events', 'evt-1');
  const tabTo = async (what) => {
    for (let pressed = 0; pressed < 40; pressed += 1) {
      if (await page.evaluate(`Boolean(document.activeElement.matches(${JSON.stringify(what)}))`)) return;
      await page.press('Tab');
    }
    assert.fail(`${what} is not reached`);
  };
  await tabTo('#chart');
  await page.press('ArrowLeft');
  await page.until('document.getElementById("minute").innerText !== ""');
  await tabTo('#events a');
  assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid');
  await page.press('Enter');
  await page.sees('#event h2', 'Event 1');
  await page.until('document.activeElement.id === "event"');
  await tabTo('#event button.primary');
  await page.press('Enter');
  await tabTo('#confirm-yes');
  await page.press('Enter');
  await page.sees('#notice', 'Event 1 is pending.');
  assert.deepEqual(await inbox.states(), ['pending']);
});

test('page shows when the server last answered', options, async (t) => {
  const inbox = await startInbox(t);
  await inbox.deliver('evt-1');
  const page = await signedIn(t, inbox);
  await page.sees('#events', 'evt-1');
  await inbox.stop();
  await page.sees('#as-of', 'no answer since');
  await page.sees('#trouble', 'The server cannot be reached.');
  await page.sees('#events', 'evt-1');
  await inbox.start();
  await inbox.deliver('evt-2');
  await page.sees('#events', 'evt-2');
  await page.until('!document.getElementById("trouble").checkVisibility()');
});
