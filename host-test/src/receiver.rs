//! A webhook endpoint over real HTTP that hands each request to the plugin and
//! remembers, in memory, which idempotency keys it has seen. For demonstrations and
//! tests: what has to survive a crash belongs into a durable store.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use messaging_core::limits::MAX_EVENT_BYTES;

use crate::plugin::{Plugin, wit};
use crate::service::server::{self, Server};

/// What became of one request.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The status that the sender got.
    pub status: u16,
    /// The event, where it was valid.
    pub event: Option<wit::Event>,
    /// Whether an earlier request had brought the same event.
    pub duplicate: bool,
}

/// A running endpoint. It stops when it is dropped.
pub struct Receiver {
    server: Server,
    state: Arc<State>,
}

struct State {
    plugin: Plugin,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    events: BTreeMap<String, wit::Event>,
    receipts: Vec<Receipt>,
}

impl Receiver {
    /// Starts an endpoint on a free port of the loopback address.
    ///
    /// # Errors
    /// The port cannot be opened.
    pub async fn start(plugin: Plugin) -> std::io::Result<Self> {
        let state = Arc::new(State { plugin, log: Mutex::default() });
        let handler = Arc::clone(&state);
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let server = Server::start(address, move || {
            let state = Arc::clone(&handler);
            service_fn(move |request| {
                let state = Arc::clone(&state);
                async move { Ok::<_, Infallible>(state.receive(request).await) }
            })
        })
        .await?;
        Ok(Self { server, state })
    }

    /// Where senders deliver to.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/events", self.server.address())
    }

    /// Each event once, by its idempotency key.
    #[must_use]
    pub fn events(&self) -> BTreeMap<String, wit::Event> {
        self.state.log().events.clone()
    }

    /// What became of each request, in order.
    #[must_use]
    pub fn receipts(&self) -> Vec<Receipt> {
        self.state.log().receipts.clone()
    }
}

impl State {
    fn log(&self) -> std::sync::MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn receive(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (status, text, event) = self.handle(request).await;
        let mut log = self.log();
        let duplicate = event.as_ref().is_some_and(|event: &wit::Event| {
            log.events.insert(event.idempotency_key.clone(), event.clone()).is_some()
        });
        log.receipts.push(Receipt { status: status.as_u16(), event, duplicate });
        server::json(status, &serde_json::json!({ "status": text }))
    }

    async fn handle(&self, request: Request<Incoming>) -> (StatusCode, String, Option<wit::Event>) {
        if request.method() != Method::POST {
            return (StatusCode::METHOD_NOT_ALLOWED, "events are delivered by POST".into(), None);
        }
        let (head, body) = request.into_parts();
        let Ok(body) = Limited::new(body, MAX_EVENT_BYTES.saturating_add(1)).collect().await else {
            return (StatusCode::PAYLOAD_TOO_LARGE, "the body is too large".into(), None);
        };
        let Ok(body) = String::from_utf8(body.to_bytes().into()) else {
            return (StatusCode::BAD_REQUEST, "the body is not UTF-8".into(), None);
        };
        let headers = head.headers.iter().map(|(name, value)| wit::Header {
            name: name.to_string(),
            value: String::from_utf8_lossy(value.as_bytes()).into_owned(),
        });
        let delivery = wit::WebhookDelivery { headers: headers.collect(), body };
        match self.plugin.handle_event(&delivery).await {
            Ok(Ok(event)) => (StatusCode::OK, "received".into(), Some(event)),
            Ok(Err(wit::Error::PermanentInvalidInput(invalid))) => {
                let text = format!("{} {}", invalid.field, invalid.reason);
                (StatusCode::BAD_REQUEST, text, None)
            }
            // Anything else is this endpoint's trouble: the sender tries again.
            Ok(Err(_)) | Err(_) => {
                (StatusCode::SERVICE_UNAVAILABLE, "not received; try again".into(), None)
            }
        }
    }
}
