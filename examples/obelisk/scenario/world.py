"""Runs the simulated service, `messaging serve` with the journal of sends, the engine's servers, and their database."""

import contextlib
import itertools
import json
import os
import random
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path

from processes import Failed, Process, expect, fetch, free_ports, until

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
BUILT = ROOT / "target/obelisk/components"
COMPONENTS = [
    ROOT / "dist/messaging_plugin.wasm",
    ROOT / "dist/messaging_plugin_once_http.wasm",
    ROOT / "dist/messaging_webhook.wasm",
    BUILT / "wasm32-unknown-unknown/release/orders_workflow.wasm",
    BUILT / "wasm32-wasip2/release/engine_inbox.wasm",
]
LATENCY_MS = 200


def replaced(text, old, new):
    if old not in text:
        raise Failed(f"not in the file: {old}")
    return text.replace(old, new)


class Engine(Process):
    """A server of the engine."""

    def __init__(self, world, name, address):
        # Each server has its own address and the common port, as on several machines.
        self.name, self.token = name, world.engine_token
        self.api, (self.webhook_port,) = f"http://{address}:{world.api_port}", free_ports(1)
        self.webhook = f"http://127.0.0.1:{self.webhook_port}/events/{world.path_secret}"
        text = replaced((HERE / "server.toml").read_text(), '"127.0.0.1:5005"', f'"{address}:{world.api_port}"')
        text = replaced(text, '"127.0.0.1:9090"', f'"127.0.0.1:{self.webhook_port}"')
        self.config = world.folder / f"{name}.toml"
        self.config.write_text(world.database.configure(text))
        environment = {
            "MESSAGING_BASE_URL": world.service, "MESSAGING_API_KEY": world.key, "MESSAGING_DEADLINE_MS": "5000",
            "MESSAGING_JOURNAL_URL": world.journal_url, "MESSAGING_JOURNAL_TOKEN": world.journal_token,
            "MESSAGING_WEBHOOK_PATH_SECRET": world.path_secret, "OBELISK_API_TOKEN": self.token, "ENGINE_API": self.api,
        }
        super().__init__(world.folder / f"{name}.log", {**environment, **world.database.environment},
                         os.environ["OBELISK"], "server", "run", "--server-config", self.config)

    def start(self, *arguments):
        super().start(*arguments)
        until(f"server {self.name} answers", self.answers, 180)

    def answers(self):
        if not self.is_running():
            raise Failed(f"server {self.name} has exited; its log is {self.log}")
        return self.ask("functions")[0] == 200 and fetch("GET", f"http://127.0.0.1:{self.webhook_port}/")[0]

    def ask(self, path, method="GET", body=None):
        return fetch(method, f"{self.api}/v1/{path}", body, {"Authorization": f"Bearer {self.token}"})

    def submit(self, function, params, execution=None):
        """Starts an execution. Returns the execution ID."""
        execution = execution or self.ask("execution-id")[1]
        status, said = self.ask(f"executions/{execution}", "PUT", {"ffqn": function, "params": params})
        if status not in (200, 201):
            raise OSError(f"server {self.name} answered {status}: {said}")
        return execution

    def deliver(self, key, phone, text="Is it ready?"):
        """Delivers an event to the webhook, as the service does. Returns the status."""
        body = {"id": f"in-{key}", "object": "message", "event": "message:in:new", "from": phone, "message": text}
        return fetch("POST", self.webhook, body, {"X-Idempotency-Key": key})[0]

    def command(self, *arguments):
        """Runs the engine's command line for this server."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.log.parent), "OBELISK_API_TOKEN": self.token, "OBELISK_API_URL": self.api}
        done = subprocess.run([os.environ["OBELISK"], *map(str, arguments)], env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"obelisk {arguments[0]} {arguments[1]}: {done.stderr or done.stdout}")
        return done.stdout


def case_of(said):
    """Returns `ok`, the case of the error, or the engine's `execution_failed`."""
    (case, value), = said.items()
    if case == "err":
        return value if isinstance(value, str) else next(iter(value))
    return case


class Sqlite:
    """A database in the home directory of the only server."""

    name, servers, environment = "one server on SQLite", ["127.0.0.1"], {}

    def __init__(self, folder):
        self.folder = folder / ".local/share/obelisk/messaging"
        self.journal = folder / "journal.sqlite"

    def start(self):
        """Does nothing: the engine creates the database."""

    def configure(self, text):
        return text

    def dump(self, file):
        """Does nothing: the files contain all values uncompressed."""

    def stop(self):
        pass


