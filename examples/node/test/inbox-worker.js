// A worker in a separate process: node inbox-worker.js URL FOLDER. Processes each key once by creating a file in
// FOLDER/done, and appends a line to FOLDER/lines for each event.

import { appendFileSync, writeFileSync } from 'node:fs';
import { Inbox } from 'messaging-plugin/inbox';

const [url, folder] = process.argv.slice(2);
const stop = new AbortController();
// Uses `on` in place of `once`, because the program `timeout` sends the signal twice.
process.on('SIGTERM', () => stop.abort());
const inbox = new Inbox({ url, token: process.env.TOKEN, leaseMs: 2_000, signal: stop.signal, onError: (error) => console.error(String(error)) });
await inbox.run(async ({ key, attempts }) => {
  appendFileSync(`${folder}/lines`, `${key} ${attempts}\n`);
  try {
    writeFileSync(`${folder}/done/${key}`, '', { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}, { concurrency: 16 });
