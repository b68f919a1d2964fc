"""The cost of a call, against the same request made with http.client.

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
from types import SimpleNamespace

from wasmtime import Store, WasiConfig
from wasmtime.component import Record

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


class Kept:
    """One instance for many calls: what a fresh one for each call costs. Not offered by
    the package: state that one call leaves would meet the next."""

    def __init__(self, plugin: Plugin) -> None:
        code, self._egress = plugin._code, plugin._egress
        self._forwarder = None
        self._store = Store(code.engine)
        wasi = WasiConfig()
        wasi.env = plugin._variables
        self._store.set_wasi(wasi)
        self._store.set_wasi_http()
        self._store.set_epoch_deadline(1_000_000)
        self._instance = plugin._linker.instantiate(self._store, code.component)
        self._functions = code.functions

    def call(self, function: str, argument: object) -> None:
        found = self._instance.get_func(self._store, self._functions[function])
        assert found is not None
        self._egress._current.forwarder = self._forwarder
        assert isinstance(found(self._store, argument), Record)
        self._forwarder = self._egress._current.forwarder


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

        kept = Kept(plugin)
        message = SimpleNamespace(
            phone="+34600111222", message="Your order is ready", device=None, fields=[]
        )
        pairs = [SimpleNamespace(name=name, value=value) for name, value in HEADERS.items()]
        delivery = SimpleNamespace(headers=pairs, body=EVENT)
        sends: dict[str, Callable[[], object]] = {
            "http.client, a new connection": native.new,
            "http.client, a kept connection": native.kept,
            "`send_message`, a fresh instance": send,
            "the same in a kept instance": lambda: kept.call("send-message", message),
        }
        table("one message", medians(sends, seconds))
        events: dict[str, Callable[[], object]] = {
            "`json.loads` and three checks": native_event,
            "`handle_event`, a fresh instance": lambda: plugin.handle_event(HEADERS, EVENT),
            "the same in a kept instance": lambda: kept.call("handle-event", delivery),
        }
        table("one event of 300 bytes", medians(events, seconds))

        print("\n| `send_message`, threads at once | calls per second |\n|---|---|")
        for threads in (1, 2, 8):
            print(f"| {threads} | {rate(send, threads, seconds):.0f} |")

        waiting = plugin.with_settings(Settings(slow_url, key))
        alone, beside = [], []
        for _ in range(5):
            alone.append(counted(lambda: time.sleep(0.5)))
            beside.append(counted(lambda: waiting.send_message("+34600111222", "hi")))
        ratio = median(beside) / median(alone)
        print(f"\nwhile a call waits 500 ms, another thread runs at {ratio:.0%}")
    finally:
        fast.terminate()
        slow.terminate()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
