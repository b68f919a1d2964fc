//! The service's base URL: scheme, host, port and path prefix. Every request is sent below this
//! URL.

use alloc::string::{String, ToString};
use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};

use crate::digits::whole_number;
use crate::error::InvalidOrigin;
use crate::limits::MAX_BASE_URL_BYTES;

/// The scheme of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// `http`, without encryption.
    Http,
    /// `https`.
    Https,
}

impl Scheme {
    /// Returns the scheme's name in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// A parsed base URL (section 1: "All paths below are relative to it").
///
/// Accepted: `https://host`, `http://host`, a port from 1 to 65535, a path prefix, a trailing
/// slash. The host is an ASCII name, an IPv4 address in dotted-decimal form, or an IPv6 address in
/// brackets.
///
/// Rejected: user name and password, query, fragment, empty or dot segments, international names
/// that are not in `xn--` form, a trailing dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: Scheme,
    authority: String,
    prefix: String,
    loopback: bool,
}

impl Origin {
    /// Parses a base URL.
    ///
    /// # Errors
    /// Returns `InvalidOrigin` with the reason. The reason never contains the value, which may
    /// include a password.
    pub fn parse(text: &str) -> Result<Self, InvalidOrigin> {
        Self::read(text).map_err(InvalidOrigin)
    }

    fn read(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            return Err("is empty");
        }
        if text.len() > MAX_BASE_URL_BYTES {
            return Err("is longer than 2048 bytes");
        }
        if !text.is_ascii() {
            return Err(
                "contains a character that is not ASCII; write an international name in its xn-- form",
            );
        }
        if text.bytes().any(|byte| byte <= b' ' || byte == 0x7f || byte == b'\\') {
            return Err("contains white space, a control character or a backslash");
        }
        let (name, rest) = text.split_once(':').unwrap_or_default();
        let scheme = [Scheme::Https, Scheme::Http]
            .into_iter()
            .find(|scheme| name.eq_ignore_ascii_case(scheme.as_str()));
        let (Some(scheme), Some(rest)) = (scheme, rest.strip_prefix("//")) else {
            return Err("does not begin with https:// or http://");
        };
        if rest.contains('?') {
            return Err("contains a query");
        }
        if rest.contains('#') {
            return Err("contains a fragment");
        }
        let (authority, path) =
            rest.find('/').and_then(|slash| rest.split_at_checked(slash)).unwrap_or((rest, ""));
        if authority.contains('@') {
            return Err("contains a user name or password before the host");
        }
        let (host, port) = split_port(authority)?;
        let host = host.to_ascii_lowercase();
        let loopback = check_host(&host)?;
        let mut authority = host;
        if let Some(port) = port {
            authority.push(':');
            authority.push_str(&port.to_string());
        }
        let prefix = path.strip_suffix('/').unwrap_or(path);
        check_prefix(prefix)?;
        Ok(Self { scheme, authority, prefix: prefix.to_string(), loopback })
    }

    /// Returns the scheme of the base URL.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the host in lower case, and the port, if any.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Returns the path prefix: empty, or with a leading slash and without a trailing slash.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns true if the host is a loopback host: `localhost` and its subdomains (RFC 6761
    /// section 6.3), 127.0.0.0/8, `[::1]`.
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", self.scheme.as_str(), self.authority, self.prefix)
    }
}

fn split_port(authority: &str) -> Result<(&str, Option<u16>), &'static str> {
    // Skips the colons of an IPv6 address.
    let after_host = authority.bytes().rposition(|byte| byte == b']').unwrap_or(0);
    let colon = authority.get(after_host..).and_then(|rest| rest.find(':'));
    let Some(colon) = colon.map(|at| at.saturating_add(after_host)) else {
        return Ok((authority, None));
    };
    let (host, port) = authority.split_at_checked(colon).unwrap_or((authority, ""));
    let port = port.strip_prefix(':').unwrap_or(port);
    match whole_number(port).and_then(|port| u16::try_from(port).ok()) {
        Some(port) if port > 0 => Ok((host, Some(port))),
        _ => Err("contains a port that is not a number from 1 to 65535"),
    }
}

/// Validates `host`, which is in lower case. Returns true if it is a loopback host.
fn check_host(host: &str) -> Result<bool, &'static str> {
    if host.is_empty() {
        return Err("names no host");
    }
    if let Some(rest) = host.strip_prefix('[') {
        let address = rest.strip_suffix(']').unwrap_or_default();
        return match address.parse::<Ipv6Addr>() {
            Ok(address) => Ok(address.is_loopback()),
            Err(_) => Err("contains an invalid IPv6 address"),
        };
    }
    if host.ends_with('.') {
        // Certificates and allow-lists do not match a final dot.
        return Err("has a host name that ends with a dot; remove the dot");
    }
    // Resolvers treat a host whose last label is a number as an IPv4 address, also in octal,
    // hexadecimal or short form. Only the dotted-decimal form is accepted.
    let last = host.as_bytes().rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    if last.iter().all(u8::is_ascii_digit) || last.starts_with(b"0x") {
        return match host.parse::<Ipv4Addr>() {
            Ok(address) => Ok(address.is_loopback()),
            Err(_) => Err("has a numeric host that is not an IPv4 address"),
        };
    }
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    if host.len() > 253 || !host.split('.').all(label) {
        return Err("contains an invalid host name");
    }
    Ok(host == "localhost" || host.ends_with(".localhost"))
}

