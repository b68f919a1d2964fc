"""An inbox in memory that serves the API of `host-test/operate/openapi.json`. Unlike the real inbox, this server
produces faults on request."""

import json
import re
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "worker-canary-5d1c07b2"


@dataclass
class Answer:
    status: int
    json: object
    headers: dict[str, str] = field(default_factory=dict)


BREAK = Answer(0, "the server does not perform the request, and closes its connection")
LOSE = Answer(0, "the server performs the request, and closes its connection without a reply")

Fault = Callable[["Asked", int], Answer | None]
"""Selects the outcome of the n-th request of an operation; `None` selects the regular reply."""


@dataclass(frozen=True)
class Asked:
    what: str
    id: int
    path: str
    token: str
    body: dict[str, Any]


def problem(status: int, code: str, detail: str = "so it is", **headers: str) -> Answer:
    body = {"type": "about:blank", "title": code, "status": status, "code": code, "detail": detail}
    return Answer(status, body | {"field": "limit"}, {name.replace("_", "-"): headers[name] for name in headers})


class Server:
    """The inbox: its events and the requests that it received."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.tokens = {TOKEN}
        self.requests: list[Asked] = []
        self.events: dict[int, dict[str, Any]] = {}
        self.waiting = 0
        self.url = ""
        self._changed = threading.Condition()
        self._leases = 0
        self._closed = False
        self.on_lease: Callable[[], object] = lambda: None
        """Called after events were leased, before the reply."""

    def put(self, *keys: str) -> None:
        with self._changed:
            for key in keys:
                number = len(self.events) + 1
                kind = "call" if key.startswith("call") else "message"
                empty = dict.fromkeys(("last_error", "done_at_ms", "dead_at_ms", "traceparent", "tracestate"))
                self.events[number] = empty | {
                    "id": number, "key": key, "message_id": f"m-{key}", "kind": kind, "state": "pending",
                    "received_at_ms": 1_700_000_000_000, "due_ms": 0, "attempts": 0, "failures": 0,
                    "payload": json.dumps({"key": key}), "lease": None,
                }  # fmt: skip
            self._changed.notify_all()

    def end_leases(self) -> None:
        """Ends all leases, so that another worker can have the events."""
        with self._changed:
            for event in self.events.values():
                if event["state"] == "leased":
                    event |= {"state": "pending", "lease": None}
            self._changed.notify_all()

    def asked(self, what: str) -> list[Asked]:
        return [asked for asked in self.requests if asked.what == what]

    def states(self) -> list[str]:
        return [event["state"] for event in self.events.values()]

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def answer(self, asked: Asked, gone: Callable[[], bool]) -> Answer:
        if asked.token not in {f"Bearer {token}" for token in self.tokens}:
            return problem(401, "unauthorized")
        with self._changed:
            if asked.what == "list":
                hidden = ("payload", "lease")
                events = [{n: v for n, v in e.items() if n not in hidden} for e in self.events.values()]
                return Answer(200, {"events": events})
            if asked.what == "lease":
                return self._lease(asked.body, gone)
            event = self.events.get(asked.id)
            if event is None:
                return problem(404, "not-found")
            if asked.what == "show":
                return Answer(200, {n: v for n, v in event.items() if n != "lease"} | {"attempted_at_ms": [], "first_id": None})
            return self._settle(asked.what, asked.body, event)

    def _lease(self, body: dict[str, Any], gone: Callable[[], bool]) -> Answer:
        kinds = body.get("kinds")

        def due() -> list[dict[str, Any]]:
            return [e for e in self.events.values() if e["state"] == "pending" and (not kinds or e["kind"] in kinds)]

        left = body.get("wait_ms", 0) / 1000
        self.waiting += 1
        while not due() and left > 0 and not self._closed and not gone():
            self._changed.wait(0.02)
            left -= 0.02
        self.waiting -= 1
        if gone() or self._closed:
            return Answer(200, {"events": []})
        self._leases += 1
        taken = due()[: body.get("limit", 1)]
        for event in taken:
            event |= {"state": "leased", "lease": f"lease-{self._leases}", "attempts": event["attempts"] + 1}
        self.on_lease()
        return Answer(200, {"events": [dict(event) for event in taken]})

    def _settle(self, what: str, body: dict[str, Any], event: dict[str, Any]) -> Answer:
        states = ("leased", "done") if what == "ack" else ("leased",)
        if event["lease"] != body["lease"] or event["state"] not in states:
            return problem(409, "lease-lost")
        if what == "ack":
            event["state"] = "done"
        elif what == "release":
            event |= {"state": "pending", "lease": None}
        elif what == "nack":
            failures = event["failures"] + 1
            dead = body.get("dead") or failures >= body.get("dead_after", 1_000_000)
            state = "dead" if dead else "pending"
            event |= {"state": state, "failures": failures, "last_error": body.get("error", ""), "lease": None}
        self._changed.notify_all()
        return Answer(200, {"id": event["id"], "state": event["state"]})


@contextmanager
def inbox_server(fault: Fault = lambda asked, count: None, tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    server = Server(fault)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            self.answer({})

        def do_POST(self) -> None:
            self.answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))

        def gone(self) -> bool:
            self.connection.setblocking(False)
            try:
                return not self.connection.recv(1)
            except (BlockingIOError, ssl.SSLWantReadError):
                return False
            except OSError:
                return True
            finally:
                self.connection.setblocking(True)

        def answer(self, body: dict[str, Any]) -> None:
            match = re.fullmatch(r"/v1/events/(\d+)(?:/(\w+))?", self.path)
            what = "lease" if self.path == "/v1/lease" else match[2] or "show" if match else "list"
            asked = Asked(what, int(match[1]) if match else 0, self.path, self.headers["authorization"], body)
            server.requests.append(asked)
            wrong = server.fault(asked, len(server.asked(what)))
            given = wrong if wrong and wrong is not LOSE else server.answer(asked, self.gone)
            if wrong is LOSE or given is BREAK:
                self.close_connection = True
                return
            text = given.json if isinstance(given.json, str) else json.dumps(given.json)
            try:
                self.send_response(given.status)
                for name, value in given.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())
            except OSError:
                self.close_connection = True

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        listener.daemon_threads = True
        listener.block_on_close = False
        port = listener.server_address[1]
        server.url = f"http://127.0.0.1:{port}"
        if tls:
            listener.socket = tls.wrap_socket(listener.socket, server_side=True)
            server.url = f"https://localhost:{port}"
        thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.close()
            listener.shutdown()
            thread.join()
