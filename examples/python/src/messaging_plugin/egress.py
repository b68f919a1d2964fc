"""The allow-list, held against each request that a component makes.

wasmtime-py has no hook for outgoing requests. But a linker's definition can be
replaced: here `wasi:http/outgoing-handler` is a Python function, which looks at the
request's scheme and authority and hands it to wasmtime's own handler only if the list
holds them. `forwarder.wat` makes that handler callable from Python.

| entry | allows |
|---|---|
| `https://api.example` | that host over TLS, port 443 |
| `http://127.0.0.1:8080` | plain HTTP to that address and port |
| (no entry) | nothing |

Scheme, host and port have to match; paths are not looked at; there are no wildcards.
"""

import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from wasmtime import StoreContext, WasmtimeError
from wasmtime.component import Component, Func, Linker, Variant

from .code import Code

_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?", re.ASCII)
_DENIED = Variant("HTTP-request-denied")


class Origin(NamedTuple):
    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, scheme: str, authority: str) -> "Origin | None":
        """None where either cannot be read, `user@host` for example."""
        ports = {"http": 80, "https": 443}
        match = _AUTHORITY.fullmatch(authority)
        if scheme.lower() not in ports or match is None:
            return None
        port = int(match[2]) if match[2] else ports[scheme.lower()]
        return cls(scheme.lower(), match[1].lower(), port) if 0 < port < 65536 else None

    @classmethod
    def of_url(cls, url: str) -> "Origin | None":
        match = re.match(r"([A-Za-z]+)://([^/?#]*)", url)
        return cls.of(match[1], match[2]) if match else None

    @classmethod
    def of_entry(cls, entry: str) -> "Origin":
        """An entry of the allow-list."""
        match = re.fullmatch(r"([A-Za-z]+)://([^/?#]*)", entry)
        origin = cls.of(match[1], match[2]) if match else None
        if origin is None:
            raise ValueError(f"{entry!r} is not scheme://host or scheme://host:port")
        return origin


@dataclass(frozen=True)
class _Forwarder:
    """wasmtime's own wasi:http, in the store of one call."""

    scheme: Func
    authority: Func
    handle: Func


class Egress:
    """Stands between components and the network. Any number of threads may call."""

    def __init__(self, code: Code, allow: Iterable[Origin]) -> None:
        self._allow = frozenset(allow)
        self._component = code.forwarder
        self._linker = Linker(code.engine)
        self._linker.add_wasip2()
        self._linker.add_wasi_http()
        # wasmtime calls back on the thread that made the call.
        self._current = threading.local()

    def replace(self, linker: Linker, component: Component) -> None:
        """Takes the place of every outgoing handler that the component imports."""
        linker.allow_shadowing = True
        handlers = [
            name
            for name in component.type.imports(linker.engine)
            if name.split("@")[0] == "wasi:http/outgoing-handler"
        ]
        with linker.root() as root:
            for name in handlers:
                with root.add_instance(name) as handler:
                    handler.add_func("handle", self._handle)

    @contextmanager
    def call(self) -> Iterator[None]:
        """Surrounds one call of a component."""
        self._current.forwarder = None
        try:
            yield
        finally:
            self._current.forwarder = None

    def _handle(self, store: StoreContext, request: Any, options: Any) -> Any:
        # Any exception but WasmtimeError that left here would go into a global variable
        # of wasmtime-py, and could surface in another thread.
        try:
            forwarder = self._forwarder(store)
            scheme = forwarder.scheme(store, request)
            authority = forwarder.authority(store, request)
            allowed = self._allows(scheme, authority)
        except Exception:
            allowed = False
        try:
            if allowed:
                return forwarder.handle(store, request, options)
            request.drop(store)
            if options is not None:
                options.drop(store)
            return _DENIED
        except Exception as error:
            raise WasmtimeError(f"a request could not be passed on: {type(error).__name__}") from None

    def _allows(self, scheme: Variant | None, authority: str | None) -> bool:
        if scheme is None or authority is None or scheme.tag not in ("HTTP", "HTTPS"):
            return False
        return Origin.of(scheme.tag, authority) in self._allow

    def _forwarder(self, store: StoreContext) -> _Forwarder:
        kept: _Forwarder | None = self._current.forwarder
        if kept is None:
            instance = self._linker.instantiate(store, self._component)

            def function(name: str) -> Func:
                found = instance.get_func(store, name)
                assert found is not None, name
                return found

            kept = _Forwarder(function("scheme"), function("authority"), function("handle"))
            self._current.forwarder = kept
        return kept
