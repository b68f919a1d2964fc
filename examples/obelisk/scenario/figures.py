"""Measures sends per second, memory, and the time until a killed server works again."""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor

from processes import expect, until
from promises import MESSAGING, ONCE, request

SECONDS = 10
LISTS = f"{MESSAGING}.list-templates"
QUERY = {"status": None, "parameters": [], "every_page": None}


def sends_a_second(world):
    """Sends per second, and resident memory"""
    world.deploy("deployment.toml")
    world.start_service(latency_ms=0)
    numbers, said = itertools.count(), []
    for name, function in [("send-message", f"{MESSAGING}.send-message"), ("send-once", f"{ONCE}.send-once")]:
        rates = [f"{rate(world, function, at_once, numbers):.0f} with {at_once} at once" for at_once in (1, 64)]
        said.append(f"{name}: {', '.join(rates)}")
    for engine in world.engines:
        now, most = engine.memory()
        said.append(f"server {engine.name}: {now:.0f} MiB resident, {most:.0f} at most")
    return said


def rate(world, function, at_once, numbers):
    """Keeps `at_once` sends in flight, each with a new key and recipient. Returns the number of sends that end per second."""
    before, began, waiting, count = sum(world.messages().values()), time.monotonic(), set(), 0
    while waiting or time.monotonic() < began + SECONDS:
        while len(waiting) < at_once and time.monotonic() < began + SECONDS:
            number = next(numbers)
            params = [request(f"+34700{number:06}")]
            waiting.add(world.submit(function, [f"figure-{number}", *params] if function.startswith(ONCE) else params))
        ended = waiting - {one["execution_id"] for one in world.executions(function, hide_finished=True)}
        count += len(ended)
        waiting -= ended
        time.sleep(0.005)
    seconds = time.monotonic() - began
    expect("messages", count, sum(world.messages().values()) - before)
    return count / seconds


def a_killed_server_works_again(world):
    """A server works again after kill -9"""
    again, other = [], []

    def answers(server, killed):
        execution = server.submit(LISTS, [QUERY])
        until("the end of a call of list-templates", lambda: server.ask(f"executions/{execution}")[0] == 200)
        return time.monotonic() - killed

    for engine in world.engines * (6 // len(world.engines)):
        engine.stop()
        killed = time.monotonic()
        with ThreadPoolExecutor() as pool:
            others = [pool.submit(answers, running, killed) for running in world.running()]
            engine.start()
            again.append(answers(engine, killed))
            other += [one.result() for one in others]
    said = [f"{min(again):.1f} to {max(again):.1f} s after {len(again)} kills, a call of list-templates has ended"]
    if other:
        said.append(f"{min(other):.1f} to {max(other):.1f} s after the kill, a call of the other server has ended")
    return said


STEPS = [sends_a_second, a_killed_server_works_again]
