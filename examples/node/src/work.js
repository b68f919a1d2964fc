// Runs a handler for one event. Extends the lease while the handler runs, and settles the event afterwards.

import { InboxUnavailableError, LeaseLostError } from './inbox-errors.js';
import { GIVE_BACK_MS } from './leased.js';

/** Initial and maximum default delay after a failure of the handler. */
const FAILED_MS = { first: 1_000, most: 300_000 };
/** Minimum timeout of an extension. An extension after the end of the lease succeeds if no other worker has the
 *  event. */
const SHORTEST_TRY_MS = 1_000;

/** Handles one event. Rejects only if `pauseMs` or `onError` of the caller throws. */
export async function work(event, handler, { leaseMs, pauseMs = doubling, deadAfter, onError }) {
  const lost = new AbortController();
  const over = new AbortController();
  const kept = keep(event, leaseMs, over.signal, lost, onError);
  let settle = () => event.ack();
  try {
    await handler(event, { signal: lost.signal });
  } catch (error) {
    const failed = () => event.nack(error, { pauseMs: typeof pauseMs === 'function' ? pauseMs(event, error) : pauseMs, deadAfter });
    // After a lost lease, the handler's error says nothing about the event.
    settle = lost.signal.aborted ? () => event.release(GIVE_BACK_MS) : failed;
    if (!lost.signal.aborted || error !== lost.signal.reason) onError(error, event);
  } finally {
    over.abort();
    await kept;
  }
  // The handler may have settled the event, or another worker may have it.
  if (event.isSettled) return;
  try {
    await settle();
  } catch (error) {
    onError(error, event);
  }
}

/** Extends the lease until the handler ends. Aborts `lost` if another worker can have the event. */
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
      onError(reason, event);
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

function doubling({ failures }) {
  return Math.round(Math.min(FAILED_MS.first * 2 ** failures, FAILED_MS.most) * (0.5 + Math.random() / 2));
}
