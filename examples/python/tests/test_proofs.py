"""Tests proofs of origin with the cases of the webhook component, and with each type of headers and body."""

import base64
import json
import traceback
from email.message import Message
from http.client import HTTPMessage
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from messaging_plugin import InvalidSettings
from messaging_plugin.proofs import Proofs, ProofSettings, Unverified

PREFIX = "MESSAGING_WEBHOOK_"
ALL: Any = json.loads((ROOT / "guest/core/tests/origin_cases.json").read_text())
SECRET = "0123456789abcdef-secret"
BODY = b'{"id":"m-1"}'


def proofs_of(settings: dict[str, str]) -> Proofs:
    prefixed = {PREFIX + name: value for name, value in settings.items()}
    return Proofs.from_variables({"PATH": "/bin", "MESSAGING_WEBHOOK_PORT": "80"} | prefixed)


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@pytest.mark.parametrize("group", ALL["deliveries"], ids=lambda group: group["name"])
def test_webhook_and_package_agree(group: Any) -> None:
    proofs = proofs_of(group["settings"])
    for case in group["cases"]:
        changed = group.get("headers", {}) | case.get("headers", {})
        headers = [(name, one) for name, value in changed.items() if value is not None for one in listed(value)]
        body = case.get("body", group.get("body", ALL["body"])).encode()
        if "body_hex" in case:
            body = bytes.fromhex(case["body_hex"])
        try:
            delivery = proofs.verify(headers, body, path=case.get("path", "/"), now=case.get("now", 0))
            said = None
        except Unverified as error:
            said = str(error)
        reason, header = case.get("refused", [None, ""])
        assert said == (reason and ALL["reasons"][reason].replace("{}", header)), case
        if "key" in case:
            assert [value for name, value in delivery.headers if name == "x-idempotency-key"] == [case["key"]]


@pytest.mark.parametrize("case", ALL["settings"], ids=lambda case: json.dumps(case["settings"])[:60])
def test_webhook_and_package_reject_same_settings(case: Any) -> None:
    settings, invalid = case["settings"], case.get("invalid")
    for index in range(max(len(listed(value)) for value in settings.values())):
        chosen = {name: value[index] if isinstance(value, list) else value for name, value in settings.items()}
        if not invalid:
            proofs_of(chosen)
            continue
        with pytest.raises(InvalidSettings) as caught:
            proofs_of(chosen)
        assert caught.value.payload.setting == PREFIX + invalid, chosen
        assert case["detail"] in caught.value.payload.detail, chosen


def test_arguments_are_settings() -> None:
    (vector,) = [group for group in ALL["deliveries"] if group["name"].startswith("vector")]
    secret = vector["settings"]["SIGNATURE_SECRET"]
    proofs = Proofs(signature_secret=secret, signed="standard-webhooks", timestamp_tolerance_seconds=1, header=None)
    assert proofs.verify(vector["headers"], vector["body"], now=1649367554.9).body == vector["body"]
    with pytest.raises(Unverified, match="webhook-timestamp has a timestamp outside") as caught:
        proofs.verify(vector["headers"], vector["body"])
    report = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    shown = "".join([*report.format(), repr(proofs)]).partition("in verify")[2]
    assert "signature = Signature(" in shown and repr(base64.b64decode(secret[6:]))[2:12] not in shown
    with pytest.raises(TypeError, match="signature_secrets is not a setting; did you mean signature_secret?"):
        Proofs(signature_secrets=SECRET)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="has to be an? int, not str"):
        Proofs(signature_secret=SECRET, timestamp_tolerance_seconds="1")  # type: ignore[arg-type]
    for nothing in (ProofSettings(), ProofSettings(header_secret=None)):
        with pytest.raises(InvalidSettings, match="no other secret is set"):
            Proofs(**nothing)


@pytest.mark.parametrize("end", ["SIGNATURESECRET", "SIGNATURE_SECRT", "PATH_SECRET_FILES"])
def test_misspelled_secret_is_rejected(end: str) -> None:
    name = f"MESSAGING_WEBHOOK_{end}"
    with pytest.raises(InvalidSettings, match="is not a setting; did you mean MESSAGING_WEBHOOK_") as caught:
        Proofs.from_variables({"MESSAGING_WEBHOOK_HEADER_SECRET": SECRET, name: SECRET})
    assert caught.value.payload.setting == name and SECRET not in str(caught.value)


def test_headers_of_http_server_are_accepted() -> None:
    headers = HTTPMessage()
    headers["X-Webhook-Secret"] = SECRET
    assert Proofs(header_secret=SECRET).verify(headers, BODY).body == BODY


def test_secret_is_read_from_file(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    variables = {"MESSAGING_WEBHOOK_HEADER_SECRET_FILE": str(file)}

    def rejects(variables: dict[str, str], variable: str, why: str) -> None:
        with pytest.raises(InvalidSettings, match=why) as caught:
            Proofs.from_variables(variables)
        assert caught.value.payload.setting == PREFIX + variable and str(file) not in str(caught.value)

    rejects(variables, "HEADER_SECRET_FILE", "cannot be read: No such file")
    for text in (SECRET, f"{SECRET}\n", f"\ufeff{SECRET}\r\n"):
        file.write_bytes(text.encode())
        assert Proofs.from_variables(variables).verify({"X-Webhook-Secret": SECRET}, BODY).body == BODY
    rejects(variables | {"MESSAGING_WEBHOOK_HEADER_SECRET": SECRET}, "HEADER_SECRET", "are both set")
    file.write_bytes(b"\xff")
    rejects(variables, "HEADER_SECRET_FILE", "cannot be read: it is not UTF-8")


def test_delivery_has_any_form_except_parsed_body() -> None:
    proofs = Proofs(header_secret=SECRET)
    names = {"X-Webhook-Secret": SECRET, "Content-Type": "application/json", "X-Idempotency-Key": "evt-1"}
    message = Message()
    message["Cookie"] = "a"
    for name, value in names.items():
        message[name] = value
    raw = [(name.encode(), value.encode()) for name, value in names.items()]
    for headers in (names, message.items(), raw, iter(raw)):
        delivery = proofs.verify(headers, BODY)
        assert dict(delivery.headers) == {"content-type": "application/json", "x-idempotency-key": "evt-1"}
    assert proofs.verify(names, BODY.decode()).body == BODY.decode()
    assert proofs.verify(names, "\ud800").body == "\ud800"
    body: Any
    for body in (json.loads(BODY), None):
        with pytest.raises(TypeError, match="body has to be bytes"):
            proofs.verify(names, body)
    with pytest.raises(Unverified, match="the header x-webhook-secret is malformed"):
        proofs.verify(names | {"X-Webhook-Secret": f"{SECRET}\u0130"}, BODY)
    with pytest.raises(TypeError, match="of a header has to be"):
        proofs.verify({"a": 1}, BODY)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="path has to be a str"):
        Proofs(path_secret=SECRET).verify(names, BODY)
