//! Outgoing HTTP requests of components: allowed destinations, the API key, and connections.
//!
//! | allow-list entry | allowed destination |
//! |---|---|
//! | `https://api.example` | `api.example` over TLS, port 443 |
//! | `https://api.example:8443` | `api.example` over TLS, port 8443 |
//! | `http://127.0.0.1:8080` | plain HTTP to this address and port |
//! | (no entry) | nothing |
//!
//! Scheme, host and port must match exactly. Paths are ignored. There are no wildcards.
//!
//! Only this host holds the API key. A component holds a random placeholder. The host replaces the
//! placeholder in the `Token` header of requests to the key's origin.
//!
//! The host masks the key in replies before the component sees them: in names and values of headers
//! and trailers, and in the body. A request with the key asks for the complete, uncompressed reply.
//! The host withholds a body if its charset or coding could change the bytes of the key, because
//! the mask would not find the key.
//!
//! A request whose first byte has not left by its deadline is never sent. Requests go to the
//! network, or to a [`Transport`] of the embedder.

mod allow;
pub mod code;
mod connect_limits;
mod held;
mod mask;
#[cfg(test)]
mod masking;
mod quota;
mod settled;

use std::future::pending;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body::Body;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Incoming;
use hyper_util::client::legacy::connect::capture_connection;
use messaging_core::secret::ApiKey;
use messaging_net::RequestError;
pub use messaging_net::connect::Connector;
use messaging_net::connect::{self, CONNECT_LIMIT, Client};
use messaging_net::departure::{Departure, Moment};
use messaging_net::joined::Joined;
pub use messaging_net::names::Names;
pub use messaging_net::proxy::{Proxies, ProxyError};
pub use messaging_net::{ConnectCause, ConnectFailure, Trust, TrustError};
use tokio::sync::Notify;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

pub use allow::{AllowList, AllowListError};
pub(crate) use connect_limits::CONNECT_MARGIN;
use connect_limits::ConnectLimits;
use held::HeldKey;
use mask::Masked;
pub(crate) use quota::{BODY_BYTES, Metered};
use settled::Creating;
pub(crate) use settled::Settled;

/// Maximum number of interim replies to one request. Services usually send no interim reply, one
/// with status 100, or a few with status 103.
const MOST_INTERIM: usize = 100;

/// A replacement for the network, such as a fuzzer's input, a recording, or a service in the same
/// process.
pub trait Transport: Send + Sync {
    /// Answers a request that the allow-list permits. The request contains the API key. A future
    /// that never completes is dropped at the component's deadline.
    fn send(&self, request: Request<WasiBody>) -> Answer;
}

/// Response of a [`Transport`].
pub type Answer = Pin<Box<dyn Future<Output = Result<Response<WasiBody>, Error>> + Send>>;

#[derive(Clone)]
enum Route {
    Network(Client<WasiBody>),
    Transport(Arc<dyn Transport>),
}

/// Outgoing HTTP of a host: connections, allow-list and API key. Clones share connections.
#[derive(Clone)]
pub struct Outbound {
    route: Route,
    allow: AllowList,
    held: Option<Arc<HeldKey>>,
    under_way: Arc<AtomicUsize>,
    connect_limits: ConnectLimits,
    /// Reason why the last request of this call had no connection; `None` if the request had a
    /// connection.
    failure: Arc<Mutex<Option<ConnectFailure>>>,
    /// Requests of this call that could create a message; `None` if they are not tracked.
    creating: Option<Arc<Mutex<Vec<Arc<Creating>>>>>,
    /// True if the results of the component are not checked against its requests.
    is_unchecked: bool,
}

impl Outbound {
    /// Creates an `Outbound` for the destinations in `allow`, with the certificates that `trust`
    /// accepts. A request to a name that resolves only to private addresses fails.
    ///
    /// # Errors
    /// Returns `TrustError` if the trust configuration is invalid.
    pub fn new(allow: AllowList, trust: Trust) -> Result<Self, TrustError> {
        Ok(Self::connecting(allow, Connector::new(trust, Names::Public)?))
    }

