// Time that passes between the attempts of a call.

import { onAbort } from './abort.js';

/** Resolves after so many milliseconds, or when the caller gives up. */
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
