"""Engines on one PostgreSQL, the simulated service, and a server that keeps the journal of sends: starting, killing, asking."""

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILT = ROOT / "target/obelisk/components"
COMPONENTS = [
    ROOT / "dist/messaging_plugin.wasm",
    ROOT / "dist/messaging_plugin_once_http.wasm",
    ROOT / "dist/messaging_webhook.wasm",
    BUILT / "wasm32-unknown-unknown/release/orders_workflow.wasm",
    BUILT / "wasm32-wasip2/release/engine_inbox.wasm",
]
POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))[-1]


def fetch(method, url, body=None, headers=None):
    """The status and the JSON of an answer, or its text."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            status, text = reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read().decode()
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text


def until(what, look, seconds=60):
    """Waits until `look` finds something, and returns it."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError):
            if found := look():
                return found
        if time.monotonic() > end:
            raise SystemExit(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Process:
    """A program that is started, killed, and started again."""

    def __init__(self, log, environment, *arguments):
        self.log, self.arguments = log, [str(one) for one in arguments]
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(log.parent), **environment}
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.arguments, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self, how=signal.SIGKILL):
        if self.is_running():
            self.process.send_signal(how)
            self.process.wait()

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def talks_to(self, port):
        """Whether one of its connections goes to a port of this machine."""
        opened = set()
        for name in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                opened.add(os.readlink(name))
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return any(row[2] == f"0100007F:{port:04X}" and row[3] == "01" and f"socket:[{row[9]}]" in opened for row in rows)


class Engine:
    """One server. The first one brings the deployment, the others find it in the database."""

    def __init__(self, world, name, address):
        self.world, self.name = world, name
        # Addresses of its own, as machines have them; the port is the same on each.
        self.address, (self.webhook_port,) = address, free_ports(1)
        self.api = f"http://{address}:{world.api_port}"
        self.webhook = f"http://127.0.0.1:{self.webhook_port}/events/{world.path_secret}"
        self.config = world.folder / f"{name}.toml"
        text = (HERE / "server.toml").read_text()
        for old, new in [
            ('"127.0.0.1:5005"', f'"{address}:{world.api_port}"'),
            ("127.0.0.1:9090", f"127.0.0.1:{self.webhook_port}"),
            *world.addresses,
        ]:
            text = text.replace(old, new)
        digest = hashlib.sha256(world.engine_token.encode()).hexdigest()
        text = text.replace('# api.token_hashes = ["sha256:…"]', f'api.token_hashes = ["sha256:{digest}"]')
        self.config.write_text(text)

    def start(self, deployment=None):
        world = self.world
        brought = ["--deployment", world.deployments / deployment] if deployment else []
        self.process = Process(world.folder / f"{self.name}.log", {
            "POSTGRES_HOST": str(world.sockets), "POSTGRES_USER": "postgres", "POSTGRES_PASSWORD": "unused", "POSTGRES_DATABASE": "engine",
            "MESSAGING_API_KEY": world.key, "ENGINE_API_TOKEN": world.engine_token, "MESSAGING_JOURNAL_TOKEN": world.journal_token,
            "MESSAGING_WEBHOOK_PATH_SECRET": world.path_secret, "ENGINE_API": self.api,
        }, os.environ["OBELISK"], "server", "run", "--server-config", self.config, *brought)
        self.process.start()
        until(f"{self.name} answers", self.answers, 180)

    def answers(self):
        if not self.process.is_running():
            raise SystemExit(f"{self.name} has ended: {self.process.log}")
        return self.ask("functions")[0] == 200 and fetch("GET", f"http://127.0.0.1:{self.webhook_port}/")[0]

    def ask(self, path, method="GET", body=None):
        return fetch(method, f"{self.api}/v1/{path}", body, {"Authorization": f"Bearer {self.world.engine_token}"})

    def submit(self, function, params, execution=None):
        """Begins an execution; its identifier."""
        execution = execution or self.ask("execution-id")[1]
        status, said = self.ask(f"executions/{execution}", "PUT", {"ffqn": function, "params": params})
        if status not in (200, 201):
            raise OSError(f"{status}: {said}")
        return execution