/// Validates a path prefix (RFC 3986 section 3.3). Rejects dot segments and empty segments, because
/// servers and proxies interpret them differently.
fn check_prefix(prefix: &str) -> Result<(), &'static str> {
    if prefix.is_empty() {
        return Ok(());
    }
    for segment in prefix.strip_prefix('/').unwrap_or(prefix).split('/') {
        if segment.is_empty() {
            return Err("contains an empty path segment (two slashes)");
        }
        let plain = segment.to_ascii_lowercase();
        if matches!(plain.as_str(), "." | "%2e" | ".." | ".%2e" | "%2e." | "%2e%2e") {
            return Err("contains a dot segment in its path");
        }
        let mut bytes = segment.bytes();
        while let Some(byte) = bytes.next() {
            let allowed = match byte {
                b'%' => {
                    let mut hex = || bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit());
                    hex() && hex()
                }
                _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte),
            };
            if !allowed {
                return Err("contains a character in its path that must be percent-encoded");
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn base_url_is_parsed_into_parts() {
        for (text, shown, loopback) in [
            ("https://api.example", "https://api.example", false),
            ("HTTPS://API.Example/", "https://api.example", false),
            ("https://api.example:8443/a/b/", "https://api.example:8443/a/b", false),
            ("http://127.0.0.1:80", "http://127.0.0.1:80", true),
            ("http://127.9.9.9", "http://127.9.9.9", true),
            ("http://[::1]:8080/x", "http://[::1]:8080/x", true),
            ("http://localhost", "http://localhost", true),
            ("http://svc.localhost:1", "http://svc.localhost:1", true),
            ("http://localhost.example", "http://localhost.example", false),
            ("http://my_service:65535", "http://my_service:65535", false),
            ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example", false),
            ("https://a.example/p%20q/~x", "https://a.example/p%20q/~x", false),
        ] {
            let origin = Origin::parse(text).unwrap();
            assert_eq!(origin.to_string(), shown);
            assert_eq!(origin.is_loopback(), loopback, "{text}");
        }
    }

    #[test]
    fn invalid_base_url_is_rejected_with_reason() {
        for (text, reason) in [
            ("", "is empty"),
            ("api.example", "does not begin"),
            ("ftp://api.example", "does not begin"),
            ("https:/api.example", "does not begin"),
            ("https://", "no host"),
            ("https:///v1", "no host"),
            ("https://user@api.example", "user name"),
            ("https://user:pw@api.example", "user name"),
            ("https://api.example?x", "query"),
            ("https://api.example/#f", "fragment"),
            ("https://api.example:0", "port"),
            ("https://api.example:65536", "port"),
            ("https://api.example:", "port"),
            ("https://api.example:+80", "port"),
            ("https://api.example:80a", "port"),
            ("https://api.example.", "with a dot"),
            ("https://bücher.example", "ASCII"),
            ("https://a.example/ä", "ASCII"),
            ("https://a b.example", "white space"),
            ("https://a.example/\r\nX: y", "white space"),
            ("https://a.example/\u{7f}", "white space"),
            ("https://a.example\\b", "backslash"),
            ("https://a.example/a\\b", "backslash"),
            ("https://a.example//b", "two slashes"),
            ("https://a.example/../b", "dot segment"),
            ("https://a.example/%2E./b", "dot segment"),
            ("https://a.example/%zz", "percent-encoded"),
            ("https://a.example/%2", "percent-encoded"),
            ("https://a.example/<b>", "percent-encoded"),
            ("https://127.1", "not an IPv4"),
            ("https://2130706433", "not an IPv4"),
            ("https://0x7f.0.0.1", "not an IPv4"),
            ("https://0x7f000001", "not an IPv4"),
            ("https://127.0.0.01", "not an IPv4"),
            ("https://[::1", "port"),
            ("https://[::1]x", "IPv6"),
            ("https://[::1%25eth0]", "IPv6"),
            ("https://[]", "IPv6"),
            ("https://::1", "port"),
            ("https://a..example", "invalid host name"),
            ("https://exa%6dple.com", "invalid host name"),
        ] {
            let refused = Origin::parse(text).expect_err(text).reason();
            assert!(refused.contains(reason), "{text:?}: {refused}");
        }
    }

    #[test]
    fn longest_base_url_is_accepted() {
        let label = "a".repeat(63);
        let host = format!("https://{label}.{label}.{label}.{}", "a".repeat(61));
        let url = format!("https://a.example/{}", "a".repeat(2_030));
        assert_eq!((host.len(), url.len()), ("https://".len() + 253, 2_048));
        for (longest, reason) in [
            (format!("https://{label}"), "invalid host name"),
            (host, "invalid host name"),
            (url, "longer than 2048"),
        ] {
            assert!(Origin::parse(&longest).is_ok(), "{longest}");
            let refused = Origin::parse(&format!("{longest}a")).unwrap_err().reason();
            assert!(refused.contains(reason), "{refused}");
        }
    }
}
