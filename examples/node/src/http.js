// Shared by the drivers: URLs, bodies of replies as far as the component takes them, and codes of errors.

/** The path and query of an absolute URL, byte for byte. */
export function pathOf(url) {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** Of a reply to GET only these bodies are read: of others nothing is needed but the status. */
export function isBodyRead(method, status) {
  return method !== 'GET' || status === 200 || (status >= 400 && status < 500);
}

/** No byte of a request has left, and its time is over. */
export const TOO_LATE = { failure: 'not-reached', detail: 'the deadline passed before the request was written' };

/** Collects pieces up to `most` bytes. */
export class Pieces {
  #pieces = [];
  #size = 0;
  #most;

  constructor(most) {
    this.#most = most;
  }

  /** Whether there is still room after this piece. One byte too many is read, so that what is exactly
   *  as large as it may be is known to be whole. */
  take(piece) {
    this.#pieces.push(piece);
    this.#size += piece.length;
    return this.#size <= this.#most;
  }

  /** Everything taken, whole or cut at the cap. */
  bytes() {
    const one = this.#pieces.length === 1 && this.#size <= this.#most;
    if (one) return this.#pieces[0];
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}

/** Codes of a TLS handshake's failure: the request is written after it. */
export const CERTIFICATE_CODES = new Set([
  'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
