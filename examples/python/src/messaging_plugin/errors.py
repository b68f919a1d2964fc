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


class MessagingError(Exception):
    """Every error of a call. `case` is its name in the WIT, `payload` what it carries."""

    case: ClassVar[str]
    retry: Retry = Retry.NEVER
    payload: Any

    def __init__(self, payload: Any = None) -> None:
        super().__init__(payload)
        self.payload = payload

    def __str__(self) -> str:
        text = self._text()
        return f"{self.case}: {text}" if text else self.case

    def _text(self) -> str:
        return ""


class ExecutionFailed(MessagingError):
    """Reserved for engines. The plugin never returns it; another component might."""

    case = "execution-failed"


class InvalidInput(MessagingError):
    """The caller's value is wrong. No request was made."""

    case = "permanent-invalid-input"
    payload: records.InvalidInput

    def _text(self) -> str:
        return f"{self.payload.field} {self.payload.reason}"


class InvalidSettings(MessagingError):
    """A setting is missing or malformed. No request was made."""

    case = "permanent-invalid-settings"
    payload: records.InvalidSettings

    def _text(self) -> str:
        return f"{self.payload.setting} {self.payload.reason}"


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
        return self.payload.detail


class UnexpectedReply(MessagingError):
    """A read was answered with something that is not the documented shape."""

    case = "permanent-unexpected-reply"
    payload: records.UnexpectedReply

    def _text(self) -> str:
        return f"status {self.payload.status}: {self.payload.path} {self.payload.reason}"


class Denied(MessagingError):
    """The allow-list does not hold this destination. Nothing was sent."""

    case = "permanent-denied"
    payload: str

    def _text(self) -> str:
        return self.payload


class RateLimited(MessagingError):
    """429: not carried out. Wait for the hint, then call again."""

    case = "rate-limited"
    retry = Retry.SAFE
    payload: records.RateLimit

    @property
    def retry_after_ms(self) -> int | None:
        """How long the service asks to wait, where it says so."""
        return self.payload.retry_after_ms

    def _text(self) -> str:
        return _refusal(self.payload.refusal)


class NotSent(MessagingError):
    """Proof that no request reached the service."""

    case = "not-sent"
    retry = Retry.SAFE
    payload: records.NotSent

    def _text(self) -> str:
        return self.payload.detail


class Unavailable(MessagingError):
    """A read failed in a way that can pass."""

    case = "unavailable"
    retry = Retry.SAFE
    payload: records.Unavailable

    def _text(self) -> str:
        return self.payload.detail


class PluginCrashed(MessagingError):
    """The component did not bring the call to its end: it trapped, or was stopped.

    The only case that is not the WIT's. After `send_message` the message may exist.
    """

    case = "plugin-crashed"
    payload: str

    def __init__(self, function: str, reason: str) -> None:
        super().__init__(reason)
        self.function = function
        self.retry = Retry.NEVER if function == "send-message" else Retry.SAFE

    def _text(self) -> str:
        return f"{self.function}: {self.payload}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.function, self.payload))


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
    "permanent-denied": (Denied, str),
    "rate-limited": (RateLimited, records.RateLimit),
    "not-sent": (NotSent, records.NotSent),
    "unavailable": (Unavailable, records.Unavailable),
}
"""Each case of the WIT's `error`: its exception, and the type of its payload."""
