# Limits of the engine's promises. Each of these is why the deployment, or the
# README, says something.

limits() {
  echo "obelisk $obelisk_version on $api, the simulated service on $service"
  echo
  with_retries_a_crash_sends_again
  a_graceful_stop_sends_again
  a_new_deployment_sends_again
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
  ends "$id" permanent_outcome_unknown
  expect 'messages' 2 "$(messages $phone)"
  passed '2 messages; max_retries = 0 in deployment.toml prevents it'
}

a_graceful_stop_sends_again() {
  step 'With max_retries = 0, an engine stopped by SIGTERM in the middle of a send sends again'
  local id phone=+99900002002 before
  stop_engine
  start_engine deployment.toml
  before=$(messages $phone)
  id=$(new_id)
  submit "$id" "$messaging.send-message" "$(request $phone)"
  await 60 'the message' was_created_after "$before" $phone
  stop_engine
  start_engine deployment.toml
  ends "$id" permanent_outcome_unknown
  expect 'messages' 2 $(($(messages $phone) - before))
  passed '2 messages; SIGKILL in place of SIGTERM prevents it'
}

a_new_deployment_sends_again() {
  step 'With max_retries = 0, a new deployment in the middle of a send sends again'
  local id phone=+99900002002 before
  before=$(messages $phone)
  id=$(new_id)
  submit "$id" "$messaging.send-message" "$(request $phone)"
  await 60 'the message' was_created_after "$before" $phone
  quiet "$engine" deployment apply --api-url "$api" "$work/deployment.toml"
  ends "$id" permanent_outcome_unknown
  expect 'messages' 2 $(($(messages $phone) - before))
  passed '2 messages; stopping by SIGKILL and starting with the new one prevents it'
}

was_created_after() { [[ $(messages "$2") -gt $1 ]]; }

a_log_at_level_debug_holds_the_key() {
  step 'A log at level debug holds the key'
  local id
  stop_engine
  printf '\n[log.console]\nlevel = "debug"\n' >>"$work/server.toml"
  start_engine deployment.toml
  id=$(new_id)
  submit "$id" "$messaging.send-message" "$(request +34600000001)"
  ends "$id" ok
  quiet grep -F "$key" "$work/engine.log" || fail 'it does not'
  passed 'the engine writes each request with its headers; its default level, info, does not'
}
