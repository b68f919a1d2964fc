// Parses an interface of a WIT file. Supports only the syntax that wit/types.wit, wit/sans-io.wit and
// wit/sans-io-once.wit use, and throws for any other syntax.

/** Returns the types and functions of an interface: `data` for src/abi.js, and `items` with their documentation. A
 *  type is a name, or `[list | option | result, ...types]`. `shared` is the content of wit/types.wit. */
export function readInterface(text, name, shared) {
  const tokens = tokensOf(text);
  let at = tokens.findIndex(({ text }, index) => text === 'interface' && tokens[index + 1].text === name) + 2;
  if (at < 2) throw new Error(`no interface ${name}`);
  const peek = () => tokens[at]?.text;
  const next = () => tokens[at++]?.text;
  const expect = (wanted) => {
    const found = next();
    if (found !== wanted) throw new Error(`${wanted} expected, not ${found}`);
  };
  const accept = (wanted) => (peek() === wanted ? (at++, true) : false);
  /** Parses items with commas between them, up to `close`. */
  const list = (close, item) => {
    const items = [];
    while (!accept(close)) {
      items.push(item());
      if (!accept(',')) { expect(close); break; }
    }
    return items;
  };
  const type = () => {
    const kind = next();
    return accept('<') ? [kind, ...list('>', type)] : kind;
  };
  const field = () => {
    const { docs } = tokens[at];
    const name = next();
    expect(':');
    return { name, docs, type: type() };
  };
  const one = () => {
    const { docs, text: name } = tokens[at++];
    const payload = accept('(') ? type() : null;
    if (payload) expect(')');
    return { name, docs, type: payload };
  };
  const params = () => (expect('('), list(')', field).map(({ type }) => type));
  const func = () => {
    expect('func');
    const parameters = params();
    const result = accept('->') ? type() : null;
    expect(';');
    return { params: parameters, result };
  };

  const data = { types: {}, functions: {} };
  const items = [];
  /** Adds types of another interface, and all types that these types contain. */
  const use = (other, names) => {
    const wanted = new Set(names);
    for (const name of wanted) {
      if (!other.data.types[name]) throw new Error(`no type ${name}`);
      const parts = other.items.find((item) => item.name === name).parts.map(({ type }) => type);
      for (const part of parts.flat(Infinity)) if (other.data.types[part]) wanted.add(part);
    }
    for (const item of other.items.filter(({ name }) => wanted.has(name) && !data.types[name])) {
      items.push(item);
      data.types[item.name] = other.data.types[item.name];
    }
  };
  expect('{');
  while (!accept('}')) {
    const { docs } = tokens[at];
    const keyword = next();
    if (keyword === 'use') {
      const from = next();
      expect('.');
      expect('{');
      use(readInterface(shared, from, shared), list('}', next));
      expect(';');
    } else if (keyword === 'record' || keyword === 'enum' || keyword === 'variant') {
      const name = next();
      expect('{');
      const parts = list('}', keyword === 'record' ? field : one);
      items.push({ kind: keyword, name, docs, parts });
      data.types[name] = [keyword, ...parts.map(({ name, type }) => (keyword === 'enum' ? name : [name, type]))];
    } else if (keyword === 'resource') {
      const name = next();
      expect('{');
      while (!accept('}')) {
        const member = next();
        if (member === 'constructor') {
          data.functions[`[constructor]${name}`] = { params: params(), result: 'handle' };
          expect(';');
        } else {
          expect(':');
          const { params, result } = func();
          data.functions[`[method]${name}.${member}`] = { params: ['handle', ...params], result };
        }
      }
    } else {
      expect(':');
      data.functions[keyword] = func();
    }
  }
  return { data, items };
}

/** Splits the text into words and signs. Each token has the doc comment that precedes it. */
function tokensOf(text) {
  const tokens = [];
  let docs = [];
  for (const [, doc, sign] of text.matchAll(/\/\/\/ ?(.*)|\/\/.*|([a-z][a-z0-9-]*|->|[^\s])/g)) {
    if (doc !== undefined) docs.push(doc);
    else if (sign !== undefined) {
      tokens.push({ text: sign, docs });
      docs = [];
    }
  }
  return tokens;
}

/** Returns the TypeScript declarations of the records and enums of an interface, and of the variants that records
 *  contain. */
export function typingsOf({ items }, file) {
  const held = new Set(items.filter(({ kind }) => kind === 'record').flatMap(({ parts }) => parts.flatMap(({ type }) => type).flat(2)));
  const typings = items.filter(({ kind, name }) => kind !== 'variant' || held.has(name)).map(({ kind, name, docs, parts }) => {
    const head = comment(docs, '');
    if (kind === 'enum') {
      const names = parts.map(({ name, docs }) => `${comment(docs, '  ')}  | '${name}'`);
      return `${head}export type ${pascal(name)} =\n${names.join('\n')};\n`;
    }
    if (kind === 'variant') {
      const cases = parts.map(({ name, docs, type }) => (
        `${comment(docs, '  ')}  | { tag: '${name}'${type ? `; val: ${typing(type)}` : ''} }`));
      return `${head}export type ${pascal(name)} =\n${cases.join('\n')};\n`;
    }
    const fields = parts.map(({ name, docs, type }) => {
      const optional = type[0] === 'option';
      const text = optional ? `${typing(type[1])} | undefined` : typing(type);
      return `${comment(docs, '  ')}  ${camel(name)}${optional ? '?' : ''}: ${text};`;
    });
    return `${head}export interface ${pascal(name)} {\n${fields.join('\n')}\n}\n`;
  });
  return `// The types of wit/${file}.\n\n${typings.join('\n')}`;
}

function typing(type) {
  if (Array.isArray(type)) {
    if (type[0] !== 'list') throw new Error(`no typing for ${type}`);
    return type[1] === 'u8' ? 'Uint8Array' : `${typing(type[1])}[]`;
  }
  return { string: 'string', bool: 'boolean', u8: 'number', u16: 'number', u32: 'number' }[type] ?? pascal(type);
}

function comment(docs, indent) {
  if (docs.length === 0) return '';
  if (docs.length === 1) return `${indent}/** ${docs[0]} */\n`;
  return `${indent}/**\n${docs.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`-${name}`);
