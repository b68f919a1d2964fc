// An operator at the page: a browser for the tests of a file, signing in, and accessibility checks.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { Browser, installed } from './browser.mjs';
import { TOKEN } from './inbox.mjs';

export const options = { skip: installed ? false : 'no Chromium', timeout: 120_000 };
let browser;

before(async () => {
  if (installed) browser = await Browser.start();
  else console.error('NOT RUN: there is no Chromium on this machine; Debian\'s package is chromium');
});
after(() => browser?.stop());

/** Opens a page. At the end of the test, asserts that it used only its own origin and caused no browser error. */
export async function open(t, inbox, address = '') {
  const page = await browser.open();
  t.after(async () => {
    await page.close();
    const elsewhere = page.requests.filter(({ url }) => !url.startsWith(inbox.page));
    assert.deepEqual(elsewhere.map(({ url }) => url), []);
    assert.ok(page.requests.every(({ url }) => !url.includes(TOKEN)), 'the token is in no URL');
    assert.deepEqual(page.complaints, []);
  });
  await page.goto(`${inbox.page}${address}`);
  return page;
}

export async function signIn(page, token = TOKEN) {
  await page.click('#token');
  await page.evaluate('document.getElementById("token").select()');
  await page.type(token);
  await page.press('Enter');
}

export async function signedIn(t, inbox, address) {
  const page = await open(t, inbox, address);
  await signIn(page);
  await page.until('!document.getElementById("inbox").hidden');
  return page;
}

/** Runs `act` with the page in light mode, then in dark mode. */
export async function inBoth(page, act) {
  for (const value of ['light', 'dark']) {
    await page.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }, { name: 'prefers-reduced-motion', value: 'reduce' }] });
    await act(value);
  }
}

/** Asserts for each address, in light and dark mode, that nothing is wider than a page of 380 pixels. */
export async function atThePhone(page, addresses) {
  await page.call('Emulation.setDeviceMetricsOverride', { width: 380, height: 800, deviceScaleFactor: 1, mobile: true });
  const grounds = [];
  await inBoth(page, async (value) => {
    for (const [hash, ready] of addresses) {
      await page.evaluate(`location.hash = '${hash}'`);
      await page.until(`document.querySelector('${ready}')?.checkVisibility()`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 380, `${hash} in ${value}`);
    }
    grounds.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
  });
  assert.notEqual(grounds[0], grounds[1]);
}

/** Returns the roles of controls without a name. */
export async function nameless(page) {
  const { nodes } = await page.call('Accessibility.getFullAXTree');
  const found = nodes.filter(({ ignored, role, name }) =>
    !ignored && ['button', 'link', 'textbox', 'combobox', 'img', 'dialog', 'navigation'].includes(role?.value) && !name?.value?.trim());
  return found.map(({ role }) => role.value);
}

/** Returns the texts whose contrast is below the minimum of WCAG. */
export const lowContrast = (page) => page.evaluate(`(${contrasts})()`);

/** Runs in the page. Returns the texts with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3). */
function contrasts() {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => channels(color).slice(0, 3)
    .map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((element) => {
      const { color, fill } = getComputedStyle(element);
      const [a, b] = [luminance(element instanceof SVGElement ? fill : color), luminance(ground(element))].sort((x, y) => y - x);
      return { text: element.textContent.slice(0, 40), ratio: (a + 0.05) / (b + 0.05) };
    })
    .filter(({ ratio }) => ratio < 4.5);
}
