// Loads a page in a headless Chromium and takes a picture, over the browser's debugging protocol. Needs Node 22.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run', '--disable-sync',
  '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage', '--remote-debugging-port=0',
];

/** Opens `url`, waits until the expression `ready` is true, runs `prepare` in the page, and writes a picture. */
export async function picture({ url, cookies = [], width, height, ready, prepare = 'undefined', file }) {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const browser = spawn(process.env.CHROMIUM ?? 'chromium', [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(browser, 'exit');
  try {
    let port;
    for await (const line of createInterface({ input: browser.stderr })) {
      port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1];
      if (port) break;
    }
    browser.stderr.resume();
    const [page] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()).filter(({ type }) => type === 'page');
    const socket = new WebSocket(page.webSocketDebuggerUrl);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    let last = 0;
    const answers = new Map();
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(data);
      answers.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
    });
    const call = (method, params = {}) => new Promise((resolve) => {
      answers.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
    const evaluate = async (expression) =>
      (await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result.value;

    for (const cookie of cookies) await call('Network.setCookie', { ...cookie, url });
    await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await call('Page.navigate', { url });
    const until = Date.now() + 60_000;
    while (!(await evaluate(`Boolean(${ready})`))) {
      if (Date.now() > until) throw new Error(`not ready: ${await evaluate('document.body.innerText')}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await evaluate(prepare);
    await evaluate('new Promise((resolve) => setTimeout(resolve, 1500))');
    const { data } = await call('Page.captureScreenshot', { format: 'png' });
    await writeFile(file, Buffer.from(data, 'base64'));
  } finally {
    browser.kill();
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
