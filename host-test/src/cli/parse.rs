//! Parsers of options that several commands have.

use std::net::SocketAddr;
use std::time::Duration;

use http::Uri;
use messaging_inbox::{Kinds, Store};
use messaging_server::serve::is_local;

use super::Failure;

/// Parses a duration such as `90s`.
pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| format!("{error}; write 90s, 5m or 7d"))
}

/// Parses a duration of at least `least`.
pub fn at_least(text: &str, least: Duration, advice: &str) -> Result<Duration, String> {
    let found = duration(text)?;
    (found >= least).then_some(found).ok_or_else(|| advice.into())
}

/// Parses a duration of at least 1 ms.
pub fn some_time(text: &str) -> Result<Duration, String> {
    at_least(text, Duration::from_millis(1), "is shorter than 1ms; write 90s, 5m or 7d")
}

/// Parses the duration of a lease.
pub fn lease_time(text: &str) -> Result<Duration, String> {
    let time = some_time(text)?;
    if time > Store::LONGEST_LEASE {
        return Err("is longer than 12h, the longest lease".into());
    }
    Ok(time)
}

/// Parses the retention of keys. `inbox.wit` defines the minimum.
pub fn keep(text: &str) -> Result<Duration, String> {
    at_least(
        text,
        Store::RETENTION,
        "is shorter than 7d: a redelivery after this time would be a new event; use `inbox prune` to delete events earlier",
    )
}

/// Returns the event kinds with these names. Without names, returns all kinds.
pub fn kinds(names: &[String]) -> Kinds {
    match names {
        [] => Kinds::All,
        only => Kinds::Only(only.iter().cloned().collect()),
    }
}

/// Parses an address to listen on.
pub fn address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "not an IP address with a port; write for example 127.0.0.1:8088")
}

/// Parses the URL of an option. Errors omit the URL, because it can contain a secret. `with_user`
/// is the error for a URL with a user or a password, which process lists would show.
pub fn http_url(option: &str, url: &str, with_user: &str) -> Result<Uri, Failure> {
    let usage = |what: &str| Failure::Usage(format!("{option} {what}"));
    let uri: Uri = url.parse().map_err(|_| usage("is not a URL"))?;
    let Some(host) = uri.host().filter(|_| matches!(uri.scheme_str(), Some("http" | "https")))
    else {
        return Err(usage("is not an http or https URL"));
    };
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(usage(with_user));
    }
    // `Uri` accepts an invalid port, and returns no port for it.
    let written = uri.authority().and_then(|authority| authority.as_str().strip_prefix(host));
    if written.is_some_and(|port| !port.is_empty()) && uri.port_u16().unwrap_or(0) == 0 {
        return Err(usage("has an invalid port; use 1 to 65535"));
    }
    Ok(uri)
}

/// Returns true for `http:` to another machine. The network can read all data of such requests.
pub fn is_open(uri: &Uri) -> bool {
    uri.scheme_str() == Some("http") && !uri.host().is_some_and(is_local)
}
