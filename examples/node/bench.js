// `npm run bench` measures the cost of a call of this package relative to a call of `fetch`. The calls go to the simulated
// service on loopback. They take turns, so load on the machine affects both kinds of calls. Prints medians of all rounds.
// With `--check`, exits with 1 if a value exceeds its bound.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Plugin } from 'messaging-plugin';
import { simulatedService } from './host-test.js';

const ROUNDS = 15;
const CALLS = 400;
const AT_ONCE = 32;
const IN_FLIGHT = 10_000;
const BATCH = 250;
const BOUNDS = { ratio: 1.3, bytes: 64 * 1024 };

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
  return {
    fetch: async () => {
      const headers = { token: apiKey, accept: 'application/json', 'accept-encoding': 'identity', 'content-type': 'application/json' };
      const reply = await fetch(`${baseUrl}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(message) });
      return reply.json();
    },
    sendMessage: () => plugin.sendMessage(message),
  };
}

async function times() {
  const service = await simulatedService('--forget');
  const { baseUrl, apiKey } = service;
  const plugin = await Plugin.load({ baseUrl, apiKey, ...(options.fetch ? { fetch } : {}) });
  const callers = callersOf(service, plugin);
  for (const atOnce of [1, AT_ONCE]) {
    const rounds = { fetch: [], sendMessage: [] };
    for (let round = -2; round < ROUNDS; round++) {
      for (const [name, call] of Object.entries(callers)) {
        const taken = await measure(call, atOnce);
        if (round >= 0) rounds[name].push(taken);
      }
    }
    for (const key of ['time', 'cpu']) {
      const [base, own] = [rounds.fetch, rounds.sendMessage].map((all) => median(all.map((one) => one[key])));
      show(`${key === 'cpu' ? 'CPU' : 'time'} for each call, ${atOnce} at once`, base, own, 'us');
    }
  }
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

function show(what, base, own, unit) {
  const ratio = own / base;
  console.log(`${what.padEnd(40)}fetch ${base.toFixed(0).padStart(6)} ${unit}, plugin ${own.toFixed(0).padStart(6)} ${unit}: ${ratio.toFixed(2)}`);
  if (ratio > BOUNDS.ratio) missed.push(what);
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
