import base64
import hmac

import pytest

import peers
from conftest import KEY, Service
from messaging_plugin import (
    Event,
    IncompleteReason,
    InvalidInput,
    Plugin,
    Retry,
    Settings,
    Unavailable,
    UnexpectedReply,
)
from messaging_plugin.proofs import Proofs

HEADERS = {"X-Idempotency-Key": "evt-1", "Content-Type": "application/json"}
BODY = '{"id":"msg-1","object":"message","event":"message:in:new","further":[1]}'


def test_templates_are_listed_over_every_page(plugin: Plugin, service: Service) -> None:
    page = plugin.list_templates(status="approved", every_page="page")
    assert page.incomplete is None
    assert len(page.templates) == page.total == 7
    assert page.size == 1  # the size of the last page
    assert {template.status for template in page.templates} == {"approved"}
    assert len(service.ledger()["requests"]) == 3


def test_single_page_is_reported_as_incomplete(plugin: Plugin) -> None:
    page = plugin.list_templates()
    assert len(page.templates) == 3 < page.total
    assert page.incomplete is IncompleteReason.PAGES_NOT_FOLLOWED


def test_parameters_are_passed_on_in_order(plugin: Plugin, service: Service) -> None:
    plugin.list_templates(parameters=[("page", "1"), ("größe", "a b")])
    (request,) = service.ledger()["requests"]
    assert request["query"] == "page=1&gr%C3%B6%C3%9Fe=a%20b"


def test_read_that_fails_can_be_repeated(loaded: Plugin) -> None:
    hint = "Retry-After: 60\r\n"
    with peers.peer(peers.answer("503 Service Unavailable", b"", hint)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY, max_attempts=1))
        with pytest.raises(Unavailable) as caught:
            plugin.list_templates()
    assert (caught.value.payload.status, caught.value.retry) == (503, Retry.SAFE)
    assert caught.value.retry_after_ms == 60_000


def test_unexpected_reply_names_path(loaded: Plugin) -> None:
    with peers.peer(peers.answer("200 OK", b'{"data":null}')) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        with pytest.raises(UnexpectedReply) as caught:
            plugin.list_templates()
    assert caught.value.payload.path.startswith("$.")


def test_event_is_parsed(loaded: Plugin) -> None:
    event = Event("evt-1", "msg-1", "message:in:new", BODY)
    raw = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    for headers in (HEADERS, raw):
        for body in (BODY, BODY.encode(), bytearray(BODY.encode())):
            assert loaded.handle_event(headers, body) == event
    with pytest.raises(InvalidInput, match="body is not UTF-8"):
        loaded.handle_event(HEADERS, b"\xff")


def test_verified_delivery_is_event(loaded: Plugin) -> None:
    key = b"0123456789abcdef"
    mac = base64.b64encode(hmac.digest(key, f"evt-1.17.{BODY}".encode(), "sha256")).decode()
    secret = f"whsec_{base64.b64encode(key).decode()}"
    proofs = Proofs(signature_secret=secret, signed="standard-webhooks", timestamp_tolerance_seconds=0)
    signed = {"webhook-id": "evt-1", "webhook-timestamp": "17", "webhook-signature": f"v1,{mac}"}
    delivery = proofs.verify({"Content-Type": "application/json"} | signed, BODY.encode())
    assert loaded.handle_event(*delivery) == Event("evt-1", "msg-1", "message:in:new", BODY)


def test_unknown_kind_is_kept(loaded: Plugin) -> None:
    event = loaded.handle_event(HEADERS, BODY.replace("in:new", "außer"))
    assert event.kind == "message:außer"


@pytest.mark.parametrize(
    ("headers", "body", "field"),
    [
        ([("Content-Type", "application/json")], BODY, "X-Idempotency-Key"),
        ([*HEADERS.items(), ("x-idempotency-key", "b")], BODY, "X-Idempotency-Key"),
        ([("X-Idempotency-Key", "k"), ("Content-Type", "text/plain")], BODY, "Content-Type"),
        (list(HEADERS.items()), BODY.replace('"id"', '"di"'), "$.id"),
        (list(HEADERS.items()), "", "$"),
    ],
)
def test_malformed_delivery_names_field(
    loaded: Plugin, headers: list[tuple[str, str]], body: str, field: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        loaded.handle_event(headers, body)
    assert caught.value.payload.field.lower() == field.lower()
