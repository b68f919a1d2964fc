"""Compares the conversion of values of `send-once` with the WIT and with wasmtime's conversion."""

import dataclasses
import re
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasmtime import Engine, Store
from wasmtime.component import Component, Func, Linker, Record, Variant

from by_records import lowered
from conftest import ROOT
from messaging_plugin import component, records
from messaging_plugin import wit as plugin_wit
from messaging_plugin.once import client, wit
from messaging_plugin.once import errors as once_errors
from messaging_plugin.once import records as once_records
from test_abi import ONCE_TYPES, blocks, classes, kebab, members

WIT = (ROOT / "wit" / "sans-io-once.wit").read_text() + ONCE_TYPES
FILE = Path(component.__file__).with_name(client.FILE)
# Classes that are cases of variants and not records of the WIT. They have at most one field.
CASES = {"Found", "Stale", "Lost", "LookUp", "ListEntries", "Forget", "Created", "NotCreated"}


def test_records_have_members_of_wit() -> None:
    own = {
        kebab(one.__name__): members(one)
        for one in classes(once_records, wit)
        if dataclasses.is_dataclass(one)
        and one.__module__.startswith("messaging_plugin.once")
        and one.__name__ not in CASES
    }
    assert own == blocks("record", WIT) and len(own) > 15


def test_enums_and_variants_have_wit_cases() -> None:
    enums = blocks("enum", WIT)
    assert enums["entry-state"] == [(state.value, None) for state in once_records.EntryState]
    assert len(enums) == 1 and issubclass(once_records.EntryState, Enum)
    variants = blocks("variant", WIT)
    assert variants["call-error"] == [
        (case, payload and kebab(payload.__name__)) for case, (_, payload) in once_errors.BY_CASE.items()
    ]
    assert variants["operation"] == [
        ("send-once", "send-once"),
        ("look-up", "string"),
        ("list-entries", "option<string>"),
        ("resolve", "resolve"),
        ("forget", "string"),
    ]
    assert variants["input"] == [
        ("found", "option<string>"),
        ("swapped", None),
        ("stale", "option<string>"),
        ("listed", "page"),
        ("journal-failed", "journal-failed"),
        ("created", "created-message"),
        ("failed", "provider-error"),
        ("lost", "string"),
        ("woke", None),
    ]
    assert variants["step"] == [
        ("get", None),
        ("swap", "swap"),
        ("list-items", "option<string>"),
        ("send", None),
        ("sleep", "u32"),
        ("done", "result<answer, call-error>"),
    ]
    assert variants["answer"] == [
        ("created", "once-created"),
        ("entry", "option<journal-entry>"),
        ("entries", "entry-page"),
        ("changed", None),
    ]
    assert variants["resolved"] == [("created", "string"), ("not-created", None)]
    # `call-error` replaces `once-error` in this interface.
    del variants["once-error"]
    assert set(variants) == {"call-error", "operation", "input", "step", "answer", "resolved"}
    resource = re.search(r"resource call \{(.*?)\n    \}", WIT, re.DOTALL)
    assert resource and "constructor(operation: operation);" in resource[1]
    assert "next: func(input: option<input>, now: now) -> step;" in resource[1]


class ByRecords:
    """An instance, through wasmtime-py's component API."""

    def __init__(self) -> None:
        engine = Engine()
        loaded = Component.from_file(engine, FILE)
        self.store = Store(engine)
        instance = Linker(engine).instantiate(self.store, loaded)
        interface = loaded.get_export_index(wit.INTERFACE)

        def function(name: str) -> Func:
            index = loaded.get_export_index(name, interface)
            assert index is not None, name
            found = instance.get_func(self.store, index)
            assert found is not None, name
            return found

        self.start = function("[constructor]call")
        self.next = function("[method]call.next")


PAYLOAD = {wit.Found: "found", wit.Stale: "stale", wit.Lost: "lost"}
NAMES = {wit.Page: "listed", wit.JournalFailed: "journal-failed", wit.ProviderError: "failed"}


