// Error classes for the cases that only `send-once` has. After each of these errors, a retry of the call is safe: it
// creates no second message. After a `permanent-` case, retries return the same error until an operator changes
// something.

import { ExecutionFailedError, MessagingError } from './errors.js';

export class KeyReusedError extends MessagingError {}
export class KeyForgottenError extends MessagingError {}
export class NotRecordedError extends MessagingError {}
export class JournalError extends MessagingError {}
export class BusyError extends MessagingError {}

const CLASSES = {
  'permanent-key-reused': KeyReusedError,
  'permanent-key-forgotten': KeyForgottenError,
  'permanent-not-recorded': NotRecordedError,
  'permanent-journal': JournalError,
  busy: BusyError,
};

/** Returns the error for a case as decoded by src/abi.js. A call may have sent a message before it returned
 *  `call-is-over`. */
export function onceErrorOf({ tag, val }) {
  if (Object.hasOwn(CLASSES, tag)) return new CLASSES[tag](tag, val, false);
  return MessagingError.of({ tag, val }, tag === 'permanent-outcome-unknown' || val?.code === 'call-is-over');
}

/** Returns the error for a trap. The message can exist; a retry of the same call reports the outcome. */
export function crashed(text) {
  const error = new ExecutionFailedError('execution-failed', undefined, false, `the component crashed: ${text}`);
  error.mayExist = true;
  return error;
}

/** Thrown by a journal that cannot answer. */
export class JournalFailure extends Error {
  /** @param {string} detail description of the failure
   *  @param {{ refused?: boolean, cause?: unknown }} [options] `refused`: nothing was written, and retries fail
   *      until an operator repairs the journal */
  constructor(detail, { refused = false, cause } = {}) {
    super(detail, cause === undefined ? undefined : { cause });
    this.refused = refused;
  }

  get name() {
    return 'JournalFailure';
  }
}
