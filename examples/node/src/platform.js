// How requests are made and time passes here: what runs this says it, before the first call.

let platform;

/** @param given `driverOf(fetch)`, with the option of that name; `pause(milliseconds, signal)`, which also resolves when
 *  the caller gives up; and `randomBytes(size)` */
export function setPlatform(given) {
  platform = given;
}

/** The same where nobody has said it yet. */
export function setDefaultPlatform(given) {
  platform ??= given;
}

export function driverOf(fetch) {
  return platform.driverOf(fetch);
}

export function pause(milliseconds, signal) {
  return platform.pause(milliseconds, signal);
}

export function randomBytes(size) {
  return platform.randomBytes(size);
}
