"""Functions for processes, HTTP requests and expectations in the steps."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path


class Failed(Exception):
    """A failed check."""


def expect(what, wanted, found):
    if wanted != found:
        raise Failed(f"{what}: expected {wanted}, found {found}")


def until(what, look, seconds=60):
    """Waits until `look` returns a true value, and returns this value."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError):
            if found := look():
                return found
        if time.monotonic() > end:
            raise Failed(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def fetch(method, url, body=None, headers=None):
    """Returns the status and the body of a response: JSON, or text."""
    # Writes the same bytes as the simulated service, because other bytes would be another event.
    data = None if body is None else json.dumps(body, separators=(",", ":"), sort_keys=True).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            status, text = reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read().decode()
    except http.client.HTTPException as error:
        raise OSError(f"{url} ended its reply early: {error}") from error
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Process:
    """A program that can be stopped and started again."""

    def __init__(self, log, environment, *arguments):
        self.log, self.arguments = log, [str(one) for one in arguments]
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(log.parent), **environment}
        self.process = None

    def start(self, *arguments):
        with open(self.log, "ab") as log:
            command = [*self.arguments, *map(str, arguments)]
            self.process = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self, how=signal.SIGKILL):
        if self.is_running():
            self.process.send_signal(how)
            self.process.wait()

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def talks_to(self, port):
        """Returns true if the process has a connection to this port of this machine."""
        opened = set()
        with contextlib.suppress(OSError):
            for name in Path(f"/proc/{self.process.pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    opened.add(os.readlink(name))
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return any(row[2] == f"0100007F:{port:04X}" and row[3] == "01" and f"socket:[{row[9]}]" in opened for row in rows)

    def memory(self):
        """Returns the current and the maximum resident memory in MiB."""
        lines = dict(line.split(":") for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines())
        return tuple(int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
