#!/usr/bin/env bash
# The plugin in Wassette: it can reach nothing until the policy lets it, and then sends one message.
set -euo pipefail
cd "$(dirname "$0")"
command -v wassette > /dev/null || { echo "wassette is missing; README.md says how to get it" >&2; exit 1; }

service=http://127.0.0.1:8476
folder=$(mktemp -d)
export XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder
${HOST_TEST:-cargo run --quiet --} service --listen "${service#http://}" > "$folder/service.log" 2>&1 &
trap 'kill $! 2> /dev/null || true; rm -r "$folder"' EXIT
until curl --silent --fail --output /dev/null "$service/_simulator/ledger"; do
    kill -0 $! || { cat "$folder/service.log" >&2; exit 1; }
    sleep 0.2
done

send() {
    wassette tool invoke messaging_integration_messaging_0_2_0_send-message \
        --args '{"request": {"phone": "+34 600 111 222", "message": "Your order is ready.", "device": null, "fields": []}}'
}
expect() { grep -q "$2" <<< "$1" || { echo "no $2 in: $1" >&2; exit 1; }; }

wassette component load "file://$PWD/../../dist/messaging_plugin.wasm" > /dev/null
wassette secret set messaging_plugin "MESSAGING_BASE_URL=$service" MESSAGING_API_KEY=simulated-key > /dev/null
expect "$(send)" permanent-denied
sed 's/api\.example\.com/127.0.0.1/' messaging_plugin.policy.yaml > "$folder/wassette/components/messaging_plugin.policy.yaml"
expect "$(send)" '"id": "msg-0001"'
expect "$(curl --silent "$service/_simulator/ledger")" '"created":1,'
echo "Wassette, $(wassette --version | cut -d' ' -f1): denied without a grant, sent with it, once"
