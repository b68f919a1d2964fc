"""Tests that the API key appears only in the header `token`."""

import asyncio
import copy
import dataclasses
import gc
import json
import logging
import socket
import threading
import traceback

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import peers
from conftest import KEY, Service
from messaging_plugin import (
    ApiKey,
    InvalidSettings,
    MessagingError,
    OutcomeUnknown,
    Plugin,
    Settings,
    Unauthorized,
    Variables,
)
from messaging_plugin.component import Plugged
from messaging_plugin.key import HeldKey

PHONE = "+34600111222"


def test_settings_do_not_show_key() -> None:
    given = Settings("http://127.0.0.1:9", KEY)
    copied = copy.deepcopy(given)
    assert copied == given and given.variables().get("MESSAGING_API_KEY") == KEY
    shown = [given, given.variables(), given.api_key, dataclasses.asdict(given)]
    for value in [*shown, copied, list(map(str, shown)), f"{given.api_key}"]:
        assert KEY not in repr(value)


def test_error_does_not_show_key(loaded: Plugin, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f'{{"message":"the key {KEY} is not valid","{KEY}":1}}'.encode()
    errors: list[MessagingError] = []
    with peers.peer(peers.answer("401 Unauthorized", echo, f"X-Echo: {KEY}\r\n")) as peer:
        usual = Settings(peer.base_url, KEY, deadline_ms=500, max_attempts=1)
        plugins = [
            loaded.with_settings(usual),
            loaded.with_settings(usual, allow=[]),
            loaded.with_settings(dataclasses.replace(usual, base_url="http://127.0.0.1:9")),
            loaded.with_settings(dataclasses.replace(usual, api_key=ApiKey(KEY + "\n"))),
            Plugin(usual, memory_bytes=1),
        ]
        for plugin in plugins:
            with pytest.raises(MessagingError) as caught:
                plugin.send_message(PHONE, "hi")
            errors.append(caught.value)
            held = [plugin, plugin._driver, plugin._key, plugin._settings, plugin._connections]
            assert KEY not in repr(held) + repr(vars(plugin)) + repr(vars(plugin._driver))
    assert [error.case for error in errors] == [
        "permanent-unauthorized",
        "permanent-denied",
        "not-sent",
        "permanent-invalid-settings",
        "plugin-crashed",
    ]
    for error in errors:
        assert KEY not in "".join(traceback.format_exception(error))
        assert KEY not in repr(error) + repr(error.payload)
    assert KEY not in caplog.text


def variables_shown(error: BaseException | None) -> str:
    """Returns all data that error reporters show: each frame with its variables, and each cause."""
    shown = ""
    while error:
        shown += "".join(
            traceback.TracebackException.from_exception(error, capture_locals=True).format()
        )
        error = error.__cause__ or error.__context__
    return shown


def test_traceback_variables_hide_key(loaded: Plugin) -> None:
    gate = threading.Event()

    async def late() -> None:
        async with asyncio.timeout(0.2):
            await plugin.asend_message(PHONE, "hi")

    with peers.peer(peers.silence_until(gate)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY))
        with pytest.raises(TimeoutError) as caught:
            asyncio.run(late())
        gate.set()
    shown = variables_shown(caught.value)
    assert "_exchange" in shown and "reply = " in shown and KEY not in shown
    with pytest.raises(ValueError) as wrong:
        loaded.with_settings(Settings("http://127.0.0.1:9", KEY), allow=["no origin"])
    with pytest.raises(InvalidSettings) as invalid:
        loaded.with_settings(Settings("http://127.0.0.1:9", KEY + "\n")).send_message(PHONE, "hi")
    for error in (wrong.value, invalid.value):
        frames = traceback.TracebackException.from_exception(error, capture_locals=True)
        assert KEY not in "".join(frames.format())


