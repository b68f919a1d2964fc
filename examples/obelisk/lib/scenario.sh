# Checks the promises, step by step. Each recipient occurs in one step only, so that the
# ledger tells the steps apart.

scenario() {
  SECONDS=0
  echo "obelisk $obelisk_version on $api, the simulated service on $service"
  echo
  an_order_is_ready
  without_an_approved_template_nothing_is_sent
  one_id_is_one_message
  a_refusal_is_final
  an_unknown_outcome_is_not_repeated
  a_service_that_is_down_is_waited_for
  an_engine_killed_in_mid_send_does_not_send_again
  an_event_is_processed_once
  an_event_is_taken_while_the_engine_is_down
  a_second_event_under_the_same_key_waits_for_a_person
  a_delivery_without_the_secret_reaches_nothing

  stop_engine
  stop_service
  start_service
  start_engine retries.toml
  the_engine_repeats_no_permanent_case
  the_engine_repeats_what_created_nothing
  the_secrets_are_nowhere
  echo
  echo "as promised in $SECONDS s"
}

notice() {
  printf '[{"order": "4711", "phone": "%s", "template": "%s", "language": "%s"}]' \
    "$1" "${2-order_ready}" "${3-en}"
}

request() { printf '[{"phone": "%s", "message": "Your order is ready.", "device": null, "fields": []}]' "$1"; }

an_order_is_ready() {
  step 'A workflow tells a customer that the order is ready'
  local id phone=+34600000001
  id=$(new_id)
  submit "$id" "$orders.order-ready" "$(notice $phone)"
  ends "$id" ok
  expect 'the message' "$(ledger | json "next(m['id'] for m in d['messages'] if m['phone'] == '$phone')")" \
    "$(json "d['ok']['message_id']" <<<"$got")"
  expect 'the template' order_ready "$(json "json.loads(d['ok']['template'])['name']" <<<"$got")"
  expect 'requests' 1 "$(requests $phone)"
  expect 'messages' 1 "$(messages $phone)"
  expect 'executions of list-templates' 1 "$(executions "$messaging.list-templates" "$id")"
  expect 'executions of send-message' 1 "$(executions "$messaging.send-message" "$id")"
  passed 'the template is approved; 1 request, 1 message' "the workflow is $id, its activities are $id.o:…"
}

without_an_approved_template_nothing_is_sent() {
  step 'Without an approved template nothing is sent'
  local id phone=+34600000002
  id=$(new_id)
  submit "$id" "$orders.order-ready" "$(notice $phone appointment es)"
  ends "$id" no_approved_template
  expect 'executions of send-message' 0 "$(executions "$messaging.send-message" "$id")"
  expect 'requests' 0 "$(requests $phone)"
  passed 'appointment (es) is pending: no request'
}

one_id_is_one_message() {
  step 'The same order submitted twice under one execution id is one message'
  local id phone=+34600000003
  id=$(new_id)
  submit "$id" "$orders.order-ready" "$(notice $phone)"
  submit "$id" "$orders.order-ready" "$(notice $phone)"
  ends "$id" ok
  expect 'messages' 1 "$(messages $phone)"
  passed '1 message'
}

a_refusal_is_final() {
  step 'A refusal is final'
  local id phone
  for phone in +99900000400 +99900000401; do
    id=$(new_id)
    submit "$id" "$orders.order-ready" "$(notice $phone)"
    ends "$id" not_sent
    expect "requests of $phone" 1 "$(requests $phone)"
    expect "messages of $phone" 0 "$(messages $phone)"
    expect "executions of send-message" 1 "$(executions "$messaging.send-message" "$id")"
  done
  passed 'status 400: 1 request' 'status 401: 1 request'
}

an_unknown_outcome_is_not_repeated() {
  step 'A connection that breaks before the reply is not tried again'
  local id phone=+99900002000
  id=$(new_id)
  submit "$id" "$orders.order-ready" "$(notice $phone)"
  ends "$id" outcome_unknown
  expect 'requests' 1 "$(requests $phone)"
  expect 'messages' 1 "$(messages $phone)"
  passed 'outcome_unknown: 1 request, 1 message'
}

