// Errors of the plugin as data: an item of n8n has no classes.

import { MessagingError } from './generated/plugin';

export interface Failure {
  message: string;
  /** The case's name in the WIT. */
  case: string;
  /** Whether the same call can be made again without doing its work twice. */
  retry: 'never' | 'safe';
  /** Whether there may be a message that was not returned. */
  mayExist: boolean;
  /** The service's hint: how long to wait before that. */
  retryAfterMs?: number;
  payload?: unknown;
}

/** @param creates whether the call creates something
 *  @param signal given to the call: an error that is its reason says that nothing was created */
export function failureOf(error: unknown, creates: boolean, signal?: AbortSignal): Failure {
  if (error instanceof MessagingError) {
    const { message, case: name, retry, mayExist, retryAfterMs, payload } = error;
    return { message, case: name, retry, mayExist, retryAfterMs, payload };
  }
  if (signal?.aborted && error === signal.reason) {
    return { message: 'not-sent: given up by n8n', case: 'not-sent', retry: 'safe', mayExist: false };
  }
  // Of something that nobody thought of nothing is known.
  return { message: String(error), case: 'permanent-other', retry: 'never', mayExist: creates };
}

export function adviceOf({ retry, mayExist, retryAfterMs }: Failure): string {
  if (mayExist) return 'The message may exist: somebody has to look before it is sent again.';
  if (retry === 'never') return 'Nothing was created, and it would fail again.';
  const hint = retryAfterMs === undefined ? '' : ` after ${retryAfterMs} ms`;
  return `Nothing was created: it can be tried again${hint}.`;
}
