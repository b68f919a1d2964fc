// Callers that give up. A signal may belong to any number of calls: it gets one listener, because more than
// ten of them look like a leak to Node, which warns of it.

const listeners = new WeakMap();

/** Calls `listener` when `signal` is aborted. @returns what ends that
 *  @param {AbortSignal | undefined} signal */
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
