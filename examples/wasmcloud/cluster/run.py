"""A webhook on two wasmCloud hosts, over one bucket on three NATS servers, of which parts are killed.

Judged by the bucket: each acknowledged event is in it once. Exit code 0: as promised. Takes the names of components,
by default those of all.
"""

import asyncio
import hashlib
import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import nats
from nats.js.api import KeyValueConfig, StorageType

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
SECRET = "what-only-the-sender-knows"
NAME = "webhook.example.com"
BUCKET = "messaging-events"
RUNNING = []
# Begins the keys under which different events are delivered.
RACE = "race-"


def on_wasi_keyvalue(_):
    return [
        {"namespace": "wasi", "package": "http", "interfaces": ["incoming-handler", "outgoing-handler", "types"],
         "config": {"host": NAME}},
        {"namespace": "wasi", "package": "keyvalue", "version": "0.2.0-draft", "interfaces": ["store"]},
    ]


def on_wasmcloud_keyvalue(url):
    return [
        {"namespace": "wasi", "package": "http", "version": "0.3.0", "interfaces": ["handler", "types"],
         "config": {"host": NAME}},
        {"namespace": "wasmcloud", "package": "keyvalue", "version": "0.2.0", "interfaces": ["store"],
         "config": {"backend": "nats", "url": url}},
    ]


class Component(NamedTuple):
    """A webhook, and what it needs of hosts and servers."""

    name: str
    interfaces: Callable[[str], list]
    servers: str
    # Of streams, past what is for the hosts.
    domain: str | None

    @property
    def file(self):
        return HERE / f"../../../dist/{self.name}.wasm"


COMPONENTS = [
    Component("messaging_webhook_keyvalue", on_wasi_keyvalue, "nats-keyvalue.conf", "admin"),
    Component("messaging_webhook_wasmcloud", on_wasmcloud_keyvalue, "nats.conf", None),
]


