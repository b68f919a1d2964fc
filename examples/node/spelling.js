// Names as the WIT and as this package spell them.

/** The WIT's spelling of a value. */
export function kebab(value) {
  if (value === undefined) return null;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(kebab);
  const name = (key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [name(key), kebab(field)]));
}

/** A record's fields as this package spells them. */
export function camel(record) {
  return Object.fromEntries(Object.entries(record).map(([key, field]) => [camelCase(key), field]));
}

export function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
