"""A common interface of the inbox clients for threads and for asyncio, for tests of their common behavior."""

import asyncio
import inspect
import ssl
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

from inbox_server import TOKEN, Answer, Fault, Server, inbox_server
from messaging_plugin.inbox import AsyncInbox, Inbox

Body = Callable[[Any], Coroutine[Any, Any, object]]
"""Handler of an event in a test. Awaits only through `maybe`."""


async def maybe(value: Any) -> Any:
    """Returns `value`, or its result if `value` is awaitable."""
    return await value if inspect.isawaitable(value) else value


def driven(body: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine that never waits, in the current thread."""
    try:
        body.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("the coroutine waits")


class Client:
    """An inbox client for threads or for asyncio."""

    def __init__(self, kind: str, server: Server | None, **options: Any) -> None:
        if server is not None:
            self.server = server
        self.errors: list[tuple[Exception, Any]] = []
        usual: dict[str, Any] = {"on_error": lambda error, event: self.errors.append((error, event))}
        make = Inbox if kind == "threads" else AsyncInbox
        url = options.pop("url", None)
        self.inbox: Any = make(url or self.server.url, options.pop("token", TOKEN), **usual | options)
        self.is_async = kind == "asyncio"

    def do(self, call: Callable[[], Any]) -> Any:
        """Returns the result of a method, in a new event loop if necessary."""

        async def awaited() -> Any:
            return await maybe(call())

        return asyncio.run(awaited()) if self.is_async else call()

    def lease(self, limit: int = 1, wait_ms: int = 0) -> Any:
        return self.do(lambda: self.inbox.lease(limit, wait_ms))

    def each(self, body: Body) -> None:
        """Runs a loop over events. The loop ends when `body` returns a true value."""
        if self.is_async:

            async def loop() -> None:
                async for event in self.inbox:
                    if await body(event):
                        break

            asyncio.run(loop())
        else:
            for event in self.inbox:
                if driven(body(event)):
                    break

    def run(self, body: Body, **options: Any) -> None:
        if self.is_async:
            asyncio.run(self.inbox.run(body, **options))
        else:
            self.inbox.run(lambda event: driven(body(event)), **options)

    def soon(self, work: Callable[[], Any]) -> "Future[Any]":
        """Runs `work` in another thread."""
        thread = ThreadPoolExecutor(1)
        future = thread.submit(work)
        thread.shutdown(wait=False)
        return future


Make = Callable[..., Client]


def until(condition: Callable[[], object]) -> None:
    for _ in range(10_000):
        if condition():
            return
        time.sleep(0.001)
    raise AssertionError("the condition did not become true")


@pytest.fixture(params=["threads", "asyncio"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    with ExitStack() as stack:

        def client(fault: Fault = lambda asked, count: None, tls: ssl.SSLContext | None = None, **options: Any) -> Client:
            server = stack.enter_context(inbox_server(fault))
            return Client(request.param, server, **options)

        yield client


async def when(client: Client, condition: Callable[[], object]) -> None:
    """Waits for a condition inside a handler."""
    if client.is_async:
        await asyncio.to_thread(until, condition)
    else:
        until(condition)


def on(what: str, wrong: Answer) -> Fault:
    return lambda asked, count: wrong if asked.what == what else None
