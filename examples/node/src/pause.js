// Delays between the attempts of a call.

import { onAbort } from './abort.js';

/** Resolves after `milliseconds`, or when `signal` aborts. */
export function pause(milliseconds, signal) {
  if (signal?.aborted) return undefined;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      off();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const off = onAbort(signal, end);
  });
}
