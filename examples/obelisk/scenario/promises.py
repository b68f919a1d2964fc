"""The steps that check the guarantees. Each recipient belongs to one step, unless a comment says otherwise."""

import json
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from processes import Failed, expect, fetch, until

MESSAGING = "messaging:integration/messaging@0.2.0"
ONCE = "messaging:integration/once@0.2.0"
INBOX = "messaging:integration/inbox@0.2.0"
ORDERS = "example:orders/orders@0.1.0"
RECEIVED = f"{ORDERS}.event-received"
# Recipient of a message that the service creates without a reply. Several steps use it, and count only their messages.
NEVER_ANSWERED = "+99900002002"
# Maximum time for which an activity stays locked after its server was killed.
LOCK_SECONDS = 8
KEYS, KILLS = 60, 12


def notice(phone, template="order_ready", language="en"):
    return {"order": "4711", "phone": phone, "template": template, "language": language}


def request(phone):
    return {"phone": phone, "message": "Your order is ready.", "device": None, "fields": []}


def expect_at_service(world, phone, requests, messages):
    expect(f"requests for {phone}", requests, world.requests(phone))
    expect(f"messages for {phone}", messages, world.created(phone))


# --- orders ------------------------------------------------------------------------


def an_order_is_ready(world):
    """A workflow tells a customer that the order is ready"""
    phone = "+34600000001"
    execution = world.submit(f"{ORDERS}.order-ready", [notice(phone)])
    sent = world.ends(execution, "ok")["ok"]
    expect("the message", [sent["message_id"]], [one["id"] for one in world.ledger()["messages"] if one["phone"] == phone])
    expect("the template", "order_ready", json.loads(sent["template"])["name"])
    expect_at_service(world, phone, 1, 1)
    for function in ("list-templates", "send-message"):
        expect(f"executions of {function}", 1, len(world.executions(f"{MESSAGING}.{function}", execution)))
    return ["the template is approved; 1 request, 1 message", f"the workflow is {execution}, its activities are {execution}.o:…"]


def orders_are_shared(world):
    """Every server processes orders"""
    phones = [f"+346000001{number:02}" for number in range(20)]
    began = time.monotonic()
    executions = [world.submit(f"{ORDERS}.order-ready", [notice(phone)]) for phone in phones]
    for execution in executions:
        world.ends(execution, "ok")
    seconds = time.monotonic() - began
    expect("messages", dict.fromkeys(phones, 1), {phone: world.created(phone) for phone in phones})
    executors = {one for execution in executions for one in world.attempts(execution)}
    expect("executors of the workflow", len(world.engines), len(executors))
    return [f"20 orders in {seconds:.1f} s: 20 messages, {len(executors)} executor{'s' * (len(executors) > 1)}"]


def without_an_approved_template_nothing_is_sent(world):
    """An order without an approved template sends nothing"""
    phone = "+34600000002"
    execution = world.submit(f"{ORDERS}.order-ready", [notice(phone, "appointment", "es")])
    world.ends(execution, "no_approved_template")
    expect("executions of send-message", 0, len(world.executions(f"{MESSAGING}.send-message", execution)))
    expect_at_service(world, phone, 0, 0)
    return ["appointment (es) is pending: no request"]


def one_execution_id_is_one_message(world):
    """An order submitted four times at once under one execution ID creates one message"""
    phone, execution = "+34600000003", world.running()[0].ask("execution-id")[1]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: world.submit(f"{ORDERS}.order-ready", [notice(phone)], execution), range(4)))
    world.ends(execution, "ok")
    expect_at_service(world, phone, 1, 1)
    return ["1 request, 1 message"]


def a_refusal_is_final(world):
    """A rejected message is not sent again"""
    for phone in ("+99900000400", "+99900000401"):
        execution = world.submit(f"{ORDERS}.order-ready", [notice(phone)])
        world.ends(execution, "not_sent")
        expect_at_service(world, phone, 1, 0)
        expect("executions of send-message", 1, len(world.executions(f"{MESSAGING}.send-message", execution)))
    return ["status 400: 1 request", "status 401: 1 request"]


