// Prepares a thread for transpiled components. `load` loads a component.

import { readFileSync } from 'node:fs';

// Each instance calls this function and treats an error as "not supported". If the function is missing, the call is slow,
// because the engine reads half a megabyte of bindings to create the error message.
WebAssembly.promising ??= () => {
  throw new TypeError('this engine has no promise integration');
};

// Keeps a byte order mark, which the bindings' decoder would remove from every string.
globalThis.TextDecoder = class extends TextDecoder {
  constructor(label, options) {
    super(label, { ignoreBOM: true, ...options });
  }
};

/** Loads the component `name` in `folder`. Returns a function that creates an instance with the given imports. */
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
