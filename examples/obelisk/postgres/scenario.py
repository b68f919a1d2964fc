"""The scenario: each step is checked by the service's ledger and the engine's executions. Exit code 0: as promised."""

import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import time

from cluster import World, fetch, until

MESSAGING = "messaging:integration/messaging@0.2.0"
ONCE = "messaging:integration/once@0.2.0"
ORDERS = "example:orders/orders@0.1.0"
NEVER_ANSWERED = "+99900002002"
KEYS, KILLS = 60, 12


def passed(step, *said):
    print(f"✓ {step}", *(f"    {line}" for line in said), sep="\n", flush=True)


def expect(what, wanted, found):
    if wanted != found:
        raise SystemExit(f"✗ {what}: expected {wanted}, found {found}")


def request(phone):
    return {"phone": phone, "message": "Your order is ready.", "device": None, "fields": []}


def orders_on_both(world):
    phones = [f"+346000001{number:02}" for number in range(20)]
    began = time.monotonic()
    executions = [
        world.engines[number % 2].submit(f"{ORDERS}.order-ready", [
            {"order": str(number), "phone": phone, "template": "order_ready", "language": "en"},
        ])
        for number, phone in enumerate(phones)
    ]
    for execution in executions:
        expect("the outcome", "ok", world.result(execution)[0])
    seconds = time.monotonic() - began
    expect("messages", {phone: 1 for phone in phones}, {phone: count for phone, count in world.messages().items() if phone in phones})
    executors = {str(one.get("executor_id")) for execution in executions for one in world.attempts(execution)}
    if len(executors) < 2:
        raise SystemExit(f"✗ one server did all of it: {executors}")
    passed("Orders are worked on by both servers", f"20 orders in {seconds:.1f} s: 20 messages, {len(executors)} executors")


def an_event_once(world):
    phone = "+34600000005"
    for engine in world.engines * 2:
        status, _ = fetch("POST", engine.webhook, {"id": "in-1", "object": "message", "event": "message:in:new", "from": phone, "message": "Ready?"},
                          {"X-Idempotency-Key": "evt-1"})
        expect("the status", 200, status)
    until("the confirmation", lambda: phone in world.messages())
    time.sleep(3)
    expect("confirmations", 1, world.messages()[phone])
    passed("An event that is delivered to both is processed once", "4 deliveries answered 200, 1 confirmation")


def interrupted(world, function, params, how):
    """Begins a send whose answer never comes, and ends its server in the middle of it; outcome and messages."""
    before = world.messages().get(NEVER_ANSWERED, 0)
    execution = world.engines[0].submit(function, params)
    until("the message", lambda: world.messages().get(NEVER_ANSWERED, 0) > before)
    server = until("the connection", world.sender)
    server.process.stop(how)
    began = time.monotonic()
    case, _ = world.result(execution)
    seconds, attempts = time.monotonic() - began, len(world.attempts(execution))
    # A repetition may come later, and would be a message as well.
    time.sleep(5)
    server.start()
    return case, world.messages()[NEVER_ANSWERED] - before, attempts, seconds


def plain_sends(world):
    for name, how in [("killed", signal.SIGKILL), ("stopped by SIGTERM", signal.SIGTERM)]:
        case, messages, attempts, seconds = interrupted(world, f"{MESSAGING}.send-message", [request(NEVER_ANSWERED)], how)
        if how == signal.SIGKILL:
            expect("messages", 1, messages)
        passed(f"send-message with max_retries = 0, its server {name} in the middle",
               f"{messages} message{'s' * (messages > 1)}, {attempts} attempts, {case} after {seconds:.1f} s")


def repeated_sends(world):
    for number, (name, how) in enumerate([("killed", signal.SIGKILL), ("stopped by SIGTERM", signal.SIGTERM)]):
        key = f"order-{number}-ready"
        case, messages, attempts, seconds = interrupted(world, f"{ONCE}.send-once", [key, request(NEVER_ANSWERED)], how)
        expect("messages", 1, messages)
        expect("the outcome", "permanent_outcome_unknown", case)
        passed(f"send-once with max_retries = 5, its server {name} in the middle",
               f"1 message, {attempts} attempts, {case} after {seconds:.1f} s")
        said = world.sent("resolve", key, "--created", world.ledger()["messages"][-1]["id"], "--by", "Ada", "--reason", "seen in the inbox")
        expect("resolve", 0, said.returncode)
        case, said = world.result(world.running().submit(f"{ONCE}.send-once", [key, request(NEVER_ANSWERED)]))
        expect("after a person has looked", ("ok", True), (case, said["ok"]["replayed"]))
        expect("messages", number + 1, sum(1 for one in world.ledger()["messages"] if one["phone"] == NEVER_ANSWERED) - world.before)
    passed("A person who has looked says so, and the same call has its answer", "messaging sent resolve: replayed, no request")


