"""A webhook on two wasmCloud hosts with a bucket on three NATS servers, while hosts and servers are killed.

The bucket must contain each acknowledged event once.
"""

import asyncio
import json
import time

from cluster import Component, World, on_wasmcloud_keyvalue, serves, step, until

SECRET = "what-only-the-sender-knows"
NAME = "webhook.example.com"
BUCKET = "messaging-events"
# Prefix of the keys under which different events are delivered.
RACE = "race-"


def on_wasi_keyvalue(_):
    return [
        {"namespace": "wasi", "package": "http", "interfaces": ["incoming-handler", "outgoing-handler", "types"],
         "config": {"host": NAME}},
        {"namespace": "wasi", "package": "keyvalue", "version": "0.2.0-draft", "interfaces": ["store"]},
    ]


COMPONENTS = [
    Component("messaging_webhook_keyvalue", on_wasi_keyvalue, "nats-keyvalue.conf", "admin", BUCKET),
    Component("messaging_webhook_wasmcloud", lambda url: [serves(NAME), on_wasmcloud_keyvalue(url, "store")], "nats.conf", None, BUCKET),
]


def delivery(key, text="Is it ready?", secret=SECRET):
    body = json.dumps({"id": f"msg-{key}", "object": "message", "event": "message:in:new", "text": text})
    return {"Host": NAME, "Content-Type": "application/json", "X-Idempotency-Key": key, "X-Webhook-Secret": secret}, body


class Inbox(World):
    """The webhook, and its acknowledged events."""

    def __init__(self):
        self.acknowledged = set()

    def workload(self):
        environment = {"MESSAGING_WEBHOOK_BUCKET": BUCKET, "MESSAGING_WEBHOOK_HEADER_SECRET": SECRET}
        resources = {"allowedHosts": [], "environment": environment}
        return [{"name": "webhook", "image": self.image(self.component.file), "localResources": resources}]

    async def load(self, hosts, seconds):
        await rate(self, hosts, 8, seconds=seconds)

    async def deliver(self, host, key, **rest):
        status, _ = await self.call(lambda: host.post(*delivery(key, **rest)))
        if status == 200 and not key.startswith(RACE):
            self.acknowledged.add(key)
        return status

    async def keep(self, deliveries):
        """Makes concurrent deliveries and repeats each until it is acknowledged. Returns the number of repeated deliveries."""

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
        """Returns the seconds until each of these hosts answers 200."""
        began = time.monotonic()
        for host in hosts or self.hosts:
            key = self.key()

            async def taken(host=host, key=key):
                return await self.deliver(host, key) == 200

            await until(f"{host.name} answers 200", taken)
        return time.monotonic() - began

    async def kept(self):
        """Returns the key of each stored event."""
        names = [one.split(".")[1] for one in await self.bucket.keys() if one.startswith("event.")]
        return sorted(one for one in names if not one.startswith(RACE))

    async def judge(self):
        kept = await until("the bucket's keys", self.kept)
        assert len(kept) == len(set(kept)), "an event is stored twice"
        lost = self.acknowledged - set(kept)
        assert not lost, f"acknowledged but not stored: {sorted(lost)[:5]}"
        return f"{len(self.acknowledged)} events acknowledged, each stored once"


async def rate(world, hosts, at_once, seconds=None, count=None):
    """Delivers events to these hosts in turn. Returns the acknowledged events per second."""
    began, before, made = time.monotonic(), len(world.acknowledged), 0

    async def lane(number):
        nonlocal made
        while (made < count) if count else (time.monotonic() - began < seconds):
            made += 1
            if await world.deliver(hosts[(number + made) % len(hosts)], world.key()) != 200:
                await asyncio.sleep(0.05)

    await asyncio.gather(*(lane(number) for number in range(at_once)))
    return (len(world.acknowledged) - before) / (time.monotonic() - began)


