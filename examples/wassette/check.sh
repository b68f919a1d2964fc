#!/usr/bin/env bash
# Tests the plugin in Wassette. The plugin reaches the service only with its policy. With a journal in a granted directory, a
# repeated send creates one message.
set -euo pipefail
cd "$(dirname "$0")"
command -v wassette > /dev/null || { echo "wassette is missing: install it as README.md describes" >&2; exit 1; }

service=http://127.0.0.1:8476
folder=$(mktemp -d)
export XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder
${MESSAGING_PROGRAM:-cargo run --quiet --} service --listen "${service#http://}" > "$folder/service.log" 2>&1 &
trap 'kill $! 2> /dev/null || true; rm -r "$folder"' EXIT
until curl --silent --fail --output /dev/null "$service/_simulator/ledger"; do
    kill -0 $! || { cat "$folder/service.log" >&2; exit 1; }
    sleep 0.2
done

load() {
    wassette component load "file://$PWD/../../dist/$1.wasm" > /dev/null
    wassette secret set "$1" "MESSAGING_BASE_URL=$service" MESSAGING_API_KEY=simulated-key > /dev/null
}
grant() {
    sed "s|api\.example\.com|127.0.0.1|; s|/var/lib/messaging/journal|$folder/journal|" "$1.policy.yaml" \
        > "$folder/wassette/components/$1.policy.yaml"
}
request() { echo "\"request\": {\"phone\": \"$1\", \"message\": \"Your order is ready.\", \"device\": null, \"fields\": []}"; }
send() { wassette tool invoke messaging_integration_messaging_0_2_0_send-message --args "{$(request "+34 600 111 222")}"; }
send_once() { wassette tool invoke messaging_integration_once_0_2_0_send-once --args "{\"key\": \"$1\", $(request "$2")}"; }
expect() { grep -q "$2" <<< "$1" || { echo "no $2 in: $1" >&2; exit 1; }; }
created() { expect "$(curl --silent "$service/_simulator/ledger")" "\"created\":$1,"; }

load messaging_plugin
expect "$(send)" permanent-denied
grant messaging_plugin
expect "$(send)" '"id": "msg-0001"'
created 1

load messaging_plugin_once_files
expect "$(send_once order-17-shipped "+34 600 111 222")" permanent-journal
created 1
mkdir "$folder/journal"
grant messaging_plugin_once_files
expect "$(send_once order-17-shipped "+34 600 111 222")" '"replayed": false'
expect "$(send_once order-17-shipped "+34 600 111 222")" '"replayed": true'
created 2
expect "$(send_once order-18-shipped "+99900002000")" permanent-outcome-unknown # the service closes without a reply
expect "$(send_once order-18-shipped "+99900002000")" permanent-outcome-unknown
created 3
echo "Wassette, $(wassette --version | cut -d' ' -f1): denied without a policy, sent with it; a repeated key sent once"
