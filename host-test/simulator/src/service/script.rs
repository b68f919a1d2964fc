//! Faults on demand. The specification (`wit/service.md`, section 7) shows no error, so each fault
//! is a choice of the simulation.
//!
//! Test numbers use the country code 999, which is not assigned:
//!
//! | recipient | behavior of the service |
//! |---|---|
//! | `+99900000NNN` | answers with status NNN, 200 to 599, and creates nothing |
//! | `+99900001NNN` | creates the message, then answers with status NNN, 200 to 599 |
//! | `+99900002000` | creates the message, then closes the connection without a reply |
//! | `+99900002001` | creates the message, then breaks off in the middle of the 201 |
//! | `+99900002002` | creates the message, then never answers |
//! | `+99900002003` | creates the message, and answers 201 without an identifier |
//! | `+99900002004` | creates the message, and redirects to another path |

use std::future;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use http::{Response, StatusCode};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use serde_json::json;

use super::server::{self, Body, Cut};

/// An answer that replaces the regular one.
#[derive(Clone, Debug)]
pub struct Answer {
    /// True if the message is created first.
    pub accepts: bool,
    /// The reply to the caller.
    pub reply: Reply,
}

/// Reply to a caller.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A complete reply. `{id}` in the body becomes the identifier.
    Whole {
        /// HTTP status.
        status: u16,
        /// Additional headers.
        headers: Vec<(String, String)>,
        /// Body, byte for byte.
        body: String,
    },
    /// The connection closes without a reply.
    Close,
    /// The status and the first 4 bytes of the body; then the connection closes.
    BreakOff,
    /// No reply. The connection stays open.
    Silence,
}

impl Answer {
    /// Returns a complete reply with a JSON body.
    pub fn reply(accepts: bool, status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let own = |(name, value): &(&str, &str)| ((*name).to_string(), (*value).to_string());
        let headers = headers.iter().map(own).collect();
        Self { accepts, reply: Reply::Whole { status, headers, body: body.to_string() } }
    }

    /// Returns an answer that creates the message but does not confirm it.
    pub fn lost(reply: Reply) -> Self {
        Self { accepts: true, reply }
    }

    pub(super) async fn give(self, id: Option<String>) -> Result<Response<Body>, Cut> {
        match self.reply {
            Reply::Whole { status, headers, body } => {
                let body = body.replace("{id}", id.as_deref().unwrap_or_default());
                let mut response = Response::builder().status(status);
                for (name, value) in headers {
                    response = response.header(name, value);
                }
                let body = http_body_util::Full::new(Bytes::from(body));
                response.body(body).map(server::boxed).map_err(|_| Cut)
            }
            Reply::Close => Err(Cut),
            Reply::BreakOff => {
                let text = json!({ "id": id }).to_string();
                let (start, _) = text.split_at_checked(4).unwrap_or((&text, ""));
                let frames = [Ok(Frame::data(Bytes::from(start.to_string()))), Err(Cut)];
                let body = BodyExt::boxed_unsync(StreamBody::new(futures(frames)));
                let mut response = Response::new(body);
                *response.status_mut() = StatusCode::CREATED;
                Ok(response)
            }
            Reply::Silence => future::pending().await,
        }
    }
}

/// Returns a stream of these items. Delays the last item by 20 ms, because the earlier items must
/// be sent before it.
fn futures<T, const N: usize>(items: [T; N]) -> impl Stream<Item = T> {
    stream::unfold(items.into_iter(), async |mut left| {
        if left.len() == 1 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Some((left.next()?, left))
    })
}

/// Returns the answer that a test number selects.
pub fn of_test_number(phone: &str) -> Option<Answer> {
    let number = phone.strip_prefix("+999")?;
    let (kind, value) = number.split_at_checked(5)?;
    let value: u16 = value.parse().ok().filter(|_| value.len() == 3)?;
    let whole = |accepts, status: u16| {
        let text = format!("a test number asks for status {status}");
        let body = json!({ "code": format!("test_{status}"), "message": text }).to_string();
        let json = ("content-type", "application/json");
        let limited = ("retry-after", "60");
        let headers: &[_] = if status == 429 { &[json, limited] } else { &[json] };
        (200..=599).contains(&status).then(|| Answer::reply(accepts, status, headers, &body))
    };
    match (kind, value) {
        ("00000", status) => whole(false, status),
        ("00001", 201) => None,
        ("00001", status) => whole(true, status),
        ("00002", 0) => Some(Answer::lost(Reply::Close)),
        ("00002", 1) => Some(Answer::lost(Reply::BreakOff)),
        ("00002", 2) => Some(Answer::lost(Reply::Silence)),
        ("00002", 3) => Some(Answer::reply(true, 201, &[], r#"{"object":"message"}"#)),
        ("00002", 4) => Some(Answer::reply(true, 307, &[("location", "/elsewhere")], "")),
        _ => None,
    }
}
