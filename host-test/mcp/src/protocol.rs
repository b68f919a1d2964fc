//! JSON-RPC 2.0, and the methods of the Model Context Protocol that a server of tools has.
//!
//! Revisions up to 2025-11-25 begin with `initialize`; since 2026-07-28 each request says in its
//! `_meta` which revision it follows, and `server/discover` tells what the server has. Nothing here
//! depends on an earlier request, so both are served on any connection, and there are no sessions.

use messaging_host::{Messaging, json};
use serde_json::{Map, Value, json};

use crate::tools::{self, Tools};

/// Revisions that begin with `initialize`, the newest last.
const BY_HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The newest of them: the offer to a client that asks for another one.
const NEWEST_BY_HANDSHAKE: &str = "2025-11-25";
/// The revision of requests that stand by themselves.
const BY_REQUEST: &str = "2026-07-28";

/// Members of a request's `_meta`.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const HEADER_MISMATCH: i32 = -32020;
const UNSUPPORTED_VERSION: i32 = -32022;

/// Whether this server knows a revision.
pub fn is_known(version: &str) -> bool {
    version == BY_REQUEST || BY_HANDSHAKE.contains(&version)
}

/// A message of a client.
pub enum Message {
    /// To be answered.
    Request(Request),
    /// A notification, or an answer to nothing that was asked: neither changes anything here.
    Ignored,
}

/// A request that can be answered.
pub struct Request {
    id: Value,
    pub method: String,
    params: Map<String, Value>,
}

/// Why a request has no result.
#[derive(Debug)]
pub struct RpcError {
    code: i32,
    message: String,
    data: Option<Value>,
    /// Whether the message itself is wrong, and not only its value.
    pub is_malformed: bool,
}

/// An answer to a message, ready to be sent.
pub struct Response {
    pub body: Value,
    pub error: Option<Failed>,
}

/// How a failed request is answered over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// With an error beside status 200.
    InBand,
    /// Status 400.
    Malformed,
    /// Status 404, of revisions that have it.
    NoSuchMethod,
}

impl RpcError {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, is_malformed: false }
    }

    fn malformed(code: i32, message: impl Into<String>) -> Self {
        Self { is_malformed: true, ..Self::new(code, message) }
    }

    /// A request that is larger than is read.
    pub fn too_large() -> Self {
        Self::malformed(
            INVALID_REQUEST,
            format!("a message has at most {} bytes", crate::MAX_REQUEST_BYTES),
        )
    }

    /// A header that contradicts the message, or is not there.
    pub fn header(message: impl Into<String>) -> Self {
        Self::malformed(HEADER_MISMATCH, message)
    }

    /// The answer to a request with this identifier; null where it could not be read.
    pub fn response(self, id: Value) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let (Some(data), Some(error)) = (self.data, error.as_object_mut()) {
            error.insert("data".into(), data);
        }
        let failed = match self.code {
            _ if self.is_malformed => Failed::Malformed,
            METHOD_NOT_FOUND => Failed::NoSuchMethod,
            _ => Failed::InBand,
        };
        Response {
            body: json!({ "jsonrpc": "2.0", "id": id, "error": error }),
            error: Some(failed),
        }
    }
}

/// Parses a message.
///
/// # Errors
/// The answer to what is none.
pub fn parse(bytes: &[u8]) -> Result<Message, Response> {
    let null = |error: RpcError| error.response(Value::Null);
    let message =
        json::parse(bytes).map_err(|why| match serde_json::from_slice::<Value>(bytes) {
            Err(_) => null(RpcError::malformed(PARSE_ERROR, format!("no JSON: {why}"))),
            // With its identifier, for a client that waits for this answer.
            Ok(read) => {
                let id = read.get("id").filter(|id| is_id(id)).cloned().unwrap_or_default();
                RpcError::malformed(INVALID_REQUEST, why).response(id)
            }
        })?;
    let invalid = |text: &str| RpcError::malformed(INVALID_REQUEST, text);
    let Value::Object(mut message) = message else {
        return Err(null(invalid("one message is one JSON object; there are no batches")));
    };
    let method = match message.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return Err(null(invalid("method is no string"))),
        // An answer, to nobody.
        None if message.contains_key("result") || message.contains_key("error") => {
            return Ok(Message::Ignored);
        }
        None => return Err(null(invalid("method is missing"))),
    };
    let Some(id) = message.remove("id") else { return Ok(Message::Ignored) };
    if !is_id(&id) {
        return Err(null(invalid("id is neither a string nor a number")));
    }
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("jsonrpc is not \"2.0\"").response(id));
    }
    let params = match message.remove("params") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => {
            return Err(RpcError::malformed(INVALID_PARAMS, "params is no object").response(id));
        }
    };
    Ok(Message::Request(Request { id, method, params }))
}

