// The driver of `send-once`. The component decides; the driver calls the journal and the client, and reports their
// results.

import { deadlineOf, invalidInput, messageRequest, object, optional, text } from './arguments.js';
import { Component, Trap, carried, described } from './component.js';
import { textOf } from './error-text.js';
import { onlyMembers } from './members.js';
import { crashed, onceErrorOf } from './once-errors.js';
import { pause, randomBytes } from './platform.js';
import { Stopwatch } from './stopwatch.js';
import base64 from '../generated/once-component.js';
import data from '../generated/once-interface.js';

const INTERFACE = described('messaging:integration/sans-io-once@0.2.0', data);
const ownModule = carried(base64);
const OUTCOME_UNKNOWN = 'permanent-outcome-unknown';
/** Number of random bytes for the salt of the digest and the name of the attempt. */
const RANDOM_BYTES = 32;
/** The component's default deadline in milliseconds. */
const USUAL_DEADLINE_MS = 30_000;

export class Once {
  #client;
  #journal;
  #deadlineMs;
  #onWait;
  #component;

  constructor(client, journal, options = {}) {
    onlyMembers(options, ['deadlineMs', 'onWait', 'component'], 'the options');
    if (typeof client?.sendMessage !== 'function') throw new TypeError('the client has no sendMessage; await Plugin.load()');
    if (typeof journal?.swap !== 'function') throw new TypeError('the journal has no swap; await SqliteJournal.open()');
    const { deadlineMs = client.deadlineMs, onWait = () => {}, component = ownModule() } = options;
    this.#client = client;
    this.#journal = journal;
    if (typeof onWait !== 'function') throw new TypeError('onWait is not a function');
    this.#deadlineMs = deadlineOf(deadlineMs);
    this.#onWait = onWait;
    this.#component = Promise.resolve(component).then((module) => new Component(module, INTERFACE));
    // Prevents an unhandled rejection. Each call reports the error.
    this.#component.catch(() => {});
  }

  async sendOnce(key, given, ...others) {
    if (others.length > 0) throw new TypeError('sendOnce takes no options; set deadlineMs of Once');
    const request = messageRequest(given);
    const argument = {
      key: text(key, 'key'),
      request,
      baseUrl: string(this.#client.baseUrl),
      random: randomBytes(RANDOM_BYTES),
      deadlineMs: this.#deadlineMs,
    };
    return this.#drive({ tag: 'send-once', val: argument }, key, request);
  }

  async lookUp(key) {
    const entry = await this.#drive({ tag: 'look-up', val: text(key, 'key') }, key);
    return entry && entryOf(entry);
  }

  async listEntries(after) {
    const page = await this.#drive({ tag: 'list-entries', val: optional(after, 'after') });
    return { ...page, entries: page.entries.map(entryOf) };
  }

  async resolve(key, resolution) {
    await this.#drive({ tag: 'resolve', val: { key: text(key, 'key'), resolution: resolutionOf(resolution) } }, key);
  }

  async forget(key) {
    await this.#drive({ tag: 'forget', val: text(key, 'key') }, key);
  }

  /** Performs all steps of a call. */
  async #drive(operation, key, request) {
    const call = (await this.#component).call('call', operation);
    const began = performance.now();
    try {
      for (let done = {}; ;) {
        // The stopwatch starts when the component reads the clocks, because the deadline of a send counts from that moment.
        const stopwatch = new Stopwatch();
        const step = call.next(done.input, now(began));
        if (step.tag === 'done') return resultOf(step.val, done.said);
        if (step.tag === 'sleep') this.#waits(key, done.input);
        // Keeps the provider's error until the call is done.
        done = { said: done.said, ...(await this.#perform(step, key, request, stopwatch)) };
      }
    } catch (error) {
      throw error instanceof Trap ? crashed(error.message) : error;
    } finally {
      call.end();
    }
  }

  /** Calls `onWait` with the reason for a wait. */
  #waits(key, { tag, val }) {
    const isOfJournal = tag === 'journal-failed';
    try {
      this.#onWait({ key, reason: isOfJournal ? 'journal' : 'sender', detail: isOfJournal ? val.detail : 'another sender holds the key' });
    } catch {
      // An exception of `onWait` is ignored, because the message may have been sent.
    }
  }

  async #perform({ tag, val }, key, request, stopwatch) {
    switch (tag) {
      case 'get':
        return asked(async () => ({ tag: 'found', val: string(await this.#journal.get(key)) }));
      case 'swap':
        return asked(async () => {
          const { swapped, found } = await this.#journal.swap(key, val.expected, val.new);
          return swapped === true ? { tag: 'swapped' } : { tag: 'stale', val: string(found) };
        });
      case 'list-items':
        return asked(async () => {
          const { items, next } = await this.#journal.listItems(val);
          return { tag: 'listed', val: { items, next: string(next) } };
        });
      case 'send':
        return sent(this.#client, request, { stopwatch, deadlineMs: this.#deadlineMs ?? USUAL_DEADLINE_MS });
      case 'sleep':
        await pause(val);
        return { input: { tag: 'woke' } };
    }
    throw new TypeError(`${tag} is an unknown step`);
  }
}

async function asked(journal) {
  try {
    return { input: await journal() };
  } catch (error) {
    const detail = textOf(() => error?.message ?? error);
    return { input: { tag: 'journal-failed', val: { refused: error?.refused === true, detail } } };
  }
}

async function sent(client, request, options) {
  try {
    const { id, json } = await client.sendMessage(request, options);
    // This error has no `case`, because a case can prove that nothing was created.
    if (typeof id !== 'string' || typeof json !== 'string') throw new TypeError('the client returned no message');
    return { input: { tag: 'created', val: { id, json } } };
  } catch (said) {
    const detail = textOf(() => said?.message ?? said);
    if (typeof said?.case !== 'string') return { input: { tag: 'lost', val: detail } };
    const unknown = said.case === OUTCOME_UNKNOWN ? said.payload : undefined;
    return { said, input: { tag: 'failed', val: { name: said.case, detail, unknown } } };
  }
}

function resultOf({ tag, val }, said) {
  if (tag === 'ok') return val.val;
  throw val.tag === 'provider-error' ? said : onceErrorOf(val);
}

function now(began) {
  const wall = Date.now();
  return {
    seconds: Math.floor(wall / 1_000),
    milliseconds: wall % 1_000,
    elapsedMs: Math.floor(performance.now() - began),
  };
}

/** Converts a value of a journal to a string. Null becomes `undefined`. */
function string(value) {
  return value === undefined || value === null ? undefined : String(value);
}

function entryOf(entry) {
  const resolutions = entry.resolutions.map(({ resolution, at }) => ({
    ...resolution,
    found: resolution.found.tag === 'created' ? { created: resolution.found.val } : 'not-created',
    at,
  }));
  return { ...entry, resolutions };
}

function resolutionOf(given) {
  const { attempt, found, by, reason } = object(given, 'resolution');
  onlyMembers(given, ['attempt', 'found', 'by', 'reason'], 'a resolution');
  if (!Number.isInteger(attempt) || attempt < 0 || attempt >= 2 ** 32) {
    throw invalidInput('resolution.attempt', 'is not a whole number from 0 to 4294967295');
  }
  return {
    attempt,
    found: found === 'not-created'
      ? { tag: 'not-created' }
      : { tag: 'created', val: text(object(found, 'resolution.found').created, 'resolution.found.created') },
    by: text(by, 'resolution.by'),
    reason: text(reason, 'resolution.reason'),
  };
}
