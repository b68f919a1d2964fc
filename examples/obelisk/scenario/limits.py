"""Demonstrates the limits of the engine that the README lists and the deployment avoids."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor, wait

from processes import Failed, expect, until
from promises import MESSAGING, NEVER_ANSWERED, interrupted, request
from world import replaced

SEND = f"{MESSAGING}.send-message"


def a_graceful_stop_sends_again(world):
    """With max_retries = 0, SIGTERM during a send creates a second message"""
    case, _, attempts, messages = interrupted(world, SEND, [request(NEVER_ANSWERED)], signal.SIGTERM)
    expect("the outcome", "permanent_outcome_unknown", case)
    expect("messages", 2, messages)
    return [f"2 messages, {attempts} attempts; use SIGKILL or send-once instead"]


def a_new_deployment_sends_again(world):
    """With max_retries = 0, a new deployment during a send creates a second message"""
    before = world.created(NEVER_ANSWERED)
    execution = world.submit(SEND, [request(NEVER_ANSWERED)])
    until("the message", lambda: world.created(NEVER_ANSWERED) > before)
    until("the connection", world.sender).command("deployment", "apply", world.deployments / "deployment.toml")
    world.ends(execution, "permanent_outcome_unknown")
    expect("messages", 2, world.created(NEVER_ANSWERED) - before)
    return ["2 messages; stop with SIGKILL and start with the new deployment instead"]


def with_retries_a_crash_sends_again(world):
    """With max_retries = 4, SIGKILL during a send creates a second message"""
    world.deploy("retries.toml")
    _, _, attempts, messages = interrupted(world, SEND, [request(NEVER_ANSWERED)], signal.SIGKILL)
    expect("messages", 2, messages)
    return [f"2 messages, {attempts} attempts; max_retries = 0 in deployment.toml prevents it"]


def a_log_at_level_debug_holds_the_key(world):
    """A log at level debug contains the API key"""
    world.kill_engines()
    for engine in world.engines:
        engine.config.write_text(engine.config.read_text() + '\n[log.console]\nlevel = "debug"\n')
    world.start_engines()
    world.ends(world.submit(SEND, [request("+34600000001")]), "ok")
    if not any(world.key in engine.log.read_text(errors="replace") for engine in world.engines):
        raise Failed("no log contains the API key")
    return ["at level debug, the engine logs the headers of each request; at its default level, info, it does not"]


def deliveries_at_once_stand_still(world):
    """Without global_webhook_instance_limiter, deliveries block each other if they outnumber the PostgreSQL connections"""
    world.kill_engines()
    for engine in world.engines:
        engine.config.write_text(replaced(engine.config.read_text(), "wasm.global_webhook_instance_limiter", "# wasm.global_webhook_instance_limiter"))
    world.start_engines()
    servers = world.engines * 4 * os.cpu_count()
    count, seconds = len(servers), 20
    with ThreadPoolExecutor(count) as pool:
        deliveries = [pool.submit(server.deliver, f"evt-{number}", "+34600000005") for number, server in enumerate(servers)]
        waiting = wait(deliveries, seconds).not_done
        # Stops the servers, which ends the waiting deliveries.
        world.kill_engines()
    if not waiting:
        raise Failed(f"all {count} deliveries were answered")
    return [f"{len(waiting)} of {count} unanswered after {seconds} s; with server.toml, deliveries above 2 at once get 429"]


STEPS = [
    a_graceful_stop_sends_again,
    a_new_deployment_sends_again,
    with_retries_a_crash_sends_again,
    a_log_at_level_debug_holds_the_key,
]
POSTGRES_STEPS = [deliveries_at_once_stand_still]
