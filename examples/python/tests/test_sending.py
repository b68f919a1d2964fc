import socket
import threading
from functools import partial
from typing import Any

import pytest

import peers
from conftest import KEY, Service
from messaging_plugin import (
    CreatedMessage,
    Field,
    Fields,
    InvalidInput,
    InvalidSettings,
    NotSent,
    OutcomeUnknown,
    Plugin,
    RateLimited,
    Refused,
    Retry,
    Settings,
    Stage,
    Unauthorized,
    Unavailable,
)

PHONE = "+34 600 111 222"


def test_message_is_created_once_as_requested(
    plugin: Plugin, service: Service
) -> None:
    text = 'Your "order" is ready ✓\n\0 \U0001f4e6'
    created = plugin.send_message(PHONE, text)
    assert created == CreatedMessage(id="msg-0001", json='{"id":"msg-0001"}')
    assert service.ledger()["messages"] == [
        {"id": "msg-0001", "phone": "+34600111222", "message": text}
    ]


def test_sender_number_is_passed_on(plugin: Plugin, service: Service) -> None:
    plugin.send_message(PHONE, "hi", device="7")
    (message,) = service.ledger()["messages"]
    assert message["device"] == "7"


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        (
            {"device": 7, "template": {"name": "é", "of": [1.5, None]}},
            '"device":7,"template":{"name":"é","of":[1.5,null]}',
        ),
        (
            [Field("z", '{"b":1, "b":2}'), Field("a", "10000000000000000001")],
            '"z":{"b":1, "b":2},"a":10000000000000000001',
        ),
    ],
)
def test_further_fields_are_sent_as_json(
    loaded: Plugin, fields: Fields, sent: str
) -> None:
    bodies: list[bytes] = []

    def script(connection: socket.socket) -> None:
        bodies.append(peers.read_request(connection).partition(b"\r\n\r\n")[2])
        connection.sendall(b'HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n{"id":"m"}')

    with peers.peer(script) as peer:
        loaded.with_settings(Settings(peer.base_url, KEY)).send_message(PHONE, "hi", fields=fields)
    assert bodies == [f'{{"phone":"+34600111222","message":"hi",{sent}}}'.encode()]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"phone": "1"}, "fields[0].name"),
        ([Field("a", "1"), Field("a", "2")], "fields[1].name"),
        ([Field("a", "{")], "fields[0].json"),
        ({"a": {"b": "\ud83d"}}, "fields[0].json"),
        ({"\ud83d": 1}, "fields[0].name"),
    ],
)
def test_unserializable_field_is_named(
    plugin: Plugin, service: Service, fields: Fields, field: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        plugin.send_message(PHONE, "hi", fields=fields)
    assert caught.value.payload.field == field
    assert service.ledger()["requests"] == []


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"a": float("nan")}, ValueError),
        ({"a": object()}, ValueError),
        ({1: "a"}, TypeError),
        ("a", TypeError),
        ([("a", "1")], TypeError),
        ([Field("a", 1)], TypeError),  # type: ignore[arg-type]
    ],
)
def test_fields_of_another_type_raise(
    plugin: Plugin, service: Service, fields: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        plugin.send_message(PHONE, "hi", fields=fields)
    assert service.ledger()["requests"] == []


def test_number_without_its_country_makes_no_request(plugin: Plugin, service: Service) -> None:
    with pytest.raises(InvalidInput) as caught:
        plugin.send_message("600111222", "hi")
    assert caught.value.case == "permanent-invalid-input"
    assert caught.value.payload.field == "phone"
    assert caught.value.retry is Retry.NEVER
    assert service.ledger()["requests"] == []


def test_unpaired_surrogate_is_invalid_input(plugin: Plugin, service: Service) -> None:
    with pytest.raises(InvalidInput) as caught:
        plugin.send_message(PHONE, "hi \ud83d")
    assert caught.value.payload.field == "message"
    assert service.ledger()["requests"] == []


def test_value_of_another_type_raises(plugin: Plugin, service: Service) -> None:
    with pytest.raises(TypeError, match="message has to be a str or bytes, not int"):
        plugin.send_message(PHONE, 7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="phone has to be a str, not bytes"):
        plugin.send_message(PHONE.encode(), "hi")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="template"):
        plugin.send_message(PHONE, "hi", template=1)  # type: ignore[call-arg]
    assert service.ledger()["requests"] == []


def test_swapped_arguments_raise_type_error(plugin: Plugin) -> None:
    with pytest.raises(TypeError, match="headers has to be a mapping or pairs, not bytes"):
        plugin.handle_event(b"{}", {})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="parameters has to be a str, not int"):
        plugin.list_templates(parameters={"page": 1})  # type: ignore[dict-item]


def test_message_is_text_or_utf8(plugin: Plugin, service: Service) -> None:
    plugin.send_message(PHONE, "é ✓".encode())
    with pytest.raises(InvalidInput, match="message is not UTF-8"):
        plugin.send_message(PHONE, b"\xff")
    assert [message["message"] for message in service.ledger()["messages"]] == ["é ✓"]


