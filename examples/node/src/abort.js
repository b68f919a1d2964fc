// Abort signals of callers. A signal can belong to many calls, but gets one listener from this module, because Node
// warns of a leak at more than ten listeners.

const listeners = new WeakMap();

/** Calls `listener` when `signal` aborts.
 *  @param {AbortSignal | undefined} signal
 *  @returns a function that removes the listener */
export function onAbort(signal, listener) {
  if (!signal) return () => {};
  const known = listeners.get(signal) ?? listen(signal);
  known.all.add(listener);
  return () => {
    if (!known.all.delete(listener) || known.all.size > 0) return;
    listeners.delete(signal);
    signal.removeEventListener('abort', known.call);
  };
}

function listen(signal) {
  const all = new Set();
  const call = () => {
    for (const listener of [...all]) listener();
  };
  const made = { all, call };
  listeners.set(signal, made);
  signal.addEventListener('abort', call);
  return made;
}
