"""Classes for the scenarios: two wasmCloud hosts, a bucket on three NATS servers, and faults of hosts and servers."""

import asyncio
import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import nats
from nats.js.api import KeyValueConfig, StorageType

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
RUNNING = []


class Component(NamedTuple):
    """A released component, with its requirements for hosts and servers."""

    name: str
    # Returns the host interfaces of a workload, for the URL of a NATS server.
    interfaces: Callable[[str], list]
    # Configuration file of the NATS servers.
    servers: str
    # JetStream domain, if the configuration hides streams from clients.
    domain: str | None
    bucket: str

    @property
    def file(self):
        return HERE / f"../../../dist/{self.name}.wasm"


def serves(name, *more):
    """Returns the interface of a workload that serves HTTP for this host name, with WASI 0.3."""
    return {"namespace": "wasi", "package": "http", "version": "0.3.0", "interfaces": ["handler", "types", *more],
            "config": {"host": name}}


def on_wasmcloud_keyvalue(url, *interfaces):
    return {"namespace": "wasmcloud", "package": "keyvalue", "version": "0.2.0", "interfaces": list(interfaces),
            "config": {"backend": "nats", "url": url}}


class Process:
    """A program that can be killed and started again."""

    def __init__(self, log, *arguments):
        self.log, self.arguments = log, [str(one) for one in arguments]
        RUNNING.append(self)

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()

    def spent(self):
        """Returns the processor time in milliseconds, and the bytes written to disks."""
        folder = Path(f"/proc/{self.process.pid}")
        user, system = (folder / "stat").read_text().rsplit(")", 1)[1].split()[11:13]
        written = (folder / "io").read_text().split("\nwrite_bytes: ")[1].split()[0]
        return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK"), int(written)

    def memory(self):
        """Returns the resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


async def until(what, look, limit=60):
    end = time.monotonic() + limit
    while time.monotonic() < end:
        found = look()
        if asyncio.iscoroutine(found):
            try:
                found = await found
            except Exception:  # not yet
                found = None
        if found:
            return found
        await asyncio.sleep(0.05)
    raise SystemExit(f"not within {limit} s: {what}")


class Host:
    """A `wash host` with one workload. Starts the workload with a request over NATS, as the operator of a cluster does."""

    def __init__(self, world, number):
        [self.port] = free_ports(1)
        self.world, self.name = world, f"host-{number}"
        url = f"nats://127.0.0.1:{world.ports[number]}"
        self.interfaces = world.component.interfaces(url)
        self.process = Process(
            world.folder / f"{self.name}.log", BIN / "wash", "--non-interactive", "host", "--host-name", self.name,
            "--scheduler-nats-url", url, "--data-nats-url", url, "--nats-connect-timeout", "30s",
            "--http-addr", f"127.0.0.1:{self.port}", "--allow-insecure-registries", "--oci-cache-dir", world.folder / self.name,
            # A delivery uses about ten instances. The default of 1,000 is enough for only 100 concurrent deliveries.
            "--core-instances", "2000",
        )

    async def start(self):
        heartbeats = self.world.heartbeats
        heartbeats.pop(self.name, None)
        self.process.start()
        identifier = await until(f"{self.name} reports", lambda: heartbeats.get(self.name))
        workload = {
            "workloadId": "messaging",
            "workload": {
                "namespace": "default",
                "name": "messaging",
                "witWorld": {"components": self.world.workload(), "hostInterfaces": self.interfaces},
            },
        }
        answer = await self.world.nats.request(f"runtime.host.{identifier}.workload.start", json.dumps(workload).encode(), timeout=60)
        status = json.loads(answer.data)["workloadStatus"]
        assert status["workloadState"] == "WORKLOAD_STATE_RUNNING", status

    def post(self, headers, body=None):
        """Returns status and headers of the response; status 0 without a response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("POST", "/", body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers
        except (OSError, http.client.HTTPException):
            return 0, {}
        finally:
            connection.close()


class World:
    """Servers, a registry, a bucket with three replicas, and two hosts with one workload."""

    async def start(self, folder, component):
        self.folder, self.component, self.heartbeats, self.count = folder, component, {}, 0
        self.pool = ThreadPoolExecutor(128)
        registry_port, *ports = free_ports(7)
        self.ports, routes = ports[:3], [f"nats://127.0.0.1:{one}" for one in ports[3:]]
        self.servers = [
            Process(folder / f"nats-{i}.log", BIN / "nats-server", "--config", HERE / component.servers, "--name", f"nats-{i}",
                    "--addr", "127.0.0.1", "--port", self.ports[i], "--store_dir", folder / f"nats-{i}",
                    "--cluster_name", "messaging", "--cluster", routes[i], "--routes", ",".join(routes)).start()
            for i in range(3)
        ]
        registry = folder / "registry.yml"
        registry.write_text(json.dumps({
            "version": 0.1, "log": {"level": "warn"}, "http": {"addr": f"127.0.0.1:{registry_port}"},
            "storage": {"filesystem": {"rootdirectory": str(folder / "registry")}},
        }))
        Process(folder / "registry.log", shutil.which("docker-registry"), "serve", registry).start()
        self.registry = f"127.0.0.1:{registry_port}/messaging"
        for file in self.files():
            push = [BIN / "wash", "oci", "push", "--insecure", self.image(file), file]
            await until("the registry", lambda push=push: subprocess.run(push, capture_output=True, check=False).returncode == 0)

        async def broken(_):
            pass  # expected, because the scenarios kill servers

        self.nats = await until("NATS", lambda: nats.connect(
            [f"nats://127.0.0.1:{one}" for one in self.ports],
            max_reconnect_attempts=-1, reconnect_time_wait=0.1, error_cb=broken,
        ))
        self.streams = self.nats.jetstream(domain=component.domain)
        config = KeyValueConfig(bucket=component.bucket, replicas=3, storage=StorageType.FILE)
        self.bucket = await until("the bucket", lambda: self.streams.create_key_value(config))

        async def heard(message):
            report = json.loads(message.data)
            if "hostname" in report:
                self.heartbeats[report["hostname"]] = report["id"]

        await self.nats.subscribe("runtime.operator.>", cb=heard)
        self.hosts = [Host(self, number) for number in range(2)]
        await asyncio.gather(*(host.start() for host in self.hosts))

    def files(self):
        """Returns the files of the workload's components."""
        return [self.component.file]

    def image(self, file):
        return f"{self.registry}/{file.stem}:0.2.0"

    def workload(self):
        """Returns the components of the workload."""
        raise NotImplementedError

    async def works(self, *hosts):
        """Returns the seconds until these hosts work. Without arguments, returns the seconds until all hosts work."""
        raise NotImplementedError

    async def load(self, hosts, seconds):
        """Gives these hosts work for this number of seconds."""
        raise NotImplementedError

    async def judge(self):
        """Checks the guarantees and returns the figures."""
        raise NotImplementedError

    def call(self, function):
        return asyncio.get_running_loop().run_in_executor(self.pool, function)

    async def copies(self):
        info = await self.streams.stream_info(f"KV_{self.component.bucket}")
        current = [peer.current for peer in info.cluster.replicas]
        assert (info.config.num_replicas, current) == (3, [True, True]), (info.config.num_replicas, current)
        return "3 replicas, all current"

    async def killed(self, processes, back_after, hosts, times=3):
        """Kills processes under load and starts them again. Returns a text with the time until the hosts work."""
        seconds = []
        for _ in range(times):
            working = asyncio.create_task(self.load(hosts, back_after + 4))
            await asyncio.sleep(1)
            for process in processes():
                process.kill()
            began = time.monotonic()
            if back_after == 0:
                for process in processes():
                    process.start()
            await self.works(*hosts)
            seconds.append(time.monotonic() - began)
            await working
            for process in processes():
                if process.process.poll() is not None:
                    process.start()
            await until("all replicas current", self.copies)
        judged = await self.judge()
        return f"works again after {statistics.median(seconds):.1f} s, {max(seconds):.1f} s at most, of {times}; {judged}"

    async def killed_leader(self):
        leader = (await self.streams.stream_info(f"KV_{self.component.bucket}")).cluster.leader
        number = int(leader.removeprefix("nats-"))
        # Uses the host that is connected to another server.
        return await self.killed(lambda: self.servers[number:number + 1], 3, [self.hosts[0 if number else 1]], times=1)

    async def stop_two_servers(self):
        for server in self.servers[1:]:
            server.kill()
        await asyncio.sleep(2)

    async def start_two_servers(self):
        """Starts the two servers. Returns the seconds until the hosts work."""
        for server in self.servers[1:]:
            server.start()
        seconds = await self.works()
        await until("all replicas current", self.copies)
        return seconds

    async def lose_a_disk(self):
        server, folder = self.servers[2], self.folder / "nats-2"
        server.kill()
        shutil.rmtree(folder)
        server.start()
        await until("all replicas current", self.copies, limit=120)
        for other in self.servers[:2]:
            other.kill()
            other.start()
        await self.works()
        return await self.judge()

    def memory(self):
        hosts = max(host.process.memory() for host in self.hosts)
        servers = max(server.memory() for server in self.servers)
        return f"resident memory: a host {hosts:.0f} MiB, a NATS server {servers:.0f} MiB at most"


async def step(name, run):
    said = await run
    print(f"✓ {name}\n    {said}", flush=True)
