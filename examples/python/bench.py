"""What a call costs, against the same request made with http.client.

    python bench.py [SECONDS]

The simulated service runs in another process. The callers take turns, so that a busy
machine slows all of them: read the ratios.
"""

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from conform import COMPONENT, HOST_TEST
from messaging_plugin import Plugin, Settings

EVENT = '{"id":"msg-1","object":"message","event":"message:in:new","text":"' + "x" * 230 + '"}'
HEADERS = {"X-Idempotency-Key": "evt-1", "Content-Type": "application/json"}


def native_event() -> None:
    event = json.loads(EVENT)
    assert event["object"] == "message" and event["id"] and event["event"]


class Native:
    """http.client, on a new connection for each request as wasmtime-py's, or on a kept one."""

    def __init__(self, address: str, key: str) -> None:
        self._address = address
        self._headers = {"Content-Type": "application/json", "Token": key}
        self._kept = http.client.HTTPConnection(address)

    def kept(self) -> None:
        self._send(self._kept)

    def new(self) -> None:
        connection = http.client.HTTPConnection(self._address)
        self._send(connection)
        connection.close()

    def _send(self, connection: http.client.HTTPConnection) -> None:
        body = json.dumps({"phone": "+34600111222", "message": "Your order is ready"}).encode()
        connection.request("POST", "/v1/messages", body, self._headers)
        answer = connection.getresponse()
        assert answer.status == 201 and json.loads(answer.read())["id"]


def medians(callers: dict[str, Callable[[], object]], seconds: float) -> dict[str, float]:
    """Milliseconds a call."""
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
        print(f"| {name} | {value:.3f} ms | {value / first:.1f} |")


def rate(call: Callable[[], object], threads: int, seconds: float) -> float:
    """Calls a second."""
    end = time.monotonic() + seconds

    def run(_: int) -> int:
        calls = 0
        while time.monotonic() < end:
            call()
            calls += 1
        return calls

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(run, range(threads))) / seconds


def counted(during: Callable[[], object]) -> float:
    """How fast this thread counts while another one makes calls, in counts a second."""
    thread = threading.Thread(target=during)
    count, started = 0, time.perf_counter()
    thread.start()
    while thread.is_alive():
        count += 1
    return count / (time.perf_counter() - started)


def main(seconds: float) -> None:
    command = [str(HOST_TEST), "service", "--listen", "127.0.0.1:0", "--json", "--forget"]

    def service(*options: str) -> tuple[subprocess.Popen[str], str, str]:
        process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        text = ""
        for line in process.stdout:
            text += line
            if line.startswith("}"):
                break
        return process, json.loads(text)["base-url"], json.loads(text)["key"]

    fast, base_url, key = service()
    slow, slow_url, _ = service("--latency-ms", "500")
    try:
        native = Native(base_url.removeprefix("http://"), key)
        started = time.perf_counter()
        plugin = Plugin(Path(COMPONENT), Settings(base_url, key))
        print(f"loading the component: {(time.perf_counter() - started) * 1000:.0f} ms")

        def send() -> object:
            return plugin.send_message("+34600111222", "Your order is ready")

        found = medians(
            {
                "http.client, a new connection": native.new,
                "http.client, a kept connection": native.kept,
                "`send_message`": send,
            },
            seconds,
        )
        table("one message", found)
        events: dict[str, Callable[[], object]] = {
            "`json.loads` and three checks": native_event,
            "`handle_event`": lambda: plugin.handle_event(HEADERS, EVENT),
        }
        table("one event of 300 bytes", medians(events, seconds))

        print("\n| `send_message` from | calls per second |\n|---|---|")
        for threads in (1, 2, 8):
            print(f"| {threads} threads | {rate(send, threads, seconds):.0f} |")

        alone = counted(lambda: time.sleep(seconds))
        waiting = plugin.with_settings(Settings(slow_url, key))
        beside_waiting = counted(lambda: waiting.send_message("+34600111222", "hi"))
        print(f"\nwhile a call waits 500 ms, another thread runs at {beside_waiting / alone:.0%}")
    finally:
        fast.terminate()
        slow.terminate()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