    /// Creates an `Outbound` in which names may resolve to private addresses. For services in a
    /// private network.
    ///
    /// # Errors
    /// Returns `TrustError` if the trust configuration is invalid.
    pub fn with_private_names(allow: AllowList, trust: Trust) -> Result<Self, TrustError> {
        Ok(Self::connecting(allow, Connector::new(trust, Names::Any)?))
    }

    /// Creates an `Outbound` with a connector, which can use proxies.
    #[must_use]
    pub fn connecting(allow: AllowList, connector: Connector) -> Self {
        let mut client = connect::client();
        // Retries only a request that hyper returned unsent because the server had closed the kept
        // connection.
        client.retry_canceled_requests(true);
        Self::along(Route::Network(client.build(connector)), allow)
    }

    /// Creates an `Outbound` that uses `transport` instead of the network. The allow-list and
    /// the mask still apply.
    #[must_use]
    pub fn over(allow: AllowList, transport: Arc<dyn Transport>) -> Self {
        Self::along(Route::Transport(transport), allow)
    }

    fn along(route: Route, allow: AllowList) -> Self {
        let connect_limits =
            ConnectLimits { call: CONNECT_LIMIT, attempt: CONNECT_LIMIT, began: None };
        let (failure, under_way) = (Arc::default(), Arc::default());
        let (held, creating, is_unchecked) = (None, None, false);
        Self { route, allow, held, connect_limits, failure, under_way, creating, is_unchecked }
    }

    /// Returns an `Outbound` that shares the connections, with the allow-list `allow` and without
    /// an API key.
    #[must_use]
    pub fn allowing(&self, allow: AllowList) -> Self {
        Self { allow, held: None, ..self.clone() }
    }

    /// Ends connection attempts before `deadline`, the maximum duration of a call. `attempts` is
    /// the maximum number of requests of a call.
    pub(crate) fn connect_before(&mut self, deadline: Duration, attempts: u32) {
        self.connect_limits = ConnectLimits::new(deadline, attempts);
    }

    /// Starts a call, to which all later requests belong.
    pub fn begin_call(&mut self) {
        self.connect_limits.began = Some(Moment::now());
        self.failure = Arc::default();
    }

    /// Returns true if a string consists only of the masked key. Always false after
    /// [`disable_call_checks`](Self::disable_call_checks).
    pub(crate) fn is_masked_key(&self, text: &str) -> bool {
        let held = self.held.as_ref().filter(|_| !self.is_unchecked);
        held.is_some_and(|held| mask::is_masked(text, &held.key))
    }

    /// Disables the tracking of requests that could create a message, and the check for the masked
    /// key.
    pub(crate) fn disable_call_checks(&mut self) {
        self.is_unchecked = true;
    }

    /// Tracks the requests of this instance that could create a message. Call `settle` after each
    /// plugin call.
    fn track(&mut self) {
        self.creating = (!self.is_unchecked).then(Arc::default);
    }

    /// Returns the effect of the tracked requests since the last call of this method. Cancels
    /// requests that the host has not started to send.
    pub(crate) fn settle(&mut self) -> Settled {
        let Some(creating) = self.creating.as_mut().map(std::mem::take) else {
            return Settled::NoRequest;
        };
        let creating = creating.lock().unwrap_or_else(PoisonError::into_inner);
        // Counts all requests, because `settle` must run for each of them.
        let maybe = creating.iter().filter(|one| !one.settle()).count();
        match (creating.len(), maybe) {
            (0, _) => Settled::NoRequest,
            (_, 0) => Settled::Nothing,
            _ => Settled::Maybe,
        }
    }

