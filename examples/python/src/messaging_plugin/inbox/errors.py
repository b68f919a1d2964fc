"""Errors of requests to the inbox, grouped by the action that they require. No error contains the token."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why a request failed."""

    code: str
    """The inbox's code of the problem, or `unreachable`, `lease-ended` or `unexpected-reply`."""
    detail: str
    """Description of the problem and its remedy."""
    status: int | None = None
    field: str | None = None
    """The invalid member or parameter."""
    retry_after_ms: int | None = None
    """The inbox's retry hint in milliseconds, if any."""


class InboxError(Exception):
    """Base class of all errors of requests to the inbox."""

    def __init__(self, doing: str, problem: Problem) -> None:
        super().__init__(doing, problem)
        self.doing = doing
        self.code = problem.code
        self.detail = problem.detail
        self.status = problem.status
        self.field = problem.field
        self.retry_after_ms = problem.retry_after_ms

    def __str__(self) -> str:
        field = f"{self.field} " if self.field else ""
        return f"{self.doing}: {self.code}: {field}{self.detail}"


class LeaseLost(InboxError):
    """The lease is lost, and another worker can have the event. Stop working on the event."""


class TokenRefused(InboxError):
    """The inbox rejected the token. Use a valid token."""


class InboxRefused(InboxError):
    """The request or the URL is wrong. Correct the program or its settings."""


class InboxUnavailable(InboxError):
    """The inbox was unreachable or could not serve the request for `retry_timeout_ms`, or for `timeout_ms` in a single
    call. Retry later."""


NOT_AN_INBOX = "the reply is not from an inbox: check the url"


def wrong_reply(doing: str) -> InboxRefused:
    """Returns the error for a reply that does not come from an inbox."""
    return InboxRefused(doing, Problem("unexpected-reply", NOT_AN_INBOX, 200))


def unreachable(doing: str, detail: str) -> InboxUnavailable:
    return InboxUnavailable(doing, Problem("unreachable", detail))


def lease_ended(event_id: int, error: InboxError) -> LeaseLost:
    """Returns the error for a lease that ended before the inbox could be asked for an extension."""
    detail = f"the lease has ended, and could not be extended ({error.detail})"
    return LeaseLost(f"extend of event {event_id}", Problem("lease-ended", detail, error.status))
