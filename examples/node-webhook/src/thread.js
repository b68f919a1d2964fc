// One worker thread, and the one call that it is busy with.

import { Worker } from 'node:worker_threads';

// A thread keeps its process alive while it is busy, and not while it waits for work.

/** A call ended without an outcome: a trap, or the death of its worker. */
export class Crash extends Error {}

export class Thread {
  #worker;
  #answer;
  /** Whether it ended, and takes no further call. */
  ended = false;

  /** @param {URL} script what it runs
   *  @param {any} workerData what the script is given */
  constructor(script, workerData) {
    this.#worker = new Worker(script, {
      workerData,
      // Nothing of this process: no variables, no arguments, no flags.
      env: {},
      argv: [],
      execArgv: [],
    });
    this.#worker.on('message', (message) => this.#settle('resolve', message));
    this.#worker.on('error', (error) => this.#fail(String(error)));
    this.#worker.on('exit', (code) => this.#fail(`its worker ended with code ${code}`));
  }

  /** Resolves when the component is loaded. */
  async loaded() {
    await this.#next();
    this.#worker.unref();
  }

  /** Makes a call and resolves with its outcome; ends the thread after a crash, or
   *  when there is no outcome after `limitMs`. */
  async call(job, limitMs) {
    this.#worker.ref();
    const timer = setTimeout(() => this.#fail(`no end after ${limitMs} ms`), limitMs);
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