def an_unknown_outcome_is_not_repeated(world):
    """After a connection breaks before the reply, the send is not repeated"""
    phone = "+99900002000"
    world.ends(world.submit(f"{ORDERS}.order-ready", [notice(phone)]), "outcome_unknown")
    expect_at_service(world, phone, 1, 1)
    return ["outcome_unknown: 1 request, 1 message"]


def a_service_that_is_down_is_waited_for(world):
    """A workflow waits for a stopped service, even if all servers of the engine are killed"""
    phone, lists = "+34600000004", f"{MESSAGING}.list-templates"
    world.simulated.stop()
    execution = world.submit(f"{ORDERS}.order-ready", [notice(phone)])
    until("a first failure", lambda: any(one["pending_state"]["status"] == "finished" for one in world.executions(lists, execution)))
    world.kill_engines()
    world.start_engines()
    world.start_service()
    world.ends(execution, "ok")
    calls = len(world.executions(lists, execution))
    if calls < 2:
        raise Failed(f"executions of list-templates: expected more than 1, found {calls}")
    expect_at_service(world, phone, 1, 1)
    return [f"all servers were killed during the wait; {calls} calls of list-templates, then 1 message"]


# --- servers that end during a send ------------------------------------------------


def interrupted(world, function, params, how):
    """Starts a send that gets no reply, and stops the server that runs it. Returns case, seconds, attempts and messages."""
    before = world.created(NEVER_ANSWERED)
    execution = world.submit(function, params)
    until("the message", lambda: world.created(NEVER_ANSWERED) > before)
    server = until("the connection", world.sender)
    server.stop(how)
    began = time.monotonic()
    if not world.running():
        server.start()
    case, _ = world.result(execution)
    seconds = time.monotonic() - began
    # Waits, because a late retry would create another message.
    time.sleep(5)
    world.start_engines()
    return case, seconds, len(world.attempts(execution)), world.created(NEVER_ANSWERED) - before


def a_workflow_killed_in_mid_send_does_not_send_again(world):
    """SIGKILL during a send of a workflow creates no second message"""
    case, seconds, _, messages = interrupted(world, f"{ORDERS}.order-ready", [notice(NEVER_ANSWERED)], signal.SIGKILL)
    expect("the outcome", "outcome_unknown", case)
    expect("messages", 1, messages)
    return [f"outcome_unknown after {seconds:.1f} s, 1 message"]


def a_send_killed_in_the_middle_does_not_send_again(world):
    """With max_retries = 0, SIGKILL during send-message creates no second message"""
    case, seconds, attempts, messages = interrupted(world, f"{MESSAGING}.send-message", [request(NEVER_ANSWERED)], signal.SIGKILL)
    expect("the outcome", "execution_failed", case)
    expect("attempts", 1, attempts)
    expect("messages", 1, messages)
    return [f"execution_failed after {seconds:.1f} s, 1 attempt, 1 message"]


def a_repeated_send_is_one_message(world):
    """With max_retries = 5, an interrupted send-once creates one message, whose outcome an operator resolves"""
    said = []
    for name, how in [("killed", signal.SIGKILL), ("stopped by SIGTERM", signal.SIGTERM)]:
        key, before = f"order-{how.name}-ready", world.created(NEVER_ANSWERED)
        params = [key, request(NEVER_ANSWERED)]
        case, seconds, attempts, messages = interrupted(world, f"{ONCE}.send-once", params, how)
        expect("the outcome", "permanent_outcome_unknown", case)
        expect("messages", 1, messages)
        if attempts < 2:
            raise Failed(f"attempts: expected more than 1, found {attempts}")
        said.append(f"{name}: permanent_outcome_unknown after {seconds:.1f} s, {attempts} attempts, 1 message")
        created = next(one["id"] for one in reversed(world.ledger()["messages"]) if one["phone"] == NEVER_ANSWERED)
        world.sent("resolve", key, "--created", created, "--by", "Ada", "--reason", "seen in the inbox")
        answer = world.ends(world.submit(f"{ONCE}.send-once", params), "ok")["ok"]
        expect("the answer after the resolution", (created, True), (answer["id"], answer["replayed"]))
        expect("messages", 1, world.created(NEVER_ANSWERED) - before)
    return [*said, "after messaging sent resolve, the call returns the message without a request"]


