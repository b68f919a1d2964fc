// Requests to the inbox, with retries. Every request is safe to retry. A lease whose reply is lost expires. An ack
// or an extension can be repeated. A repeated nack or release finds the lease lost, because the first try ended it.

import { baseOf, headersOf } from './bearer.js';
import { InboxUnavailableError, LeaseLostError, read } from './inbox-errors.js';
import { nodeDriver } from './node-http.js';
import { pause } from './pause.js';

/** Timeout of one request in milliseconds. The wait for an event does not count. */
const REQUEST_MS = 10_000;
/** Default timeout in milliseconds for all tries of a call outside of a worker loop. Excludes the wait for an event. */
export const CALL_MS = 10_000;
/** Maximum time for retries after the caller's signal aborts, in milliseconds. */
const STOPPING_MS = 5_000;
/** Initial and maximum delay between retries, in milliseconds. */
const PAUSE_MS = { first: 100, most: 10_000 };
/** Interval in milliseconds between checks of the caller's signal during a delay. */
const LOOK_MS = 500;
/** Maximum size of a reply in bytes. A reply has under 8 MiB of JSON, plus one event of up to 16 MiB. Escapes can double
 *  the size of the event. */
const MOST_REPLY_BYTES = 64 * 1024 * 1024;

export class Requests {
  #driver;
  #base;
  #headers;
  #retryTimeoutMs;
  #signal;
  #onError;

  constructor({ url, token, ca, allowHttp, retryTimeoutMs, signal, onError }) {
    this.#base = baseOf(url, allowHttp);
    this.#headers = headersOf(token);
    this.#driver = nodeDriver({ ca });
    this.#retryTimeoutMs = retryTimeoutMs;
    this.#signal = signal;
    this.#onError = onError;
  }

  get(doing, path, limits) {
    return this.#repeat(doing, 'GET', path, new Uint8Array(), limits);
  }

  /** @param {object} [limits]
   *  @param {number} [limits.waitMs] maximum time that the inbox waits for an event
   *  @param {number} [limits.tryMs] timeout of one try, in addition to `waitMs`
   *  @param {number} [limits.retryTimeoutMs] maximum time for retries after the first failure
   *  @param {number} [limits.until] latest time for a retry, by `performance.now()`
   *  @param {number} [limits.callMs] maximum time of all tries, in addition to `waitMs`
   *  @param {AbortSignal} [limits.signal] cancels the request, which then rejects with the signal's reason
   *  @param {boolean} [limits.endsLease] true if the request ends the lease; if an earlier try may have ended the
   *      lease, the result of a lost lease is `undefined` */
  post(doing, path, body, limits) {
    return this.#repeat(doing, 'POST', path, new TextEncoder().encode(JSON.stringify(body)), limits);
  }

  async #repeat(doing, method, path, body, limits = {}) {
    const { waitMs = 0, tryMs = REQUEST_MS, retryTimeoutMs = this.#retryTimeoutMs, until = Infinity, callMs = Infinity, signal, endsLease } = limits;
    const endsAt = performance.now() + waitMs + callMs;
    let failedAt;
    const leftMs = () => {
      const timeoutMs = this.#signal?.aborted ? Math.min(STOPPING_MS, retryTimeoutMs) : retryTimeoutMs;
      return Math.min(failedAt + timeoutMs, until, endsAt) - performance.now();
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

  /** Waits, but ends soon after the caller's signal aborts, so that the next try starts early. Polls the signal,
   *  because Node warns about a signal with many listeners. */
  async #pause(milliseconds, signal) {
    const wasStopped = this.#signal?.aborted;
    for (let leftMs = milliseconds; leftMs > 0 && !signal?.aborted && this.#signal?.aborted === wasStopped; leftMs -= LOOK_MS) {
      await pause(Math.min(leftMs, LOOK_MS), signal);
    }
  }
}

/** Returns an exponential delay in milliseconds, with jitter, because workers must not retry at the same moment. */
function pauseOf(attempt) {
  return Math.min(PAUSE_MS.first * 2 ** attempt, PAUSE_MS.most) * (0.5 + Math.random() / 2);
}
