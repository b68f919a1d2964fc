"""Prints the version, the components and a first program: `python -m messaging_plugin [--json]`."""

import hashlib
import json
import platform
import sys
import textwrap
from importlib import metadata, resources
from typing import Any

from . import component
from .once import client
from .once import wit as once_wit
from .wit import SANS_IO

NAME = "messaging_plugin"
FIRST = """\
import os
from messaging_plugin import Plugin, Settings

settings = Settings(os.environ["MESSAGING_BASE_URL"], os.environ["MESSAGING_API_KEY"])
with Plugin(settings) as plugin:
    print(plugin.send_message("+34 600 111 222", "Your order is ready").id)
"""


def shown() -> dict[str, Any]:
    components = []
    for file, interface in ((component.FILE, SANS_IO), (client.FILE, once_wit.SANS_IO_ONCE)):
        content = resources.files(NAME).joinpath(file).read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        components.append({"file": file, "interface": interface.name, "bytes": len(content), "sha256": digest})
    runtime = f"{platform.python_implementation()} {platform.python_version()}, wasmtime {metadata.version('wasmtime')}"
    return {"name": NAME, "version": metadata.version("messaging-plugin"), "runtime": runtime, "components": components}


def main() -> None:
    if sys.argv[1:] not in ([], ["--json"]):
        sys.exit(f"usage: python -m {NAME} [--json]")
    about = shown()
    if sys.argv[1:]:
        print(json.dumps(about, indent=2))
        return
    print(f"{NAME} {about['version']} on {about['runtime']}\n\nComponents:")
    for each in about["components"]:
        print("- {file}: {interface}, {bytes} bytes\n  sha256 {sha256}".format(**each))
    print(f"\nSend a message (first.py):\n\n{textwrap.indent(FIRST, '    ')}")
    print(f"{NAME}.once sends at most once, {NAME}.proofs verifies deliveries, {NAME}.inbox processes events.")


if __name__ == "__main__":
    main()
