// Requests to the inbox, and their repetitions. All of them can be repeated: a lease whose answer is lost
// ends by itself; a lease that was acknowledged or extended can be again; one that ended with a nack or
// release is lost to whoever repeats that, and so is what was to be done.

import { baseOf, headersOf } from './bearer.js';
import { InboxUnavailableError, LeaseLostError, read } from './inbox-errors.js';
import { nodeDriver } from './node-http.js';
import { pause } from './pause.js';

/** The longest time for one request, beside that for which it waits for an event. */
const REQUEST_MS = 10_000;
/** The longest time for a call that is not part of a loop, retries included, beside the wait for an event. */
export const CALL_MS = 10_000;
/** For how long requests are repeated once the caller wants to stop. */
const STOPPING_MS = 5_000;
/** Pauses between repetitions: the first one, and the longest. */
const PAUSE_MS = { first: 100, most: 10_000 };
/** How often a pause looks whether the caller wants to stop. */
const LOOK_MS = 500;
/** A hundred events of the largest size, with their JSON escaped. */
const MOST_REPLY_BYTES = 64 * 1024 * 1024;

export class Requests {
  #driver;
  #base;
  #headers;
  #patienceMs;
  #signal;
  #onError;

  constructor({ url, token, ca, allowHttp, patienceMs, signal, onError }) {
    this.#base = baseOf(url, allowHttp);
    this.#headers = headersOf(token);
    this.#driver = nodeDriver({ ca });
    this.#patienceMs = patienceMs;
    this.#signal = signal;
    this.#onError = onError;
  }

  get(doing, path, limits) {
    return this.#repeat(doing, 'GET', path, new Uint8Array(), limits);
  }

  /** @param {object} [limits]
   *  @param {number} [limits.waitMs] for how long the inbox may wait before it answers
   *  @param {number} [limits.tryMs] for how long it may take otherwise
   *  @param {number} [limits.patienceMs] for how long the request is repeated after it first failed
   *  @param {number} [limits.until] on `performance.now()`, when that ends at the latest
   *  @param {number} [limits.callMs] the time for all tries, beside `waitMs`
   *  @param {AbortSignal} [limits.signal] gives it up: rejects with the signal's reason
   *  @param {boolean} [limits.endsLease] what it does, it cannot do again: then a lost lease is not told
   *      from an earlier try that counted, and `undefined` stands for both */
  post(doing, path, body, limits) {
    return this.#repeat(doing, 'POST', path, new TextEncoder().encode(JSON.stringify(body)), limits);
  }

  async #repeat(doing, method, path, body, limits = {}) {
    const { waitMs = 0, tryMs = REQUEST_MS, patienceMs = this.#patienceMs, until = Infinity, callMs = Infinity, signal, endsLease } = limits;
    const endsAt = performance.now() + waitMs + callMs;
    let failedAt;
    const leftMs = () => {
      const patience = this.#signal?.aborted ? Math.min(STOPPING_MS, patienceMs) : patienceMs;
      return Math.min(failedAt + patience, until, endsAt) - performance.now();
    };
    let mayHaveArrived = false;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#driver.exchange({
        method,
        url: this.#base + path,
        headers: this.#headers,
        body,
        timeLeftMs: Math.max(Math.min(waitMs + tryMs, endsAt - performance.now()), 0),
        maxReplyBytes: MOST_REPLY_BYTES,
      }, signal);
      const { value, error } = read(doing, outcome);
      if (!error) return value;
      signal?.throwIfAborted();
      if (endsLease && mayHaveArrived && error instanceof LeaseLostError) return undefined;
      if (!(error instanceof InboxUnavailableError)) throw error;
      failedAt ??= performance.now();
      mayHaveArrived ||= outcome.failure !== 'not-reached';
      const pauseMs = Math.max(error.retryAfterMs ?? 0, pauseOf(attempt));
      if (pauseMs > leftMs()) throw error;
      this.#onError(error);
      await this.#pause(pauseMs, signal);
      signal?.throwIfAborted();
    }
  }

  /** Ends soon after the wish to stop, too: what is to be said to the inbox is said then. Looked at from time to
   *  time, because a signal complains about many who listen. */
  async #pause(milliseconds, signal) {
    const wasStopped = this.#signal?.aborted;
    for (let leftMs = milliseconds; leftMs > 0 && !signal?.aborted && this.#signal?.aborted === wasStopped; leftMs -= LOOK_MS) {
      await pause(Math.min(leftMs, LOOK_MS), signal);
    }
  }
}

/** Half to all of a time that doubles: those who failed at once do not come back at once. */
function pauseOf(attempt) {
  return Math.min(PAUSE_MS.first * 2 ** attempt, PAUSE_MS.most) * (0.5 + Math.random() / 2);
}
