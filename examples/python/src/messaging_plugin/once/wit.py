"""The functions of `wit/sans-io-once.wit` and the Python types that `records` does not contain."""

from dataclasses import dataclass
from typing import NamedTuple

from ..abi import U32, Cases, Option, Parameters, itself
from ..records import CreatedMessage, OutcomeUnknown
from ..wit import Done, Interface, MessageRequest, error_case
from . import records
from .errors import BY_CASE

INTERFACE = "messaging:integration/sans-io-once@0.2.0"


@dataclass(slots=True)
class SendOnce:
    key: str
    request: MessageRequest
    base_url: str | None
    random: bytes
    deadline_ms: U32 | None


@dataclass(slots=True)
class LookUp:
    key: str


@dataclass(slots=True)
class ListEntries:
    after: str | None


@dataclass(slots=True)
class Resolve:
    key: str
    resolution: records.Resolution


@dataclass(slots=True)
class Forget:
    key: str


@dataclass(slots=True)
class Now:
    seconds: U32
    milliseconds: U32
    elapsed_ms: U32


# A dataclass with one field has the same layout as this field.


@dataclass(slots=True)
class Found:
    text: str | None


class Swapped:
    """The outcome of a successful swap."""


@dataclass(slots=True)
class Stale:
    text: str | None


@dataclass(slots=True)
class Item:
    key: str
    text: str


@dataclass(slots=True)
class Page:
    items: tuple[Item, ...]
    next: str | None


@dataclass(slots=True)
class JournalFailed:
    refused: bool
    detail: str


@dataclass(slots=True)
class ProviderError:
    name: str
    detail: str
    unknown: OutcomeUnknown | None


@dataclass(slots=True)
class Lost:
    detail: str


class Woke:
    """The outcome of a sleep."""


class Get:
    """A step: read the value of the key."""


@dataclass(slots=True)
class Swap:
    """A step: replace the value of the key."""

    expected: str | None
    new: str


class ListItems(NamedTuple):
    """A step: read a page of the journal."""

    after: str | None


class Send:
    """A step: call the provider."""


class Sleep(NamedTuple):
    """A step: wait."""

    milliseconds: int


class Changed:
    """The result of `resolve` and `forget`."""


Operation = SendOnce | LookUp | ListEntries | Resolve | Forget
Input = Found | Swapped | Stale | Page | JournalFailed | CreatedMessage | ProviderError | Lost | Woke
Step = Get | Swap | ListItems | Send | Sleep | Done

OPERATION = Cases(*[(kind, kind) for kind in (SendOnce, LookUp, ListEntries, Resolve, Forget)])
INPUT = Cases(
    (Found, Found),
    (Swapped, None),
    (Stale, Stale),
    (Page, Page),
    (JournalFailed, JournalFailed),
    (CreatedMessage, CreatedMessage),
    (ProviderError, ProviderError),
    (Lost, Lost),
    (Woke, None),
)
ANSWER = Cases(
    (itself, records.OnceCreated),
    (itself, Option(records.JournalEntry)),
    (itself, records.EntryPage),
    (Changed, None),
)
ERROR = Cases(*[error_case(name, payload) for name, (_, payload) in BY_CASE.items()])
STEP = Cases(
    (Get, None),
    (itself, Swap),
    (ListItems, Option(str)),
    (Send, None),
    (Sleep, U32),
    (Done, Cases((itself, ANSWER), (itself, ERROR))),
)


class _Call:
    """The resource `call`."""

    name = "call"
    begun = Parameters(OPERATION)
    inputs = Parameters(U32, Option(INPUT), Now)
    step = STEP


CALL = _Call()
SANS_IO_ONCE = Interface(INTERFACE, (CALL,))
