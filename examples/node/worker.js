// Processes events of an inbox: MESSAGING_WORKER_TOKEN=... node worker.js https://inbox.example

import { Inbox } from 'messaging-plugin/inbox';

const stop = new AbortController();
// Uses `on` in place of `once`, because the program `timeout` sends the signal twice.
process.on('SIGTERM', () => stop.abort());

const inbox = new Inbox({
  url: process.argv[2],
  token: process.env.MESSAGING_WORKER_TOKEN,
  signal: stop.signal,
  onError: (error, event) => console.error(event?.key ?? '', String(error)),
});

await inbox.run(async (event, { signal }) => {
  // The same event can be leased again, so do the work once for each key. Stop when `signal` aborts.
  console.log(event.key, event.kind, event.json().text);
}, { concurrency: 8, deadAfter: 20 });