def test_call_has_its_own_deadline(loaded: Plugin) -> None:
    gate = threading.Event()
    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY, deadline_ms=600_000))
        calls = (plugin.list_templates, Unavailable), (partial(plugin.send_message, PHONE, "hi"), OutcomeUnknown)
        for call, error in calls:
            with pytest.raises(error):
                call(deadline_ms=200)
        with pytest.raises(InvalidSettings, match="from 1 to 600000"):
            plugin.list_templates(deadline_ms=0)
        with pytest.raises(TypeError, match="deadline_ms has to be an int, not str"):
            plugin.list_templates(deadline_ms="5000")  # type: ignore[arg-type]
        gate.set()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("base_url", b"http://127.0.0.1:9"),
        ("api_key", b"key"),
        ("api_key", None),
        ("deadline_ms", "10"),
        ("max_attempts", True),
        ("allow_http", "false"),
        ("retry_rate_limited", 0),
    ],
)
def test_setting_of_another_type_raises(name: str, value: object) -> None:
    given: dict[str, Any] = {"base_url": "http://127.0.0.1:9", "api_key": KEY, name: value}
    with pytest.raises(TypeError, match=f"{name} has to be an? (str|int|bool), not"):
        Settings(**given)


def test_missing_setting_is_named(loaded: Plugin) -> None:
    plugin = loaded.with_settings(Settings("", KEY))
    with pytest.raises(InvalidSettings) as caught:
        plugin.send_message(PHONE, "hi")
    assert caught.value.payload.setting == "MESSAGING_BASE_URL"


def test_unknown_api_key_is_unauthorized(loaded: Plugin, service: Service) -> None:
    plugin = loaded.with_settings(service.settings(api_key="another"))
    with pytest.raises(Unauthorized) as caught:
        plugin.send_message(PHONE, "hi")
    assert caught.value.payload.status == 401
    assert caught.value.retry is Retry.NEVER
    assert service.ledger()["messages"] == []


def test_reply_without_body_does_not_crash(loaded: Plugin) -> None:
    with peers.peer(peers.answer("401 Unauthorized", b"")) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        with pytest.raises(Unauthorized) as caught:
            plugin.send_message(PHONE, "hi")
    assert caught.value.payload.body == ""


def test_refusal_keeps_its_details(loaded: Plugin) -> None:
    body = b'{"errors":[{"field":"phone","message":"unknown"},{"message":"second"}]}'
    with peers.peer(peers.answer("422 Unprocessable Content", body)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        with pytest.raises(Refused) as caught:
            plugin.send_message(PHONE, "hi")
    details = [(detail.field, detail.message) for detail in caught.value.payload.details]
    assert details == [("phone", "unknown"), (None, "second")]
    assert caught.value.payload.body == body.decode()


def test_unknown_outcome_contains_service_error(loaded: Plugin) -> None:
    body = f'{{"code":"in_progress","message":"sending, key {KEY}"}}'.encode()
    with peers.peer(peers.answer("409 Conflict", body)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        with pytest.raises(OutcomeUnknown, match="status 409: sending") as caught:
            plugin.send_message(PHONE, "hi")
        assert peer.finish() == 1
    refusal = caught.value.payload.refusal
    assert refusal is not None and (refusal.status, refusal.code) == (409, "in_progress")
    assert KEY not in repr(caught.value) + repr(refusal)


def test_rate_limit_error_has_retry_delay(plugin: Plugin, service: Service) -> None:
    with pytest.raises(RateLimited) as caught:
        plugin.send_message("+99900000429", "hi")
    assert caught.value.retry_after_ms == 60_000
    assert caught.value.retry is Retry.SAFE
    assert service.ledger()["messages"] == []


@pytest.mark.parametrize(
    ("phone", "stage", "status"),
    [
        ("+99900001500", Stage.REPLY_UNCLEAR, 500),
        ("+99900002000", Stage.AWAITING_REPLY, None),
        ("+99900002001", Stage.READING_REPLY, 201),
        ("+99900002002", Stage.AWAITING_REPLY, None),
        ("+99900002003", Stage.REPLY_UNCLEAR, 201),
        ("+99900002004", Stage.REPLY_UNCLEAR, 307),
    ],
)
def test_unknown_outcome_leaves_exactly_one_message(
    loaded: Plugin, service: Service, phone: str, stage: Stage, status: int | None
) -> None:
    plugin = loaded.with_settings(service.settings(deadline_ms=700))
    with pytest.raises(OutcomeUnknown) as caught:
        plugin.send_message(phone, "hi")
    assert (caught.value.payload.stage, caught.value.payload.status) == (stage, status)
    assert caught.value.retry is Retry.NEVER
    ledger = service.ledger()
    assert (len(ledger["requests"]), len(ledger["messages"])) == (1, 1)


@pytest.mark.parametrize(
    ("script", "size"),
    [
        (peers.reset_in_the_middle_of_the_request, 8_000_000),
        (peers.reset_before_the_reply, 2),
        (peers.close_before_the_reply, 2),
        (peers.close_in_the_middle_of_the_head, 2),
        (peers.close_in_the_middle_of_the_body, 2),
        (peers.close_in_the_middle_of_a_chunk, 2),
    ],
)
def test_broken_connection_is_unknown_after_one_request(
    loaded: Plugin, script: peers.Script, size: int
) -> None:
    with peers.peer(script) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        with pytest.raises(OutcomeUnknown):
            plugin.send_message(PHONE, "x" * size)
        assert peer.finish() == 1


def test_refused_connection_is_not_sent(loaded: Plugin) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    plugin = loaded.with_settings(Settings(f"http://127.0.0.1:{port}", KEY, max_attempts=2))
    with pytest.raises(NotSent) as caught:
        plugin.send_message(PHONE, "hi")
    assert caught.value.retry is Retry.SAFE
