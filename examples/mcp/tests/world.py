"""Starts a simulated service, and `messaging mcp` servers with a journal, over standard input and output or HTTP."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

PROGRAM = str(Path(os.environ.get("MESSAGING", Path(__file__).parents[3] / "target/debug/messaging")).resolve())
KEY = "canary-key-of-this-test-5b1e"
TOKEN = "a-token-of-the-clients-of-this-test"

CUSTOMER = "+34 600 111 222"
CLOSES = "+99900002000"  # the service creates the message, then closes the connection without a reply
SILENT = "+99900002002"  # the service creates the message, then never replies


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def environment(more):
    own = {name: value for name, value in os.environ.items() if not name.startswith("MESSAGING_") and name != "RUST_LOG"}
    return {**own, **more}


def wait_for(url):
    """Waits until the URL answers."""
    for _ in range(600):
        try:
            return urllib.request.urlopen(url, timeout=5).read()
        except urllib.error.HTTPError:
            return None
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(url)


class World:
    """A simulated service and a journal. Tests start and stop their own `messaging mcp` servers."""

    def __init__(self, folder, latency_ms=0, deadline_ms=2_000):
        address = f"127.0.0.1:{free_port()}"
        self.ledger_url = f"http://{address}/_simulator/ledger"
        arguments = ["service", "--listen", address, "--key", KEY, "--latency-ms", str(latency_ms)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.service = subprocess.Popen([PROGRAM, *arguments], env=environment({}), **quiet)
        wait_for(self.ledger_url)
        self.log = folder / "stderr"
        self.settings = environment({
            "MESSAGING_BASE_URL": f"http://{address}",
            "MESSAGING_API_KEY": KEY,
            "MESSAGING_DEADLINE_MS": str(deadline_ms),
            "MESSAGING_ONCE_JOURNAL": str(folder / "journal.sqlite"),
            "MESSAGING_MCP_TOKENS": TOKEN,
        })
        self.servers = []

    def close(self):
        for process in [*self.servers, self.service]:
            process.kill()
            process.wait()

    def ledger(self):
        return json.loads(wait_for(self.ledger_url))

    def sent(self, *arguments):
        """Runs `messaging sent`. Returns its JSON."""
        command = [PROGRAM, "sent", *arguments, "--json"]
        return json.loads(subprocess.run(command, env=self.settings, capture_output=True).stdout)

    def listen(self, *arguments, settings=None):
        """Starts a server over HTTP. Returns its process and its URL."""
        command = [PROGRAM, "mcp", "--listen", "127.0.0.1:0", "--json", *arguments]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, env=settings or self.settings, stdout=subprocess.PIPE, stderr=log)
        self.servers.append(process)
        return process, json.loads(process.stdout.readline())["url"]

    @asynccontextmanager
    async def client(self, transport, mode="auto", arguments=("mcp",), settings=None):
        """Yields a client with its own server. Only servers on standard streams use `arguments` and `settings`."""
        if transport == "stdio":
            parameters = StdioServerParameters(command=PROGRAM, args=[*arguments], env=settings or self.settings)
            with self.log.open("a") as log:
                async with Client(stdio_client(parameters, errlog=log), mode=mode) as client:
                    yield client
        else:
            process, url = self.listen()
            async with self.connect(url, mode) as client:
                yield client
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0

    @asynccontextmanager
    async def connect(self, url, mode="auto", token=TOKEN):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                yield client
