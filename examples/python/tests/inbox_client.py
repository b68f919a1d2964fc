"""Both clients of an inbox as one, for tests of what they have in common."""

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
"""Work on an event. It awaits nothing but `maybe`."""


async def maybe(value: Any) -> Any:
    """Takes what a method gives, awaited where it has to be."""
    return await value if inspect.isawaitable(value) else value


def driven(body: Coroutine[Any, Any, Any]) -> Any:
    """Runs in a thread what has nothing to wait for."""
    try:
        body.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


class Client:
    """An inbox, whichever client of the two it is of."""

    def __init__(self, kind: str, server: Server | None, **options: Any) -> None:
        if server is not None:
            self.server = server
        self.told: list[tuple[Exception, Any]] = []
        usual: dict[str, Any] = {"on_error": lambda error, event: self.told.append((error, event))}
        make = Inbox if kind == "threads" else AsyncInbox
        url = options.pop("url", None)
        self.inbox: Any = make(url or self.server.url, options.pop("token", TOKEN), **usual | options)
        self.is_async = kind == "asyncio"

    def do(self, call: Callable[[], Any]) -> Any:
        """Takes what a method gives, in an event loop of its own where it needs one."""

        async def awaited() -> Any:
            return await maybe(call())

        return asyncio.run(awaited()) if self.is_async else call()

    def lease(self, limit: int = 1, wait_ms: int = 0) -> Any:
        return self.do(lambda: self.inbox.lease(limit, wait_ms))

    def each(self, body: Body) -> None:
        """A loop, which ends with the first body that returns something."""
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
        """The same in a thread of its own."""
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
    raise AssertionError("never so")


@pytest.fixture(params=["threads", "asyncio"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    with ExitStack() as stack:

        def client(fault: Fault = lambda asked, count: None, tls: ssl.SSLContext | None = None, **options: Any) -> Client:
            server = stack.enter_context(inbox_server(fault))
            return Client(request.param, server, **options)

        yield client


async def when(client: Client, condition: Callable[[], object]) -> None:
    """Waits as a handler does."""
    if client.is_async:
        await asyncio.to_thread(until, condition)
    else:
        until(condition)


def on(what: str, wrong: Answer) -> Fault:
    return lambda asked, count: wrong if asked.what == what else None
