//! Command-line arguments of the simulated service, shared by this crate's program and by other
//! programs.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use http::{HeaderName, HeaderValue};

use crate::service::signing::{BadSecret, Encoding, Scheme};
use crate::service::{Ledger, Options, Signing};

// The names equal the names of the webhook's settings, because one shell may start both programs.
const SECRET: &str = "MESSAGING_WEBHOOK_SIGNATURE_SECRET";
const SECRET_NEXT: &str = "MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT";
const SIGNATURE_HEADER: &str = "MESSAGING_WEBHOOK_SIGNATURE_HEADER";
const SIGNATURE_PREFIX: &str = "MESSAGING_WEBHOOK_SIGNATURE_PREFIX";
const TIMESTAMP_HEADER: &str = "MESSAGING_WEBHOOK_TIMESTAMP_HEADER";
const HEADER_SECRET: &str = "MESSAGING_WEBHOOK_HEADER_SECRET";
const HEADER: &str = "MESSAGING_WEBHOOK_HEADER";

/// Reason why deliveries cannot prove their origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoProof {
    /// A required setting is missing.
    #[error("{option} needs a secret; set {setting}")]
    Missing {
        /// The option that needs the setting.
        option: &'static str,
        /// The setting's name.
        setting: &'static str,
    },
    /// A setting is not UTF-8, or not valid in a header.
    #[error("{0} is not UTF-8, or not valid in a header")]
    Invalid(&'static str),
    /// A setting cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// A secret does not have the format that its scheme requires.
    #[error(transparent)]
    Secret(#[from] BadSecret),
}

/// Run the simulated service, to develop against it
///
/// The service implements the interface specification and keeps a ledger of received requests and
/// created messages. Choices of the simulation fill the gaps in the specification: error bodies,
/// the page parameter, the retry schedule.
///
/// Recipients with the country code 999 make the service misbehave:
///   +99900000NNN  answers with status NNN, and creates nothing
///   +99900001NNN  creates the message, then answers with status NNN
///   +99900002000  creates the message, then closes without a reply
///   +99900002001  creates the message, then breaks off in its reply
///   +99900002002  creates the message, then never answers
///   +99900002003  creates the message, and answers without an identifier
///   +99900002004  creates the message, and redirects
///
/// Two further paths: GET /_simulator/ledger returns the ledger, and POST /_simulator/events
/// delivers an event to the webhook.
///
/// Proofs of origin use the webhook's own settings. --sign signs with
/// MESSAGING_WEBHOOK_SIGNATURE_SECRET, and with MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT if the
/// scheme carries several signatures. MESSAGING_WEBHOOK_SIGNATURE_HEADER and
/// MESSAGING_WEBHOOK_TIMESTAMP_HEADER name the headers. MESSAGING_WEBHOOK_SIGNATURE_PREFIX is the
/// text before the signature. --header-secret sends MESSAGING_WEBHOOK_HEADER_SECRET in the header
/// that MESSAGING_WEBHOOK_HEADER names [X-Webhook-Secret].
///
/// If a delivery fails, POST /_simulator/events answers with the reason.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Address and port to listen on
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// Serve HTTPS with this certificate chain (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Private key of --tls-cert (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// API key to accept
    #[arg(long, default_value = "simulated-key")]
    key: String,
    /// Deliver events to this URL
    #[arg(long, value_name = "URL")]
    webhook: Option<String>,
    /// Deliver one event to --webhook and exit; fails without a 200
    #[arg(long, requires = "webhook", conflicts_with = "listen")]
    deliver_one: bool,
    /// Sign deliveries in this scheme
    #[arg(long, value_name = "SCHEME", requires = "webhook")]
    sign: Option<Scheme>,
    /// Encoding of signatures; standard-webhooks always uses Base64
    #[arg(long, default_value = "hex", value_name = "ENCODING", requires = "sign")]
    sign_encoding: Encoding,
    /// Send the header secret with each delivery
    #[arg(long, requires = "webhook")]
    header_secret: bool,
    /// Number of templates on a page
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    page_size: u16,
    /// Name of the page parameter
    #[arg(long, default_value = "page", value_name = "NAME")]
    page_parameter: String,
    /// Delay of each answer, in milliseconds
    #[arg(long, default_value_t = 0, value_name = "MS")]
    latency_ms: u64,
    /// Allow pages of this origin to call the service; * allows all
    #[arg(long, value_name = "ORIGIN")]
    cors: Option<HeaderValue>,
    /// Keep the messages in this file too, across restarts
    ///
    /// The file has a line of JSON for each message.
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Keep no ledger, for long load tests
    #[arg(long)]
    forget: bool,
}

