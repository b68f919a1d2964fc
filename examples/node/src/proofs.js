// Verifies proofs of origin of deliveries, with the settings and error reasons of the webhook component.
// guest/core/tests/origin_cases.json contains test cases for the component and for this module.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { camelCase } from './abi.js';
import { bytesOf, invalidSetting, pairs, variablesOf } from './arguments.js';
import { nearest, onlyMembers } from './members.js';

export { InvalidSettingsError } from './errors.js';

const PREFIX = 'MESSAGING_WEBHOOK_';
const TOLERANCE = 'TIMESTAMP_TOLERANCE_SECONDS';
const NAMES = [
  'PATH_SECRET', 'PATH_SECRET_NEXT', 'HEADER_SECRET', 'HEADER_SECRET_NEXT', 'HEADER', 'SIGNATURE_SECRET',
  'SIGNATURE_SECRET_NEXT', 'SIGNATURE_HEADER', 'SIGNATURE_PREFIX', 'SIGNATURE_ENCODING', 'SIGNED', 'TIMESTAMP_HEADER', TOLERANCE,
];
const OPTIONS = Object.fromEntries(NAMES.map((name) => (
  [camelCase(name.toLowerCase().replaceAll('_', '-')), [PREFIX + name, name === TOLERANCE ? 'number' : 'string']])));

const VARIABLES = NAMES.map((name) => PREFIX + name);
VARIABLES.push(...VARIABLES.filter((name) => name.includes('_SECRET')).map((name) => `${name}_FILE`));

const MAX_TOLERANCE_SECONDS = 7 * 24 * 60 * 60;
const STANDARD = 'standard-webhooks';
const STANDARD_TOLERANCE_SECONDS = 5 * 60;
/** Maximum number of parts of a header with several signatures. */
const MAX_PARTS = 16;
/** White space of ASCII. */
const SPACE = '\t\n\f\r ';
const KEY_HEADER = 'x-idempotency-key';
const [ID, TIMESTAMP, SIGNATURE] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
/** Headers that cannot contain a proof of origin. */
const TAKEN = [
  'connection', 'content-encoding', 'content-length', 'content-type', 'date', 'expect', 'host', 'keep-alive', 'proxy-authenticate',
  'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', KEY_HEADER,
];
const REASONS = {
  missing: 'is missing',
  repeated: 'is given more than once',
  malformed: 'is malformed',
  wrong: 'contains another secret, or a signature of other data',
  untimely: "has a timestamp outside the tolerance around this machine's clock",
};
/** ASCII control characters. */
const CONTROL = /[\0-\x1f\x7f]/;
const SAME_HEADER = 'is the header of another setting, too; use another header';
const QUOTED = 'is in quotation marks; write the value without them';

/** The delivery does not prove its origin. The message is the reason, without any value of the delivery. */
export class UnverifiedError extends Error {
  get name() {
    return 'UnverifiedError';
  }
}

export class Proofs {
  #path;
  #header;
  #signature;

  constructor({ settings, ...options } = {}) {
    const variables = variablesOf(options, settings, OPTIONS);
    refuseMisspelled(Object.keys(settings ?? {}));
    const values = new Map(NAMES.map((name) => [name, valueOf(variables, settings, PREFIX + name)]));
    const { path, header, signature } = read((name) => values.get(name));
    this.#path = path?.map(digest);
    this.#header = header && { ...header, secrets: header.secrets.map(digest) };
    this.#signature = signature;
  }

