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
//! The host withholds a body in which the key could have other bytes.
//!
//! The first byte of a request leaves before its deadline, or never. Requests go to the network, or
//! to a [`Transport`] of the embedder.

pub mod code;
pub(crate) mod connect;
mod departure;
mod joined;
mod mask;
#[cfg(test)]
mod masking;
pub(crate) mod names;
mod quota;

use std::fmt;
use std::future::pending;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, Response, Uri, header};
use http_body::Body;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Incoming;
use hyper_util::client::legacy::connect::capture_connection;
use messaging_core::limits::{BACKOFF_BASE_MS, BACKOFF_CAP_MS};
use messaging_core::origin::{Origin, Scheme};
use messaging_core::outcome::{CreateStatus, Proof, judge_create_status, proof_of_code};
use messaging_core::secret::ApiKey;
use tokio::sync::Notify;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

use connect::{CONNECT_LIMIT, Client, Connector};
pub use connect::{ConnectCause, ConnectFailure, Trust, TrustError};
pub(crate) use departure::{Departure, Moment};
use joined::Joined;
use mask::Masked;
use names::Names;
pub(crate) use quota::{BODY_BYTES, Metered};

/// The header with the API key (service specification, section 5).
const TOKEN: &str = "token";

/// Time between the end of a connection attempt and the component's deadline.
pub(crate) const CONNECT_MARGIN: Duration = Duration::from_millis(50);

/// Maximum number of interim replies to one request. Services usually send no interim reply, a 100,
/// or a few 103.
const MOST_INTERIM: usize = 100;

/// Scheme, host in lower case, and port.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Destination {
    https: bool,
    host: String,
    port: u16,
}

