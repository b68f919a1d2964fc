//! A case: settings, a call, and the responses of the service.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use wasmtime_wasi_http::Error;

use messaging_host::wit;

/// API key of the cases. No outcome may contain it.
pub const KEY: &str = "canary-key-4d1f0c8e";

/// Settings, a call, and the responses of the service.
#[derive(Clone, Debug)]
pub struct Case {
    pub(super) settings: Settings,
    pub(super) call: Call,
    /// One answer per request. The last answer is repeated.
    pub(super) answers: Vec<Answer>,
}

impl Case {
    /// Returns true if the call uses [`KEY`]. Events are parsed without a key.
    pub(super) fn holds_the_key(&self) -> bool {
        match (&self.call, &self.settings) {
            (Call::Event(_), _) => false,
            (_, Settings::Profile(_)) => true,
            (_, Settings::Own(variables)) => variables.iter().any(|(_, value)| value == KEY),
        }
    }
}

/// The settings of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Settings {
    /// Index in [`PROFILES`]. Cases with this profile share an instance.
    Profile(usize),
    /// Arbitrary variables, usually with the API key.
    Own(Vec<(String, String)>),
}

/// Settings of many cases.
#[derive(Debug)]
pub(super) struct Profile {
    pub variables: &'static [(&'static str, &'static str)],
    /// True if the component gets a placeholder, and the host inserts the API key.
    pub guarded: bool,
    /// Origins that requests may reach.
    pub allowed: &'static [&'static str],
}

/// Index of a profile with one attempt.
pub(super) const ONCE: usize = 0;
/// Index of a profile with one attempt, in which the host holds the API key.
pub(super) const GUARDED: usize = 1;
/// Index of a profile with several attempts.
pub(super) const LONG_DEADLINE: usize = 2;
/// Index of a profile whose deadline comes before any reply.
pub(super) const SHORT_DEADLINE: usize = 3;
/// Index of a profile for small replies and short messages.
pub(super) const SMALL: usize = 4;
/// Index of a profile in which the host allows no request to the service.
pub(super) const SHUT: usize = 5;

pub(super) const PROFILES: [Profile; 6] = [
    Profile {
        variables: &[
            ("MESSAGING_BASE_URL", "https://api.example/prefix/"),
            ("MESSAGING_MAX_ATTEMPTS", "1"),
        ],
        guarded: false,
        allowed: &["https://api.example"],
    },
    Profile {
        variables: &[
            ("MESSAGING_BASE_URL", "http://127.0.0.1:8080"),
            ("MESSAGING_MAX_ATTEMPTS", "1"),
        ],
        guarded: true,
        allowed: &["http://127.0.0.1:8080"],
    },
    Profile {
        variables: &[("MESSAGING_BASE_URL", "https://[::1]:8443")],
        guarded: false,
        allowed: &["https://[::1]:8443"],
    },
    Profile {
        variables: &[
            ("MESSAGING_BASE_URL", "https://api.example"),
            ("MESSAGING_MAX_ATTEMPTS", "1"),
            // Not shorter, because the load of the machine must not change the steps before the
            // deadline.
            ("MESSAGING_DEADLINE_MS", "1000"),
        ],
        guarded: false,
        allowed: &["https://api.example"],
    },
    Profile {
        variables: &[
            ("MESSAGING_BASE_URL", "https://api.example"),
            ("MESSAGING_MAX_ATTEMPTS", "1"),
            ("MESSAGING_MAX_REPLY_BYTES", "1024"),
            ("MESSAGING_MAX_MESSAGE_BYTES", "40"),
        ],
        guarded: false,
        allowed: &["https://api.example"],
    },
    Profile {
        variables: &[("MESSAGING_BASE_URL", "https://api.example")],
        guarded: true,
        allowed: &["https://other.example", "http://api.example"],
    },
];

/// A call with its argument.
#[derive(Clone, Debug)]
pub(super) enum Call {
    Send(wit::MessageRequest),
    List(wit::TemplateQuery),
    Event(wit::WebhookDelivery),
}

/// The answer of the service to a request.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// A failed connection, as an index in [`FAILURES`].
    Failure(usize),
    /// No response.
    Silence,
    /// An HTTP response.
    Reply(Reply),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub pieces: Vec<Bytes>,
    pub end: End,
    /// True if the reader must wait for each piece.
    pub dawdles: bool,
    /// True if the service does not read the body of the request.
    pub early: bool,
}

/// The end of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    #[default]
    Whole,
    /// An error, as an index in [`BREAKS`].
    Broken(usize),
    /// No more bytes, and no end.
    Silent,
}

/// Errors that this host's connections report for a request.
pub(super) const FAILURES: [fn() -> Error; 12] = [
    || Error::DnsError { rcode: None, info_code: None },
    || Error::DestinationUnavailable,
    || Error::DestinationIpUnroutable,
    || Error::ConnectionRefused,
    || Error::ConnectionTimeout,
    || Error::TlsProtocolError,
    || Error::TlsCertificateError,
    || Error::ConnectionTerminated,
    || Error::ConnectionReadTimeout,
    || Error::HttpResponseIncomplete,
    || Error::HttpResponseTimeout,
    || Error::HttpProtocolError,
];

/// Number of failures at the start of [`FAILURES`] that prove that nothing was sent.
pub(super) const PROOFS: usize = 7;

/// Errors that can end a body early.
pub(super) const BREAKS: [fn() -> Error; 4] = [
    || Error::ConnectionTerminated,
    || Error::ConnectionReadTimeout,
    || Error::HttpResponseIncomplete,
    || Error::HttpProtocolError,
];

impl Reply {
    /// Creates a reply with the first 64 headers. Omits headers that HTTP does not allow.
    pub fn new(status: u16, headers: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>) -> Self {
        let mut reply = Self {
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::OK),
            ..Self::default()
        };
        for (name, value) in headers.into_iter().take(64) {
            let name = HeaderName::from_bytes(&name);
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(&value)) {
                reply.headers.append(name, value);
            }
        }
        reply
    }

    /// Sets the body, in pieces of at most `size` bytes.
    pub fn body(mut self, body: &[u8], size: usize) -> Self {
        self.pieces = body.chunks(size.max(1)).map(Bytes::copy_from_slice).collect();
        self
    }
}
