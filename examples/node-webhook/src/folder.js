// The file system of the inbox: one folder, as `/inbox`. The shim's own, but for what
// it refuses or leaves out that the inbox relies on.

import { filesystem } from '@bytecodealliance/preview2-shim';

const { Descriptor } = filesystem.types;
const { openAt, sync, write } = Descriptor.prototype;

// The shim refuses a folder that is opened with `mutate-directory`. It has no such
// permission: files can be made in every folder that is open.
Descriptor.prototype.openAt = function (pathFlags, path, openFlags, flags) {
  return openAt.call(this, pathFlags, path, openFlags, { ...flags, mutateDirectory: false });
};

// The shim does not sync the folder that it was given, only those in it. The inbox
// would take that for a host that cannot sync folders, and answer 200 all the same.
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

// The shim throws Node's error, which is a trap: a full disk would be a crash.
Descriptor.prototype.write = function (bytes, offset) {
  try {
    return write.call(this, bytes, offset);
  } catch (error) {
    throw filesystem.types.filesystemErrorCode({ payload: error });
  }
};

/** The imports that open `path` to the inbox. */
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
