// Test suite for a journal: the promises of `wit/journal.wit` that one process can check.

const KEY = '!a/../"key~';
const KEYS = 1_100;
/** Number of concurrent requests, small enough for a server that limits connections. */
const AT_ONCE = 16;

/** Checks a journal. Rejects with an `Error` that names the broken guarantee. Writes only keys that begin with
 *  `check-` and a random number.
 *  @param {() => Promise<object> | object} open returns a new client of the same journal at each call */
export async function checkJournal(open) {
  const [journal, other] = [await open(), await open()];
  const prefix = `check-${crypto.randomUUID()}-`;
  const key = prefix + KEY;
  try {
    is(await journal.get(key), undefined, 'an unused key has no value');
    await swaps(journal, prefix + 'none', 'x', 'y', undefined);
    await swaps(journal, key, undefined, 'one');
    is(await other.get(key), 'one', 'a swap is visible to every client');
    await swaps(other, key, undefined, 'two', 'one');
    await swaps(other, key, 'One', 'two', 'one');
    await swaps(other, key, 'one', 'two');
    is(await journal.get(key), 'two', 'a swap is visible to every client');
    const longest = `"é\\u0000\u{1f642} ${'x'.repeat(64 * 1024 - 16)}`;
    await swaps(journal, key, 'two', longest);
    await swaps(other, key, longest, ' ');
    await swaps(journal, key, ' ', 'one');
    const longKey = prefix.padEnd(256, '~');
    await swaps(journal, longKey, undefined, 'one');
    await swaps(journal, longKey.toUpperCase(), undefined, 'two');
    is(await journal.get(longKey), 'one', 'keys differ by case, and have up to 256 characters');
    await oneWins([journal, other], prefix + 'race');
    await listsAll(journal, other, prefix);
  } finally {
    await Promise.all([journal, other].map((each) => each.close?.()));
  }
}

/** Checks one swap. If `found` is given, the swap must return it instead of writing. */
async function swaps(journal, key, expected, value, ...found) {
  const outcome = await journal.swap(key, expected, value);
  const isSwapped = found.length === 0;
  is(outcome.swapped, isSwapped, `a swap of ${shown(expected)} ${isSwapped ? 'is' : 'is not'} carried out`);
  if (!isSwapped) is(outcome.found ?? undefined, found[0], "a swap that is not carried out returns the journal's value");
}

async function oneWins(journals, key) {
  const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) =>
    journals[index % journals.length].swap(key, undefined, String(index))));
  const winners = outcomes.flatMap(({ swapped }, index) => (swapped ? [String(index)] : []));
  is(winners.length, 1, 'exactly one of several concurrent swaps is carried out');
  is(await journals[0].get(key), winners[0], 'the journal has the value of the swap that was carried out');
  for (const { swapped, found } of outcomes) {
    if (!swapped) is(found, winners[0], "a swap that is not carried out returns the journal's value");
  }
}

async function listsAll(journal, other, prefix) {
  const keys = Array.from({ length: KEYS }, (_, index) => `${prefix}list-${index}`);
  for (let from = 0; from < KEYS; from += AT_ONCE) {
    const outcomes = await Promise.all(keys.slice(from, from + AT_ONCE).map((key) => journal.swap(key, undefined, key)));
    is(outcomes.every(({ swapped }) => swapped), true, 'concurrent swaps of different keys are carried out');
  }
  const listed = new Map();
  for (let after; ;) {
    const { items, next } = await other.listItems(after);
    for (const { key, text } of items) {
      is(listed.has(key), false, 'a key is on one page');
      listed.set(key, text);
    }
    if ((next ?? undefined) === undefined) break;
    after = next;
  }
  is(keys.every((key) => listed.get(key) === key), true, 'each key is listed with its value');
}

function is(found, expected, promise) {
  if (found !== expected) throw new Error(`journal suite: ${promise}: expected ${shown(expected)}, found ${shown(found)}`);
}

const shown = (value) => String(JSON.stringify(value)).slice(0, 80);
