// Extracts the core module of a component (component model, binary format).

const CORE_MODULE = 1;
const MEMORY = { name: 'memory', kind: 'memory' };

/** Returns the only core module with a memory. The other modules of a component without imports only connect its
 *  functions. @param {Buffer} component */
export function coreModuleOf(component) {
  const modules = sections(component)
    .filter(({ id }) => id === CORE_MODULE)
    .map(({ bytes }) => bytes)
    .filter((bytes) => {
      const exports = WebAssembly.Module.exports(new WebAssembly.Module(bytes));
      return exports.some(({ name, kind }) => name === MEMORY.name && kind === MEMORY.kind);
    });
  if (modules.length !== 1) throw new Error(`${modules.length} core modules with a memory; expected 1`);
  return modules[0];
}

function* sectionsOf(component) {
  let at = 8; // after magic number and version
  const size = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = component[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < component.length) {
    const id = component[at++];
    const length = size();
    yield { id, bytes: component.subarray(at, at + length) };
    at += length;
  }
}

const sections = (component) => [...sectionsOf(component)];
