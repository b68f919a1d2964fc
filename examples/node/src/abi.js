// The component model's canonical ABI for the types of this package. Copies JavaScript values into the memory of a
// core module, and back.
//
//     record                   an object with names in camel case
//     variant, result          { tag, val }, with the tag of the WIT
//     option                   the value, or undefined
//     enum                     the name of the case
//     list<u8>, other lists    Uint8Array, Array
//
// All values of these interfaces are passed as 32-bit integers; a string or list is a pointer and a length. More
// than 16 integers are passed as one record in memory. A type is an object { size, align, flat, load, store, lower }:
// size and alignment in bytes, the number of integers of a parameter, and conversions.

const MAX_FLAT_PARAMS = 16;
// Below this number of characters, a loop is faster than the engine's encoder and decoder.
const SHORT = 48;

const encoder = new TextEncoder();
// Keeps a byte order mark, because it is a character of the string.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Linear memory of an instance. Its views must be refreshed with `look` after each run of the instance. */
class Memory {
  #memory;
  #realloc;

  constructor({ memory, cabi_realloc: realloc }) {
    this.#memory = memory;
    this.#realloc = realloc;
    this.look();
  }

  /** Replaces the views if the memory has grown, because growth detaches the old buffer. */
  look() {
    if (this.bytes?.length > 0) return;
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.view = new DataView(this.#memory.buffer);
  }

  allocate(size, align) {
    if (size === 0) return align;
    const at = this.#realloc(0, 0, align, size) >>> 0;
    this.look();
    return at;
  }

  write(bytes) {
    const at = this.allocate(bytes.length, 1);
    this.bytes.set(bytes, at);
    return at;
  }
}

function number(size, get, set) {
  return {
    size,
    align: size,
    flat: 1,
    load: (memory, at) => memory.view[get](at, true),
    store: (memory, at, value) => memory.view[set](at, value, true),
    lower: (memory, value, flat) => flat.push(value),
  };
}

const u8 = number(1, 'getUint8', 'setUint8');
const u16 = number(2, 'getUint16', 'setUint16');
const u32 = number(4, 'getUint32', 'setUint32');

const bool = {
  ...u8,
  load: (memory, at) => u8.load(memory, at) !== 0,
  lower: (memory, value, flat) => flat.push(Number(value)),
};

/** Returns a type that is passed as a pointer and a length. `put` writes a value and returns pointer and length; `get`
 *  reads the value. */
function pointed(put, get) {
  return {
    size: 8,
    align: 4,
    flat: 2,
    load: (memory, at) => get(memory, u32.load(memory, at), u32.load(memory, at + 4)),
    store(memory, at, value) {
      const [pointer, length] = put(memory, value);
      u32.store(memory, at, pointer);
      u32.store(memory, at + 4, length);
    },
    lower: (memory, value, flat) => flat.push(...put(memory, value)),
  };
}

const string = pointed(
  (memory, text) => {
    const { length } = text;
    if (length < SHORT && isAscii(text)) {
      const at = memory.allocate(length, 1);
      for (let index = 0; index < length; index++) memory.bytes[at + index] = text.charCodeAt(index);
      return [at, length];
    }
    const encoded = encoder.encode(text);
    return [memory.write(encoded), encoded.length];
  },
  ({ bytes }, at, length) => {
    if (length < SHORT) {
      let text = '';
      let index = at;
      for (; index < at + length && bytes[index] < 0x80; index++) text += String.fromCharCode(bytes[index]);
      if (index === at + length) return text;
    }
    return decoder.decode(bytes.subarray(at, at + length));
  },
);

function isAscii(text) {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

const octets = pointed(
  (memory, bytes) => [memory.write(bytes), bytes.length],
  ({ bytes }, at, length) => bytes.slice(at, at + length),
);

function list(item) {
  return pointed(
    (memory, items) => {
      const at = memory.allocate(items.length * item.size, item.align);
      items.forEach((value, index) => item.store(memory, at + index * item.size, value));
      return [at, items.length];
    },
    (memory, at, length) => Array.from({ length }, (_, index) => item.load(memory, at + index * item.size)),
  );
}

function record(members) {
  let size = 0;
  let align = 1;
  let flat = 0;
  const fields = members.map(([name, type]) => {
    const at = aligned(size, type.align);
    size = at + type.size;
    align = Math.max(align, type.align);
    flat += type.flat;
    return { name: camelCase(name), at, type };
  });
  return {
    size: aligned(size, align),
    align,
    flat,
    load(memory, at) {
      const value = {};
      for (const field of fields) value[field.name] = field.type.load(memory, at + field.at);
      return value;
    },
    store(memory, at, value) {
      for (const field of fields) field.type.store(memory, at + field.at, value[field.name]);
    },
    lower(memory, value, flat) {
      for (const field of fields) field.type.lower(memory, value[field.name], flat);
    },
  };
}

/** Returns a type with fewer than 256 cases. `wrap` makes a value from a case and its payload; `unwrap` does the
 *  reverse. */
function variant(cases, wrap, unwrap) {
  const payloads = cases.flatMap(([, type]) => type ?? []);
  const most = (key) => payloads.reduce((most, type) => Math.max(most, type[key]), key === 'align' ? 1 : 0);
  const align = most('align');
  const from = aligned(1, align);
  const size = aligned(from + most('size'), align);
  const flat = 1 + most('flat');
  const names = cases.map(([name]) => name);
  const which = (name) => {
    const index = names.indexOf(name);
    if (index < 0) throw new TypeError(`${name} is not one of ${names.join(', ')}`);
    return index;
  };
  return {
    size,
    align,
    flat,
    load(memory, at) {
      const found = cases[memory.bytes[at]];
      if (!found) throw new RangeError('unknown case');
      const [name, type] = found;
      return wrap(name, type?.load(memory, at + from));
    },
    store(memory, at, value) {
      const { tag, val } = unwrap(value);
      const index = which(tag);
      memory.bytes[at] = index;
      cases[index][1]?.store(memory, at + from, val);
    },
    lower(memory, value, into) {
      const { tag, val } = unwrap(value);
      const index = which(tag);
      const end = into.length + flat;
      into.push(index);
      cases[index][1]?.lower(memory, val, into);
      while (into.length < end) into.push(0);
    },
  };
}

const option = (type) => variant(
  [['none'], ['some', type]],
  (tag, val) => val,
  (value) => (value === undefined ? { tag: 'none' } : { tag: 'some', val: value }),
);

const tagged = (cases) => variant(cases, (tag, val) => ({ tag, val }), (value) => value);
const enumeration = (names) => variant(names.map((name) => [name]), (tag) => tag, (tag) => ({ tag }));

/** Returns the functions of an interface and their types, from the generated data of the interface. */
export function interfaceOf({ types, functions }) {
  // A resource is passed as a handle: the constructor returns the handle, and methods receive it as `self`.
  const known = { bool, u8, u16, u32, string, handle: u32 };
  const type = (given) => {
    if (typeof given === 'string') return (known[given] ??= compound(types[given]));
    if (given[0] === 'list' && given[1] === 'u8') return octets;
    return compound(given);
  };
  const compound = ([kind, ...parts]) => {
    const cases = () => parts.map(([name, payload]) => [name, payload ? type(payload) : undefined]);
    switch (kind) {
      case 'record': return record(cases());
      case 'variant': return tagged(cases());
      case 'enum': return enumeration(parts);
      case 'option': return option(type(parts[0]));
      case 'list': return list(type(parts[0]));
      case 'result': return tagged([['ok', type(parts[0])], ['err', type(parts[1])]]);
      default: throw new TypeError(`unknown kind of type: ${kind}`);
    }
  };
  return Object.entries(functions).map(([name, { params, result }]) => {
    const lowered = params.map(type);
    const isSpilled = lowered.reduce((sum, { flat }) => sum + flat, 0) > MAX_FLAT_PARAMS;
    const spilled = isSpilled ? record(lowered.map((type, index) => [String(index), type])) : undefined;
    return { name, params: lowered, spilled, result: type(result) };
  });
}

/** Returns functions that call an instance with JavaScript values.
 *  @param {WebAssembly.Exports} exports
 *  @param {string} prefix prefix of the functions' names in the core module */
export function bind(exports, prefix, functions) {
  const memory = new Memory(exports);
  return Object.fromEntries(functions.map(({ name, params, spilled, result }) => {
    const call = exports[`${prefix}${name}`];
    // Frees the memory of the result. Called after the result was read.
    const after = exports[`cabi_post_${prefix}${name}`];
    const bound = (...values) => {
      const flat = [];
      memory.look();
      if (spilled) {
        const at = memory.allocate(spilled.size, spilled.align);
        spilled.store(memory, at, values);
        flat.push(at);
      } else {
        params.forEach((type, index) => type.lower(memory, values[index], flat));
      }
      const returned = call(...flat);
      if (result.flat === 1) return returned;
      memory.look();
      const value = result.load(memory, returned >>> 0);
      after(returned);
      return value;
    };
    return [name, bound];
  }));
}

const aligned = (at, align) => Math.ceil(at / align) * align;

export function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
