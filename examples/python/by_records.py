"""Calls the component through wasmtime-py's component API. `messaging_plugin.component` instead calls the core module.
Tests and `bench.py` compare the two.

wasmtime-py's conversion of values is not thread-safe, so only one thread may call.
"""

import dataclasses
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from wasmtime import Engine, Store
from wasmtime.component import Component, Func, Linker, Record, Variant

from messaging_plugin import records, wit
from messaging_plugin.errors import BY_CASE


class ByRecords:
    """An instance, with the methods of `component.Plugged`."""

    def __init__(self, file: Path) -> None:
        engine = Engine()
        component = Component.from_file(engine, file)
        self._store = Store(engine)
        instance = Linker(engine).instantiate(self._store, component)
        interface = component.get_export_index(wit.INTERFACE)
        assert interface is not None

        def function(name: str) -> Func:
            index = component.get_export_index(name, interface)
            assert index is not None, name
            found = instance.get_func(self._store, index)
            assert found is not None, name
            return found

        self._new = {kind.name: function(f"[constructor]{kind.name}") for kind in (wit.SEND, wit.LIST)}
        self._next = {kind.name: function(f"[method]{kind.name}.next") for kind in (wit.SEND, wit.LIST)}
        self._event = function("handle-event")

    def start(self, kind: wit.CallKind, settings: Any, argument: Any, seed: int) -> Any:
        return self._new[kind.name](self._store, lowered(settings), lowered(argument), seed)

    def next(self, kind: wit.CallKind, call: Any, elapsed_ms: int, outcome: Any) -> Any:
        names = {wit.HttpReply: "replied", wit.Failed: "failed", wit.Waited: "waited"}
        given = None
        if outcome is not None:
            held = None if isinstance(outcome, wit.Waited) else lowered(outcome)
            given = Variant(names[type(outcome)], held)
        step = self._next[kind.name](self._store, call, elapsed_ms, given)
        match step.tag:
            case "request":
                return lifted(wit.HttpRequest, step.payload)
            case "wait":
                return wit.Wait(step.payload)
            case _:
                return wit.Done(_result(kind.result, step.payload))

    def drop(self, kind: wit.CallKind, call: Any) -> None:
        call.drop(self._store)

    def call(self, function: wit.Function, delivery: wit.WebhookDelivery) -> Any:
        assert function is wit.HANDLE_EVENT
        return _result(records.Event, self._event(self._store, lowered(delivery)))


def _result(kind: Any, raw: Any) -> Any:
    if isinstance(raw, Record):
        return lifted(kind, raw)
    _, payload = BY_CASE[raw.tag]
    return wit.Error(raw.tag, payload and lifted(payload, raw.payload))


def lowered(value: Any) -> Any:
    """Converts a value to the form of wasmtime-py."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [lowered(item) for item in value]
    if dataclasses.is_dataclass(value):
        # wasmtime-py accepts only its own `Record` in an option.
        record = Record()
        for field in dataclasses.fields(value):
            setattr(record, field.name.replace("_", "-"), lowered(getattr(value, field.name)))
        return record
    return value


def lifted(kind: Any, raw: Any) -> Any:
    """Converts a value of wasmtime-py to a value of this package."""
    if get_origin(kind) in (UnionType, Union):
        (some,) = [part for part in get_args(kind) if part is not type(None)]
        return None if raw is None else lifted(some, raw)
    if get_origin(kind) is tuple:
        return tuple(lifted(get_args(kind)[0], item) for item in raw)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(raw)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        names = [field.name for field in dataclasses.fields(kind)]
        return kind(*[lifted(hints[name], getattr(raw, name.replace("_", "-"))) for name in names])
    return raw