class Postgres:
    """A private PostgreSQL server on a Unix socket."""

    name, servers = "two servers on PostgreSQL", ["127.0.0.1", "127.0.0.2"]

    def __init__(self, folder):
        self.sockets = folder / "postgres"
        self.folder = self.sockets / "data"
        self.programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        self.environment = {"POSTGRES_HOST": str(self.sockets), "POSTGRES_USER": "postgres", "POSTGRES_PASSWORD": "unused", "POSTGRES_DATABASE": "engine"}
        self.journal = f"postgres://postgres@/journal?host={self.sockets}"

    def start(self):
        self.sockets.mkdir()
        if os.getuid() == 0:
            shutil.chown(self.sockets, "postgres")
        self._run("initdb", "-D", self.folder, "-U", "postgres", "-A", "trust")
        self._run("pg_ctl", "-D", self.folder, "-l", self.sockets / "log", "-w",
                  "-o", f"-k {self.sockets} -c listen_addresses='' -c max_connections=200", "start")
        for database in ("engine", "journal"):
            self._run("createdb", "-h", self.sockets, "-U", "postgres", database)

    def _run(self, program, *arguments):
        command = [str(one) for one in (self.programs / program, *arguments)]
        # PostgreSQL does not run as root.
        command = ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else command
        # No pipes, because the started server would keep them open.
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def configure(self, text):
        """Replaces the line of server.toml for SQLite with the lines for PostgreSQL."""
        lines = [line.removeprefix("# ") if line.startswith(("# database.postgres.", "# wasm.")) else line
                 for line in text.splitlines() if not line.startswith("database.sqlite.")]
        return "\n".join(lines)

    def dump(self, file):
        """Writes a dump, because the database files contain long values in compressed form."""
        self._run("pg_dump", "-h", self.sockets, "-U", "postgres", "-f", self.sockets / file.name, "engine")
        shutil.copy(self.sockets / file.name, file)

    def stop(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "-D", self.folder, "-m", "immediate", "stop")


