// Prints the bytes of an event in the inbox, and the memory of `serve`: node examples/operate/sizes.mjs [EVENTS]

import { statSync } from 'node:fs';
import { startInbox } from '../../host-test/operate/test/inbox.mjs';

const EVENTS = Number(process.argv[2] ?? 10_000);
const SENDERS = 32;
const event = { id: 'msg-0000001', object: 'message', event: 'message:in:new', text: 'Is it ready? '.repeat(30) };
const size = JSON.stringify(event).length;

const ends = [];
const inbox = await startInbox({ after: (end) => ends.push(end) });
try {
  const idle = await inbox.memory();
  let next = 0;
  await Promise.all(Array.from({ length: SENDERS }, async () => {
    while (next < EVENTS) {
      next += 1;
      const key = `evt-${String(next).padStart(32, '0')}`;
      await inbox.deliver(key, { ...event, id: `msg-${key}` });
    }
  }));
  const busy = await inbox.memory();
  await inbox.stop(); // Moves the WAL into the file.
  const bytes = statSync(inbox.store).size;
  const mebibytes = (value) => Math.round(value / 2 ** 20);
  console.log(`${EVENTS} events of about ${size} bytes: ${Math.round(bytes / EVENTS)} bytes per event in the inbox, ${mebibytes(bytes)} MiB in total`);
  console.log(`memory of serve: ${mebibytes(idle)} MiB at first, ${mebibytes(busy)} MiB after ${EVENTS} deliveries`);
} finally {
  for (const end of ends) await end();
}