impl Destination {
    fn of_uri(uri: &Uri) -> Option<Self> {
        let https = match uri.scheme_str()? {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let authority = uri.authority()?;
        // `user@host` would be sent unchanged.
        if authority.as_str().contains('@') {
            return None;
        }
        let port = match authority.port_u16() {
            Some(port) => port,
            // The port of `host:` or `host:99999` is invalid.
            None if authority.as_str().len() != authority.host().len() => return None,
            None if https => 443,
            None => 80,
        };
        Some(Self { https, host: authority.host().to_ascii_lowercase(), port })
    }

    fn of_origin(origin: &Origin) -> Option<Self> {
        let scheme = if origin.scheme() == Scheme::Https { "https" } else { "http" };
        Self::of_uri(&format!("{scheme}://{}/", origin.authority()).parse().ok()?)
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.https { "https" } else { "http" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

/// An invalid entry of an allow-list. An entry is `scheme://host` or `scheme://host:port`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{entry} {reason}")]
pub struct AllowListError {
    /// The entry.
    pub entry: String,
    /// A message for logs and operators.
    pub reason: String,
}

/// The allowed destinations of a component. An empty list allows nothing.
#[derive(Clone, Debug, Default)]
pub struct AllowList(Arc<[Destination]>);

impl AllowList {
    /// Returns an empty list, which allows nothing.
    #[must_use]
    pub fn deny_all() -> Self {
        Self::default()
    }

    /// Returns a list of these origins.
    ///
    /// # Errors
    /// Returns `AllowListError` if an entry is not `scheme://host` or `scheme://host:port`.
    pub fn parse<'a>(entries: impl IntoIterator<Item = &'a str>) -> Result<Self, AllowListError> {
        let parse = |entry: &str| {
            let wrong =
                |reason: &str| AllowListError { entry: entry.into(), reason: reason.into() };
            let origin = Origin::parse(entry).map_err(|invalid| wrong(&invalid.to_string()))?;
            if !origin.prefix().is_empty() {
                return Err(wrong("contains a path; an entry is scheme, host and port"));
            }
            Destination::of_origin(&origin).ok_or_else(|| wrong("cannot be read"))
        };
        Ok(Self(entries.into_iter().map(parse).collect::<Result<_, _>>()?))
    }

    /// Returns a list with the origin of a base URL.
    #[must_use]
    pub fn of_origin(origin: &Origin) -> Self {
        Self::of_origins([origin])
    }

    /// Returns a list with the origins of base URLs.
    #[must_use]
    pub fn of_origins<'a>(origins: impl IntoIterator<Item = &'a Origin>) -> Self {
        Self(origins.into_iter().filter_map(Destination::of_origin).collect())
    }

    fn allows(&self, uri: &Uri) -> bool {
        Destination::of_uri(uri).is_some_and(|to| self.0.contains(&to))
    }
}

/// A replacement for the network: a fuzzer's input, a recording, a service in the same process.
pub trait Transport: Send + Sync {
    /// Answers a request that the allow-list permits. The request contains the API key. The
    /// component's deadline ends a future that never completes.
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
    patience: Patience,
    /// Reason why the last request of this call had no connection.
    failure: Arc<Mutex<Option<ConnectFailure>>>,
    /// Requests of this call that could create a message; `None` if they are not tracked.
    creating: Option<Arc<Mutex<Vec<Arc<Creating>>>>>,
    /// True if the results of the component are not checked against its requests.
    believes: bool,
}

/// A request that could create a message.
#[derive(Default)]
struct Creating {
    /// True if the failed connection or the service's status proves that the request created
    /// nothing.
    has_created_nothing: AtomicBool,
    departure: OnceLock<Departure>,
}

impl Creating {
    /// Gives the request up if it has not left. Returns true if it is known to have created
    /// nothing.
    fn settle(&self) -> bool {
        self.has_created_nothing.load(Ordering::SeqCst)
            || self.departure.get().is_some_and(Departure::give_up)
    }
}

/// Effect of the requests of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// No request could create a message, or requests are not tracked.
    NoRequest,
    /// All requests are known to have created nothing.
    Nothing,
    /// A request may have created a message.
    Maybe,
}

/// Time limits of connection attempts. They end before the call's deadline, because a component
/// cannot report after it that nothing was sent.
#[derive(Clone, Copy)]
struct Patience {
    /// Duration of a call without the margin.
    call: Duration,
    /// Duration of each attempt, if all attempts get the same.
    attempt: Duration,
    /// Start of the call. `None` if an instance runs many calls at once, because the call of a
    /// request is then unknown.
    began: Option<Moment>,
}

impl Patience {
    fn new(deadline: Duration, attempts: u32) -> Self {
        let call = deadline.saturating_sub(CONNECT_MARGIN);
        let pause = |attempt: u32| {
            let bound = BACKOFF_BASE_MS.saturating_mul(2_u32.saturating_pow(attempt));
            Duration::from_millis(bound.min(BACKOFF_CAP_MS).into())
        };
        let between = attempts.saturating_sub(1).min(16);
        let pauses: Duration = (0..between).map(|one| pause(one) + CONNECT_MARGIN).sum();
        let share = |time: Duration, of: u32| time.checked_div(of).unwrap_or(call);
        // The delays could use up the whole call. The minimum share keeps time for each attempt,
        // although the call may then end before its last attempt.
        let least = share(call, attempts.saturating_add(between.min(1)));
        let attempt = share(call.saturating_sub(pauses), attempts).max(least);
        Self { call, attempt, began: None }
    }

    /// Returns the deadline for the first byte of a request that is made `now`.
    fn deadline(&self, now: Moment) -> Moment {
        now.after(CONNECT_LIMIT).min(match self.began {
            Some(began) => began.after(self.call),
            None => now.after(self.attempt),
        })
    }
}

struct HeldKey {
    key: ApiKey,
    placeholder: HeaderValue,
    origin: Option<Destination>,
}

impl Outbound {
    /// Creates an `Outbound` for the destinations in `allow`, with the certificates that `trust`
    /// accepts. Rejects a name that resolves only to private addresses.
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

    fn connecting(allow: AllowList, connector: Connector) -> Self {
        let mut client = connect::client();
        // Retries only a request that hyper returns unsent, because a kept connection was already
        // closed.
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
        let patience = Patience { call: CONNECT_LIMIT, attempt: CONNECT_LIMIT, began: None };
        let (failure, under_way) = (Arc::default(), Arc::default());
        let (held, creating, believes) = (None, None, false);
        Self { route, allow, held, patience, failure, under_way, creating, believes }
    }

