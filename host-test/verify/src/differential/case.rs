//! One case: settings, a call, and what the service answers.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use wasmtime_wasi_http::Error;

use messaging_host::plugin::wit;

/// The key of every case. No outcome may show it.
pub const KEY: &str = "canary-key-4d1f0c8e";

/// One call, and the service that it meets.
#[derive(Clone, Debug)]
pub struct Case {
    pub(super) settings: Settings,
    pub(super) call: Call,
    /// One for each request; the last one answers all that follow.
    pub(super) answers: Vec<Answer>,
}

impl Case {
    /// Whether the call knows the key, and that is [`KEY`]: an event is kept as it came.
    pub(super) fn holds_the_key(&self) -> bool {
        match (&self.call, &self.settings) {
            (Call::Event(_), _) => false,
            (_, Settings::Profile(_)) => true,
            (_, Settings::Own(variables)) => variables.iter().any(|(_, value)| value == KEY),
        }
    }
}

/// Settings of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Settings {
    /// One of [`PROFILES`], so that its instance is used again.
    Profile(usize),
    /// Anything, the key among it.
    Own(Vec<(String, String)>),
}

/// Settings that many cases share.
#[derive(Debug)]
pub(super) struct Profile {
    pub variables: &'static [(&'static str, &'static str)],
    /// Whether the component gets a placeholder, and the host puts the key in.
    pub guarded: bool,
    /// Servers that requests may reach.
    pub allowed: &'static [&'static str],
}

/// One attempt.
pub(super) const ONCE: usize = 0;
/// One attempt, without the key.
pub(super) const GUARDED: usize = 1;
/// Several attempts, with time for each.
pub(super) const PATIENT: usize = 2;
/// The deadline comes before any reply.
pub(super) const HURRIED: usize = 3;
/// Small replies, short messages.
pub(super) const SMALL: usize = 4;
/// The host lets nothing out.
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
            // Far enough that a busy machine does not decide what came before it.
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

/// A call, with its argument.
#[derive(Clone, Debug)]
pub(super) enum Call {
    Send(wit::MessageRequest),
    List(wit::TemplateQuery),
    Event(wit::WebhookDelivery),
}

/// The service's answer to a request.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// It is never reached, or never heard of again: one of [`FAILURES`].
    Failure(usize),
    /// Nothing comes.
    Silence,
    /// A reply.
    Reply(Reply),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub pieces: Vec<Bytes>,
    pub end: End,
    /// Whether each piece lets the reader wait.
    pub dawdles: bool,
    /// Whether the request's body is left unread.
    pub early: bool,
}

/// End of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    #[default]
    Whole,
    /// One of [`BREAKS`].
    Broken(usize),
    /// Nothing more comes, and no end.
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

/// Number of [`FAILURES`] that prove that nothing was sent. They come first.
pub(super) const PROOFS: usize = 7;

/// Errors that can end a body early.
pub(super) const BREAKS: [fn() -> Error; 4] = [
    || Error::ConnectionTerminated,
    || Error::ConnectionReadTimeout,
    || Error::HttpResponseIncomplete,
    || Error::HttpProtocolError,
];

impl Reply {
    /// A reply with those headers that HTTP can carry.
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

    /// With this body, in pieces of at most `size` bytes.
    pub fn body(mut self, body: &[u8], size: usize) -> Self {
        self.pieces = body.chunks(size.max(1)).map(Bytes::copy_from_slice).collect();
        self
    }
}
