"""A send that may be repeated: under one key at most one message, across calls, processes, machines and restarts.

    once = Once(plugin, SqliteJournal("journal.sqlite"))
    once.send_once("order-17-shipped", "+34600111222", "It is on its way")
"""

from .client import Client, Once
from .errors import Busy, Crashed, JournalUnusable, KeyForgotten, KeyReused, NotRecorded, OnceError
from .http import HttpJournal
from .journal import Item, Journal, JournalFailure, Page, Stale
from .postgres import PostgresJournal
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
    "PostgresJournal",
    "Resolution",
    "SqliteJournal",
    "Stale",
]
