// A real `messaging serve` with listeners for operators and workers, on a separate store. Delivers events, acts as a
// worker, and reads the store.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const PROGRAM = resolve(process.env.MESSAGING ?? `${import.meta.dirname}/../../../target/debug/messaging`);
export const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MESSAGING_')));

export const TOKEN = 'an-operator-token-of-this-test-0001';
const WORKER = 'a-worker-token-of-this-test-0001';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts `serve` with additional options and settings. It stops at the end of the test. */
export async function startInbox(t, { options = [], settings = {} } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'operate-'));
  const store = join(folder, 'inbox.sqlite');
  const ports = [await freePort(), await freePort(), await freePort()];
  const [listen, operator, workers] = ports.map((port) => `127.0.0.1:${port}`);
  const [url, page] = [`http://${listen}/`, `http://${operator}/`];
  let child;
  let complaints = '';
  const start = async () => {
    child = spawn(PROGRAM, ['serve', '--listen', listen, '--operator', operator, '--workers', workers, '--store', store, ...options], {
      env: { ...ENVIRONMENT, MESSAGING_OPERATOR_TOKENS: TOKEN, MESSAGING_WORKER_TOKENS: WORKER, ...settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
    for (const address of [url, page]) {
      while (!(await fetch(`${address}livez`).catch(() => null))) {
        if (child.exitCode !== null) throw new Error(complaints);
        await new Promise((done) => setTimeout(done, 50));
      }
    }
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  const inbox = async (...args) => {
    const { stdout } = await promisify(execFile)(PROGRAM, ['inbox', '--store', store, '--json', ...args], { maxBuffer: 1e8, env: ENVIRONMENT });
    return JSON.parse(stdout);
  };
  const work = async (path, body) => {
    const headers = { Authorization: `Bearer ${WORKER}`, 'Content-Type': 'application/json' };
    const reply = await fetch(`http://${workers}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`);
    return reply.json();
  };
  t.after(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  return {
    page, store, start, stop,
    /** Returns the resident memory of `serve`, in bytes. */
    memory: async () => 1024 * Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))[1]),
    /** Delivers an event. Returns when it is stored. */
    async deliver(key, event = {}, headers = {}) {
      const body = typeof event === 'string' ? event
        : JSON.stringify({ id: `msg-${key}`, object: 'message', event: 'message:in:new', ...event });
      const reply = await fetch(url, { method: 'POST', headers: { 'X-Idempotency-Key': key, 'Content-Type': 'application/json', ...headers }, body });
      if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`);
    },
    lease: async (limit = 1) => (await work('lease', { limit })).events,
    ack: ({ id, lease }) => work(`events/${id}/ack`, { lease }),
    /** Nacks an event with a delay of 10 min. The page lists the event as stuck. */
    nack: ({ id, lease }, error) => work(`events/${id}/nack`, { lease, error, pause_ms: 600_000 }),
    /** Nacks an event as dead. */
    kill: ({ id, lease }, error = 'status 410') => work(`events/${id}/nack`, { lease, error, dead: true }),
    release: (id) => inbox('release', String(id)),
    /** Returns the states of all events, in the order of arrival. */
    states: async () => (await inbox('list', '--limit', '10000')).map(({ state }) => state),
    all: () => inbox('list', '--limit', '1000000'),
    show: (id) => inbox('show', String(id)),
  };
}
