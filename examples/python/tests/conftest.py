"""Fixtures: the package, and the simulated service with its ledger."""

import json
import os
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from messaging_plugin import Plugin, Settings

ROOT = Path(__file__).resolve().parents[3]
KEY = "canary-7f3a9c1e5b"


class Unprintable(Exception):
    """An error without a text."""

    def __str__(self) -> str:
        raise IndexError("an error in the exception's class")


def needed(path: Path, what: str) -> Path:
    if not path.is_file():
        pytest.fail(f"{path} is missing; run at the repository's root: {what}", pytrace=False)
    return path


class Service:
    """The simulated service in a separate process."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url

    def settings(self, **changes: Any) -> Settings:
        usual: dict[str, Any] = {"base_url": self.base_url, "api_key": KEY, "deadline_ms": 5000}
        return Settings(**usual | changes)

    def ledger(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.base_url}/_simulator/ledger", timeout=10) as answer:
            ledger: dict[str, Any] = json.load(answer)
            return ledger


@contextmanager
def running_service(host_test: Path, *options: str) -> Iterator[Service]:
    command = [str(host_test), "service", "--listen", "127.0.0.1:0", "--json", "--key", KEY, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            text = ""
            for line in process.stdout:
                text += line
                if line.startswith("}"):
                    break
            yield Service(json.loads(text)["base-url"])
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def host_test() -> Path:
    path = os.environ.get("MESSAGING_PROGRAM", ROOT / "target" / "debug" / "messaging")
    return needed(Path(path), "cargo build")


@pytest.fixture(scope="session")
def verify() -> Path:
    """Returns the path of the program `messaging-verify`, which contains the test suites."""
    path = os.environ.get("MESSAGING_VERIFY_PROGRAM", ROOT / "target" / "debug" / "messaging-verify")
    return needed(Path(path), "cargo build --package messaging-verify")


@pytest.fixture
def service(host_test: Path) -> Iterator[Service]:
    with running_service(host_test) as service:
        yield service


@pytest.fixture(scope="session")
def loaded() -> Plugin:
    """Returns a loaded plugin. Tests pass their settings to `with_settings`."""
    return Plugin(Settings("http://127.0.0.1:9", KEY))


@pytest.fixture
def plugin(loaded: Plugin, service: Service) -> Iterator[Plugin]:
    with loaded.with_settings(service.settings()) as plugin:
        yield plugin


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
ignores_forks = pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")


def forked(work: Callable[[], None]) -> int:
    """Runs `work` in a forked process. Returns the process ID."""
    child = os.fork()
    if child == 0:
        ended = 1
        try:
            work()
            ended = 0
        finally:
            os._exit(ended)
    return child


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
