// The plugin as an object: settings in, promises out, typed errors.

import { deadlineOf, messageRequest, templateQuery, variablesOf, webhookDelivery } from './arguments.js';
import { Component, Trap, carried, described } from './component.js';
import { MessagingError, NotSentError, OutcomeUnknownError, PluginCrashedError, errorOf } from './errors.js';
import { Key, isKey } from './key.js';
import { Outbound, originOf, originsOf } from './outbound.js';
import { driverOf, pause } from './platform.js';
import { Stopwatch } from './stopwatch.js';
import base64 from '../generated/component.js';
import data from '../generated/interface.js';

const BASE_URL = 'MESSAGING_BASE_URL';
const API_KEY = 'MESSAGING_API_KEY';
const DEADLINE_MS = 'MESSAGING_DEADLINE_MS';
const CLOSED = 'the plugin is closed';

export const SANS_IO = described('messaging:integration/sans-io@0.2.0', data);
export const ownModule = carried(base64);

export class Plugin {
  #component;
  #outbound;
  #settings;
  #key;
  #underWay = new Set();
  #closed;

  constructor(component, outbound, settings, key) {
    this.#component = component;
    this.#outbound = outbound;
    this.#settings = settings;
    this.#key = key;
  }

  static async load({ allow, fetch, component, settings, ...options }) {
    const variables = variablesOf(options, settings);
    const own = originOf(variables.get(BASE_URL));
    const allowed = allow === undefined ? [own].filter(Boolean) : originsOf(allow);
    const text = variables.get(API_KEY);
    const key = text !== undefined && isKey(text) ? new Key(text) : undefined;
    if (key) variables.set(API_KEY, key.placeholder);
    return new Plugin(
      new Component(component ?? (await ownModule()), SANS_IO),
      new Outbound(driverOf(fetch), allowed, key, own),
      Array.from(variables, ([name, value]) => ({ name, value })),
      key,
    );
  }

  /** The maximum duration of a call, if a setting gives it. Throws an `InvalidSettingsError`. */
  get deadlineMs() {
    return deadlineOf(this.#settings.find(({ name }) => name === DEADLINE_MS)?.value);
  }

  /** `stopwatch` is of `Once`: the deadline counts from the moment at which the send was decided. */
  async sendMessage(request, { signal, stopwatch } = {}) {
    const argument = messageRequest(request);
    const created = await this.#call('send-call', argument, signal, stopwatch);
    if (!this.#key?.isMasked(created.id)) return created;
    // The service gives the key for an identifier: nobody can tell which message it is.
    const detail = 'the message was created, but the reply repeats the API key as its id';
    const payload = { stage: 'reply-unclear', detail, status: 201, refusal: undefined };
    throw new OutcomeUnknownError('permanent-outcome-unknown', payload, true);
  }

  async listTemplates(query, { signal } = {}) {
    return this.#call('list-call', templateQuery(query), signal);
  }

  async handleEvent(delivery) {
    const argument = webhookDelivery(delivery);
    if (this.#closed) throw new Error(CLOSED);
    return this.#within(false, () => resultOf(this.#component.pure('handle-event', argument), false));
  }

  /** Takes no further calls, waits for those it has, and closes the connections. */
  close() {
    this.#closed ??= (async () => {
      await Promise.allSettled(this.#underWay);
      this.#outbound.close();
    })();
    return this.#closed;
  }

  async #call(kind, argument, signal, stopwatch = new Stopwatch()) {
    if (this.#closed) throw new NotSentError('not-sent', { detail: CLOSED }, false);
    signal?.throwIfAborted();
    const creates = kind === 'send-call';
    const call = this.#within(creates, () => this.#drive(kind, argument, creates, signal, stopwatch), signal);
    this.#underWay.add(call);
    try {
      return await call;
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** Does what a call says, to its end. */
  async #drive(kind, argument, creates, signal, stopwatch) {
    const call = this.#component.call(kind, this.#settings, argument, Math.floor(Math.random() * 2 ** 32));
    try {
      for (let input; ;) {
        const elapsedMs = Math.floor(stopwatch.elapsedMs());
        const step = call.next(elapsedMs, input);
        if (step.tag === 'done') return resultOf(step.val, creates);
        if (step.tag === 'wait') {
          await pause(step.val, signal);
          input = { tag: 'waited' };
        } else {
          // From the same reading of the clocks: the process may have stood still since.
          const request = { ...step.val, stopwatch, untilMs: elapsedMs + step.val.timeLeftMs };
          input = await this.#outbound.exchange(request, signal);
        }
        // A message that may have been created is more than a wish to give up: the component says so.
        if (signal?.aborted && !(creates && mayHaveArrived(input))) throw signal.reason;
      }
    } finally {
      call.end();
    }
  }

  async #within(creates, work, signal) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof MessagingError || (signal?.aborted && error === signal.reason)) throw error;
      // A trap, or what nobody thought of: nothing is known of the request.
      throw new PluginCrashedError(this.#outbound.mask(error instanceof Trap ? error.message : String(error)), creates);
    }
  }
}

if (Symbol.asyncDispose) {
  Plugin.prototype[Symbol.asyncDispose] = Plugin.prototype.close;
}

function resultOf({ tag, val }, creates) {
  if (tag === 'err') throw errorOf(val, creates);
  return val;
}

/** Whether the request of a step may have reached the service. A reply that came is its own answer. */
function mayHaveArrived({ tag, val }) {
  return tag === 'replied' || (tag === 'failed' && !['not-reached', 'denied'].includes(val.failure));
}
