"""The interface of a journal: `wit/journal.wit` says what an implementation promises."""

from typing import NamedTuple, Protocol

from .wit import Item, Page

__all__ = ["MAX_TEXT_BYTES", "PAGE_KEYS", "Item", "Journal", "JournalFailure", "Page", "Stale", "too_long"]

MAX_TEXT_BYTES = 64 * 1024
PAGE_KEYS = 500


class Stale(NamedTuple):
    """The outcome of a swap that found another text than the expected one, and changed nothing."""

    found: str | None


class Journal(Protocol):
    """Where it is remembered what became of each key: one text for each, changed in atomic steps. Called from
    several threads at once. Where there is no answer it raises `JournalFailure`."""

    def get(self, key: str) -> str | None:
        """The text of a key."""

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        """Gives a key a new text if its text is the expected one; `None` expects none. Atomic for all who share the
        journal, and durable when it has returned."""

    def list_items(self, after: str | None) -> Page:
        """Keys and their texts, from the beginning or from a page's `next`."""


class JournalFailure(Exception):
    """There is no answer. `refused`: nothing was written, and nothing will be, until somebody mends it; in doubt not."""

    def __init__(self, detail: str, *, refused: bool = False) -> None:
        super().__init__(detail)
        self.refused = refused


def too_long(text: bytes) -> None:
    """Raises `JournalFailure` for a text that no journal takes."""
    if len(text) > MAX_TEXT_BYTES:
        raise JournalFailure(f"the journal takes no text of {len(text)} bytes", refused=True)


def page(items: list[Item]) -> Page:
    """A page of at most `PAGE_KEYS`."""
    return Page(tuple(items), items[-1].key if len(items) == PAGE_KEYS else None)
