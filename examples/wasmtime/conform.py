"""Runs the conformance suite against the plugin under the wasmtime command line.

    python3 conform.py [--report FILE]

Skips cases with a value that is too long for a command line, and cases that need an allow list,
because `wasmtime run` has no allow list.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import wavetext

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERIFY = os.environ.get("MESSAGING_VERIFY_PROGRAM", str(ROOT / "target/debug/messaging-verify"))
WASMTIME = os.environ.get("WASMTIME", "wasmtime")
PLUGIN = ROOT / "dist/messaging_plugin.wasm"

# Longest argument on Linux in bytes (MAX_ARG_STRLEN).
LONGEST = 128 * 1024 - 1

# Fields of type `option` in the WIT. Their values are written as `some(...)`.
OPTIONS = {"device", "status", "every-page"}


def ask(control: str, path: str, body: Any = None, method: str = "POST") -> Any:
    data = json.dumps(body).encode() if body is not None else b""
    request = urllib.request.Request(control + path, data if method == "POST" else None, method=method)
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def argument(given: dict[str, Any]) -> str:
    def field(name: str, value: Any) -> str:
        text = wavetext.write(value)
        return f"{name}: {text}" if value is None or name not in OPTIONS else f"{name}: some({text})"

    return "{" + ", ".join(field(name, value) for name, value in given.items()) + "}"


def plain(value: Any) -> Any:
    """Converts a WAVE value to the suite's JSON."""
    match value:
        case wavetext.Case("none"):
            return None
        case wavetext.Case("some", inner):
            return plain(inner)
        case wavetext.Case(name, None):
            return name
        case list():
            return [plain(one) for one in value]
        case dict():
            return {name: plain(one) for name, one in value.items()}
    return value


def outcome(text: str) -> dict[str, Any]:
    match wavetext.read(text):
        case wavetext.Case("ok", value):
            return {"ok": plain(value)}
        case wavetext.Case("err", wavetext.Case(case, payload)):
            return {"error": {"case": case, "payload": plain(payload)}}
    raise ValueError(f"no result: {text}")


def run(control: str, name: str) -> tuple[str, dict[str, Any] | None]:
    case = ask(control, f"/cases/{name}")
    call = f"{case['function']}({argument(case['argument'])})"
    environment = [f"--env={key}={value}" for key, value in case["settings"].items()]
    if not case["allow"] or max(len(text.encode()) for text in [call, *environment]) > LONGEST:
        return name, None
    command = [WASMTIME, "run", "-Shttp", *environment, "--invoke", call, str(PLUGIN)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode == 0:
        result = outcome(done.stdout)
    else:
        result = {"trap": done.stderr}
    return name, ask(control, f"/cases/{name}/outcome", result)


def main() -> int:
    arguments = argparse.ArgumentParser(description="Runs the conformance suite against the plugin under wasmtime.")
    arguments.add_argument("--report", type=pathlib.Path)
    given = arguments.parse_args()
    version = subprocess.run([WASMTIME, "--version"], capture_output=True, text=True, check=True)
    serving = subprocess.Popen([VERIFY, "conform", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with serving:
        assert serving.stdin and serving.stdout
        control = json.loads(serving.stdout.readline())["control"]
        names = ask(control, "/cases", method="GET")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda name: run(control, name), names))
        report = ask(control, "/report", {"host": f"{version.stdout.strip()}, command line"})
        serving.stdin.close()
    failed = 0
    for name, verdict in results:
        if verdict is None:
            print(f"  not run: {name}")
        elif not verdict["passed"]:
            failed += 1
            print(f"✗ {name}", *verdict["problems"], sep="\n    ")
    if given.report:
        given.report.write_text(json.dumps(report, indent=2) + "\n")
    ran = sum(verdict is not None for _, verdict in results)
    print(f"{ran - failed} of {ran} cases passed under {version.stdout.strip()}, {len(names) - ran} not run")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