a_service_that_is_down_is_waited_for() {
  step 'A service that is down is waited for, and the wait outlives the engine'
  local id phone=+34600000004 found
  stop_service
  id=$(new_id)
  submit "$id" "$orders.order-ready" "$(notice $phone)"
  await 60 'a first failure' has_failed "$messaging.list-templates" "$id"
  kill_engine
  start_engine deployment.toml
  start_service
  ends "$id" ok
  found=$(executions "$messaging.list-templates" "$id")
  ((found > 1)) || fail "executions of list-templates: expected more than 1, found $found"
  expect 'requests' 1 "$(requests $phone)"
  expect 'messages' 1 "$(messages $phone)"
  passed "the engine was killed meanwhile; $found calls of list-templates, then 1 message"
}

# Whether a call of FUNCTION under ID has ended.
has_failed() {
  [[ $(ask "executions?show_derived=true&ffqn_prefix=$1&execution_id_prefix=$2" |
    json 'any(e["pending_state"]["status"] == "finished" for e in d)') == True ]]
}

an_engine_killed_in_mid_send_does_not_send_again() {
  step 'An engine killed in the middle of a send does not send again'
  local id phone=+99900002002
  id=$(new_id)
  submit "$id" "$orders.order-ready" "$(notice $phone)"
  await 60 'the message' was_created $phone
  kill_engine
  start_engine deployment.toml
  ends "$id" outcome_unknown
  expect 'requests' 1 "$(requests $phone)"
  expect 'messages' 1 "$(messages $phone)"
  passed 'outcome_unknown: 1 request, 1 message'
}

was_created() { [[ $(messages "$1") -gt 0 ]]; }

an_event_is_processed_once() {
  step 'An event is processed once, however often and whenever it is delivered'
  local phone=+34600000005 pid pids=() before
  before=$(executions "$orders.event-received")
  for _ in 1 2 3; do deliver evt-1 $phone 'Is it ready?'; done
  for _ in 1 2 3 4 5 6 7 8; do
    deliver evt-2 $phone 'Hello?' &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid"; done
  kill_engine
  # While the engine is away the service repeats its delivery.
  deliver_until_taken evt-3 $phone 'Anyone?' &
  pid=$!
  start_engine deployment.toml
  wait "$pid"
  deliver evt-1 $phone 'Is it ready?'
  deliver evt-2 $phone 'Hello?'
  expect 'executions of event-received' 3 $(($(executions "$orders.event-received") - before))
  await 60 'the confirmations' quiet_about "$orders.event-received"
  expect 'confirmations' 3 "$(messages $phone)"
  expect 'deliveries that were not answered with 200' 0 \
    "$(ledger | json 'sum(not e["acknowledged"] for e in d["deliveries"] if e["key"] != "evt-3")')"
  passed 'evt-1: 4 deliveries, one of them to an engine that was killed and started again' \
    'evt-2: 8 deliveries at once, and one more' \
    'evt-3: delivered while the engine was down, until it was up' \
    "$(executions "$inbox.put") executions of the inbox, 3 of event-received, 3 confirmations"
}

deliver_until_taken() { await 60 "a delivery of $1" quiet deliver "$@"; }

# Whether every execution of FUNCTION has ended.
quiet_about() {
  [[ $(ask "executions?hide_finished=true&ffqn_prefix=$1" | json 'len(d)') == 0 ]]
}

an_event_is_taken_while_the_engine_is_down() {
  step 'With serve --forward in front, an event is taken while the engine is down'
  local phone=+34600000008 before status
  before=$(executions "$orders.event-received")
  kill_engine
  start_receiver
  for _ in 1 2; do
    status=$(curl -sS --output /dev/null --write-out '%{http_code}' "$receiver" \
      --header 'Content-Type: application/json' --header 'X-Idempotency-Key: evt-4' \
      --data '{"id":"in-4","object":"message","event":"message:in:new","from":"'$phone'"}')
    expect 'the status' 200 "$status"
  done
  start_engine deployment.toml
  await 60 'the confirmation' was_created $phone
  await 60 'the end of the workflow' quiet_about "$orders.event-received"
  stop_receiver
  expect 'executions of event-received' 1 $(($(executions "$orders.event-received") - before))
  expect 'confirmations' 1 "$(messages $phone)"
  passed '2 deliveries to an engine that was down: 200; 1 execution, 1 confirmation'
}

