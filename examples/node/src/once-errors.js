// Errors of a send that may be repeated: the WIT's cases that the plugin does not have. After each of them the same
// call can be made again, and creates no second message; after those whose name begins with `permanent-` it has the
// same answer, until somebody changes something.

import { ExecutionFailedError, MessagingError, errorOf } from './errors.js';

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

/** The error of a case as src/abi.js reads it. */
export function onceErrorOf({ tag, val }) {
  if (Object.hasOwn(CLASSES, tag)) return new CLASSES[tag](tag, val, false);
  return errorOf({ tag, val }, tag === 'permanent-outcome-unknown');
}

/** The component trapped: nothing is known, and the same call, made again, says what is. */
export function crashed(text) {
  const error = new ExecutionFailedError('execution-failed', undefined, false, `the component crashed: ${text}`);
  error.mayExist = true;
  return error;
}

/** Thrown by a journal that gives no answer. */
export class JournalFailure extends Error {
  /** @param {string} detail what happened
   *  @param {{ refused?: boolean, cause?: unknown }} [options] `refused`: nothing was written, and nothing will be,
   *  until somebody mends it */
  constructor(detail, { refused = false, cause } = {}) {
    super(detail, cause === undefined ? undefined : { cause });
    this.refused = refused;
  }

  get name() {
    return 'JournalFailure';
  }
}
