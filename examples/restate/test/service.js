// The simulated service behind a gate that can hold its answers: the message is created then, and nobody knows yet.

import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { Process, freePorts, until } from './processes.js';

/** Folder of cargo's builds. */
export const TARGET = `${import.meta.dirname}/../../../target/debug`;
export const HOST_TEST = process.env.HOST_TEST ?? `${TARGET}/messaging`;

export class Service {
  static async start(folder, webhook) {
    const [port] = await freePorts(1);
    const service = new Service();
    service.direct = `http://127.0.0.1:${port}`;
    service.process = new Process(HOST_TEST, ['service', '--listen', `127.0.0.1:${port}`, '--webhook', webhook], {
      log: `${folder}/service.log`,
    });
    service.process.start();
    await until('the simulated service', () => service.ledger());
    service.gate = createServer((incoming, reply) => service.#pass(incoming, reply));
    service.gate.listen(0, '127.0.0.1');
    await once(service.gate, 'listening');
    service.url = `http://127.0.0.1:${service.gate.address().port}`;
    return service;
  }

  /** From now on answers are held. Returns what lets them go. */
  hold() {
    let open;
    this.opened = new Promise((done) => (open = done));
    return () => {
      this.opened = undefined;
      open();
    };
  }

  #pass(incoming, reply) {
    const { method, url, headers } = incoming;
    const onward = request(this.direct + url, { method, headers }, async (answer) => {
      this.held = (this.held ?? 0) + 1;
      await this.opened;
      this.held -= 1;
      reply.writeHead(answer.statusCode, answer.headers);
      answer.pipe(reply);
    });
    onward.on('error', () => reply.destroy());
    incoming.pipe(onward);
  }

  /** Listens no more, or again. */
  async refuse() {
    this.gate.closeAllConnections();
    await once(this.gate.close(), 'close');
  }

  async accept() {
    this.gate.listen(Number(new URL(this.url).port), '127.0.0.1');
    await once(this.gate, 'listening');
  }

  async ledger() {
    return (await fetch(`${this.direct}/_simulator/ledger`)).json();
  }

  /** Messages of the ledger that match. */
  async messages(matches) {
    return (await this.ledger()).messages.filter(matches);
  }

  /** Whether there is a message with this text; looked up for all who ask within a moment. */
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
