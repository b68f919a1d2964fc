// A driver over node:http and node:https. It writes nothing before the connection is open, TLS included. A failure
// before that point is `not-reached`; a later failure is not.
//
// A kept connection can close at the moment of its reuse. The driver therefore keeps connections for less time than
// services do, checks them before reuse, and replaces closed connections. A failure after the request was written
// is `broken`.

import http from 'node:http';
import https from 'node:https';
import { onAbort } from './abort.js';
import { Pieces, TOO_LATE, isBodyRead, parsed, pathOf } from './http.js';
import { Stopwatch } from './stopwatch.js';

/** Maximum time for opening a connection in milliseconds, TLS included. */
const CONNECT_LIMIT_MS = 10_000;
/** An attempt to connect ends this many milliseconds before the request's deadline, so that the caller still learns
 *  that nothing was sent. */
const CONNECT_MARGIN_MS = 50;
/** Maximum idle time of a kept connection in milliseconds. Servers close idle connections after 5 s or more. */
const IDLE_MS = 4_000;
/** False in Deno, because node:http of Deno 2.9.6 does not detect the end of a kept connection. */
const KEEPS = !('Deno' in globalThis);

/** @param {{ ca?: string | readonly string[] }} [options] `ca`: trusted certificate authorities; default: the
 *      authorities of the runtime */
export function nodeDriver({ ca } = {}) {
  const options = { keepAlive: KEEPS, timeout: IDLE_MS, scheduling: 'lifo' };
  const agents = {
    'http:': keeping(new http.Agent(options)),
    // Verifies certificates even if `NODE_TLS_REJECT_UNAUTHORIZED` is 0.
    'https:': keeping(new https.Agent({ ...options, ca, rejectUnauthorized: true })),
  };
  return {
    async exchange({ stopwatch = new Stopwatch(), untilMs, ...request }, signal) {
      const until = untilMs ?? request.timeLeftMs;
      const leftMs = () => until - stopwatch.elapsedMs();
      for (;;) {
        if (signal?.aborted) return GIVEN_UP;
        const outcome = await exchange(agents, request, leftMs, signal);
        // The loop ends, because each kept connection can return `OVER` only once.
        if (outcome !== OVER) return outcome;
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

const GIVEN_UP = { failure: 'not-reached', detail: 'canceled by the caller' };
/** The outcome of a request that was not written because its kept connection had closed. */
const OVER = Symbol('over');
/** For each idle connection: the start of the idle time, and the listener that closes the connection on unrequested
 *  data. */
const unused = new WeakMap();

function keeping(agent) {
  const { keepSocketAlive, reuseSocket } = agent;
  agent.keepSocketAlive = function (socket) {
    const end = () => socket.destroy();
    socket.once('data', end);
    unused.set(socket, { since: performance.now(), end });
    return keepSocketAlive.call(this, socket);
  };
  agent.reuseSocket = function (socket, request) {
    socket.off('data', unused.get(socket)?.end);
    reuseSocket.call(this, socket, request);
  };
  return agent;
}

function exchange(agents, { method, url, headers, body, maxReplyBytes }, leftMs, signal) {
  const { protocol, hostname, port, host } = parsed(url);
  const isSecure = protocol === 'https:';
  return new Promise((resolve) => {
    let request;
    let isWritten = false;
    let isAnswered = false;
    let timer;
    let off = () => {};
    const settle = (outcome, isOver) => {
      clearTimeout(timer);
      off();
      if (!isOver) request?.destroy();
      resolve(outcome);
    };
    const fail = (failure, detail) => settle({ failure: isWritten ? failure : 'not-reached', detail });
    const abandon = () => fail('broken', GIVEN_UP.detail);
    const left = Math.max(leftMs(), 0);
    const connectMs = Math.min(CONNECT_LIMIT_MS, left - Math.min(CONNECT_MARGIN_MS, left / 2));

    try {
      request = (isSecure ? https : http).request({
        agent: agents[protocol],
        method,
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        path: pathOf(url),
        headers: headersOf(headers, host, method, body),
        // Parses strictly even if Node runs with `--insecure-http-parser`.
        insecureHTTPParser: false,
      });
    } catch (error) {
      // A header or the path contains characters that HTTP cannot carry.
      resolve({ failure: 'denied', detail: String(error.code) });
      return;
    }
    // The listener stays for the lifetime of the request, because an `error` event without a listener ends the process.
    request.on('error', (error) => {
      // The reply reports its own end and errors.
      if (isAnswered) return;
      if (request.reusedSocket && !isWritten) settle(OVER);
      else fail('broken', String(error.code ?? error.message));
    });
    timer = setTimeout(() => fail('late', 'no connection in time'), connectMs);
    off = onAbort(signal, abandon);

    const write = () => {
      // After a pause of the process or the event loop, this callback can run before the timer.
      if (leftMs() <= 0) {
        settle(TOO_LATE);
        return;
      }
      isWritten = true;
      clearTimeout(timer);
      timer = setTimeout(() => fail('late', 'the deadline passed'), Math.max(leftMs(), 0));
      request.end(method === 'GET' ? undefined : body);
    };
    request.once('socket', (socket) => {
      const isReused = request.reusedSocket && !socket.connecting && !socket.secureConnecting;
      if (isReused) reuse(socket, write, () => settle(OVER));
      else if (socket.connecting || isSecure) socket.once(isSecure ? 'secureConnect' : 'connect', write);
      else write();
    });
    request.once('upgrade', (reply, socket) => {
      socket.destroy();
      settle(headOf(reply, new Uint8Array(), 'whole'));
    });
    request.once('response', (reply) => {
      isAnswered = true;
      clearTimeout(timer);
      const pieces = new Pieces(maxReplyBytes);
      const end = (ended, isOver) => settle(headOf(reply, pieces.bytes(), ended), isOver);
      reply.on('error', () => end('broken'));
      if (!isBodyRead(method, reply.statusCode)) {
        end('whole');
        return;
      }
      timer = setTimeout(() => end('late'), Math.max(leftMs(), 0));
      reply.on('data', (piece) => {
        if (!pieces.take(piece)) end('too-large');
      });
      reply.on('end', () => end(reply.complete ? 'whole' : 'broken', true));
      reply.on('close', () => end('broken'));
    });
  });
}

function headersOf(headers, host, method, body) {
  const all = { host };
  for (const { name, value } of headers) all[name] = value;
  if (method !== 'GET') all['content-length'] = body.length;
  return all;
}

function headOf(reply, body, ended) {
  const values = new Map();
  for (let at = 0; at < reply.rawHeaders.length; at += 2) {
    const name = reply.rawHeaders[at].toLowerCase();
    const value = reply.rawHeaders[at + 1];
    if (values.has(name)) values.get(name).push(value);
    else values.set(name, [value]);
  }
  const header = (name) => values.get(name) ?? [];
  const isDelimited = values.has('content-length') || values.has('transfer-encoding');
  return { status: reply.statusCode, header, body, ended, isDelimited };
}

/** Calls `write` if the kept connection is usable, otherwise `over`. */
function reuse(socket, write, over) {
  const isUsable = () => !socket.destroyed && socket.writable && !socket.readableEnded && socket.readableLength === 0;
  const decide = () => (isUsable() ? write() : over());
  const idleMs = performance.now() - (unused.get(socket)?.since ?? 0);
  if (idleMs > IDLE_MS) over();
  // Pending input, for example the end of the connection, is visible after one turn of the event loop.
  else setImmediate(() => setImmediate(decide));
}