  verify(headers, body, options = {}) {
    onlyMembers(options, ['path', 'nowMs'], 'the options');
    const { path, nowMs = Date.now() } = options;
    const given = pairs(headers, 'headers').map(({ name, value }) => ({ name: name.toLowerCase(), value }));
    const one = (name) => {
      const [value, ...more] = given.filter((header) => header.name === name).map(({ value }) => value);
      if (value === undefined) throw refused(name, 'missing');
      if (more.length > 0) throw refused(name, 'repeated');
      // A character above U+00FF is not one byte, so the signed bytes would be unclear.
      if (/[^\0-\xff]/.test(value)) throw refused(name, 'malformed');
      return value;
    };
    const bytes = typeof body === 'string' ? Buffer.from(body) : bytesOf(body);
    if (!bytes) {
      throw new TypeError('body is not bytes or a string: pass the body as it arrived, because parsed JSON has lost the signed bytes');
    }
    if (this.#path) {
      if (typeof path !== 'string') throw new TypeError('path is not a string: with a secret in the path, pass request.url');
      const segment = path.split(/[?#]/, 1)[0].split('/').at(-1);
      if (!shows(this.#path, segment)) throw new UnverifiedError("the path's last segment is not the secret");
    }
    if (this.#header && !shows(this.#header.secrets, one(this.#header.name))) throw refused(this.#header.name, 'wrong');
    if (this.#signature) judge(this.#signature, one, bytes, Math.floor(nowMs / 1000));
    const read = { 'content-type': 'content-type', [this.#signature?.signed === STANDARD ? ID : KEY_HEADER]: KEY_HEADER };
    return { headers: given.filter(({ name }) => Object.hasOwn(read, name)).map(({ name, value }) => ({ name: read[name], value })), body };
  }
}

/** Rejects names that are probably misspelled settings, because a misspelled secret would have no effect. */
function refuseMisspelled(names) {
  for (const name of names.filter((name) => name.startsWith(PREFIX) && !VARIABLES.includes(name))) {
    const near = nearest(name, VARIABLES);
    if (near) throw invalidSetting(name, `is not a setting; did you mean ${near}?`);
  }
}

/** Returns the value of a variable. A secret can be in the file that `…_FILE` names; an option overrides this file. */
function valueOf(variables, settings, name) {
  const setting = `${name}_FILE`;
  const path = settings?.[setting];
  if (path === undefined || !name.includes('_SECRET')) return variables.get(name);
  if (settings[name] !== undefined) throw invalidSetting(name, `and ${setting} are both set; unset one of them`);
  if (variables.has(name)) return variables.get(name);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).replace(/\r?\n$/, '');
  } catch (error) {
    // The error does not contain the path, because some operators write the secret itself into this setting.
    const why = error instanceof TypeError ? 'it is not UTF-8' : error.code;
    throw invalidSetting(setting, `names a file that cannot be read: ${why}`);
  }
}

const refused = (header, reason) => new UnverifiedError(`the header ${header} ${REASONS[reason]}`);
const digest = (bytes) => createHash('sha256').update(bytes).digest();

/** Returns true if a string of a request equals a secret. Compares digests, so that the duration reveals no secret. */
function shows(digests, text) {
  const given = digest(Buffer.from(text, 'latin1'));
  return digests.reduce((found, secret) => timingSafeEqual(secret, given) || found, false);
}

/** Throws if no signature is valid under any of the secrets, or if the timestamp is outside the tolerance. */
function judge(signature, one, body, now) {
  const { header, prefix, timestamp, signatures } = presented(signature, one);
  let isRight = false;
  for (const secret of signature.secrets) {
    const right = createHmac('sha256', secret).update(prefix, 'latin1').update(body).digest();
    for (const given of signatures) isRight = timingSafeEqual(right, given) || isRight;
  }
  if (!isRight) throw refused(header, 'wrong');
  if (!timestamp || signature.tolerance === 0) return;
  if (Math.abs(Number(timestamp.value) - now) > signature.tolerance) throw refused(timestamp.header, 'untimely');
}

/** Reads the signatures of a delivery, the signed text before the body, and the timestamp. */
function presented({ signed, header, prefix, encoding, timestampHeader }, one) {
  const value = one(header);
  const decoded = (texts) => {
    const signatures = texts.map((text) => decode(encoding, text)).filter(Boolean);
    if (signatures.length === 0) throw refused(header, 'malformed');
    return { header, signatures };
  };
  if (signed === 'timestamped') {
    const named = parts(value, ',', '=');
    const [at, ...more] = named('t');
    return { ...decoded(named('v1')), ...stamped(header, more.length > 0 ? '' : at) };
  }
  if (signed === STANDARD) {
    const found = decoded(parts(value, ' ', ',')('v1'));
    const id = one(ID);
    return { ...found, ...stamped(TIMESTAMP, one(TIMESTAMP), `${id}.`) };
  }
  const found = decoded(value.startsWith(prefix) ? [value.slice(prefix.length)] : []);
  if (signed === 'body') return { ...found, prefix: '' };
  const key = signed === 'key.timestamp.body' ? `${one(KEY_HEADER)}.` : '';
  return { ...found, ...stamped(timestampHeader, one(timestampHeader), key) };
}

function stamped(header, value, key = '') {
  if (!/^[0-9]{1,20}$/.test(value ?? '')) throw refused(header, 'malformed');
  return { prefix: `${key}${value}.`, timestamp: { header, value } };
}

/** Returns a function that lists all values of a name in a header such as `t=1,v1=a,v1=b`. */
function parts(value, between, within) {
  const all = value.split(between).map(trimmed);
  return (name) => (all.length > MAX_PARTS ? [] : all.filter((part) => part.startsWith(name + within)).map((part) => part.slice(name.length + 1)));
}

/** Removes `SPACE` at both ends. `trim` would remove other characters too, and a regular expression would take time in
 *  proportion to the square of the length. */
function trimmed(text) {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.includes(text[start])) start++;
  while (end > start && SPACE.includes(text[end - 1])) end--;
  return text.slice(start, end);
}

function decode(encoding, text) {
  if (encoding === 'hex') return /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
  const bytes = base64(text);
  return bytes?.length === 32 ? bytes : undefined;
}

/** Decodes canonical Base64. Returns `undefined` for other text. Node's decoder would ignore invalid characters. */
function base64(text) {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** Reads the settings. `get` returns the value of a variable, or undefined. */
function read(get) {
  const isSet = (name) => get(name) !== undefined;
  const refuse = (names, why) => {
    const name = NAMES.find((name) => names.includes(name) && isSet(name));
    if (name) throw invalid(name, why);
  };
  const secrets = (name, convert) => {
    if (!isSet(name)) return undefined;
    const all = [name, `${name}_NEXT`].filter(isSet).map((name) => convert(name, get(name)));
    if (all[1]?.equals(all[0])) throw invalid(`${name}_NEXT`, 'equals the current secret; set another value or remove it');
    return all;
  };
  const headerName = (name, otherwise) => {
    const value = get(name) ?? otherwise;
    if (!/^[A-Za-z0-9!#$%&'*+\-.^_`|~]{1,256}$/.test(value)) {
      throw invalid(name, "is not the name of a header: 1 to 256 letters, digits and any of !#$%&'*+-.^_`|~");
    }
    if (!TAKEN.includes(value.toLowerCase())) return value.toLowerCase();
    throw invalid(name, 'has another purpose in deliveries, or is removed by proxies; use another header');
  };
  const without = (secret) => `has no effect without ${PREFIX}${secret}; set both or remove it`;

  const shown = ['PATH_SECRET', 'PATH_SECRET_NEXT', 'HEADER_SECRET', 'HEADER_SECRET_NEXT'].filter(isSet).map(get);
  for (const name of ['SIGNATURE_SECRET', 'SIGNATURE_SECRET_NEXT']) {
    if (get(name) && shown.includes(get(name))) {
      throw invalid(name, 'is also a path or header secret, which each delivery contains; set another secret');
    }
  }
  const path = secrets('PATH_SECRET', pathSecret);
  if (!path) refuse(['PATH_SECRET_NEXT'], without('PATH_SECRET'));
  const shownSecrets = secrets('HEADER_SECRET', secret);
  if (!shownSecrets) refuse(['HEADER', 'HEADER_SECRET_NEXT'], without('HEADER_SECRET'));
  const header = shownSecrets && { secrets: shownSecrets, name: headerName('HEADER', 'x-webhook-secret') };

  const keys = secrets('SIGNATURE_SECRET', get('SIGNED') === STANDARD ? whsec : secret);
  if (!keys) {
    refuse(['SIGNED'], without('SIGNATURE_SECRET'));
    refuse(NAMES.slice(NAMES.indexOf('SIGNATURE_SECRET_NEXT')), without('SIGNATURE_SECRET'));
    if (path || header) return { path, header };
    throw invalid('SIGNATURE_SECRET', 'is missing, and no other secret is set; set one, because it proves the origin of a delivery');
  }
  const signature = { secrets: keys, ...scheme(get, refuse, headerName) };
  if (signature.signed === STANDARD) {
    if ([ID, TIMESTAMP, SIGNATURE].includes(header?.name)) throw invalid('HEADER', SAME_HEADER);
  } else {
    if ([signature.header, header?.name].includes(signature.timestampHeader ?? '')) throw invalid('TIMESTAMP_HEADER', SAME_HEADER);
    if (signature.header === header?.name) throw invalid('SIGNATURE_HEADER', SAME_HEADER);
  }
  return { path, header, signature };
}

/** Reads the settings of the signature in the order in which the webhook reports their errors. */
function scheme(get, refuse, headerName) {
  const signed = get('SIGNED') ?? 'body';
  const signature = () => ({
    signed,
    header: headerName('SIGNATURE_HEADER', 'x-signature'),
    prefix: prefixOf(get('SIGNATURE_PREFIX')),
    encoding: encodingOf(get('SIGNATURE_ENCODING')),
  });
  switch (signed) {
    case 'body':
      refuse(['TIMESTAMP_HEADER', TOLERANCE], 'has no effect if only the body is signed; remove it, or sign timestamp.body');
      return signature();
    case 'timestamp.body':
    case 'key.timestamp.body': {
      const timestampHeader = headerName('TIMESTAMP_HEADER', 'x-timestamp');
      const tolerance = toleranceOf(get(TOLERANCE), 0);
      return { ...signature(), timestampHeader, tolerance };
    }
    case 'timestamped':
      refuse(['SIGNATURE_PREFIX', 'TIMESTAMP_HEADER'], "has no effect with timestamped, whose header has the form t=…,v1=…; remove it");
      return { ...signature(), tolerance: toleranceOf(get(TOLERANCE), 0) };
    case STANDARD:
      refuse(['SIGNATURE_HEADER', 'SIGNATURE_PREFIX', 'SIGNATURE_ENCODING', 'TIMESTAMP_HEADER'],
        'has no effect with standard-webhooks, which defines headers and encoding; remove it');
      return { signed, header: SIGNATURE, encoding: 'base64', tolerance: toleranceOf(get(TOLERANCE), STANDARD_TOLERANCE_SECONDS) };
    default:
      throw invalid('SIGNED', 'is not body, timestamp.body, key.timestamp.body, timestamped or standard-webhooks');
  }
}

function secret(name, value) {
  if (CONTROL.test(value)) throw invalid(name, 'contains a line break or another control character; remove it');
  if (/^ | $/.test(value)) throw invalid(name, 'begins or ends with a space; remove the space');
  if (['"', "'"].some((mark) => value.startsWith(mark) && value.endsWith(mark))) throw invalid(name, QUOTED);
  return sized(name, Buffer.from(value), 'is not 16 to 4096 bytes long');
}

function pathSecret(name, value) {
  if (!/^[A-Za-z0-9\-._~]*$/.test(value)) throw invalid(name, 'contains more than letters, digits, `-`, `.`, `_` and `~`');
  return sized(name, Buffer.from(value), 'is not 16 to 256 characters long', 256);
}

function whsec(name, value) {
  const bytes = value.startsWith('whsec_') ? base64(value.slice('whsec_'.length)) : undefined;
  return sized(name, bytes, 'is not a secret of standard-webhooks: whsec_, then 16 to 4096 bytes in Base64');
}

function sized(name, bytes, detail, most = 4096) {
  if (bytes?.length >= 16 && bytes.length <= most) return bytes;
  throw invalid(name, detail);
}

function prefixOf(value = '') {
  if (value.startsWith(' ') || CONTROL.test(value)) {
    throw invalid('SIGNATURE_PREFIX', "begins with a space or contains a control character; remove it");
  }
  if (/^["']/.test(value)) throw invalid('SIGNATURE_PREFIX', QUOTED);
  return Buffer.from(value).toString('latin1');
}

function encodingOf(value = 'hex') {
  if (['hex', 'base64'].includes(value)) return value;
  throw invalid('SIGNATURE_ENCODING', 'is neither hex nor base64');
}

function toleranceOf(value, otherwise) {
  if (value === undefined) return otherwise;
  if (/^[0-9]+$/.test(value) && Number(value) <= MAX_TOLERANCE_SECONDS) return Number(value);
  throw invalid(TOLERANCE, 'is not a whole number of seconds from 0 to 604800');
}

function invalid(name, detail) {
  return invalidSetting(PREFIX + name, detail);
}
