#!/usr/bin/env node
// Starts the program from the package of the platform.
'use strict';

const { spawn } = require('node:child_process');

const name = `messaging-cli-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/messaging`);
} catch {
  console.error(`error: package ${name} is not installed: the platform must be linux-arm64 or linux-x64; install without --omit=optional`);
  process.exit(1);
}
// The program replaces this process, so that it receives every signal. Node has `execve` since 22.15.
if (process.execve) process.execve(program, [program, ...process.argv.slice(2)], process.env);

// Forwards signals, and ends with the program's exit code or signal.
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`error: ${program} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
