//! The inbox component. Submits events to the engine's web API.

use std::time::Duration;

use serde_json::{Value, json};
use waki::{Client, Method};

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../../wit", "../wit"],
        world: "example:orders/inbox",
        generate_all,
    });
}

use bindings::exports::messaging::integration::inbox::{Entry, Failure, Guest, InboxError, Stored};

use crate::execution_of;

/// Setting for the URL of the engine's web API.
const ENGINE: &str = "ENGINE_API";
/// Setting for the token of the web API, if the API requires a token. The component sees a
/// placeholder, which the engine replaces with the token.
const TOKEN: &str = "OBELISK_API_TOKEN";
/// The workflow that processes events.
const WORKFLOW: &str = "example:orders/orders@0.1.0.event-received";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

struct Inbox;

bindings::export!(Inbox with_types_in bindings);

impl Guest for Inbox {
    fn put(entry: Entry) -> Result<Stored, InboxError> {
        let engine =
            std::env::var(ENGINE).map_err(|_| not_set_up(format!("{ENGINE} is not set")))?;
        let event = json!({
            "idempotency_key": entry.idempotency_key,
            "message_id": entry.message_id,
            "kind": entry.kind,
            "json": entry.json,
        });
        let first = execution_of([&entry.idempotency_key, ""]);
        match submit(&engine, &first, &event, false)? {
            201 => Ok(Stored::Stored),
            200 => Ok(Stored::Duplicate),
            409 => {
                // Another event has this key. The engine stores this event as a paused execution
                // for an operator.
                let second = execution_of([&entry.idempotency_key, &entry.json]);
                match submit(&engine, &second, &event, true)? {
                    200 | 201 => Ok(Stored::Conflict),
                    status => Err(refused(status)),
                }
            }
            status => Err(refused(status)),
        }
    }
}

/// Creates an execution if it does not exist. Returns the status of the engine's response.
fn submit(engine: &str, id: &str, event: &Value, paused: bool) -> Result<u16, InboxError> {
    let body = json!({ "ffqn": WORKFLOW, "params": [event], "paused": paused }).to_string();
    let mut request = Client::new()
        .request(Method::Put, &format!("{}/v1/executions/{id}", engine.trim_end_matches('/')))
        .header("content-type", "application/json")
        .header("content-length", body.len().to_string())
        .connect_timeout(CONNECT_TIMEOUT);
    if let Ok(token) = std::env::var(TOKEN) {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    request
        .body(body.into_bytes())
        .send()
        .map(|response| response.status_code())
        .map_err(|error| unavailable(format!("the engine's web API: {error}")))
}

/// Maps a status to an error. Never returns `permanent-rejected`, because no status proves that the
/// engine will always reject the event. After `permanent-rejected`, the event source could stop
/// delivering the event.
fn refused(status: u16) -> InboxError {
    match status {
        404 => not_set_up(format!("{WORKFLOW} is not deployed")),
        _ => unavailable(format!("the engine's web API answered {status}")),
    }
}

fn not_set_up(detail: String) -> InboxError {
    InboxError::PermanentNotSetUp(Failure { detail })
}

fn unavailable(detail: String) -> InboxError {
    InboxError::Unavailable(Failure { detail })
}
