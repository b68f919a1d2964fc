// Requests that leave for the component: whether they may, with which key, and what the component
// gets to see of what comes back. A driver below makes them.
//
// A driver: `exchange(request, signal)` makes one request of the WIT's `http-request`, once, and
// resolves with a reply { status, header(name), body, ended, isDelimited } or a failure
// { failure, detail }, both in the words of the WIT. Where it rejects, the request counts as `broken`.
// Beside the WIT's fields a request has `stopwatch` and `untilMs`: from then on the stopwatch, no byte of it may leave.
// `signal` is the caller's wish to give up. `close()` frees its connections.

import { isEncoded } from './key.js';

/** Headers of a reply that the component reads. */
const READ = ['content-encoding', 'retry-after', 'date'];
const NOTHING = new Uint8Array();

export class Outbound {
  #driver;
  #allowed;
  #key;
  #keyOrigin;

  /** @param {readonly string[]} allowed origins; @param key none where there is none that is a key
   *  @param {string | undefined} keyOrigin where the key may go */
  constructor(driver, allowed, key, keyOrigin) {
    this.#driver = driver;
    this.#allowed = allowed;
    this.#key = key;
    this.#keyOrigin = keyOrigin;
  }

  /** Makes a request, if it may be made. @returns the component's next input */
  async exchange(request, signal) {
    const origin = originOf(request.url);
    if (!this.#allowed.includes(origin)) return failed('denied', `${origin ?? 'what is no URL'} is not allowed`);
    const headers = this.#key
      ? this.#key.inject(request.headers, origin === this.#keyOrigin)
      : request.headers;
    if (!headers) return failed('denied', 'the key may not go there');
    try {
      const outcome = await this.#driver.exchange({ ...request, headers }, signal);
      if ('failure' in outcome) return failed(outcome.failure, this.mask(outcome.detail));
      return { tag: 'replied', val: this.#masked(outcome) };
    } catch (error) {
      // Of a driver that was not made for what it met: the request may have left.
      return failed('broken', this.mask(String(error)));
    }
  }

  /** A text without the key. */
  mask(text) {
    return this.#key?.maskText(text) ?? text;
  }

  close() {
    this.#driver.close();
  }

  #masked({ status, header, body, ended, isDelimited }) {
    const headers = READ.flatMap((name) => header(name).map((value) => ({ name, value: this.mask(value) })));
    if (!this.#key) return { status, headers, body, ended };
    // The key could not be found in it.
    if (isEncoded(header) || body.includes(0)) return { status, headers, body: NOTHING, ended: 'withheld' };
    return { status, headers, body: this.#key.maskBody(body, ended === 'whole', isDelimited), ended };
  }
}

export function failed(failure, detail) {
  return { tag: 'failed', val: { failure, detail } };
}

/** Reads an allow-list once. @param {readonly string[]} allow */
export function originsOf(allow) {
  return allow.map((entry, index) => {
    const url = URL.canParse(entry) ? new URL(entry) : undefined;
    const plain = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
    if (!plain) {
      throw new TypeError(
        `allow[${index}] is not an origin. Write scheme, host and port alone, for example https://api.example.com`,
      );
    }
    return url.origin;
  });
}

/** The origin of a URL; undefined where it has none. */
export function originOf(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
