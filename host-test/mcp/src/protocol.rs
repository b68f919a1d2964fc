//! The server that `rmcp` calls for each request, and the rejection of invalid messages before
//! `rmcp` reads them.
//!
//! Each request is independent, over HTTP and over standard input. Protocol revisions with and
//! without `initialize` are therefore served in the same way.

use messaging_host::Messaging;
use messaging_server::json;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientJsonRpcMessage, ClientRequest, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, JsonRpcError, JsonRpcRequest,
    ListToolsResult, PaginatedRequestParams, RequestId, ServerCapabilities, ServerConfig,
    ServerJsonRpcMessage,
};
use rmcp::service::{RequestContext, serve_directly};
use rmcp::transport::OneshotTransport;
use rmcp::{RoleServer, ServerHandler};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::tools::{self, Tools};

/// Methods of this server.
const METHODS: [&str; 5] = ["initialize", "ping", "server/discover", "tools/call", "tools/list"];

/// Error text for every invalid message. It lists all rules, because an error of `rmcp` does not
/// name the invalid member.
const NO_MESSAGE: &str = "a message is one JSON object with jsonrpc \"2.0\", a method, params that are \
    an object, and an id that is a string or a 64-bit integer; batches are rejected";

/// Parses a message. Rejects duplicate members and other ambiguous JSON.
///
/// # Errors
/// Returns the response for the client if the message is invalid.
pub fn parse(bytes: &[u8]) -> Result<ClientJsonRpcMessage, JsonRpcError> {
    let invalid = |message: &Value, why: String| {
        // Includes the ID, because the client waits for a response with this ID.
        let id = message.get("id").and_then(|id| RequestId::deserialize(id).ok());
        JsonRpcError::new(id, ErrorData::invalid_request(why, None))
    };
    match json::parse(bytes) {
        Ok(message) => ClientJsonRpcMessage::deserialize(&message)
            .map_err(|_| invalid(&message, NO_MESSAGE.into())),
        Err(why) => Err(match serde_json::from_slice::<Value>(bytes) {
            Ok(message) => invalid(&message, why),
            Err(_) => {
                JsonRpcError::new(None, ErrorData::parse_error(format!("not JSON: {why}"), None))
            }
        }),
    }
}

/// Returns the response to a message above the size limit.
pub fn too_large() -> JsonRpcError {
    let why = format!("a message has at most {} bytes", crate::MAX_REQUEST_BYTES);
    JsonRpcError::new(None, ErrorData::invalid_request(why, None))
}

/// Answers one request with a new instance of the server.
pub async fn answer<M: Messaging + Send + 'static>(
    request: JsonRpcRequest<ClientRequest>,
    tools: Tools<M>,
) -> ServerJsonRpcMessage {
    let id = request.id.clone();
    let (transport, mut answers) = OneshotTransport::new(ClientJsonRpcMessage::Request(request));
    let server = serve_directly(tools, transport, None);
    let answer = answers.recv().await;
    drop(server);
    answer.unwrap_or_else(|| {
        ServerJsonRpcMessage::error(ErrorData::internal_error("no response", None), Some(id))
    })
}

impl<M: Messaging + Send + 'static> ServerHandler for Tools<M> {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("messaging", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server.with_title("Messaging"))
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        serde_json::from_value(tools::all())
            .map(ListToolsResult::with_all_items)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, .. } = request;
        match self.call(&name, arguments.unwrap_or_else(Map::new).into()).await {
            Some(answer) => Ok(answer.into()),
            None => Err(ErrorData::invalid_params(format!("there is no tool {name}"), None)),
        }
    }

    /// Rejects an unknown method, or parameters that do not match the method.
    async fn on_custom_request(
        &self,
        CustomRequest { method, .. }: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(if METHODS.contains(&&*method) {
            ErrorData::invalid_params(format!("invalid params of {method}"), None)
        } else {
            let why = format!("there is no method {method}");
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None)
        })
    }
}
