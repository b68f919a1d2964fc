"""The interface's records, as frozen dataclasses: `every-page` becomes `every_page`,
an absent option `None`, a list a tuple. `wit/messaging.wit` says what each field means."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Field:
    """A further member of a request, whose JSON is sent as it is."""

    name: str
    json: str


@dataclass(frozen=True)
class CreatedMessage:
    """The service has created the message. Whether it reached anyone is not known."""

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
    """Templates: all of them where `incomplete` is `None`."""

    templates: tuple[Template, ...]
    total: int
    page: int
    size: int
    incomplete: IncompleteReason | None


@dataclass(frozen=True)
class Event:
    """A valid event. Store it under its key, in one atomic step."""

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
    status: int
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
    status: int | None
    refusal: Refusal | None


@dataclass(frozen=True)
class UnexpectedReply:
    status: int
    path: str
    detail: str


@dataclass(frozen=True)
class Denied:
    detail: str


@dataclass(frozen=True)
class Other:
    code: str
    detail: str
    status: int | None


@dataclass(frozen=True)
class RateLimit:
    retry_after_ms: int | None
    refusal: Refusal


@dataclass(frozen=True)
class NotSent:
    detail: str


@dataclass(frozen=True)
class Unavailable:
    detail: str
    status: int | None
    retry_after_ms: int | None
