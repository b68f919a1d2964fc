// Runs in a thread: one call after the other. A call blocks its thread while it waits
// for the network, which is why it has one.

import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { importsOf } from './wasi.js';

// Each instance asks for this and takes an error as "no". Without it the engine reads
// the half megabyte of bindings again to word its error: 100 ms for each call.
WebAssembly.promising ??= () => {
  throw new TypeError('this engine has no promise integration');
};

// The bindings' decoder takes a byte order mark off every string that they lift.
globalThis.TextDecoder = class extends TextDecoder {
  constructor(label, options) {
    super(label, { ignoreBOM: true, ...options });
  }
};

const { instantiate } = await import(new URL('plugin.js', workerData.component));
const modules = new Map();

function core(name) {
  if (!modules.has(name)) {
    modules.set(name, new WebAssembly.Module(readFileSync(new URL(name, workerData.component))));
  }
  return modules.get(name);
}

// An instance is kept for the next call, as long as that is the same account's.
let kept = {};

parentPort.on('message', (job) => parentPort.postMessage(call(job)));
parentPort.postMessage('loaded');

function call({ account, settings, origins, name, argument }) {
  try {
    if (kept.account !== account) {
      kept = { account, instance: instantiate(core, importsOf(settings, origins)) };
    }
    return { ok: kept.instance.messaging[name](argument) };
  } catch (thrown) {
    // The transpiled component throws a `result`'s error as it is. An `Error` is a
    // trap, or a fault of the bindings.
    return thrown instanceof Error ? { trap: String(thrown) } : { error: thrown };
  }
}
