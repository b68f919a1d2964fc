// Prepares a thread for transpiled components, and loads one.

import { readFileSync } from 'node:fs';

// Each instance tests this function and treats an error as "not supported". Without the function, the engine reads
// half a megabyte of bindings for its error message, which takes 100 ms for each instance.
WebAssembly.promising ??= () => {
  throw new TypeError('this engine has no promise integration');
};

// Keeps a byte order mark, which the bindings' decoder would remove from every string.
globalThis.TextDecoder = class extends TextDecoder {
  constructor(label, options) {
    super(label, { ignoreBOM: true, ...options });
  }
};

/** Loads the component in `folder`. The result creates an instance from its imports. */
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
