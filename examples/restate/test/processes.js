// Processes that can be started, killed, and restarted with the same arguments.

import { spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.once(signal, () => process.exit(130));

export class Process {
  constructor(file, args, { env = {}, log }) {
    Object.assign(this, { file, args, env, log });
  }

  start() {
    const log = openSync(this.log, 'a');
    this.child = spawn(this.file, this.args, { stdio: ['ignore', log, log], env: { ...process.env, ...this.env } });
    closeSync(log);
    this.exited = once(this.child, 'exit');
    running.add(this.child);
    this.exited.then(() => running.delete(this.child));
  }

  get isRunning() {
    return running.has(this.child);
  }

  async stop(signal = 'SIGKILL') {
    this.child.kill(signal);
    await this.exited;
  }

  /** Returns the processor time in milliseconds, and the bytes written to disks. */
  async spent() {
    const stat = await readFile(`/proc/${this.child.pid}/stat`, 'utf8');
    const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13).map(Number);
    const io = await readFile(`/proc/${this.child.pid}/io`, 'utf8');
    return { cpu: (user + system) * 10, written: Number(/^write_bytes: (\d+)/m.exec(io)[1]) };
  }

  /** Returns the resident memory in MiB. */
  async memory() {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1024;
  }
}

/** Returns ports that were unused a moment ago. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Waits until `look` returns a truthy value, and returns it. An error of `look` means "not yet". */
export async function until(name, look, { limitMs = 300_000, everyMs = 50 } = {}) {
  const end = performance.now() + limitMs;
  let last;
  while (performance.now() < end) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      last = error;
    }
    await sleep(everyMs);
  }
  throw new Error(`not within ${limitMs} ms: ${name}${last ? ` (${last.message})` : ''}`);
}