class Process:
    """A program that is started, killed, and started again."""

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
        """Processor time in milliseconds, and bytes written to disks."""
        folder = Path(f"/proc/{self.process.pid}")
        user, system = (folder / "stat").read_text().rsplit(")", 1)[1].split()[11:13]
        written = (folder / "io").read_text().split("\nwrite_bytes: ")[1].split()[0]
        return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK"), int(written)

    def memory(self):
        """Resident memory in MiB."""
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
    """One `wash host`, on which the webhook is started by a request, as the operator of a cluster does."""

    def __init__(self, folder, number, nats_port, image, component):
        [self.port] = free_ports(1)
        self.name, self.image = f"host-{number}", image
        url = f"nats://127.0.0.1:{nats_port}"
        self.interfaces = component.interfaces(url)
        self.process = Process(
            folder / f"{self.name}.log", BIN / "wash", "--non-interactive", "host", "--host-name", self.name,
            "--scheduler-nats-url", url, "--data-nats-url", url, "--nats-connect-timeout", "30s",
            "--http-addr", f"127.0.0.1:{self.port}", "--allow-insecure-registries", "--oci-cache-dir", folder / self.name,
            # A delivery takes about ten: by default, 1,000, a host answers 500 to what comes beside a hundred others.
            "--core-instances", "2000",
        )

    async def start(self, world):
        world.heartbeats.pop(self.name, None)
        self.process.start()
        identifier = await until(f"{self.name} reports", lambda: world.heartbeats.get(self.name))
        workload = {
            "workloadId": "messaging-webhook",
            "workload": {
                "namespace": "default",
                "name": "messaging-webhook",
                "witWorld": {
                    "components": [{
                        "name": "webhook",
                        "image": self.image,
                        "localResources": {
                            "allowedHosts": [],
                            "environment": {"MESSAGING_WEBHOOK_BUCKET": BUCKET, "MESSAGING_WEBHOOK_HEADER_SECRET": SECRET},
                        },
                    }],
                    "hostInterfaces": self.interfaces,
                },
            },
        }
        answer = await world.nats.request(f"runtime.host.{identifier}.workload.start", json.dumps(workload).encode(), timeout=60)
        status = json.loads(answer.data)["workloadStatus"]
        assert status["workloadState"] == "WORKLOAD_STATE_RUNNING", status

    def deliver(self, key, text="Is it ready?", secret=SECRET):
        """Status of the answer; 0 where there is none."""
        body = json.dumps({"id": f"msg-{key}", "object": "message", "event": "message:in:new", "text": text})
        headers = {"Host": NAME, "Content-Type": "application/json", "X-Idempotency-Key": key, "X-Webhook-Secret": secret}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("POST", "/", body, headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()


class World:
    async def start(self, folder, component):
        self.folder, self.heartbeats, self.acknowledged, self.count = folder, {}, set(), 0
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
        image = f"127.0.0.1:{registry_port}/messaging/{component.name}:0.2.0"
        push = [BIN / "wash", "oci", "push", "--insecure", image, component.file]
        await until("the registry", lambda: subprocess.run(push, capture_output=True, check=False).returncode == 0)

        async def broken(_):
            pass  # servers are killed here

        self.nats = await until("NATS", lambda: nats.connect(
            [f"nats://127.0.0.1:{one}" for one in self.ports],
            max_reconnect_attempts=-1, reconnect_time_wait=0.1, error_cb=broken,
        ))
        self.streams = self.nats.jetstream(domain=component.domain)
        config = KeyValueConfig(bucket=BUCKET, replicas=3, storage=StorageType.FILE)
        self.bucket = await until("the bucket", lambda: self.streams.create_key_value(config))

        async def heard(message):
            report = json.loads(message.data)
            if "hostname" in report:
                self.heartbeats[report["hostname"]] = report["id"]

        await self.nats.subscribe("runtime.operator.>", cb=heard)
        self.hosts = [Host(folder, i, self.ports[i], image, component) for i in range(2)]
        await asyncio.gather(*(host.start(self) for host in self.hosts))

    async def deliver(self, host, key, **rest):
        status = await asyncio.get_running_loop().run_in_executor(self.pool, lambda: host.deliver(key, **rest))
        if status == 200 and not key.startswith(RACE):
            self.acknowledged.add(key)
        return status

    async def keep(self, deliveries):
        """Makes these at once, each until it is acknowledged, as a sender does; says how many had to be made again."""

        async def one(host, key, text):
            refused = 0
            while (status := await self.deliver(host, key, text=text)) != 200:
                assert status in (0, 503), status
                refused += 1
            return refused

        refused = await asyncio.gather(*(one(*delivery) for delivery in deliveries))
        return sum(1 for one in refused if one)

    def key(self):
        self.count += 1
        return f"evt-{self.count}"

    async def works(self, *hosts):
        """Seconds until each of these hosts answers 200."""
        began = time.monotonic()
        for host in hosts or self.hosts:
            key = self.key()

            async def taken(host=host, key=key):
                return await self.deliver(host, key) == 200

            await until(f"{host.name} answers 200", taken)
        return time.monotonic() - began

    async def kept(self):
        """Keys of the events in the bucket, one for each that is kept."""
        names = [one.split(".")[1] for one in await self.bucket.keys() if one.startswith("event.")]
        return sorted(one for one in names if not one.startswith(RACE))

    async def judge(self):
        kept = await until("the bucket's keys", self.kept)
        assert len(kept) == len(set(kept)), "an event is kept twice"
        lost = self.acknowledged - set(kept)
        assert not lost, f"acknowledged and not kept: {sorted(lost)[:5]}"
        return f"{len(self.acknowledged)} events acknowledged, each kept once"


async def load(world, hosts, at_once, seconds=None, count=None):
    """Delivers events to these hosts in turn; returns how many were acknowledged in a second."""
    began, before, made = time.monotonic(), len(world.acknowledged), 0

    async def lane(number):
        nonlocal made
        while (made < count) if count else (time.monotonic() - began < seconds):
            made += 1
            if await world.deliver(hosts[(number + made) % len(hosts)], world.key()) != 200:
                await asyncio.sleep(0.05)

    await asyncio.gather(*(lane(number) for number in range(at_once)))
    return (len(world.acknowledged) - before) / (time.monotonic() - began)


async def scenario(world, exact):
    one, two = world.hosts

    async def step(name, run):
        said = await run
        print(f"✓ {name}\n    {said}", flush=True)

    async def both():
        statuses = [await world.deliver(host, "evt-first") for host in (one, two, one)]
        assert statuses == [200] * 3, statuses
        assert await world.deliver(one, "evt-guessed", secret="guessed-by-somebody") == 401
        return await world.judge()

    async def at_once():
        keys = [world.key() for _ in range(200)]
        again = await world.keep([(host, key, "Is it ready?") for key in keys for host in (one, two)])
        return f"{await world.judge()}; {again} of {2 * len(keys)} deliveries were made again"

    async def racing():
        """Of the different events under one key one is new, and the others are in quarantine; `exact` requires it."""
        raced, again = [f"{RACE}{number}" for number in range(100)], 0
        for some in range(0, len(raced), 10):
            again += await world.keep([
                (host, key, text)
                for key in raced[some:some + 10] for text in ("one", "two", "three") for host in (one, two)
            ])
        keys, new_twice = await world.bucket.keys(), 0
        for key in raced:
            events = [one.split(".")[2] for one in keys if one.startswith(f"event.{key}.")]
            assert len(events) == 3, events
            listed = [one for one in keys if f"{one}.".startswith((f"first.{key}.", f"conflicts.{key}."))]
            values = [(await world.bucket.get(one)).value.decode().split() for one in listed]
            counted = [digest for value in values for digest in value]
            assert set(counted) <= set(events), counted
            # Each once: the first, and the others in quarantine.
            new_twice += sorted(counted) != sorted(events)
        assert not (exact and new_twice), new_twice
        return (f"{3 * len(raced)} events under {len(raced)} keys, all kept; under {new_twice} keys more than one was called new; "
                f"{again} of {6 * len(raced)} deliveries were made again")

    async def copies():
        info = await world.streams.stream_info(f"KV_{BUCKET}")
        current = [peer.current for peer in info.cluster.replicas]
        assert (info.config.num_replicas, current) == (3, [True, True]), (info.config.num_replicas, current)
        return "3 replicas, all current"

    async def rates():
        def spent(processes):
            return [sum(each) for each in zip(*(one.spent() for one in processes), strict=True)]

        hosts = [host.process for host in world.hosts]
        before = spent(hosts), spent(world.servers), len(world.acknowledged)
        seen = [f"{await load(world, [one], lanes, count=600):.0f} with {lanes} at once" for lanes in (1, 16, 64)]
        seen.append(f"on both hosts {await load(world, [one, two], 64, count=600):.0f}")
        count = len(world.acknowledged) - before[2]
        host, server, written = (
            (spent(hosts)[0] - before[0][0]) / count,
            *((after - earlier) / count for after, earlier in zip(spent(world.servers), before[1], strict=True)),
        )
        return (f"{', '.join(seen)}\n    each takes {host:.1f} ms of processor time on the hosts, {server:.1f} ms on the servers "
                f"together; {written / 1024:.0f} KiB are written")

    async def killed(processes, back_after, hosts, times=3):
        """Kills these under load, starts them again, and says how long it took until deliveries were kept."""
        seconds = []
        for _ in range(times):
            working = asyncio.create_task(load(world, hosts, 8, seconds=back_after + 4))
            await asyncio.sleep(1)
            for process in processes():
                process.kill()
            began = time.monotonic()
            if back_after == 0:
                for process in processes():
                    process.start()
            await world.works(*hosts)
            seconds.append(time.monotonic() - began)
            await working
            for process in processes():
                if process.process.poll() is not None:
                    process.start()
            await until("all servers current", copies)
        judged = await world.judge()
        return f"kept again after {statistics.median(seconds):.1f} s, {max(seconds):.1f} s at most, of {times}; {judged}"

    async def host_killed():
        before = len(world.acknowledged)
        working = asyncio.create_task(load(world, [one, two], 8, seconds=4))
        await asyncio.sleep(1)
        one.process.kill()
        began = time.monotonic()
        await world.works(two)
        alone = time.monotonic() - began
        await one.start(world)
        await world.works(one)
        back = time.monotonic() - began
        await working
        return (f"the other kept the next event after {alone:.2f} s, the killed one after {back:.1f} s; "
                f"{len(world.acknowledged) - before} acknowledged meanwhile; {await world.judge()}")

    async def no_majority():
        for server in world.servers[1:]:
            server.kill()
        await asyncio.sleep(2)
        statuses = await asyncio.gather(*(world.deliver(host, world.key()) for host in (one, two) for _ in range(4)))
        assert 200 not in statuses, statuses
        for server in world.servers[1:]:
            server.start()
        seconds = await world.works()
        await until("all servers current", copies)
        return f"answers {sorted(set(statuses))}; after their start kept again within {seconds:.1f} s; {await world.judge()}"

    async def disk_lost():
        server, folder = world.servers[2], world.folder / "nats-2"
        server.kill()
        shutil.rmtree(folder)
        server.start()
        await until("all servers current", copies, limit=120)
        for other in world.servers[:2]:
            other.kill()
            other.start()
        await world.works()
        return await world.judge()

    async def missing():
        await world.streams.delete_key_value(BUCKET)
        assert await world.deliver(one, "evt-nowhere") == 503
        return "503"

    await step("An event delivered to both hosts, and again, is kept once; a stranger gets 401", both())
    await step("200 events, each delivered to both hosts at once", at_once())
    await step("Different events that race under one key, on both hosts", racing())
    await step("The bucket has the replicas that it was made with", copies())
    await step("Events kept a second", rates())
    await step("A host killed under load, and back", host_killed())
    await step("A NATS server killed under load", killed(lambda: world.servers[1:2], 3, [one]))
    await step("The bucket's leader killed under load", killed_leader(world, killed))
    await step("All NATS servers killed under load, and back at once", killed(lambda: world.servers, 0, [one, two]))
    await step("Two of three NATS servers down: nothing is acknowledged", no_majority())
    await step("A NATS server that has lost its disk gets everything from the others", disk_lost())
    hosts = max(host.process.memory() for host in world.hosts)
    servers = max(server.memory() for server in world.servers)
    kept = sum(one.startswith("event.") for one in await world.bucket.keys())
    each = (await world.streams.stream_info(f"KV_{BUCKET}")).state.bytes / kept
    print(f"  resident memory: a host {hosts:.0f} MiB, a NATS server {servers:.0f} MiB at most; "
          f"{each:.0f} bytes for an event in each copy of the bucket")
    await step("A bucket that is not there is not made with one replica in its place", missing())


async def killed_leader(world, killed):
    leader = (await world.streams.stream_info(f"KV_{BUCKET}")).cluster.leader
    number = int(leader.removeprefix("nats-"))
    # Of the hosts the one that is not connected to it alone.
    return await killed(lambda: world.servers[number:number + 1], 3, [world.hosts[0 if number else 1]], times=1)


async def run(component):
    folder = Path(tempfile.mkdtemp(prefix="wasmcloud-"))
    world, began = World(), time.monotonic()
    try:
        await world.start(folder, component)
        version = subprocess.run([BIN / "wash", "--version"], capture_output=True, text=True, check=True).stdout.strip()
        digest = hashlib.sha256(component.file.read_bytes()).hexdigest()[:12]
        print(f"{version}, two hosts, three NATS servers; {component.name}.wasm {digest}…, "
              f"ready after {time.monotonic() - began:.1f} s\n", flush=True)
        await scenario(world, exact=component.interfaces is on_wasmcloud_keyvalue)
        print(f"\nas promised in {time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}")
    except BaseException:
        print(f"logs: {folder}", file=sys.stderr)
        raise
    finally:
        while RUNNING:
            RUNNING.pop().kill()
    shutil.rmtree(folder)


wanted = sys.argv[1:] or [component.name for component in COMPONENTS]
for component in COMPONENTS:
    if component.name in wanted:
        asyncio.run(run(component))
