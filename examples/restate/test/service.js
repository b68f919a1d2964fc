// The simulated service behind gate.js.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Process, freePorts, until } from './processes.js';

/** Directory of cargo's builds. */
export const TARGET = `${import.meta.dirname}/../../../target/debug`;
export const MESSAGING_PROGRAM = process.env.MESSAGING_PROGRAM ?? `${TARGET}/messaging`;

export class Service {
  queue = Promise.resolve();

  static async start(folder, webhook) {
    const [port] = await freePorts(1);
    const service = new Service();
    service.direct = `http://127.0.0.1:${port}`;
    service.process = new Process(MESSAGING_PROGRAM, ['service', '--listen', `127.0.0.1:${port}`, '--webhook', webhook], {
      log: `${folder}/service.log`,
    });
    service.process.start();
    await until('the simulated service', () => service.ledger());
    // The gate has a separate thread, because this thread accepts no connections while it serves hundreds of callers.
    service.gate = new Worker(`${import.meta.dirname}/gate.js`, { workerData: { port } });
    [service.url] = await once(service.gate, 'message');
    return service;
  }

  /** Holds all replies from now on. Returns a function that releases them. */
  async hold() {
    await this.#tell('hold');
    return () => this.#tell('open');
  }

  /** Returns the number of held replies. */
  held() {
    return this.#tell('held');
  }

  /** Closes the service's port, so that connections are refused. */
  refuse() {
    return this.#tell('refuse');
  }

  /** Opens the port again after `refuse`. */
  accept() {
    return this.#tell('accept');
  }

  /** Sends one command after another, because replies have no identifiers. */
  #tell(order) {
    this.queue = this.queue.then(async () => {
      this.gate.postMessage(order);
      const [answer] = await once(this.gate, 'message');
      return answer;
    });
    return this.queue;
  }

  async ledger() {
    return (await fetch(`${this.direct}/_simulator/ledger`)).json();
  }

  /** Returns the messages of the ledger that match. */
  async messages(matches) {
    return (await this.ledger()).messages.filter(matches);
  }

  /** Returns true if a message with this text exists. Concurrent callers share one request for 250 ms. */
  async has(text) {
    this.texts ??= this.ledger()
      .finally(() => setTimeout(() => (this.texts = undefined), 250))
      .then(({ messages }) => new Set(messages.map((one) => one.message)));
    return (await this.texts).has(text);
  }

  /** Delivers an event until it is acknowledged. */
  async deliver(key, from, message) {
    const body = { id: `msg-${key}`, object: 'message', event: 'message:in:new', from, message };
    await until(`event ${key}`, async () => (await fetch(`${this.direct}/_simulator/events`, {
      method: 'POST', body: JSON.stringify({ key, body }),
    })).ok);
  }
}
