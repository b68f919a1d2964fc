"""Errors of requests to the inbox, by what their reader should do. None of them holds the token."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why a request failed."""

    code: str
    """The inbox's own name of the problem, or `unreachable`, `lease-ended` or `unexpected-reply`."""
    detail: str
    """Says to a person what is wrong and what to do."""
    status: int | None = None
    field: str | None = None
    """The member or parameter that is wrong."""
    retry_after_ms: int | None = None
    """The inbox's hint, where it gave one."""


class InboxError(Exception):
    """Every error of a request to the inbox."""

    def __init__(self, doing: str, problem: Problem) -> None:
        super().__init__(doing, problem)
        self.doing = doing
        self.code = problem.code
        self.detail = problem.detail
        self.status = problem.status
        self.field = problem.field
        self.retry_after_ms = problem.retry_after_ms

    def __str__(self) -> str:
        return f"{self.doing}: {self.code}: {self.detail}"


class LeaseLost(InboxError):
    """Somebody else may have the event: stop working on it."""


class TokenRefused(InboxError):
    """There is no such token: give the right one."""


class InboxRefused(InboxError):
    """The request is wrong, or the url: correct the program or its settings."""


class InboxUnavailable(InboxError):
    """The inbox could not be reached, or not do it, for `patience_ms`, or for 10 s in a single call: try again later."""


def wrong_reply(doing: str) -> InboxRefused:
    """A reply of somebody else's."""
    detail = "the reply is none of an inbox: check the url"
    return InboxRefused(doing, Problem("unexpected-reply", detail, 200))


def unreachable(doing: str, detail: str) -> InboxUnavailable:
    return InboxUnavailable(doing, Problem("unreachable", detail))


def lease_ended(event_id: int, error: InboxError) -> LeaseLost:
    """The inbox has not said so, but it could not be asked for more time, either."""
    detail = f"the lease has ended, and could not be extended ({error.detail})"
    return LeaseLost(f"extend of event {event_id}", Problem("lease-ended", detail, error.status))
