// Takes the screenshot of the page for the documentation, after some minutes of deliveries to a real `serve` with
// workers that process most of them. Usage: node host-test/operate/test/screenshot.mjs [MINUTES]

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from './browser.mjs';
import { startInbox, TOKEN } from './inbox.mjs';

const MINUTES = Number(process.argv[2] ?? 10);
const KINDS = ['message:in:new', 'message:out:failed', 'message:in:new'];
const TEXTS = ['Is it ready?', 'My order has not arrived. The tracking page says that it was delivered on Tuesday.', 'Thank you!', 'Please call me back after six.'];
const ends = [];
const inbox = await startInbox({ after: (end) => ends.push(end) }, { options: ['--name', 'production'] });
const browser = await Browser.start();
try {
  let last = 0;
  const begin = Date.now();
  const passed = () => (Date.now() - begin) / 60_000;
  const failing = () => passed() % 6 > 4;
  await Promise.all([
    (async () => {
      while (passed() < MINUTES) {
        last += 1;
        const event = { event: KINDS[last % 3], text: TEXTS[last % 4] };
        await inbox.deliver(`order-${4000 + last}`, event);
        if (last % 9 === 0) await inbox.deliver(`order-${4000 + last}`, event);
        if (last === 40) await inbox.deliver('order-4012', { text: 'Please cancel it.' });
        await pause(1_500 + 1_000 * Math.sin(passed() * 2));
      }
    })(),
    (async () => {
      for (let turn = 1; passed() < MINUTES; turn += 1) {
        for (const event of await inbox.lease(4)) {
          if (failing() && turn % 3 === 0) await inbox.kill(event, 'status 410: the workflow "orders" was deleted');
          else if (failing() && turn % 7 === 0) await inbox.nack(event, 'status 503: the database restarts');
          else await inbox.ack(event);
        }
        await pause(failing() ? 3_000 : 1_200);
      }
    })(),
  ]);
  const page = await browser.open();
  await page.call('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
  await page.goto(inbox.page);
  await page.click('#token');
  await page.type(TOKEN);
  await page.press('Enter');
  await page.sees('#events', 'order-');
  await page.picture(join(import.meta.dirname, '../screenshot.png'));
} finally {
  await browser.stop();
  for (const end of ends) await end();
}
