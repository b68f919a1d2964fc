// All processes of a test: three nodes, a worker, `messaging serve`, and the simulated service with its ledger.

import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from './cluster.js';
import { Process, freePorts, until } from './processes.js';
import { MESSAGING_PROGRAM, Service } from './service.js';

const here = import.meta.dirname;
/** Node 24, because the SDK needs Node 22 or newer. */
const NODE = `${here}/../node_modules/node24/bin/node`;
/** Programs of the workers: the regular worker, and the worker of intent.js. */
const WORKERS = { worker: [NODE, `${here}/../src/worker.js`], intent: [NODE, `${here}/intent.js`] };
export const KEY = 'simulated-key';
/** The customer of messages and events that only test whether the system works. */
export const PROBE = '+34600000000';

export class World {
  /** Starts all processes. `deadlineMs` is the worker's deadline for a request. */
  static async start({ deadlineMs }) {
    if (!existsSync(MESSAGING_PROGRAM)) throw new Error(`${MESSAGING_PROGRAM} is missing: run cargo build, or set MESSAGING_PROGRAM`);
    const world = new World();
    world.folder = await mkdtemp(join(tmpdir(), 'restate-'));
    const began = performance.now();
    world.cluster = await Cluster.start(world.folder);
    const [inbox] = await freePorts(1);
    world.service = await Service.start(world.folder, `http://127.0.0.1:${inbox}/`);
    world.worker = await world.serveHandlers('worker', {
      MESSAGING_BASE_URL: world.service.url, MESSAGING_API_KEY: KEY, MESSAGING_DEADLINE_MS: String(deadlineMs),
    });
    await world.works('start');
    world.startMs = performance.now() - began;

    world.store = `${world.folder}/inbox.sqlite`;
    const forward = `${world.cluster.nodes[0].ingress}/Events/received`;
    world.inbox = new Process(MESSAGING_PROGRAM, ['serve', '--listen', `127.0.0.1:${inbox}`, '--store', world.store, '--forward', forward], {
      log: `${world.folder}/serve.log`,
    });
    world.inbox.start();
    await until('serve', async () => (await fetch(`http://127.0.0.1:${inbox}/livez`)).ok);
    return world;
  }

  /** Starts a process that serves handlers, `worker` or `intent`, and registers its handlers. */
  async serveHandlers(name, env) {
    const [port] = await freePorts(1);
    const [program, ...args] = WORKERS[name];
    if (!existsSync(program)) throw new Error(`${program} is missing: install it as README.md describes`);
    const worker = new Process(program, [...args, String(port)], {
      log: `${this.folder}/${name}.log`, env: { ...env, RESTATE_LOGGING: 'WARN' },
    });
    worker.start();
    await until(name, () => fetch(`http://127.0.0.1:${port}`).catch((error) => error.cause?.code !== 'ECONNREFUSED'));
    await this.cluster.register(`http://127.0.0.1:${port}`);
    return worker;
  }

  /** Returns when every partition can send. Sends a dozen messages with texts that begin with `Probe`. */
  async works(name) {
    this.probes = (this.probes ?? 0) + 1;
    await Promise.all(Array.from({ length: 12 }, (_, i) => this.cluster.call(`Message/probe-${this.probes}-${i}/send`, {
      phone: PROBE, message: `Probe ${this.probes}.${i}, ${name}`,
    }, { key: `probe-${this.probes}-${i}` })));
  }

  /** Returns when an event is acknowledged. */
  async acknowledges() {
    this.events = (this.events ?? 0) + 1;
    const key = `probe-${this.events}`;
    await this.service.deliver(key, PROBE, 'Hello?');
  }

  /** Submits an order. */
  order(id, phone, message) {
    return this.cluster.submit(`Order/${id}/run`, { phone, message });
  }

  /** Waits for the result of an order. */
  async orderResult(id, limitMs = 300_000) {
    return until(`order ${id}`, async () => {
      for (const node of this.cluster.nodes.filter((one) => one.isRunning)) {
        const reply = await fetch(`${node.ingress}/restate/workflow/Order/${id}/output`).catch(() => undefined);
        if (reply?.status === 200) return reply.json();
      }
    }, { limitMs, everyMs: 100 });
  }

  /** Returns the state of a message, as an operator sees it. */
  async entry(key) {
    return (await this.cluster.call(`Message/${key}/show`)).json;
  }

  async untilState(key, state, limitMs) {
    return until(`${key} is ${state}`, async () => {
      const entry = await this.entry(key);
      return entry?.state === state && entry;
    }, { limitMs });
  }

  /** Resolves all unknown outcomes that can be resolved now. Looks into the service, as an operator would. Returns the
   *  number of resolved outcomes. */
  async decideAll() {
    const now = Date.now();
    const unknown = await this.cluster.unknown();
    const { messages } = await this.service.ledger();
    let count = 0;
    for (const { key, message, openUntil } of unknown) {
      const found = messages.find((one) => one.message === message.message);
      if (!found && now <= Date.parse(openUntil)) continue;
      const { status } = await this.cluster.call(`Message/${key}/resolve`, { ...(found ? { id: found.id } : { created: false }), by: 'Ana' });
      count += Number(status === 200);
    }
    return count;
  }

  async memory() {
    const nodes = await Promise.all(this.cluster.nodes.map((node) => node.memory()));
    return { node: Math.max(...nodes), worker: await this.worker.memory(), serve: await this.inbox.memory() };
  }

  async stop() {
    const all = [...this.cluster.nodes, this.worker, this.inbox, this.service.process];
    await Promise.all(all.filter((one) => one.isRunning).map((one) => one.stop()));
    await this.service.gate.terminate();
    await rm(this.folder, { recursive: true });
  }
}
