//! Names, schemas, annotations and calls of the tools.

use std::sync::Arc;
use std::time::Duration;

use messaging_host::once::wit::{InvalidInput, OnceError};
use messaging_host::{Messaging, Once, once};
use rmcp::handler::server::tool::schema_for_input;
use rmcp::model::CallToolResult;
use rmcp::schemars::JsonSchema;
use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::answer;
use crate::arguments;

const SEND: &str = "send_message";
const LIST: &str = "list_templates";
const LOOK_UP: &str = "look_up_message";

/// Instructions for a model about all tools.
pub const INSTRUCTIONS: &str = "Sends messages through a business messaging service. Each message has an \
    idempotency key. Derive it from the reason for the message, such as order-17-shipped. A key creates \
    at most one message. After a failed call, or if you are not sure, repeat the same call with the same key. Never \
    choose a new key for a retry. If the outcome is permanent-outcome-unknown, the message may exist: \
    stop, and tell a person.";

/// The tools for a provider and a journal. Clones share both.
pub struct Tools<M> {
    shared: Arc<Shared<M>>,
}

struct Shared<M> {
    once: Once<M>,
    /// Counts the active sends: each one holds a receiver.
    under_way: watch::Sender<()>,
    /// Time at which pending calls get a response without an outcome. `None` until the server
    /// stops.
    stop: watch::Sender<Option<Instant>>,
}

impl<M> Clone for Tools<M> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<M: Messaging + Send + 'static> Tools<M> {
    /// Creates tools that send with `once`.
    pub fn new(once: Once<M>) -> Self {
        Self {
            shared: Arc::new(Shared {
                once,
                under_way: watch::Sender::default(),
                stop: watch::Sender::default(),
            }),
        }
    }

    /// Waits until no send is active. A send continues after its caller has disconnected, because a
    /// canceled send would leave the outcome of its key unknown.
    pub async fn ended(&self) {
        self.shared.under_way.closed().await;
    }

    /// Stops the tools. [`stdio`](crate::stdio()) stops reading its input. A call that is still
    /// active after `within` gets the response that its outcome is not known yet. Its send
    /// continues; wait for the send with [`ended`](Self::ended).
    pub fn stop(&self, within: Duration) {
        self.shared.stop.send_replace(Instant::now().checked_add(within));
    }

    /// Waits until [`stop`](Self::stop) is called. Returns the time at which pending calls must be
    /// answered.
    pub(crate) async fn stopped(&self) -> Instant {
        let mut stop = self.shared.stop.subscribe();
        match stop.wait_for(Option::is_some).await.map(|at| *at) {
            Ok(Some(at)) => at,
            // Unreachable, because `self` owns the sender.
            _ => std::future::pending().await,
        }
    }

    /// Calls a tool. Returns `None` if the name is unknown.
    pub(crate) async fn call(&self, name: &str, given: Value) -> Option<CallToolResult> {
        let called = async {
            Some(match name {
                SEND => self.call_send(given).await,
                LIST => self.call_list(given).await,
                LOOK_UP => self.call_look_up(given).await,
                _ => return None,
            })
        };
        let late = async { tokio::time::sleep_until(self.stopped().await).await };
        tokio::select! {
            biased;
            called = called => Some(called?.unwrap_or_else(answer::refused)),
            () = late => Some(match name {
                LIST => answer::listed_too_late(),
                _ => answer::sent(Err(OnceError::ExecutionFailed)),
            }),
        }
    }

    async fn call_send(&self, given: Value) -> Result<CallToolResult, InvalidInput> {
        let given: arguments::Send = arguments::parse(given)?;
        let key = given.idempotency_key.0.clone();
        let request = given.request();
        let shared = Arc::clone(&self.shared);
        let under_way = shared.under_way.subscribe();
        let sending = tokio::spawn(async move {
            let result = shared.once.send_once(&key, &request).await;
            let outcome = result.as_ref().map_or_else(once::case, |_| "created");
            tracing::info!(key, outcome, "send_message");
            drop(under_way);
            result
        });
        Ok(answer::sent(sending.await.unwrap_or(Err(OnceError::ExecutionFailed))))
    }

    async fn call_list(&self, given: Value) -> Result<CallToolResult, InvalidInput> {
        let query = arguments::parse::<arguments::List>(given)?.query();
        Ok(answer::listed(self.shared.once.provider().list_templates(&query).await))
    }

    async fn call_look_up(&self, given: Value) -> Result<CallToolResult, InvalidInput> {
        let given: arguments::LookUp = arguments::parse(given)?;
        Ok(answer::looked_up(
            once::look_up(self.shared.once.journal(), &given.idempotency_key.0).await,
        ))
    }
}

