import dataclasses
import pickle
from pathlib import Path
from typing import Any

import pytest

import by_records
import conform
from messaging_plugin import PluginCrashed, Retry, records
from messaging_plugin.errors import BY_CASE

REFUSAL = records.Refusal(
    422, None, "m", (records.FieldDetail(None, "d"), records.FieldDetail("f", "")), ""
)
PAYLOADS: dict[str, Any] = {
    "execution-failed": None,
    "permanent-invalid-input": records.InvalidInput("phone", "d"),
    "permanent-invalid-settings": records.InvalidSettings("S", "d"),
    "permanent-unauthorized": REFUSAL,
    "permanent-refused": dataclasses.replace(REFUSAL, code="c", message=None, details=()),
    "permanent-outcome-unknown": records.OutcomeUnknown(
        records.Stage.REPLY_UNCLEAR, "d", 409, REFUSAL
    ),
    "permanent-unexpected-reply": records.UnexpectedReply(200, "$", "d"),
    "permanent-denied": records.Denied("d"),
    "rate-limited": records.RateLimit(7, REFUSAL),
    "not-sent": records.NotSent("d"),
    "unavailable": records.Unavailable("d", 503, 7),
    "permanent-other": records.Other("no-templates", "d", None),
}


@pytest.mark.parametrize("case", BY_CASE)
def test_error_names_case_and_survives_pickling(case: str) -> None:
    exception, payload = BY_CASE[case]
    held = PAYLOADS[case]
    assert type(held) is (payload or type(None))
    error = exception(held, "send-message")
    assert error.case == case and case in str(error)
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.payload, copied.retry) == (str(error), held, error.retry)
    if payload:
        names = [field.name.replace("_", "-") for field in dataclasses.fields(payload)]
        assert list(conform.canonical(held)) == names == list(vars(by_records.lowered(held)))


def test_send_is_retryable_only_without_message() -> None:
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


def test_read_is_repeatable_after_temporary_case() -> None:
    errors = [exception(None, "list-templates") for exception, _ in BY_CASE.values()]
    errors.append(PluginCrashed("trap", "list-templates"))
    assert not any(error.may_exist for error in errors)
    for error in errors:
        assert (error.retry is Retry.NEVER) == error.case.startswith("permanent-")


@pytest.mark.parametrize("way", ["threads", "asyncio"])
@pytest.mark.parametrize(("suite", "cases"), [("conform", 307), ("faults", 561)])
def test_suite_passes(
    verify: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    suite: str,
    cases: int,
    way: str,
) -> None:
    report = tmp_path / "python.json"
    arguments = ["--program", str(verify), "--report", str(report)]
    arguments += ["--faults"] * (suite == "faults") + ["--asyncio"] * (way == "asyncio")
    code = conform.main(arguments)
    said = capsys.readouterr().out
    assert code == 0, said
    number, _, of = said.splitlines()[-1].split()[:3]
    assert number == of and int(of) >= cases
    assert "sans-io" in report.read_text()


def test_missing_suite_passes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert conform.main(["--program", "/nowhere/messaging-verify"]) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.startswith("not run: ")