    /// Returns the reason why the last request had no connection; `None` if it had a connection.
    pub(crate) fn connect_failure(&self) -> Option<ConnectFailure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep_failure(&self, failure: Option<ConnectFailure>) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    /// Stores the API key for requests to the origin of `base_url`, and returns its placeholder.
    pub(crate) fn hold_key(&mut self, key: ApiKey, base_url: Option<&str>) -> String {
        let (held, placeholder) = HeldKey::new(key, base_url);
        self.held = Some(Arc::new(held));
        placeholder
    }
}

/// Counts the interim replies (1xx) to a request, because the budget of a call does not include
/// them.
#[derive(Clone, Default)]
struct Interim(Arc<(AtomicUsize, Notify)>);

impl Interim {
    fn of(request: &mut Request<WasiBody>) -> Self {
        let counted = Self::default();
        let Self(interim) = counted.clone();
        hyper::ext::on_informational(request, move |_| {
            let (count, over) = &*interim;
            if count.fetch_add(1, Ordering::Relaxed) >= MOST_INTERIM {
                over.notify_one();
            }
        });
        counted
    }

    async fn too_many(&self) {
        let (_, over) = &*self.0;
        over.notified().await;
        tracing::warn!("the service sent too many interim replies");
    }
}

type Sent = Result<(Response<WasiBody>, Done), Error>;
type Done = Box<dyn Future<Output = Result<(), Error>> + Send>;

