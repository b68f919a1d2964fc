// Conversion of the caller's arguments to values of the component. Invalid arguments are rejected with the error
// class that the component would use.

import { InvalidInputError, InvalidSettingsError } from './errors.js';
import { onlyMembers } from './members.js';

const OPTIONS = {
  baseUrl: ['MESSAGING_BASE_URL', 'string'],
  apiKey: ['MESSAGING_API_KEY', 'string'],
  deadlineMs: ['MESSAGING_DEADLINE_MS', 'number'],
  maxAttempts: ['MESSAGING_MAX_ATTEMPTS', 'number'],
  maxReplyBytes: ['MESSAGING_MAX_REPLY_BYTES', 'number'],
  maxMessageBytes: ['MESSAGING_MAX_MESSAGE_BYTES', 'number'],
  allowHttp: ['MESSAGING_ALLOW_HTTP', 'boolean'],
  retryRateLimited: ['MESSAGING_RETRY_RATE_LIMITED', 'boolean'],
};

// Keeps a byte order mark, because it is a character of the text.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const MAX_DEADLINE_MS = 600_000;

/** Parses a deadline by the rules of the component. Returns `undefined` for `undefined`. */
export function deadlineOf(value) {
  if (value === undefined) return undefined;
  const milliseconds = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (milliseconds >= 1 && milliseconds <= MAX_DEADLINE_MS) return milliseconds;
  throw invalidSetting(OPTIONS.deadlineMs[0], `is not a whole number from 1 to ${MAX_DEADLINE_MS}`);
}

/** Merges options and settings into variables of the component.
 *  @param known maps each option to its variable and type
 *  @returns {Map<string, string>} */
export function variablesOf(options, settings = {}, known = OPTIONS) {
  onlyMembers(options, Object.keys(known), 'the options');
  const variables = new Map(Object.entries(settings).filter(([, value]) => value !== undefined));
  for (const [name, value] of variables) if (typeof value !== 'string') throw invalidSetting(name, 'is not a string');
  for (const [name, value] of Object.entries(options)) {
    const [variable, type] = known[name];
    if (value === undefined) continue;
    if (typeof value !== type) throw invalidSetting(name, `is not a ${type}`);
    variables.set(variable, String(value));
  }
  return variables;
}

export function messageRequest(given) {
  const { phone, message, device, fields, ...others } = object(given, 'request');
  onlyMembers(others, ['phone', 'message', 'device', 'fields'], 'a message', (name) => `members of the service go into fields: { "${name}": … }`);
  return {
    phone: text(phone, 'phone'),
    message: content(message, 'message'),
    device: deviceOf(device),
    fields: members(fields),
  };
}

export function templateQuery(given = {}) {
  const { status, parameters = [], everyPage, ...others } = object(given, 'query');
  onlyMembers(others, ['status', 'parameters', 'everyPage'], 'a query', (name) => `parameters of the service go into parameters: { "${name}": … }`);
  return {
    status: optional(status, 'status'),
    parameters: pairs(parameters, 'parameters'),
    everyPage: optional(everyPage, 'everyPage'),
  };
}

export function webhookDelivery(given) {
  const { headers, body, ...others } = object(given, 'delivery');
  onlyMembers(others, ['headers', 'body'], 'a delivery');
  return { headers: pairs(headers, 'headers'), body: content(body, 'body') };
}

/** Returns the error for an invalid value. */
export function invalidInput(field, detail) {
  return new InvalidInputError('permanent-invalid-input', { field, detail }, false);
}

export function invalidSetting(setting, detail) {
  return new InvalidSettingsError('permanent-invalid-settings', { setting, detail }, false);
}

export function object(value, field) {
  if (typeof value !== 'object' || value === null) throw invalidInput(field, 'is not an object');
  return value;
}

export function text(value, field) {
  if (typeof value !== 'string') throw invalidInput(field, `is not a string: ${typeOf(value)}`);
  // The encoder would replace a lone surrogate, and the service would receive another string.
  if (!value.isWellFormed()) throw invalidInput(field, 'contains an unpaired surrogate');
  return value;
}

/** Returns the bytes of a binary value, or `undefined` for any other value. */
export function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}

/** Returns a string that is given as a string or as bytes in UTF-8. */
function content(value, field) {
  const bytes = bytesOf(value);
  if (!bytes) return text(value, field);
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidInput(field, 'is not UTF-8');
  }
}

export function optional(value, field) {
  return value === undefined || value === null ? undefined : text(value, field);
}

function deviceOf(value) {
  if (typeof value !== 'number') return optional(value, 'device');
  throw invalidInput('device', `is a number; pass a numeric device in the fields: { "device": ${value} }`);
}

// Accepts a list of `{ name, json }`, whose JSON is sent unchanged, or an object, whose values are converted to
// JSON.
function members(given) {
  const fields = object(given ?? [], 'fields');
  const list = typeof fields[Symbol.iterator] === 'function'
    ? [...fields]
    : Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value], index) => ({ name, json: jsonOf(value, `fields[${index}].json`) }));
  return list.map((entry, index) => {
    const { name, json } = object(entry, `fields[${index}]`);
    return { name: text(name, `fields[${index}].name`), json: text(json, `fields[${index}].json`) };
  });
}

function jsonOf(value, field) {
  try {
    return JSON.stringify(value, (key, one) => {
      // `JSON.stringify` would write NaN and infinite numbers as null.
      if (typeof one === 'number' && !Number.isFinite(one)) throw invalidInput(field, `contains ${one}, which JSON cannot represent`);
      // `JSON.stringify` would write a lone surrogate as an escape.
      text(key, field);
      return typeof one === 'string' ? text(one, field) : one;
    });
  } catch (error) {
    // The value has a cycle or a bigint, or its `toJSON` throws.
    throw error instanceof InvalidInputError ? error : invalidInput(field, `is not JSON: ${error?.message ?? error}`);
  }
}

// Accepts `Headers`, a `Map`, pairs, `{ name, value }` records, or an object whose values are strings or lists of
// strings (`request.headersDistinct`).
export function pairs(given, field) {
  object(given, field);
  const entries = typeof given[Symbol.iterator] === 'function' ? [...given] : Object.entries(given);
  return entries.flatMap((entry) => {
    object(entry, field);
    const [name, values] = Array.isArray(entry) ? entry : [entry.name, entry.value];
    if (values === undefined) return [];
    return [values].flat().map((value) => ({ name: text(name, field), value: text(value, field) }));
  });
}

function typeOf(value) {
  return value === null ? 'null' : typeof value;
}
