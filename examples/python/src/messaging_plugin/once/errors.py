"""Exceptions for the cases that only `send-once` has. After each of these errors, a retry of the call is safe: it
creates no second message."""

from typing import Any

from .. import records as plugin_records
from ..errors import (
    BY_CASE as OF_THE_PLUGIN,
)
from ..errors import ExecutionFailed, MessagingError, Retry
from ..errors import Other as PluginOther
from . import records


class OnceError(MessagingError):
    """Base class of errors of a call that created no message."""

    @property
    def may_exist(self) -> bool:
        """False, because nothing was sent or nothing was created."""
        return False


class KeyReused(OnceError):
    """The key belongs to another request. Nothing was sent."""

    case = "permanent-key-reused"
    payload: records.Failure


class KeyForgotten(OnceError):
    """The key was used, and its outcome was forgotten. Nothing was sent."""

    case = "permanent-key-forgotten"
    payload: records.Failure


class NotRecorded(OnceError):
    """No message was created, and the journal could not record this outcome. Call `resolve` with `NotCreated()`."""

    case = "permanent-not-recorded"
    payload: records.NotRecorded


class JournalUnusable(OnceError):
    """The journal is not set up, or its value for the key is unreadable. Nothing was sent."""

    case = "permanent-journal"
    payload: records.Failure


class Busy(OnceError):
    """Another caller is sending under the key. This call sent nothing."""

    case = "busy"
    payload: records.Busy


class Other(PluginOther):
    """An error with a code of `send-once`, for example `no-entry`."""

    @property
    def may_exist(self) -> bool:
        """True only for the code `call-is-over`. With any other code, this call sent nothing."""
        return self.payload.code == "call-is-over"


class Crashed(ExecutionFailed):
    """The component trapped, or exceeded its memory or time. The message can exist; a retry of the same call
    reports the outcome."""

    payload: str

    @property
    def retry(self) -> Retry:
        """Always `SAFE`, because the key prevents a second message."""
        return Retry.SAFE

    def _text(self) -> str:
        return self.payload


BY_CASE: dict[str, tuple[type[MessagingError] | None, type | None]] = {
    "provider-error": (None, None),
    "permanent-invalid-input": OF_THE_PLUGIN["permanent-invalid-input"],
    "permanent-outcome-unknown": OF_THE_PLUGIN["permanent-outcome-unknown"],
    "permanent-key-reused": (KeyReused, records.Failure),
    "permanent-key-forgotten": (KeyForgotten, records.Failure),
    "permanent-not-recorded": (NotRecorded, records.NotRecorded),
    "permanent-journal": (JournalUnusable, records.Failure),
    "unavailable": OF_THE_PLUGIN["unavailable"],
    "busy": (Busy, records.Busy),
    "permanent-other": (Other, plugin_records.Other),
}
"""Exception and payload type of each case of the WIT's `call-error`."""


def exception(case: str, payload: Any, said: BaseException | None, function: str) -> BaseException:
    """Returns the exception for a case. If the provider's error ended the call, returns that error."""
    kind, _ = BY_CASE[case]
    if kind is not None:
        return kind(payload, function)
    assert said is not None, "the component reports an error that it was not given"
    return said


def unknown_of(error: BaseException) -> plugin_records.OutcomeUnknown | None:
    """Returns the payload of an error about an unknown outcome, otherwise `None`."""
    payload = getattr(error, "payload", None)
    return payload if isinstance(payload, plugin_records.OutcomeUnknown) else None
