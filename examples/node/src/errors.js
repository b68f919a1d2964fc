// Error classes for the cases of the WIT. A call must not be retried after a case whose name begins with
// `permanent-`.

// Cases that prove that no message was created.
const NOT_CREATED = [
  'permanent-invalid-input',
  'permanent-invalid-settings',
  'permanent-unauthorized',
  'permanent-refused',
  'permanent-denied',
  'rate-limited',
  'not-sent',
  'unavailable',
];

/** Base class of all errors of a call. */
export class MessagingError extends Error {
  /** @param {string} name the case's name in the WIT
   *  @param {any} payload payload of the case, as decoded by src/abi.js
   *  @param {boolean} creates true if the call creates a message */
  constructor(name, payload, creates, message = `${name}${describe(payload)}`) {
    super(message);
    this.case = name;
    this.payload = payload;
    /** True if the failed call may have created a message. */
    this.mayExist = creates && !NOT_CREATED.includes(name);
    /** `safe` if the call can be repeated without a second effect, otherwise `never`. */
    this.retry = this.mayExist || name.startsWith('permanent-') ? 'never' : 'safe';
  }

  get name() {
    return this.constructor.name;
  }

  /** The service's retry hint in milliseconds, if any. */
  get retryAfterMs() {
    return this.payload?.retryAfterMs;
  }
}

export class InvalidInputError extends MessagingError {}
export class InvalidSettingsError extends MessagingError {}
export class UnauthorizedError extends MessagingError {}
export class RefusedError extends MessagingError {}
export class OutcomeUnknownError extends MessagingError {}
export class UnexpectedReplyError extends MessagingError {}
export class DeniedError extends MessagingError {}
export class RateLimitedError extends MessagingError {}
export class NotSentError extends MessagingError {}
export class UnavailableError extends MessagingError {}
export class OtherError extends MessagingError {}
export class ExecutionFailedError extends MessagingError {}

/** The component trapped, or the driver failed. The WIT has no such case. */
export class PluginCrashedError extends MessagingError {
  /** @param {string} text description of the failure
   *  @param {boolean} creates true if the call creates a message */
  constructor(text, creates) {
    const unknown = creates ? ' The message may exist: check before you send again.' : '';
    super('crashed', undefined, creates, `the plugin crashed: ${text}.${unknown}`);
  }
}

const CLASSES = {
  'execution-failed': ExecutionFailedError,
  'permanent-invalid-input': InvalidInputError,
  'permanent-invalid-settings': InvalidSettingsError,
  'permanent-unauthorized': UnauthorizedError,
  'permanent-refused': RefusedError,
  'permanent-outcome-unknown': OutcomeUnknownError,
  'permanent-unexpected-reply': UnexpectedReplyError,
  'permanent-denied': DeniedError,
  'rate-limited': RateLimitedError,
  'not-sent': NotSentError,
  unavailable: UnavailableError,
  'permanent-other': OtherError,
};

/** Returns the error for a case as decoded by src/abi.js, `{ tag, val }`. An unknown case becomes
 *  `permanent-other`, regardless of its name. */
export function errorOf({ tag, val }, creates) {
  if (Object.hasOwn(CLASSES, tag)) return new CLASSES[tag](tag, val, creates);
  const detail = typeof val?.detail === 'string' ? val.detail : JSON.stringify(val) ?? String(val);
  const status = typeof val?.status === 'number' ? val.status : undefined;
  return new OtherError('permanent-other', { code: String(tag), detail, status }, creates);
}

function describe(payload) {
  if (payload === undefined) return '';
  const { field, setting, path, code, detail } = payload;
  const refusal = payload.refusal ?? payload;
  const subject = field ?? setting ?? path ?? code;
  const status = payload.status ?? refusal.status;
  const parts = [subject, status === undefined ? undefined : `status ${status}`, detail, refusal.message];
  return `: ${parts.filter((part) => part !== undefined).join(': ')}`;
}
