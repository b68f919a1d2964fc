"""The plugin: load the component once, then make typed calls from any thread."""

import asyncio
import json
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from types import SimpleNamespace, TracebackType
from typing import Any, Self, TypeVar

from wasmtime import Store, WasiConfig, WasmtimeError
from wasmtime.component import Linker, Variant

from . import records
from .code import TICK_SECONDS, Code
from .egress import Egress, Origin
from .errors import InvalidInput, PluginCrashed
from .lift import lift, lift_error
from .settings import Settings, Variables, is_unicode
from .threads import mend

MEMORY_BYTES = 64 * 1024 * 1024
GRACE_SECONDS = 1.0
"""How long after its deadline a call is stopped, if it computes."""
EVENT_SECONDS = 2.0
"""How long `handle-event`, which has no deadline of its own, may compute."""

Fields = Mapping[str, object] | Iterable[records.Field]
"""Further members of a request: names and values, which are written as JSON, or `Field`s,
whose JSON is sent as it is."""

T = TypeVar("T")


class Plugin:
    """The messaging plugin's component, ready to be called.

    Each call has a store and an instance of its own, which end with it: any number of
    threads may call at once, and a call that crashed leaves nothing behind. Compiled
    code is shared. Make the plugin after a fork, not before it.

    `allow` lists the origins that the component may reach, for example
    `["https://api.example"]`: the base URL's own unless given; `[]` denies all.
    """

    def __init__(
        self,
        component_path: str | os.PathLike[str],
        settings: Settings | Variables,
        allow: Iterable[str] | None = None,
        *,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        mend()
        self._code = Code(component_path)
        self._memory_bytes = memory_bytes
        self._surround(settings, allow)

    def with_settings(
        self, settings: Settings | Variables, allow: Iterable[str] | None = None
    ) -> Self:
        """The same component with other settings; nothing is compiled again."""
        other = type(self).__new__(type(self))
        other._code, other._memory_bytes = self._code, self._memory_bytes
        other._surround(settings, allow)
        return other

    def _surround(self, settings: Settings | Variables, allow: Iterable[str] | None) -> None:
        self._variables = settings.variables() if isinstance(settings, Settings) else settings
        self._deadline = _deadline_seconds(self._variables)
        self._linker = Linker(self._code.engine)
        self._linker.add_wasip2()
        self._linker.add_wasi_http()
        self._egress = Egress(self._code, _origins(allow, self._variables))
        self._egress.replace(self._linker, self._code.component)
        self._idle = threading.Condition()
        self._calls = 0
        self._closed = False

    def send_message(
        self, phone: str, message: str, device: str | None = None, fields: Fields = ()
    ) -> records.CreatedMessage:
        """Creates one message. Never twice: see `MessagingError.retry` before repeating.

        `fields` are for what the service takes and its specification does not show.
        """
        request = _record(phone=phone, message=message, device=device, fields=_members(fields))
        return self._call("send-message", records.CreatedMessage, request, self._variables)

    def list_templates(
        self,
        status: str | None = None,
        parameters: Sequence[tuple[str, str]] = (),
        every_page: str | None = None,
    ) -> records.TemplatePage:
        """Lists templates. `every_page` names the service's page parameter."""
        pairs = [_record(name=name, value=value) for name, value in parameters]
        query = _record(status=status, parameters=pairs, every_page=every_page)
        return self._call("list-templates", records.TemplatePage, query, self._variables)

    def handle_event(
        self, headers: Mapping[str, str] | Iterable[tuple[str, str]], body: str
    ) -> records.Event:
        """Understands one webhook request, whose origin has been verified before."""
        pairs = headers.items() if isinstance(headers, Mapping) else headers
        delivery = _record(
            headers=[_record(name=name, value=value) for name, value in pairs], body=body
        )
        # It reads no settings, so it gets none.
        return self._call("handle-event", records.Event, delivery, Variables({}))

    async def asend_message(
        self, phone: str, message: str, device: str | None = None, fields: Fields = ()
    ) -> records.CreatedMessage:
        """`send_message` in a thread. Cancelling stops the waiting, not the sending."""
        return await asyncio.to_thread(self.send_message, phone, message, device, fields)

    async def alist_templates(
        self,
        status: str | None = None,
        parameters: Sequence[tuple[str, str]] = (),
        every_page: str | None = None,
    ) -> records.TemplatePage:
        """`list_templates` in a thread."""
        return await asyncio.to_thread(self.list_templates, status, parameters, every_page)

    def close(self) -> None:
        """Waits for the calls under way, and takes no further ones."""
        with self._idle:
            self._closed = True
            self._idle.wait_for(lambda: self._calls == 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _call(
        self, function: str, result: type[T], argument: SimpleNamespace, variables: Variables
    ) -> T:
        with self._entered():
            try:
                with self._egress.call():
                    raw = self._run(function, argument, variables)
                if isinstance(raw, Variant):
                    error = lift_error(raw, function)
                else:
                    return lift(result, raw)
            except WasmtimeError as crash:
                raise PluginCrashed(_cause(crash), function) from None
            except Exception as crash:
                # Not a value of this interface. Whatever was sent was sent.
                reason = f"the result cannot be read: {type(crash).__name__}"
                raise PluginCrashed(reason, function) from crash
            raise error

    def _run(self, function: str, argument: SimpleNamespace, variables: Variables) -> Any:
        wasi = WasiConfig()  # holds nothing: no arguments, files, sockets or streams
        wasi.env = variables
        seconds = EVENT_SECONDS if function == "handle-event" else self._deadline + GRACE_SECONDS
        with Store(self._code.engine) as store:
            store.set_limits(
                memory_size=self._memory_bytes,
                table_elements=20_000,
                instances=32,
                tables=16,
                memories=8,
            )
            store.set_wasi(wasi)
            store.set_wasi_http()
            store.set_epoch_deadline(ceil(seconds / TICK_SECONDS) + 1)
            instance = self._linker.instantiate(store, self._code.component)
            found = instance.get_func(store, self._code.functions[function])
            assert found is not None, function
            return found(store, argument)

    @contextmanager
    def _entered(self) -> Iterator[None]:
        if os.getpid() != self._code.process:
            # The threads that make the requests are still in the other process.
            raise RuntimeError("this process is a fork; make the Plugin after the fork")
        with self._idle:
            if self._closed:
                raise RuntimeError("the plugin is closed")
            self._calls += 1
        try:
            yield
        finally:
            with self._idle:
                self._calls -= 1
                self._idle.notify_all()


def _origins(allow: Iterable[str] | None, variables: Variables) -> list[Origin]:
    if isinstance(allow, str):
        raise TypeError("allow is a list of origins, not one string")
    if allow is not None:
        return [Origin.of_entry(entry) for entry in allow]
    own = Origin.of_url(variables.get("MESSAGING_BASE_URL") or "")
    return [] if own is None else [own]


def _deadline_seconds(variables: Variables) -> float:
    """As the component reads it; a malformed one is for the component to refuse."""
    text = variables.get("MESSAGING_DEADLINE_MS") or ""
    milliseconds = int(text) if text.isdecimal() and text.isascii() and len(text) < 7 else 30_000
    return min(milliseconds, 600_000) / 1000


def _members(fields: Fields) -> list[SimpleNamespace]:
    if isinstance(fields, Mapping):
        # Not in ASCII, so that half a surrogate pair is found below.
        fields = [
            records.Field(name, json.dumps(value, ensure_ascii=False, allow_nan=False))
            for name, value in fields.items()
        ]
    members = []
    for index, field in enumerate(fields):
        path = f"fields[{index}]"
        if not isinstance(field, records.Field):
            raise TypeError(f"{path} has to be a Field, not {type(field).__name__}")
        members.append(_record(f"{path}.", name=field.name, json=field.json))
    return members


def _record(path: str = "", /, **fields: Any) -> SimpleNamespace:
    """One record, with the WIT's names. Texts are checked before anything else happens."""
    for name, value in fields.items():
        optional = name in ("device", "status", "every_page")
        if not isinstance(value, (str, list)) and not (optional and value is None):
            raise TypeError(f"{path}{name} has to be a str, not {type(value).__name__}")
        if isinstance(value, str) and not is_unicode(value):
            detail = "contains half a surrogate pair, which is not Unicode text"
            raise InvalidInput(records.InvalidInput(path + name.replace("_", "-"), detail))
    return SimpleNamespace(**{name.replace("_", "-"): value for name, value in fields.items()})


def _cause(error: WasmtimeError) -> str:
    """The last line says why; those before it where."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    cause = re.sub(r"^\d+: ", "", lines[-1]) if lines else "no reason given"
    return "stopped: its time was up" if cause == "wasm trap: interrupt" else cause
