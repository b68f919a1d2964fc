// MESSAGING_WORKER_TOKEN=... node worker.js https://inbox.example

import { Inbox } from 'messaging-plugin/inbox';

const stop = new AbortController();
// Not `process.once`, because `timeout` of the coreutils sends the signal twice.
process.on('SIGTERM', () => stop.abort());

const inbox = new Inbox({
  url: process.argv[2],
  token: process.env.MESSAGING_WORKER_TOKEN,
  signal: stop.signal,
  onError: (error, event) => console.error(event?.key ?? '', String(error)),
});

await inbox.run(async (event, { signal }) => {
  // An event can come again: do this once for each key, and stop it where `signal` says so.
  console.log(event.key, event.kind, event.json().text);
}, { concurrency: 8, deadAfter: 20 });
