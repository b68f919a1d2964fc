"""`send-once` on two wasmCloud hosts with a journal on three NATS servers, while hosts and servers are killed.

Callers repeat each call until they get an answer. The ledger of the simulated service shows that no key has two
messages and that each answer is true.
"""

import asyncio
import json
import os
import random
import sys
import time
import urllib.request
from collections import Counter
from pathlib import Path

from cluster import HERE, Component, Process, World, free_ports, on_wasmcloud_keyvalue, serves, step, until

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", HERE / "../../../target"))
PROGRAM = Path(os.environ.get("MESSAGING", TARGET / "debug/messaging")).resolve()
SENDER = TARGET / "wasm32-wasip2/release/wasmcloud_sender.wasm"
NAME = "sender.example.com"
BUCKET = "messaging-sent"
API_KEY = "only-the-secret-store-knows"
CUSTOMER = "+34 600 111 222"
UNKNOWN = "unknown"
# Latency of the service. Without it, killed hosts would have no requests in flight.
LATENCY_MS = 20
DEADLINE_MS = 3_000


def interfaces(url):
    return [serves(NAME, "client"), on_wasmcloud_keyvalue(url, "store", "cas")]


COMPONENT = Component("messaging_plugin_once_wasmcloud", interfaces, "nats.conf", None, BUCKET)


class Sender(World):
    """A sending component, the plugin with `send-once`, and the answers to callers."""

    def __init__(self):
        # The message ID of each key, or `UNKNOWN`.
        self.outcomes = {}
        self.repeated = 0

    async def start(self, folder, component):
        [port] = free_ports(1)
        self.service = f"http://127.0.0.1:{port}"
        Process(folder / "service.log", PROGRAM, "service", "--listen", f"127.0.0.1:{port}", "--key", API_KEY,
                "--latency-ms", LATENCY_MS).start()
        await super().start(folder, component)

    def files(self):
        return [SENDER, self.component.file]

    def workload(self):
        environment = {
            "MESSAGING_BASE_URL": self.service, "MESSAGING_API_KEY": API_KEY,
            "MESSAGING_DEADLINE_MS": str(DEADLINE_MS), "MESSAGING_ONCE_BUCKET": BUCKET,
        }
        return [
            {"name": "sender", "image": self.image(SENDER), "localResources": {"allowedHosts": []}},
            {"name": "messaging", "image": self.image(self.component.file),
             "localResources": {"allowedHosts": [self.service], "environment": environment}},
        ]

    def ledger(self):
        with urllib.request.urlopen(f"{self.service}/_simulator/ledger", timeout=10) as answer:
            return json.load(answer)["messages"]

    async def send(self, host, key):
        """Makes one call. Returns status and outcome."""
        headers = {"Host": NAME, "X-Key": key, "X-Phone": CUSTOMER, "X-Message": f"About {key}"}
        status, answered = await self.call(lambda: host.post(headers))
        return status, answered.get("x-outcome", "")

    async def answered(self, key, *hosts):
        """Calls these hosts in turn until a host returns the outcome of the key."""
        calls = 0
        while True:
            status, outcome = await self.send(hosts[calls % len(hosts)], key)
            calls += 1
            if status in (200, 409):
                break
            # 404: the host has restarted, but has no workload yet.
            assert status in (0, 404, 500, 503), (status, outcome)
            await asyncio.sleep(0.1)
        self.repeated += calls > 1
        assert status == 200 or outcome.startswith("OnceError::PermanentOutcomeUnknown"), outcome
        message_id = outcome.split()[0] if status == 200 else UNKNOWN
        # After `UNKNOWN`, a later answer can contain a message, because the lost sender can return and record its outcome.
        before = self.outcomes.setdefault(key, message_id)
        assert before in (message_id, UNKNOWN) or message_id == UNKNOWN, (key, before, message_id)
        if message_id != UNKNOWN:
            self.outcomes[key] = message_id
        return message_id

    def key(self):
        self.count += 1
        return f"Order/{self.count}"

    async def works(self, *hosts):
        """Returns the seconds until each of these hosts has sent a message."""
        began = time.monotonic()
        for host in hosts or self.hosts:
            async def sent(host=host):
                return (await self.send(host, self.key()))[0] == 200

            await until(f"{host.name} sends", sent)
        return time.monotonic() - began

    async def lanes(self, at_once, hosts, seconds=None, count=None, callers=1):
        """Sends new keys, each with this number of concurrent callers. Returns the keys per second."""
        began, made = time.monotonic(), 0

        async def lane():
            nonlocal made
            while (made < count) if count else (time.monotonic() - began < seconds):
                made += 1
                key, turned = self.key(), [hosts[(made + first) % len(hosts):] + hosts[:(made + first) % len(hosts)] for first in range(callers)]
                await asyncio.gather(*(self.answered(key, *hosts) for hosts in turned))

        await asyncio.gather(*(lane() for _ in range(at_once)))
        return made / (time.monotonic() - began)

    async def load(self, hosts, seconds):
        await self.lanes(8, hosts, seconds=seconds, callers=2)

    async def judge(self):
        messages = self.ledger()
        of = {message["message"]: message["id"] for message in messages}
        twice = [text for text, count in Counter(message["message"] for message in messages).items() if count > 1]
        assert not twice, f"sent twice: {twice[:5]}"
        false = [key for key, message_id in self.outcomes.items() if message_id not in (UNKNOWN, of.get(f"About {key}"))]
        assert not false, f"answers with a wrong message: {false[:5]}"
        unknown = [key for key, message_id in self.outcomes.items() if message_id == UNKNOWN]
        exist = sum(f"About {key}" in of for key in unknown)
        return (f"{len(self.outcomes)} keys answered, 0 with two messages, {len(unknown)} unknown ({exist} with a message); "
                f"{self.repeated} callers repeated their call")


