//! Compares the parser of base URLs with a parser of the WHATWG standard, which browsers use.

use std::net::Ipv6Addr;

use messaging_core::origin::Origin;
use url::{Host, Url};

use super::input::text;

pub fn check(data: &[u8]) {
    let text = text(data);
    let Ok(origin) = Origin::parse(&text) else { return };
    let authority = origin.authority();
    assert!(!authority.is_empty() && text.len() <= 2048);
    assert!(text.to_ascii_lowercase().contains(host_of(authority)), "{text} became {authority}");
    let plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.:[]".contains(&byte);
    assert!(authority.bytes().all(plain), "{authority}");
    let prefix = origin.prefix();
    assert!(prefix.is_empty() || (prefix.starts_with('/') && !prefix.ends_with('/')), "{prefix}");
    assert!(!prefix.contains("//") && !prefix.contains(['?', '#', '\\']), "{prefix}");
    for segment in prefix.split('/') {
        let plain = segment.to_ascii_lowercase().replace("%2e", ".");
        assert!(plain != "." && plain != "..", "{prefix}");
    }
    // Parsing is idempotent.
    let again = origin.to_string();
    assert_eq!(Origin::parse(&again).as_ref(), Ok(&origin), "{again}");
    assert_eq!(Origin::parse(&format!("{again}/")).as_ref(), Ok(&origin));
    // The WHATWG parser either rejects the URL or finds the same target.
    if let Ok(url) = Url::parse(&format!("{again}/v1/messages")) {
        assert_eq!(url.scheme(), origin.scheme().as_str());
        assert_eq!((url.username(), url.password()), ("", None));
        assert_eq!((url.query(), url.fragment()), (None, None));
        assert_eq!(url.path(), format!("{prefix}/v1/messages"), "{again}");
        let (host, port) = (host_of(authority), port_of(authority));
        match url.host() {
            Some(Host::Domain(domain)) => assert_eq!(domain, host),
            Some(Host::Ipv4(address)) => assert_eq!(address.to_string(), host),
            Some(Host::Ipv6(address)) => {
                let own: Ipv6Addr = host.trim_matches(['[', ']']).parse().expect("an IPv6 address");
                assert_eq!(address, own);
            }
            None => panic!("{again} has no host"),
        }
        let default = if url.scheme() == "https" { 443 } else { 80 };
        assert_eq!(url.port_or_known_default(), Some(port.unwrap_or(default)));
        let loopback = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        assert_eq!(origin.is_loopback(), loopback, "{again}");
    }
}

fn host_of(authority: &str) -> &str {
    match authority.find(']') {
        Some(end) => &authority[..=end],
        None => authority.split(':').next().unwrap_or_default(),
    }
}

fn port_of(authority: &str) -> Option<u16> {
    let port = authority[host_of(authority).len()..].strip_prefix(':')?;
    Some(port.parse().expect("a valid port"))
}
