# What the engine does not promise. Each of these is why the deployment, or the
# README, says something.

limits() {
  echo "obelisk $obelisk_version on $api, the simulated service on $service"
  echo
  with_retries_a_crash_sends_again
  a_graceful_stop_sends_again
  a_log_at_level_debug_holds_the_key
}

with_retries_a_crash_sends_again() {
  step 'With max_retries = 4, an engine killed in the middle of a send sends again'
  local id phone=+99900002002
  stop_engine
  start_engine retries.toml
  id=$(new_id)
  submit "$id" "$messaging.send-message" "$(request $phone)"
  await 60 'the message' was_created $phone
  kill_engine
  start_engine retries.toml
  expect 'the outcome' permanent_outcome_unknown "$(result "$id" | outcome)"
  expect 'messages' 2 "$(messages $phone)"
  passed '2 messages; max_retries = 0 in deployment.toml prevents it'
}

a_graceful_stop_sends_again() {
  step 'With max_retries = 0, an engine stopped in the middle of a send sends again'
  local id phone=+99900002001
  stop_engine
  stop_service
  "$host_test" service --listen "127.0.0.1:$service_port" --key "$key" --latency-ms 1500 --json \
    >>"$work/service.log" 2>&1 &
  service_pid=$!
  await 10 'the service' quiet curl -sS --fail "$service/_simulator/ledger"
  start_engine deployment.toml
  id=$(new_id)
  submit "$id" "$messaging.send-message" "$(request $phone)"
  await 60 'the request' is_requested $phone
  stop_engine
  start_engine deployment.toml
  printf '%s\n' "$(result "$id" | outcome)" "$(attempts "$id") attempts, $(messages $phone) messages"
}

is_requested() { [[ $(messages "$1") -gt 0 ]]; }

a_log_at_level_debug_holds_the_key() {
  step 'A log at level debug holds the key'
  local id
  stop_engine
  printf '\n[log.console]\nlevel = "debug"\n' >>"$work/server.toml"
  mv "$work/engine.log" "$work/engine-before.log"
  start_engine deployment.toml
  id=$(new_id)
  submit "$id" "$messaging.send-message" "$(request +34600000008)"
  result "$id" | outcome
  grep -c -F "$key" "$work/engine.log" || true
}