class World:
    """All processes and files of a run, in a new directory."""

    def __init__(self, database, seed):
        self.chance = random.Random(seed)
        self.folder = Path(tempfile.mkdtemp(prefix="obelisk-"))
        # Other users may enter the directory, because another user runs the database.
        self.folder.chmod(0o755)
        self.messaging = os.environ["MESSAGING_PROGRAM"]
        # The secrets are unique strings, because the last step searches for them.
        self.key, self.engine_token, self.journal_token, self.path_secret = (f"canary-{secrets.token_hex(16)}" for _ in range(4))
        self.service_port, receiver_port, journal_port, self.api_port = free_ports(4)
        self.service = f"http://127.0.0.1:{self.service_port}"
        self.receiver = f"http://127.0.0.1:{receiver_port}/"
        self.journal_url = f"http://127.0.0.1:{journal_port}"
        self.database = database(self.folder)
        self.engines = [Engine(self, name, address) for name, address in zip("ab", self.database.servers, strict=False)]
        self.turns = itertools.cycle(self.engines)
        self.simulated = self._service(LATENCY_MS)
        self.keeper = Process(self.folder / "serve.log", {"MESSAGING_JOURNAL_TOKENS": self.journal_token}, self.messaging, "serve",
                              "--listen", f"127.0.0.1:{receiver_port}", "--store", self.folder / "inbox.sqlite",
                              "--forward", self.engines[0].webhook,
                              "--workers", f"127.0.0.1:{journal_port}", "--journal", self.database.journal)
        self.deployments = self.folder / "deployments"
        self._write_deployments()

    def start(self):
        """Starts all processes except the engine's servers."""
        self.database.start()
        self.start_service()
        self.keeper.start()
        until("serve answers", lambda: fetch("GET", f"{self.journal_url}/livez")[0])

    def _write_deployments(self):
        (self.deployments / "components").mkdir(parents=True)
        for file in COMPONENTS:
            shutil.copy(file, self.deployments / "components")
        # Shortens the locks, so that the engine notices a crash sooner.
        text = replaced((HERE / "deployment.toml").read_text(), "exec.lock_expiry.seconds = 40", "exec.lock_expiry.seconds = 8")
        (self.deployments / "deployment.toml").write_text(text)
        # In this second deployment, the engine also retries a failed activity up to 4 times.
        text = replaced(text, "max_retries = 0", "max_retries = 4\nretry_exp_backoff.milliseconds = 500")
        (self.deployments / "retries.toml").write_text(text)

    def deploy(self, deployment):
        """Restarts all servers. The first server gets the deployment, and the others read it from the database."""
        self.kill_engines()
        first, *others = self.engines
        first.start("--deployment", self.deployments / deployment)
        for engine in others:
            engine.start()

    def start_engines(self):
        for engine in self.engines:
            if not engine.is_running():
                engine.start()

    def kill_engines(self):
        for engine in self.engines:
            engine.stop()

    def running(self):
        """Returns the running servers."""
        return [one for one in self.engines if one.is_running()]

    def sender(self):
        """Returns a server with an open connection to the service."""
        return next((one for one in self.running() if one.talks_to(self.service_port)), None)

    # --- the service -----------------------------------------------------------------

    def _service(self, latency_ms):
        return Process(self.folder / "service.log", {}, self.messaging, "service", "--listen", f"127.0.0.1:{self.service_port}",
                       "--key", self.key, "--webhook", self.engines[0].webhook, "--latency-ms", latency_ms)

    def start_service(self, latency_ms=LATENCY_MS):
        """Restarts the simulated service, with an empty ledger."""
        self.simulated.stop()
        self.simulated = self._service(latency_ms)
        self.simulated.start()
        until("the service answers", lambda: self.ledger() is not None)

    def ledger(self):
        return fetch("GET", f"{self.service}/_simulator/ledger")[1]

    def messages(self):
        """Returns the number of messages for each recipient."""
        counts = {}
        for message in self.ledger()["messages"]:
            counts[message["phone"]] = counts.get(message["phone"], 0) + 1
        return counts

    def created(self, phone):
        return self.messages().get(phone, 0)

    def requests(self, phone):
        return sum(json.loads(one["body"])["phone"] == phone for one in self.ledger()["requests"] if one["method"] == "POST")

    def service_delivers(self, key, phone):
        """Makes the service deliver an event to the first server, and expects the answer 200."""
        body = {"id": f"in-{key}", "object": "message", "event": "message:in:new", "from": phone, "message": "Is it ready?"}
        expect("the service's delivery", 200, fetch("POST", f"{self.service}/_simulator/events", {"key": key, "body": body})[0])

    # --- executions ------------------------------------------------------------------

    def submit(self, function, params, execution=None):
        """Starts an execution on the next server. Returns the execution ID."""
        def take():
            with contextlib.suppress(OSError):
                return next(self.turns).submit(function, params, execution)
        return until(f"a server takes {function}", take)

    def ask(self, path):
        status, said = self.running()[0].ask(path)
        expect(f"the status of {path}", 200, status)
        return said

    def result(self, execution, seconds=120):
        """Waits for the end of an execution. Returns its case and its result."""
        def look():
            status, said = self.running()[0].ask(f"executions/{execution}")
            return said if status == 200 else None
        said = until(f"the end of {execution}", look, seconds)
        return case_of(said), said

    def ends(self, execution, case):
        """Waits for the end of an execution, and expects its case. Returns its result."""
        found, said = self.result(execution)
        expect("the outcome", case, found)
        return said

    def executions(self, function, prefix="E_", hide_finished=False):
        """Returns the executions of a function; with `prefix`, only the executions of one workflow."""
        hidden = "true" if hide_finished else "false"
        return self.ask(f"executions?show_derived=true&length=2000&hide_finished={hidden}&ffqn_prefix={function}&execution_id_prefix={prefix}")

    def attempts(self, execution):
        """Returns the executor of each attempt of an execution, in order."""
        events = self.ask(f"executions/{execution}/events?length=500")["events"]
        return [str(one["event"]["locked"]["executor_id"]) for one in events if "locked" in one["event"]]

    def sent(self, *arguments):
        """Runs `messaging sent` on the journal."""
        command = [self.messaging, "sent", *arguments, "--journal", str(self.database.journal)]
        done = subprocess.run(command, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, check=False)
        expect(f"the exit code of sent {arguments[0]} ({done.stderr.strip()})", 0, done.returncode)

    def stop(self):
        self.kill_engines()
        self.keeper.stop()
        self.simulated.stop()
        self.database.stop()
