// The component: instances of its core module, and calls in them.
//
// One instance carries any number of calls. It imports nothing, so the same inputs give the same
// steps: where a trap ends an instance, the other calls that were under way in it are played again in
// a new one, without a request being made again, and go on from there.

import { bind, interfaceOf } from './abi.js';
import base64 from '../generated/component.js';
import data from '../generated/interface.js';

const INTERFACE = 'messaging:integration/sans-io@0.2.0';
const FUNCTIONS = interfaceOf(data);

// Memory of WebAssembly grows and never shrinks. An instance that needed more than this is given up
// as soon as no call is under way in it.
const KEPT_MEMORY_BYTES = 8 * 1024 * 1024;

let compiled;

/** The core module that this package carries, compiled once. */
export function ownModule() {
  compiled ??= WebAssembly.compile(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  return compiled;
}

/** The component trapped. It says nothing about requests that were made. */
export class Trap extends Error {}

export class Component {
  #instantiate;
  #instance;
  /** How many calls have not ended. */
  #calls = 0;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#instantiate = () => instantiate(module);
    this.#instance = this.#instantiate();
  }

  /** Begins a call. @param {'send' | 'list'} kind */
  call(kind, settings, argument) {
    this.#calls++;
    return new Call(this, kind, [settings, argument, Math.floor(Math.random() * 2 ** 32)]);
  }

  /** `handle-event`. */
  handleEvent(delivery) {
    this.#calls++;
    try {
      return this.run(this.#instance, 'handle-event', delivery);
    } finally {
      this.ended();
    }
  }

  /** The instance for calls that begin. */
  get instance() {
    return this.#instance;
  }

  /** Calls a function of `instance`, which ends with a trap. */
  run(instance, name, ...values) {
    try {
      return instance.functions[name](...values);
    } catch (error) {
      if (this.#instance === instance) this.#instance = this.#instantiate();
      throw new Trap(String(error), { cause: error });
    }
  }

  ended() {
    this.#calls--;
    const { byteLength } = this.#instance.memory.buffer;
    if (this.#calls === 0 && byteLength > KEPT_MEMORY_BYTES) this.#instance = this.#instantiate();
  }
}

class Call {
  #component;
  #instance;
  #handle;
  #names;
  #begun;
  /** Everything that it was told so far. */
  #told = [];

  constructor(component, kind, begun) {
    this.#component = component;
    this.#begun = begun;
    this.#names = {
      constructor: `[constructor]${kind}-call`,
      next: `[method]${kind}-call.next`,
      end: `[dtor]${kind}-call`,
    };
  }

  /** The next step, after `input`. */
  next(elapsedMs, input) {
    if (this.#instance !== this.#component.instance) this.#begin();
    const step = this.#next(elapsedMs, input);
    this.#told.push([elapsedMs, input]);
    return step;
  }

  /** To be called once, when nothing more is asked of it. */
  end() {
    const component = this.#component;
    try {
      if (this.#instance === component.instance) this.#run(this.#names.end, this.#handle);
    } catch (error) {
      // The call has its outcome already, and its instance is gone.
      if (!(error instanceof Trap)) throw error;
    }
    component.ended();
  }

  #begin() {
    this.#instance = this.#component.instance;
    this.#handle = this.#run(this.#names.constructor, ...this.#begun);
    for (const [elapsedMs, input] of this.#told) this.#next(elapsedMs, input);
  }

  #next(elapsedMs, input) {
    return this.#run(this.#names.next, this.#handle, elapsedMs, input);
  }

  #run(name, ...values) {
    return this.#component.run(this.#instance, name, ...values);
  }
}

function instantiate(module) {
  // The value of a constructor stands for the call itself: nobody else needs a handle to it.
  const resource = (name) => ({
    [`[resource-new]${name}`]: (representation) => representation,
    [`[resource-drop]${name}`]: () => {},
  });
  const imports = { [`[export]${INTERFACE}`]: { ...resource('send-call'), ...resource('list-call') } };
  const { exports } = new WebAssembly.Instance(module, imports);
  const prefix = `${INTERFACE}#`;
  const functions = bind(exports, prefix, FUNCTIONS);
  for (const name of ['[dtor]send-call', '[dtor]list-call']) functions[name] = exports[`${prefix}${name}`];
  return { functions, memory: exports.memory };
}