a_second_event_under_the_same_key_waits_for_a_person() {
  step 'A second event under the same key is kept apart, until a person has looked at it'
  local phone=+34600000006 before id
  before=$(executions "$orders.event-received")
  deliver evt-1 $phone 'Quite another message'
  deliver evt-1 $phone 'Quite another message'
  expect 'executions of event-received' 1 $(($(executions "$orders.event-received") - before))
  id=$(ask "executions?hide_finished=true&ffqn_prefix=$orders.event-received" |
    json '" ".join(e["execution_id"] for e in d if e["pending_state"]["status"] == "paused")')
  expect 'the length of an execution id' 28 ${#id}
  expect 'confirmations' 0 "$(messages $phone)"
  quiet "$engine" execution unpause --api-url "$api" "$id"
  ends "$id" ok
  expect 'confirmations' 1 "$(messages $phone)"
  passed '2 deliveries, 1 paused execution, no confirmation' \
    'obelisk execution unpause: 1 confirmation'
}

a_delivery_without_the_secret_reaches_nothing() {
  step 'A delivery without the secret reaches nothing'
  local before status
  before=$(executions "$messaging.handle-event")
  status=$(curl -sS --output /dev/null --write-out '%{http_code}' \
    --header 'Content-Type: application/json' --header 'X-Idempotency-Key: evt-9' \
    --data '{"id":"in-9","object":"message","event":"message:in:new"}' \
    "http://127.0.0.1:$webhook_port/events/a-guess-that-is-long-enough")
  expect 'the status' 401 "$status"
  expect 'executions of handle-event' "$before" "$(executions "$messaging.handle-event")"
  passed '401; no execution'
}

# --- with max_retries = 4 --------------------------------------------------------

the_engine_repeats_no_permanent_case() {
  step "With max_retries = 4: the engine repeats no case that begins with permanent"
  local id phone want
  for want in permanent_refused=+99900000400 permanent_unauthorized=+99900000401 \
    permanent_outcome_unknown=+99900002000; do
    phone=${want#*=}
    id=$(new_id)
    submit "$id" "$messaging.send-message" "$(request "$phone")"
    ends "$id" "${want%=*}"
    expect "attempts of $phone" 1 "$(attempts "$id")"
    expect "requests of $phone" 1 "$(requests "$phone")"
  done
  expect 'messages' 1 "$(messages +99900002000)"
  passed 'permanent_refused, permanent_unauthorized: 1 attempt, 1 request' \
    'permanent_outcome_unknown: 1 attempt, 1 request, 1 message'
}

the_engine_repeats_what_created_nothing() {
  step 'With max_retries = 4: the engine repeats what has created nothing'
  local limited=+99900000429 phone=+34600000007 id found
  id=$(new_id)
  submit "$id" "$messaging.send-message" "$(request $limited)"
  ends "$id" rate_limited
  expect 'attempts' 5 "$(attempts "$id")"
  expect 'requests' 5 "$(requests $limited)"
  expect 'messages' 0 "$(messages $limited)"

  stop_service
  id=$(new_id)
  submit "$id" "$messaging.send-message" "$(request $phone)"
  await 60 'a first failure' is_repeated "$id"
  start_service
  ends "$id" ok
  found=$(attempts "$id")
  expect 'requests' 1 "$(requests $phone)"
  expect 'messages' 1 "$(messages $phone)"
  passed 'rate_limited: 5 attempts, 5 requests, no message' \
    "not_sent, the service was down: $found attempts, 1 request, 1 message"
}

is_repeated() {
  ask "executions/$1/events?length=100" |
    json 'any("temporarily_failed" in e["event"] for e in d["events"])' | grep -qx True
}

the_secrets_are_nowhere() {
  step "The key and the webhook's secret are in no database and no log"
  local found
  # The search finds what is there: a recipient, in the same files.
  quiet grep -r --binary-files=text -F +34600000007 "$work/database" ||
    fail 'the search does not find what is known to be in the database'
  found=$(grep -rl --binary-files=text -F -e "$key" -e "$path_secret" "$work" || true)
  expect 'files with one of them' '' "$found"
  passed "$(du -sh "$work/database" | cut -f1) of database and $(wc -l <"$work/engine.log") lines of log searched"
}