def test_key_never_enters_component(plugin: Plugin, service: Service) -> None:
    """The memory of an instance does not hold the key at the end of a call, even if the service repeats the key."""
    plugin.send_message(PHONE, "found")
    plugin.list_templates()
    with peers.peer(peers.answer("401 Unauthorized", KEY.encode())) as peer:
        other = plugin.with_settings(Settings(peer.base_url, KEY))
        with pytest.raises(Unauthorized, match=r"401"):
            other.send_message(PHONE, "found")
    instances = [*plugin._instances.kept, *other._instances.kept]
    assert len(instances) == 2
    for instance in instances:
        assert isinstance(instance, Plugged)
        memory = bytes(instance.view)
        assert b"found" in memory and KEY.encode() not in memory
    (request, *_) = service.ledger()["requests"]
    assert request["authorized"] and KEY not in repr(request)


@pytest.mark.parametrize(
    ("key", "detail"),
    [
        ("", "is missing|is empty"),
        (KEY + "\0", "control character"),
        (KEY + "\r\nx: y", "control character"),
        (KEY + "\u00e9", "outside ASCII"),
        (" " + KEY, "white space"),
        (KEY + "\t", "white space"),
        (KEY * 300, "longer than 4096"),
    ],
)
def test_unsendable_key_is_rejected(
    loaded: Plugin, service: Service, key: str, detail: str
) -> None:
    plugin = loaded.with_settings(service.settings(api_key=key))
    for call in (lambda: plugin.send_message(PHONE, "hi"), plugin.list_templates):
        with pytest.raises(InvalidSettings, match=detail) as caught:
            call()
        assert caught.value.payload.setting == "MESSAGING_API_KEY"
        assert KEY not in "".join(traceback.format_exception(caught.value))
    assert service.ledger()["requests"] == []


def test_unpaired_surrogate_is_invalid_setting() -> None:
    with pytest.raises(InvalidSettings) as caught:
        Settings("http://127.0.0.1:9", KEY + "\ud800").variables()
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_event_is_handled_without_settings() -> None:
    headers = {"X-Idempotency-Key": "k", "Content-Type": "application/json"}
    event = Plugin(Variables({})).handle_event(headers, '{"id":"m","object":"message","event":"e"}')
    assert event.message_id == "m"


def test_api_key_as_message_id_is_unknown(loaded: Plugin) -> None:
    body = json.dumps({"id": KEY}).encode()
    with peers.peer(peers.answer("201 Created", body)) as peer:
        with pytest.raises(OutcomeUnknown, match="repeats the API key as its id") as caught:
            loaded.with_settings(Settings(peer.base_url, KEY)).send_message(PHONE, "hi")
        assert peer.finish() == 1
    assert caught.value.payload.status == 201


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Encoding: gzip\r\n",
        "Content-Type: text/plain; charset=utf-7\r\n",
        "Content-Type: text/plain; charset=windows-65000\r\n",
        "Content-Type: text/plain; charset=ibm-1140-s390\r\n",
        "Content-Type: text/plain; charset=ibm-1214\r\n",
    ],
)
def test_body_that_could_hide_key_is_withheld(loaded: Plugin, headers: str) -> None:
    with peers.peer(peers.answer("401 Unauthorized", b"squeezed", headers)) as peer:
        with pytest.raises(Unauthorized) as caught:
            loaded.with_settings(Settings(peer.base_url, KEY)).send_message(PHONE, "hi")
    assert caught.value.payload.body == ""


@pytest.mark.parametrize("charset", ["gbk", "iso-8859-15", "windows-1251", "cp437", "utf8mb4", "no-such-name"])
def test_unlisted_charset_is_accepted(loaded: Plugin, charset: str) -> None:
    answer = peers.answer("201 Created", b'{"id":"m"}', f"Content-Type: application/json; charset={charset}\r\n")
    with peers.peer(answer) as peer:
        assert loaded.with_settings(Settings(peer.base_url, KEY)).send_message(PHONE, "hi").id == "m"


