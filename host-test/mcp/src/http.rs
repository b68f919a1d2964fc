//! The tools over streamable HTTP, on the host's own server, which owns connections and limits.
//! Without sessions and streams: each POST is answered by itself, with JSON, and nothing is left of
//! a client that goes away.

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use messaging_host::Messaging;
use messaging_host::serve::{self, Answer, Answered, Peer, Reply, Service, Tokens, Why};

use crate::Tools;
use crate::protocol::{self, Failed, Message, RpcError};

/// The path of the one endpoint.
pub const PATH: &str = "/mcp";

/// Headers that repeat what is in the message, for those who route it.
const VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// The tools, as a service of the host's server.
pub struct Http<M> {
    tools: Tools<M>,
    tokens: Option<Tokens>,
    hosts: Vec<String>,
}

impl<M: Messaging + Send + 'static> Http<M> {
    /// The tools, for whoever has one of `tokens`, or for everybody who reaches it where there are
    /// none.
    ///
    /// A request's `Host` has to be a name of this machine or one of `hosts` (without ports), and
    /// it may have no `Origin`: a page in a browser, whose own name may be made to stand for this
    /// machine's address, has other ones.
    #[must_use]
    pub fn new(tools: Tools<M>, tokens: Option<Tokens>, hosts: Vec<String>) -> Self {
        Self { tools, tokens, hosts }
    }

    /// Returns why a request is not from a client of this server; `None` where it may be.
    fn foreign(&self, headers: &HeaderMap) -> Option<&'static str> {
        if headers.contains_key(header::ORIGIN) {
            return Some("it has an Origin, as a page in a browser sends it");
        }
        let mut named = headers.get_all(header::HOST).iter();
        let host = match (named.next(), named.next()) {
            (Some(host), None) => Authority::try_from(host.as_bytes()).ok(),
            _ => None,
        };
        let is_ours = host.is_some_and(|host| {
            let host = host.host();
            serve::is_local(host) || self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
        });
        (!is_ours).then_some("its Host is no name of this server; --host adds one")
    }

    async fn respond(&self, request: Request<Bytes>) -> Result<Response<Full<Bytes>>, Refusal> {
        let (head, body) = request.into_parts();
        if let Some(why) = self.foreign(&head.headers) {
            return Err(Refusal { status: StatusCode::FORBIDDEN, text: why, special: None });
        }
        if self.tokens.as_ref().is_some_and(|tokens| !tokens.admit(&head.headers)) {
            return Err(Refusal {
                status: StatusCode::UNAUTHORIZED,
                text: "send one Authorization: Bearer header with this server's token",
                special: Some((header::WWW_AUTHENTICATE, "Bearer")),
            });
        }
        if head.uri.path() != PATH {
            return Err(Refusal::new(StatusCode::NOT_FOUND, "the endpoint is /mcp"));
        }
        if head.method != Method::POST {
            return Err(Refusal {
                status: StatusCode::METHOD_NOT_ALLOWED,
                text: "use POST: there are no streams and no sessions",
                special: Some((header::ALLOW, "POST")),
            });
        }
        // A form of another site cannot have it without asking first.
        let kind = value(&head.headers, header::CONTENT_TYPE.as_str()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            let text = "Content-Type is not application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
        }
        let request = match protocol::parse(&body) {
            Ok(Message::Request(request)) => request,
            Ok(Message::Ignored) => {
                let mut response = Response::new(Full::default());
                *response.status_mut() = StatusCode::ACCEPTED;
                return Ok(response);
            }
            Err(response) => return Ok(json(response)),
        };
        match contradiction(&head.headers, &request) {
            Some(error) => Ok(json(request.refuse(error))),
            None => Ok(json(request.answer(&self.tools).await)),
        }
    }
}

/// Returns what the headers say otherwise than the message.
fn contradiction(headers: &HeaderMap, request: &protocol::Request) -> Option<RpcError> {
    let version = value(headers, VERSION);
    let Some(own) = request.version() else {
        // It may have been agreed on before; and `initialize` agrees on one.
        let unknown = version.filter(|version| !protocol::is_known(version))?;
        return Some(RpcError::header(format!("the revision {unknown} is not supported")));
    };
    let expected = [(VERSION, Some(own)), (METHOD, Some(&*request.method)), (NAME, request.name())];
    let (name, _) = expected
        .into_iter()
        .find(|(name, expected)| expected.is_some() && value(headers, name) != *expected)?;
    Some(RpcError::header(format!("the header {name} is missing, or contradicts the message")))
}

/// The value of a header that is there once.
fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn json(answer: protocol::Response) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(answer.body.to_string())));
    *response.status_mut() = match answer.error {
        None | Some(Failed::InBand) => StatusCode::OK,
        Some(Failed::Malformed) => StatusCode::BAD_REQUEST,
        Some(Failed::NoSuchMethod) => StatusCode::NOT_FOUND,
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A request that is refused before its message is looked at.
struct Refusal {
    status: StatusCode,
    text: &'static str,
    special: Option<(header::HeaderName, &'static str)>,
}

impl Refusal {
    fn new(status: StatusCode, text: &'static str) -> Self {
        Self { status, text, special: None }
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Self {
        let mut response = Response::new(Full::new(Bytes::from_static(refusal.text.as_bytes())));
        *response.status_mut() = refusal.status;
        let kind = (header::CONTENT_TYPE, "text/plain; charset=utf-8");
        for (name, value) in [kind].into_iter().chain(refusal.special) {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        let why = match refusal.status {
            // Somebody may be guessing.
            StatusCode::UNAUTHORIZED => Why::OfStranger(refusal.text.into()),
            _ => Why::ForDebugging(refusal.text.into()),
        };
        Self { response, why: Some(why), proved: false }
    }
}

impl<M: Messaging + Send + 'static> Service for Http<M> {
    fn answer(&self, request: Request<Bytes>, _: Peer) -> BoxFuture<'_, Reply> {
        Box::pin(async move {
            match self.respond(request).await {
                Ok(response) => Reply { proved: true, ..response.into() },
                Err(refusal) => refusal.into(),
            }
        })
    }

    fn refuse(&self, answer: &Answer) -> Response<Full<Bytes>> {
        let text = match answer {
            Answer::NotKept => {
                "as many calls as may be are under way; the same call again, later, is safe"
            }
            Answer::TooLarge => "a message has at most 1 MiB",
            Answer::TooSlow => "the request did not come in time",
            _ => "the request is none that can be read in one way",
        };
        let status = StatusCode::from_u16(answer.status());
        let special =
            answer.header().map(|(name, value)| (header::HeaderName::from_static(name), value));
        let status = status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        Reply::from(Refusal { status, text, special }).response
    }

    fn log(&self, answered: &Answered) {
        serve::log("mcp", answered);
    }
}
