// Errors of the inbox client, grouped by the action that they require. No error contains the token.

/** Base class of all errors of requests to the inbox. */
export class InboxError extends Error {
  /** @param {string} doing name of the operation
   *  @param {{ code: string, detail: string, status?: number, field?: string, retryAfterMs?: number }} problem */
  constructor(doing, { code, detail, status, field, retryAfterMs }) {
    super(`${doing}: ${code}: ${field ? `${field} ` : ''}${detail}`);
    /** The inbox's code of the problem, or `unreachable`, `lease-ended` or `unexpected-reply`. */
    this.code = code;
    this.detail = detail;
    this.status = status;
    this.field = field;
    this.retryAfterMs = retryAfterMs;
  }

  get name() {
    return this.constructor.name;
  }
}

export class LeaseLostError extends InboxError {}
export class TokenRefusedError extends InboxError {}
export class InboxRefusedError extends InboxError {}
export class InboxUnavailableError extends InboxError {}

/** 4xx statuses after which a retry can succeed: timeout and rate limit. */
const NOT_NOW = [408, 429];
const NOT_AN_INBOX = 'the reply is not from an inbox: check the url';
/** Delay if `Retry-After` is unreadable, in milliseconds. */
const UNREADABLE_MS = 60_000;
/** Longest delay in milliseconds. The components use the same limit. */
const MOST_RETRY_AFTER_MS = 2 ** 32 - 1;
/** The three formats of a date in HTTP. `Date.parse` also accepts other strings. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [\w -]+ \d\d:\d\d:\d\d (GMT|\d{4})$/;

/** Converts a driver's outcome of a request to a value or an error.
 *  @returns {{ value } | { error }} */
export function read(doing, outcome) {
  if ('failure' in outcome || outcome.ended !== 'whole') {
    const detail = outcome.detail ?? (outcome.ended === 'late' ? 'the deadline passed' : 'the reply ended early');
    return { error: new InboxUnavailableError(doing, { code: 'unreachable', detail, status: outcome.status }) };
  }
  const { status } = outcome;
  const value = parse(outcome.body);
  if (status === 200) {
    return isRecord(value) ? { value } : { error: wrongReply(doing) };
  }
  const said = isRecord(value) ? value : {};
  const code = text(said.code);
  const other = isNotNow(status) ? { code: 'unavailable', detail: `status ${status}` } : { code: 'unexpected-reply', detail: `status ${status}: ${NOT_AN_INBOX}` };
  const own = { code, detail: text(said.detail) ?? `status ${status}`, field: text(said.field) };
  const problem = { ...(code === undefined ? other : own), status, retryAfterMs: retryAfterMsOf(outcome) };
  return { error: new (classOf(status, problem.code))(doing, problem) };
}

/** Returns the error for a reply that does not come from an inbox. */
export function wrongReply(doing) {
  return new InboxRefusedError(doing, { code: 'unexpected-reply', detail: NOT_AN_INBOX, status: 200 });
}

function classOf(status, code) {
  if (isNotNow(status)) return InboxUnavailableError;
  if (status === 401 || status === 403) return TokenRefusedError;
  return status === 409 && code === 'lease-lost' ? LeaseLostError : InboxRefusedError;
}

/** Returns the delay that a reply asks for, by the rules of the components: the longest of several values counts, and a
 *  fraction of a second is rounded up. A date is measured from the reply's own `Date`, because the clocks of server and
 *  client can differ. */
function retryAfterMsOf({ header }) {
  const now = timeOf(header('date')[0]) || Date.now();
  const delays = header('retry-after').map((value) => {
    const delay = /^\d+(\.\d+)?$/.test(value) ? Math.ceil(value) * 1_000 : timeOf(value) - now;
    return Number.isNaN(delay) ? UNREADABLE_MS : Math.max(delay, 0);
  });
  return delays.length > 0 ? Math.min(Math.max(...delays), MOST_RETRY_AFTER_MS) : undefined;
}

/** Parses a date. Returns `NaN` for any other value. */
function timeOf(value) {
  // The format without `GMT` has no time zone.
  return HTTP_DATE.test(value) ? Date.parse(value.replace(/\d{4}$/, '$& GMT')) : NaN;
}

function parse(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const isNotNow = (status) => status >= 500 || NOT_NOW.includes(status);
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value) => (typeof value === 'string' ? value : undefined);
