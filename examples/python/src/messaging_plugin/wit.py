"""The functions of `wit/sans-io.wit` and the Python types that `records` does not contain."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple, Protocol

from . import records
from .abi import U16, U32, Cases, Layout, Option, Parameters, itself
from .errors import BY_CASE

INTERFACE = "messaging:integration/sans-io@0.2.0"


class Resource(Protocol):
    """A resource whose `next` advances a call."""

    @property
    def name(self) -> str:
        """Name in the WIT."""

    @property
    def begun(self) -> Parameters:
        """Parameters of the constructor."""

    @property
    def inputs(self) -> Parameters:
        """Parameters of `next`, including the resource itself."""

    @property
    def step(self) -> Layout:
        """Result of `next`."""


@dataclass(frozen=True)
class Function:
    """A function that does not belong to a resource."""

    name: str
    given: Parameters
    result: Layout


@dataclass(frozen=True)
class Interface:
    """Exports of a component."""

    name: str
    resources: tuple[Resource, ...]
    functions: tuple[Function, ...] = ()


@dataclass(slots=True)
class Header:
    name: str
    value: str


@dataclass(slots=True)
class Setting:
    name: str
    value: str


@dataclass(slots=True)
class QueryParameter:
    name: str
    value: str


@dataclass(slots=True)
class MessageRequest:
    phone: str
    message: str
    device: str | None
    fields: tuple[records.Field, ...]


@dataclass(slots=True)
class TemplateQuery:
    status: str | None
    parameters: tuple[QueryParameter, ...]
    every_page: str | None


@dataclass(slots=True)
class WebhookDelivery:
    headers: tuple[Header, ...]
    body: str


@dataclass(slots=True)
class HttpRequest:
    """A step: make a request."""

    method: str
    url: str
    headers: tuple[Header, ...]
    body: bytes
    time_left_ms: U32
    max_reply_bytes: U32


class BodyEnd(Enum):
    WHOLE = "whole"
    BROKEN = "broken"
    TOO_LARGE = "too-large"
    LATE = "late"
    WITHHELD = "withheld"


@dataclass(slots=True)
class HttpReply:
    status: U16
    headers: tuple[Header, ...]
    body: bytes
    ended: BodyEnd


class Failure(Enum):
    NOT_REACHED = "not-reached"
    DENIED = "denied"
    LATE = "late"
    BROKEN = "broken"


@dataclass(slots=True)
class Failed:
    failure: Failure
    detail: str


class Waited:
    """The outcome of a wait."""


class Wait(NamedTuple):
    """A step: wait."""

    milliseconds: int


class Done(NamedTuple):
    """The end of a call: its value, or the case of `error` with its payload."""

    result: "object | Error"


class Error(NamedTuple):
    case: str
    payload: object


def error_case(name: str, payload: type | None) -> tuple[Callable[..., Error], type | None]:
    return (lambda value=None: Error(name, value), payload)


Input = HttpReply | Failed | Waited
Step = HttpRequest | Wait | Done

INPUT = Cases((HttpReply, HttpReply), (Failed, Failed), (Waited, None))
ERROR = Cases(*[error_case(name, payload) for name, (_, payload) in BY_CASE.items()])


def _result(kind: type) -> Cases:
    return Cases((itself, kind), (itself, ERROR))


def _step(kind: type) -> Cases:
    return Cases((itself, HttpRequest), (Wait, U32), (Done, _result(kind)))


@dataclass(frozen=True)
class CallKind:
    """A resource of this interface."""

    name: str
    argument: type
    result: type

    @cached_property
    def begun(self) -> Parameters:
        """Parameters of the constructor."""
        return Parameters(tuple[Setting, ...], self.argument, U32)

    @cached_property
    def inputs(self) -> Parameters:
        """Parameters of `next`, including the resource itself."""
        return Parameters(U32, U32, Option(INPUT))

    @cached_property
    def step(self) -> Cases:
        """Result of `next`."""
        return _step(self.result)


SEND = CallKind("send-call", MessageRequest, records.CreatedMessage)
LIST = CallKind("list-call", TemplateQuery, records.TemplatePage)
HANDLE_EVENT = Function("handle-event", Parameters(WebhookDelivery), _result(records.Event))
SANS_IO = Interface(INTERFACE, (SEND, LIST), (HANDLE_EVENT,))
