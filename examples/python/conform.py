"""Runs the repository's conformance suite through this package.

    python conform.py [--asyncio] [--faults] [--report FILE] [--component FILE] [--program FILE]

`messaging-verify conform --serve` sets up each case and judges its outcome. With `--faults`, the suite is
`messaging-verify faults --serve`. This program makes the calls, in threads or as asyncio tasks.
Exit codes: 0 if all cases passed, 1 if a case did not pass, 2 if the suite did not run.
"""

import argparse
import asyncio
import dataclasses
import enum
import json
import os
import platform
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from messaging_plugin import Field, MessagingError, Plugin, PluginCrashed, Variables

ROOT = Path(__file__).resolve().parents[2]
VERIFY = Path(os.environ.get("MESSAGING_VERIFY_PROGRAM", ROOT / "target" / "debug" / "messaging-verify"))
AT_ONCE = 4


def canonical(value: Any) -> Any:
    """Converts a result or a payload to the form of the suite."""
    match value:
        case enum.Enum():
            return value.value
        case tuple():
            return [canonical(item) for item in value]
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {name.replace("_", "-"): canonical(getattr(value, name)) for name in names}
    return value


def outcome(
    plugin: Plugin, function: str, argument: dict[str, Any], in_tasks: bool
) -> dict[str, Any]:
    """Makes the call of one case."""

    def pairs(name: str) -> list[tuple[str, str]]:
        return [(pair["name"], pair["value"]) for pair in argument[name]]

    try:
        match function:
            case "send-message":
                message = argument | {"fields": [Field(**field) for field in argument["fields"]]}
                if in_tasks:
                    result: object = asyncio.run(plugin.asend_message(**message))
                else:
                    result = plugin.send_message(**message)
            case "list-templates":
                query = (argument["status"], pairs("parameters"), argument["every-page"])
                if in_tasks:
                    result = asyncio.run(plugin.alist_templates(*query))
                else:
                    result = plugin.list_templates(*query)
            case "handle-event":
                result = plugin.handle_event(pairs("headers"), argument["body"])
            case _:
                return {"trap": f"unknown function: {function}"}
    except PluginCrashed as crash:
        return {"trap": str(crash)}
    except MessagingError as error:
        return {"error": {"case": error.case, "payload": canonical(error.payload)}}
    except Exception as error:
        return {"trap": repr(error)}
    return {"ok": canonical(result)}


@contextmanager
def suite(program: Path, command: str) -> Iterator[str]:
    """Yields the suite's address. The suite stops when its standard input closes."""
    arguments = [str(program), command, "--serve", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        try:
            yield json.loads(process.stdout.readline())["control"]
        finally:
            process.stdin.close()


def ask(url: str, body: Any = None, method: str = "POST") -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def run(
    control: str, component: Path | None = None, in_tasks: bool = False
) -> dict[str, dict[str, Any]]:
    """Returns the suite's verdicts by name of the case."""
    with Plugin(Variables({}), component_path=component) as loaded:

        def case(name: str) -> Any:
            url = f"{control}/cases/{name}"
            start = ask(url)
            try:
                plugin = loaded.with_settings(Variables(start["settings"]), start.get("allow"))
                made = outcome(plugin, start["function"], start["argument"], in_tasks)
            except MessagingError as error:
                made = {"error": {"case": error.case, "payload": canonical(error.payload)}}
            return ask(f"{url}/outcome", made)

        names = ask(f"{control}/cases", method="GET")
        with ThreadPoolExecutor(AT_ONCE) as threads:
            return dict(zip(names, threads.map(case, names), strict=True))


def is_available(program: Path, suite: str = "conform") -> bool:
    """Returns true if this program has the suite."""
    command = [str(program), suite, "--help"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--report", type=Path, help="write the suite's report to this file")
    parser.add_argument("--asyncio", action="store_true", help="make the calls in asyncio tasks")
    parser.add_argument("--faults", action="store_true", help="run the fault suite instead")
    parser.add_argument("--component", type=Path, help="run this component instead of the package's component")
    parser.add_argument("--program", type=Path, default=VERIFY)
    options = parser.parse_args(arguments)
    command = "faults" if options.faults else "conform"
    if not is_available(options.program, command):
        print(
            f"not run: {options.program} is missing or has no command `{command}`; "
            "build it with `cargo build --package messaging-verify` at the repository's root",
            file=sys.stderr,
        )
        return 2

    with suite(options.program, command) as control:
        results = run(control, options.component, options.asyncio)
        if options.report is not None:
            host = f"Python {platform.python_version()}, wasmtime-py {version('wasmtime')}, sans-io"
            report = ask(f"{control}/report", {"host": host})
            options.report.parent.mkdir(parents=True, exist_ok=True)
            options.report.write_text(json.dumps(report, indent=2) + "\n")
    if not results:
        print("not run: the suite has no cases", file=sys.stderr)
        return 2
    failed = {name: found for name, found in results.items() if found["passed"] is not True}
    weaker = [name for name, found in results.items() if found.get("result") == "weaker"]
    for name, found in failed.items():
        print(f"FAILED {name}", *found["problems"], sep="\n    ")
    for name in weaker:
        print(f"weaker {name}")
    print(f"{len(results) - len(failed)} of {len(results)} cases passed, {len(weaker)} of them weaker")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
