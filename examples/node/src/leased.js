// An event under a lease: what a worker gets, and settles.

import { LeaseLostError, wrongReply } from './inbox-errors.js';

/** As much of an error as the inbox keeps. */
const MOST_ERROR_CHARACTERS = 2_000;

/** For how long it is tried to give an event back that comes back by itself. */
export const GIVE_BACK_MS = 5_000;

export class LeasedEvent {
  #requests;
  #lease;
  #leaseMs;
  /** How it was settled, or that it was lost. */
  #settled;

  constructor(requests, { lease, ...event }, leaseMs) {
    this.#requests = requests;
    this.#lease = lease;
    this.#leaseMs = leaseMs;
    const { id, key, messageId, kind, receivedAtMs, attempts, failures, lastError, traceparent, tracestate, payload } = fieldsOf(event);
    if (!Number.isSafeInteger(id) || [lease, key, payload].some((text) => typeof text !== 'string')) throw wrongReply('lease');
    Object.assign(this, { id, key, messageId, kind, receivedAtMs, attempts, failures, lastError, traceparent, tracestate, payload });
  }

  /** Whether nothing is to be done about its lease any more: it was settled, or lost. */
  get isSettled() {
    return this.#settled !== undefined;
  }

  /** Whether the inbox said that somebody else may have it. */
  get isLost() {
    return this.#settled === 'lost';
  }

  json() {
    return JSON.parse(this.payload);
  }

  async ack() {
    await this.#settle('ack');
  }

  async nack(error = '', { pauseMs, deadAfter, dead } = {}) {
    const said = await this.#settle('nack', { error: shortened(error), pause_ms: pauseMs, dead_after: deadAfter, dead });
    return said?.state;
  }

  /** @param {number} [patienceMs] for how long it is tried */
  async release(patienceMs) {
    await this.#settle('release', {}, patienceMs);
  }

  /** @param {object} [limits] as of `Requests.post` */
  async extend(leaseMs = this.#leaseMs, limits = {}) {
    this.#refuseSettled();
    try {
      await this.#post('extend', { lease_ms: leaseMs }, limits);
    } catch (error) {
      if (error instanceof LeaseLostError) this.#settled ??= 'lost';
      throw error;
    }
  }

  async #settle(how, body, patienceMs) {
    this.#refuseSettled();
    this.#settled = how;
    try {
      return await this.#post(how, body, { endsLease: how !== 'ack', patienceMs });
    } catch (error) {
      this.#settled = error instanceof LeaseLostError ? 'lost' : undefined;
      throw error;
    }
  }

  #post(what, body, limits) {
    return this.#requests.post(`${what} of event ${this.id}`, `/v1/events/${this.id}/${what}`, { lease: this.#lease, ...body }, limits);
  }

  #refuseSettled() {
    if (this.#settled === 'lost') throw new Error(`the lease on event ${this.id} is lost`);
    if (this.#settled) throw new Error(`event ${this.id} is settled already: ${this.#settled}`);
  }
}

/** The inbox's fields by this package's names. */
export function fieldsOf(event) {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()), value]),
  );
}

function shortened(error) {
  // Whole characters, and only such as UTF-8 has.
  return Array.from(String(error).slice(0, 2 * MOST_ERROR_CHARACTERS)).slice(0, MOST_ERROR_CHARACTERS).join('').toWellFormed();
}
