//! Simulated messaging service, on a real port, that behaves as the interface specification
//! requires. Its ledger lists the requests that it received and the messages that it created.
//!
//! The simulation fills gaps in the specification with its own choices: error bodies, the page
//! parameter, identifiers, the retry schedule, and the phone numbers of [`script`], which cause
//! faults. Comments mark each choice.

mod cors;
mod error;
mod events;
pub mod ledger;
pub mod script;
pub mod server;
pub mod signing;
mod templates;
mod tls;
mod webhook;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use serde_json::{Value, json};

use error::BadRequest;
pub use error::DeliveryError;
pub use events::{Attempt, Delivery, Event};
use ledger::LedgerFile;
pub use ledger::{Ledger, Message, Received};
pub use script::Answer;
use server::{Body, Server};
pub use signing::Signing;
pub use templates::Template;
use webhook::Webhook;

/// Maximum size of a request in bytes: a choice of the simulation, because `wit/service.md`
/// (section 8) does not define it.
const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;

/// Options of the simulated service.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address to listen on; port 0 selects a free port.
    pub address: SocketAddr,
    /// PEM files with a certificate chain and its private key, for HTTPS; `None` for HTTP.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The API key that the service accepts.
    pub key: String,
    /// The account's templates.
    pub templates: Vec<Template>,
    /// Number of templates per page: a choice of the simulation, because `wit/service.md`
    /// (section 8) does not define it.
    pub page_size: usize,
    /// Name of the query parameter with the page number: a choice of the simulation, because
    /// `wit/service.md` (section 4.3) does not define it.
    pub page_parameter: String,
    /// Delay of each answer.
    pub latency: Duration,
    /// URL to which events are delivered.
    pub webhook: Option<String>,
    /// PEM file with the certificate authorities that are trusted for the webhook; `None` trusts
    /// the public authorities.
    pub ca_file: Option<PathBuf>,
    /// Signature scheme of deliveries; `None` sends no signature.
    pub signing: Option<Signing>,
    /// Header with a secret that proves the origin of each delivery.
    pub webhook_header: Option<(HeaderName, HeaderValue)>,
    /// Origin whose pages may call the service from a browser, or `*`: a choice of the simulation,
    /// because `wit/service.md` (section 5) keeps the API key out of browsers.
    pub cors: Option<HeaderValue>,
    /// True if requests and messages are recorded. False for long load tests, because the ledger
    /// grows without bound.
    pub keeps_ledger: bool,
    /// File that keeps the messages across restarts. If it exists, the service loads its messages.
    pub ledger_file: Option<PathBuf>,
}

impl Options {
    /// Returns the options of a service on a free loopback port that accepts `key`.
    pub fn new(key: &str) -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            tls: None,
            key: key.to_string(),
            templates: templates::samples(),
            page_size: 3,
            page_parameter: "page".to_string(),
            latency: Duration::ZERO,
            webhook: None,
            ca_file: None,
            signing: None,
            webhook_header: None,
            cors: None,
            keeps_ledger: true,
            ledger_file: None,
        }
    }
}

/// A running simulated service. Stops on drop.
pub struct Service {
    server: Server,
    state: Arc<State>,
}

struct State {
    options: Options,
    webhook: Option<Webhook>,
    ledger: Mutex<Ledger>,
    file: Option<LedgerFile>,
    script: Mutex<VecDeque<Answer>>,
}

impl Service {
    /// Starts the service.
    ///
    /// # Errors
    /// Returns an error if the port or the ledger's file cannot be opened.
    /// Returns `InvalidInput` if the webhook's URL, the file of authorities, the certificate or its
    /// key is invalid.
    pub async fn start(options: Options) -> std::io::Result<Self> {
        let address = options.address;
        let webhook = options.webhook.as_deref().map(|url| Webhook::new(url, &options));
        let webhook = webhook.transpose()?;
        let tls = options.tls.as_ref().map(|(certificate, key)| tls::acceptor(certificate, key));
        let tls = tls.transpose()?;
        let (file, messages) = match &options.ledger_file {
            Some(path) => {
                let opened = LedgerFile::open(path).map_err(|error| {
                    std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                });
                opened.map(|(file, messages)| (Some(file), messages))?
            }
            None => (None, Vec::new()),
        };
        let ledger = Mutex::new(Ledger::of(messages, options.keeps_ledger));
        let state = Arc::new(State { options, webhook, ledger, file, script: Mutex::default() });
        let handler = Arc::clone(&state);
        let server = Server::start(address, tls, move || {
            let state = Arc::clone(&handler);
            service_fn(move |request| {
                let state = Arc::clone(&state);
                async move { state.answer_any(request).await }
            })
        })
        .await?;
        Ok(Self { server, state })
    }