async def scenario(world):
    one, two = world.hosts

    async def both():
        first, *again = [await world.send(host, "Order/first") for host in (one, two, one)]
        assert first[0] == 200 and first[1].endswith("replayed=false"), first
        assert [outcome for _, outcome in again] == [first[1].replace("false", "true")] * 2, again
        assert len(world.ledger()) == 1
        status, outcome = await world.send(one, "")
        assert status == 409 and "PermanentInvalidInput" in outcome, outcome
        return first[1]

    async def at_once():
        keys = [world.key() for _ in range(200)]
        await asyncio.gather(*(world.answered(key, host) for key in keys for host in (one, two)))
        assert UNKNOWN not in world.outcomes.values()
        return await world.judge()

    async def rates():
        seen = [f"{await world.lanes(lanes, [one], count=200):.0f} with {lanes} at once" for lanes in (1, 16, 64)]
        seen.append(f"on both hosts {await world.lanes(64, [one, two], count=200):.0f}")
        return ", ".join(seen)

    async def hosts_killed(kills):
        done, chance = 0, random.Random(kills)

        async def killer(host):
            nonlocal done
            while done < kills:
                await asyncio.sleep(chance.uniform(0.1, 2))
                host.process.kill()
                done += 1
                if done % 100 == 0:
                    print(f"  {done} of {kills} kills; {await world.judge()}", file=sys.stderr, flush=True)
                await host.start()

        killing = asyncio.gather(killer(one), killer(two))
        while not killing.done():
            await world.lanes(16, [one, two], seconds=3, callers=3)
        await killing
        return f"{done} times; {await world.judge()}"

    async def no_majority():
        await world.stop_two_servers()
        before, keys = len(world.ledger()), [world.key() for _ in range(8)]
        answers = await asyncio.gather(*(world.send(host, key) for key in keys for host in (one, two)))
        statuses = sorted({status for status, _ in answers})
        assert 200 not in statuses, answers
        assert len(world.ledger()) == before, "sent without a majority"
        seconds = await world.start_two_servers()
        await asyncio.gather(*(world.answered(key, one, two) for key in keys))
        return f"statuses {statuses}, no message; next message {seconds:.1f} s after the restart; {await world.judge()}"

    async def missing():
        before = len(world.ledger())
        await world.streams.delete_key_value(BUCKET)
        status, outcome = await world.send(one, world.key())
        assert status != 200 and len(world.ledger()) == before, (status, outcome)
        return f"{status}, {outcome}"

    await step("Two hosts send a key once; an invalid key is rejected", both())
    await step("200 keys, each sent by both hosts at once", at_once())
    await step("The bucket has three replicas", world.copies())
    await step("Messages per second", rates())
    await step("Hosts killed under load", hosts_killed(int(os.environ.get("KILLS", "16"))))
    await step("A NATS server killed under load", world.killed(lambda: world.servers[1:2], 3, [one]))
    await step("The bucket's leader killed under load", world.killed_leader())
    await step("All NATS servers killed under load and restarted", world.killed(lambda: world.servers, 0, [one, two]))
    await step("Two of three NATS servers down", no_majority())
    await step("A NATS server restores its lost disk from the others", world.lose_a_disk())
    kept = len(await world.bucket.keys())
    each = (await world.streams.stream_info(f"KV_{BUCKET}")).state.bytes / kept
    print(f"  {world.memory()}; {each:.0f} bytes per key in each replica of the bucket")
    await step("A missing bucket is not created, and nothing is sent", missing())
