// Random bytes of the operating system.
//
// The generator of Node is in the memory of its process. Two copies of a virtual machine draw the same bytes from it, and
// would claim one key with one name; the generator of their kernels is seeded anew.

const DEVICE = '/dev/urandom';
const HAS_DEVICE = !('Deno' in globalThis) && globalThis.process?.platform !== 'win32';

/** @returns {Uint8Array} from the operating system; in Deno, browsers and Windows from the runtime */
export function randomBytes(size) {
  const bytes = new Uint8Array(size);
  // Node 20.16 or newer has it.
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
