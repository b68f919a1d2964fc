// Errors of the plugin as plain objects, because an item of n8n cannot hold an instance of a class.

import { MessagingError } from './generated/plugin';

export interface Failure {
  message: string;
  /** Name of the error case in the WIT interface. */
  case: string;
  /** `safe` if the call can be repeated without a second effect, otherwise `never`. */
  retry: 'never' | 'safe';
  /** True if the failed call may have created a message. */
  mayExist: boolean;
  /** The service's retry hint in milliseconds. */
  retryAfterMs?: number;
  payload?: unknown;
}

/** @param creates true if the call creates a message
 *  @param signal signal that cancels the call; if `error` is `signal.reason`, nothing was created */
export function failureOf(error: unknown, creates: boolean, signal?: AbortSignal): Failure {
  if (error instanceof MessagingError) {
    const { message, case: name, retry, mayExist, retryAfterMs, payload } = error;
    return { message, case: name, retry, mayExist, retryAfterMs, payload };
  }
  if (signal?.aborted && error === signal.reason) {
    return { message: 'not-sent: canceled by n8n', case: 'not-sent', retry: 'safe', mayExist: false };
  }
  // An unexpected error proves nothing about the request.
  return { message: String(error), case: 'permanent-other', retry: 'never', mayExist: creates };
}

export function adviceOf({ retry, mayExist, retryAfterMs }: Failure): string {
  if (mayExist) return 'The message may exist: check before you send it again.';
  if (retry === 'never') return 'No message was created. A retry would fail again.';
  const hint = retryAfterMs === undefined ? '' : ` after ${retryAfterMs} ms`;
  return `No message was created. A retry is safe${hint}.`;
}
