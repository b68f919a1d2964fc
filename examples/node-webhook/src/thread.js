// One worker thread and its current call.

import { Worker } from 'node:worker_threads';

// A busy thread keeps the process alive; an idle thread does not.

/** The error of a call that has no outcome because of a trap or because its worker ended. */
export class Crash extends Error {}

export class Thread {
  #worker;
  #answer;
  /** True if the thread has ended and takes no further call. */
  ended = false;

  /** @param {URL} script script of the thread
   *  @param {any} workerData data for the script */
  constructor(script, workerData) {
    this.#worker = new Worker(script, {
      workerData,
      // The thread inherits no variables, arguments or flags of this process.
      env: {},
      argv: [],
      execArgv: [],
    });
    this.#worker.on('message', (message) => this.#settle('resolve', message));
    this.#worker.on('error', (error) => this.#fail(String(error)));
    this.#worker.on('exit', (code) => this.#fail(`worker exited with code ${code}`));
  }

  /** Resolves when the component is loaded. */
  async loaded() {
    await this.#next();
    this.#worker.unref();
  }

  /** Makes a call and resolves with its outcome. Ends the thread after a crash, or if there is no outcome within
   *  `limitMs`. */
  async call(job, limitMs) {
    this.#worker.ref();
    const timer = setTimeout(() => this.#fail(`no outcome after ${limitMs} ms`), limitMs);
    try {
      const outcome = this.#next();
      this.#worker.postMessage(job);
      const { trap, ...rest } = await outcome;
      if (trap !== undefined) throw new Crash(trap);
      this.#worker.unref();
      return rest;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async end() {
    this.ended = true;
    await this.#worker.terminate();
  }

  #next() {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
    });
  }

  #settle(how, value) {
    this.#answer?.[how](value);
    this.#answer = undefined;
  }

  #fail(text) {
    this.ended = true;
    this.#settle('reject', new Crash(text));
  }
}