impl Arguments {
    /// Returns the options of the service. `ca_file` contains the trusted certificate authorities
    /// for the webhook; `None` trusts the public authorities.
    ///
    /// `read` returns the value of a setting.
    ///
    /// # Errors
    /// Returns [`NoProof`] if a setting of a proof of origin is missing or invalid.
    pub fn options(&self, ca_file: Option<PathBuf>, read: Read<'_>) -> Result<Options, NoProof> {
        let setting = |name| Ok(read(name)?.filter(|value| !value.is_empty()));
        Ok(Options {
            address: self.address(),
            tls: self.tls_cert.clone().zip(self.tls_key.clone()),
            page_size: self.page_size.into(),
            page_parameter: self.page_parameter.clone(),
            latency: Duration::from_millis(self.latency_ms),
            webhook: self.webhook.clone(),
            ca_file,
            signing: self.sign.map(|scheme| self.signing(scheme, &setting)).transpose()?,
            webhook_header: self.header_secret.then(|| header(&setting)).transpose()?,
            cors: self.cors.clone(),
            keeps_ledger: !self.forget,
            ledger_file: self.ledger.clone(),
            ..Options::new(&self.key)
        })
    }

    fn signing(&self, scheme: Scheme, setting: Read<'_>) -> Result<Signing, NoProof> {
        let missing = NoProof::Missing { option: "--sign", setting: SECRET };
        let secret = setting(SECRET)?.ok_or(missing)?;
        let second = setting(SECRET_NEXT)?;
        let mut signing = Signing::new(scheme, self.sign_encoding, &secret, second.as_deref())?;
        for (name, value) in [
            (SIGNATURE_HEADER, &mut signing.header),
            (TIMESTAMP_HEADER, &mut signing.timestamp_header),
        ] {
            if let Some(set) = setting(name)? {
                HeaderName::try_from(&set).map_err(|_| NoProof::Invalid(name))?;
                *value = set;
            }
        }
        if let Some(prefix) = setting(SIGNATURE_PREFIX)? {
            HeaderValue::try_from(&prefix).map_err(|_| NoProof::Invalid(SIGNATURE_PREFIX))?;
            signing.prefix = prefix;
        }
        Ok(signing)
    }

    /// Returns the address of `--listen`. With `--deliver-one`, returns a loopback address with
    /// port 0, because no client connects.
    pub fn address(&self) -> SocketAddr {
        match self.deliver_one {
            true => SocketAddr::from(([127, 0, 0, 1], 0)),
            false => self.listen,
        }
    }

    /// Returns true for `--deliver-one`.
    pub fn delivers_one(&self) -> bool {
        self.deliver_one
    }

    /// Returns the API key that the service accepts.
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// A function that returns the value of a setting.
pub type Read<'a> = &'a dyn Fn(&'static str) -> Result<Option<String>, NoProof>;

/// Returns the value of an environment variable.
///
/// # Errors
/// Returns [`NoProof::Invalid`] if the value is not UTF-8.
pub fn variable(name: &'static str) -> Result<Option<String>, NoProof> {
    let value = std::env::var_os(name).map(std::ffi::OsString::into_string).transpose();
    value.map_err(|_| NoProof::Invalid(name))
}

/// Returns the header that proves the origin of a delivery by a secret.
fn header(setting: Read<'_>) -> Result<(HeaderName, HeaderValue), NoProof> {
    let missing = NoProof::Missing { option: "--header-secret", setting: HEADER_SECRET };
    let secret = setting(HEADER_SECRET)?.ok_or(missing)?;
    let mut value = HeaderValue::try_from(secret).map_err(|_| NoProof::Invalid(HEADER_SECRET))?;
    value.set_sensitive(true);
    let name = setting(HEADER)?.unwrap_or_else(|| "x-webhook-secret".into());
    Ok((HeaderName::try_from(name).map_err(|_| NoProof::Invalid(HEADER))?, value))
}

/// Returns one line with the number of requests and created messages in a ledger.
pub fn summary(ledger: &Ledger) -> String {
    let (requests, messages) = (ledger.requests.len(), ledger.created);
    format!("{requests} requests, {messages} messages created")
}
