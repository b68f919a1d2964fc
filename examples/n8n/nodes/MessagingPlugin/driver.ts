// A driver over n8n's HTTP helper. Every request of the component becomes one call of `this.helpers.httpRequest`,
// which uses axios with n8n's agents.
//
// Options of the helper turn off redirects, exceptions for error statuses, and parsing. The helper opens a connection
// for each request, so no request fails because a reused connection closes. The helper decodes compressed bodies. It
// uses the proxies in n8n's environment, because the administrator of n8n has configured them.

import { sleep, type IHttpRequestOptions, type IN8nHttpFullResponse } from 'n8n-workflow';
import { CERTIFICATE_CODES, Pieces, TOO_LATE, isBodyRead, pathOf, setPlatform } from './generated/plugin';

export type HttpRequest = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

interface Request {
  method: 'GET' | 'POST';
  url: string;
  headers: Array<{ name: string; value: string }>;
  body: Uint8Array;
  timeLeftMs: number;
  /** The request must start before `stopwatch` shows `untilMs`. Requests of `HttpJournal` have neither member. */
  stopwatch?: { elapsedMs(): number };
  untilMs?: number;
  maxReplyBytes: number;
}

setPlatform({
  driverOf: (fetch) => ({
    exchange: async (request: Request, signal?: AbortSignal) => await exchange(fetch as HttpRequest, request, signal),
    close() {},
  }),
  async pause(milliseconds, signal) {
    await sleep(milliseconds, signal).catch(() => {});
  },
  randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
});

// System calls that run before the connection is open. If one fails, nothing was written.
const CONNECTING = new Set(['connect', 'getaddrinfo']);

async function exchange(httpRequest: HttpRequest, request: Request, signal?: AbortSignal): Promise<object> {
  const { method, url, headers, body, maxReplyBytes } = request;
  const { pathname, search } = new URL(url);
  if (pathname + search !== pathOf(url)) return { failure: 'denied', detail: 'n8n would change the URL' };
  if (signal?.aborted) return { failure: 'not-reached', detail: 'canceled by the caller' };

  const timeLeftMs = (request.untilMs ?? request.timeLeftMs) - (request.stopwatch?.elapsedMs() ?? 0);
  // This is the last check of the deadline, because the helper connects and writes without another check.
  if (timeLeftMs <= 0) return TOO_LATE;

  const giveUp = new AbortController();
  const ended = new AbortController();
  const abandon = () => giveUp.abort();
  let isLate = false;
  const late = () => {
    isLate = true;
    abandon();
  };
  sleep(timeLeftMs, ended.signal).then(late, () => {});
  signal?.addEventListener('abort', abandon);
  try {
    let reply: IN8nHttpFullResponse;
    try {
      reply = await httpRequest({
        method,
        url,
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        // The helper sends a `Buffer` unchanged.
        body: method === 'GET' ? undefined : Buffer.from(body),
        encoding: 'stream',
        returnFullResponse: true,
        disableFollowRedirect: true,
        ignoreHttpStatusErrors: true,
        // Verifies certificates even if `NODE_TLS_REJECT_UNAUTHORIZED` is 0.
        agentOptions: { rejectUnauthorized: true },
        timeout: timeLeftMs,
        abortSignal: giveUp.signal,
      });
    } catch (error) {
      if (signal?.aborted) return { failure: 'broken', detail: 'canceled by the caller' };
      if (isLate) return { failure: 'late', detail: 'the deadline passed' };
      return failureOf(error);
    }
    return await replyOf(method, reply, maxReplyBytes, () => isLate);
  } finally {
    ended.abort();
    signal?.removeEventListener('abort', abandon);
    // Frees the connection if the body was not read to its end.
    abandon();
  }
}

async function replyOf(method: string, reply: IN8nHttpFullResponse, most: number, isLate: () => boolean): Promise<object> {
  const status = reply.statusCode;
  const header = (name: string) => [reply.headers[name] ?? []].flat().map(String);
  const head = {
    status,
    header,
    isDelimited: header('content-length').length > 0 || header('transfer-encoding').length > 0,
  };
  const stream = reply.body as AsyncIterable<Uint8Array> & { on(event: 'error', listener: () => void): void };
  // Without a listener, an error of the stream would end the process. The stream is destroyed after its end, or earlier
  // if the body is not needed.
  stream.on('error', () => {});
  if (!isBodyRead(method, status)) return { ...head, body: new Uint8Array(), ended: 'whole' };
  const pieces = new Pieces(most);
  let ended = 'whole';
  try {
    for await (const piece of stream) {
      if (pieces.take(piece)) continue;
      ended = 'too-large';
      break;
    }
  } catch {
    ended = isLate() ? 'late' : 'broken';
  }
  // Copies the bytes, because the plugin overwrites the API key in this array.
  return { ...head, body: new Uint8Array(pieces.bytes()), ended };
}

/** Returns the failure of a request: `not-reached` only with proof that nothing was written. */
function failureOf(error: unknown): object {
  const errors = causesOf(error);
  const detail = String(errors.map(({ code }) => code).find((code) => code !== undefined) ?? errors[0]?.message ?? error);
  // Errors with this name come from n8n's protection against server-side request forgery (SSRF).
  if (errors.some(({ name }) => String(name).startsWith('SsrfBlocked'))) return { failure: 'denied', detail: String(errors[0].message) };
  const innermost = errors.filter((one) => one.cause === undefined && one.errors === undefined);
  const isProof = innermost.length > 0
    && innermost.every(({ syscall, code }) => CONNECTING.has(String(syscall)) || CERTIFICATE_CODES.has(String(code)));
  return { failure: isProof ? 'not-reached' : 'broken', detail };
}

interface Cause {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
  errors?: unknown[];
}

function causesOf(error: unknown): Cause[] {
  if (typeof error !== 'object' || error === null) return [];
  const one = error as Cause;
  return [one, ...causesOf(one.cause), ...(one.errors ?? []).flatMap(causesOf)];
}