class World:
    """Everything that runs, in a folder of its own."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="obelisk-"))
        self.folder.chmod(0o755)
        self.sockets = self.folder / "postgres"
        self.key, self.engine_token, self.journal_token, self.path_secret = (f"canary-{secrets.token_hex(16)}" for _ in range(4))
        service_port, receiver_port, journal_port, self.api_port = free_ports(4)
        self.service_port, self.service = service_port, f"http://127.0.0.1:{service_port}"
        self.addresses = [
            ("https://api.example.com", self.service),
            ("http://127.0.0.1:8483", f"http://127.0.0.1:{journal_port}"),
            ("http://127.0.0.1:5005", f"http://127.0.0.*:{self.api_port}"),
        ]
        self.messaging = os.environ["HOST_TEST"]
        self.deployments = self.folder / "deployments"
        (self.deployments / "components").mkdir(parents=True)
        for file in COMPONENTS:
            shutil.copy(file, self.deployments / "components")
        self._postgres("initdb", "-D", self.sockets / "data", "-U", "postgres", "-A", "trust")
        self.start_database()
        for name in ("engine", "journal"):
            self._postgres("createdb", "-h", self.sockets, "-U", "postgres", name)
        self.simulated = Process(self.folder / "service.log", {}, self.messaging, "service", "--listen", f"127.0.0.1:{service_port}",
                                 "--key", self.key, "--latency-ms", "200")
        self.simulated.start()
        until("the service answers", lambda: self.ledger() is not None)
        self.journal = f"postgres://postgres@/journal?host={self.sockets}"
        self.keeper = Process(self.folder / "journal.log", {"MESSAGING_JOURNAL_TOKENS": self.journal_token}, self.messaging, "serve",
                              "--listen", f"127.0.0.1:{receiver_port}", "--store", self.folder / "inbox.sqlite",
                              "--workers", f"127.0.0.1:{journal_port}", "--journal", self.journal)
        self.keeper.start()
        until("the journal answers", lambda: fetch("GET", f"http://127.0.0.1:{journal_port}/livez")[0])
        self.engines = [Engine(self, name, address) for name, address in (("a", "127.0.0.1"), ("b", "127.0.0.2"))]
        self._deploy()

    def _deploy(self):
        """The deployment, with locks that are over sooner, so that nobody waits for a crash to be noticed."""
        text = (HERE / "deployment.toml").read_text()
        for old, new in self.addresses:
            text = text.replace(old, new)
        text = text.replace("seconds = 40", "seconds = 8").replace('"30000"', '"5000"')
        (self.deployments / "deployment.toml").write_text(text)

    def start_database(self):
        (self.sockets).mkdir(exist_ok=True)
        if os.getuid() == 0:
            shutil.chown(self.sockets, "postgres")
        if not (self.sockets / "data/PG_VERSION").exists():
            return
        self._postgres("pg_ctl", "-D", self.sockets / "data", "-l", self.sockets / "log", "-w",
                       "-o", f"-k {self.sockets} -c listen_addresses='' -c max_connections=200", "start")

    def _postgres(self, program, *arguments):
        if program == "initdb":
            self.start_database()
        command = [str(one) for one in (POSTGRES / program, *arguments)]
        # It refuses to run as root.
        command = ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else command
        # Into nothing: a server that is started would keep a pipe open.
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ledger(self):
        return fetch("GET", f"{self.service}/_simulator/ledger")[1]

    def messages(self):
        """How many messages there are for each recipient."""
        counts = {}
        for message in self.ledger()["messages"]:
            counts[message["phone"]] = counts.get(message["phone"], 0) + 1
        return counts

    def requests(self, phone):
        return sum(json.loads(one["body"])["phone"] == phone for one in self.ledger()["requests"] if one["method"] == "POST")

    def sent(self, *arguments):
        """The command line, on the journal."""
        command = [self.messaging, "sent", *arguments, "--journal", self.journal]
        return subprocess.run(command, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, check=False)

    def sender(self):
        """The engine that has a request under way."""
        return next((one for one in self.engines if one.process.is_running() and one.process.talks_to(self.service_port)), None)

    def running(self):
        """An engine that answers."""
        return next(one for one in self.engines if one.process.is_running())

    def result(self, execution, seconds=120):
        """The end of an execution: `ok`, the error's case, or `execution_failed` of the engine's own; and all of it."""
        def look():
            status, said = self.running().ask(f"executions/{execution}")
            return said if status == 200 else None
        said = until(f"the end of {execution}", look, seconds)
        (case, value), = said.items()
        if case == "err":
            return (value if isinstance(value, str) else next(iter(value))), said
        return case, said

    def attempts(self, execution):
        """The servers that took it, in order: the executor's name of each."""
        _, said = self.running().ask(f"executions/{execution}/events?length=500")
        return [one["event"]["locked"] for one in said["events"] if "locked" in one["event"]]

    def stop(self):
        for one in (*(engine.process for engine in self.engines if hasattr(engine, "process")), self.keeper, self.simulated):
            one.stop()
        with contextlib.suppress(subprocess.CalledProcessError):
            self._postgres("pg_ctl", "-D", self.sockets / "data", "-m", "immediate", "stop")
