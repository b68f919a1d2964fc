"""Tests the limits of a component with hostile components. Each hostile component is written by hand and has the
exports of the real component."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from wasmtime import wat2wasm

import peers
from conftest import KEY, Service, running_service
from messaging_plugin import Denied, MessagingError, Plugin, PluginCrashed, Retry, Settings, Variables, component, wit
from messaging_plugin.deadline import Deadline
from messaging_plugin.driver import Driver, Progress
from messaging_plugin.key import HeldKey
from messaging_plugin.origins import Origin
from messaging_plugin.connections import Connections
from messaging_plugin.waits import run

PHONE = "+34600111222"
NEXT = f"{wit.INTERFACE}#[method]send-call.next"
START = f"{wit.INTERFACE}#[constructor]send-call"
REALLOC = "cabi_realloc"

Build = Callable[..., Plugin]


@pytest.fixture
def hostile(tmp_path: Path) -> Build:
    """Returns a function that builds a plugin. `functions` maps export names to bodies in WAT, and `rest` contains
    further items of the module."""

    def build(functions: dict[str, str], rest: str = "", pages: int = 1) -> Plugin:
        usual = {REALLOC: "i32.const 1024", NEXT: "i32.const 0", START: "i32.const 7"}
        parts = [f'(module (memory (export "memory") {pages}) {rest}']
        for name, (parameters, results) in component._exports(wit.SANS_IO).items():
            # By default, an export without a result does nothing, and any other export returns 0.
            body = (usual | functions).get(name, "i32.const 0" if results else "")
            result = "(result i32)" if results else ""
            parts.append(f'(func (export "{name}") {"(param i32)" * parameters} {result} {body})')
        core = wat2wasm("\n".join([*parts, ")"]))
        file = tmp_path / "component.wasm"
        file.write_bytes(b"\0asm\x0d\0\x01\0\x01" + leb(len(core)) + core)
        settings = Settings("http://127.0.0.1:9", KEY)
        return Plugin(settings, component_path=file, memory_bytes=4 * 1024 * 1024)

    return build


def leb(number: int) -> bytes:
    parts = []
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def crash(plugin: Plugin, text: str = "hi") -> PluginCrashed:
    with pytest.raises(PluginCrashed) as caught:
        plugin.send_message(PHONE, text)
    assert caught.value.retry is Retry.NEVER and caught.value.may_exist
    return caught.value


GROW = "(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable"
DATA = '(data (i32.const 0) "{}")'


@pytest.mark.parametrize(
    ("functions", "rest", "reason"),
    [
        ({NEXT: "unreachable"}, "", "unreachable"),
        ({START: "unreachable"}, "", "unreachable"),
        ({REALLOC: "unreachable"}, "", "unreachable"),
        ({NEXT: "(loop br 0) unreachable"}, "", "stopped: the component computed for too long"),
        ({NEXT: "call $again"}, "(func $again (result i32) call $again)", "call stack exhausted"),
        ({NEXT: GROW}, "", "unreachable"),
        ({REALLOC: "i32.const 65535"}, "", "memory that it does not have"),
        ({REALLOC: "i32.const -1"}, "", "memory that it does not have"),
        # Malformed results: an address outside the memory, unknown cases, invalid strings.
        ({NEXT: "i32.const -1"}, "", "cannot be read"),
        ({NEXT: "i32.const 65534"}, "", "cannot be read"),
        ({}, DATA.format("\\03"), "a case that does not exist"),
        ({}, DATA.format("\\02\\00\\00\\00\\02"), "a case that does not exist"),
        ({}, DATA.format("\\02\\00\\00\\00\\01\\00\\00\\00\\63"), "a case that does not exist"),
        ({}, DATA.format("\\00\\00\\00\\00\\00\\00\\00\\00\\ff\\ff\\ff\\ff"), "larger than the memory"),
        ({}, DATA.format("\\00\\00\\00\\00\\ff\\ff\\00\\00\\02"), "outside the memory"),
        ({}, DATA.format("\\00\\00\\00\\00\\28\\00\\00\\00\\02") + DATA.replace("0)", "40)").format("\\ff\\fe"), "not UTF-8"),
        ({}, DATA.format("\\00" * 24 + "\\ff\\ff\\ff\\0f"), "larger than the memory"),
    ],
)
def test_crash_leaves_outcome_unknown_and_renews_instance(
    hostile: Build, functions: dict[str, str], rest: str, reason: str
) -> None:
    plugin = hostile(functions, rest)
    for _ in range(2):
        assert reason in crash(plugin).payload
    assert not plugin._instances.kept


def test_overlapping_result_larger_than_memory_crashes(hostile: Build) -> None:
    """The component returns 528 headers with names and values of 60,000 bytes, all in one page of memory."""
    header = "\\00\\00\\00\\00\\60\\ea\\00\\00" * 2
    rest = DATA.format("\\00" * 20 + "\\28\\00\\00\\00\\10\\02\\00\\00") + (
        f'(data (i32.const 40) "{header * 528}")'
    )
    started = time.monotonic()
    assert "larger than the memory" in crash(hostile({}, rest)).payload
    assert time.monotonic() - started < 5


def test_spinning_component_is_stopped_early(hostile: Build, loaded: Plugin) -> None:
    plugin = hostile({NEXT: "(loop br 0) unreachable"})
    longest = 0.0
    headers = {"X-Idempotency-Key": "k", "Content-Type": "application/json"}

    def spin() -> None:
        for _ in range(5):
            crash(plugin)

    thread = threading.Thread(target=spin)
    thread.start()
    while thread.is_alive():
        started = time.monotonic()
        loaded.handle_event(headers, '{"id":"m","object":"message","event":"e"}')
        longest = max(longest, time.monotonic() - started)
    assert longest < 5  # a generous limit, because the machine can be busy


def test_time_limit_grows_with_input(service: Service, loaded: Plugin) -> None:
    with loaded.with_settings(service.settings(deadline_ms=30_000)) as plugin:
        plugin.send_message(PHONE, '"\u00e9\\' * 1_000_000)
        assert service.ledger()["messages"][0]["message"] == '"\u00e9\\' * 1_000_000


def test_small_values_stay_within_time_limit(plugin: Plugin, service: Service) -> None:
    plugin.send_message(PHONE, "hi", fields={f"n{number}": number for number in range(4000)})
    assert len(service.ledger()["messages"]) == 1


def test_slowest_reply_is_read_within_limits(loaded: Plugin) -> None:
    body = b'{"id":"m","x":"' + b"\\u00e9" * 690_000 + b'"}'
    with peers.peer(peers.answer("201 Created", body)) as peer:
        plugin = loaded.with_settings(Settings(peer.base_url, KEY, max_reply_bytes=4 * 1024 * 1024))
        assert plugin.send_message(PHONE, "hi").json == body.decode()


def test_largest_replies_are_read_within_limits() -> None:
    """Lists pages of almost 4 MiB with small templates until the list reaches its maximum size of 16 MiB in memory."""
    plugged = component.packaged().instance()
    template = b'{"name":"%05d","status":"","language":"","content":"\\u00e9\\\\"}'
    settings = (
        wit.Setting("MESSAGING_BASE_URL", "https://api.example"),
        wit.Setting("MESSAGING_API_KEY", KEY),
        wit.Setting("MESSAGING_MAX_REPLY_BYTES", str(4 * 1024 * 1024)),
    )
    call = plugged.start(wit.LIST, settings, wit.TemplateQuery(None, (), "page"), 7)
    step, number, page = plugged.next(wit.LIST, call, 0, None), 0, 0
    while isinstance(step, wit.HttpRequest):
        data = b",".join([template % (number + index) for index in range(60_000)])
        head = b'{"page":%d,"size":60000,"total":9999999,"data":[' % page
        reply = wit.HttpReply(200, (), head + data + b"]}", wit.BodyEnd.WHOLE)
        assert len(reply.body) < 4 * 1024 * 1024
        step = plugged.next(wit.LIST, call, page, reply)
        number, page = number + 60_000, page + 1
    assert isinstance(step, wit.Done) and page == 2, step
    assert not isinstance(step.result, wit.Error), step.result


def test_memory_is_limited(service: Service) -> None:
    with Plugin(service.settings(), memory_bytes=4 * 1024 * 1024) as small:
        with pytest.raises(PluginCrashed):
            small.send_message(PHONE, "x" * 5_000_000)
        assert service.ledger()["requests"] == []
        small.send_message(PHONE, "x")


def test_instance_with_much_memory_is_dropped(plugin: Plugin) -> None:
    plugin.send_message(PHONE, "x")
    assert len(plugin._instances.kept) == 1
    plugin.send_message(PHONE, "x" * 2_000_000)
    assert len(plugin._instances.kept) == 0


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a WebAssembly component"),
        (b"\0asm\x01\0\0\0", "not a WebAssembly component"),
        (b"\0asm\x0d\0\x01\0", "no core module"),
        (b"\0asm\x0d\0\x01\0\x07\xff\xff\xff\xff\xff", "damaged"),
    ],
)
def test_file_without_component_is_rejected(tmp_path: Path, data: bytes, reason: str) -> None:
    file = tmp_path / "component.wasm"
    file.write_bytes(data)
    with pytest.raises(ValueError, match=reason):
        Plugin(Variables({}), component_path=file)


@pytest.mark.parametrize("name", ["messaging_plugin.wasm", "messaging_webhook.wasm"])
def test_component_of_another_world_is_refused(name: str) -> None:
    file = Path(__file__).parents[3] / "dist" / name
    with pytest.raises(ValueError, match="the component (imports|does not export)"):
        Plugin(Variables({}), component_path=file)


def test_without_allowed_origin_nothing_is_sent(loaded: Plugin, service: Service) -> None:
    plugin = loaded.with_settings(service.settings(), allow=[])
    with pytest.raises(Denied) as caught:
        plugin.send_message(PHONE, "hi")
    assert caught.value.retry is Retry.NEVER
    with pytest.raises(Denied):
        plugin.list_templates()
    assert service.ledger()["requests"] == []


def test_origin_that_is_allowed_is_reached(loaded: Plugin, service: Service) -> None:
    plugin = loaded.with_settings(service.settings(), allow=["https://x.example", service.base_url])
    plugin.send_message(PHONE, "hi")
    assert len(service.ledger()["messages"]) == 1


def made(service: Service, request: wit.HttpRequest, *allow: str) -> wit.Input:
    """Makes a component's request with the driver. Returns the outcome."""
    allowed = [Origin.of_entry(entry) for entry in [service.base_url, *allow]]
    driver = Driver(frozenset(allowed), HeldKey(KEY, service.base_url), Connections(None))
    return run(driver.make(request, Progress(), Deadline.after(30)))


