//! Proxies for requests, configured in the environment.

use std::net::IpAddr;
use std::sync::Arc;

use http::Uri;
use http::uri::Scheme;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};

use crate::names::host_of;
use crate::names::is_localhost;

/// Proxies for HTTPS. A request goes through a tunnel (`CONNECT`, RFC 9110, section 9.3.6): the
/// proxy sees only the name and the port of the destination, and resolves the name. Requests to
/// this machine use no proxy.
#[derive(Clone)]
pub struct Proxies {
    matcher: Arc<Matcher>,
    /// Error if the first variable that is set does not name a usable proxy.
    unusable: Option<ProxyError>,
}

/// A variable of the environment that does not name a usable proxy. The error does not contain the
/// value of the variable, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} is not a usable proxy; write http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, with % codes for special characters"
)]
pub struct ProxyError(&'static str);

impl Proxies {
    /// Reads `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, also in lower case. Only HTTP proxies are
    /// usable.
    pub fn from_environment() -> Self {
        let names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
        let set = |name| Some((name, std::env::var_os(name).filter(|value| !value.is_empty())?));
        // The first variable that is set names the proxy.
        let unusable = match names.into_iter().find_map(set) {
            Some((name, value)) if !value.to_str().is_some_and(is_http_proxy) => {
                Some(ProxyError(name))
            }
            _ => None,
        };
        let matcher = match unusable {
            None => Matcher::from_env(),
            // `Matcher::from_env` would ignore the variable. This placeholder matches the requests
            // that need the unusable proxy. No connection uses the placeholder.
            Some(_) => {
                let exceptions = ["NO_PROXY", "no_proxy"].map(|name| std::env::var(name).ok());
                let no_proxy = exceptions.into_iter().flatten().next();
                let builder = Matcher::builder().https("http://unusable.invalid");
                builder.no(no_proxy.unwrap_or_default()).build()
            }
        };
        Self { matcher: Arc::new(matcher), unusable }
    }

    /// Checks that a request to `uri` can be sent: without a proxy or through a usable proxy.
    ///
    /// # Errors
    /// Returns `ProxyError` if the request needs a proxy that is not usable.
    pub fn check(&self, uri: &Uri) -> Result<(), ProxyError> {
        self.of(uri).map(drop)
    }

    /// Returns the proxy for a request to `uri`; `None` if the request needs no proxy.
    pub(crate) fn of(&self, uri: &Uri) -> Result<Option<Intercept>, ProxyError> {
        let host = host_of(uri);
        let is_local = || match host.parse::<IpAddr>() {
            Ok(address) => address.is_loopback(),
            Err(_) => is_localhost(host),
        };
        let is_tunneled = uri.scheme() == Some(&Scheme::HTTPS) && !is_local();
        match (is_tunneled.then(|| self.matcher.intercept(uri)).flatten(), self.unusable) {
            (Some(_), Some(unusable)) => Err(unusable),
            (proxy, _) => Ok(proxy),
        }
    }
}

/// Returns true if `text` is the URL of an HTTP proxy, with or without a scheme.
fn is_http_proxy(text: &str) -> bool {
    let text = text.strip_prefix("http://").unwrap_or(text);
    let Ok(authority) = text.strip_suffix('/').unwrap_or(text).parse::<http::uri::Authority>()
    else {
        return false;
    };
    let (user, address) = authority.as_str().rsplit_once('@').unwrap_or(("", authority.as_str()));
    let has_port = address.len() == authority.host().len() || authority.port_u16().is_some();
    !user.contains('@') && !authority.host().is_empty() && has_port
}
