//! Failed connections and failed requests, with their causes.

use std::borrow::Cow;
use std::fmt;

use http::Uri;
use rustls::CertificateError;

use crate::destination::Destination;

/// A failed connection. Nothing was sent. `Display` names the server and the reason.
#[derive(Clone, Debug)]
pub struct ConnectFailure {
    destination: String,
    cause: ConnectCause,
}

/// Reason why a connection failed.
#[derive(Clone, Debug)]
pub enum ConnectCause {
    /// The name could not be resolved. Contains the message of the operating system.
    NameNotFound(String),
    /// The name resolution took too long.
    NameTooSlow,
    /// The name resolves only to private addresses.
    PrivateAddress,
    /// The server refused the connection.
    Refused,
    /// There is no route to the address.
    Unroutable,
    /// The server did not accept the connection in time.
    TooSlow,
    /// The connection failed for another reason. Contains the message of the operating system or of
    /// the proxy.
    Unavailable(String),
    /// The certificate was rejected.
    Certificate(CertificateError),
    /// The server does not speak TLS.
    NoTls,
    /// The connection ended during the TLS handshake.
    HungUp,
    /// The TLS handshake took too long.
    HandshakeTooSlow,
    /// The TLS handshake failed for another reason.
    Handshake(rustls::Error),
    /// The deadline passed before the first byte of the request was written.
    TooLate,
}

impl ConnectFailure {
    /// Creates the failure of a connection for a request to `uri`.
    pub(crate) fn new(uri: &Uri, cause: ConnectCause) -> Self {
        let destination = Destination::of_uri(uri).map(|to| to.to_string()).unwrap_or_default();
        Self { destination, cause }
    }

    /// Returns the reason why the connection failed.
    pub fn cause(&self) -> &ConnectCause {
        &self.cause
    }
}

impl fmt::Display for ConnectFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = &self.destination;
        match &self.cause {
            ConnectCause::NameNotFound(why) => write!(f, "{to}: name not found: {why}"),
            ConnectCause::NameTooSlow => write!(f, "{to}: the name lookup took too long"),
            ConnectCause::PrivateAddress => {
                write!(f, "{to}: the name has only private addresses")
            }
            ConnectCause::Refused => write!(f, "{to} refused the connection"),
            ConnectCause::Unroutable => write!(f, "{to}: no route to this address"),
            ConnectCause::TooSlow => write!(f, "{to} did not accept the connection in time"),
            ConnectCause::Unavailable(why) => write!(f, "{to} cannot be connected to: {why}"),
            ConnectCause::Certificate(error) => {
                write!(f, "{to}: its certificate {}", rejected(error))
            }
            ConnectCause::NoTls => write!(f, "{to} does not speak TLS"),
            ConnectCause::HungUp => {
                write!(f, "{to} closed the connection during the TLS handshake")
            }
            ConnectCause::HandshakeTooSlow => {
                write!(f, "{to} did not complete the TLS handshake in time")
            }
            ConnectCause::Handshake(error) => write!(f, "{to}: the TLS handshake failed: {error}"),
            ConnectCause::TooLate => {
                write!(f, "{to}: the deadline passed before the request was written")
            }
        }
    }
}

impl std::error::Error for ConnectFailure {}

/// A request without a response. Only `NotConnected` and `Unavailable` prove that the request was
/// not sent.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RequestError {
    /// The connection failed. Nothing was sent.
    #[error(transparent)]
    NotConnected(ConnectFailure),
    /// The connection failed for an unknown reason.
    #[error("the connection failed: destination unavailable")]
    Unavailable,
    /// The response did not arrive in time.
    #[error("no answer in time")]
    Timeout,
    /// The response has more than 4,096 headers, or its head exceeds about 400 KiB.
    #[error("the connection broke: the response head is too large")]
    HeadTooLarge,
    /// The connection was closed before the end of the response head.
    #[error("the connection broke: incomplete HTTP response")]
    Incomplete,
    /// The connection broke before the response arrived.
    #[error("the connection broke: connection terminated")]
    Terminated,
    /// The response is not HTTP/1.1.
    #[error("the connection broke: the reply is not HTTP/1.1; a port with TLS needs https:")]
    Protocol,
}

/// Returns the reason why a certificate was rejected, as a predicate such as `has expired`.
fn rejected(error: &CertificateError) -> Cow<'static, str> {
    use CertificateError as Error;
    let reason = match error {
        Error::Expired | Error::ExpiredContext { .. } => "has expired",
        Error::NotValidYet | Error::NotValidYetContext { .. } => "is not valid yet",
        Error::NotValidForName | Error::NotValidForNameContext { .. } => "is for another name",
        Error::UnknownIssuer => "is from an untrusted authority",
        Error::BadSignature => "was not signed by the authority that it names",
        Error::Revoked => "was revoked",
        // rustls reports this cause only in the text of another error.
        Error::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "is that of an authority (CA:TRUE), not of a server; create a certificate with basicConstraints=CA:FALSE, or let this authority sign one"
        }
        other => return format!("is not accepted: {other}").into(),
    };
    reason.into()
}
