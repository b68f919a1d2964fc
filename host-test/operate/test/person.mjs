// Functions that act as an operator at the page: a browser for each test file, sign-in, and accessibility checks.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as pass } from 'node:http';
import { after, before } from 'node:test';
import { Browser, installed } from './browser.mjs';
import { TOKEN } from './inbox.mjs';

export const options = { skip: installed ? false : 'no Chromium', timeout: 120_000 };
let browser;

before(async () => {
  if (installed) browser = await Browser.start();
  else console.error('NOT RUN: Chromium is not installed; install Debian\'s package chromium');
});
after(() => browser?.stop());

/** Opens a page. At the end of the test, asserts that the page used only its own origin and caused no browser error. */
export async function open(t, inbox, address = '') {
  const page = await browser.open();
  t.after(async () => {
    await page.close();
    const elsewhere = page.requests.filter(({ url }) => !url.startsWith(inbox.page));
    assert.deepEqual(elsewhere.map(({ url }) => url), []);
    assert.ok(page.requests.every(({ url }) => !url.includes(TOKEN)), 'a URL contains the token');
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

/** Runs `act` with the page at a width of 1280 and of 380 pixels, each in light and dark mode. */
export async function inEveryLook(page, act) {
  for (const width of [1280, 380]) {
    await page.call('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: width < 500 });
    for (const value of ['light', 'dark']) {
      await page.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }, { name: 'prefers-reduced-motion', value: 'reduce' }] });
      await act(`${width} pixels, ${value}`, width);
    }
  }
}

/** Asserts in each width and color scheme: page and dialog fit the width, controls have names, texts have contrast. */
export async function fits(page) {
  const grounds = new Set();
  await inEveryLook(page, async (look, width) => {
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, look);
    assert.ok(await page.evaluate('document.getElementById("confirm").getBoundingClientRect().right') <= width, look);
    assert.deepEqual(await lowContrast(page), [], look);
    assert.deepEqual(await nameless(page), [], look);
    grounds.add(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
  });
  assert.equal(grounds.size, 2);
}

/** For each pair of address and selector: opens the address, waits for the element, asserts that the view fits. */
export async function allFit(page, addresses) {
  for (const [hash, ready] of addresses) {
    await page.evaluate(`location.hash = '${hash}'`);
    await page.until(`document.querySelector('${ready}')?.checkVisibility()`);
    await fits(page);
  }
}

/** Returns true if a color of an element is red in each width and color scheme, and false if the color is never red. */
export async function isRed(page, selector, property) {
  let reds = 0;
  await inEveryLook(page, async () => {
    const color = await page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`);
    const [red, green, blue] = color.match(/\d+/g).map(Number);
    reds += red > green + 60 && red > blue + 60 ? 1 : 0;
  });
  assert.ok([0, 4].includes(reds), `red in ${reds} of 4 looks`);
  return reds === 4;
}

/** A reverse proxy that serves the page below a path. It stops at the end of the test. */
export async function below(t, inbox, path) {
  const server = createServer((request, response) => {
    if (!request.url.startsWith(path)) return response.writeHead(404).end();
    const { method, headers, url } = request;
    request.pipe(pass(inbox.page + url.slice(path.length), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode, reply.headers);
      reply.pipe(response);
    }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { ...inbox, page: `http://127.0.0.1:${server.address().port}${path}` };
}

/** Returns the roles of controls without a name. */
async function nameless(page) {
  const { nodes } = await page.call('Accessibility.getFullAXTree');
  const found = nodes.filter(({ ignored, role, name }) =>
    !ignored && ['button', 'link', 'textbox', 'combobox', 'img', 'dialog', 'navigation'].includes(role?.value) && !name?.value?.trim());
  return found.map(({ role }) => role.value);
}

/** Returns the texts whose contrast is below the minimum of WCAG. */
const lowContrast = (page) => page.evaluate(`(${contrasts})()`);

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
