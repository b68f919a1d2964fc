// The API key outside of the component: its placeholder, and its mask in replies.
//
// The component receives a placeholder. This module replaces the placeholder with the key in each request. The component
// therefore cannot recognize the key in a reply that repeats the key. This module searches replies for the key, unescaped
// and in up to three nested levels of JSON escapes.

const DEPTHS = 4;
// A shorter key is not secret, and its mask would damage ordinary text.
const LEAST = 4;
// Number of matched characters for each byte of a body, after which the search gives up. Ordinary text stays below 1.
const MATCHED = 8;
const MOST = 4096;
// The first of these characters that is not in the key replaces each byte of the key, so lengths do not change.
const FILLS = '*#-_.+~^!$%&\'|gGhHiIjJkKlLmMopqsvwxyzNOPQRSTUVWXYZ';

// Code pages of EBCDIC, SCSU and BOCU-1 (1212 to 1215), and UTF-7 (65000), by number. Windows adds 20,000 or 50,000
// to some numbers of EBCDIC.
const CODE_PAGES = new Set([
  37, 39, 273, 274, 275, 277, 278, 280, 281, 282, 283, 284, 285, 286, 290, 297, 410, 420, 423, 424, 425, 500,
  803, 833, 836, 838, 870, 871, 875, 880, 905, 918, 924, 930, 931, 933, 935, 937, 939, 1025, 1026, 1027, 1047,
  1069, 1070, 1071, 1097, 1112, 1122, 1123, 1130, 1132, 1137, 1140, 1141, 1142, 1143, 1144, 1145, 1146, 1147,
  1148, 1149, 1153, 1154, 1155, 1156, 1157, 1158, 1160, 1164, 1165, 1166, 1364, 1371, 1377, 1388, 1390, 1399,
  4971, 5026, 5035, 5123, 8482, 12712, 16684, 28709, 1212, 1213, 1214, 1215, 65_000,
]);

const BACKSLASH = 0x5c;
const ESCAPED = { n: 0x0a, t: 0x09, r: 0x0d, b: 0x08, f: 0x0c, '"': 0x22, '\\': BACKSLASH, '/': 0x2f };

/** Returns true if a header can carry the key safely. For any other key, the component reports an error. */
export function isKey(text) {
  return text.length <= MOST && /^[!-~](?:[\t -~]*[!-~])?$/.test(text);
}

export class Key {
  #key;
  #bytes;
  #fill;
  /** The value that the component receives in place of the key. */
  placeholder;

