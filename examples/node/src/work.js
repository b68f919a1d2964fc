// One event in the hands of a handler: its lease is extended for as long as the handler works, and the
// handler's end settles it.

import { InboxUnavailableError, LeaseLostError } from './inbox-errors.js';
import { GIVE_BACK_MS } from './leased.js';

/** Pauses after failures, where the caller does not say: the first one, and the longest. */
const FAILED_MS = { first: 1_000, most: 300_000 };
/** For one extension, which counts after the end, too, while nobody else has the event. */
const SHORTEST_TRY_MS = 1_000;

/** Never rejects, unless what the caller gave does. */
export async function work(event, handler, { leaseMs, pauseMs = doubling, deadAfter, onError }) {
  const lost = new AbortController();
  const over = new AbortController();
  const kept = keep(event, leaseMs, over.signal, lost, onError);
  let settle = () => event.ack();
  try {
    await handler(event, { signal: lost.signal });
  } catch (error) {
    const failed = () => event.nack(error, { pauseMs: typeof pauseMs === 'function' ? pauseMs(event, error) : pauseMs, deadAfter });
    // Who was told to stop says nothing about the event.
    settle = lost.signal.aborted ? () => event.release(GIVE_BACK_MS) : failed;
    if (error !== lost.signal.reason) onError(error, event);
  } finally {
    over.abort();
    await kept;
  }
  // The handler may have done so, and a lost event is somebody else's.
  if (event.isSettled) return;
  try {
    await settle();
  } catch (error) {
    onError(error, event);
  }
}

/** Extends the lease until the handler is over; says when the event may have come to somebody else. */
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

/** Time that passes without keeping the process alive. */
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