def get(url: str, *headers: tuple[str, str], method: str = "GET") -> wit.HttpRequest:
    held = tuple(wit.Header(name, value) for name, value in headers)
    return wit.HttpRequest(method, url, held, b"", 5000, 1000)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:{port}/v1",
        "http://127.0.0.1/v1",
        "http://127.0.0.1:1{port}/v1",
        "http://user@127.0.0.1:{port}/v1",
        "http://127.0.0.1:{port}@elsewhere.example/",
        "http://127.0.0.1:/v1",
        "https://127.0.0.1:{port}/v1",
        "other://127.0.0.1:{port}/v1",
        "http://127.0.0.1:{port}",
        "http://127.0.0.1:{port}/a b",
        "http://127.0.0.1:{port}/a#b",
        "http://127.0.0.1:{port}/\r\nx: y",
        "http://127.0.0.1:{port}/\u00e9",
        "http://127.0.0.1:{port}/v1\n",
        "",
    ],
)
def test_component_reaches_only_allowed_origins(
    service: Service, url: str
) -> None:
    port = service.base_url.rpartition(":")[2]
    answer = made(service, get(url.format(port=port)))
    assert isinstance(answer, wit.Failed) and answer.failure is wit.Failure.DENIED
    assert service.ledger()["requests"] == []
    assert isinstance(made(service, get(f"{service.base_url}/v1")), wit.HttpReply)


