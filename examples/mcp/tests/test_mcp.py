"""Tests `messaging mcp` with the client of the MCP Python SDK. The service's ledger shows which messages were created."""

import asyncio
import base64
import json
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import jsonschema
import pytest
from mcp.shared.exceptions import MCPError
from world import CLOSES, CUSTOMER, KEY, PROGRAM, SILENT, TOKEN, environment

pytestmark = pytest.mark.anyio
EVERYWHERE = pytest.mark.parametrize("mode", ["auto", "legacy"])
BOTH = pytest.mark.parametrize("transport", ["stdio", "http"])


async def call(client, tool, **arguments):
    """Calls a tool. Returns its structured content, validated against the server's schema."""
    tools = {one.name: one for one in (await client.list_tools()).tools}
    result = await client.call_tool(tool, arguments)
    content = result.structured_content
    jsonschema.validate(content, tools[tool].output_schema)
    assert json.loads(result.content[0].text) == content
    assert KEY not in str(result)
    assert result.is_error == ("repeat" in content)
    return content


def send(client, key, phone=CUSTOMER, message="It is on its way.", **more):
    return call(client, "send_message", idempotency_key=key, phone=phone, message=message, **more)


@BOTH
@EVERYWHERE
async def test_repeated_call_with_key_creates_one_message(world, transport, mode):
    here = world()
    async with here.client(transport, mode) as client:
        assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
        first = await send(client, "order-17")
        again = await asyncio.gather(*(send(client, "order-17") for _ in range(5)))
        assert (first["outcome"], first["message_id"], first["replayed"]) == ("created", "msg-0001", False)
        assert {one["message_id"] for one in again} == {"msg-0001"} and all(one["replayed"] for one in again)
        looked = await call(client, "look_up_message", idempotency_key="order-17")
        assert (looked["outcome"], looked["entry"]["id"]) == ("created", "msg-0001")
        other = await send(client, "order-17", message="Another text.")
        assert (other["outcome"], other["repeat"]) == ("permanent-key-reused", "no")
    assert here.ledger()["created"] == 1


async def test_client_entry_of_page_sends_one_message(world):
    here = world()
    page = Path(__file__).parents[1].joinpath("README.md").read_text()
    entry = json.loads(re.search(r"```json\n(.*?)```", page, re.S)[1])["mcpServers"]["messaging"]
    assert entry["command"] == "messaging"
    settings = environment({name: here.settings[name] for name in [*entry["env"], "MESSAGING_ONCE_JOURNAL"]})
    async with here.client("stdio", arguments=entry["args"], settings=settings) as client:
        assert (await send(client, "order-17"))["message_id"] == "msg-0001"
    assert here.ledger()["created"] == 1


async def test_tools_have_hints_and_schemas(world):
    async with world().client("stdio") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert sorted(tools) == ["list_templates", "look_up_message", "send_message"]
        hints = tools["send_message"].annotations
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (False, True, True)
        assert "idempotency_key" in tools["send_message"].input_schema["required"]
        assert all(tools[name].annotations.read_only_hint for name in ["list_templates", "look_up_message"])
        for tool in tools.values():
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)


@BOTH
@EVERYWHERE
async def test_unknown_outcome_is_reported_and_stays(world, transport, mode):
    here = world()
    async with here.client(transport, mode) as client:
        for _ in range(3):
            lost = await send(client, "order-18", CLOSES)
            assert (lost["outcome"], lost["repeat"]) == ("permanent-outcome-unknown", "no")
            assert "neither with this key nor with another" in lost["advice"] and "person" in lost["advice"]
        looked = await call(client, "look_up_message", idempotency_key="order-18")
        assert looked["outcome"] == "unknown" and "messaging sent resolve" in looked["advice"]
    assert here.ledger()["created"] == 1
    assert [entry["key"] for entry in here.sent("list", "--state", "unknown")["entries"]] == ["order-18"]
    here.sent("resolve", "order-18", "--created", "msg-0001", "--by", "Ada", "--reason", "seen in the inbox")
    async with here.client(transport, mode) as client:
        assert (await send(client, "order-18", CLOSES))["message_id"] == "msg-0001"
    assert here.ledger()["created"] == 1


def post(url, key, phone, timeout):
    """Calls `send_message` with a plain HTTP request. Returns the status."""
    arguments = {"idempotency_key": key, "phone": phone, "message": "It is on its way."}
    params = {"name": "send_message", "arguments": arguments}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    return ask(url, body, timeout=timeout)


async def test_killed_server_creates_no_second_message(world):
    here = world(deadline_ms=1_000)
    process, url = here.listen()
    lost = asyncio.create_task(asyncio.to_thread(post, url, "order-19", SILENT, 20))
    while here.ledger()["created"] == 0:
        await asyncio.sleep(0.01)
    process.kill()
    with pytest.raises(OSError):
        await lost
    outcomes = []
    async with here.client("http") as client:
        for _ in range(60):
            again = await send(client, "order-19", SILENT)
            outcomes.append(again["outcome"])
            if again["outcome"] != "busy":
                break
            assert again["repeat"] == "same-key"
    assert outcomes[-1] == "permanent-outcome-unknown", outcomes
    assert here.ledger()["created"] == 1