/// Returns the descriptions of the tools for clients.
pub fn all() -> Value {
    json!([
        {
            "name": SEND,
            "title": "Send a message",
            "description": "Sends one message to one phone number, at most once for each idempotency key, \
                even if the call is repeated. A message cannot be taken back. After a failure read `advice` and \
                `repeat`. Use the same key in each retry, and another key only for another message. Only a \
                person can resolve the outcome `permanent-outcome-unknown`.",
            "inputSchema": input::<arguments::Send>(),
            "outputSchema": output(json!({
                "message_id": { "type": "string", "description": "The message's identifier in the service." },
                "replayed": { "type": "boolean", "description": "An earlier call created the message; nothing was sent now." },
                "recorded": { "type": "boolean", "description": "The journal recorded the message." },
                "reply": {
                    "type": ["string", "null"],
                    "description": "The service's reply as JSON; null if the reply was not kept.",
                },
            })),
            // Destructive, because a sent message cannot be revoked. A client that asks a person
            // before destructive calls must also ask before this call.
            "annotations": {
                "readOnlyHint": false,
                "destructiveHint": true,
                "idempotentHint": true,
                "openWorldHint": true,
            },
        },
        {
            "name": LIST,
            "title": "List templates",
            "description": "Lists the message templates of the account. Changes nothing.",
            "inputSchema": input::<arguments::List>(),
            "outputSchema": output(json!({
                "templates": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["name", "status", "language", "json"],
                        "properties": {
                            "name": { "type": "string" },
                            "status": { "type": "string" },
                            "language": { "type": "string" },
                            "json": { "type": "string", "description": "The template in the service's JSON." },
                        },
                    },
                },
                "total": { "type": ["integer", "null"], "description": "Number of templates, as stated by the service." },
                "page": { "type": ["integer", "null"] },
                "size": { "type": ["integer", "null"] },
                "incomplete": { "type": ["string", "null"], "description": "Reason why the list is incomplete." },
            })),
            "annotations": { "readOnlyHint": true, "openWorldHint": true },
        },
        {
            "name": LOOK_UP,
            "title": "Look a message up",
            "description": "Returns the state of an idempotency key: sending, unknown, created, \
                not-created, forgotten, or never-used. Reads only the journal of this server.",
            "inputSchema": input::<arguments::LookUp>(),
            "outputSchema": output(json!({
                "entry": { "type": ["object", "null"], "description": "The journal's entry for the key; null if the key was never used." },
            })),
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        },
    ])
}

/// Returns the schema of a tool's arguments.
fn input<T: JsonSchema + 'static>() -> Value {
    schema_for_input::<T>().map(|schema| Map::clone(&schema).into()).unwrap_or_default()
}

/// Returns the schema of a tool's results: `own` members, and the members of every result.
fn output(own: Value) -> Value {
    let mut properties = json!({
        "outcome": { "type": "string", "description": "The name of the outcome." },
        "advice": { "type": "string", "description": "The meaning of the outcome, and the next step." },
        "repeat": {
            "type": "string",
            "enum": answer::REPEATS,
            "description": "The call that may follow a failure. same-key: the same call. \
                same-key-after-a-change: a call with the same key, after a correction. new-key-after-a-change: a changed message with a new key; nothing was created. no: no call; a person \
                decides.",
        },
        "detail": { "type": ["object", "null"], "description": "Details of a failure." },
    });
    if let (Some(properties), Value::Object(own)) = (properties.as_object_mut(), own) {
        properties.extend(own);
    }
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["outcome", "advice"],
        "properties": properties,
    })
}
