"""Test suite for a journal: the promises of `wit/journal.wit` that one process can check."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from .journal import Journal, Stale

_KEYS = 1_100
_AT_ONCE = 16
"""Number of concurrent requests, small enough for a server that limits connections."""


def check_journal(open_journal: Callable[[], Journal]) -> None:
    """Checks a journal. Raises an `AssertionError` that names the broken promise. Writes only keys that begin with
    `check-` and a random number. `open_journal` returns a new client of the same journal at each call."""
    journal, other = open_journal(), open_journal()
    prefix = f"check-{uuid.uuid4()}-"
    key = f'{prefix}!a/../"key~'
    _is(journal.get(key), None, "an unused key has no value")
    _is(journal.swap(f"{prefix}none", "x", "y"), Stale(None), "a swap that expects a value fails for an unused key")
    _is(journal.swap(key, None, "one"), None, "a swap of the expected value is carried out")
    _is(other.get(key), "one", "a swap is visible to every client")
    for expected in (None, "One"):
        _is(
            other.swap(key, expected, "two"), Stale("one"), "a swap that is not carried out returns the journal's value"
        )
    longest = '"é\\u0000\U0001f642 ' + "x" * (64 * 1024 - 16)
    for before, after in (("one", "two"), ("two", longest), (longest, " "), (" ", "one")):
        _is(other.swap(key, before, after), None, "a swap of the expected value is carried out")
        _is(journal.get(key), after, "a value is kept byte for byte")
    long_key = prefix.ljust(256, "~")
    _is(journal.swap(long_key, None, "one"), None, "keys have up to 256 characters")
    _is(journal.swap(long_key.upper(), None, "two"), None, "keys differ by case")
    _is(journal.get(long_key), "one", "keys differ by case")
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        _one_wins([journal, other], f"{prefix}race", threads)
        _lists_all(journal, other, prefix, threads)


def _one_wins(journals: list[Journal], key: str, threads: ThreadPoolExecutor) -> None:
    outcomes = list(threads.map(lambda n: journals[n % 2].swap(key, None, str(n)), range(_AT_ONCE)))
    winners = [str(n) for n, stale in enumerate(outcomes) if stale is None]
    _is(len(winners), 1, "exactly one of several concurrent swaps is carried out")
    _is(journals[0].get(key), winners[0], "the journal has the value of the swap that was carried out")
    for stale in outcomes:
        if stale is not None:
            _is(stale.found, winners[0], "a swap that is not carried out returns the journal's value")


def _lists_all(journal: Journal, other: Journal, prefix: str, threads: ThreadPoolExecutor) -> None:
    keys = [f"{prefix}list-{n}" for n in range(_KEYS)]
    outcomes = list(threads.map(lambda key: journal.swap(key, None, key), keys))
    _is(outcomes, [None] * _KEYS, "concurrent swaps of different keys are carried out")
    listed: dict[str, str] = {}
    after = None
    while True:
        found = other.list_items(after)
        for item in found.items:
            _is(item.key in listed, False, "a key is on one page")
            listed[item.key] = item.text
        after = found.next
        if after is None:
            break
    _is([listed.get(key) for key in keys], keys, "each key is listed with its value")


def _is(found: object, expected: object, promise: str) -> None:
    if found != expected:
        raise AssertionError(
            f"journal suite: {promise}: expected {str(expected)[:80]!r}, found {str(found)[:80]!r}"
        )
