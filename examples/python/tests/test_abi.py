"""Compares the conversion of values with the WIT and with wasmtime's conversion."""

import dataclasses
import re
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conform
from by_records import ByRecords
from conftest import KEY, ROOT
from messaging_plugin import MessagingError, Plugin, PluginCrashed, Settings, component, records, wit
from messaging_plugin.errors import BY_CASE
from messaging_plugin.once import records as once_records

TYPES, ONCE_TYPES = (ROOT / "wit" / "types.wit").read_text().split("\ninterface once-types {")
WIT = (ROOT / "wit" / "sans-io.wit").read_text() + TYPES
FILE = Path(component.__file__).with_name(component.FILE)


def blocks(kind: str, wit_text: str = WIT) -> dict[str, list[tuple[str, str | None]]]:
    """Returns each record, enum and variant of the WIT with its members and their types."""
    text = re.sub(r"//.*", "", wit_text)
    found = {}
    for name, body in re.findall(rf"\b{kind} ([a-z-]+) \{{(.*?)\}}", text, re.DOTALL):
        parts = [part.strip() for part in re.split(r",(?![^<]*>)", body) if part.strip()]
        if kind == "record":
            pairs = [part.split(":", 1) for part in parts]
            found[name] = [(member.strip(), of.strip()) for member, of in pairs]
        else:
            cases = [re.fullmatch(r"([a-z-]+)(?:\((.*)\))?", part) for part in parts]
            found[name] = [(case[1], case[2]) for case in cases if case]
    return found


# WIT names of types without a Python class.
NAMED: dict[Any, str] = {bool: "bool", once_records.Resolved: "resolved"}


def kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def written(kind: Any) -> str:
    """Returns the WIT notation of a type of this package."""
    if kind is str:
        return "string"
    if kind in NAMED:
        return NAMED[kind]
    if kind is bytes:
        return "list<u8>"
    if get_origin(kind) is Annotated:
        return str(get_args(kind)[1])
    if get_origin(kind) is tuple:
        return f"list<{written(get_args(kind)[0])}>"
    if get_origin(kind) in (UnionType, Union):
        (some,) = [part for part in get_args(kind) if part is not type(None)]
        return f"option<{written(some)}>"
    return kebab(kind.__name__)


def classes(*modules: Any) -> list[type]:
    held = [one for module in modules for one in vars(module).values()]
    return [one for one in held if isinstance(one, type) and one.__module__.startswith("messaging_plugin")]


def members(kind: type) -> list[tuple[str, str]]:
    """Returns the fields of a class in WIT notation."""
    hints = get_type_hints(kind, include_extras=True)
    return [(field.name.replace("_", "-"), written(hints[field.name])) for field in dataclasses.fields(kind)]


def test_records_have_members_of_wit() -> None:
    own = {
        kebab(one.__name__): members(one)
        for one in classes(records, wit)
        if dataclasses.is_dataclass(one) and one not in (wit.CallKind, wit.Function, wit.Interface)
    }
    assert own == blocks("record") and len(own) > 20


def test_enums_have_cases_of_wit() -> None:
    own = {
        kebab(one.__name__): [(member.value, None) for member in one]
        for one in classes(records, wit)
        if issubclass(one, Enum)
    }
    assert own == blocks("enum") and len(own) == 4


def test_variants_have_cases_of_wit() -> None:
    variants = blocks("variant")
    assert set(variants) == {"error", "input", "send-step", "list-step"}
    assert variants["error"] == [
        (case, payload and kebab(payload.__name__)) for case, (_, payload) in BY_CASE.items()
    ]
    assert [exception.case for exception, _ in BY_CASE.values()] == list(BY_CASE)
    assert variants["input"] == [("replied", "http-reply"), ("failed", "failed"), ("waited", None)]
    for kind in (wit.SEND, wit.LIST):
        assert variants[kind.name.replace("call", "step")] == [
            ("request", "http-request"),
            ("wait", "u32"),
            ("done", f"result<{kebab(kind.result.__name__)}, error>"),
        ]


def test_every_function_has_parameters_of_wit() -> None:
    for kind in (wit.SEND, wit.LIST):
        argument = kebab(kind.argument.__name__)
        resource = re.search(rf"resource {kind.name} \{{(.*?)\n    \}}", WIT, re.DOTALL)
        assert resource
        assert f"settings: list<setting>, {argument.split('-')[-1]}: {argument}, seed: u32" in resource[1]
        step = kind.name.replace("call", "step")
        assert f"func(elapsed-ms: u32, input: option<input>) -> {step};" in resource[1]
    assert "handle-event: func(delivery: webhook-delivery) -> result<event, error>;" in WIT


