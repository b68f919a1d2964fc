// The WIT's error cases as classes. A case's name carries its policy: one that
// begins with `permanent-` must not be tried again.

/** What a call failed with, in every case. */
export class MessagingError extends Error {
  /** @param {string} name the WIT's name of the case
   *  @param {any} payload what the case holds, as jco lifts it */
  constructor(name, payload, message = `${name}${describe(payload)}`) {
    super(message);
    this.case = name;
    this.payload = payload;
  }

  get name() {
    return this.constructor.name;
  }

  /** Whether the same call can be made again without doing its work twice. */
  get retry() {
    return ['rate-limited', 'not-sent', 'unavailable'].includes(this.case) ? 'safe' : 'never';
  }
}

export class InvalidInputError extends MessagingError {}
export class InvalidSettingsError extends MessagingError {}
export class UnauthorizedError extends MessagingError {}
export class RefusedError extends MessagingError {}
export class OutcomeUnknownError extends MessagingError {}
export class UnexpectedReplyError extends MessagingError {}
export class DeniedError extends MessagingError {}
export class NotSentError extends MessagingError {}
export class UnavailableError extends MessagingError {}

export class RateLimitedError extends MessagingError {
  /** The service's hint in milliseconds, where it gave one. */
  get retryAfterMs() {
    return this.payload.retryAfterMs;
  }
}

/** The component trapped, or its worker died or was stopped. No case of the WIT. */
export class PluginCrashedError extends MessagingError {
  #retry;

  /** @param {string} text what happened
   *  @param {boolean} creates whether the call creates something */
  constructor(text, creates) {
    const unknown = creates ? ' The message may exist: look before sending it again.' : '';
    super('crashed', undefined, `the plugin crashed: ${text}.${unknown}`);
    this.#retry = creates ? 'never' : 'safe';
  }

  get retry() {
    return this.#retry;
  }
}

const CLASSES = {
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
};

/** The error of a case as jco lifts it: `{ tag, val }`. */
export function errorOf({ tag, val }) {
  return new (CLASSES[tag] ?? MessagingError)(tag, val);
}

function describe(payload) {
  if (payload === undefined) return '';
  if (typeof payload === 'string') return `: ${payload}`;
  const { field, setting, reason, detail, path } = payload;
  const refusal = payload.refusal ?? payload;
  const subject = field ?? setting ?? path;
  const status = refusal.status === undefined ? undefined : `status ${refusal.status}`;
  const text = reason ?? detail ?? refusal.message;
  return `: ${[subject, status, text].filter((part) => part !== undefined).join(': ')}`;
}
