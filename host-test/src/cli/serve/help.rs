//! The help text of `serve`.

use crate::cli::settings::{Section, help};

/// Returns the description of the command and its settings.
pub fn long_about() -> String {
    let webhook = help(&[Section::Webhook]);
    let listeners = help(&[Section::Listeners]);
    let database = help(&[Section::Database]);
    let forward = help(&[Section::Forward]);
    format!(
        "\
Receive the service's events over HTTP, and store each exactly once

A delivery is answered 200 only after its event is durable. Read stored events with `inbox`, or
forward them with --forward.

Settings are environment variables; a delivery needs each proof of origin that is set:
{webhook}Values of MESSAGING_WEBHOOK_SIGNED:
  body, timestamp.body, key.timestamp.body  these parts; a header has the signature
  timestamped                               timestamp.body; the header is t=...,v1=...
  standard-webhooks                         webhook-id (the key), webhook-timestamp and
                                            webhook-signature; the secret is whsec_BASE64
Each ..._SECRET can have a second value, ..._SECRET_NEXT, which is also valid. To change a
secret: set the new one as NEXT and restart; let the event source use it; move it to SECRET,
unset NEXT, and restart.

Each secret, token and MESSAGING_FORWARD_HEADERS can be in a file: NAME_FILE names the file of
NAME, for example MESSAGING_WEBHOOK_HEADER_SECRET_FILE.

Limits of proofs: secrets in the path or a header, and signatures of body, timestamp.body
or timestamped, do not cover the idempotency key. An attacker with one captured delivery can
replay it under another key, as another event. A replay is logged if the first event is still
stored; with --quarantine-replays it waits for an operator.

Bearer tokens of further listeners; one, or two during rotation. No token may be a secret of
the webhook:
{listeners}
A store URL must not contain a password. A store on PostgreSQL reads it from this setting, else from
PGPASSWORD or PGPASSFILE:
{database}
Forwarded events:
{forward}
Settings of --otlp: OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME [messaging-webhook],
OTEL_RESOURCE_ATTRIBUTES.

Without any proof of origin, `serve` listens only on loopback addresses. It then rejects
requests whose Host is not a name of this machine, and requests with an Origin. Set a proof
if a proxy on this machine forwards requests from elsewhere.

GET /livez answers 200 while `serve` runs, GET /readyz while the inbox accepts a write. With
RUST_LOG=info,messaging_server=debug the log says why a delivery was answered 401."
    )
}
