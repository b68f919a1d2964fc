// A worker that stops the nodes of PIDS as soon as an intent is written, before anybody has a copy of it; in the place of
// the plugin it counts. Its log has a line for each intent, and one for each request.

import { createServer } from 'node:http2';
import * as restate from '@restatedev/restate-sdk';
import { messageObject } from '../src/message.js';

const plugin = {
  async sendMessage({ message }) {
    console.log(`request: ${message}`);
    return { id: message };
  },
};
const stopping = () => ({
  interceptor: {
    async run(name, next) {
      await next();
      if (!name.startsWith('intent')) return;
      for (const pid of process.env.PIDS.split(' ')) process.kill(Number(pid), 'SIGSTOP');
      console.log('intent');
    },
  },
});
const endpoint = restate.endpoint()
  .defaultServiceOptions({ hooks: [stopping] })
  .bind(messageObject({ plugin, isStopping: () => false }));
createServer(endpoint.http2Handler()).listen(Number(process.argv[2]), '127.0.0.1');
