# The service and the engine: starting, killing and asking them.

messaging=messaging:integration/messaging@0.2.0
inbox=messaging:integration/inbox@0.2.0
orders=example:orders/orders@0.1.0

service_pid='' engine_pid='' receiver_pid='' now='setting up'

set_up() {
  rm -rf "$work"
  mkdir -p "$work"
  read -r service_port api_port webhook_port receiver_port < <(free_ports)
  service=http://127.0.0.1:$service_port
  api=http://127.0.0.1:$api_port
  # Keys that occur nowhere else, to be searched for.
  key=canary-key-$(random)
  path_secret=canary-path-$(random)
  webhook=http://127.0.0.1:$webhook_port/events/$path_secret
  sed -e "s/127.0.0.1:5005/127.0.0.1:$api_port/" -e "s/127.0.0.1:9090/127.0.0.1:$webhook_port/" \
    -e "s|\${SERVER_CONFIG_DIR}/../../target/obelisk/database|$work/database|" \
    -e "s|\${SERVER_CONFIG_DIR}/../..|$root|" "$here/server.toml" >"$work/server.toml"
  # Shorter times, so that nobody waits for a crash to be noticed.
  sed -e "s|\${DEPLOYMENT_DIR}/../..|$root|" \
    -e 's/^exec.lock_expiry.seconds = 40$/exec.lock_expiry.seconds = 8/' \
    "$here/deployment.toml" >"$work/deployment.toml"
  # The same, and the engine repeats what failed, up to 4 times.
  sed -e 's/^max_retries = 0$/max_retries = 4\nretry_exp_backoff.milliseconds = 500/' \
    "$work/deployment.toml" >"$work/retries.toml"
  start_service
  start_engine deployment.toml
}

random() { python3 -c 'import secrets; print(secrets.token_hex(16))'; }

free_ports() {
  python3 - <<'PYTHON'
import socket
sockets = [socket.socket() for _ in range(4)]
for one in sockets:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in sockets))
PYTHON
}

# --- the service -----------------------------------------------------------------

start_service() {
  "$host_test" service --listen "127.0.0.1:$service_port" --key "$key" --webhook "$webhook" \
    >/dev/null 2>>"$work/service.log" &
  service_pid=$!
  await 10 "the service on $service" quiet curl -sS --fail "$service/_simulator/ledger"
}

stop_service() {
  kill "$service_pid"
  wait "$service_pid" || true
  service_pid=''
}

ledger() { curl -sS --fail "$service/_simulator/ledger"; }

# How many requests to create a message for PHONE arrived, and how many were created.
requests() {
  ledger | json "sum(json.loads(r['body'])['phone'] == '$1' for r in d['requests'] if r['method'] == 'POST')"
}
messages() { ledger | json "sum(m['phone'] == '$1' for m in d['messages'])"; }

# Has the service deliver an event: KEY, SENDER, and the message's text.
deliver() {
  curl -sS --fail --output /dev/null "$service/_simulator/events" --data "{
    \"key\": \"$1\", \"body\": {\"id\": \"in-$1\", \"object\": \"message\",
    \"event\": \"message:in:new\", \"from\": \"$2\", \"message\": \"$3\"}}"
}

# --- a receiver in front of the engine --------------------------------------------

start_receiver() {
  receiver=http://127.0.0.1:$receiver_port/
  "$host_test" serve --listen "127.0.0.1:$receiver_port" --store "$work/inbox.sqlite" \
    --forward "$webhook" >>"$work/receiver.log" 2>&1 &
  receiver_pid=$!
  await 20 "the receiver on $receiver" quiet curl -sS "$receiver"
}

stop_receiver() {
  kill "$receiver_pid"
  wait "$receiver_pid" || true
  receiver_pid=''
}

# --- the engine ------------------------------------------------------------------

start_engine() {
  MESSAGING_BASE_URL=$service MESSAGING_API_KEY=$key MESSAGING_DEADLINE_MS=5000 \
    MESSAGING_WEBHOOK_PATH_SECRET=$path_secret ENGINE_API=$api \
    "$engine" server run --server-config "$work/server.toml" --deployment "$work/$1" \
    >>"$work/engine.log" 2>&1 &
  engine_pid=$!
  await 120 "the engine on $api" engine_is_ready
}

engine_is_ready() {
  kill -0 "$engine_pid" 2>/dev/null || fail "the engine has stopped"
  quiet curl -sS --fail "$api/v1/functions" &&
    quiet curl -sS "http://127.0.0.1:$webhook_port/"
}

kill_engine() { stop_engine -KILL; }

stop_engine() {
  kill "${1--TERM}" "$engine_pid"
  wait "$engine_pid" 2>/dev/null || true
  engine_pid=''
}

new_id() { "$engine" generate execution-id; }

# Submits FUNCTION with PARAMS, under an ID of the caller's.
submit() {
  "$engine" execution submit --api-url "$api" --execution-id "$1" "$2" "$3" >/dev/null
}

# Waits for the end of an execution, leaves its result in $got, and expects an
# outcome: ok, or the error's case.
ends() {
  await 60 "the end of $1" is_finished "$1"
  got=$(ask "executions/$1")
  expect 'the outcome' "$2" "$(outcome <<<"$got")"
}

outcome() {
  json '"ok" if "ok" in d else "execution_failure" if "execution_failure" in d
    else d["error"] if isinstance(d["error"], str) else next(iter(d["error"]))'
}

is_finished() { [[ $(ask "executions/$1/status" | json 'd["pending_state"]["status"]') == finished ]]; }

ask() { curl -sS --fail --header 'Accept: application/json' "$api/v1/$1"; }

# How many executions of FUNCTION there are; of one workflow's, with its ID.
executions() {
  ask "executions?show_derived=true&length=500&ffqn_prefix=$1&execution_id_prefix=${2-E_}" |
    json 'len(d)'
}

# How often an execution was begun.
attempts() {
  ask "executions/$1/events?length=100" | json 'sum("locked" in e["event"] for e in d["events"])'
}

# --- saying ----------------------------------------------------------------------

quiet() { "$@" >/dev/null 2>&1; }

# Evaluates a Python expression over the JSON on standard input, `d`.
json() { python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(f"({sys.argv[1]})"))' "$1"; }

# Waits until COMMAND succeeds.
await() {
  local seconds=$1 what=$2 end=$((SECONDS + $1))
  shift 2
  until "$@"; do
    ((SECONDS < end)) || fail "waited $seconds s for $what"
    sleep 0.05
  done
}

step() { now=$1; }
passed() { printf '✓ %s\n' "$now"; printf '    %s\n' "$@"; }

expect() {
  [[ $2 == "$3" ]] || fail "$1: expected $2, found $3"
}

fail() {
  printf '✗ %s\n    %s\n    the logs are in %s\n' "$now" "$1" "$work" >&2
  exit 1
}

leave() {
  local pid
  for pid in $engine_pid $service_pid $receiver_pid; do
    kill -KILL "$pid" 2>/dev/null || true
  done
  wait 2>/dev/null || true
}
