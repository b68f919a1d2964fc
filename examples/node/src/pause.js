// Time that passes between the attempts of a call.

/** Resolves after so many milliseconds, or when the caller gives up. */
export function pause(milliseconds, signal) {
  if (signal?.aborted) return undefined;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
