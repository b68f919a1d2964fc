// `npm run bench` measures the cost of a call of this package relative to calls of `fetch`, `node:http` and a pool of
// undici. The calls go to the simulated service on loopback. They take turns, so load on the machine affects all kinds
// of calls. Prints medians of all rounds, and ratios to the package's call. With `--check`, exits with 1 if a value
// exceeds its bound.
//
// Profile of `sendMessage`, 32 at once (`node --cpu-prof`, 2026-11-30): 18 % in writes to the socket, 14 % in the component
// and the conversion of its values, 13 % in the rest of the package, the others in node:http, events and timers. With one
// call at a time, the two turns of the event loop that detect a closed connection take about 30 us.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Plugin } from 'messaging-plugin';
import { Pool } from 'undici';
import { simulatedService } from './host-test.js';

const ROUNDS = 15;
const CALLS = 400;
const AT_ONCE = 32;
const IN_FLIGHT = 10_000;
const BATCH = 250;
/** Maximum time of a call of the package relative to the other clients, and maximum memory of a call. */
const BOUNDS = { fetch: 1.3, 'node:http': 1.1, undici: 1.5, bytes: 64 * 1024 };

const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, fetch: { type: 'boolean' }, memory: { type: 'string' }, service: { type: 'string' } },
});
const message = { phone: '+34600111222', message: 'Your order is ready for pickup.' };
const missed = [];

if (options.memory) {
  console.log(await bytesInFlight(options.memory, JSON.parse(options.service)));
} else {
  await times();
  await memory();
  if (options.check && missed.length > 0) {
    console.error(`missed: ${missed.join(', ')}`);
    process.exitCode = 1;
  }
}

function callersOf({ baseUrl, apiKey }, plugin) {
  const url = `${baseUrl}/v1/messages`;
  const headers = { token: apiKey, accept: 'application/json', 'accept-encoding': 'identity', 'content-type': 'application/json' };
  const agent = new http.Agent({ keepAlive: true });
  const pool = new Pool(baseUrl, { connections: AT_ONCE });
  return {
    fetch: async () => {
      const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
      return reply.json();
    },
    'node:http': () => new Promise((resolve, reject) => {
      const body = JSON.stringify(message);
      const own = { ...headers, 'content-length': Buffer.byteLength(body) };
      const request = http.request(url, { agent, method: 'POST', headers: own }, (reply) => {
        text(reply).then((read) => resolve(JSON.parse(read)), reject);
      });
      request.on('error', reject);
      request.end(body);
    }),
    undici: async () => {
      const reply = await pool.request({ path: '/v1/messages', method: 'POST', headers, body: JSON.stringify(message) });
      return reply.body.json();
    },
    sendMessage: () => plugin.sendMessage(message),
    async close() {
      agent.destroy();
      await pool.close();
    },
  };
}

async function times() {
  const service = await simulatedService('--forget');
  const { baseUrl, apiKey } = service;
  const plugin = await Plugin.load({ baseUrl, apiKey, ...(options.fetch ? { fetch } : {}) });
  const { close, ...callers } = callersOf(service, plugin);
  for (const atOnce of [1, AT_ONCE]) {
    const rounds = Object.fromEntries(Object.keys(callers).map((name) => [name, []]));
    for (let round = -2; round < ROUNDS; round++) {
      for (const [name, call] of Object.entries(callers)) {
        const taken = await measure(call, atOnce);
        if (round >= 0) rounds[name].push(taken);
      }
    }
    for (const key of ['time', 'cpu']) show(`${key === 'cpu' ? 'CPU' : 'time'} of a call, ${atOnce} at once`, rounds, key);
  }
  await close();
  const event = {
    headers: { 'x-idempotency-key': 'evt-1', 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'msg-1', object: 'message', event: 'message:in:new', text: 'x'.repeat(230) }),
  };
  const events = [];
  for (let round = -2; round < ROUNDS; round++) {
    const { time } = await measure(() => plugin.handleEvent(event), 1);
    if (round >= 0) events.push(time);
  }
  console.log(`${'handleEvent, 300 bytes'.padEnd(44)}${' '.repeat(14)}${median(events).toFixed(1).padStart(9)} us`);
  await plugin.close();
  await service.stop();
}

async function measure(call, atOnce) {
  const began = performance.now();
  const before = process.cpuUsage();
  let left = CALLS;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (left-- > 0) await call();
  }));
  const { user, system } = process.cpuUsage(before);
  return { time: ((performance.now() - began) * 1000) / CALLS, cpu: (user + system) / CALLS };
}

/** Prints the medians of all rounds, and the medians of the ratios of `sendMessage` to the other clients. */
function show(what, rounds, key) {
  console.log(`\n${what}`);
  for (const [name, values] of Object.entries(rounds)) {
    const ratio = median(values.map((one, round) => rounds.sendMessage[round][key] / one[key]));
    const us = median(values.map((one) => one[key]));
    const compared = name === 'sendMessage' ? '' : `, sendMessage takes ${ratio.toFixed(2)} of it`;
    console.log(`  ${name.padEnd(14)}${us.toFixed(0).padStart(6)} us${compared}`);
    if (ratio > BOUNDS[name]) missed.push(`${what}, ${name}`);
  }
}

/** Runs `fetch` and `sendMessage` in separate processes, because a process reuses the memory that earlier calls have
 *  freed. */
async function memory() {
  const service = await simulatedService('--forget', '--latency-ms', '12000');
  const own = {};
  for (const name of ['fetch', 'sendMessage']) {
    const child = spawn(process.execPath, [
      '--expose-gc', import.meta.filename, '--memory', name, '--service', JSON.stringify(service),
      ...(options.fetch ? ['--fetch'] : []),
    ], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    own[name] = Number(out);
  }
  await service.stop();
  console.log(`memory for each of ${IN_FLIGHT} calls in flight    fetch ${kib(own.fetch)}, plugin ${kib(own.sendMessage)}`);
  if (!(own.sendMessage <= BOUNDS.bytes)) missed.push('memory');
}

async function bytesInFlight(name, service) {
  const { baseUrl, apiKey } = service;
  const plugin = await Plugin.load({ baseUrl, apiKey, ...(options.fetch ? { fetch } : {}) });
  const call = callersOf(service, plugin)[name];
  gc();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
  const begun = [];
  while (begun.length < IN_FLIGHT) {
    // Starts the calls in batches, because the service's accept queue cannot hold all connections.
    for (let one = 0; one < BATCH; one++) begun.push(call());
    await sleep(50);
  }
  const calls = await Promise.allSettled(begun);
  clearInterval(watch);
  const failed = calls.filter(({ status }) => status === 'rejected');
  if (failed.length > 0) throw new Error(`${failed.length} calls failed`, { cause: failed[0].reason });
  await plugin.close();
  return (most - before) / IN_FLIGHT;
}

function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

function median(all) {
  return all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
}