    /// Returns the listening address.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Returns the value for `MESSAGING_BASE_URL`.
    pub fn base_url(&self) -> String {
        let scheme = if self.state.options.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address())
    }

    /// Returns a copy of the ledger.
    pub fn ledger(&self) -> Ledger {
        self.state.ledger().clone()
    }

    /// Gives the next request this answer instead of the regular one. Queued answers are used in
    /// order.
    pub fn script(&self, answer: Answer) {
        self.state.script().push_back(answer);
    }

    /// Delivers an event to the configured webhook until it answers 200. Then delivers the event
    /// `redeliveries` more times (`wit/service.md`, section 6.3, rule 2).
    ///
    /// # Errors
    /// Returns an error if no webhook is configured or the webhook never answers 200.
    pub async fn deliver(
        &self,
        event: &Event,
        redeliveries: u32,
    ) -> Result<Delivery, DeliveryError> {
        self.state.deliver(event, redeliveries).await
    }
}

impl State {
    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn script(&self) -> std::sync::MutexGuard<'_, VecDeque<Answer>> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, request: Received) {
        if self.options.keeps_ledger {
            self.ledger().requests.push(request);
        }
    }

    async fn deliver(&self, event: &Event, redeliveries: u32) -> Result<Delivery, DeliveryError> {
        let webhook = self.webhook.as_ref().ok_or(DeliveryError::NoWebhook)?;
        let delivery = events::deliver(webhook, event, redeliveries).await;
        self.ledger().deliveries.push(delivery.clone());
        if delivery.acknowledged {
            return Ok(delivery);
        }
        let last = delivery.attempts.into_iter().next_back();
        Err(DeliveryError::NotAcknowledged {
            origin: webhook.origin(),
            key: delivery.key,
            reason: last.and_then(|attempt| attempt.failure).unwrap_or_default(),
        })
    }

    /// Answers a request. Adds CORS headers and answers CORS preflight requests if `Options::cors`
    /// is set.
    async fn answer_any(&self, request: Request<Incoming>) -> Result<Response<Body>, server::Cut> {
        let Some(origin) = &self.options.cors else { return self.answer(request).await };
        if cors::is_preflight(&request) {
            return Ok(cors::preflight(origin));
        }
        self.answer(request).await.map(|response| cors::readable(response, origin))
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Body>, server::Cut> {
        let (head, body) = request.into_parts();
        let path = head.uri.path().to_string();
        if let Some(name) = path.strip_prefix("/_simulator/") {
            return Ok(self.control(&head.method, name, body).await);
        }
        let body = Limited::new(body, MAX_REQUEST_BYTES).collect().await;
        let body = body.map(http_body_util::Collected::to_bytes).map_err(|_| server::Cut)?;
        if !self.options.latency.is_zero() {
            tokio::time::sleep(self.options.latency).await;
        }
        let authorized = self.is_authorized(&head.headers);
        self.record(Received {
            method: head.method.to_string(),
            path: path.clone(),
            query: head.uri.query().map(ToString::to_string),
            authorized,
            headers: plain(&head.headers),
            body: String::from_utf8_lossy(&body).into_owned(),
        });
        let scripted = self.script().pop_front();
        match (&head.method, path.as_str()) {
            (&Method::POST, "/v1/messages") => {
                self.create(authorized, &head.headers, &body, scripted).await
            }
            (&Method::GET, "/v1/waba/templates") => {
                if let Some(answer) = scripted {
                    return answer.give(None).await;
                }
                if !authorized {
                    return Ok(unauthorized());
                }
                let query = head.uri.query().unwrap_or_default();
                Ok(templates::list(&self.options, query))
            }
            (_, "/v1/messages" | "/v1/waba/templates") => {
                Ok(refuse(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "wrong method"))
            }
            _ => Ok(refuse(StatusCode::NOT_FOUND, "not_found", "no such path")),
        }
    }

    /// Answers `POST /v1/messages` (`wit/service.md`, section 4.1).
    async fn create(
        &self,
        authorized: bool,
        headers: &HeaderMap,
        body: &Bytes,
        scripted: Option<Answer>,
    ) -> Result<Response<Body>, server::Cut> {
        if !authorized {
            return Ok(unauthorized());
        }
        let json =
            headers.get(http::header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        if !json {
            let text = "the content type is not application/json";
            return Ok(refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", text));
        }
        let message = match Message::read(body) {
            Ok(message) => message,
            Err(reason) => {
                let text = reason.to_string();
                return Ok(refuse(StatusCode::UNPROCESSABLE_ENTITY, "invalid_message", &text));
            }
        };
        let answer = scripted.or_else(|| script::of_test_number(&message.phone));
        let accepts = answer.as_ref().is_none_or(|answer| answer.accepts);
        let id = match accepts {
            true => {
                let keep = self.options.keeps_ledger;
                let accepted = self.ledger().accept(message, keep, self.file.as_ref());
                let Ok(id) = accepted else {
                    let text = "the ledger's file cannot be written; nothing was created";
                    return Ok(refuse(StatusCode::INSUFFICIENT_STORAGE, "no_ledger", text));
                };
                Some(id)
            }
            false => None,
        };
        match answer {
            Some(answer) => answer.give(id).await,
            None => {
                let reply = json!({ "id": id });
                Ok(server::boxed(server::json(StatusCode::CREATED, &reply)))
            }
        }
    }

    fn is_authorized(&self, headers: &HeaderMap) -> bool {
        let mut tokens = headers.get_all("token").iter();
        tokens.next().is_some_and(|token| token.as_bytes() == self.options.key.as_bytes())
            && tokens.next().is_none()
    }

    /// Serves the paths below `/_simulator/`, which are not part of the service.
    async fn control(&self, method: &Method, name: &str, body: Incoming) -> Response<Body> {
        let answer = match (method, name) {
            (&Method::GET, "ledger") => Ok(json!(*self.ledger())),
            (&Method::POST, "events") => {
                let body = Limited::new(body, MAX_REQUEST_BYTES).collect().await;
                let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
                let event =
                    if body.is_empty() { Ok(Event::new_message()) } else { Event::read(&body) };
                match event {
                    Ok(event) => {
                        let delivered = self.deliver(&event, 0).await;
                        delivered.map(|delivery| json!(delivery)).map_err(BadRequest::Delivery)
                    }
                    Err(reason) => Err(reason),
                }
            }
            _ => Err(BadRequest::NoSuchControl),
        };
        server::boxed(match answer {
            Ok(value) => server::json(StatusCode::OK, &value),
            Err(reason) => {
                server::json(StatusCode::BAD_REQUEST, &json!({ "message": reason.to_string() }))
            }
        })
    }
}

/// Returns the headers for the ledger, without the API key.
fn plain(headers: &HeaderMap) -> Vec<(String, String)> {
    let plain = |(name, value): (&HeaderName, &HeaderValue)| {
        let value = match name.as_str() {
            "token" => "[redacted]".into(),
            _ => String::from_utf8_lossy(value.as_bytes()).into_owned(),
        };
        (name.to_string(), value)
    };
    headers.iter().map(plain).collect()
}

fn unauthorized() -> Response<Body> {
    refuse(StatusCode::UNAUTHORIZED, "unauthorized", "the key in the Token header is not valid")
}

/// Returns an error response: a choice of the simulation, because `wit/service.md` (section 7)
/// shows no error.
fn refuse(status: StatusCode, code: &str, message: &str) -> Response<Body> {
    let body: Value = json!({ "code": code, "message": message });
    server::boxed(server::json(status, &body))
}
