"""The key is where it is needed, and nowhere else."""

import copy
import dataclasses
import logging
import traceback

import pytest
from wasmtime import WasiConfig

import peers
from conftest import KEY, Service
from messaging_plugin import ApiKey, InvalidSettings, MessagingError, Plugin, Settings


def test_settings_do_not_show_the_key() -> None:
    settings = Settings("http://127.0.0.1:9", KEY)
    copied = copy.deepcopy(settings)
    assert copied == settings and settings.variables().get("MESSAGING_API_KEY") == KEY
    shown = [settings, settings.variables(), settings.api_key, dataclasses.asdict(settings)]
    for value in [*shown, copied, list(map(str, shown)), f"{settings.api_key}"]:
        assert KEY not in repr(value)


def test_an_error_does_not_show_the_key(
    loaded: Plugin, hostile: Plugin, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f'{{"message":"the key {KEY} is not valid","{KEY}":1}}'.encode()
    errors: list[MessagingError] = []
    with peers.peer(peers.answer("401 Unauthorized", echo, f"X-Echo: {KEY}\r\n")) as peer:
        settings = Settings(peer.base_url, KEY, deadline_ms=500, max_attempts=1)
        plugins = [
            loaded.with_settings(settings),
            loaded.with_settings(settings, allow=[]),
            loaded.with_settings(dataclasses.replace(settings, base_url="http://127.0.0.1:9")),
            loaded.with_settings(dataclasses.replace(settings, api_key=ApiKey(KEY + "\n"))),
            hostile.with_settings(settings),
        ]
        for plugin in plugins:
            with pytest.raises(MessagingError) as caught:
                plugin.send_message("+34600111222", "trap")
            errors.append(caught.value)
            assert KEY not in repr(vars(plugin))
    cases = [error.case for error in errors]
    assert cases == [
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


@pytest.mark.parametrize("rest", ["\0", "\ud800"])
def test_a_key_that_would_not_arrive_whole_is_refused(loaded: Plugin, rest: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        loaded.with_settings(Settings("http://127.0.0.1:9", KEY + rest))
    assert caught.value.payload.setting == "MESSAGING_API_KEY"
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_an_event_is_handled_without_the_key(
    loaded: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[list[tuple[str, str]]] = []

    class Recorded(WasiConfig):
        env = property(None, lambda _, pairs: given.append(list(pairs)))

    monkeypatch.setattr("messaging_plugin.plugin.WasiConfig", Recorded)
    headers = {"X-Idempotency-Key": "k", "Content-Type": "application/json"}
    loaded.handle_event(headers, '{"id":"m","object":"message","event":"e"}')
    assert given == [[]]


def test_the_key_is_sent_to_the_service(plugin: Plugin, service: Service) -> None:
    plugin.send_message("+34600111222", "hi")
    (request,) = service.ledger()["requests"]
    assert request["authorized"] and KEY not in repr(request)
