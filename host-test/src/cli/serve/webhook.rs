//! The engine and the component of the webhook.

use std::time::Duration;

use messaging_components::WEBHOOK_OPEN;
use messaging_host::webhook::{Webhook, WebhookConfig};
use messaging_host::{Host, Limits};

use crate::cli::{Common, Failure, setup};

/// Memory for a body, as a multiple of the body size: each part of the component copies the body.
const MEMORY_OF_A_BODY: usize = 8;

/// Creates an engine for bodies of at most `max_body_bytes`, with a limit of 30 s for each request:
/// a component that takes longer has failed.
///
/// # Errors
/// Returns [`Failure::Failed`] if the engine cannot be created on this machine.
pub fn host(max_body_bytes: usize) -> Result<Host, Failure> {
    let usual = Limits::default();
    let memory_bytes =
        usual.memory_bytes.saturating_add(max_body_bytes.saturating_mul(MEMORY_OF_A_BODY));
    let wall = Duration::from_secs(30);
    let crossing_bytes = usual.crossing_bytes.saturating_add(max_body_bytes);
    let limits = Limits { wall, memory_bytes, crossing_bytes, instances: 96, parts: 3, ..usual };
    Host::new(limits).map_err(|error| Failure::Failed(error.to_string()))
}

/// Loads the component of `--component`, or the embedded component. A component must store events
/// in this host's inbox.
pub fn webhook(host: &Host, common: &Common, config: WebhookConfig) -> Result<Webhook, Failure> {
    let Some(file) = &common.component else {
        let webhook = Webhook::load(host, WEBHOOK_OPEN, config);
        return webhook.map_err(|error| Failure::Failed(error.to_string()));
    };
    let (bytes, name) = setup::component(Some(file))?;
    let webhook = Webhook::load(host, &bytes, config)
        .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
    let others = ["wasi:keyvalue/store", "wasi:filesystem/preopens"];
    let other = others.iter().find(|interface| webhook.imports(interface));
    match other.filter(|_| !webhook.imports("messaging:integration/inbox")) {
        None => Ok(webhook),
        Some(interface) => Err(Failure::Usage(format!(
            "{name}: the component stores events through {interface}, which `serve` does not provide; use a component that imports messaging:integration/inbox"
        ))),
    }
}