def test_utf16_body_is_withheld(loaded: Plugin) -> None:
    with peers.peer(peers.answer("401 Unauthorized", KEY.encode("utf-16"))) as peer:
        with pytest.raises(Unauthorized) as caught:
            loaded.with_settings(Settings(peer.base_url, KEY)).send_message(PHONE, "hi")
    assert caught.value.payload.body == ""


@pytest.mark.parametrize("size", [len(KEY) - 1, 4])
def test_body_cut_within_key_is_clean(loaded: Plugin, size: int) -> None:
    def script(connection: socket.socket) -> None:
        peers.read_request(connection)
        head = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 1000\r\n\r\n"
        connection.sendall(head + b"your key " + KEY[:size].encode())

    with peers.peer(script) as peer:
        with pytest.raises(Unauthorized) as caught:
            loaded.with_settings(Settings(peer.base_url, KEY)).send_message(PHONE, "hi")
    assert KEY[:4] not in repr(caught.value.payload)


def unescaped(text: str) -> str:
    """Removes one level of JSON escapes."""
    plain, at = [], 0
    while at < len(text):
        two, six = text[at : at + 2], text[at : at + 6]
        if two == "\\u" and len(six) == 6 and all(c in "0123456789abcdefABCDEF" for c in six[2:]):
            plain.append(chr(int(six[2:], 16)))
            at += 6
        elif two in ('\\"', "\\\\", "\\/"):
            plain.append(two[1])
            at += 2
        elif two == "\\t":
            plain.append("\t")
            at += 2
        else:
            plain.append(text[at])
            at += 1
    return "".join(plain)


@st.composite
def written(draw: st.DrawFn, key: str) -> str:
    """Generates the key in up to three levels of JSON escapes."""
    text = key
    for _ in range(draw(st.integers(0, 3))):
        parts = []
        for char in text:
            forms = [f"\\u{ord(char):04x}", f"\\u{ord(char):04X}"]
            if char in '"\\':
                forms.append("\\" + char)
            else:
                forms += [char] * 4 + (["\\/"] if char == "/" else [])
            parts.append(draw(st.sampled_from(forms)))
        text = "".join(parts)
    return text


KEYS = st.text(alphabet='abc06u-*/"\\~ ', min_size=4, max_size=10).filter(
    lambda key: key.strip() == key and len(set(key)) > 1
)


@settings(max_examples=500, deadline=None)
@given(st.data(), KEYS, st.text(alphabet='abc06u*"\\/ {}\u00e9', max_size=8), st.booleans())
@example(None, "secret", "", True)
def test_only_key_is_masked(
    data: st.DataObject | None, key: str, around: str, whole: bool
) -> None:
    held = HeldKey(key, "https://api.example")
    echo = data.draw(written(key)) if data else "s\\u0065cret"
    text = (around + " " + echo + " " + around).encode()
    masked = held.mask(text, whole)
    assert len(masked) == len(text)
    layer = masked.decode("utf-8", "replace")
    for _ in range(4):
        assert key not in layer
        layer = unescaped(layer)
    # The key can also begin in the text around it: "00 0" in "00 00 0".
    plain = f"{around} {key} {around}"
    occurs_once = sum(plain.startswith(key, at) for at in range(len(plain))) == 1
    if "\\" not in around and occurs_once and whole:
        start = len((around + " ").encode())
        assert masked[:start] == text[:start]
        assert masked[len(text) - start :] == text[len(text) - start :]


def test_large_escaped_body_is_masked_in_time() -> None:
    held = HeldKey("secret-key", "https://api.example")
    body = b'"\\u0073\\\\u00e9\\""' * 60_000 + b"s\\u0065cret-key"
    assert held.mask(body).endswith(b"*" * 15)
    assert held.mask(b'\\"' * 2_000_000) == b'\\"' * 2_000_000


def test_short_key_is_not_masked(plugin: Plugin) -> None:
    gc.collect()
    held = HeldKey("abc", "https://api.example")  # Too short to be masked.
    assert held.mask(b"abc") == b"abc"
