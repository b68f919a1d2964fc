// A message that is created at most once, even if any process is killed. A virtual object of Restate, keyed by the
// message's purpose (`order-17.ready`).
//
//   (none) ──> sending ──> created
//                │  ▲ └──> unknown ──> created, not-created: an operator has resolved it
//                ▼  │
//              waiting ──> not-sent       refused: permanent, nothing was created
//
// After `created` and `unknown` no further request is made. After `not-sent`, `refused` and `not-created` no
// message exists, and `send` may be called again.

import * as restate from '@restatedev/restate-sdk';
import { MessagingError } from 'messaging-plugin';

/** Maximum number of attempts, in about one hour. If every attempt proves that nothing was created, `send` returns
 *  `not-sent`. */
const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 300_000;
/** Time for which the result of a request is kept for a repeated step, in milliseconds. */
const KEPT_MS = 600_000;

/** Creates the virtual object `Message`. `plugin` sends each message within `deadlineMs`. `isStopping` returns true
 *  if this process is stopping. */
export function messageObject({ plugin, deadlineMs, isStopping }) {
  /** The results of the requests of this process, by invocation and attempt. */
  const underway = new Map();
  /** Times of the intents of this process that have no request yet, by invocation and attempt. */
  const intents = new Map();

  /** Makes one request. Never rejects, because Restate would repeat a rejected request. */
  async function request(message) {
    try {
      const { id } = await plugin.sendMessage(message);
      return { state: 'created', id };
    } catch (error) {
      // The plugin rejected an argument, such as an unknown member, before it sent anything.
      if (error instanceof TypeError) return { state: 'refused', detail: error.message };
      if (!(error instanceof MessagingError)) return { state: 'unknown', detail: String(error) };
      const failed = { case: error.case, detail: error.message };
      if (error.mayExist) return { state: 'unknown', ...failed };
      if (error.retry === 'safe') return { state: 'waiting', ...failed, retryAfterMs: error.retryAfterMs ?? 0 };
      return { state: 'refused', ...failed };
    }
  }

  function begin(key, message) {
    intents.delete(key);
    const result = request(message);
    underway.set(key, result);
    result.then(() => setTimeout(() => underway.delete(key), KEPT_MS).unref());
    return result;
  }

  function intend(key) {
    intents.set(key, { monotonic: performance.now(), wall: Date.now() });
    setTimeout(() => intents.delete(key), KEPT_MS).unref();
  }

  /** Makes the request of this attempt, unless another process may have made it. */
  async function sendOnce(ctx, attempt, message) {
    const key = `${ctx.request().id}.${attempt}`;
    // When this promise resolves, the intent is stored on two nodes. Only then is the request made.
    await ctx.run(`intent ${attempt}`, () => intend(key));
    return ctx.run(`send ${attempt}`, () => {
      // Restate repeats this step after a lost connection, or if another node takes over.
      if (underway.has(key)) return underway.get(key);
      const intent = intents.get(key);
      const notSent = (detail) => ({ state: 'waiting', case: 'not-sent', detail, retryAfterMs: 0 });
      // Another process wrote the intent. That process was lost, and may have made the request.
      if (!intent) return { state: 'unknown', detail: 'a worker was lost while it was sending', openMs: 2 * deadlineMs };
      // Makes no late request, because an operator may have resolved the message as not created. Checks both clocks,
      // because the monotonic clock stops while a machine sleeps.
      if (Math.max(performance.now() - intent.monotonic, Date.now() - intent.wall) > deadlineMs) {
        return notSent('the worker was suspended');
      }
      // The plugin is closed. The next attempt runs on another worker, or on this worker after its restart.
      if (isStopping()) return notSent('the worker was stopping');
      return begin(key, message);
    });
  }

  /** Waits until an operator resolves the message. The request with the unknown outcome can still be active for
   *  `openMs`. */
  async function decide(ctx, message, { openMs = 0, ...unknown }) {
    const { id: decision, promise } = ctx.awakeable();
    const now = await ctx.date.now();
    const since = unknown.since ?? new Date(now).toISOString();
    const openUntil = unknown.openUntil ?? new Date(now + openMs).toISOString();
    ctx.set('entry', { ...unknown, state: 'unknown', message, since, openUntil, decision });
    const decided = await promise;
    const at = await ctx.date.toJSON();
    return end(ctx, message, decided.id === undefined
      ? { state: 'not-created', by: decided.by, at }
      : { state: 'created', id: decided.id, by: decided.by, at });
  }

  function end(ctx, message, result) {
    ctx.set('entry', { ...result, message });
    return result;
  }

  async function send(ctx, message) {
    const entry = await ctx.get('entry');
    if (['created', 'unknown', 'sending'].includes(entry?.state)) {
      if (!isSame(entry.message, message)) {
        throw new restate.TerminalError('the key was used for another message', { errorCode: 409 });
      }
      const { message: _, ...result } = entry;
      if (entry.state === 'created') return result;
      // An invocation that was canceled or killed has left this entry.
      if (entry.state === 'sending') {
        return decide(ctx, message, { detail: 'the invocation ended during the send', openMs: 2 * deadlineMs });
      }
      return decide(ctx, message, result);
    }
    for (let attempt = 1; ; attempt += 1) {
      // This error is not terminal, so that another worker, or this worker after its restart, continues.
      if (isStopping()) throw new Error('this worker is stopping');
      ctx.set('entry', { state: 'sending', message });
      const { retryAfterMs, ...result } = await sendOnce(ctx, attempt, message);
      if (result.state === 'unknown') return decide(ctx, message, result);
      if (result.state !== 'waiting') return end(ctx, message, result);
      if (attempt === MAX_ATTEMPTS) return end(ctx, message, { ...result, state: 'not-sent' });
      end(ctx, message, result);
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
      await ctx.sleep(Math.max(pause, retryAfterMs));
    }
  }

  /** Takes an operator's resolution: `{ id, by }` or `{ created: false, by }`. */
  async function resolve(ctx, { id, created, by } = {}) {
    const exists = typeof id === 'string' && id.trim() !== '';
    if (exists === (created === false) || typeof by !== 'string' || by.trim() === '') {
      throw new restate.TerminalError('set `by`, and either `id` or `created: false`', { errorCode: 400 });
    }
    const entry = await ctx.get('entry');
    if (entry?.state !== 'unknown') {
      throw new restate.TerminalError('there is nothing to resolve', { errorCode: 409 });
    }
    if (!exists && (await ctx.date.now()) < Date.parse(entry.openUntil)) {
      throw new restate.TerminalError(`a request can be in flight until ${entry.openUntil}; retry after that time`, { errorCode: 409 });
    }
    ctx.resolveAwakeable(entry.decision, exists ? { id, by } : { by });
  }

  const { exclusive, shared } = restate.handlers.object;
  return restate.object({
    name: 'Message',
    handlers: {
      send: exclusive(send),
      resolve: shared(resolve),
      show: shared((ctx) => ctx.get('entry')),
    },
  });
}

function isSame(one, other) {
  const members = (message) => JSON.stringify([message.phone, message.message, message.device ?? null, message.fields ?? null]);
  return members(one) === members(other);
}
