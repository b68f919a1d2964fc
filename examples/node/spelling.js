// Conversion between the names of the WIT and the names of this package.

/** Converts the names in a value to the WIT's spelling. */
export function kebab(value) {
  if (value === undefined) return null;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(kebab);
  const name = (key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [name(key), kebab(field)]));
}

/** Converts the field names of a record to camel case. */
export function camel(record) {
  return Object.fromEntries(Object.entries(record).map(([key, field]) => [camelCase(key), field]));
}

export function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
