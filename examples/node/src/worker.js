// Runs in a thread: one call of the plugin after the other. A call blocks its thread
// while it waits for the network, which is why it has one.

import { parentPort, workerData } from 'node:worker_threads';
import { load } from './engine.js';
import { abandon, importsOf } from './wasi.js';

const instantiate = await load(workerData.component, 'plugin');
// An instance is kept for the next call, as long as that is the same account's.
let kept = {};

parentPort.on('message', (job) => parentPort.postMessage(call(job)));
parentPort.postMessage('loaded');

function call({ account, settings, origins, name, argument }) {
  try {
    if (kept.account !== account) {
      kept = { account, instance: instantiate(importsOf(settings, origins)) };
    }
    return { ok: kept.instance.messaging[name](argument) };
  } catch (thrown) {
    // The transpiled component throws a `result`'s error as it is. An `Error` is a
    // trap, or a fault of the bindings.
    return thrown instanceof Error ? { trap: String(thrown) } : { error: thrown };
  } finally {
    abandon();
  }
}