/// Whether a value identifies a request.
fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_number()
}

impl Request {
    /// The revision that the request says it follows.
    pub fn version(&self) -> Option<&str> {
        self.params.get("_meta")?.get(VERSION)?.as_str()
    }

    /// The name that a request is about, where its method has one.
    pub fn name(&self) -> Option<&str> {
        (self.method == "tools/call").then(|| self.params.get("name")?.as_str()).flatten()
    }

    /// Answers that the request is wrong.
    pub fn refuse(self, error: RpcError) -> Response {
        error.response(self.id)
    }

    /// Carries the request out.
    pub async fn answer<M: Messaging + Send + 'static>(self, tools: &Tools<M>) -> Response {
        let Self { id, method, params } = self;
        let meta = params.get("_meta");
        let version = meta.and_then(|meta| meta.get(VERSION)).and_then(Value::as_str);
        let stands_alone = version.is_some() || method == "server/discover";
        let result = match check(stands_alone, version, meta) {
            Ok(()) => respond(&method, params, tools).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(mut result) => {
                if stands_alone {
                    result.insert("resultType".into(), "complete".into());
                }
                let body = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                Response { body, error: None }
            }
            Err(error) => {
                let mut response = error.response(id);
                if response.error == Some(Failed::NoSuchMethod) && !stands_alone {
                    response.error = Some(Failed::InBand);
                }
                response
            }
        }
    }
}

/// Checks what a request that stands by itself says of itself.
fn check(stands_alone: bool, version: Option<&str>, meta: Option<&Value>) -> Result<(), RpcError> {
    if !stands_alone {
        return Ok(());
    }
    if let Some(version) = version.filter(|version| !is_known(version)) {
        let mut error = RpcError::malformed(UNSUPPORTED_VERSION, "Unsupported protocol version");
        error.data = Some(json!({ "requested": version, "supported": supported() }));
        return Err(error);
    }
    let capabilities = meta.and_then(|meta| meta.get(CAPABILITIES)).is_some_and(Value::is_object);
    let missing = [(VERSION, version.is_some()), (CAPABILITIES, capabilities)];
    match missing.iter().find(|(_, is_there)| !is_there) {
        Some((name, _)) => Err(RpcError::malformed(INVALID_PARAMS, format!("_meta has no {name}"))),
        None => Ok(()),
    }
}

fn supported() -> Vec<&'static str> {
    BY_HANDSHAKE.into_iter().chain([BY_REQUEST]).collect()
}

async fn respond<M: Messaging + Send + 'static>(
    method: &str,
    mut params: Map<String, Value>,
    tools: &Tools<M>,
) -> Result<Map<String, Value>, RpcError> {
    let server = json!({
        "name": "messaging",
        "title": "Messaging",
        "version": env!("CARGO_PKG_VERSION"),
    });
    let capabilities = json!({ "tools": {} });
    let result = match method {
        "initialize" => {
            let asked = params.get("protocolVersion").and_then(Value::as_str);
            let asked =
                asked.and_then(|asked| BY_HANDSHAKE.into_iter().find(|known| *known == asked));
            json!({
                "protocolVersion": asked.unwrap_or(NEWEST_BY_HANDSHAKE),
                "capabilities": capabilities,
                "serverInfo": server,
                "instructions": tools::INSTRUCTIONS,
            })
        }
        "server/discover" => json!({
            "supportedVersions": supported(),
            "capabilities": capabilities,
            "instructions": tools::INSTRUCTIONS,
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": { SERVER: server },
        }),
        "ping" => json!({}),
        "tools/list" => json!({ "tools": tools::all(), "ttlMs": 0, "cacheScope": "private" }),
        "tools/call" => {
            let Some(Value::String(name)) = params.remove("name") else {
                return Err(RpcError::new(INVALID_PARAMS, "name is missing"));
            };
            let arguments = params.remove("arguments").filter(|given| !given.is_null());
            match tools.call(&name, arguments.unwrap_or_else(|| json!({}))).await {
                Some(answer) => answer.into_value(),
                None => {
                    return Err(RpcError::new(INVALID_PARAMS, format!("there is no tool {name}")));
                }
            }
        }
        _ => return Err(RpcError::new(METHOD_NOT_FOUND, format!("there is no method {method}"))),
    };
    match result {
        Value::Object(result) => Ok(result),
        _ => Ok(Map::new()),
    }
}
