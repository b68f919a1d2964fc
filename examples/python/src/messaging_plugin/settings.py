"""The settings of a plugin. `repr` and `str` of the settings do not show the API key."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from . import records
from .errors import InvalidSettings


BASE_URL = "MESSAGING_BASE_URL"
DEADLINE_MS = "MESSAGING_DEADLINE_MS"
_MOST_DEADLINE_MS = 600_000


class Secret:
    """A string that `repr` and `str` do not show. Only `reveal` returns the string."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"api_key has to be a str, not {type(value).__name__}")
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return f"{type(self).__name__}(hidden)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class ApiKey(Secret):
    """The API key."""

    __slots__ = ()


class Variables:
    """The settings as `MESSAGING_*` variables. Other variables are ignored.

    Use this class if you already have variables. `Settings` is the typed alternative.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str]) -> None:
        for name, value in values.items():
            if not isinstance(value, str):
                raise TypeError(f"{name} has to be a str")
            if not is_unicode(name + value):
                raise InvalidSettings(
                    records.InvalidSettings(ascii(name)[1:-1], "contains half a surrogate pair")
                )
        self._values = dict(values)

    def get(self, name: str) -> str | None:
        return self._values.get(name)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._values.items())

    def __repr__(self) -> str:
        return f"Variables({', '.join(self._values)})"


@dataclass(frozen=True)
class Settings:
    """The settings of `wit/README.md`. `None` means the default. A value of a wrong type raises `TypeError`,
    because `"false"` would count as true, and `b"key"` would become the key `b'key'`."""

    base_url: str
    api_key: ApiKey | str = field(repr=False)
    deadline_ms: int | None = None
    max_attempts: int | None = None
    max_reply_bytes: int | None = None
    max_message_bytes: int | None = None
    allow_http: bool = False
    retry_rate_limited: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.api_key, ApiKey):
            object.__setattr__(self, "api_key", ApiKey(self.api_key))
        if not isinstance(self.base_url, str):
            raise TypeError(f"base_url has to be a str, not {type(self.base_url).__name__}")
        for name in ("deadline_ms", "max_attempts", "max_reply_bytes", "max_message_bytes"):
            check_int(name, getattr(self, name))
        for name in ("allow_http", "retry_rate_limited"):
            value = getattr(self, name)
            if type(value) is not bool:
                raise TypeError(f"{name} has to be a bool, not {type(value).__name__}")

    def variables(self) -> Variables:
        """Returns the settings as variables of the component."""
        key = self.api_key.reveal() if isinstance(self.api_key, ApiKey) else self.api_key
        values = {
            BASE_URL: self.base_url,
            "MESSAGING_API_KEY": key,
            DEADLINE_MS: self.deadline_ms,
            "MESSAGING_MAX_ATTEMPTS": self.max_attempts,
            "MESSAGING_MAX_REPLY_BYTES": self.max_reply_bytes,
            "MESSAGING_MAX_MESSAGE_BYTES": self.max_message_bytes,
            "MESSAGING_ALLOW_HTTP": "true" if self.allow_http else None,
            "MESSAGING_RETRY_RATE_LIMITED": None if self.retry_rate_limited else "false",
        }
        return Variables({name: str(value) for name, value in values.items() if value is not None})


def check_int(name: str, value: object) -> None:
    """Raises `TypeError` if the value is neither an `int` nor `None`. A `bool` also raises `TypeError`."""
    if value is not None and type(value) is not int:
        raise TypeError(f"{name} has to be an int, not {type(value).__name__}")


def deadline_ms(value: str | int | None) -> int | None:
    """Parses a deadline by the rules of the component. Raises `InvalidSettings`."""
    if value is None:
        return None
    digits = re.fullmatch("0*([1-9][0-9]{0,5})", str(value))
    if digits and int(digits[1]) <= _MOST_DEADLINE_MS:
        return int(digits[1])
    detail = f"is not a whole number from 1 to {_MOST_DEADLINE_MS}"
    raise InvalidSettings(records.InvalidSettings(DEADLINE_MS, detail))


def text_of(error: object) -> str:
    """Returns the text of an error, without lone surrogates. An error of the caller can fail to have a text."""
    try:
        text = str(error)
    except Exception:
        text = "an error without a text"
    return text.encode("utf-8", "replace").decode()


def is_unicode(text: str) -> bool:
    """Returns true if UTF-8 can encode the text. A Python string can contain a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
