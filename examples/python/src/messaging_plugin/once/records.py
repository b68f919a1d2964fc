"""The public types of `once-types` in `wit/types.wit`. `messaging_plugin.records` has the types of `types`.
The order of the fields is the order in the WIT, and therefore in memory; see `abi`."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from ..abi import U32, Cases
from ..records import OutcomeUnknown


@dataclass(frozen=True)
class OnceCreated:
    """A message that exists."""

    id: str
    json: str | None
    """The reply. `None` for a replayed result if the reply was too long to store, or if an operator resolved the
    outcome."""
    replayed: bool
    """True if an earlier call created the message. This call then sent nothing."""
    recorded: bool
    """True if the journal has recorded the message. If false, later calls raise `OutcomeUnknown` until
    `resolve`."""


@dataclass(frozen=True)
class Busy:
    detail: str
    retry_after_ms: U32 | None


@dataclass(frozen=True)
class NotRecorded:
    error: str
    detail: str


@dataclass(frozen=True)
class Failure:
    detail: str


@dataclass(frozen=True)
class Created:
    """The service has the message under this ID."""

    id: str


@dataclass(frozen=True)
class NotCreated:
    """The service has no message. The same request can use the key again."""


Resolved = Annotated[Created | NotCreated, Cases((Created, Created), (NotCreated, None))]
"""The result of an operator's search for the message in the service."""


@dataclass(frozen=True)
class Resolution:
    """An operator's answer for a key whose outcome was unknown."""

    attempt: U32
    """Number of the attempt that the operator checked: `attempts` of the entry."""
    found: Resolved
    by: str
    reason: str


@dataclass(frozen=True)
class MadeResolution:
    resolution: Resolution
    at: str
    """Time of the resolution, as RFC 3339 in UTC."""


class EntryState(Enum):
    SENDING = "sending"
    UNKNOWN = "unknown"
    CREATED = "created"
    NOT_CREATED = "not-created"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True)
class JournalEntry:
    """The journal's entry of a key. Times are RFC 3339 in UTC."""

    key: str
    state: EntryState
    began: str
    gives_up: str
    ended: str | None
    attempts: U32
    id: str | None
    json: str | None
    outcome: OutcomeUnknown | None
    error: str | None
    resolutions: tuple[MadeResolution, ...]
    also_created: tuple[str, ...]


@dataclass(frozen=True)
class EntryPage:
    """A page of the journal's entries."""

    entries: tuple[JournalEntry, ...]
    unreadable: tuple[str, ...]
    """Keys of this page whose entries are unreadable."""
    next: str | None
    """Start of the next page; `None` on the last page."""