@pytest.mark.parametrize(
    "header",
    [
        ("Host", "other.example"),
        ("content-length", "1"),
        ("Transfer-Encoding", "chunked"),
        ("connection", "token"),
        ("expect", "100-continue"),
        ("a b", ""),
        ("", ""),
        ("a:", ""),
        ("a", "b\r\nhost: c"),
        ("a", "b\n"),
        ("a", "\0"),
        ("a", "\u20ac"),
    ],
)
def test_component_sets_no_reserved_header(
    service: Service, header: tuple[str, str]
) -> None:
    answer = made(service, get(f"{service.base_url}/v1", header))
    assert isinstance(answer, wit.Failed) and answer.failure is wit.Failure.DENIED


@pytest.mark.parametrize("method", ["", "post", "DELETE", "CONNECT", "G ET", "GET / HTTP/1.1\r\n"])
def test_component_makes_requests_of_two_methods(service: Service, method: str) -> None:
    answer = made(service, get(f"{service.base_url}/v1", method=method))
    assert isinstance(answer, wit.Failed) and answer.failure is wit.Failure.DENIED


def test_key_goes_only_to_its_origin(
    service: Service, host_test: Path
) -> None:
    held = HeldKey(KEY, service.base_url)
    with running_service(host_test) as other:
        allowed = frozenset([Origin.of_entry(service.base_url), Origin.of_entry(other.base_url)])
        driver = Driver(allowed, held, Connections(None))
        for url, name in [(other.base_url, "token"), (service.base_url, "x-other")]:
            request = get(f"{url}/v1/waba/templates", (name, held.placeholder))
            answer = run(driver.make(request, Progress(), Deadline.after(30)))
            assert isinstance(answer, wit.Failed) and answer.failure is wit.Failure.DENIED
        assert other.ledger()["requests"] == service.ledger()["requests"] == []
        request = get(f"{service.base_url}/v1/waba/templates", ("token", held.placeholder))
        answer = run(driver.make(request, Progress(), Deadline.after(30)))
        assert isinstance(answer, wit.HttpReply) and answer.status == 200


