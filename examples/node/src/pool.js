// A few worker threads, and the calls that wait for one. A worker that dies takes
// its own call with it and no other; the next call gets a new one.

import { Worker } from 'node:worker_threads';

const COMPONENT = new URL('../component/plugin/', import.meta.url);
const WORKER = new URL('./worker.js', import.meta.url);

/** A call ended without an outcome: a trap, or the death of its worker. */
export class Crash extends Error {}

export class Pool {
  #size;
  #component;
  #idle = [];
  #busy = new Map();
  #waiting = [];
  #closing;

  /** @param {{ size?: number, component?: URL }} [options] */
  constructor({ size = 4, component = COMPONENT } = {}) {
    if (!Number.isSafeInteger(size) || size < 1) {
      throw new RangeError('size is not a positive whole number of workers');
    }
    this.#size = size;
    this.#component = component;
  }

  /** Starts one worker, so that a component that cannot be loaded is found now. */
  async start() {
    const worker = this.#spawn();
    await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the worker ended while it started')));
    });
    worker.removeAllListeners();
    this.#rest(worker);
  }

  /** Runs a call in a worker; stops the worker after `limitMs` of it. */
  run(job, limitMs) {
    if (this.#closing) return Promise.reject(new Error('the plugin is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, limitMs, resolve, reject });
      this.#next();
    });
  }

  /** Takes no further calls, waits for those it has, and ends the workers. */
  close() {
    this.#closing ??= (async () => {
      while (this.#busy.size > 0) await Promise.allSettled(this.#busy.values());
      await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
    })();
    return this.#closing;
  }

  #spawn() {
    return new Worker(WORKER, {
      name: 'messaging-plugin',
      workerData: { component: this.#component.href },
      // Nothing of this process: no variables, no arguments, no flags.
      env: {},
      argv: [],
      execArgv: [],
    });
  }

  #next() {
    while (this.#waiting.length > 0 && this.#busy.size < this.#size) {
      const worker = this.#idle.pop() ?? this.#spawn();
      const { job, limitMs, resolve, reject } = this.#waiting.shift();
      const outcome = this.#perform(worker, job, limitMs).finally(() => {
        this.#busy.delete(worker);
        this.#next();
      });
      this.#busy.set(worker, outcome);
      outcome.then(resolve, reject);
    }
  }

  async #perform(worker, job, limitMs) {
    worker.ref();
    let timer;
    try {
      const answer = await new Promise((resolve, reject) => {
        worker.on('message', (message) => message !== 'ready' && resolve(message));
        worker.once('error', (error) => reject(new Crash(String(error))));
        worker.once('exit', (code) => reject(new Crash(`its worker ended with code ${code}`)));
        timer = setTimeout(() => reject(new Crash(`no end after ${limitMs} ms`)), limitMs);
        worker.postMessage(job);
      });
      if ('trap' in answer) throw new Crash(answer.trap);
      worker.removeAllListeners();
      this.#rest(worker);
      return answer;
    } catch (error) {
      worker.removeAllListeners();
      // It may die of the same cause a second time while it is being ended.
      worker.on('error', () => {});
      await worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #rest(worker) {
    // An idle worker keeps no process alive. One that dies now is nobody's loss.
    worker.unref();
    const gone = () => {
      this.#idle = this.#idle.filter((other) => other !== worker);
    };
    worker.once('error', gone);
    worker.once('exit', gone);
    this.#idle.push(worker);
  }
}
