"""Tests the proofs of origin under `wasmtime serve`: with the deliveries of the shared cases, and with
new deliveries of the simulated service.

    python3 origins.py
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

ROOT = pathlib.Path(__file__).resolve().parents[2]
MESSAGING_PROGRAM = os.environ.get("MESSAGING_PROGRAM", str(ROOT / "target/debug/messaging"))
WASMTIME = os.environ.get("WASMTIME", "wasmtime")
WEBHOOK = ROOT / "dist/messaging_webhook_files.wasm"
CASES = json.loads((ROOT / "host-test/conformance/cases/origins/cases.json").read_text())

SECRET = "MESSAGING_WEBHOOK_SIGNATURE_SECRET"
SIGNED = "MESSAGING_WEBHOOK_SIGNED"
TOLERANCE = "MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS"
# Schemes with a signed timestamp, and a secret for each. Tested with a current timestamp.
NOW = [
    ("timestamp.body", "a-secret-of-enough-bytes"),
    ("timestamped", "a-secret-of-enough-bytes"),
    ("standard-webhooks", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"),
]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def post(url: str, headers: dict[str, str], body: bytes) -> int:
    request = urllib.request.Request(url, body, headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code


@contextmanager
def running(command: list[str], port: int, settings: dict[str, str]) -> Iterator[str]:
    """Yields the URL of a process that listens on this port. Its only `MESSAGING_*` variables are `settings`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MESSAGING_")}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, env={**kept, **settings}, stdout=log, stderr=log)
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionRefusedError:
                    if process.poll() is not None:
                        log.seek(0)
                        sys.exit(log.read().decode())
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()
            process.wait()


@contextmanager
def webhook(inbox: str, settings: dict[str, str]) -> Iterator[str]:
    port = free_port()
    # The values are in wasmtime's environment, because other users can read its command line.
    names = [part for name in settings for part in ("--env", name)]
    serve = [WASMTIME, "serve", "-Scli", "--addr", f"127.0.0.1:{port}", "--dir", f"{inbox}::/inbox"]
    with running([*serve, *names, str(WEBHOOK)], port, settings) as url:
        yield url


def keys(inbox: str) -> list[str]:
    files = pathlib.Path(inbox, "events").glob("*.json")
    return sorted(json.loads(file.read_text())["idempotency-key"] for file in files)


def expect(what: str, expected: object, found: object) -> None:
    if expected != found:
        sys.exit(f"✗ {what}\n  expected: {expected}\n  found:    {found}")


for group in CASES["groups"]:
    with tempfile.TemporaryDirectory() as inbox, webhook(inbox, group["settings"]) as url:
        for case in group["cases"]:
            status = post(url + case["path"], case["headers"], CASES["body"].encode())
            expect(f"{case['name']}: {case['why']}", case["status"], status)
        kept = sorted(case["key"] for case in group["cases"] if "key" in case)
        expect(group["name"], kept, keys(inbox))
    print(f"✓ {group['name']}: {len(group['cases'])} deliveries")

for scheme, secret in NOW:
    settings = {SECRET: secret, SIGNED: scheme, TOLERANCE: "300"}
    with tempfile.TemporaryDirectory() as inbox, webhook(inbox, settings) as url:
        port = free_port()
        service = [MESSAGING_PROGRAM, "service", "--listen", f"127.0.0.1:{port}", "--webhook", f"{url}/"]
        with running([*service, "--sign", scheme], port, {SECRET: secret}) as sender:
            expect(scheme, 200, post(f"{sender}/_simulator/events", {}, b""))
        expect(scheme, 1, len(keys(inbox)))
    print(f"✓ {scheme}, signed with the current time: accepted")
print("as promised")