def no_key_has_two_messages(world):
    """Killed and stopped servers create at most one message per key of send-once"""
    chance = world.chance
    phones = {f"order-{number}-sent": f"+346000002{number:02}" for number in range(KEYS)}
    keys = list(phones) * 2
    chance.shuffle(keys)
    executions, counts, began = {}, {}, time.monotonic()
    for number in range(KILLS):
        for key in keys[number * len(keys) // KILLS:(number + 1) * len(keys) // KILLS]:
            executions[world.submit(f"{ONCE}.send-once", [key, request(phones[key])])] = key
        # Waits up to 3 s for a send, because keys that were sent before need no request.
        end, sender = time.monotonic() + 3, None
        while not sender and time.monotonic() < end:
            sender = world.sender()
        time.sleep(chance.uniform(0, 0.3))
        how = chance.choice([signal.SIGKILL, signal.SIGTERM])
        everyone = number % 4 == 3 and len(world.engines) > 1
        for engine in world.engines if everyone else [sender or chance.choice(world.engines)]:
            engine.stop(how)
        kind = f"{how.name} to both" if everyone else how.name
        counts[kind] = counts.get(kind, 0) + 1
        world.start_engines()
    cases = {key: set() for key in phones}
    for execution, key in executions.items():
        cases[key].add(world.result(execution, 240)[0])
    seconds, messages = time.monotonic() - began, world.messages()
    found = {key: messages.get(phone, 0) for key, phone in phones.items()}
    expect("keys with two messages", [], [key for key in phones if found[key] > 1])
    expect("answered keys without a message", [], [key for key in phones if "ok" in cases[key] and not found[key]])
    unknown = [key for key in phones if "ok" not in cases[key]]
    expect("other outcomes", set(), {case for key in unknown for case in cases[key]} - {"permanent_outcome_unknown"})
    if len(unknown) == KEYS:
        raise Failed("no key was answered")
    return [
        f"{KEYS} keys, {KILLS} stops: " + ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())),
        f"{KEYS - len(unknown)} answered, {len(unknown)} unknown, of which {sum(found[key] for key in unknown)} exist; {seconds:.0f} s",
    ]


# --- events ------------------------------------------------------------------------


def delivered(engine, key, phone, text="Is it ready?"):
    """Delivers to one server. Repeats the delivery while the server has too many deliveries."""
    def look():
        status = engine.deliver(key, phone, text)
        if status not in (200, 429):
            raise Failed(f"the status of {key}: expected 200, found {status}")
        return status == 200
    until(f"a delivery of {key}", look)


def taken(world, key, phone):
    """Repeats a delivery, to the servers in turn, until a server answers 200."""
    return until(f"a delivery of {key}", lambda: next(world.turns).deliver(key, phone) == 200)