async def test_disconnected_client_leaves_no_send_unknown(world):
    here = world(latency_ms=800, deadline_ms=5_000)
    process = subprocess.Popen([PROGRAM, "mcp"], env=here.settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    arguments = {"idempotency_key": "order-20", "phone": CUSTOMER, "message": "m"}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "send_message", "arguments": arguments}}
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.close()
    process.stdout.close()
    assert process.wait(20) == 0
    assert here.sent("show", "order-20")["state"] == "created"

    process, url = here.listen()
    with pytest.raises(TimeoutError):
        post(url, "order-21", CUSTOMER, 0.3)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    assert here.sent("show", "order-21")["state"] == "created"


async def test_wrong_arguments_are_explained(world):
    here = world()
    async with here.client("stdio") as client:
        for arguments, field in [
            ({"phone": CUSTOMER, "message": "m"}, "arguments"),
            ({"idempotency_key": "k", "phone": CUSTOMER, "message": "m", "extra": 1}, "arguments"),
            ({"idempotency_key": "a key", "phone": CUSTOMER, "message": "m"}, "key"),
            ({"idempotency_key": "k1", "phone": "600111222", "message": "m"}, "phone"),
            ({"idempotency_key": "k2", "phone": CUSTOMER, "message": " "}, "message"),
        ]:
            refused = await call(client, "send_message", **arguments)
            assert (refused["outcome"], refused["detail"]["field"]) == ("permanent-invalid-input", field)
        with pytest.raises(MCPError, match="cannot be stored exactly; write it as a string"):
            await send(client, "k3", fields={"id": 2**70})
        never = await call(client, "look_up_message", idempotency_key="never-used")
        assert never["outcome"] == "never-used"
        created = await send(client, "k4", fields={"template": {"id": 7}, "reference": "A-1"})
        assert created["outcome"] == "created"
    ledger = here.ledger()
    assert ledger["created"] == 1


async def test_templates_are_listed_and_refusal_has_advice(world):
    here = world()
    async with here.client("http") as client:
        page = await call(client, "list_templates", every_page="page")
        assert page["outcome"] == "listed" and len(page["templates"]) > 3 and page["incomplete"] is None
        for phone, outcome, repeat in [
            ("+99900000422", "permanent-refused", "new-key-after-a-change"),
            ("+99900000401", "permanent-unauthorized", "same-key-after-a-change"),
            ("+99900001503", "permanent-outcome-unknown", "no"),
        ]:
            refused = await send(client, f"to-{phone}", phone)
            assert (refused["outcome"], refused["repeat"]) == (outcome, repeat)


def ask(url, body, method="POST", timeout=20, **headers):
    """Makes an HTTP request. Returns the status."""
    own = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, body, {**own, **given}, method=method)
    try:
        return urllib.request.urlopen(request, timeout=timeout).status
    except urllib.error.HTTPError as error:
        return error.code


PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()


async def test_invalid_http_requests_are_rejected(world):
    here = world()
    _, url = here.listen("--host", "mcp.example")
    assert ask(url, PING) == 200
    assert ask(url, PING, Authorization="Bearer another-unknown-token") == 401
    for origin in ["http://127.0.0.1", "null", "https://mcp.example"]:
        assert ask(url, PING, Origin=origin) == 403
    for host, status in [("mcp.example:80", 200), ("LOCALHOST", 200), ("page.example", 403), ("127.0.0.1.example", 403)]:
        assert ask(url, PING, Host=host) == status, host
    assert ask(url, PING, Content_Type="text/plain") == 415
    assert ask(url, PING, MCP_Protocol_Version="1999-01-01") == 400
    assert ask(url, b"[") == 400
    assert ask(url, b" " * (1024 * 1024 + 1)) == 413
    assert ask(url, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()) == 202
    for method in ["GET", "DELETE"]:
        assert ask(url, None, method=method) == 405
    assert ask(url.replace("/mcp", "/other"), PING) == 404
    assert here.ledger()["created"] == 0


async def test_headers_that_contradict_body_are_rejected(world):
    _, url = world().listen()
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    params = {"_meta": meta, "name": "look_up_message", "arguments": {"idempotency_key": "k"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    right = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": "look_up_message"}
    assert ask(url, body, **right) == 200
    for name, value in [("MCP_Protocol_Version", "2025-11-25"), ("Mcp_Method", "tools/list"), ("Mcp_Name", "send_message")]:
        assert ask(url, body, **{**right, name: value}) == 400
        assert ask(url, body, **{own: value for own, value in right.items() if own != name}) == 400
    encoded = f"=?base64?{base64.b64encode(b'look_up_message').decode()}?="  # the protocol permits this encoding
    assert ask(url, body, **{**right, "Mcp_Name": encoded}) == 200
    unknown = body.replace(b"2026-07-28", b"2099-01-01")
    assert ask(url, unknown, **{**right, "MCP_Protocol_Version": "2099-01-01"}) == 400


async def test_loopback_address_needs_no_token(world):
    here = world()
    settings = {name: value for name, value in here.settings.items() if name != "MESSAGING_MCP_TOKENS"}
    _, url = here.listen(settings=settings)
    async with here.connect(url, token=None) as client:
        assert (await send(client, "order-22"))["outcome"] == "created"
    assert here.ledger()["created"] == 1


async def test_stop_waits_for_active_send(world):
    here = world(latency_ms=800, deadline_ms=5_000)
    process, url = here.listen()
    async with here.connect(url) as client:
        sending = asyncio.create_task(send(client, "order-23"))
        await asyncio.sleep(0.3)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert (await sending)["outcome"] == "created"
    assert process.wait(20) == 0
    assert time.monotonic() - began < 10
