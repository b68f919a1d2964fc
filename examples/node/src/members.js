// Rejection of unknown members, which would otherwise be dropped without notice.

/** Throws a `TypeError` if an object has a member that is not in `names`.
 *  @param {string} kind description of the object, with an article
 *  @param {(name: string) => string} [other] advice for a name that resembles no member */
export function onlyMembers(given, names, kind, other = () => `use ${names.join(', ')}`) {
  object(given, names, kind);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    throw new TypeError(`${name} is not a member of ${kind}; ${near ? `did you mean ${near}?` : other(name)}`);
  }
}

/** Returns `given`. Throws a `TypeError` if it is not an object with members, such as a number or a signal. */
export function object(given, names, kind) {
  if (Object.prototype.toString.call(given) === '[object Object]') return given;
  throw new TypeError(`${kind}: not an object with members; use ${names.join(', ')}`);
}

/** Returns the name in `names` that differs from `name` in up to two characters. */
export function nearest(name, names) {
  const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const [best] = names
    .map((known) => ({ known, edits: edits(plain(name), plain(known)) }))
    .filter(({ known, edits }) => edits <= Math.min(2, known.length / 3))
    .sort((one, other) => one.edits - other.edits);
  return best?.known;
}

/** Returns the number of inserted, removed and replaced characters between two words. */
function edits(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, char] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) {
      next.push(Math.min(next[at] + 1, row[at + 1] + 1, row[at] + Number(char !== to[at])));
    }
    row = next;
  }
  return row[to.length];
}
