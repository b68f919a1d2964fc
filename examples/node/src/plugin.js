// The plugin as a class: takes settings, returns promises, and throws typed errors.

import { deadlineOf, invalidSetting, messageRequest, templateQuery, variablesOf, webhookDelivery } from './arguments.js';
import { Component, Trap, carried, described } from './component.js';
import { MessagingError, NotSentError, OutcomeUnknownError, PluginCrashedError } from './errors.js';
import { Key, isKey } from './key.js';
import { object, onlyMembers } from './members.js';
import { Outbound, originOf, originsOf } from './outbound.js';
import { driverOf, pause } from './platform.js';
import { Stopwatch } from './stopwatch.js';
import base64 from '../generated/component.js';
import data from '../generated/interface.js';

const BASE_URL = 'MESSAGING_BASE_URL';
const API_KEY = 'MESSAGING_API_KEY';
const DEADLINE_MS = 'MESSAGING_DEADLINE_MS';
const CLOSED = 'the plugin is closed';
const OF_CALLS = ['signal', 'deadlineMs'];

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
    if (!(component instanceof Component)) throw new TypeError('await Plugin.load() in place of new Plugin()');
    this.#component = component;
    this.#outbound = outbound;
    this.#settings = settings;
    this.#key = key;
  }

  static async load({ allow, fetch, component, settings, ...options } = {}) {
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

  /** The base URL of the service, if configured. */
  get baseUrl() {
    return this.#settings.find(({ name }) => name === BASE_URL)?.value;
  }

  /** The maximum duration of a call in milliseconds, if configured. Throws an `InvalidSettingsError` for an invalid
   *  value. */
  get deadlineMs() {
    return deadlineOf(this.#settings.find(({ name }) => name === DEADLINE_MS)?.value);
  }

  /** `Once` passes `stopwatch`, because the deadline counts from the moment when `Once` decides to send. */
  async sendMessage(request, options = {}) {
    const { stopwatch, ...others } = object(options, OF_CALLS, 'the options');
    const created = await this.#call('send-call', messageRequest(request), others, stopwatch);
    if (!this.#key?.isMasked(created.id)) return created;
    // The reply repeats the key as the identifier, so the message cannot be identified.
    const detail = 'the message was created, but the reply repeats the API key as its id';
    const payload = { stage: 'reply-unclear', detail, status: 201, refusal: undefined };
    throw new OutcomeUnknownError('permanent-outcome-unknown', payload, true);
  }

  async listTemplates(query, options = {}) {
    return this.#call('list-call', templateQuery(query), options);
  }

  async handleEvent(delivery) {
    const argument = webhookDelivery(delivery);
    if (this.#closed) throw new Error(CLOSED);
    return this.#within(false, () => resultOf(this.#component.pure('handle-event', argument), false));
  }

  /** Rejects further calls, waits for active calls, and closes the connections. */
  close() {
    this.#closed ??= (async () => {
      await Promise.allSettled(this.#underWay);
      this.#outbound.close();
    })();
    return this.#closed;
  }

  async #call(kind, argument, options, stopwatch = new Stopwatch()) {
    onlyMembers(options, OF_CALLS, 'the options');
    const { signal } = options;
    if (signal && typeof signal.throwIfAborted !== 'function') throw new TypeError('signal is not an AbortSignal');
    const settings = this.#settingsWith(options.deadlineMs);
    // Never repeats, because a closed plugin stays closed.
    if (this.#closed) throw Object.assign(new NotSentError('not-sent', { detail: CLOSED }, false), { retry: 'never' });
    signal?.throwIfAborted();
    const creates = kind === 'send-call';
    const call = this.#within(creates, () => this.#drive(kind, settings, argument, creates, signal, stopwatch), signal);
    this.#underWay.add(call);
    try {
      return await call;
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** Returns the settings of a call. A deadline of the call replaces the deadline in the settings. */
  #settingsWith(deadlineMs) {
    if (deadlineMs === undefined) return this.#settings;
    if (typeof deadlineMs !== 'number') throw invalidSetting('deadlineMs', 'is not a number');
    const value = String(deadlineOf(deadlineMs));
    return [...this.#settings.filter(({ name }) => name !== DEADLINE_MS), { name: DEADLINE_MS, value }];
  }

  /** Performs all steps of a call. */
  async #drive(kind, settings, argument, creates, signal, stopwatch) {
    const call = this.#component.call(kind, settings, argument, Math.floor(Math.random() * 2 ** 32));
    try {
      for (let input; ;) {
        const elapsedMs = Math.floor(stopwatch.elapsedMs());
        const step = call.next(elapsedMs, input);
        if (step.tag === 'done') return resultOf(step.val, creates);
        if (step.tag === 'wait') {
          await pause(step.val, signal);
          input = { tag: 'waited' };
        } else {
          // Uses the time that the component received, because the process may have been suspended since then.
          const request = step.val;
          request.stopwatch = stopwatch;
          request.untilMs = elapsedMs + request.timeLeftMs;
          input = await this.#outbound.exchange(request, signal);
        }
        // If the message may have been created, the component reports the outcome in place of the abort reason.
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
      // A trap or an unexpected error proves nothing about the request.
      throw new PluginCrashedError(this.#outbound.mask(error instanceof Trap ? error.message : String(error)), creates);
    }
  }
}

if (Symbol.asyncDispose) {
  Plugin.prototype[Symbol.asyncDispose] = Plugin.prototype.close;
}

function resultOf({ tag, val }, creates) {
  if (tag === 'err') throw MessagingError.of(val, creates);
  return val;
}

/** Returns true if a request with this outcome may have reached the service. */
function mayHaveArrived({ tag, val }) {
  return tag === 'replied' || (tag === 'failed' && !['not-reached', 'denied'].includes(val.failure));
}