impl Outbound {
    /// Sends a request if the allow-list permits it. Replaces the placeholder with the API key, and
    /// masks the key in the response.
    ///
    /// # Errors
    /// Returns `HttpRequestDenied` if the request is not permitted. Returns the matching
    /// `wasi:http` error if the request fails.
    pub async fn send(
        &self,
        mut request: Request<WasiBody>,
        options: RequestOptions,
    ) -> Result<Response<WasiBody>, Error> {
        if !self.allow.allows(request.uri()) {
            // Omits the path, because it may contain secrets.
            let (scheme, authority) = (request.uri().scheme_str(), request.uri().authority());
            tracing::warn!(scheme, authority = authority.map(|a| a.as_str()), "request denied");
            return Err(Error::HttpRequestDenied);
        }
        let keyed = match &self.held {
            Some(held) => held.inject(&mut request)?,
            None => false,
        };
        // Registers the request before it leaves, because a component may drop a request in flight.
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        let creating = self.creating.as_ref().filter(|_| !reads);
        let creating = creating.map(|all| {
            let one = Arc::new(Creating::default());
            all.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&one));
            one
        });
        let response = self.pass_on(request, keyed, &options, creating.as_deref()).await;
        if let Some(one) = creating {
            one.answered(&response);
        }
        response
    }

    async fn pass_on(
        &self,
        request: Request<WasiBody>,
        keyed: bool,
        options: &RequestOptions,
        creating: Option<&Creating>,
    ) -> Result<Response<WasiBody>, Error> {
        match &self.route {
            Route::Network(client) => {
                let response = self.exchange(client, request, options, creating).await?;
                let body = |body: Incoming| Joined::new(body.map_err(Error::Hyper));
                Ok(self.masked(response.map(body), keyed, options))
            }
            Route::Transport(transport) => {
                Ok(self.masked(transport.send(request).await?, keyed, options))
            }
        }
    }

    /// Masks the key in a response. Withholds the body if the request carried the key and the body
    /// could hide the key.
    fn masked<B>(
        &self,
        response: Response<B>,
        keyed: bool,
        options: &RequestOptions,
    ) -> Response<WasiBody>
    where
        B: Body<Data = Bytes, Error = Error> + Unpin + Send + 'static,
    {
        let mut response = response;
        let mut why = None;
        if let Some(held) = &self.held {
            why = mask::hidden_in(response.headers()).filter(|_| keyed);
            mask::headers(response.headers_mut(), &held.key);
        }
        if let Some(why) = why {
            tracing::warn!(
                why,
                "body of a response withheld: it could contain the API key in a form that is not masked"
            );
            let withheld = std::future::ready(Err(Error::HttpResponseContentCoding(None)));
            let body = StreamBody::new(futures_util::stream::once(withheld));
            return response.map(|_| body.boxed_unsync());
        }
        let between = options.between_bytes_timeout;
        let masked = Masked::new(response, self.held.clone(), keyed, between);
        masked.map(BodyExt::boxed_unsync)
    }

    async fn exchange(
        &self,
        client: &Client<WasiBody>,
        mut request: Request<WasiBody>,
        options: &RequestOptions,
        creating: Option<&Creating>,
    ) -> Result<Response<Incoming>, Error> {
        let now = Moment::now();
        let mut deadline = self.connect_limits.deadline(now);
        if let Some(limit) = options.connect_timeout {
            deadline = deadline.min(now.after(limit));
        }
        self.keep_failure(None);
        // Without a timeout for the first byte, the response may take the rest of the call's time.
        let connection =
            options.first_byte_timeout.map(|limit| (capture_connection(&mut request), limit));
        let interim = Interim::of(&mut request);
        let departure = Departure::new(deadline, &request);
        if let Some(creating) = creating {
            let _ = creating.departure.set(departure.clone());
        }
        let response = connect::send(client, request, departure);
        let late = async {
            let Some((mut connection, limit)) = connection else { return pending().await };
            connection.wait_for_connection_metadata().await;
            tokio::time::sleep(limit).await;
        };
        let response = tokio::select! {
            biased;
            response = response => response,
            () = interim.too_many() => return Err(Error::HttpProtocolError),
            () = late => return Err(Error::ConnectionReadTimeout),
        };
        response.map_err(|error| {
            let code = code::of(&error);
            if let RequestError::NotConnected(failure) = error {
                // The failure contains scheme, host, port and cause, but no path.
                tracing::info!("no connection: {failure}");
                self.keep_failure(Some(failure));
            }
            code
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use messaging_net::destination::Destination;

    /// The host `2130706433` acts as a DNS name with a private address, because the system's
    /// resolver converts it to 127.0.0.1. The test builds the list directly, because
    /// `AllowList::parse` rejects this host.
    #[tokio::test]
    async fn name_of_private_address_is_denied() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let destination = Destination { https: false, host: "2130706433".into(), port };
        let allow = AllowList([destination].into());
        let request = || {
            let body = http_body_util::Empty::new().map_err(|never| match never {});
            let request = Request::get(format!("http://2130706433:{port}/"));
            request.body(body.boxed_unsync()).unwrap()
        };
        let outbound = Outbound::new(allow.clone(), Trust::Public).unwrap();
        let sent = outbound.send(request(), RequestOptions::default()).await;
        assert!(matches!(sent, Err(Error::DestinationIpProhibited)), "{:?}", sent.err());
        // `with_private_names` permits the same name.
        let outbound = Outbound::with_private_names(allow, Trust::Public).unwrap();
        let options = RequestOptions::default();
        let reached = tokio::select! {
            _ = outbound.send(request(), options) => false,
            accepted = listener.accept() => accepted.is_ok(),
        };
        assert!(reached);
    }

    #[tokio::test]
    async fn interim_replies_without_end_end_request() {
        use tokio::io::AsyncWriteExt;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let flood = tokio::spawn(async move {
            let (mut connection, _) = listener.accept().await.unwrap();
            let interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(100);
            let mut written = 0;
            while connection.write_all(interim.as_bytes()).await.is_ok() {
                written += interim.len();
            }
            written
        });
        let allow = AllowList::parse([origin.as_str()]).unwrap();
        let body = http_body_util::Empty::new().map_err(|never| match never {});
        let request = Request::get(origin).body(body.boxed_unsync()).unwrap();
        let outbound = Outbound::new(allow, Trust::Public).unwrap();
        let sent = outbound.send(request, RequestOptions::default()).await;
        assert!(matches!(sent, Err(Error::HttpProtocolError)), "{:?}", sent.err());
        // 64 MiB leaves room for bytes that were in flight when the client closed the connection.
        let written = flood.await.unwrap();
        assert!(written < 64 * 1024 * 1024, "{written} bytes");
    }
}
