"""Runs the steps, and checks each with the service's ledger and the engine's executions. Exit code 0: all passed."""

import argparse
import os
import secrets
import shutil
import signal
import sys
import time

import figures
import limits
import promises
from processes import Failed
from world import Postgres, Sqlite, World


def main():
    parser = argparse.ArgumentParser(prog="run", description="Runs the example from end to end against the simulated service.")
    parser.add_argument("what", nargs="?", choices=["scenario", "limits"], default="scenario",
                        help="check the guarantees, or demonstrate the limits of the engine")
    parser.add_argument("--postgres", action="store_true", help="run two servers on PostgreSQL instead of one on SQLite")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        seed = int(os.environ.get("SEED") or secrets.randbelow(1000))
    except ValueError:
        parser.error("SEED: not a whole number")
    if options.check:
        return
    steps = {
        "scenario": [*promises.STEPS, *figures.STEPS, promises.the_secrets_are_nowhere],
        "limits": [*limits.STEPS, *(limits.POSTGRES_STEPS if options.postgres else [])],
    }[options.what]
    # Converts these signals to exceptions, as Python does for Ctrl-C, so that `finally` stops all processes.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    world, began, step = World(Postgres if options.postgres else Sqlite, seed), time.monotonic(), None
    try:
        world.start()
        world.deploy("deployment.toml")
        print(f"obelisk {os.environ['VERSION']}, {world.database.name}, seed {seed}, ready after {time.monotonic() - began:.1f} s\n", flush=True)
        for step in steps:
            print(f"✓ {step.__doc__}", *(f"    {line}" for line in step(world)), sep="\n", flush=True)
        print(f"\n{'as promised' if options.what == 'scenario' else 'as shown'} in {time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}")
    except BaseException as error:
        print(f"✗ {step.__doc__ if step else 'The setup succeeds'}", file=sys.stderr)
        print(f"    {error}\n    the logs are in {world.folder}", file=sys.stderr)
        if isinstance(error, Failed):
            sys.exit(1)
        raise
    finally:
        world.stop()
    shutil.rmtree(world.folder)


main()
