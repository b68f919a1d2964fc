"""Measures the cost of a call relative to an equal request with other HTTP clients.

    python bench.py [SECONDS]

The simulated service runs in another process. The clients take turns, so load on the machine affects all clients;
compare the ratios. `pip install --editable '.[bench]'` installs the clients.
"""

import asyncio
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import httpx
import urllib3

from by_records import ByRecords
from messaging_plugin import Plugin, Settings, component, wit

FILE = Path(component.__file__).with_name(component.FILE)
BUILT = Path(__file__).resolve().parents[2] / "target" / "debug" / "messaging"
MESSAGING_PROGRAM = Path(os.environ.get("MESSAGING_PROGRAM", BUILT))
PHONE, TEXT = "+34600111222", "Your order is ready"
MESSAGE = {"phone": PHONE, "message": TEXT}
AT_ONCE = 32

EVENT = '{"id":"msg-1","object":"message","event":"message:in:new","text":"' + "x" * 230 + '"}'
HEADERS = {"X-Idempotency-Key": "evt-1", "Content-Type": "application/json"}


@contextmanager
def service(*options: str) -> Iterator[tuple[str, str]]:
    """Yields the base URL and the API key of a simulated service."""
    command = [str(MESSAGING_PROGRAM), "service", "--listen", "127.0.0.1:0", "--json", "--forget", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = ""
        for line in process.stdout:
            text += line
            if line.startswith("}"):
                break
        try:
            yield json.loads(text)["base-url"], json.loads(text)["key"]
        finally:
            process.terminate()


def medians(callers: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Returns the median milliseconds of a call by each caller."""
    times: dict[str, list[float]] = {name: [] for name in callers}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, call in callers.items():
            started = time.perf_counter()
            call()
            times[name].append((time.perf_counter() - started) * 1000)
    return {name: median(values) for name, values in times.items()}


def table(title: str, found: dict[str, float]) -> None:
    print(f"\n| {title} | median | ratio |\n|---|---|---|")
    first = next(iter(found.values()))
    for name, value in found.items():
        print(f"| {name} | {value:.3f} ms | {value / first:.2f} |")


def one_message(plugin: Plugin, base_url: str, key: str, seconds: float) -> None:
    headers = {"Content-Type": "application/json", "Token": key}
    pool = urllib3.PoolManager(retries=False)
    kept = http.client.HTTPConnection(base_url.removeprefix("http://"))

    def by_urllib3() -> None:
        body = json.dumps(MESSAGE).encode()
        reply = pool.request("POST", f"{base_url}/v1/messages", body=body, headers=headers)
        assert reply.status == 201 and json.loads(reply.data)["id"]

    def by_http_client() -> None:
        kept.request("POST", "/v1/messages", json.dumps(MESSAGE).encode(), headers)
        reply = kept.getresponse()
        assert reply.status == 201 and json.loads(reply.read())["id"]

    callers: dict[str, Callable[[], object]] = {
        "urllib3": by_urllib3,
        "http.client": by_http_client,
        "`send_message`": lambda: plugin.send_message(PHONE, TEXT),
    }
    table("one message, a kept connection", medians(callers, seconds))


def without_requests(seconds: float) -> None:
    """Measures the component: a call of `send-message` with an immediate reply."""
    code = component.packaged()
    plugged, by_records = code.instance(), ByRecords(FILE)
    settings = (
        wit.Setting("MESSAGING_BASE_URL", "https://api.example"),
        wit.Setting("MESSAGING_API_KEY", "placeholder-00112233445566778899aabbccddeeff"),
    )
    request = wit.MessageRequest(PHONE, TEXT, None, ())
    reply = wit.HttpReply(201, (), b'{"id":"msg-0001"}', wit.BodyEnd.WHOLE)

    def call(instance: Any) -> None:
        handle = instance.start(wit.SEND, settings, request, 7)
        instance.next(wit.SEND, handle, 0, None)
        assert isinstance(instance.next(wit.SEND, handle, 1, reply), wit.Done)
        instance.drop(wit.SEND, handle)

    callers: dict[str, Callable[[], object]] = {
        "core module, a kept instance (this package)": lambda: call(plugged),
        "core module, a fresh instance": lambda: call(code.instance()),
        "wasmtime-py's component API, a kept instance": lambda: call(by_records),
    }
    table("`send-message` without its request", medians(callers, seconds))


def events(plugin: Plugin, seconds: float) -> None:
    def native() -> None:
        event = json.loads(EVENT)
        assert event["object"] == "message" and event["id"] and event["event"]

    by_records = ByRecords(FILE)
    headers = tuple(wit.Header(name, value) for name, value in HEADERS.items())
    delivery = wit.WebhookDelivery(headers, EVENT)
    callers: dict[str, Callable[[], object]] = {
        "`json.loads` and three checks": native,
        "`handle_event`": lambda: plugin.handle_event(HEADERS, EVENT),
    }
    found = medians(callers, seconds)
    # Runs separately, because this caller displaces too much of the processor's caches.
    other: dict[str, Callable[[], object]] = {
        "wasmtime-py's component API, a kept instance": lambda: by_records.call(wit.HANDLE_EVENT, delivery)
    }
    table("one event of 300 bytes", found | medians(other, seconds))


async def at_once(plugin: Plugin, base_url: str, key: str, seconds: float) -> None:
    headers = {"Content-Type": "application/json", "Token": key}
    times: dict[str, list[float]] = {}

    async def rounds(name: str, send: Callable[[], Awaitable[object]]) -> None:
        started = time.perf_counter()
        await asyncio.gather(*[send() for _ in range(AT_ONCE)])
        times.setdefault(name, []).append((time.perf_counter() - started) * 1000 / AT_ONCE)

    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_ONCE)) as session,
        httpx.AsyncClient(limits=limits, trust_env=False) as client,
    ):

        async def by_aiohttp() -> None:
            body = json.dumps(MESSAGE).encode()
            async with session.post(f"{base_url}/v1/messages", data=body, headers=headers) as reply:
                assert reply.status == 201 and json.loads(await reply.read())["id"]

        async def by_httpx() -> None:
            body = json.dumps(MESSAGE).encode()
            reply = await client.post(f"{base_url}/v1/messages", content=body, headers=headers)
            assert reply.status_code == 201 and reply.json()["id"]

        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await rounds("aiohttp", by_aiohttp)
            await rounds("httpx", by_httpx)
            await rounds("`asend_message`", lambda: plugin.asend_message(PHONE, TEXT))
    table(
        f"{AT_ONCE} messages at once in one thread, time for each",
        {name: median(values) for name, values in times.items()},
    )


def in_threads(plugin: Plugin, seconds: float) -> None:
    print("\n| `send_message`, threads at once | calls per second |\n|---|---|")
    for threads in (1, 2, 8):
        end = time.monotonic() + seconds

        def run(_: int, end: float = end) -> int:
            calls = 0
            while time.monotonic() < end:
                plugin.send_message(PHONE, TEXT)
                calls += 1
            return calls

        with ThreadPoolExecutor(threads) as pool:
            print(f"| {threads} | {sum(pool.map(run, range(threads))) / seconds:.0f} |")


def main(seconds: float) -> None:
    with ExitStack() as stack:
        base_url, key = stack.enter_context(service())
        started = time.perf_counter()
        plugin = stack.enter_context(Plugin(Settings(base_url, key)))
        print(f"loading the component: {(time.perf_counter() - started) * 1000:.0f} ms")
        one_message(plugin, base_url, key, seconds)
        asyncio.run(at_once(plugin, base_url, key, seconds))
        events(plugin, seconds)
        without_requests(seconds)
        in_threads(plugin, seconds)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
