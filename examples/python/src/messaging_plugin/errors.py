"""One exception for each thing that a caller would do differently."""

from enum import Enum
from typing import Any, ClassVar

from . import records


class Retry(Enum):
    """Whether the same call may be made again."""

    NEVER = "never"
    """Something has to be corrected, or looked up, first."""
    SAFE = "safe"
    """Calling again cannot duplicate anything."""


NOT_CREATED = frozenset(
    {
        "permanent-invalid-input",
        "permanent-invalid-settings",
        "permanent-unauthorized",
        "permanent-refused",
        "permanent-denied",
        "rate-limited",
        "not-sent",
        "unavailable",
    }
)
"""The cases which say that no message was created."""


class MessagingError(Exception):
    """Every error of a call. `case` is its name in the WIT, `payload` what it carries,
    `function` what was called: `None` where a value was refused before any call."""

    case: ClassVar[str]
    payload: Any

    def __init__(self, payload: Any = None, function: str | None = None) -> None:
        super().__init__(payload, function)
        self.payload = payload
        self.function = function

    @property
    def may_exist(self) -> bool:
        """Whether there may be a message that `send_message` did not return. Look first."""
        reads = self.function in ("list-templates", "handle-event")
        return not reads and self.case not in NOT_CREATED

    @property
    def retry(self) -> Retry:
        """Whether the same call may be made again."""
        never = self.may_exist or self.case.startswith("permanent-")
        return Retry.NEVER if never else Retry.SAFE

    @property
    def retry_after_ms(self) -> int | None:
        """How long the service asks to wait before another call, where it says so."""
        hint: int | None = getattr(self.payload, "retry_after_ms", None)
        return hint

    def __str__(self) -> str:
        text = self._text()
        return f"{self.case}: {text}" if text else self.case

    def _text(self) -> str:
        detail: str = getattr(self.payload, "detail", "")
        return detail


class ExecutionFailed(MessagingError):
    """Reserved for engines; the plugin never returns it. After `send_message` the message
    may exist."""

    case = "execution-failed"


class InvalidInput(MessagingError):
    """The caller's value is wrong. No request was made."""

    case = "permanent-invalid-input"
    payload: records.InvalidInput

    def _text(self) -> str:
        return f"{self.payload.field} {self.payload.detail}"


class InvalidSettings(MessagingError):
    """A setting is missing or malformed. No request was made."""

    case = "permanent-invalid-settings"
    payload: records.InvalidSettings

    def _text(self) -> str:
        return f"{self.payload.setting} {self.payload.detail}"


class Unauthorized(MessagingError):
    """401 or 403. Nothing was done."""

    case = "permanent-unauthorized"
    payload: records.Refusal

    def _text(self) -> str:
        return _refusal(self.payload)


class Refused(MessagingError):
    """Another 4xx which says that the request was not carried out."""

    case = "permanent-refused"
    payload: records.Refusal

    def _text(self) -> str:
        return _refusal(self.payload)


class OutcomeUnknown(MessagingError):
    """The message may exist. Look before sending again."""

    case = "permanent-outcome-unknown"
    payload: records.OutcomeUnknown

    def _text(self) -> str:
        refusal = self.payload.refusal
        return self.payload.detail + (f": {_refusal(refusal)}" if refusal else "")


class UnexpectedReply(MessagingError):
    """A read was answered with something that is not the documented shape."""

    case = "permanent-unexpected-reply"
    payload: records.UnexpectedReply

    def _text(self) -> str:
        return f"status {self.payload.status}: {self.payload.path} {self.payload.detail}"


class Denied(MessagingError):
    """The allow-list does not hold this destination. Nothing was sent."""

    case = "permanent-denied"
    payload: records.Denied


class RateLimited(MessagingError):
    """429: not carried out. Wait for the hint, then call again."""

    case = "rate-limited"
    payload: records.RateLimit

    def _text(self) -> str:
        return _refusal(self.payload.refusal)


class NotSent(MessagingError):
    """Proof that no request reached the service."""

    case = "not-sent"
    payload: records.NotSent


class Unavailable(MessagingError):
    """A read failed in a way that can pass."""

    case = "unavailable"
    payload: records.Unavailable


class Other(MessagingError):
    """Errors that no other exception fits, such as a function that the service does not have.
    After `send_message` the message may exist."""

    case = "permanent-other"
    payload: records.Other

    def _text(self) -> str:
        return f"{self.payload.code}: {self.payload.detail}"


class PluginCrashed(MessagingError):
    """The component did not bring the call to its end: it trapped, or used up its memory or time.

    The only case that is not the WIT's. After `send_message` the message may exist.
    """

    case = "plugin-crashed"
    payload: str

    def _text(self) -> str:
        return f"{self.function}: {self.payload}"


def _refusal(refusal: records.Refusal) -> str:
    text = refusal.message or refusal.code
    return f"status {refusal.status}: {text}" if text else f"status {refusal.status}"


BY_CASE: dict[str, tuple[type[MessagingError], type | None]] = {
    "execution-failed": (ExecutionFailed, None),
    "permanent-invalid-input": (InvalidInput, records.InvalidInput),
    "permanent-invalid-settings": (InvalidSettings, records.InvalidSettings),
    "permanent-unauthorized": (Unauthorized, records.Refusal),
    "permanent-refused": (Refused, records.Refusal),
    "permanent-outcome-unknown": (OutcomeUnknown, records.OutcomeUnknown),
    "permanent-unexpected-reply": (UnexpectedReply, records.UnexpectedReply),
    "permanent-denied": (Denied, records.Denied),
    "rate-limited": (RateLimited, records.RateLimit),
    "not-sent": (NotSent, records.NotSent),
    "unavailable": (Unavailable, records.Unavailable),
    "permanent-other": (Other, records.Other),
}
"""Each case of the WIT's `error`: its exception, and the type of its payload."""
