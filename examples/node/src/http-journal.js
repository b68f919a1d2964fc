// Client of a journal on a server (`messaging serve --workers --journal`). Each function makes one request. The
// caller decides about retries.

import { baseOf, headersOf } from './bearer.js';
import { onlyMembers } from './members.js';
import { JournalFailure } from './once-errors.js';
import { driverOf } from './platform.js';

/** Maximum size of a reply in bytes: a page of 1 MiB in which every character is escaped. */
const MOST_REPLY_BYTES = 4 * 1024 * 1024;
/** Statuses that prove that nothing was written: the address, token, server or value is wrong. */
const REFUSED = [400, 401, 403, 404, 405, 413, 422];
/** Minimum length of a token that is masked. A shorter token is not secret, and its mask would damage ordinary
 *  text. */
const LEAST_TOKEN = 4;

export class HttpJournal {
  #driver;
  #base;
  #token;
  #timeoutMs;

  constructor(options) {
    onlyMembers(options, ['url', 'token', 'timeoutMs', 'ca', 'allowHttp', 'fetch'], 'the options');
    const { url, token, timeoutMs = 5_000, ca, allowHttp = false, fetch } = options;
    this.#base = baseOf(url, allowHttp);
    headersOf(token);
    this.#token = token;
    if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) throw new TypeError('timeoutMs has to be a number of milliseconds below 2 ** 31');
    this.#timeoutMs = timeoutMs;
    this.#driver = driverOf(fetch, ca);
  }

  async get(key) {
    const { text } = await this.#ask('get', { key });
    return this.#nullable(text);
  }

  async swap(key, expected, text) {
    const { swapped, text: found } = await this.#ask('swap', { key, expected: expected ?? null, new: text });
    if (swapped === true) return { swapped };
    if (swapped !== false) throw this.#wrongReply();
    return { swapped, found: this.#nullable(found) };
  }

  async listItems(after) {
    const { items, next } = await this.#ask('list', { after });
    const isItem = (item) => typeof item?.key === 'string' && typeof item.text === 'string';
    if (!Array.isArray(items) || !items.every(isItem)) throw this.#wrongReply();
    return { items: items.map(({ key, text }) => ({ key, text })), next: this.#nullable(next) };
  }

  async #ask(name, body) {
    const reply = await this.#driver.exchange({
      method: 'POST',
      url: `${this.#base}/v1/journal/${name}`,
      headers: headersOf(this.#token),
      body: new TextEncoder().encode(JSON.stringify(body)),
      timeLeftMs: this.#timeoutMs,
      maxReplyBytes: MOST_REPLY_BYTES,
    });
    if ('failure' in reply) throw this.#failure(reply.detail, reply.failure === 'denied');
    const value = reply.ended === 'whole' ? parsed(reply.body) : undefined;
    if (reply.status !== 200) {
      const said = typeof value?.detail === 'string' ? `: ${value.detail}` : '';
      throw this.#failure(`status ${reply.status}${said}`, REFUSED.includes(reply.status));
    }
    if (reply.ended !== 'whole') throw this.#failure(`the answer was cut short (${reply.ended})`);
    if (typeof value !== 'object' || value === null) throw this.#wrongReply();
    return value;
  }

  /** Returns a string unchanged, or `undefined` for null. Throws for any other value. */
  #nullable(value) {
    if (value !== null && typeof value !== 'string') throw this.#wrongReply();
    return value ?? undefined;
  }

  #wrongReply() {
    return this.#failure('the answer is not from a journal: check the url');
  }

  #failure(detail, refused = false) {
    const shown = this.#token.length < LEAST_TOKEN ? detail : detail.replaceAll(this.#token, '[redacted]');
    return new JournalFailure(`the journal ${this.#base}: ${shown}`, { refused });
  }
}

function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
