// Arguments of callers, as the component takes them. Wrong types are a TypeError; texts that are no Unicode
// are refused as the component refuses a value.

import { InvalidInputError } from './errors.js';

export function messageRequest({ phone, message, device, fields }) {
  return {
    phone: text(phone, 'phone'),
    message: text(message, 'message'),
    device: optional(device, 'device'),
    fields: members(fields),
  };
}

export function templateQuery({ status, parameters = [], everyPage } = {}) {
  return {
    status: optional(status, 'status'),
    parameters: pairs(parameters, 'parameters'),
    everyPage: optional(everyPage, 'everyPage'),
  };
}

export function webhookDelivery({ headers, body }) {
  return { headers: pairs(headers, 'headers'), body: text(body, 'body') };
}

function text(value, field) {
  if (typeof value !== 'string') throw new TypeError(`${field} is not a string`);
  // It would be sent with replacement characters, and so as another text.
  if (!value.isWellFormed()) {
    const detail = 'has half of a surrogate pair, which is no character';
    throw new InvalidInputError('permanent-invalid-input', { field, detail }, false);
  }
  return value;
}

function optional(value, field) {
  return value === undefined || value === null ? undefined : text(value, field);
}

// A list of `{ name, json }`, whose JSON is sent as it is, or an object whose values are
// written as JSON here.
function members(given) {
  const fields = given ?? [];
  if (typeof fields !== 'object') throw new TypeError('fields is no object and no list');
  const list = typeof fields[Symbol.iterator] === 'function'
    ? [...fields]
    : Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value], index) => ({ name, json: jsonOf(value, `fields[${index}].json`) }));
  return list.map(({ name, json }, index) => ({
    name: text(name, `fields[${index}].name`),
    json: text(json, `fields[${index}].json`),
  }));
}

function jsonOf(value, field) {
  return JSON.stringify(value, (key, one) => {
    // It would be written as null.
    if (typeof one === 'number' && !Number.isFinite(one)) throw new TypeError(`${field} holds ${one}`);
    // It would be written as an escape that stands for no character.
    text(key, field);
    return typeof one === 'string' ? text(one, field) : one;
  });
}

// `Headers`, a `Map`, pairs, `{ name, value }` records, or an object whose values are
// texts or lists of them (`request.headersDistinct`).
function pairs(given, field) {
  const entries = typeof given?.[Symbol.iterator] === 'function' ? [...given] : Object.entries(given);
  return entries.flatMap((entry) => {
    const [name, values] = Array.isArray(entry) ? entry : [entry.name, entry.value];
    if (values === undefined) return [];
    return [values].flat().map((value) => ({ name: text(name, field), value: text(value, field) }));
  });
}
