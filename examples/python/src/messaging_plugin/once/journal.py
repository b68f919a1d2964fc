"""The interface of a journal. `wit/journal.wit` lists the requirements for an implementation."""

from typing import NamedTuple, Protocol

from .wit import Item, Page

__all__ = ["MAX_TEXT_BYTES", "PAGE_KEYS", "Item", "Journal", "JournalFailure", "Page", "Stale", "too_long"]

MAX_TEXT_BYTES = 64 * 1024
PAGE_KEYS = 500


class Stale(NamedTuple):
    """Outcome of a swap that found a value other than `expected`, and changed nothing."""

    found: str | None


class Journal(Protocol):
    """A store with one value for each key. `swap` changes a value atomically. Several threads call a journal
    concurrently. A journal that cannot answer raises `JournalFailure`."""

    def get(self, key: str) -> str | None:
        """Returns the value of a key."""

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        """Replaces the value of a key if the value equals `expected`. If `expected` is `None`, the key must not exist. A
        swap is atomic for all clients of the journal, and durable when this function returns."""

    def list_items(self, after: str | None) -> Page:
        """Lists keys and their values. `after` is `next` of the previous page; `None` starts at the beginning."""


class JournalFailure(Exception):
    """The journal cannot answer. `refused` is true if nothing was written and retries fail until an operator repairs
    the journal. If `refused` is false, the value may have been written."""

    def __init__(self, detail: str, *, refused: bool = False) -> None:
        super().__init__(detail)
        self.refused = refused


def too_long(text: bytes) -> None:
    """Raises `JournalFailure` if a value is longer than a journal accepts."""
    if len(text) > MAX_TEXT_BYTES:
        raise JournalFailure(f"a value of {len(text)} bytes is too long; the limit is {MAX_TEXT_BYTES}", refused=True)


def page(items: list[Item]) -> Page:
    """Returns a page of at most `PAGE_KEYS` items."""
    return Page(tuple(items), items[-1].key if len(items) == PAGE_KEYS else None)
