//! The server's checks of a request's origin: whether the host name is local, and why a proof of
//! origin fails.

use std::net::IpAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use http::request::Parts;
use http::uri::{Authority, Scheme};
use http::{HeaderValue, Request, Uri, Version, header};
use messaging_core::webhook::origin::Proofs;

/// Adds the authority `localhost` to the URI if neither the URI nor `Host` has a readable
/// authority. HTTP/1.0 allows such a request, but wasi:http requires an authority.
pub fn addressed<B>(request: Request<B>) -> Request<B> {
    let (mut head, body) = request.into_parts();
    let named = |host: &HeaderValue| host.to_str().is_ok();
    if head.uri.authority().is_none() && !head.headers.get(header::HOST).is_some_and(named) {
        let mut parts = head.uri.clone().into_parts();
        parts.scheme = Some(Scheme::HTTP);
        parts.authority = Some(Authority::from_static("localhost"));
        if let Ok(uri) = Uri::from_parts(parts) {
            head.uri = uri;
        }
    }
    Request::from_parts(head, body)
}

/// Returns the reason why a webhook without proofs of origin rejects a request; `None` if it
/// accepts the request.
///
/// A page in a browser on this machine can send requests to the webhook. If the page's host name
/// resolves to a loopback address, `Host` contains that host name. If the page posts a form to
/// another site, `Origin` contains the page's origin.
pub fn foreign(head: &Parts) -> Option<&'static str> {
    if head.headers.contains_key(header::ORIGIN) {
        return Some(
            "the request has an Origin header, which browser pages send; set a proof of origin",
        );
    }
    let host = match head.headers.get(header::HOST) {
        Some(host) => Authority::try_from(host.as_bytes()).ok(),
        // Browsers do not use HTTP/1.0.
        None if head.version < Version::HTTP_11 => return None,
        None => None,
    };
    let named = [host.as_ref(), head.uri.authority()];
    let is_local =
        host.is_some() && named.into_iter().flatten().all(|one| host_of(one).is_some_and(is_local));
    (!is_local).then_some("the request's Host is not a name of this machine; set a proof of origin")
}

/// Returns the host of an authority that has only a host and a port; otherwise `None`. The parser
/// also accepts other text after an IPv6 address.
pub fn host_of(authority: &Authority) -> Option<&str> {
    let host = authority.host();
    let rest = authority.as_str().strip_prefix(host)?;
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)).then_some(host)
}

/// Returns true if the host of a URL is `localhost` or a loopback address. Such a host always
/// refers to this machine.
pub fn is_local(host: &str) -> bool {
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || literal.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns the reason why a proof of origin fails for a delivery; `None` if all proofs hold. The
/// reason contains no header value.
pub fn unproved(proofs: &Proofs, head: &Parts, body: &[u8]) -> Option<String> {
    let path = head.uri.path_and_query().map_or("", |path| path.as_str());
    let header = |name: &str| {
        let values = head.headers.get_all(name).iter();
        values.map(|value| value.as_bytes().to_vec()).collect()
    };
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    proofs.refusal(path, header, body, now).map(|refusal| refusal.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;

    fn is_foreign(uri: &str, headers: &[(&str, &str)], version: Version) -> bool {
        let mut request = Request::post(uri).version(version);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        foreign(&request.body(()).unwrap().into_parts().0).is_some()
    }

    #[test]
    fn only_local_names_are_local() {
        let of = |host| is_foreign("/", &[("host", host)], Version::HTTP_11);
        for host in ["localhost", "LocalHost:1", "127.0.0.1", "127.9.9.9:80", "[::1]", "[::1]:80"] {
            assert!(!of(host), "{host}");
        }
        for host in ["", "localhost.", "a.localhost", "127.0.0.1.example", "10.0.0.1", "0.0.0.0"] {
            assert!(of(host), "{host}");
        }
        for host in ["[::1].example", "[::1]80", "[::1]:8x", "me@localhost"] {
            assert!(of(host), "{host}");
        }
        let local = ("host", "localhost");
        assert!(is_foreign("http://page.example/", &[local], Version::HTTP_11));
        assert!(is_foreign("/", &[local, ("origin", "null")], Version::HTTP_11));
        assert!(is_foreign("/", &[], Version::HTTP_11));
        assert!(!is_foreign("/", &[], Version::HTTP_10));
    }
}
