// A component without imports: instances of its core module, and calls in them.
//
// One instance carries any number of calls. It imports nothing, so the same inputs give the same
// steps: where a trap ends an instance, the other calls that were under way in it are played again in
// a new one, without a request being made again, and go on from there.

import { bind, interfaceOf } from './abi.js';

// Memory of WebAssembly grows and never shrinks. An instance that needed more than this is given up
// as soon as no call is under way in it.
const KEPT_MEMORY_BYTES = 8 * 1024 * 1024;

/** The interface that a component exports, out of its data. */
export function described(name, data) {
  const resources = Object.keys(data.functions).flatMap((name) => /^\[constructor\](.*)/.exec(name)?.[1] ?? []);
  return { name, functions: interfaceOf(data), resources };
}

/** A core module that this package carries: a function that compiles it once. */
export function carried(base64) {
  let compiled;
  return () => (compiled ??= WebAssembly.compile(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))));
}

/** The component trapped. It says nothing about requests that were made. */
export class Trap extends Error {}

export class Component {
  #instantiate;
  #instance;
  /** How many calls have not ended. */
  #calls = 0;

  /** @param {WebAssembly.Module} module
   *  @param {ReturnType<typeof described>} exported its interface */
  constructor(module, exported) {
    this.#instantiate = () => instantiate(module, exported);
    this.#instance = this.#instantiate();
  }

  /** Begins a call: a resource of this name, and the arguments of its constructor. */
  call(resource, ...begun) {
    this.#calls++;
    return new Call(this, resource, begun);
  }

  /** Calls a function that is no resource's. */
  pure(name, ...values) {
    this.#calls++;
    try {
      return this.run(this.#instance, name, ...values);
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

  constructor(component, resource, begun) {
    this.#component = component;
    this.#begun = begun;
    this.#names = {
      constructor: `[constructor]${resource}`,
      next: `[method]${resource}.next`,
      end: `[dtor]${resource}`,
    };
  }

  /** The next step: `next` of the resource. */
  next(...told) {
    if (this.#instance !== this.#component.instance) this.#begin();
    const step = this.#next(told);
    this.#told.push(told);
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
    for (const told of this.#told) this.#next(told);
  }

  #next(told) {
    return this.#run(this.#names.next, this.#handle, ...told);
  }

  #run(name, ...values) {
    return this.#component.run(this.#instance, name, ...values);
  }
}

function instantiate(module, { name, functions: types, resources }) {
  // The value of a constructor stands for the call itself: nobody else needs a handle to it.
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