  /** @param {string} key must pass `isKey` */
  constructor(key) {
    this.#key = key;
    this.#bytes = Uint8Array.from(key, (char) => char.charCodeAt(0));
    const fill = [...FILLS].find((char) => !key.includes(char));
    this.#fill = fill === undefined ? 0xff : fill.charCodeAt(0);
    const random = crypto.getRandomValues(new Uint8Array(16));
    this.placeholder = `placeholder-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  }

  /** Replaces the placeholder in the headers with the key. Headers without the placeholder stay unchanged. Returns
   *  undefined if the placeholder is not exactly the value of `token`, or if the request goes to another origin. */
  inject(headers, isOwnOrigin) {
    let keyed = false;
    for (const { name, value } of headers) {
      if (!value.includes(this.placeholder)) continue;
      if (name !== 'token' || value !== this.placeholder || !isOwnOrigin) return undefined;
      keyed = true;
    }
    if (!keyed) return headers;
    return headers.map((header) => (header.name === 'token' ? { name: 'token', value: this.#key } : header));
  }

  /** Returns a string with the key masked. */
  maskText(text) {
    if (!text.includes(this.#key) && !text.includes('\\')) return text;
    const bytes = new TextEncoder().encode(text);
    this.#mask(bytes);
    return new TextDecoder().decode(bytes);
  }

  /** Masks the API key in a body. If the end of the body can be the beginning of the key, removes or masks that end.
   *  @param isWhole true if the body is complete
   *  @param isDelimited true if HTTP marks the end of the body, so that an early close is detectable */
  maskBody(bytes, isWhole, isDelimited) {
    const beginning = this.#mask(bytes, !isWhole || !isDelimited);
    if (beginning === undefined) return bytes;
    if (!isWhole) return bytes.subarray(0, beginning);
    if (bytes.length - beginning >= LEAST) bytes.fill(this.#fill, beginning);
    return bytes;
  }

  /** Returns true if a string consists only of the mask, and is at least as long as the key. */
  isMasked(text) {
    if (this.#bytes.length < LEAST || text.length < this.#bytes.length) return false;
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== this.#fill) return false;
    return true;
  }

  /** Masks the key. Returns the position of an incomplete key at the end if `more` bytes can follow. A body that
   *  repeats the first characters of the key, such as `aaaa` for `aaab`, would take time in proportion to both lengths.
   *  After `MATCHED` characters for each byte, the rest of the body is masked. */
  #mask(bytes, more = false) {
    if (this.#bytes.length < LEAST) return undefined;
    const first = this.#bytes[0];
    const effort = { left: 64 * this.#bytes.length + MATCHED * bytes.length };
    let beginning;
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] !== first && bytes[at] !== BACKSLASH) continue;
      if (effort.left <= 0) {
        bytes.fill(this.#fill, at);
        return undefined;
      }
      const width = this.#widthAt(bytes, at, effort);
      if (width > 0) {
        bytes.fill(this.#fill, at, at + width);
        at += width - 1;
      } else if (width === EARLY && more) {
        beginning ??= at;
      }
    }
    return beginning;
  }

  /** Returns the length in bytes of the key at `at`: 0 if no key is there, `EARLY` if the bytes end within the key. */
  #widthAt(bytes, at, effort) {
    let found = 0;
    for (let depth = 0; depth < DEPTHS; depth++) {
      const width = this.#read(bytes, at, depth, effort);
      // Tries the shortest form first, because each level of escapes makes the key longer.
      if (width > 0) return width;
      if (width === EARLY) found = EARLY;
    }
    return found;
  }

  #read(bytes, from, depth, effort) {
    const reader = { bytes, at: from };
    for (const wanted of this.#bytes) {
      const byte = character(reader, depth);
      if (byte === EARLY) return EARLY;
      if (byte !== wanted) return 0;
      effort.left--;
    }
    return reader.at - from;
  }
}

const EARLY = -1;
const WRONG = -2;

/** Reads the next ASCII character, `depth` levels deep in JSON escapes. Returns `WRONG` for an escape
 *  that stands for no ASCII character, because the key is ASCII. */
function character(reader, depth) {
  if (depth === 0) return reader.at < reader.bytes.length ? reader.bytes[reader.at++] : EARLY;
  const first = character(reader, depth - 1);
  if (first !== BACKSLASH) return first;
  const kind = character(reader, depth - 1);
  if (kind < 0) return kind;
  const letter = String.fromCharCode(kind);
  if (letter !== 'u') return ESCAPED[letter] ?? WRONG;
  let code = 0;
  for (let digit = 0; digit < 4; digit++) {
    const next = character(reader, depth - 1);
    if (next < 0) return next;
    const value = parseInt(String.fromCharCode(next), 16);
    if (Number.isNaN(value)) return WRONG;
    code = code * 16 + value;
  }
  return code < 0x80 ? code : WRONG;
}

/** Returns true if `maskBody` cannot find the API key in a body with these headers, because of compression or an
 *  incompatible charset. @param {(name: string) => string[]} header */
export function isEncoded(header) {
  const others = (name, plain) => header(name)
    .flatMap((value) => value.split(','))
    .some((coding) => !['', plain].includes(coding.trim().toLowerCase()));
  return others('content-encoding', 'identity') || others('transfer-encoding', 'chunked')
    || header('content-type').some(isOtherText);
}

// Returns true for charsets in which the key's bytes can differ from ASCII without a zero byte: UTF-7, EBCDIC, HZ and
// compressed Unicode. The first number in a name counts as its code page. Other unknown charsets count as compatible
// with ASCII.
function isOtherText(contentType) {
  return contentType.split(/[;,]/).some((parameter) => {
    const [, label, charset] = /^([^=]*)=(.*)$/s.exec(parameter) ?? [];
    if (label?.trim().toLowerCase() !== 'charset') return false;
    const name = charset.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (/utf7|ebcdic|scsu|bocu|^hz|ibmthai$/.test(name)) return true;
    const [number] = /\d+/.exec(name) ?? [];
    return [0, 20_000, 50_000].some((added) => CODE_PAGES.has(Number(number) - added));
  });
}
