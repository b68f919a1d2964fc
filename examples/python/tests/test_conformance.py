import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from wasmtime.component import Variant

import conform
from messaging_plugin import Other, PluginCrashed, Retry, records
from messaging_plugin.errors import BY_CASE
from messaging_plugin.lift import lift_error

REFUSAL = {
    "status": 422,
    "code": None,
    "message": "m",
    "details": [{"field": None, "message": "d"}, {"field": "f", "message": ""}],
    "body": "",
}
PAYLOADS: dict[str, Any] = {
    "execution-failed": None,
    "permanent-invalid-input": {"field": "phone", "detail": "d"},
    "permanent-invalid-settings": {"setting": "S", "detail": "d"},
    "permanent-unauthorized": REFUSAL,
    "permanent-refused": REFUSAL | {"code": "c", "message": None, "details": []},
    "permanent-outcome-unknown": {
        "stage": "reply-unclear",
        "detail": "d",
        "status": 409,
        "refusal": REFUSAL,
    },
    "permanent-unexpected-reply": {"status": 200, "path": "$", "detail": "d"},
    "permanent-denied": {"detail": "d"},
    "rate-limited": {"retry-after-ms": 7, "refusal": REFUSAL},
    "not-sent": {"detail": "d"},
    "unavailable": {"detail": "d", "status": 503, "retry-after-ms": 7},
    "permanent-other": {"code": "no-templates", "detail": "d", "status": None},
}


def as_wasmtime_gives_it(value: Any) -> Any:
    if isinstance(value, dict):
        return SimpleNamespace(**{name: as_wasmtime_gives_it(v) for name, v in value.items()})
    if isinstance(value, list):
        return [as_wasmtime_gives_it(item) for item in value]
    return value


@pytest.mark.parametrize("case", BY_CASE)
def test_an_error_becomes_an_exception_and_back_without_loss(case: str) -> None:
    payload = PAYLOADS[case]
    error = lift_error(Variant(case, as_wasmtime_gives_it(payload)), "send-message")
    assert (error.case, conform.canonical(error.payload)) == (case, payload)
    assert case in str(error)
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.payload, copied.retry) == (str(error), error.payload, error.retry)


@pytest.mark.parametrize("function", ["send-message", "list-templates"])
@pytest.mark.parametrize(
    ("payload", "detail", "status"),
    [
        ({"detail": "of a later version", "status": 404}, "of a later version", 404),
        ({"waited": 3}, "{'waited': 3}", None),
        ("a text", "'a text'", None),
        (None, "None", None),
    ],
)
def test_a_case_that_is_not_known_is_as_permanent_other(
    function: str, payload: Any, detail: str, status: int | None
) -> None:
    raw = Variant("rate-limited-soon", as_wasmtime_gives_it(payload))
    error = lift_error(raw, function)
    assert isinstance(error, Other)
    assert error.payload == records.Other("rate-limited-soon", detail, status)
    assert (error.case, error.retry) == ("permanent-other", Retry.NEVER)
    assert error.may_exist == (function == "send-message")


def test_every_case_of_the_wit_has_its_exception() -> None:
    wit = (Path(__file__).parents[3] / "wit" / "messaging.wit").read_text()
    body = wit.partition("variant error {")[2].partition("\n    }")[0]
    lines = [line.strip() for line in body.splitlines()]
    cases = [line.rstrip(",").partition("(")[0] for line in lines if line and line[0] != "/"]
    assert cases == list(BY_CASE)
    assert [exception.case for exception, _ in BY_CASE.values()] == cases


def test_only_what_created_nothing_can_be_sent_again() -> None:
    errors = [exception(None, "send-message") for exception, _ in BY_CASE.values()]
    errors.append(PluginCrashed("trap", "send-message"))
    safe = {error.case for error in errors if error.retry is Retry.SAFE}
    assert safe == {"rate-limited", "not-sent", "unavailable"}
    open_ends = {error.case for error in errors if error.may_exist}
    assert open_ends == {
        "execution-failed",
        "permanent-outcome-unknown",
        "permanent-unexpected-reply",
        "permanent-other",
        "plugin-crashed",
    }


def test_a_read_can_be_repeated_after_every_case_that_is_not_permanent() -> None:
    errors = [exception(None, "list-templates") for exception, _ in BY_CASE.values()]
    errors.append(PluginCrashed("trap", "list-templates"))
    assert not any(error.may_exist for error in errors)
    for error in errors:
        assert (error.retry is Retry.NEVER) == error.case.startswith("permanent-")


def test_the_conformance_suite_passes(
    host_test: Path, component: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not conform.is_available(host_test):
        pytest.skip("NOT RUN: this host-test has no command `conform`")
    report = tmp_path / "python.json"
    arguments = ["--host-test", str(host_test), "--component", str(component)]
    code = conform.main([*arguments, "--report", str(report)])
    assert code == 0, capsys.readouterr().out
    assert report.stat().st_size > 2


def test_without_the_suite_nothing_is_said_to_have_passed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert conform.main(["--host-test", "/nowhere/host-test"]) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.startswith("not run: ")
