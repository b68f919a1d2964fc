// Prepares a thread for transpiled components, and loads one.

import { readFileSync } from 'node:fs';

// Each instance asks for this and takes an error as "no". Without it the engine reads
// the half megabyte of bindings again to word its error: 100 ms for each instance.
WebAssembly.promising ??= () => {
  throw new TypeError('this engine has no promise integration');
};

// The bindings' decoder takes a byte order mark off every string that they lift.
globalThis.TextDecoder = class extends TextDecoder {
  constructor(label, options) {
    super(label, { ignoreBOM: true, ...options });
  }
};

/** Loads the component in `folder`; the result makes an instance of its imports. */
export async function load(folder, name) {
  const { instantiate } = await import(new URL(`${name}.js`, folder));
  const modules = new Map();
  const core = (file) => {
    if (!modules.has(file)) {
      modules.set(file, new WebAssembly.Module(readFileSync(new URL(file, folder))));
    }
    return modules.get(file);
  };
  return (imports) => instantiate(core, imports);
}
