// MESSAGING_BASE_URL=… MESSAGING_API_KEY=… [MESSAGING_DEADLINE_MS=…] node src/worker.js [PORT]
//
// Serves the handlers to Restate. SIGTERM: begins no further request, and ends when those under way have their result.

import { createServer } from 'node:http2';
import * as restate from '@restatedev/restate-sdk';
import { Plugin } from 'messaging-plugin';
import { customer, events } from './customer.js';
import { messageObject } from './message.js';
import { order } from './order.js';

/** Default deadline of a request: below Restate's `inactivity-timeout`, a minute. */
const DEADLINE_MS = '30000';
/** Time for results to reach Restate, after the last of them. */
const FAREWELL_MS = 500;

const plugin = await Plugin.load({
  baseUrl: process.env.MESSAGING_BASE_URL,
  apiKey: process.env.MESSAGING_API_KEY,
  settings: { MESSAGING_DEADLINE_MS: process.env.MESSAGING_DEADLINE_MS ?? DEADLINE_MS },
});
let isStopping = false;
const endpoint = restate.endpoint()
  .bind(messageObject({ plugin, deadlineMs: plugin.deadlineMs, isStopping: () => isStopping }))
  .bind(order)
  .bind(customer)
  .bind(events);

const server = createServer(endpoint.http2Handler());
// Restate's servers reach it here. Whoever else can is not told from them: see `withIdentityV1` of the SDK.
server.listen(Number(process.argv[2] ?? 9080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', async () => {
  isStopping = true;
  await plugin.close();
  setTimeout(() => process.exit(0), FAREWELL_MS);
});