def an_event_is_processed_once(world):
    """An event is processed once, with any number of deliveries to any servers"""
    phone, interrupted_phone, before = "+34600000005", "+34600000009", len(world.executions(RECEIVED))
    world.service_delivers("evt-1", phone)
    for engine in world.engines * 3:
        delivered(engine, "evt-1", phone)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: taken(world, "evt-2", phone), range(8)))
    # Waits for the confirmations, because a killed send is not repeated.
    until("the confirmations", lambda: not world.executions(RECEIVED, hide_finished=True))
    for server in world.engines:
        server.stop()
        for engine in world.running():
            delivered(engine, "evt-1", phone)
        server.start()
        delivered(server, "evt-1", phone)
    with ThreadPoolExecutor(8) as pool:
        deliveries = [pool.submit(taken, world, "evt-3", interrupted_phone) for _ in range(8)]
        time.sleep(world.chance.uniform(0, 0.1))
        world.kill_engines()
        deliveries.append(pool.submit(taken, world, "evt-4", phone))
        world.start_engines()
        for one in deliveries:
            one.result()
    for key, sender in [("evt-2", phone), ("evt-3", interrupted_phone), ("evt-4", phone)]:
        for engine in world.engines:
            delivered(engine, key, sender)
    expect("executions of event-received", 4, len(world.executions(RECEIVED)) - before)
    until("the confirmations", lambda: not world.executions(RECEIVED, hide_finished=True))
    expect_at_service(world, phone, 3, 3)
    confirmations = world.created(interrupted_phone)
    if confirmations > 1:
        raise Failed(f"confirmations of evt-3: expected 1 at most, found {confirmations}")
    return [
        "evt-1: delivered to each server, before and after each was killed",
        "evt-2: 8 deliveries at once; evt-3: 8 at once, while all servers were killed",
        "evt-4: delivered while all servers were down, until a server answered",
        f"{len(world.executions(f'{INBOX}.put'))} executions of the inbox, 4 of event-received, {3 + confirmations} confirmations",
    ]


def an_event_is_taken_while_the_engine_is_down(world):
    """messaging serve --forward accepts an event while the engine is down"""
    phone, before = "+34600000008", len(world.executions(RECEIVED))
    world.kill_engines()
    body = {"id": "in-5", "object": "message", "event": "message:in:new", "from": phone}
    for _ in range(2):
        expect("the status", 200, fetch("POST", world.receiver, body, {"X-Idempotency-Key": "evt-5"})[0])
    world.start_engines()
    until("the confirmation", lambda: world.created(phone))
    until("the end of the workflow", lambda: not world.executions(RECEIVED, hide_finished=True))
    expect("executions of event-received", 1, len(world.executions(RECEIVED)) - before)
    expect_at_service(world, phone, 1, 1)
    return ["2 deliveries while no server ran: 200; 1 execution, 1 confirmation"]


def a_second_event_under_the_same_key_waits_for_a_person(world):
    """A different event under a known key waits for an operator"""
    phone, before = "+34600000006", len(world.executions(RECEIVED))
    for engine in world.engines * 2:
        delivered(engine, "evt-1", phone, "Quite another message")
    expect("executions of event-received", 1, len(world.executions(RECEIVED)) - before)
    waiting = world.executions(RECEIVED, hide_finished=True)
    expect("the states", ["paused"], [one["pending_state"]["status"] for one in waiting])
    # Waits until every server has looked for work.
    time.sleep(3)
    expect_at_service(world, phone, 0, 0)
    world.engines[-1].command("execution", "unpause", waiting[0]["execution_id"])
    world.ends(waiting[0]["execution_id"], "ok")
    expect_at_service(world, phone, 1, 1)
    return [f"{len(world.engines) * 2} deliveries, 1 paused execution, no confirmation", "obelisk execution unpause: 1 confirmation"]


def a_delivery_without_the_secret_reaches_nothing(world):
    """A delivery without the secret starts no execution"""
    before = len(world.executions(f"{MESSAGING}.handle-event"))
    body = {"id": "in-9", "object": "message", "event": "message:in:new"}
    for engine in world.engines:
        url = engine.webhook.replace(world.path_secret, "a-guess-that-is-long-enough")
        expect("the status", 401, fetch("POST", url, body, {"X-Idempotency-Key": "evt-9"})[0])
        expect("the status without a token of the engine", 401, fetch("GET", f"{engine.api}/v1/functions")[0])
    expect("executions of handle-event", before, len(world.executions(f"{MESSAGING}.handle-event")))
    return ["401; no execution. The engine's web API without its token: 401"]


