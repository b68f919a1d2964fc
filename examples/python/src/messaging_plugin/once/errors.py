"""Exceptions of a send that may be repeated: the WIT's cases that the plugin does not have. After each of them the
same call can be made again, and creates no second message."""

from typing import Any

from .. import records as plugin_records
from ..errors import (
    BY_CASE as OF_THE_PLUGIN,
)
from ..errors import ExecutionFailed, MessagingError, Retry
from . import records


class OnceError(MessagingError):
    """The message does not exist by this call."""

    @property
    def may_exist(self) -> bool:
        """No: nothing was sent, or nothing was created."""
        return False


class KeyReused(OnceError):
    """The key stands for another request. Nothing was sent."""

    case = "permanent-key-reused"
    payload: records.Failure


class KeyForgotten(OnceError):
    """The key was used, and what became of it was forgotten. Nothing was sent."""

    case = "permanent-key-forgotten"
    payload: records.Failure


class NotRecorded(OnceError):
    """Nothing was created, and the journal could not be told: `resolve` the key as not created."""

    case = "permanent-not-recorded"
    payload: records.NotRecorded


class JournalUnusable(OnceError):
    """The journal is not set up, or has something under the key that cannot be read. Nothing was sent."""

    case = "permanent-journal"
    payload: records.Failure


class Busy(OnceError):
    """Another caller is at work under the key. Nothing was sent by this call."""

    case = "busy"
    payload: records.Busy


class Crashed(ExecutionFailed):
    """The component trapped, or used up its memory or time. The message may exist: the same call, made again, says so."""

    payload: str

    @property
    def retry(self) -> Retry:
        """The key makes it safe."""
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
    "permanent-other": OF_THE_PLUGIN["permanent-other"],
}
"""Each case of the WIT's `call-error`: its exception, and the type of its payload."""


def exception(case: str, payload: Any, said: BaseException | None, function: str) -> BaseException:
    """The exception of a case; where the provider's error ends the call, that error."""
    kind, _ = BY_CASE[case]
    if kind is not None:
        return kind(payload, function)
    assert said is not None, "the component speaks of an error that nobody told it of"
    return said


def unknown_of(error: BaseException) -> plugin_records.OutcomeUnknown | None:
    """The words of an error about an unknown outcome."""
    payload = getattr(error, "payload", None)
    return payload if isinstance(payload, plugin_records.OutcomeUnknown) else None
