// An inbox in memory that serves the API of `host-test/operate/openapi.json`. Unlike the real inbox, this server
// produces faults on request.

import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Inbox } from 'messaging-plugin/inbox';

export const TOKEN = 'worker-canary-5d1c07b2';

/** A fault: the server does not perform the request, and closes its connection. */
export const BREAK = Symbol('break');
/** A fault: the server performs the request, and closes its connection without a reply. */
export const LOSE = Symbol('lose');

/** @param {{ tls?: object, fault?: (request: object, count: number) => unknown }} [options] `fault` selects the
 *      outcome of a request: BREAK, LOSE, a reply `{ status, headers?, json? }`, a promise of these, or `undefined` for
 *      the regular reply */
export async function inboxServer({ tls, fault = () => undefined } = {}) {
  const events = new Map();
  const requests = [];
  const waiting = new Set();
  const wakeAll = () => [...waiting].forEach((wake) => wake());
  let leases = 0;
  const self = {
    requests,
    fault,
    tokens: [TOKEN],
    /** Returns the requests of the operation with this name. */
    asked: (name) => requests.filter(({ what }) => what === name),
    state: (id) => events.get(id).state,
    event: (id) => events.get(id),
    waiting: () => waiting.size,
    /** Called after events were leased, before the reply. */
    onLease: () => {},
    put(...keys) {
      for (const key of keys) {
        const id = events.size + 1;
        events.set(id, {
          id, key, message_id: `m-${key}`, kind: key.startsWith('call') ? 'call' : 'message', received_at_ms: 1_700_000_000_000,
          state: 'pending', due_ms: 0, attempts: 0, failures: 0, last_error: null, done_at_ms: null, dead_at_ms: null,
          traceparent: null, tracestate: null, payload: JSON.stringify({ key }), lease: undefined,
        });
      }
      wakeAll();
    },
    /** Ends all leases. Another worker can then lease the events. */
    endLeases() {
      for (const event of events.values()) if (event.state === 'leased') Object.assign(event, { state: 'pending', lease: undefined });
      wakeAll();
    },
  };

  const handlers = {
    async lease({ limit = 1, wait_ms: waitMs = 0, kinds }, request) {
      const due = () => [...events.values()].filter(({ state, kind }) => state === 'pending' && (!kinds || kinds.includes(kind)));
      if (due().length === 0 && waitMs > 0) {
        await new Promise((resolve) => {
          const end = () => {
            waiting.delete(end);
            resolve();
          };
          waiting.add(end);
          setTimeout(end, waitMs).unref();
          request.once('close', end);
          request.socket.once('close', end);
        });
      }
      if (request.socket.destroyed) return { events: [] };
      const lease = `lease-${++leases}`;
      const leased = due().slice(0, limit).map((event) => {
        Object.assign(event, { state: 'leased', lease, attempts: event.attempts + 1 });
        return { ...event };
      });
      await self.onLease();
      return { events: leased };
    },
    ack: ({ lease }, _, event) => settled(event, lease, ['leased', 'done'], { state: 'done' }),
    extend: ({ lease }, _, event) => settled(event, lease, ['leased'], {}),
    release: ({ lease }, _, event) => settled(event, lease, ['leased'], { state: 'pending', lease: undefined }),
    nack: ({ lease, error = '', dead, dead_after: deadAfter = Infinity }, _, event) => settled(event, lease, ['leased'], {
      state: dead || event.failures + 1 >= deadAfter ? 'dead' : 'pending',
      failures: event.failures + 1, last_error: error, lease: undefined,
    }),
  };

  function settled(event, lease, states, changes) {
    if (event.lease !== lease || !states.includes(event.state)) return problem(409, 'lease-lost', 'another worker has the event');
    Object.assign(event, changes);
    return { id: event.id, state: event.state };
  }

  async function answered(request, what, id, body) {
    if (!self.tokens.some((token) => request.headers.authorization === `Bearer ${token}`)) {
      return problem(401, 'unauthorized', 'no such token');
    }
    if (request.method === 'GET') {
      const { lease, ...shown } = events.get(id) ?? {};
      if (what === 'list') return { events: [...events.values()].map(({ payload, lease, ...event }) => event) };
      return shown.id ? { ...shown, attempted_at_ms: [], first_id: null } : problem(404, 'not-found', 'there is no such event');
    }
    if (what !== 'lease' && !events.has(id)) return problem(404, 'not-found', 'there is no such event');
    return handlers[what](JSON.parse(body), request, events.get(id));
  }

  const server = (tls ? https : http).createServer({ ...tls }, async (request, reply) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const [, id, end] = /^\/v1\/events\/(\d+)(?:\/(\w+))?/.exec(request.url) ?? [];
    const what = request.url === '/v1/lease' ? 'lease' : id ? (end ?? 'show') : 'list';
    const { headers, url } = request;
    requests.push({ what, id: Number(id), headers, url, body: body && JSON.parse(body) });
    const wrong = await self.fault(requests.at(-1), self.asked(what).length);
    if (wrong === BREAK) return request.socket.destroy();
    const value = wrong && wrong !== LOSE ? wrong : await answered(request, what, Number(id), body);
    if (wrong === LOSE) return request.socket.destroy();
    const { status = 200, json = value, headers: more } = value.status ? value : {};
    reply.writeHead(status, { 'content-type': status === 200 ? 'application/json' : 'application/problem+json', ...more });
    reply.end(typeof json === 'string' ? json : JSON.stringify(json));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  return Object.assign(self, {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  });
}

export function problem(status, code, detail, headers, field) {
  return { status, headers, json: { type: 'about:blank', title: code, status, code, detail, field } };
}

/** Starts a server and an inbox client for the duration of the test. */
export async function started(t, options = {}, { fault, ...serverOptions } = {}) {
  const server = await inboxServer({ fault, ...serverOptions });
  const stop = new AbortController();
  t.after(() => {
    stop.abort();
    server.close();
  });
  const errors = [];
  const inbox = new Inbox({
    url: server.url, token: TOKEN, signal: stop.signal, onError: (error, event) => errors.push([error, event]), ...options,
  });
  return { server, stop, inbox, errors };
}

/** Resolves when the condition is true. Throws after 10 s. */
export async function until(condition) {
  for (const began = Date.now(); !condition();) {
    if (Date.now() - began > 10_000) throw new Error(`not true within 10 s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Resolves with the reason of a rejection. Throws if the promise resolves. */
export const failure = (promise) => promise.then(() => {
  throw new Error('the promise resolved');
}, (error) => error);
