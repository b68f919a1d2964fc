// Requests of the component: permission by origin, the API key, and the mask in replies. A driver makes the
// requests.
//
// A driver has two functions. `exchange(request, signal)` makes one `http-request` of the WIT and never repeats it.
// It resolves with a reply { status, header(name), body, ended, isDelimited } or a failure { failure, detail },
// with the values of the WIT. A rejection counts as `broken`. The request has two more fields than in the WIT:
// `stopwatch` and `untilMs`. No byte may leave after `stopwatch` shows `untilMs`. `signal` cancels the request.
// `close()` closes the connections.

import { textOf } from './error-text.js';
import { parsed } from './http.js';
import { isEncoded } from './key.js';

/** Headers of a reply that the component reads. */
const READ = ['content-encoding', 'retry-after', 'date'];
const NOTHING = new Uint8Array();

export class Outbound {
  #driver;
  #allowed;
  #key;
  #keyOrigin;

  /** @param {readonly string[]} allowed origins
   *  @param {import('./key.js').Key | undefined} key absent if there is no valid key
   *  @param {string | undefined} keyOrigin the only origin that may receive the key */
  constructor(driver, allowed, key, keyOrigin) {
    this.#driver = driver;
    this.#allowed = allowed;
    this.#key = key;
    this.#keyOrigin = keyOrigin;
  }

  /** Makes a request if its origin is allowed. Replaces the headers of `request`.
   *  @returns the component's next input */
  async exchange(request, signal) {
    const origin = originOf(request.url);
    if (!this.#allowed.includes(origin)) return failed('denied', `${origin ?? 'an invalid URL'} is not allowed`);
    const headers = this.#key
      ? this.#key.inject(request.headers, origin === this.#keyOrigin)
      : request.headers;
    if (!headers) return failed('denied', 'the API key may be sent only in the header `token`, to the origin of the base URL');
    try {
      request.headers = headers;
      const outcome = await this.#driver.exchange(request, signal);
      if ('failure' in outcome) return failed(outcome.failure, this.mask(outcome.detail));
      return { tag: 'replied', val: this.#masked(outcome) };
    } catch (error) {
      // The driver threw an unexpected error. The request may have left.
      return failed('broken', this.mask(textOf(() => error)));
    }
  }

  /** Returns a string with the key masked. */
  mask(text) {
    return this.#key?.maskText(text) ?? text;
  }

  close() {
    this.#driver.close();
  }

  #masked({ status, header, body, ended, isDelimited }) {
    const headers = READ.flatMap((name) => header(name).map((value) => ({ name, value: this.mask(value) })));
    if (!this.#key) return { status, headers, body, ended };
    // The mask cannot find the key in an encoded body.
    if (isEncoded(header) || body.includes(0)) return { status, headers, body: NOTHING, ended: 'withheld' };
    return { status, headers, body: this.#key.maskBody(body, ended === 'whole', isDelimited), ended };
  }
}

export function failed(failure, detail) {
  return { tag: 'failed', val: { failure, detail } };
}

/** Parses an allow list. Throws a `TypeError` for an entry that is not an origin.
 *  @param {readonly string[]} allow */
export function originsOf(allow) {
  if (!Array.isArray(allow)) throw new TypeError("allow is not an array of origins. Write allow: ['https://api.example.com']");
  return allow.map((entry, index) => {
    const url = URL.canParse(entry) ? new URL(entry) : undefined;
    const plain = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
    if (!plain) {
      throw new TypeError(
        `allow[${index}] is not an origin. Write only scheme, host and port, for example https://api.example.com`,
      );
    }
    return url.origin;
  });
}

/** Returns the origin of an http or https URL, or `undefined` for any other string. */
export function originOf(text) {
  const url = parsed(text);
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
