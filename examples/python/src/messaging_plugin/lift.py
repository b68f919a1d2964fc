"""From wasmtime's values to this package's."""

from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from wasmtime.component import Variant

from . import records
from .errors import BY_CASE, MessagingError, Other

T = TypeVar("T")


def lift(kind: type[T], raw: Any) -> T:
    """`raw` as a dataclass, an enum or a plain value; types that do not fit are an error."""
    return cast(T, _lift(kind, raw))


def lift_error(raw: Variant, function: str) -> MessagingError:
    """The exception that stands for a case of `error`, which `function` returned."""
    if raw.tag in BY_CASE:
        exception, payload = BY_CASE[raw.tag]
        return exception(None if payload is None else _lift(payload, raw.payload), function)
    # A case that is not known here is `permanent-other`, whatever its name promises.
    held = getattr(raw.payload, "__dict__", {"detail": repr(raw.payload)})
    detail, status = held.get("detail"), held.get("status")
    other = records.Other(
        code=raw.tag,
        detail=detail if isinstance(detail, str) else repr(held),
        status=status if isinstance(status, int) else None,
    )
    return Other(other, function)


def _lift(kind: Any, raw: Any) -> Any:
    if get_origin(kind) is UnionType:
        (some,) = (part for part in get_args(kind) if part is not type(None))
        return None if raw is None else _lift(some, raw)
    if get_origin(kind) is tuple:
        (element, _) = get_args(kind)
        return tuple(_lift(element, item) for item in raw)
    if issubclass(kind, Enum):
        return kind(raw)
    if is_dataclass(kind):
        return _record(kind, raw)
    if type(raw) is not kind:
        raise TypeError(f"expected {kind.__name__}, found {type(raw).__name__}")
    return raw


def _record(kind: Any, raw: Any) -> Any:
    return kind(*[_lift(part, getattr(raw, name)) for name, part in _fields(kind)])


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name.replace("_", "-"), hints[field.name]) for field in fields(kind))