class Both:
    """An instance of each implementation. Both must return the same value at each step."""

    def __init__(self, plugged: component.Plugged, other: ByRecords) -> None:
        self.plugged, self.other = plugged, other
        self.memory_bytes = 1 << 30  # so large that the instance is not kept
        self.steps = 0

    def start(self, kind: wit.CallKind, settings: Any, argument: Any, seed: int) -> Any:
        # wasmtime-py fails for strings of several megabytes.
        is_large = len(getattr(argument, "message", "")) > 1_000_000
        others = None if is_large else self.other.start(kind, settings, argument, seed)
        return self.plugged.start(kind, settings, argument, seed), others

    def next(self, kind: wit.CallKind, call: Any, elapsed_ms: int, outcome: Any) -> Any:
        step = self.plugged.next(kind, call[0], elapsed_ms, outcome)
        if call[1] is not None:
            assert step == self.other.next(kind, call[1], elapsed_ms, outcome)
        self.steps += 1
        return step

    def drop(self, kind: wit.CallKind, call: Any) -> None:
        self.plugged.drop(kind, call[0])
        if call[1] is not None:
            self.other.drop(kind, call[1])

    def call(self, function: wit.Function, delivery: wit.WebhookDelivery) -> Any:
        found = self.plugged.call(function, delivery)
        assert found == self.other.call(function, delivery)
        self.steps += 1
        return found


@pytest.mark.parametrize("suite", ["conform", pytest.param("faults", marks=pytest.mark.slow)])
def test_both_bindings_agree_in_every_case(
    verify: Path, monkeypatch: pytest.MonkeyPatch, suite: str
) -> None:
    other, made = ByRecords(FILE), []
    plain = component.Code.instance

    def instance(code: component.Code, memory_bytes: int) -> Any:
        made.append(Both(plain(code, memory_bytes), other))
        return made[-1]

    monkeypatch.setattr(component.Code, "instance", instance)
    # wasmtime-py's conversion is not thread-safe.
    monkeypatch.setattr(conform, "AT_ONCE", 1)
    with conform.suite(verify, suite) as control:
        results = conform.run(control)
    assert [name for name, found in results.items() if not found["passed"]] == []
    assert sum(one.steps for one in made) > len(results)


TEXTS = st.text() | st.text(alphabet='+0123456789 ()-."\\{}[]:,\u0000\u00a0\U0001f4e6')


@pytest.fixture(scope="module")
def instances() -> tuple[component.Plugged, ByRecords]:
    return component.packaged().instance(), ByRecords(FILE)


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(TEXTS, TEXTS, st.none() | TEXTS),
    st.lists(st.tuples(TEXTS, TEXTS), max_size=4),
    st.integers(0, 65535),
    st.binary(max_size=64) | TEXTS.map(str.encode),
    st.sampled_from(wit.BodyEnd),
    st.lists(st.tuples(st.sampled_from(["date", "retry-after", "content-encoding", ""]), TEXTS)),
    st.integers(0, 2**32 - 1),
)
def test_both_bindings_agree_on_any_value(
    instances: tuple[component.Plugged, ByRecords],
    texts: tuple[str, str, str | None],
    pairs: list[tuple[str, str]],
    status: int,
    body: bytes,
    ended: wit.BodyEnd,
    headers: list[tuple[str, str]],
    number: int,
) -> None:
    """Uses random values without lone surrogates, because the package rejects lone surrogates before a call."""
    plugged, other = instances
    both = Both(plugged, other)
    phone, message, device = texts
    own = (wit.Setting("MESSAGING_BASE_URL", "https://api.example"), wit.Setting("MESSAGING_API_KEY", KEY))
    further = tuple(wit.Setting(name, value) for name, value in pairs)
    held = tuple(wit.Header(name, value) for name, value in headers)
    reply = wit.HttpReply(status, held, body, ended)
    members = tuple(records.Field(name, value) for name, value in pairs)
    for number_text, asked in [
        (phone, members),
        ("+34600111222", ()),
    ]:
        request = wit.MessageRequest(number_text, message, device, asked)
        call = both.start(wit.SEND, own + further if asked else own, request, number)
        both.next(wit.SEND, call, 0, None)
        both.next(wit.SEND, call, number, reply)
        both.next(wit.SEND, call, 0, wit.Failed(wit.Failure.BROKEN, message))
        both.drop(wit.SEND, call)
    parameters = tuple(wit.QueryParameter(name, value) for name, value in pairs)
    call = both.start(wit.LIST, own, wit.TemplateQuery(device, parameters, None), number)
    both.next(wit.LIST, call, 0, None)
    both.next(wit.LIST, call, 1, reply)
    both.next(wit.LIST, call, 2, wit.Waited())
    both.drop(wit.LIST, call)
    both.call(wit.HANDLE_EVENT, wit.WebhookDelivery((*held, wit.Header("X-Idempotency-Key", phone)), message))


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS, st.none() | TEXTS, st.dictionaries(TEXTS, st.integers() | TEXTS, max_size=3))
def test_no_text_crashes_call(
    loaded: Plugin, phone: str, message: str, device: str | None, fields: dict[str, object]
) -> None:
    plugin = loaded.with_settings(Settings("http://127.0.0.1:9", KEY), allow=[])
    for call in (
        lambda: plugin.send_message(phone, message, device, fields),
        lambda: plugin.list_templates(device, [(phone, message)], message),
        lambda: plugin.handle_event([("X-Idempotency-Key", phone)], message),
    ):
        with pytest.raises(MessagingError) as caught:
            call()
        assert not isinstance(caught.value, PluginCrashed)
