// The file system of the inbox: one directory as `/inbox`. Extends the WASI implementation `preview2-shim` (the shim) with
// operations that the inbox needs.

import { filesystem } from '@bytecodealliance/preview2-shim';

const { Descriptor } = filesystem.types;
const { openAt, sync, write } = Descriptor.prototype;

// The shim rejects the flag `mutate-directory` when a directory is opened. The shim does not need the flag, because it
// permits new files in every open directory.
Descriptor.prototype.openAt = function (pathFlags, path, openFlags, flags) {
  return openAt.call(this, pathFlags, path, openFlags, { ...flags, mutateDirectory: false });
};

// The shim syncs subdirectories, but not its root directory. The inbox would then assume that the host cannot sync
// directories, and would still answer 200.
Descriptor.prototype.sync = function () {
  if (this.isRoot) {
    const folder = openAt.call(this, {}, '.', { directory: true }, { read: true });
    try {
      return sync.call(folder);
    } finally {
      folder[Symbol.dispose ?? Symbol.for('dispose')]();
    }
  }
  return sync.call(this);
};

// The shim throws Node's error, which the bindings treat as a trap. A full disk would then look like a crash.
Descriptor.prototype.write = function (bytes, offset) {
  try {
    return write.call(this, bytes, offset);
  } catch (error) {
    throw filesystem.types.filesystemErrorCode({ payload: error });
  }
};

/** Returns the imports that give `path` to the inbox. */
export function importsOf(path) {
  return {
    'wasi:filesystem/types': filesystem.types,
    'wasi:filesystem/preopens': {
      getDirectories() {
        const root = filesystem._createPreopenDescriptor(path);
        root.isRoot = true;
        return [[root, '/inbox']];
      },
    },
  };
}
