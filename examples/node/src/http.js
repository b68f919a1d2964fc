// Functions that all drivers share: URLs, reply bodies and TLS error codes.

let last = {};

/** Returns an absolute URL, or `undefined` for any other string. Remembers the last one, because most requests of a
 *  program go to one URL. */
export function parsed(text) {
  if (last.text !== text) last = { text, url: URL.canParse(text) ? new URL(text) : undefined };
  return last.url;
}

/** Returns the path and query of an absolute URL, byte for byte. */
export function pathOf(url) {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** Returns true if the component needs the body of a reply. For GET, the component reads the body only if the status is
 *  200 or 4xx. */
export function isBodyRead(method, status) {
  return method !== 'GET' || status === 200 || (status >= 400 && status < 500);
}

/** Failure of a request whose deadline passed before any byte was written. */
export const TOO_LATE = { failure: 'not-reached', detail: 'the deadline passed before the request was written' };

/** Collects pieces of a body up to `most` bytes. */
export class Pieces {
  // One growing buffer, because a buffer for each piece would take hundreds of bytes for a piece of one byte.
  #bytes = new Uint8Array();
  #size = 0;
  #most;

  constructor(most) {
    this.#most = most;
  }

  /** Adds a piece. Returns false only if the total exceeds the limit, so a body of exactly `most` bytes counts as
   *  complete. */
  take(piece) {
    const start = this.#size;
    this.#size += piece.length;
    // Most bodies have only one piece, which is not copied.
    if (start === 0) this.#bytes = piece;
    else {
      if (this.#size > this.#bytes.length) {
        const larger = new Uint8Array(2 * this.#size);
        larger.set(this.#bytes.subarray(0, start));
        this.#bytes = larger;
      }
      this.#bytes.set(piece, start);
    }
    return this.#size <= this.#most;
  }

  /** Returns the collected bytes. */
  bytes() {
    return this.#bytes.subarray(0, this.#size);
  }
}

/** Error codes of failed TLS handshakes. A request is written only after the handshake. */
export const CERTIFICATE_CODES = new Set([
  'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
