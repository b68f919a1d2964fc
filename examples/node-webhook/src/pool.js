// A pool of worker threads with a queue of calls. If a thread dies, only its own call fails; a new thread serves the
// next call.

import { Thread } from './thread.js';

const COMPONENT = new URL('../component/webhook/', import.meta.url);
const SCRIPT = new URL('./worker.js', import.meta.url);
const SIZE = 4;

export class Pool {
  #data;
  #idle = [];
  #busy = new Set();
  #waiting = [];

  /** @param {any} data data for each thread */
  constructor(data) {
    this.#data = { component: COMPONENT.href, ...data };
  }

  /** Starts the first thread, so that a component that does not load is detected at once. */
  async start() {
    const thread = await this.#load();
    this.#idle.push(thread);
  }

  /** Runs a call in a thread, for at most `limitMs`. */
  run(job, limitMs) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, limitMs, resolve, reject });
      this.#next();
    });
  }

  #next() {
    while (this.#waiting.length > 0 && this.#busy.size < SIZE) {
      const { job, limitMs, resolve, reject } = this.#waiting.shift();
      const done = this.#perform(job, limitMs)
        .then(resolve, reject)
        .then(() => {
          this.#busy.delete(done);
          this.#next();
        });
      this.#busy.add(done);
    }
  }

  async #perform(job, limitMs) {
    this.#idle = this.#idle.filter((thread) => !thread.ended);
    const thread = this.#idle.pop() ?? await this.#load();
    const outcome = await thread.call(job, limitMs);
    this.#idle.push(thread);
    return outcome;
  }

  async #load() {
    const thread = new Thread(SCRIPT, this.#data);
    try {
      await thread.loaded();
    } catch (cause) {
      throw new Error(`${this.#data.component} cannot be loaded. Build it with \`npm run build\``, { cause });
    }
    return thread;
  }
}
