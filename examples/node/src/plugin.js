// The plugin as an object: settings in, promises out, typed errors.

import { Pool } from './pool.js';
import { Crash } from './thread.js';
import { InvalidInputError, PluginCrashedError, errorOf } from './errors.js';
import { originOf, originsOf } from './egress.js';

// Options and the variables of the component that they set.
const VARIABLES = {
  baseUrl: 'MESSAGING_BASE_URL',
  apiKey: 'MESSAGING_API_KEY',
  deadlineMs: 'MESSAGING_DEADLINE_MS',
  maxAttempts: 'MESSAGING_MAX_ATTEMPTS',
  maxReplyBytes: 'MESSAGING_MAX_REPLY_BYTES',
  maxMessageBytes: 'MESSAGING_MAX_MESSAGE_BYTES',
  allowHttp: 'MESSAGING_ALLOW_HTTP',
  retryRateLimited: 'MESSAGING_RETRY_RATE_LIMITED',
};

// The component ends every call by its deadline. One that runs on for this much
// longer is stopped.
const GRACE_MS = 5_000;
const DEFAULT_DEADLINE_MS = 30_000;

let accounts = 0;

export class Plugin {
  #account = ++accounts;
  #pool;
  #ownsPool;
  #settings;
  #origins;
  #limitMs;

  constructor(pool, ownsPool, settings, origins) {
    this.#pool = pool;
    this.#ownsPool = ownsPool;
    this.#settings = settings;
    this.#origins = origins;
    const deadlineMs = Number(new Map(settings).get('MESSAGING_DEADLINE_MS'));
    this.#limitMs = (deadlineMs >= 1 ? deadlineMs : DEFAULT_DEADLINE_MS) + GRACE_MS;
  }

  static async load({ allow, size, component, pool, settings = {}, ...options }) {
    const variables = new Map(Object.entries(settings));
    for (const [name, value] of Object.entries(options)) {
      if (!Object.hasOwn(VARIABLES, name)) throw new TypeError(`${name} is not an option`);
      if (value !== undefined) variables.set(VARIABLES[name], String(value));
    }
    const origins = allow === undefined
      ? originOf(variables.get('MESSAGING_BASE_URL'))
      : originsOf(allow);
    const own = pool ?? new Pool({ size, component });
    if (!pool) await own.start();
    return new Plugin(own, !pool, [...variables], origins);
  }

  async sendMessage({ phone, message, device, fields }) {
    const request = {
      phone: text(phone, 'phone'),
      message: text(message, 'message'),
      device: optional(device, 'device'),
      fields: members(fields),
    };
    return this.#call('sendMessage', request, true);
  }

  async listTemplates({ status, parameters = [], everyPage } = {}) {
    const query = {
      status: optional(status, 'status'),
      parameters: pairs(parameters, 'parameters'),
      everyPage: optional(everyPage, 'everyPage'),
    };
    return this.#call('listTemplates', query, false);
  }

  async handleEvent({ headers, body }) {
    const delivery = { headers: pairs(headers, 'headers'), body: text(body, 'body') };
    return this.#call('handleEvent', delivery, false);
  }

  async close() {
    if (this.#ownsPool) await this.#pool.close();
  }

  async #call(name, argument, creates) {
    let answer;
    try {
      answer = await this.#pool.run(
        { account: this.#account, settings: this.#settings, origins: this.#origins, name, argument },
        this.#limitMs,
      );
    } catch (error) {
      if (error instanceof Crash) throw new PluginCrashedError(this.#redact(error.message), creates);
      throw error;
    }
    if ('error' in answer) throw errorOf(answer.error, creates);
    return answer.ok;
  }

  // The component cannot redact a trap's message.
  #redact(message) {
    const key = new Map(this.#settings).get('MESSAGING_API_KEY');
    return key ? message.replaceAll(key, '[key]') : message;
  }
}

if (Symbol.asyncDispose) {
  Plugin.prototype[Symbol.asyncDispose] = Plugin.prototype.close;
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
