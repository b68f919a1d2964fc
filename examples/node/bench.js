// The cost of a call beside a plain `fetch`, against the simulated service on loopback:
// `npm run bench`. Medians; the callers take turns, so that a noisy machine is noisy
// to all of them.

import { Plugin } from './src/index.js';
import { simulatedService } from './host-test.js';

const ROUNDS = 500;
const WARM_UP = 50;

const service = await simulatedService('--forget');
const { baseUrl, apiKey } = service;
const plugin = await Plugin.load({ baseUrl, apiKey, size: 1 });
const message = { phone: '+34600111222', message: 'Your order is ready for pickup.' };
const event = {
  headers: { 'x-idempotency-key': 'evt-1', 'content-type': 'application/json' },
  body: JSON.stringify({ id: 'msg-1', object: 'message', event: 'message:in:new', text: 'x'.repeat(230) }),
};
const callers = {
  'fetch, one POST': async () => {
    const headers = { token: apiKey, 'content-type': 'application/json' };
    const reply = await fetch(`${baseUrl}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(message) });
    await reply.json();
  },
  'plugin.sendMessage': () => plugin.sendMessage(message),
  'plugin.handleEvent, 300 bytes': () => plugin.handleEvent(event),
};

const times = Object.fromEntries(Object.keys(callers).map((name) => [name, []]));
for (let round = -WARM_UP; round < ROUNDS; round++) {
  for (const [name, call] of Object.entries(callers)) {
    const start = performance.now();
    await call();
    if (round >= 0) times[name].push(performance.now() - start);
  }
}
const loads = [];
for (let round = 0; round < 10; round++) {
  const start = performance.now();
  const loaded = await Plugin.load({ baseUrl, apiKey, size: 1 });
  loads.push(performance.now() - start);
  await loaded.close();
}
await plugin.close();
await service.stop();

times['Plugin.load'] = loads;
for (const [name, all] of Object.entries(times)) {
  const median = all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
  console.log(`${name.padEnd(32)}${median.toFixed(2).padStart(8)} ms`);
}
