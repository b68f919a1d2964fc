// Code of a thread: handles one delivery at a time, each in a new instance of the webhook. File operations block
// the thread.

import { parentPort, workerData } from 'node:worker_threads';
import { clocks } from '@bytecodealliance/preview2-shim';
import { load } from './engine.js';
import { importsOf } from './folder.js';
import { exchange, imports } from './memory.js';

const instantiate = await load(workerData.component, 'webhook');
const all = {
  ...imports,
  ...importsOf(workerData.inbox),
  'wasi:cli/environment': { getEnvironment: () => workerData.settings },
  'wasi:clocks/wall-clock': clocks.wallClock,
};

parentPort.on('message', (request) => parentPort.postMessage(answer(request)));
parentPort.postMessage('loaded');

function answer(request) {
  try {
    const response = exchange(instantiate(all).incomingHandler, request);
    return response ? { response } : { trap: 'no response' };
  } catch (thrown) {
    return { trap: String(thrown) };
  }
}
