"""Exceptions of calls, one for each reaction of a caller."""

from enum import Enum
from typing import Any, ClassVar

from . import records

__all__ = [
    "Denied",
    "ExecutionFailed",
    "InvalidInput",
    "InvalidSettings",
    "MessagingError",
    "NotSent",
    "Other",
    "OutcomeUnknown",
    "PluginCrashed",
    "RateLimited",
    "Refused",
    "Retry",
    "Unauthorized",
    "Unavailable",
    "UnexpectedReply",
]


class Retry(Enum):
    """The retry policy of a failed call."""

    NEVER = "never"
    """Do not repeat the call before you have corrected a value or looked up the outcome."""
    SAFE = "safe"
    """A repeated call cannot have a second effect."""


class MessagingError(Exception):
    """Base class of all errors of a call. `case` is the name of the case in the WIT, and `payload` is its payload.
    `function` is the called function, or `None` if a value was rejected before any call."""

    case: ClassVar[str]
    not_created: ClassVar[bool] = False
    """True if the case proves that no message was created."""
    payload: Any

    def __init__(self, payload: Any = None, function: str | None = None) -> None:
        super().__init__(payload, function)
        self.payload = payload
        self.function = function

    @property
    def may_exist(self) -> bool:
        """True if the failed call may have created a message. Look for the message before you send again."""
        reads = self.function in ("list-templates", "handle-event")
        return not reads and not self.not_created

    @property
    def retry(self) -> Retry:
        """States if the same call may be repeated."""
        never = self.may_exist or self.case.startswith("permanent-")
        return Retry.NEVER if never else Retry.SAFE

    @property
    def retry_after_ms(self) -> int | None:
        """The service's retry hint in milliseconds, if any."""
        hint: int | None = getattr(self.payload, "retry_after_ms", None)
        return hint

    def __str__(self) -> str:
        text = self._text()
        return f"{self.case}: {text}" if text else self.case

    def _text(self) -> str:
        detail: str = getattr(self.payload, "detail", "")
        return detail


class ExecutionFailed(MessagingError):
    """Reserved for workflow engines; the plugin never returns it. After `send_message` the message can exist."""

    case = "execution-failed"


class InvalidInput(MessagingError):
    """A value of the caller is invalid. No request was made."""

    case = "permanent-invalid-input"
    not_created = True
    payload: records.InvalidInput

    def _text(self) -> str:
        return f"{self.payload.field} {self.payload.detail}"


class InvalidSettings(MessagingError):
    """A setting is missing or malformed. No request was made."""

    case = "permanent-invalid-settings"
    not_created = True
    payload: records.InvalidSettings

    def _text(self) -> str:
        return f"{self.payload.setting} {self.payload.detail}"


class Unauthorized(MessagingError):
    """The service rejected the API key with status 401 or 403. The request was not carried out."""

    case = "permanent-unauthorized"
    not_created = True
    payload: records.Refusal

    def _text(self) -> str:
        return _refusal(self.payload)


class Refused(MessagingError):
    """The service rejected the request with a 4xx status that proves that the request was not carried out."""

    case = "permanent-refused"
    not_created = True
    payload: records.Refusal

    def _text(self) -> str:
        return _refusal(self.payload)


class OutcomeUnknown(MessagingError):
    """The message can exist. Look for it before you send again."""

    case = "permanent-outcome-unknown"
    payload: records.OutcomeUnknown

    def _text(self) -> str:
        refusal = self.payload.refusal
        return self.payload.detail + (f": {_refusal(refusal)}" if refusal else "")


class UnexpectedReply(MessagingError):
    """The reply to a read does not have the documented shape."""

    case = "permanent-unexpected-reply"
    payload: records.UnexpectedReply

    def _text(self) -> str:
        return f"status {self.payload.status}: {self.payload.path} {self.payload.detail}"


class Denied(MessagingError):
    """The destination is not in the allow list. Nothing was sent."""

    case = "permanent-denied"
    not_created = True
    payload: records.Denied


class RateLimited(MessagingError):
    """The service replied with status 429. The request was not carried out. Retry after `retry_after_ms`."""

    case = "rate-limited"
    not_created = True
    payload: records.RateLimit

    def _text(self) -> str:
        return _refusal(self.payload.refusal)


class NotSent(MessagingError):
    """No request reached the service."""

    case = "not-sent"
    not_created = True
    payload: records.NotSent


class Unavailable(MessagingError):
    """A read failed temporarily. Retry later."""

    case = "unavailable"
    not_created = True
    payload: records.Unavailable


class Other(MessagingError):
    """An error that fits no other exception, for example a function that the service does not have. After
    `send_message` the message can exist."""

    case = "permanent-other"
    payload: records.Other

    def _text(self) -> str:
        return f"{self.payload.code}: {self.payload.detail}"


class PluginCrashed(MessagingError):
    """The component did not complete the call: it trapped, or exceeded its memory or time.

    The WIT has no such case. After `send_message` the message can exist.
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
"""Exception and payload type of each case of the WIT's `error`, in the order of the WIT, which the ABI uses."""
