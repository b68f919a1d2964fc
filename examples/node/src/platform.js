// Functions that depend on the runtime: requests, delays and random bytes. An entry point sets them before the
// first call.

let platform;

/** @param given three functions: `driverOf(fetch, ca)`, called with the caller's options of these names;
 *      `pause(milliseconds, signal)`, which also resolves when `signal` aborts; and `randomBytes(size)` */
export function setPlatform(given) {
  platform = given;
}

/** Sets the functions of the platform (see `setPlatform`), unless they are already set. */
export function setDefaultPlatform(given) {
  platform ??= given;
}

export function driverOf(fetch, ca) {
  return platform.driverOf(fetch, ca);
}

export function pause(milliseconds, signal) {
  return platform.pause(milliseconds, signal);
}

export function randomBytes(size) {
  return platform.randomBytes(size);
}
