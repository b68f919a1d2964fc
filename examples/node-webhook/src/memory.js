// Implements wasi:http, wasi:io and the monotonic clock for one request that has arrived completely. Only timers block,
// because all data is in memory.

import { writeSync } from 'node:fs';
import { hrtime } from 'node:process';
import { http } from '@bytecodealliance/preview2-shim';

const STDERR = 2;
const ROOM = 65_536n;

class Pollable {
  #when;
  constructor(when = 0n) {
    this.#when = when;
  }
  ready() {
    return this.#when <= hrtime.bigint();
  }
  block() {
    while (!this.ready()) pause();
  }
}

function poll(pollables) {
  for (;;) {
    const ready = pollables.flatMap((pollable, index) => (pollable.ready() ? [index] : []));
    if (ready.length > 0) return Uint32Array.from(ready);
    pause();
  }
}

function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

class InputStream {
  #rest;
  constructor(bytes) {
    this.#rest = bytes;
  }
  read(length) {
    if (this.#rest.length === 0) throw { tag: 'closed' };
    const chunk = this.#rest.subarray(0, Number(length));
    this.#rest = this.#rest.subarray(chunk.length);
    return chunk;
  }
  subscribe() {
    return new Pollable();
  }
}

class OutputStream {
  #write;
  constructor(write) {
    this.#write = write;
  }
  checkWrite() {
    return ROOM;
  }
  write(bytes) {
    this.#write(bytes.slice());
  }
  blockingWriteAndFlush(bytes) {
    this.#write(bytes.slice());
  }
  subscribe() {
    return new Pollable();
  }
}

class Fields {
  constructor(entries = []) {
    this.entries = entries;
  }
  static fromList(entries) {
    return new Fields(entries.map(([name, value]) => [name, value.slice()]));
  }
  get(name) {
    const same = ([other]) => other.toLowerCase() === name.toLowerCase();
    return this.entries.filter(same).map(([, value]) => value);
  }
}

class IncomingBody {
  #bytes;
  constructor(bytes) {
    this.#bytes = bytes;
  }
  stream() {
    return new InputStream(this.#bytes);
  }
}

class IncomingRequest {
  #request;
  constructor(request) {
    this.#request = request;
  }
  method() {
    const { method } = this.#request;
    const known = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
    return known.includes(method) ? { tag: method.toLowerCase() } : { tag: 'other', val: method };
  }
  pathWithQuery() {
    return this.#request.path;
  }
  headers() {
    return new Fields(this.#request.headers);
  }
  consume() {
    return new IncomingBody(this.#request.body);
  }
}

class OutgoingBody {
  bytes = [];
  write() {
    return new OutputStream((bytes) => this.bytes.push(bytes));
  }
  static finish(body) {
    body.whole = true;
  }
}

class OutgoingResponse {
  status = 200;
  outgoing = new OutgoingBody();
  constructor(headers) {
    this.headers = headers;
  }
  setStatusCode(status) {
    this.status = status;
  }
  body() {
    return this.outgoing;
  }
}

class ResponseOutparam {
  static set(out, result) {
    out.response = result.tag === 'ok' ? result.val : undefined;
  }
}

/** The imports that all requests share. */
export const imports = {
  'wasi:cli/stderr': { getStderr: () => new OutputStream((bytes) => writeSync(STDERR, bytes)) },
  'wasi:clocks/monotonic-clock': {
    now: () => hrtime.bigint(),
    subscribeInstant: (when) => new Pollable(when),
    subscribeDuration: (duration) => new Pollable(hrtime.bigint() + duration),
  },
  'wasi:io/error': { Error },
  'wasi:io/poll': { Pollable, poll },
  'wasi:io/streams': { InputStream, OutputStream },
  'wasi:http/types': {
    ...http.types,
    Fields,
    IncomingBody,
    IncomingRequest,
    OutgoingBody,
    OutgoingResponse,
    ResponseOutparam,
  },
  // The component contains a plugin that can make requests, but parsing an event needs no request.
  'wasi:http/outgoing-handler': {
    handle() {
      throw { tag: 'HTTP-request-denied' };
    },
  },
};

/** Passes a request to the handler. Returns the response, or `undefined` if it is not complete. */
export function exchange(handler, request) {
  const out = new ResponseOutparam();
  handler.handle(new IncomingRequest(request), out);
  const { response } = out;
  if (!response?.outgoing.whole) return undefined;
  return {
    status: response.status,
    headers: response.headers.entries.map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
    body: Buffer.concat(response.outgoing.bytes),
  };
}
