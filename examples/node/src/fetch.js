// A driver over `fetch`, for browsers, workers and callers with their own `fetch`.
//
// `fetch` reports little about a failure. A failure is `not-reached` only if its error code proves that the request was
// not written. Browsers have no such codes, so a refused connection is `broken`. `fetch` does not check the deadline when
// it writes: a request can leave late if the process is suspended while `fetch` connects.

import { onAbort } from './abort.js';
import { CERTIFICATE_CODES, Pieces, TOO_LATE, isBodyRead, parsed, pathOf } from './http.js';
import { Stopwatch } from './stopwatch.js';

// Error codes of Node, undici and Bun for failures before the request is written.
const BEFORE_THE_REQUEST = new Set([
  'ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EADDRNOTAVAIL', 'UND_ERR_CONNECT_TIMEOUT', ...CERTIFICATE_CODES,
]);
/** Error codes for a lost route. They prove that no request was written only if the failed system call is `connect`,
 *  because an open connection can fail with these codes too. */
const OF_THE_ROUTE = new Set(['ENETUNREACH', 'EHOSTUNREACH']);

/** @param {typeof globalThis.fetch} fetch
 *  @param [ca] trusted authorities; rejected, because `fetch` cannot use them */
export function fetchDriver(fetch, ca) {
  if (typeof fetch !== 'function') throw new TypeError('fetch is not a function');
  if (ca !== undefined) throw new TypeError('ca has no effect with fetch: make the runtime trust the authority, or omit fetch in Node');
  return {
    exchange: (request, signal) => exchange(fetch, request, signal),
    close() {},
  };
}

async function exchange(fetch, request, signal) {
  const { method, url, headers, body, timeLeftMs, maxReplyBytes, stopwatch = new Stopwatch(), untilMs = timeLeftMs } = request;
  const { pathname, search } = parsed(url);
  if (pathname + search !== pathOf(url)) return { failure: 'denied', detail: 'fetch would change the URL' };
  const leftMs = untilMs - stopwatch.elapsedMs();
  // This is the last check of the deadline, because `fetch` connects and writes without another check.
  if (leftMs <= 0) return TOO_LATE;
  const giveUp = new AbortController();
  const abandon = () => giveUp.abort();
  const timer = setTimeout(abandon, leftMs);
  const off = onAbort(signal, abandon);
  // Some implementations ignore the signal: Node's `fetch` does not end if it cannot decode a body.
  const abandoned = new Promise((resolve) => giveUp.signal.addEventListener('abort', () => resolve(ABANDONED)));
  const within = (work) => Promise.race([work, abandoned]);
  let reading;
  let isRead = false;
  try {
    let reply;
    try {
      reply = await within(fetch(url, {
        method,
        headers: headers.map(({ name, value }) => [name, value]),
        body: method === 'GET' ? undefined : body,
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: giveUp.signal,
      }));
      if (reply === ABANDONED) throw new Error('abandoned');
    } catch (error) {
      return failure(error, giveUp.signal, signal);
    }
    const { status } = reply;
    const header = (name) => {
      const value = reply.headers.get(name);
      return value === null ? [] : [value];
    };
    const pieces = new Pieces(maxReplyBytes);
    let ended = 'whole';
    if (isBodyRead(method, status) && reply.body) {
      try {
        reading = readerOf(reply);
        for (let read; !(read = await within(reading.read())).done;) {
          if (read === ABANDONED || !ArrayBuffer.isView(read.value)) throw new Error('no bytes');
          if (pieces.take(read.value)) continue;
          ended = 'too-large';
          break;
        }
        isRead = ended === 'whole';
      } catch {
        ended = giveUp.signal.aborted && !signal?.aborted ? 'late' : 'broken';
      }
    }
    // Browsers hide the content length unless the service exposes it (CORS).
    const isDelimited = header('content-length').length > 0 || header('transfer-encoding').length > 0;
    return { status, header, body: pieces.bytes(), ended, isDelimited };
  } finally {
    clearTimeout(timer);
    off();
    // Frees the connection if the body was not read to its end.
    if (!isRead) {
      giveUp.abort();
      reading?.cancel().catch(() => {});
    }
  }
}

const ABANDONED = Symbol('abandoned');

/** Returns a reader for a body: a web stream, a Node stream (node-fetch), or a complete body in one piece. */
function readerOf(reply) {
  const { body } = reply;
  if (typeof body.getReader === 'function') {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: async () => reader.cancel() };
  }
  const pieces = body[Symbol.asyncIterator]?.() ?? whole(reply);
  return { read: () => pieces.next(), cancel: async () => pieces.return?.() };
}

async function* whole(reply) {
  yield new Uint8Array(await reply.arrayBuffer());
}

function failure(error, given, signal) {
  if (signal?.aborted) return { failure: 'broken', detail: 'canceled by the caller' };
  if (given.aborted) return { failure: 'late', detail: 'the deadline passed' };
  const cause = error?.cause;
  const coded = [error, cause, ...(cause?.errors ?? [])].filter((one) => typeof one?.code === 'string');
  const detail = coded[0]?.code ?? error?.message ?? String(error);
  const precedes = ({ code, syscall }) => BEFORE_THE_REQUEST.has(code) || (OF_THE_ROUTE.has(code) && syscall === 'connect');
  const isProof = coded.length > 0 && coded.every(precedes);
  return { failure: isProof ? 'not-reached' : 'broken', detail: String(detail) };
}
