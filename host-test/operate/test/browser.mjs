// A headless Chromium, controlled by its debugging protocol over two pipes: pages, requests and screenshots.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHROMIUM = process.env.CHROMIUM ?? 'chromium';
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run', '--disable-sync', '--disable-quic',
  '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage', '--remote-debugging-pipe',
];
const WITHIN_MS = 20_000;

export const installed = spawnSync(CHROMIUM, ['--version']).status === 0;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Browser {
  #process;
  #profile;
  #last = 0;
  #waiting = new Map();
  #pages = new Map();

  static async start() {
    const browser = new Browser();
    browser.#profile = await mkdtemp(join(tmpdir(), 'chromium-'));
    browser.#process = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${browser.#profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    let rest = '';
    browser.#process.stdio[4].setEncoding('utf8').on('data', (data) => {
      const messages = (rest + data).split('\0');
      rest = messages.pop();
      messages.forEach((message) => browser.#receive(JSON.parse(message)));
    });
    return browser;
  }

  #receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) return this.#pages.get(sessionId)?.notice(method, params);
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    return error ? reject(new Error(`${error.message}: ${error.data ?? ''}`)) : resolve(result);
  }

  call(method, params = {}, sessionId = undefined) {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      this.#waiting.set(this.#last, { resolve, reject });
      this.#process.stdio[3].write(`${JSON.stringify({ id: this.#last, method, params, sessionId })}\0`);
    });
  }

  /** Opens a page with separate storage. */
  async open() {
    const { browserContextId } = await this.call('Target.createBrowserContext');
    const { targetId } = await this.call('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page((method, params) => this.call(method, params, sessionId), () =>
      this.call('Target.disposeBrowserContext', { browserContextId }));
    this.#pages.set(sessionId, page);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Audits']) await page.call(`${domain}.enable`);
    await page.call('Emulation.setDeviceMetricsOverride', { width: 1100, height: 900, deviceScaleFactor: 1, mobile: false });
    return page;
  }

  async stop() {
    const exited = once(this.#process, 'exit');
    this.#process.kill();
    await exited;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

class Page {
  /** URLs of all requests. */
  requests = [];
  /** Dialogs, and errors that the browser reports: of scripts and of the content security policy. */
  complaints = [];

  constructor(call, close) {
    Object.assign(this, { call, close });
  }

  notice(method, params) {
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request);
    if (method === 'Runtime.exceptionThrown') this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Audits.issueAdded' && params.issue.code === 'ContentSecurityPolicyIssue') this.complaints.push(JSON.stringify(params.issue.details));
    if (method === 'Page.javascriptDialogOpening') this.complaints.push(`a dialog: ${params.message}`);
  }

  async goto(url) {
    await this.call('Page.navigate', { url });
    await this.until('document.readyState === "complete"');
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until the expression is true, and returns its value. */
  async until(expression) {
    const end = Date.now() + WITHIN_MS;
    for (;;) {
      const value = await this.evaluate(expression);
      if (value) return value;
      if (Date.now() > end) throw new Error(`not within ${WITHIN_MS} ms: ${expression}\n${await this.text()}`);
      await pause(50);
    }
  }

  /** Returns the visible text. */
  text(selector = 'body') {
    return this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
  }

  /** Waits until an element visibly contains a text. */
  sees(selector, text) {
    return this.until(`document.querySelector(${JSON.stringify(selector)})?.checkVisibility() && document.querySelector(${JSON.stringify(selector)}).innerText.includes(${JSON.stringify(text)})`);
  }

  /** Clicks in the middle of a visible element. */
  async click(selector, text = '') {
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((element) => element.checkVisibility() && !element.disabled && element.innerText.includes(${JSON.stringify(text)}))`;
    await this.until(`Boolean(${found})`);
    const [x, y] = await this.evaluate(`(() => {
      const element = ${found};
      element.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    })()`);
    for (const type of ['mousePressed', 'mouseReleased']) {
      await this.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    }
  }

  type(text) {
    return this.call('Input.insertText', { text });
  }

  async press(key, code = key, keyCode = { Enter: 13, Tab: 9, Escape: 27, ArrowLeft: 37 }[key]) {
    const event = { key, code, windowsVirtualKeyCode: keyCode, ...(key === 'Enter' && { text: '\r' }) };
    await this.call('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.call('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  async picture(file) {
    const { data } = await this.call('Page.captureScreenshot', { format: 'png' });
    await writeFile(file, Buffer.from(data, 'base64'));
  }
}
