//! The arguments of a simulated service that runs alone, for the program of this crate and
//! for others.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use http::HeaderValue;

use crate::service::signing::{BadSecret, Encoding, Scheme};
use crate::service::{Ledger, Options, Signing};

/// The variables with the secrets: the webhook's own, so that one shell can start both.
const SECRET: &str = "MESSAGING_WEBHOOK_SIGNATURE_SECRET";
const SECRET_NEXT: &str = "MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT";

/// Why deliveries cannot be signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSecret {
    /// There is none.
    #[error("--sign needs a secret; set MESSAGING_WEBHOOK_SIGNATURE_SECRET")]
    Missing,
    /// It is none of its scheme.
    #[error(transparent)]
    Bad(#[from] BadSecret),
}

/// Run the simulated service alone, to develop against it
///
/// It implements the interface specification, and keeps a ledger of the requests that it
/// received. Where the specification has a gap, the simulation chooses: error bodies, the
/// page parameter, the retry schedule.
///
/// Recipients with the country code 999 make it misbehave:
///   +99900000NNN  answers with status NNN, and creates nothing
///   +99900001NNN  creates the message, then answers with status NNN
///   +99900002000  creates the message, then closes without a reply
///   +99900002001  creates the message, then breaks off in its reply
///   +99900002002  creates the message, then never answers
///   +99900002003  creates the message, and answers without an identifier
///   +99900002004  creates the message, and redirects
///
/// Beside the service's own paths there are GET /_simulator/ledger and POST
/// /_simulator/events (deliver an event to the webhook).
///
/// With --sign deliveries are signed by MESSAGING_WEBHOOK_SIGNATURE_SECRET, the variable of
/// the webhook. Where the scheme carries several signatures, MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT
/// adds a second one.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Address and port to listen on
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// API key to accept
    #[arg(long, default_value = "simulated-key")]
    key: String,
    /// URL to which events are delivered
    #[arg(long, value_name = "URL")]
    webhook: Option<String>,
    /// Sign deliveries in this scheme
    #[arg(long, value_name = "SCHEME", requires = "webhook")]
    sign: Option<Scheme>,
    /// How a signature is written; standard-webhooks is always in Base64
    #[arg(long, default_value = "hex", value_name = "ENCODING", requires = "sign")]
    sign_encoding: Encoding,
    /// Number of templates on a page
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    page_size: u16,
    /// Name of the page parameter
    #[arg(long, default_value = "page", value_name = "NAME")]
    page_parameter: String,
    /// Delay of each answer, in milliseconds
    #[arg(long, default_value_t = 0, value_name = "MS")]
    latency_ms: u64,
    /// Origin whose pages may call the service from a browser, or *; none unless given
    #[arg(long, value_name = "ORIGIN")]
    cors: Option<HeaderValue>,
    /// Keep the messages in this file as well, a line of JSON each, and go on with those that are
    /// in it: the service can be killed and started again, and forgets none
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Keep no ledger: memory stays constant in a long load test
    #[arg(long)]
    forget: bool,
}

impl Arguments {
    /// The options that were asked for, with the secrets of the environment.
    ///
    /// # Errors
    /// There is no secret to sign by, or none of its scheme.
    pub fn options(&self) -> Result<Options, NoSecret> {
        Ok(Options {
            address: self.listen,
            page_size: self.page_size.into(),
            page_parameter: self.page_parameter.clone(),
            latency: Duration::from_millis(self.latency_ms),
            webhook: self.webhook.clone(),
            signing: self.sign.map(|scheme| self.signing(scheme)).transpose()?,
            cors: self.cors.clone(),
            keeps_ledger: !self.forget,
            ledger_file: self.ledger.clone(),
            ..Options::new(&self.key)
        })
    }

    fn signing(&self, scheme: Scheme) -> Result<Signing, NoSecret> {
        let read = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let secret = read(SECRET).ok_or(NoSecret::Missing)?;
        let second = read(SECRET_NEXT);
        Ok(Signing::new(scheme, self.sign_encoding, &secret, second.as_deref())?)
    }

    /// The address that was asked for.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listen
    }

    /// The one key that is accepted.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Returns one line about the requests and messages of a ledger.
#[must_use]
pub fn summary(ledger: &Ledger) -> String {
    let (requests, messages) = (ledger.requests.len(), ledger.messages.len());
    format!("{requests} requests, {messages} messages created")
}