def given_input(value: wit.Input | None) -> Any:
    """Converts an input to the form of wasmtime-py."""
    match value:
        case None:
            return None
        case wit.Swapped():
            return Variant("swapped")
        case wit.Woke():
            return Variant("woke")
        case wit.Lost():
            return Variant("lost", value.detail)
        case wit.Found() | wit.Stale():
            return Variant(PAYLOAD[type(value)], value.text)
        case records.CreatedMessage():
            return Variant("created", lowered(value))
        case _:
            return Variant(NAMES[type(value)], lowered(value))


def plain(value: Any) -> Any:
    """Converts a value of either implementation to nested lists of strings and numbers."""
    match value:
        case once_records.Created():
            return value.id
        case once_records.NotCreated():
            return None
        case Enum():
            return value.value
        case Record():
            return [plain(part) for part in vars(value).values()]
        case Variant():
            return plain(value.payload)
        case list():
            return [plain(part) for part in value]
        case plugin_wit.Error():
            return plain(value.payload)
        case tuple() if not hasattr(value, "_fields"):
            return [plain(part) for part in value]
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in dataclasses.fields(value)]
    return value


TEXTS = st.text()
OPTIONS = st.none() | TEXTS
REFUSALS = st.builds(
    records.Refusal,
    st.integers(0, 65535),
    OPTIONS,
    OPTIONS,
    st.lists(st.builds(records.FieldDetail, OPTIONS, TEXTS), max_size=3).map(tuple),
    TEXTS,
)
UNKNOWNS = st.builds(
    records.OutcomeUnknown,
    st.sampled_from(records.Stage),
    TEXTS,
    st.none() | st.integers(0, 65535),
    st.none() | REFUSALS,
)
CASE_NAMES = st.sampled_from(["permanent-outcome-unknown", "rate-limited", "crashed"]) | TEXTS
OUTCOMES = st.one_of(
    st.builds(wit.ProviderError, CASE_NAMES, TEXTS, st.none() | UNKNOWNS),
    st.builds(records.CreatedMessage, TEXTS, TEXTS),
    st.builds(wit.Lost, TEXTS),
    st.builds(wit.JournalFailed, st.booleans(), TEXTS),
    st.builds(wit.Page, st.lists(st.builds(wit.Item, TEXTS, TEXTS), max_size=3).map(tuple), OPTIONS),
    st.builds(wit.Found, OPTIONS),
    st.builds(wit.Stale, OPTIONS),
    st.just(wit.Woke()),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, OPTIONS, st.lists(st.tuples(TEXTS, TEXTS), max_size=3), OUTCOMES)
def test_both_bindings_agree_on_any_value(
    phone: str, message: str, device: str | None, fields: list[tuple[str, str]], outcome: wit.Input
) -> None:
    request = plugin_wit.MessageRequest(
        phone, message, device, tuple(records.Field(*pair) for pair in fields)
    )
    operation = wit.SendOnce("k", request, device, bytes(range(32)), 1000)
    now = wit.Now(1_795_412_345, 7, 0)
    plugged, other = component.packaged(client.FILE, wit.SANS_IO_ONCE).instance(), ByRecords()
    ours = plugged.start(wit.CALL, operation)
    theirs = other.start(other.store, Variant("send-once", lowered(operation)))
    text: str | None = None
    for value in (None, wit.Swapped(), outcome, wit.Swapped()):
        step = plugged.next(wit.CALL, ours, value, now)
        found = other.next(other.store, theirs, given_input(value), lowered(now))
        assert kebab(type(step).__name__) == getattr(found, "tag", found)
        if isinstance(step, wit.Swap):
            assert [step.expected, step.new] == plain(found.payload)
            text = step.new
        if isinstance(step, plugin_wit.Done):
            assert plain(step.result) == plain(found.payload)
            break
    # Both implementations must read a recorded entry in the same way.
    ours = plugged.start(wit.CALL, wit.LookUp("k"))
    theirs = other.start(other.store, Variant("look-up", "k"))
    plugged.next(wit.CALL, ours, None, now)
    other.next(other.store, theirs, None, lowered(now))
    step = plugged.next(wit.CALL, ours, wit.Found(text), now)
    found = other.next(other.store, theirs, given_input(wit.Found(text)), lowered(now))
    assert isinstance(step, plugin_wit.Done) and plain(step.result) == plain(found.payload)
