// Error classes for the cases of the WIT; the package exports all of them. A call must not be retried after a case
// whose name begins with `permanent-`.

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
    this.mayExist = creates && CASES[name]?.notCreated !== true;
    /** `safe` if the call can be repeated without a second effect, otherwise `never`. */
    this.retry = this.mayExist || name.startsWith('permanent-') ? 'never' : 'safe';
  }

  /** Returns the error for a case as decoded by src/abi.js, `{ tag, val }`. An unknown case becomes
   *  `permanent-other`, regardless of its name. */
  static of({ tag, val }, creates) {
    if (Object.hasOwn(CASES, tag)) return new CASES[tag].type(tag, val, creates);
    const detail = typeof val?.detail === 'string' ? val.detail : JSON.stringify(val) ?? String(val);
    const status = typeof val?.status === 'number' ? val.status : undefined;
    return new OtherError('permanent-other', { code: String(tag), detail, status }, creates);
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

// The class of each case, and `notCreated` if the case proves that no message was created.
const CASES = {
  'execution-failed': { type: ExecutionFailedError },
  'permanent-invalid-input': { type: InvalidInputError, notCreated: true },
  'permanent-invalid-settings': { type: InvalidSettingsError, notCreated: true },
  'permanent-unauthorized': { type: UnauthorizedError, notCreated: true },
  'permanent-refused': { type: RefusedError, notCreated: true },
  'permanent-outcome-unknown': { type: OutcomeUnknownError },
  'permanent-unexpected-reply': { type: UnexpectedReplyError },
  'permanent-denied': { type: DeniedError, notCreated: true },
  'rate-limited': { type: RateLimitedError, notCreated: true },
  'not-sent': { type: NotSentError, notCreated: true },
  unavailable: { type: UnavailableError, notCreated: true },
  'permanent-other': { type: OtherError },
};

function describe(payload) {
  if (payload === undefined) return '';
  const { field, setting, path, code, detail } = payload;
  const refusal = payload.refusal ?? payload;
  const subject = field ?? setting ?? path ?? code;
  const status = payload.status ?? refusal.status;
  const parts = [subject, status === undefined ? undefined : `status ${status}`, detail, refusal.message];
  return `: ${parts.filter((part) => part !== undefined).join(': ')}`;
}
