"""Runs the scenarios of the named components, or all scenarios, on wasmCloud hosts and NATS servers.

Exit code 0: all passed.
"""

import asyncio
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import once
import webhooks
from cluster import BIN, RUNNING

SCENARIOS = [
    *((component, webhooks.Inbox, webhooks.scenario) for component in webhooks.COMPONENTS),
    (once.COMPONENT, once.Sender, once.scenario),
]


async def run(component, world, scenario):
    folder = Path(tempfile.mkdtemp(prefix="wasmcloud-"))
    world, began = world(), time.monotonic()
    try:
        await world.start(folder, component)
        version = subprocess.run([BIN / "wash", "--version"], capture_output=True, text=True, check=True).stdout.strip()
        digest = hashlib.sha256(component.file.read_bytes()).hexdigest()[:12]
        print(f"{version}, two hosts, three NATS servers; {component.name}.wasm {digest}…, "
              f"ready after {time.monotonic() - began:.1f} s\n", flush=True)
        await scenario(world)
        print(f"\nas promised in {time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}")
    except BaseException:
        print(f"logs: {folder}", file=sys.stderr)
        raise
    finally:
        while RUNNING:
            RUNNING.pop().kill()
    shutil.rmtree(folder)


names = [component.name for component, _, _ in SCENARIOS]
wanted = sys.argv[1:] or names
if unknown := set(wanted).difference(names):
    sys.exit(f"no scenario for {', '.join(sorted(unknown))}: name one or more of {', '.join(names)}")
# Converts these signals to exceptions, as Python does for Ctrl-C, so that `finally` stops all processes.
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda number, _: sys.exit(128 + number))
for component, world, scenario in SCENARIOS:
    if component.name in wanted:
        asyncio.run(run(component, world, scenario))
