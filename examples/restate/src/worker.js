// MESSAGING_BASE_URL=… MESSAGING_API_KEY=… [MESSAGING_DEADLINE_MS=…] node src/worker.js [PORT]
//
// Serves the handlers to Restate. After SIGTERM, starts no further request, and exits when active requests have a
// result.

import { createServer } from 'node:http2';
import * as restate from '@restatedev/restate-sdk';
import { Plugin } from 'messaging-plugin';
import { customer, events } from './customer.js';
import { messageObject } from './message.js';
import { order } from './order.js';

/** Default deadline of a request in milliseconds, below Restate's `inactivity-timeout` of one minute. */
const DEADLINE_MS = '30000';
/** Time for the last results to reach Restate, in milliseconds. */
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
// Restate's servers connect to this address. The worker does not authenticate clients; see `withIdentityV1` of the SDK.
server.listen(Number(process.argv[2] ?? 9080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', async () => {
  isStopping = true;
  await plugin.close();
  setTimeout(() => process.exit(0), FAREWELL_MS);
});
