// Client of an inbox on another machine (`messaging serve --workers`), for Node, Deno and Bun. A worker leases
// events, processes them and acknowledges them.

import { onAbort } from './abort.js';
import { wrongReply } from './inbox-errors.js';
import { CALL_MS, Requests } from './inbox-requests.js';
import { GIVE_BACK_MS, LeasedEvent, fieldsOf } from './leased.js';
import { onlyMembers } from './members.js';
import { pause } from './pause.js';
import { MOST_PAUSE_MS, work } from './work.js';

export { InboxError, InboxRefusedError, InboxUnavailableError, LeaseLostError, TokenRefusedError } from './inbox-errors.js';

/** Maximum time that the inbox waits for an event, in milliseconds. */
const WAIT_MS = 30_000;
/** If an empty reply arrives within this time in milliseconds, the loop waits before its next request. */
const EARLY_MS = 1_000;
/** Maximum number of events in one lease request. */
const MOST_EVENTS = 100;
const MOST_CALL_MS = 600_000;
const MOST_LEASE_MS = 43_200_000;
/** Time in milliseconds for the reply to a request that is abandoned. The inbox may already have leased events to it. */
const GRACE_MS = 500;
const OPTIONS = ['url', 'token', 'leaseMs', 'kinds', 'signal', 'onError', 'retryTimeoutMs', 'ca', 'allowHttp'];

export class Inbox {
  #requests;
  #leaseMs;
  #kinds;
  #signal;
  #onError;

  constructor(options) {
    onlyMembers(options, OPTIONS, 'the options');
    const { leaseMs = 60_000, kinds, signal, onError = () => {}, retryTimeoutMs = 300_000 } = options;
    this.#leaseMs = within('leaseMs', leaseMs, 1_000, MOST_LEASE_MS);
    if (!(retryTimeoutMs >= 0)) throw new TypeError('retryTimeoutMs has to be a number of milliseconds');
    if (typeof onError !== 'function') throw new TypeError('onError has to be a function');
    if (kinds !== undefined && !Array.isArray(kinds)) throw new TypeError('kinds has to be an array');
    if (signal && typeof signal.throwIfAborted !== 'function') throw new TypeError('signal is not an AbortSignal');
    this.#kinds = kinds;
    this.#signal = signal;
    this.#onError = onError;
    this.#requests = new Requests({ ...options, onError, retryTimeoutMs });
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      const [event] = await this.#next(1);
      if (!event) return;
      let isLeft = true;
      try {
        yield event;
        isLeft = false;
      } finally {
        // The caller left the loop by `break`, `return` or `throw`.
        if (isLeft) await this.#giveBack([event]);
      }
    }
  }

  async run(handler, options = {}) {
    onlyMembers(options, ['concurrency', 'pauseMs', 'deadAfter'], 'the options');
    const { concurrency = 1, pauseMs, deadAfter } = options;
    if (typeof handler !== 'function') throw new TypeError('handler has to be a function');
    within('concurrency', concurrency, 1, 10_000);
    if (pauseMs !== undefined && typeof pauseMs !== 'function') within('pauseMs', pauseMs, 0, MOST_PAUSE_MS);
    if (deadAfter !== undefined) within('deadAfter', deadAfter, 1, 1_000_000);
    const how = { leaseMs: this.#leaseMs, pauseMs, deadAfter, onError: this.#onError };
    const failures = [];
    const failed = new AbortController();
    const ended = AbortSignal.any([failed.signal, this.#signal].filter(Boolean));
    let running = 0;
    let wake = () => {};
    const start = async (event) => {
      running++;
      try {
        await work(event, handler, how);
      } catch (error) {
        failures.push(error);
        failed.abort();
      }
      running--;
      wake();
    };
    const fewerThan = async (most) => {
      while (running >= most) await new Promise((resolve) => (wake = resolve));
    };
    try {
      while (failures.length === 0) {
        await fewerThan(concurrency);
        if (failures.length > 0) break;
        const events = await this.#next(concurrency - running, ended);
        if (failures.length > 0) await this.#giveBack(events);
        if (failures.length > 0 || events.length === 0) break;
        for (const event of events) void start(event);
      }
    } finally {
      await fewerThan(1);
    }
    if (failures.length > 0) throw failures[0];
  }

  async lease({ limit = 1, waitMs = 0, ...others } = {}) {
    return this.#lease(limit, waitMs, timeoutOf(others, ['limit', 'waitMs']));
  }

  async #lease(limit, waitMs, callMs, signal = this.#signal) {
    signal?.throwIfAborted();
    const asked = { limit, lease_ms: this.#leaseMs, wait_ms: waitMs, kinds: this.#kinds };
    const reply = await this.#requests.post('lease', '/v1/lease', asked, { waitMs, callMs, signal });
    return eventsOf('lease', reply).map((event) => new LeasedEvent(this.#requests, event, this.#leaseMs));
  }

  async list({ state, kind, after, limit, ...others } = {}) {
    const callMs = timeoutOf(others, ['state', 'kind', 'after', 'limit']);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ state, kind, after, limit })) {
      if (value !== undefined) query.set(name, value);
    }
    const path = query.size > 0 ? `/v1/events?${query}` : '/v1/events';
    return eventsOf('list of events', await this.#requests.get('list of events', path, { callMs })).map(fieldsOf);
  }

  async show(id, options = {}) {
    const callMs = timeoutOf(options, []);
    return fieldsOf(await this.#requests.get(`event ${id}`, `/v1/events/${encodeURIComponent(id)}`, { callMs }));
  }

  /** Waits for events. @returns an empty array after the signal aborts */
  async #next(limit, signal = this.#signal) {
    while (!signal?.aborted) {
      const asked = performance.now();
      const abandon = new AbortController();
      let grace;
      const off = onAbort(signal, () => (grace = setTimeout(() => abandon.abort(), GRACE_MS)));
      let events;
      try {
        events = await this.#lease(Math.min(limit, MOST_EVENTS), WAIT_MS, undefined, abandon.signal);
      } catch (error) {
        if (signal?.aborted) break;
        throw error;
      } finally {
        off();
        clearTimeout(grace);
      }
      if (signal?.aborted) {
        await this.#giveBack(events);
      } else if (events.length > 0) {
        return events;
      } else if (performance.now() - asked < EARLY_MS) {
        await pause(EARLY_MS * (0.5 + Math.random() / 2), signal);
      }
    }
    return [];
  }

  /** Releases events, so that another worker can lease them at once. */
  async #giveBack(events) {
    await Promise.all(events.filter(({ isSettled }) => !isSettled).map(async (event) => {
      try {
        await event.release(GIVE_BACK_MS);
      } catch (error) {
        this.#onError(error, event);
      }
    }));
  }
}

function eventsOf(doing, { events }) {
  if (!Array.isArray(events) || !events.every((event) => event && typeof event === 'object')) throw wrongReply(doing);
  return events;
}

/** Returns the timeout of a single call. `names` lists the permitted options other than `timeoutMs`. */
function timeoutOf(options, names) {
  onlyMembers(options, [...names, 'timeoutMs'], 'the options');
  return within('timeoutMs', options.timeoutMs ?? CALL_MS, 1, MOST_CALL_MS);
}

function within(name, value, least, most) {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new TypeError(`${name} has to be a whole number from ${least} to ${most}`);
  }
  return value;
}