@pytest.mark.parametrize(
    ("status", "case"), [("404 Not Found", "not-sent"), ("500 Failed", "permanent-outcome-unknown")]
)
def test_false_claim_of_not_sent_is_corrected(
    hostile: Build, status: str, case: str
) -> None:
    """The component's first step is a POST, and its second step claims `not-sent`."""

    def word(number: int) -> str:
        return "".join(f"\\{byte:02x}" for byte in number.to_bytes(4, "little"))

    with peers.peer(peers.answer(status, b"")) as peer:
        url = f"{peer.base_url}/v1"
        step = word(0) + word(200) + word(4) + word(204) + word(len(url)) + word(0) * 4 + word(5000) * 2
        says = word(2) + word(1) + word(9) + word(204 + len(url)) + word(4)
        rest = (
            "(global $seen (mut i32) (i32.const 0))"
            f'(data (i32.const 0) "{step}") (data (i32.const 100) "{says}")'
            f'(data (i32.const 200) "POST{url}gone")'
        )
        body = (
            "(if (result i32) (global.get $seen) (then i32.const 100)"
            " (else (global.set $seen (i32.const 1)) i32.const 0))"
        )
        plugin = hostile({NEXT: body}, rest).with_settings(Settings(peer.base_url, KEY))
        with pytest.raises(MessagingError) as caught:
            plugin.send_message(PHONE, "hi")
        assert peer.finish() == 1
    assert caught.value.case == case
