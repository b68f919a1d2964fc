// Random bytes of the operating system.
//
// Node keeps the state of its generator in the memory of the process. Two copies of a virtual machine would draw the
// same bytes, and would claim a key with the same attempt name. A kernel seeds its generator again in each copy.

const DEVICE = '/dev/urandom';
const HAS_DEVICE = !('Deno' in globalThis) && globalThis.process?.platform !== 'win32';

/** @returns {Uint8Array} from the operating system; in Deno, in browsers and on Windows from the runtime */
export function randomBytes(size) {
  const bytes = new Uint8Array(size);
  // `getBuiltinModule` exists since Node 20.16.
  const fs = HAS_DEVICE ? globalThis.process?.getBuiltinModule?.('node:fs') : undefined;
  if (!fs?.existsSync(DEVICE)) return crypto.getRandomValues(bytes);
  const device = fs.openSync(DEVICE, 'r');
  try {
    if (fs.readSync(device, bytes) !== size) throw new Error(`${DEVICE} gave too few bytes`);
    return bytes;
  } finally {
    fs.closeSync(device);
  }
}
