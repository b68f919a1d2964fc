// A few worker threads, and the calls that wait for one. A thread that dies takes
// its own call with it and no other; the next call gets a new one.

import { Thread } from './thread.js';

const COMPONENT = new URL('../component/plugin/', import.meta.url);
const SCRIPT = new URL('./worker.js', import.meta.url);

export class Pool {
  #size;
  #script;
  #data;
  #idle = [];
  #busy = new Set();
  #waiting = [];
  #closed;

  constructor({ size = 4, component = COMPONENT, script = SCRIPT, data } = {}) {
    if (!Number.isSafeInteger(size) || size < 1) {
      throw new RangeError('size is not a positive whole number of workers');
    }
    this.#size = size;
    this.#script = script;
    this.#data = { component: component.href, ...data };
  }

  /** Starts the first thread, so that a component that cannot be loaded is found now. */
  async start() {
    const thread = await this.#load();
    this.#idle.push(thread);
  }

  /** Runs a call in a thread, for at most `limitMs`. */
  run(job, limitMs) {
    if (this.#closed) return Promise.reject(new Error('the plugin is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, limitMs, resolve, reject });
      this.#next();
    });
  }

  /** Takes no further calls, waits for those it has, and ends the threads. */
  close() {
    this.#closed ??= (async () => {
      while (this.#busy.size > 0) await Promise.all(this.#busy);
      await Promise.all(this.#idle.map((thread) => thread.end()));
    })();
    return this.#closed;
  }

  #next() {
    while (this.#waiting.length > 0 && this.#busy.size < this.#size) {
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
    const thread = new Thread(this.#script, this.#data);
    try {
      await thread.loaded();
    } catch (cause) {
      throw new Error(`${this.#data.component} cannot be loaded. Make it with \`npm run build\``, { cause });
    }
    return thread;
  }
}
