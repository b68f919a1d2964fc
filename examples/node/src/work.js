// Runs a handler for one event. Extends the lease while the handler runs, and settles the event afterwards.

import { InboxUnavailableError, LeaseLostError } from './inbox-errors.js';
import { GIVE_BACK_MS } from './leased.js';

/** Initial and maximum default delay after a failure of the handler, in milliseconds. */
const FAILED_MS = { first: 1_000, most: 300_000 };
/** Maximum delay that the server accepts, in milliseconds. */
export const MOST_PAUSE_MS = 604_800_000;
/** Minimum timeout in milliseconds of a request that extends a lease. The request may end after the lease, because it
 *  still succeeds if no other worker has the event. */
const SHORTEST_TRY_MS = 1_000;

/** Handles one event. Rejects only if `pauseMs` or `onError` of the caller throws, after it has settled the event. */
export async function work(event, handler, { leaseMs, pauseMs = doubling, deadAfter, onError: tell }) {
  const failures = [];
  const attempt = (call, otherwise) => {
    try {
      return call();
    } catch (error) {
      failures.push(error);
      return otherwise?.();
    }
  };
  const onError = (error) => attempt(() => tell(error, event));
  const lost = new AbortController();
  const over = new AbortController();
  const kept = keep(event, leaseMs, over.signal, lost, onError);
  let settle = () => event.ack();
  try {
    await handler(event, { signal: lost.signal });
  } catch (error) {
    if (!lost.signal.aborted || error !== lost.signal.reason) onError(error);
    if (lost.signal.aborted) {
      // After a lost lease, the handler's error says nothing about the event.
      settle = () => event.release(GIVE_BACK_MS);
    } else {
      const pause = typeof pauseMs === 'function' ? attempt(() => whole(pauseMs(event, error)), () => doubling(event)) : pauseMs;
      settle = () => event.nack(error, { pauseMs: pause, deadAfter });
    }
  } finally {
    over.abort();
    await kept;
  }
  try {
    // The handler may have settled the event, or another worker may have it.
    if (!event.isSettled) await settle();
  } catch (error) {
    onError(error);
  }
  if (failures.length > 0) throw failures[0];
}

/** Extends the lease until the handler ends. Aborts `lost` if the lease is lost or cannot be extended. */
async function keep(event, leaseMs, over, lost, onError) {
  for (let endsAt = performance.now() + leaseMs; ;) {
    await idle(leaseMs / 3, over);
    if (over.aborted || event.isSettled) return;
    const asked = performance.now();
    try {
      await event.extend(leaseMs, { signal: over, tryMs: Math.max(endsAt - asked, SHORTEST_TRY_MS), until: endsAt });
      endsAt = asked + leaseMs;
    } catch (error) {
      if (over.aborted || (event.isSettled && !event.isLost)) return;
      const reason = error instanceof InboxUnavailableError ? ended(event, error) : error;
      lost.abort(reason);
      onError(reason);
      return;
    }
  }
}

function ended(event, { detail, status }) {
  return new LeaseLostError(`extend of event ${event.id}`, {
    code: 'lease-ended',
    detail: `the lease has ended, and could not be extended (${detail})`,
    status,
  });
}

/** Waits without keeping the process alive. */
function idle(milliseconds, over) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      over.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    timer.unref?.();
    over.addEventListener('abort', end);
  });
}

/** Returns the nearest delay that the server accepts. */
function whole(pauseMs) {
  if (typeof pauseMs !== 'number' || Number.isNaN(pauseMs)) throw new TypeError(`pauseMs returned ${pauseMs}, which is not a number of milliseconds`);
  return Math.min(Math.max(Math.round(pauseMs), 0), MOST_PAUSE_MS);
}

function doubling({ failures }) {
  return Math.round(Math.min(FAILED_MS.first * 2 ** failures, FAILED_MS.most) * (0.5 + Math.random() / 2));
}
