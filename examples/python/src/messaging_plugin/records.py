"""The records of the interface as frozen dataclasses. `every-page` becomes `every_page`, an absent option `None`,
and a list a tuple. `wit/types.wit` describes each field.

The order of the fields is the order in the WIT, and therefore in memory; see `abi`."""

from dataclasses import dataclass
from enum import Enum

from .abi import U16, U32


@dataclass(frozen=True)
class Field:
    """An additional request member, whose JSON is sent unchanged."""

    name: str
    json: str


@dataclass(frozen=True)
class CreatedMessage:
    """The service has created the message. Its delivery is not known."""

    id: str
    json: str


@dataclass(frozen=True)
class Template:
    name: str
    status: str
    language: str
    json: str


class IncompleteReason(Enum):
    PAGES_NOT_FOLLOWED = "pages-not-followed"
    PAGE_PARAMETER_IGNORED = "page-parameter-ignored"
    PAGE_REPEATED = "page-repeated"
    PAGE_EMPTY = "page-empty"
    TOTAL_CHANGED = "total-changed"
    CAP_REACHED = "cap-reached"


@dataclass(frozen=True)
class TemplatePage:
    """A list of templates. It is complete if `incomplete` is `None`."""

    templates: tuple[Template, ...]
    total: U32
    page: U32
    size: U32
    incomplete: IncompleteReason | None


@dataclass(frozen=True)
class Event:
    """A valid event. Store it under its key in one atomic step."""

    idempotency_key: str
    message_id: str
    kind: str
    json: str


@dataclass(frozen=True)
class InvalidInput:
    field: str
    detail: str


@dataclass(frozen=True)
class InvalidSettings:
    setting: str
    detail: str


@dataclass(frozen=True)
class FieldDetail:
    field: str | None
    message: str


@dataclass(frozen=True)
class Refusal:
    status: U16
    code: str | None
    message: str | None
    details: tuple[FieldDetail, ...]
    body: str


class Stage(Enum):
    SENDING_REQUEST = "sending-request"
    AWAITING_REPLY = "awaiting-reply"
    READING_REPLY = "reading-reply"
    REPLY_UNCLEAR = "reply-unclear"


@dataclass(frozen=True)
class OutcomeUnknown:
    stage: Stage
    detail: str
    status: U16 | None
    refusal: Refusal | None


@dataclass(frozen=True)
class UnexpectedReply:
    status: U16
    path: str
    detail: str


@dataclass(frozen=True)
class Denied:
    detail: str


@dataclass(frozen=True)
class Other:
    code: str
    detail: str
    status: U16 | None


@dataclass(frozen=True)
class RateLimit:
    retry_after_ms: U32 | None
    refusal: Refusal


@dataclass(frozen=True)
class NotSent:
    detail: str


@dataclass(frozen=True)
class Unavailable:
    detail: str
    status: U16 | None
    retry_after_ms: U32 | None
