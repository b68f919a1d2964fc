//! Options and settings of the forwarder. They are parsed before a store or a connection is opened.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use http::Uri;
use messaging_inbox::{Kinds, Store};
use messaging_net::headers::{KeyHeader, SecretHeaders};
pub use messaging_server::forward::Options;
use messaging_server::forward::{Forwarder, SigningSecrets};

use super::parse::{http_url, is_open, kinds};
use super::settings::{FORWARD_HEADERS, FORWARD_SECRET, variable_of};
use super::setup::untrusted;
use super::text::printable;
use super::{Common, Failure};

#[derive(Args)]
pub struct Forward {
    /// POST each event to this URL until status 2xx or 410
    #[arg(long, value_name = "URL")]
    forward: Option<String>,
    /// Allow http: to another machine; anyone on the network can read events
    #[arg(long, requires = "forward")]
    forward_http: bool,
    /// Forward only events of this kind; repeatable
    ///
    /// Events of other kinds wait for other workers.
    #[arg(long, alias = "only", value_name = "KIND", requires = "forward", value_parser = NonEmptyStringValueParser::new())]
    forward_only: Vec<String>,
    /// Mark an event dead after N failures [default: never]
    #[arg(long, value_name = "N", requires = "forward")]
    forward_attempts: Option<NonZeroU32>,
    /// Send the event's key in this header too; repeatable
    #[arg(long, value_name = "HEADER", requires = "forward", value_parser = key_header)]
    forward_key_header: Vec<KeyHeader>,
    // Tests with `messaging-verify` kill servers, and cannot wait for leases of the usual duration.
    /// Duration of leases; the timeout of a request is half of it
    #[arg(long, hide = true, requires = "forward", value_name = "DURATION", value_parser = super::parse::duration)]
    forward_lease: Option<std::time::Duration>,
}

fn key_header(name: &str) -> Result<KeyHeader, String> {
    KeyHeader::parse(name).map_err(|error| error.to_string())
}

impl Forward {
    /// Returns the options of the forwarder, or `None` if events are not forwarded.
    pub fn options(&self, common: &Common) -> Result<Option<Options>, Failure> {
        let is_asked = self.forward.is_some();
        let headers = variable_of(FORWARD_HEADERS, "--forward", is_asked)?.unwrap_or_default();
        let secrets = variable_of(FORWARD_SECRET, "--forward", is_asked)?;
        let Some(url) = &self.forward else { return Ok(None) };
        let wrong =
            |name: &str, error: &dyn std::fmt::Display| Failure::Usage(format!("{name} {error}"));
        let headers =
            SecretHeaders::parse(&headers).map_err(|error| wrong(FORWARD_HEADERS, &error))?;
        let secrets = secrets.map(|text| SigningSecrets::parse(&text)).transpose();
        for name in self.forward_key_header.iter().map(KeyHeader::name) {
            if headers.has(name) {
                return Err(Failure::Usage(format!(
                    "{FORWARD_HEADERS} and --forward-key-header both set {name}; remove one of them"
                )));
            }
        }
        let options = Options::new(target(url, self.forward_http)?);
        let options = match self.forward_lease {
            Some(lease) => {
                Options { timeout: lease / 2, grace: lease / 2, longest_pause: lease, ..options }
            }
            None => options,
        };
        Ok(Some(Options {
            trust: common.trust(),
            attempts: self.forward_attempts,
            kinds: kinds(&self.forward_only),
            secrets: secrets.map_err(|error| wrong(FORWARD_SECRET, &error))?,
            headers,
            key_headers: self.forward_key_header.clone(),
            ..options
        }))
    }
}

/// Describes the forwarding in one line.
pub fn shown(options: &Options) -> String {
    // Omits the path and the query, because they can contain credentials.
    let authority = options.url.authority().map(ToString::to_string).unwrap_or_default();
    let which = match &options.kinds {
        Kinds::All => "each event".to_string(),
        Kinds::Only(kinds) => {
            let kinds: Vec<_> = kinds.iter().map(|kind| printable(kind)).collect();
            format!("each event of kind {}", kinds.join(" or "))
        }
    };
    let signed = if options.secrets.is_some() { ", signed as Standard Webhooks" } else { "" };
    format!("{which} is forwarded to {authority}{signed}")
}

/// Returns true if the URL leads to a listener at this address of this machine.
pub fn is_at(url: &Uri, listener: SocketAddr) -> bool {
    let default = if url.scheme_str() == Some("https") { 443 } else { 80 };
    let host = url.host().unwrap_or_default().trim_matches(['[', ']']);
    let own = listener.ip();
    let is_same = match host.parse::<IpAddr>() {
        Ok(address) => address == own || (address.is_loopback() && own.is_unspecified()),
        Err(_) => {
            host.eq_ignore_ascii_case("localhost") && (own.is_loopback() || own.is_unspecified())
        }
    };
    is_same && url.port_u16().unwrap_or(default) == listener.port()
}

/// Starts the forwarder.
pub fn start(store: &Store, options: Options) -> Result<Forwarder, Failure> {
    Forwarder::start(store.clone(), options).map_err(untrusted)
}

/// Parses the URL of --forward. Errors omit the URL, because it can contain a secret.
fn target(url: &str, in_clear_text: bool) -> Result<Uri, Failure> {
    let with_user = "contains a user or a password: remove the part between // and the host";
    let uri = http_url("--forward", url, with_user)?;
    if is_open(&uri) && !in_clear_text {
        return Err(Failure::Usage(
            "--forward is http: to another machine, so the network could read every event; use https:, or add --forward-http".into(),
        ));
    }
    if uri.query().is_some() {
        tracing::warn!(
            "the URL of --forward has a query; a token in the query would be visible in process lists and in the logs of servers and proxies; use MESSAGING_FORWARD_HEADERS"
        );
    }
    Ok(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_address_is_refused() {
        for (url, listener, is_own) in [
            ("http://localhost:9/", "127.0.0.1:9", true),
            ("http://127.0.0.1:9/hook", "0.0.0.0:9", true),
            ("https://[::1]/", "[::1]:443", true),
            ("http://127.0.0.1:8/", "127.0.0.1:9", false),
            ("http://127.0.0.2:9/", "127.0.0.1:9", false),
            ("http://192.0.2.1:9/", "0.0.0.0:9", false),
            ("http://engine.example:9/", "127.0.0.1:9", false),
        ] {
            assert_eq!(is_at(&url.parse().unwrap(), listener.parse().unwrap()), is_own, "{url}");
        }
    }
}