    /// Returns an `Outbound` with the same connections, another allow-list, and no API key.
    #[must_use]
    pub fn allowing(&self, allow: AllowList) -> Self {
        Self { allow, held: None, ..self.clone() }
    }

    /// Limits connection attempts to a component's deadline. The component makes at most `attempts`
    /// requests in a call.
    pub(crate) fn connect_before(&mut self, deadline: Duration, attempts: u32) {
        self.patience = Patience::new(deadline, attempts);
    }

    /// Starts a call. All later requests belong to it.
    pub fn begin_call(&mut self) {
        self.patience.began = Some(Moment::now());
        self.failure = Arc::default();
    }

    /// Returns true if a string consists only of the masked key. Always false after
    /// [`believe`](Self::believe).
    pub(crate) fn is_masked_key(&self, text: &str) -> bool {
        let held = self.held.as_ref().filter(|_| !self.believes);
        held.is_some_and(|held| mask::is_masked(text, &held.key))
    }

    /// Never tracks the requests that could create a message.
    pub(crate) fn believe(&mut self) {
        self.believes = true;
    }

    /// Tracks the requests of this instance that could create a message. The caller settles them after
    /// each call.
    fn track(&mut self) {
        self.creating = (!self.believes).then(Arc::default);
    }

    /// Returns the effect of the requests since the last call of this method. Gives up requests
    /// that have not left.
    pub(crate) fn settle(&mut self) -> Settled {
        let Some(creating) = self.creating.as_mut().map(std::mem::take) else {
            return Settled::NoRequest;
        };
        let creating = creating.lock().unwrap_or_else(PoisonError::into_inner);
        // Settles each request, regardless of the others.
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
        let placeholder = format!("placeholder-{:032x}", rand::random::<u128>());
        let origin = base_url.and_then(|url| Origin::parse(url).ok());
        self.held = Some(Arc::new(HeldKey {
            key,
            placeholder: HeaderValue::from_str(&placeholder)
                .unwrap_or_else(|_| HeaderValue::from_static("placeholder")),
            origin: origin.as_ref().and_then(Destination::of_origin),
        }));
        placeholder
    }
}

impl HeldKey {
    /// Replaces the placeholder with the API key. Returns true if the request carries the key.
    /// Rejects a placeholder outside the `Token` header, or in a request to another origin.
    fn inject(&self, request: &mut Request<WasiBody>) -> Result<bool, Error> {
        let holds = |value: &HeaderValue| contains(value.as_bytes(), self.placeholder.as_bytes());
        let elsewhere = request.headers().iter().any(|(name, value)| name != TOKEN && holds(value));
        let own = self.origin.is_some() && self.origin == Destination::of_uri(request.uri());
        let in_token = request.headers().get_all(TOKEN).iter().any(holds);
        if elsewhere || (in_token && !own) {
            return Err(Error::HttpRequestDenied);
        }
        if in_token {
            let mut key = HeaderValue::from_bytes(self.key.reveal().as_bytes())
                .map_err(|_| Error::ConfigurationError)?;
            key.set_sensitive(true);
            let headers = request.headers_mut();
            headers.insert(TOKEN, key);
            // The mask cannot find the key in a reply that is compressed, partial or in another
            // encoding.
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            headers.remove(header::ACCEPT_CHARSET);
            headers.remove(header::RANGE);
            headers.remove(header::TE);
        }
        Ok(in_token)
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Returns true if the plugin's tables prove that a request created nothing.
fn has_created_nothing(response: &Result<Response<WasiBody>, Error>) -> bool {
    match response {
        Ok(response) => !matches!(
            judge_create_status(response.status().as_u16()),
            CreateStatus::Created | CreateStatus::Unclear
        ),
        Err(error) => proof_of_code(code::name(error)) != Proof::Nothing,
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
        tracing::warn!("a service answered with interim replies without end");
    }
}

type Sent = Result<(Response<WasiBody>, Done), Error>;
type Done = Box<dyn Future<Output = Result<(), Error>> + Send>;

impl Outbound {
    /// Sends a request if the allow-list permits it. Replaces the placeholder with the API key, and
    /// masks the key in the response.
    ///
    /// # Errors
    /// Returns `HttpRequestDenied` if the request is not permitted, or the `wasi:http` error of its
    /// failure.
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
        // Registered before the request leaves, because a component may drop a request in flight.
        let creating = self.creating.as_ref().filter(|_| !request.method().is_safe());
        let creating = creating.map(|all| {
            let one = Arc::new(Creating::default());
            all.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&one));
            one
        });
        let response = self.pass_on(request, keyed, &options, creating.as_deref()).await;
        if let Some(one) = creating.filter(|_| has_created_nothing(&response)) {
            one.has_created_nothing.store(true, Ordering::SeqCst);
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
    /// could hide it.
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
            tracing::warn!(why, "body of a response withheld: it could hide the API key");
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
        let mut deadline = self.patience.deadline(now);
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
        response.map_err(|(code, failure)| {
            if let Some(failure) = failure {
                // Contains scheme, host, port and cause, but no path.
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

    #[test]
    fn an_entry_allows_its_scheme_host_and_port_and_nothing_else() {
        let list = AllowList::parse(["https://api.example", "http://127.0.0.1:8080"]).unwrap();
        for (uri, allowed) in [
            ("https://api.example/v1", true),
            ("https://API.example:443/", true),
            ("http://127.0.0.1:8080/", true),
            ("http://api.example/", false),
            ("https://api.example:444/", false),
            ("https://api.example.evil.example/", false),
            ("https://evil-api.example/", false),
            ("https://user@api.example/", false),
            ("https://api.example./", false),
            ("http://127.0.0.1/", false),
            ("http://127.0.0.2:8080/", false),
            ("ftp://api.example/", false),
        ] {
            assert_eq!(list.allows(&uri.parse().unwrap()), allowed, "{uri}");
        }
        assert!(!AllowList::deny_all().allows(&"https://api.example/".parse().unwrap()));
    }

    #[test]
    fn connect_deadline_follows_from_rest_of_call() {
        let ms = Duration::from_millis;
        let began = Moment::now();
        let later =
            |after| Moment { monotonic: began.monotonic + ms(after), wall: began.wall + ms(after) };
        let known = Patience { began: Some(began), ..Patience::new(ms(30_000), 3) };
        for (after, until) in [(0, 10_000), (10_100, 20_100), (20_300, 29_950), (29_960, 29_950)] {
            assert_eq!(known.deadline(later(after)), began.after(ms(until)), "{after}");
        }
        // The machine was suspended for an hour.
        let suspended = Moment { wall: began.wall + ms(3_600_000), ..later(10_100) };
        let deadline = known.deadline(suspended);
        assert_eq!(deadline.wall, began.wall + ms(29_950));
        // Three attempts of maximum duration fit, including the delays.
        for deadline in [1_500, 5_000, 30_000, 600_000] {
            for attempts in [1, 2, 3] {
                let patience = Patience::new(ms(deadline), attempts);
                let each = patience.deadline(began).monotonic - began.monotonic;
                let pauses = ms([0, 100, 300][attempts as usize - 1]);
                let all = each * attempts + pauses;
                assert!(all <= ms(deadline - 50), "{deadline} {attempts}: {all:?}");
                assert!(each >= ms(10_000).min(ms(deadline - 50) / (attempts + 1)));
            }
        }
    }

    #[test]
    fn an_entry_that_is_no_origin_is_refused() {
        for entry in
            ["", "api.example", "https://*.example", "https://api.example/v1", "https://a@b"]
        {
            assert!(AllowList::parse([entry]).is_err(), "{entry}");
        }
    }

    /// `2130706433` is a name for this host, but the system's resolver converts it to 127.0.0.1.
    /// `AllowList::parse` rejects the name; a DNS name could resolve to the same address.
    #[tokio::test]
    async fn an_allowed_name_that_stands_for_a_private_address_is_denied() {
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
    async fn interim_replies_without_end_end_the_request() {
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
        // The limit covers bytes that were in flight when the connection closed.
        let written = flood.await.unwrap();
        assert!(written < 64 * 1024 * 1024, "{written} bytes");
    }
}