async def scenario(world):
    one, two = world.hosts
    exact = world.component.name == "messaging_webhook_wasmcloud"

    async def both():
        statuses = [await world.deliver(host, "evt-first") for host in (one, two, one)]
        assert statuses == [200] * 3, statuses
        assert await world.deliver(one, "evt-guessed", secret="guessed-by-an-attacker") == 401
        return await world.judge()

    async def at_once():
        keys = [world.key() for _ in range(200)]
        again = await world.keep([(host, key, "Is it ready?") for key in keys for host in (one, two)])
        return f"{await world.judge()}; {again} of {2 * len(keys)} deliveries were repeated"

    async def racing():
        """Delivers different events under one key. With `exact`, only one of them may be new; the others are quarantined."""
        raced, again = [f"{RACE}{number}" for number in range(100)], 0
        for some in range(0, len(raced), 10):
            again += await world.keep([
                (host, key, text)
                for key in raced[some:some + 10] for text in ("one", "two", "three") for host in (one, two)
            ])
        keys, new_twice = await until("the bucket's keys", world.bucket.keys), 0
        for key in raced:
            events = [one.split(".")[2] for one in keys if one.startswith(f"event.{key}.")]
            assert len(events) == 3, events
            listed = [one for one in keys if f"{one}.".startswith((f"first.{key}.", f"conflicts.{key}."))]
            values = [(await world.bucket.get(one)).value.decode().split() for one in listed]
            counted = [digest for value in values for digest in value]
            assert set(counted) <= set(events), counted
            # Expects each event once: the first event is new, the others are quarantined.
            new_twice += sorted(counted) != sorted(events)
        assert not (exact and new_twice), new_twice
        return (f"{3 * len(raced)} events under {len(raced)} keys, all stored; several events were new under {new_twice} keys; "
                f"{again} of {6 * len(raced)} deliveries were repeated")

    async def rates():
        def spent(processes):
            return [sum(each) for each in zip(*(one.spent() for one in processes), strict=True)]

        hosts = [host.process for host in world.hosts]
        before = spent(hosts), spent(world.servers), len(world.acknowledged)
        seen = [f"{await rate(world, [one], lanes, count=600):.0f} with {lanes} at once" for lanes in (1, 16, 64)]
        seen.append(f"on both hosts {await rate(world, [one, two], 64, count=600):.0f}")
        count = len(world.acknowledged) - before[2]
        host, server, written = (
            (spent(hosts)[0] - before[0][0]) / count,
            *((after - earlier) / count for after, earlier in zip(spent(world.servers), before[1], strict=True)),
        )
        return (f"{', '.join(seen)}\n    per event {host:.1f} ms of processor time on the hosts, {server:.1f} ms on the servers, "
                f"and {written / 1024:.0f} KiB written")

    async def host_killed():
        before = len(world.acknowledged)
        working = asyncio.create_task(world.load([one, two], 4))
        await asyncio.sleep(1)
        one.process.kill()
        began = time.monotonic()
        await world.works(two)
        other = time.monotonic() - began
        await one.start()
        await world.works(one)
        back = time.monotonic() - began
        await working
        return (f"the other host stored the next event after {other:.2f} s, the killed host after {back:.1f} s; "
                f"{len(world.acknowledged) - before} events acknowledged in this time; {await world.judge()}")

    async def no_majority():
        await world.stop_two_servers()
        statuses = await asyncio.gather(*(world.deliver(host, world.key()) for host in (one, two) for _ in range(4)))
        assert 200 not in statuses, statuses
        seconds = await world.start_two_servers()
        return f"statuses {sorted(set(statuses))}; next event {seconds:.1f} s after the restart; {await world.judge()}"

    async def missing():
        await world.streams.delete_key_value(BUCKET)
        assert await world.deliver(one, "evt-nowhere") == 503
        return "503"

    await step("An event delivered to both hosts is stored once; a wrong secret gets 401", both())
    await step("200 events, each delivered to both hosts at once", at_once())
    await step("Different events race under one key, on both hosts", racing())
    await step("The bucket has three replicas", world.copies())
    await step("Events stored per second", rates())
    await step("A host killed under load and restarted", host_killed())
    await step("A NATS server killed under load", world.killed(lambda: world.servers[1:2], 3, [one]))
    await step("The bucket's leader killed under load", world.killed_leader())
    await step("All NATS servers killed under load and restarted", world.killed(lambda: world.servers, 0, [one, two]))
    await step("Two of three NATS servers down: nothing is acknowledged", no_majority())
    await step("A NATS server restores its lost disk from the others", world.lose_a_disk())
    memory = world.memory()
    kept = sum(one.startswith("event.") for one in await world.bucket.keys())
    each = (await world.streams.stream_info(f"KV_{BUCKET}")).state.bytes / kept
    print(f"  {memory}; {each:.0f} bytes per event in each replica of the bucket")
    await step("A missing bucket is not created", missing())
