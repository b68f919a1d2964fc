// A worker that suspends nodes after an intent is written and before the intent is replicated. PIDS are the process IDs
// of the nodes. Pauses for STILL_MS before the first request of each message. Logs each intent and each request, and does
// not really make the requests.

import { createServer } from 'node:http2';
import * as restate from '@restatedev/restate-sdk';
import { messageObject } from '../src/message.js';

const plugin = {
  async sendMessage({ message }) {
    console.log(`request: ${message}`);
    return { id: message };
  },
};
const DEADLINE_MS = 200;
const pids = (process.env.PIDS ?? '').split(' ').filter(Boolean).map(Number);
const stillMs = Number(process.env.STILL_MS ?? 0);

const disturbing = () => ({
  interceptor: {
    async run(name, next) {
      if (name === 'send 1') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stillMs);
      await next();
      if (!name.startsWith('intent')) return;
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      console.log('intent');
    },
  },
});
const endpoint = restate.endpoint()
  .defaultServiceOptions({ hooks: [disturbing] })
  .bind(messageObject({ plugin, deadlineMs: DEADLINE_MS, isStopping: () => false }));
createServer(endpoint.http2Handler()).listen(Number(process.argv[2]), '127.0.0.1');
