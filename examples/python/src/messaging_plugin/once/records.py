"""The types of `once-types` in `wit/types.wit` that callers meet, as Python has them; `records` has those that the
plugin shares. The order of the fields is that of the WIT, and so that of the memory: see `abi`."""

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
    """The reply. `None` where this is a repetition and the reply was too long to be kept, or a person named the
    message."""
    replayed: bool
    """Whether an earlier call created it: nothing was sent now."""
    recorded: bool
    """Whether the journal has it. Where it does not, later calls get `OutcomeUnknown`, until `resolve`."""


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
    """The service has the message, by this identifier."""

    id: str


@dataclass(frozen=True)
class NotCreated:
    """The service has no message. The key is free for the same request."""


Resolved = Annotated[Created | NotCreated, Cases((Created, Created), (NotCreated, None))]
"""The service's state, as somebody found who looked."""


@dataclass(frozen=True)
class Resolution:
    """A person's decision about a key whose outcome was unknown."""

    attempt: U32
    """The attempt that was looked for: `attempts` of the entry."""
    found: Resolved
    by: str
    reason: str


@dataclass(frozen=True)
class MadeResolution:
    resolution: Resolution
    at: str
    """When, as RFC 3339 in UTC."""


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
    """Some of the journal's entries."""

    entries: tuple[JournalEntry, ...]
    unreadable: tuple[str, ...]
    """Keys of this page whose entry cannot be read."""
    next: str | None
    """Where the next page begins; `None` after the last one."""