def kills(world, chance):
    phones = {f"order-{number}-sent": f"+346000002{number:02}" for number in range(KEYS)}
    executions, counts = {}, {"SIGKILL": 0, "SIGTERM": 0, "both": 0}
    keys = [key for key in phones for _ in range(2)]
    chance.shuffle(keys)
    began = time.monotonic()
    for count in range(KILLS):
        for key in keys[count * len(keys) // KILLS:(count + 1) * len(keys) // KILLS]:
            execution = submitted(world, key, phones[key])
            executions[execution] = key
        # In mid-send where there is one: keys that have been sent need none.
        end, sender = time.monotonic() + 3, None
        while not sender and time.monotonic() < end:
            sender = world.sender()
        sender = sender or chance.choice(world.engines)
        time.sleep(chance.uniform(0, 0.3))
        how = chance.choice([signal.SIGKILL, signal.SIGTERM])
        ended = world.engines if count % 4 == 3 else [sender]
        for engine in ended:
            engine.process.stop(how)
        counts["both" if len(ended) > 1 else how.name] += 1
        for engine in ended:
            engine.start()
    ends = {execution: world.result(execution, 240)[0] for execution in executions}
    seconds, messages = time.monotonic() - began, world.messages()
    by_key = {}
    for execution, key in executions.items():
        by_key.setdefault(key, set()).add(ends[execution])
    twice = [key for key, phone in phones.items() if messages.get(phone, 0) > 1]
    expect("keys with two messages", [], twice)
    false = [key for key, cases in by_key.items() if "ok" in cases and messages.get(phones[key], 0) != 1]
    expect("keys that were answered, and have no message", [], false)
    unknown = [key for key, cases in by_key.items() if "ok" not in cases]
    existing = sum(messages.get(phones[key], 0) for key in unknown)
    cases = sorted({case for key in unknown for case in by_key[key]})
    passed(f"{KEYS} keys, each submitted twice, while servers are ended {KILLS} times: " + ", ".join(f"{name} {count}" for name, count in counts.items()),
           f"0 keys with two messages, {KEYS - len(unknown)} answered, {len(unknown)} unknown, of which {existing} exist; {seconds:.0f} s",
           *([f"ends of the unknown: {', '.join(cases)}"] if cases else []))


def submitted(world, key, phone):
    """Begins an execution, by whichever server takes it."""
    def take():
        for engine in world.engines:
            try:
                return engine.submit(f"{ONCE}.send-once", [key, request(phone)])
            except OSError:
                continue
        return None
    return until(f"somebody takes {key}", take)


def secrets_are_nowhere(world):
    for engine in world.engines:
        engine.process.stop()
    # The simulated service shows its key: whoever starts it gave it.
    logs = [one for one in world.folder.glob("*.log") if one != world.simulated.log]
    searched = [*logs, world.sockets / "data"]
    found = subprocess.run(["grep", "-rl", "--binary-files=text", "-F", "+34600000100", *map(str, searched)], capture_output=True, text=True, check=False)
    if not found.stdout:
        raise SystemExit("✗ the search does not find what is known to be in the database")
    patterns = [part for one in (world.key, world.journal_token, world.engine_token, world.path_secret) for part in ("-e", one)]
    found = subprocess.run(["grep", "-rl", "--binary-files=text", "-F", *patterns, *map(str, searched)], capture_output=True, text=True, check=False)
    expect("files with a key, a token or the webhook's secret", "", found.stdout)
    passed("The key, the tokens and the webhook's secret are in no database and no log")


def main():
    chance = random.Random(int(os.environ.get("SEED", secrets.randbelow(1 << 32))))
    world, began = World(), time.monotonic()
    try:
        first, second = world.engines
        first.start("deployment.toml")
        second.start()
        print(f"obelisk 0.41.5, two servers on PostgreSQL, ready after {time.monotonic() - began:.1f} s\n", flush=True)
        orders_on_both(world)
        an_event_once(world)
        plain_sends(world)
        world.before = world.messages()[NEVER_ANSWERED]
        repeated_sends(world)
        kills(world, chance)
        secrets_are_nowhere(world)
        print(f"\nas promised in {time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}")
    except BaseException:
        print(f"logs: {world.folder}", file=sys.stderr)
        raise
    finally:
        world.stop()
    shutil.rmtree(world.folder)


main()
