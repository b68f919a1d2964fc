//! The inbox over HTTP, on listeners of their own: for programs on other machines that process
//! events, and for those who run the webhook; and for these the sends of a journal, which programs
//! that send keep here. The interface is `openapi.json`; durability and leases are the inbox's, connections and limits the host's.
//!
//! ```text
//! Service::answer -> Tokens        whether it may ask at all
//!                 -> request       path, query and body, parsed once
//!                 -> workers       lease, ack, extend, nack, release
//!                 -> polls         how many of one address may wait
//!                 -> events        list, show
//!                 -> operator      overview, requeue, metrics, the page
//!                 -> sends         unknown sends of a journal: count, list, resolve
//!                 -> journal       the journal itself, for senders: get, swap, list
//!                 -> otlp          spans, to a collector
//!                 -> Problem       whatever went wrong, as RFC 9457 has it
//! ```

mod events;
mod flow;
mod journal;
mod metrics;
mod operator;
mod otlp;
mod page;
mod polls;
mod problem;
mod request;
mod sends;
mod workers;

pub use journal::{MAX_JOURNAL_BODY_BYTES, Senders};
pub use metrics::Sources;
pub use operator::Operator;
pub use otlp::Exporter;
pub use sends::Sends;
pub use workers::Workers;

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body_util::Full;
use messaging_host::serve::Reply;
pub use messaging_host::serve::{TokenError, Tokens};
use serde_json::Value;

use problem::Problem;

/// The largest body of a request that is read, in bytes; of one to the journal
/// [`MAX_JOURNAL_BODY_BYTES`].
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// The answer to a request, and whether it proved with a token who asks.
fn reply(response: Result<Response<Full<Bytes>>, Problem>, proved: bool) -> Reply {
    Reply { proved, ..response.map_or_else(Reply::from, Reply::from) }
}

/// Counts by state, as the interface names the states.
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
