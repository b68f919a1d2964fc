"""A send that is safe to retry: a key creates at most one message, across calls, processes, machines and restarts.

    once = Once(plugin, SqliteJournal("journal.sqlite"))
    once.send_once("order-17-shipped", "+34600111222", "It is on its way")
"""

from .client import Client, Once, Wait
from .errors import Busy, Crashed, JournalUnusable, KeyForgotten, KeyReused, NotRecorded, OnceError
from .http import HttpJournal
from .journal import Item, Journal, JournalFailure, Page, Stale
from .records import (
    Created,
    EntryPage,
    EntryState,
    JournalEntry,
    MadeResolution,
    NotCreated,
    OnceCreated,
    Resolution,
)
from .sqlite import SqliteJournal
from .suite import check_journal

__all__ = [
    "Busy",
    "Client",
    "Crashed",
    "Created",
    "EntryPage",
    "EntryState",
    "HttpJournal",
    "Item",
    "Journal",
    "JournalEntry",
    "JournalFailure",
    "JournalUnusable",
    "KeyForgotten",
    "KeyReused",
    "MadeResolution",
    "NotCreated",
    "NotRecorded",
    "Once",
    "OnceCreated",
    "OnceError",
    "Page",
    "Resolution",
    "SqliteJournal",
    "Stale",
    "Wait",
    "check_journal",
]
