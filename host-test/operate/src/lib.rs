//! HTTP APIs of the inbox on separate listeners: for workers on other machines and for operators.
//! The worker API also gives senders access to a journal, and the operator API shows the sends of
//! the journal. `openapi.json` defines the APIs. `messaging_inbox` provides durability and leases,
//! and `messaging_server` provides connections and limits.
//!
//! ```text
//! Service::answer -> Tokens        authentication
//!                 -> request       path, query and body, parsed once
//!                 -> workers       lease, ack, extend, nack, release
//!                 -> events        list, show
//!                 -> operator      overview, requeue, metrics, the page
//!                 -> sends         unknown sends of a journal: count, list, resolve
//!                 -> journal       the journal for senders: get, swap, list
//!                 -> Problem       errors (RFC 9457)
//! ```

mod events;
mod flow;
mod journal;
mod metrics;
mod operator;
mod page;
mod problem;
mod request;
mod sends;
mod workers;

pub use journal::{MAX_JOURNAL_BODY_BYTES, Senders};
pub use metrics::Sources;
pub use operator::Operator;
pub use sends::Sends;
pub use workers::Workers;

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body_util::Full;
use messaging_server::serve::Reply;
pub use messaging_server::serve::{TokenError, Tokens};
use serde_json::Value;

use problem::Problem;

/// Maximum size of a request body in bytes. For the journal, see [`MAX_JOURNAL_BODY_BYTES`].
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// Converts a response to a reply. `proved` is true if the request is authenticated.
fn reply(response: Result<Response<Full<Bytes>>, Problem>, proved: bool) -> Reply {
    Reply { proved, ..response.map_or_else(Reply::from, Reply::from) }
}

/// Returns counts by state. The names of states in the API have underscores instead of hyphens.
fn counts<const N: usize>(states: [(&str, u64); N]) -> Value {
    states.into_iter().map(|(state, count)| (state.replace('-', "_"), count)).collect()
}

fn json(value: &Value) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(value.to_string())));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
