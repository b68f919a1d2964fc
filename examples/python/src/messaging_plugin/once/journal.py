"""The interface of a journal. `wit/journal.wit` has the requirements for an implementation."""

from typing import NamedTuple, Protocol

from .wit import Item, Page

__all__ = ["MAX_TEXT_BYTES", "PAGE_KEYS", "Item", "Journal", "JournalFailure", "Page", "Stale", "too_long"]

MAX_TEXT_BYTES = 64 * 1024
PAGE_KEYS = 500


class Stale(NamedTuple):
    """Outcome of a swap that found another value than the expected one, and changed nothing."""

    found: str | None


class Journal(Protocol):
    """Stores one value for each key and changes it atomically. Several threads call it concurrently. A journal that
    cannot answer raises `JournalFailure`."""

    def get(self, key: str) -> str | None:
        """Returns the value of a key."""

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        """Replaces the value of a key if it equals `expected`; `None` means that the key must not exist. Atomic for
        all clients of the journal, and durable when it returns."""

    def list_items(self, after: str | None) -> Page:
        """Lists keys and their values, from the beginning or from the `next` of a page."""


class JournalFailure(Exception):
    """The journal cannot answer. `refused`: nothing was written, and retries fail until an operator repairs the
    journal. False if that is uncertain."""

    def __init__(self, detail: str, *, refused: bool = False) -> None:
        super().__init__(detail)
        self.refused = refused


def too_long(text: bytes) -> None:
    """Raises `JournalFailure` if a value is longer than a journal accepts."""
    if len(text) > MAX_TEXT_BYTES:
        raise JournalFailure(f"the journal takes no text of {len(text)} bytes", refused=True)


def page(items: list[Item]) -> Page:
    """Returns a page of at most `PAGE_KEYS` items."""
    return Page(tuple(items), items[-1].key if len(items) == PAGE_KEYS else None)
