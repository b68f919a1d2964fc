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


def test_without_an_answer_the_outcome_of_a_send_is_unknown_and_a_read_can_be_repeated() -> None:
    for function, retry in [("send-message", Retry.NEVER), ("list-templates", Retry.SAFE)]:
        assert lift_error(Variant("execution-failed"), function).retry is retry
        assert PluginCrashed(function, "trap").retry is retry


def test_every_case_of_the_wit_has_its_exception() -> None:
    wit = (Path(__file__).parents[3] / "wit" / "messaging.wit").read_text()
    body = wit.partition("variant error {")[2].partition("\n    }")[0]
    lines = [line.strip() for line in body.splitlines()]
    cases = [line.rstrip(",").partition("(")[0] for line in lines if line and line[0] != "/"]
    assert cases == list(BY_CASE)
    assert [exception.case for exception, _ in BY_CASE.values()] == cases
    retried = {case for case, (exception, _) in BY_CASE.items() if exception.retry.value == "safe"}
    assert retried == {"rate-limited", "not-sent", "unavailable"}


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
