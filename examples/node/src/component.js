// Instances of the core module of a component without imports, and calls in them.
//
// One instance serves any number of calls. After a trap, active calls are replayed in a new instance. The replay
// makes no requests, because a component without imports returns the same steps for the same inputs.

import { bind, interfaceOf } from './abi.js';

// WebAssembly memory never shrinks. An instance with more memory than this limit is replaced when it has no active calls.
const KEPT_MEMORY_BYTES = 8 * 1024 * 1024;

/** Returns the interface that a component exports, from its generated data. */
export function described(name, data) {
  const resources = Object.keys(data.functions).flatMap((name) => /^\[constructor\](.*)/.exec(name)?.[1] ?? []);
  return { name, functions: interfaceOf(data), resources };
}

/** Returns a function that compiles an embedded core module once. */
export function carried(base64) {
  let compiled;
  return () => (compiled ??= WebAssembly.compile(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))));
}

/** The component trapped. A trap proves nothing about requests that were made. */
export class Trap extends Error {}

export class Component {
  #instantiate;
  #instance;
  /** Number of active calls. */
  #calls = 0;

  /** @param {WebAssembly.Module} module
   *  @param {ReturnType<typeof described>} exported interface of the module */
  constructor(module, exported) {
    this.#instantiate = () => instantiate(module, exported);
    this.#instance = this.#instantiate();
  }

  /** Starts a call: creates a resource with the constructor arguments `begun`. */
  call(resource, ...begun) {
    this.#calls++;
    return new Call(this, resource, begun);
  }

  /** Calls a function that does not belong to a resource. */
  pure(name, ...values) {
    this.#calls++;
    try {
      return this.run(this.#instance, name, ...values);
    } finally {
      this.ended();
    }
  }

  /** The instance for new calls. */
  get instance() {
    return this.#instance;
  }

  /** Calls a function of `instance`. After a trap, replaces the instance and throws `Trap`. */
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
  /** All inputs of the call so far, for a replay. */
  #inputs = [];

  constructor(component, resource, begun) {
    this.#component = component;
    this.#begun = begun;
    this.#names = {
      constructor: `[constructor]${resource}`,
      next: `[method]${resource}.next`,
      end: `[dtor]${resource}`,
    };
  }

  /** Returns the next step. */
  next(...input) {
    if (this.#instance !== this.#component.instance) this.#begin();
    const step = this.#next(input);
    this.#inputs.push(input);
    return step;
  }

  /** Ends the call. Must be called once, after the last step. */
  end() {
    const component = this.#component;
    try {
      if (this.#instance === component.instance) this.#run(this.#names.end, this.#handle);
    } catch (error) {
      // A trap in the destructor is ignored, because the call already has its outcome.
      if (!(error instanceof Trap)) throw error;
    }
    component.ended();
  }

  #begin() {
    this.#instance = this.#component.instance;
    this.#handle = this.#run(this.#names.constructor, ...this.#begun);
    for (const input of this.#inputs) this.#next(input);
  }

  #next(input) {
    return this.#run(this.#names.next, this.#handle, ...input);
  }

  #run(name, ...values) {
    return this.#component.run(this.#instance, name, ...values);
  }
}

function instantiate(module, { name, functions: types, resources }) {
  // The representation of a resource also serves as its handle, because no other component receives handles.
  const handles = resources.flatMap((resource) => [
    [`[resource-new]${resource}`, (representation) => representation],
    [`[resource-drop]${resource}`, () => {}],
  ]);
  const { exports } = new WebAssembly.Instance(module, { [`[export]${name}`]: Object.fromEntries(handles) });
  const prefix = `${name}#`;
  const functions = bind(exports, prefix, types);
  for (const resource of resources) functions[`[dtor]${resource}`] = exports[`${prefix}[dtor]${resource}`];
  return { functions, memory: exports.memory };
}
