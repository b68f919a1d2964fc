"""Runs the programs in the READMEs. Adds the names that a program uses but does not define."""

import base64
import hashlib
import hmac
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import KEY, ROOT, Service
from inbox_client import until
from inbox_server import TOKEN, inbox_server
from messaging_plugin import MessagingError, OutcomeUnknown, Plugin, RateLimited
from messaging_plugin.once import OnceCreated
from messaging_plugin.proofs import Unverified

MAIN_PAGE = ROOT / "README.md"
PAGE = ROOT / "examples/python/README.md"
PHONE = "+34 600 111 222"
HMAC_KEY = b"a key of at least 24 bytes"
SECRET = "whsec_" + base64.b64encode(HMAC_KEY).decode()
BODY = b'{"id":"msg-1","object":"message","event":"message:in:new"}'


def blocks(page: Path) -> list[str]:
    """Returns the blocks of Python on a page."""
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.S | re.M)


def block(page: Path, part: str) -> str:
    """Returns the only block of Python on a page that contains `part`."""
    (found,) = (code for code in blocks(page) if part in code)
    return found


def changed(code: str, old: str, new: str) -> str:
    assert old in code
    return code.replace(old, new)


def run(code: str, **names: Any) -> dict[str, Any]:
    """Runs a program. Returns its global names."""
    exec(compile(code, "page", "exec"), names)
    return names


def signed() -> dict[str, str]:
    seconds = str(int(time.time()))
    digest = hmac.digest(HMAC_KEY, f"evt-1.{seconds}.".encode() + BODY, hashlib.sha256)
    proof = {"webhook-signature": "v1," + base64.b64encode(digest).decode()}
    return {"webhook-id": "evt-1", "webhook-timestamp": seconds, "content-type": "application/json"} | proof


def test_each_program_of_pages_has_test() -> None:
    assert (len(blocks(MAIN_PAGE)), len(blocks(PAGE))) == (1, 4)


def test_program_of_main_page_sends_one_message(service: Service) -> None:
    names = run(block(MAIN_PAGE, "send_message"), base_url=service.base_url, api_key=KEY)
    assert names["created"].id == "msg-0001"
    assert len(service.ledger()["messages"]) == 1


def test_program_of_page_verifies_delivery(monkeypatch: pytest.MonkeyPatch) -> None:
    code = block(PAGE, "proofs = Proofs(")
    other = re.search(r"# or (.*)", code)
    assert other is not None
    monkeypatch.setenv("MESSAGING_WEBHOOK_SIGNATURE_SECRET", SECRET)
    monkeypatch.setenv("MESSAGING_WEBHOOK_SIGNED", "standard-webhooks")
    for more in ("", f"import os\nproofs = {other[1]}"):
        proofs = run(code + more, secret=SECRET)["proofs"]
        assert proofs.verify(signed(), BODY).body == BODY
        with pytest.raises(Unverified):
            proofs.verify(signed(), BODY + b" ")


@pytest.mark.parametrize(
    ("phone", "expected"),
    [
        (PHONE, None),
        ("+99900002000", OutcomeUnknown),
        ("+99900000429", RateLimited),
    ],
)
def test_program_of_page_handles_each_outcome(
    service: Service, phone: str, expected: type[MessagingError] | None
) -> None:
    asked: list[MessagingError] = []
    pauses: list[int | None] = []
    code = changed(block(PAGE, "except MessagingError"), "https://api.example", service.base_url)
    names = run(
        changed(code, PHONE, phone),
        key=KEY, headers=signed(), body=BODY, ask_an_operator=asked.append, later=pauses.append,
        proofs=run(block(PAGE, "proofs = Proofs("), secret=SECRET)["proofs"],
    )  # fmt: skip
    assert [type(error) for error in asked] == ([OutcomeUnknown] if expected is OutcomeUnknown else [])
    assert len(pauses) == (expected is RateLimited)
    assert ("created" in names) == (expected is None)
    assert (len(names["page"].templates), names["event"].kind) == (7, "message:in:new")


def test_program_of_page_sends_once(
    plugin: Plugin, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = block(PAGE, "send_once")
    sent: list[OnceCreated] = [run(code, plugin=plugin)["message"] for _ in range(2)]
    assert [message.replayed for message in sent] == [False, True]
    assert len(service.ledger()["messages"]) == 1


def test_program_of_page_processes_event() -> None:
    with inbox_server() as server:
        server.put("evt-1")
        program = f"""
import signal
from messaging_plugin.inbox import Inbox
token = {TOKEN!r}
def complain(error, event=None):
    raise error
def handle(event):
    print(event.key, flush=True)
"""
        program += changed(block(PAGE, "inbox.run("), "https://inbox.example", server.url)
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "evt-1\n"
            until(lambda: server.states() == ["done"])
            process.send_signal(signal.SIGTERM)
            assert (process.stdout.read(), process.wait(10)) == ("", 0)
