"""The sandbox of a component, against a hostile one."""

import threading
import time
from pathlib import Path

import pytest

from conftest import KEY, Service, running_service
from messaging_plugin import Denied, Plugin, PluginCrashed, Retry, Settings, Variables


def said(plugin: Plugin, command: str) -> str:
    """Returns the hostile component's answer to a command."""
    return plugin.send_message("", command).json


def test_without_an_allowed_origin_nothing_is_sent(loaded: Plugin, service: Service) -> None:
    plugin = loaded.with_settings(service.settings(), allow=[])
    with pytest.raises(Denied) as caught:
        plugin.send_message("+34600111222", "hi")
    assert caught.value.retry is Retry.NEVER
    with pytest.raises(Denied):
        plugin.list_templates()
    assert service.ledger()["requests"] == []


def test_an_origin_that_is_allowed_is_reached(loaded: Plugin, service: Service) -> None:
    plugin = loaded.with_settings(service.settings(), allow=["https://x.example", service.base_url])
    plugin.send_message("+34600111222", "hi")
    assert len(service.ledger()["messages"]) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:1{port}",
        "http://user@127.0.0.1:{port}",
        "http://127.0.0.1:{port}@elsewhere.example",
        "http://127.0.0.1:",
        "https://127.0.0.1:{port}",
        "other://127.0.0.1:{port}",
    ],
)
def test_a_component_that_ignores_its_settings_reaches_nothing_else(
    hostile: Plugin, service: Service, url: str
) -> None:
    port = service.base_url.rpartition(":")[2]
    plugin = hostile.with_settings(service.settings())
    answer = said(plugin, f"get {url.format(port=port)}/v1/waba/templates")
    assert answer in ("ErrorCode::HttpRequestDenied", "bad request")
    assert service.ledger()["requests"] == []


def test_another_service_on_the_same_machine_is_not_reached(
    hostile: Plugin, service: Service, host_test: Path
) -> None:
    plugin = hostile.with_settings(service.settings())
    with running_service(host_test) as other:
        assert said(plugin, f"get {other.base_url}/v1") == "ErrorCode::HttpRequestDenied"
        assert other.ledger()["requests"] == []
    assert said(plugin, f"get {service.base_url}/v1").startswith("status 404")


def test_a_component_sees_its_settings_and_nothing_else_of_the_process(
    hostile: Plugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MESSAGING_MAX_ATTEMPTS", "9")
    plugin = hostile.with_settings(Settings("http://127.0.0.1:9", KEY, deadline_ms=1234))
    assert said(plugin, "environment") == (
        '[("MESSAGING_BASE_URL", "http://127.0.0.1:9"), '
        f'("MESSAGING_API_KEY", "{KEY}"), ("MESSAGING_DEADLINE_MS", "1234")]'
    )


@pytest.mark.parametrize("name", ["wasi:filesystem/preopens", "wasi:sockets/tcp"])
def test_a_component_that_imports_files_or_sockets_is_not_even_loaded(
    name: str, tmp_path: Path
) -> None:
    file = tmp_path / "component.wat"
    file.write_text(f'(component (import "{name}@0.2.0" (instance)))')
    with pytest.raises(ValueError, match=name):
        Plugin(file, Settings("http://127.0.0.1:9", KEY))


def test_what_a_component_prints_goes_nowhere(
    hostile: Plugin, capfd: pytest.CaptureFixture[str]
) -> None:
    assert said(hostile, "log printed") == ""
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("command", ["trap", "allocate", "recurse", "exit"])
def test_a_component_that_crashes_leaves_the_outcome_unknown_and_the_next_call_works(
    hostile: Plugin, command: str
) -> None:
    with pytest.raises(PluginCrashed) as caught:
        said(hostile, command)
    assert caught.value.retry is Retry.NEVER
    assert said(hostile, "log again") == ""


def test_memory_is_limited(component: Path, service: Service) -> None:
    with Plugin(component, service.settings(), memory_bytes=4 * 1024 * 1024) as small:
        with pytest.raises(PluginCrashed):
            small.send_message("+34600111222", "x" * 5_000_000)
        assert service.ledger()["requests"] == []
        small.send_message("+34600111222", "x")


def test_a_component_that_spins_is_stopped_and_meanwhile_other_threads_run(
    hostile: Plugin,
) -> None:
    plugin = hostile.with_settings(Settings("http://127.0.0.1:9", KEY, deadline_ms=100))
    crashes: list[PluginCrashed] = []

    def spin() -> None:
        with pytest.raises(PluginCrashed) as caught:
            said(plugin, "spin")
        crashes.append(caught.value)

    started = time.monotonic()
    thread = threading.Thread(target=spin)
    thread.start()
    calls = 0
    while thread.is_alive():
        assert said(plugin, "log meanwhile") == ""
        calls += 1
    assert time.monotonic() - started < 10  # 1.1 seconds, on a machine with nothing else to do
    assert [crash.payload for crash in crashes] == ["stopped: its time was up"]
    assert calls > 1
    assert said(plugin, "log again") == ""


def test_a_file_of_another_world_is_refused(component: Path) -> None:
    webhook = component.with_name("messaging_webhook.wasm")
    with pytest.raises(ValueError, match="does not export send-message of messaging:integration"):
        Plugin(webhook, Variables({}))
