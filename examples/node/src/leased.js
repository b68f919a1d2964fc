// An event under a lease. A worker settles it with an ack, a nack or a release.

import { textOf } from './error-text.js';
import { LeaseLostError, wrongReply } from './inbox-errors.js';
import { onlyMembers } from './members.js';

/** Maximum length of an error that the inbox stores, in characters. */
const MOST_ERROR_CHARACTERS = 2_000;

/** Maximum time for retries of a release, in milliseconds. Without the release, the event is pending again when its
 *  lease ends. */
export const GIVE_BACK_MS = 5_000;

export class LeasedEvent {
  #requests;
  #lease;
  #leaseMs;
  /** `ack`, `nack` or `release` if the event was settled, `lost` if the lease was lost. */
  #settled;

  constructor(requests, { lease, ...event }, leaseMs) {
    this.#requests = requests;
    this.#lease = lease;
    this.#leaseMs = leaseMs;
    const { id, key, messageId, kind, receivedAtMs, attempts, failures, lastError, traceparent, tracestate, payload } = fieldsOf(event);
    if (!Number.isSafeInteger(id) || [lease, key, payload].some((text) => typeof text !== 'string')) throw wrongReply('lease');
    Object.assign(this, { id, key, messageId, kind, receivedAtMs, attempts, failures, lastError, traceparent, tracestate, payload });
  }

  /** True if the event was settled (`ack`, `nack`, `release`) or its lease was lost. */
  get isSettled() {
    return this.#settled !== undefined;
  }

  /** True if the inbox has reported the lease as lost. */
  get isLost() {
    return this.#settled === 'lost';
  }

  json() {
    return JSON.parse(this.payload);
  }

  async ack() {
    await this.#settle('ack');
  }

  async nack(error = '', { pauseMs, deadAfter, dead, ...others } = {}) {
    onlyMembers(others, ['pauseMs', 'deadAfter', 'dead'], 'the options');
    const said = await this.#settle('nack', { error: shortened(error), pause_ms: pauseMs, dead_after: deadAfter, dead });
    return said?.state;
  }

  /** @param {number} [retryTimeoutMs] maximum time for retries, in milliseconds */
  async release(retryTimeoutMs) {
    await this.#settle('release', {}, retryTimeoutMs);
  }

  /** @param {object} [limits] limits of `Requests.post` */
  async extend(leaseMs = this.#leaseMs, limits = {}) {
    this.#refuseSettled();
    try {
      await this.#post('extend', { lease_ms: leaseMs }, limits);
    } catch (error) {
      if (error instanceof LeaseLostError) this.#settled ??= 'lost';
      throw error;
    }
  }

  async #settle(how, body, retryTimeoutMs) {
    this.#refuseSettled();
    this.#settled = how;
    try {
      return await this.#post(how, body, { endsLease: how !== 'ack', retryTimeoutMs });
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

/** Converts the inbox's member names to camel case. */
export function fieldsOf(event) {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()), value]),
  );
}

function shortened(error) {
  // Cuts between characters, and replaces lone surrogates, because UTF-8 cannot encode them.
  return Array.from(textOf(() => error).slice(0, 2 * MOST_ERROR_CHARACTERS)).slice(0, MOST_ERROR_CHARACTERS).join('').toWellFormed();
}