# --- with max_retries = 4 ----------------------------------------------------------


def the_engine_repeats_no_permanent_case(world):
    """With max_retries = 4, the engine does not retry after a case that begins with permanent"""
    world.deploy("retries.toml")
    world.start_service()
    cases = {"permanent_refused": "+99900000400", "permanent_unauthorized": "+99900000401", "permanent_outcome_unknown": "+99900002000"}
    for case, phone in cases.items():
        execution = world.submit(f"{MESSAGING}.send-message", [request(phone)])
        world.ends(execution, case)
        expect(f"attempts for {phone}", 1, len(world.attempts(execution)))
        expect_at_service(world, phone, 1, int(case == "permanent_outcome_unknown"))
    return ["permanent_refused, permanent_unauthorized: 1 attempt, 1 request", "permanent_outcome_unknown: 1 attempt, 1 request, 1 message"]


def the_engine_repeats_what_created_nothing(world):
    """With max_retries = 4, the engine retries calls that created no message"""
    limited, phone = "+99900000429", "+34600000007"
    execution = world.submit(f"{MESSAGING}.send-message", [request(limited)])
    world.ends(execution, "rate_limited")
    expect("attempts", 5, len(world.attempts(execution)))
    expect_at_service(world, limited, 5, 0)
    world.simulated.stop()
    execution = world.submit(f"{MESSAGING}.send-message", [request(phone)])
    until("a first failure", lambda: any(
        "temporarily_failed" in one["event"] for one in world.ask(f"executions/{execution}/events?length=100")["events"]))
    world.start_service()
    world.ends(execution, "ok")
    attempts = len(world.attempts(execution))
    expect_at_service(world, phone, 1, 1)
    return ["rate_limited: 5 attempts, 5 requests, no message", f"not_sent, the service was down: {attempts} attempts, 1 request, 1 message"]


# --- secrets -----------------------------------------------------------------------


def the_secrets_are_nowhere(world):
    """No database and no log contains the API key, the tokens or the webhook's secret"""
    world.kill_engines()
    world.database.dump(world.folder / "dump.sql")
    world.keeper.stop()

    def holders(*texts):
        patterns = [part for text in texts for part in ("-e", text)]
        # Excludes the log of the simulated service, which shows the API key.
        command = ["grep", "-rl", "--binary-files=text", "-F", *patterns, f"--exclude={world.simulated.log.name}", str(world.folder)]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        return {line.removeprefix(f"{world.folder}/") for line in found.stdout.splitlines()}

    # Proves that the search works: it finds a recipient in the database.
    database = str(world.database.folder.relative_to(world.folder))
    if not any(one.startswith(database) for one in holders("+34600000007")):
        raise Failed("the search does not find a recipient in the database")
    expect("files with a secret", set(), holders(world.key, world.journal_token, world.engine_token, world.path_secret))
    size = sum(one.stat().st_size for one in world.database.folder.rglob("*") if one.is_file())
    lines = sum(len(engine.log.read_bytes().splitlines()) for engine in world.engines)
    return [f"{size / 1024 / 1024:.0f} MiB of database and {lines} lines of the engine's log searched"]


STEPS = [
    an_order_is_ready,
    orders_are_shared,
    without_an_approved_template_nothing_is_sent,
    one_execution_id_is_one_message,
    a_refusal_is_final,
    an_unknown_outcome_is_not_repeated,
    a_service_that_is_down_is_waited_for,
    a_workflow_killed_in_mid_send_does_not_send_again,
    a_send_killed_in_the_middle_does_not_send_again,
    a_repeated_send_is_one_message,
    no_key_has_two_messages,
    an_event_is_processed_once,
    an_event_is_taken_while_the_engine_is_down,
    a_second_event_under_the_same_key_waits_for_a_person,
    a_delivery_without_the_secret_reaches_nothing,
    the_engine_repeats_no_permanent_case,
    the_engine_repeats_what_created_nothing,
]
