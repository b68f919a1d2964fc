//! Decides which addresses a name may resolve to. The DNS server of a service on the allow-list
//! must not be able to redirect requests to this machine or its network (DNS rebinding).
//!
//! An IP address on the allow-list is always permitted. `localhost` is permitted if it resolves to
//! a loopback address (RFC 6761, section 6.3).

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::task::{Context, Poll};

use http::Uri;
use hyper_util::client::legacy::connect::dns::Name;
use ipnet::{Ipv4Net, Ipv6Net};
use tower_service::Service;

/// Addresses that a name may resolve to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Only public addresses. `localhost` may resolve only to loopback addresses.
    Public,
    /// All addresses, including private addresses.
    Any,
}

/// Returns the host of a URI, without the brackets of an IPv6 address.
pub(crate) fn host_of(uri: &Uri) -> &str {
    let host = uri.host().unwrap_or_default();
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// Reason why a name has no permitted address.
#[derive(Debug)]
pub enum NoAddress {
    /// The system's resolver found no address.
    NotFound(io::Error),
    /// The name resolves only to private addresses.
    Private,
}

/// Resolved addresses. As a resolver, this type returns these addresses for every name.
#[derive(Clone, Debug, Default)]
pub struct Addresses(Vec<SocketAddr>);

impl Service<Name> for Addresses {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = std::future::Ready<io::Result<Self::Response>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Name) -> Self::Future {
        std::future::ready(Ok(self.0.clone().into_iter()))
    }
}

/// Resolves a name, and keeps the permitted addresses.
///
/// # Errors
/// Returns `NoAddress` if there is no permitted address.
pub async fn look_up<A: Iterator<Item = SocketAddr>>(
    resolver: &mut impl Service<Name, Response = A, Error = io::Error>,
    names: Names,
    name: Name,
) -> Result<Addresses, NoAddress> {
    let is_local = is_localhost(name.as_str());
    let may_be_used = |address: &SocketAddr| match names {
        Names::Any => true,
        Names::Public if is_local => address.ip().is_loopback(),
        Names::Public => is_public(address.ip()),
    };
    let found = resolver.call(name).await.map_err(NoAddress::NotFound)?;
    let found: Vec<_> = found.filter(may_be_used).collect();
    if found.is_empty() { Err(NoAddress::Private) } else { Ok(Addresses(found)) }
}

pub(crate) fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Returns true if an address is public: unicast, and in no special-purpose block (RFC 6890).
/// Mapped and translated IPv6 addresses are public if the embedded IPv4 address is public.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(start: [u16; 8], length: u8) -> Ipv6Net {
    let [a, b, c, d, e, f, g, h] = start;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, g, h), length)
}

/// IPv4 networks that are not public.
const SPECIAL_V4: [Ipv4Net; 15] = [
    // This network: RFC 791.
    v4(0, 0, 0, 0, 8),
    // Private: RFC 1918.
    v4(10, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
    // Shared by a provider and its customers: RFC 6598.
    v4(100, 64, 0, 0, 10),
    // This machine: RFC 1122.
    v4(127, 0, 0, 0, 8),
    // Link-local: RFC 3927.
    v4(169, 254, 0, 0, 16),
    // Protocol assignments: RFC 6890.
    v4(192, 0, 0, 0, 24),
    // Documentation: RFC 5737.
    v4(192, 0, 2, 0, 24),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    // Relays of 6to4, deprecated: RFC 7526.
    v4(192, 88, 99, 0, 24),
    // Benchmarks: RFC 2544.
    v4(198, 18, 0, 0, 15),
    // Multicast: RFC 5771.
    v4(224, 0, 0, 0, 4),
    // Reserved, and broadcast: RFC 1112.
    v4(240, 0, 0, 0, 4),
];

/// IPv6 networks whose last 4 bytes are an IPv4 address: mapped (RFC 4291, section 2.5.5.2), and
/// translated (RFC 6052, section 2.1).
const EMBEDDING_V6: [Ipv6Net; 2] =
    [v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96), v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96)];

/// Global unicast addresses (RFC 4291). IPv6 addresses outside this network are not public, except
/// some in [`EMBEDDING_V6`].
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// Networks in [`GLOBAL_V6`] that are not public.
const SPECIAL_V6: [Ipv6Net; 4] = [
    // Protocol assignments: RFC 2928. A few of these addresses are reachable, but not by HTTP. The
    // network contains Teredo, a tunnel: RFC 4380.
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    // Documentation: RFC 3849.
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    // 6to4, a tunnel: RFC 3056.
    v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),
    // Documentation: RFC 9637.
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    !SPECIAL_V4.iter().any(|net| net.contains(&address))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if EMBEDDING_V6.iter().any(|net| net.contains(&address)) {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    GLOBAL_V6.contains(&address) && !SPECIAL_V6.iter().any(|net| net.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn found(
        name: &str,
        names: Names,
        answer: &'static [&'static str],
    ) -> Result<Vec<String>, NoAddress> {
        let answer = answer.iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), 443));
        let mut resolver = Addresses(answer.collect());
        let found = look_up(&mut resolver, names, name.parse().unwrap()).await?;
        Ok(found.0.iter().map(|address| address.ip().to_string()).collect())
    }

    #[tokio::test]
    async fn public_name_reaches_no_private_address() {
        for answer in [
            &["127.0.0.1"][..],
            &["10.1.2.3"],
            &["172.16.0.1"],
            &["192.168.1.1"],
            &["169.254.169.254"],
            &["100.64.0.1"],
            &["0.0.0.0"],
            &["224.0.0.1"],
            &["255.255.255.255"],
            &["::1"],
            &["::"],
            &["fe80::1"],
            &["fd00:ec2::254"],
            &["ff02::1"],
            &["::ffff:127.0.0.1"],
            &["::ffff:169.254.169.254"],
            &["64:ff9b::a00:1"],
            &["2002:7f00:1::"],
            &["127.0.0.1", "::1"],
        ] {
            let error = found("api.example", Names::Public, answer).await.unwrap_err();
            assert!(matches!(error, NoAddress::Private), "{answer:?}");
            let found = found("api.example", Names::Any, answer).await.unwrap();
            assert_eq!(found.len(), answer.len());
        }
        let mixed = &["127.0.0.1", "1.2.3.4", "2606:4700::1111", "::ffff:8.8.8.8"];
        let found = found("api.example", Names::Public, mixed).await.unwrap();
        assert_eq!(found, ["1.2.3.4", "2606:4700::1111", "::ffff:8.8.8.8"]);
    }

    #[test]
    fn every_network_ends_where_it_should() {
        for (address, public) in [
            ("0.255.255.255", false),
            ("1.0.0.0", true),
            ("9.255.255.255", true),
            ("11.0.0.0", true),
            ("100.63.255.255", true),
            ("100.127.255.255", false),
            ("100.128.0.0", true),
            ("126.255.255.255", true),
            ("127.255.255.255", false),
            ("128.0.0.0", true),
            ("169.253.255.255", true),
            ("169.255.0.0", true),
            ("172.15.255.255", true),
            ("172.31.255.255", false),
            ("172.32.0.0", true),
            ("191.255.255.255", true),
            ("192.0.0.0", false),
            ("192.0.0.255", false),
            ("192.0.1.0", true),
            ("192.0.2.255", false),
            ("192.0.3.0", true),
            ("192.88.98.255", true),
            ("192.88.99.1", false),
            ("192.88.100.0", true),
            ("192.167.255.255", true),
            ("192.169.0.0", true),
            ("198.17.255.255", true),
            ("198.18.0.0", false),
            ("198.19.255.255", false),
            ("198.20.0.0", true),
            ("198.51.100.1", false),
            ("203.0.113.1", false),
            ("223.255.255.255", true),
            ("239.255.255.255", false),
            ("240.0.0.0", false),
            ("::ffff:1.2.3.4", true),
            ("::ffff:192.0.0.8", false),
            ("64:ff9b::1.2.3.4", true),
            ("64:ff9b:1::1.2.3.4", false),
            ("100::1", false),
            ("100:0:0:1::1", false),
            ("1fff::", false),
            ("2000::1", true),
            ("2001::1", false),
            ("2001:1::", false),
            ("2001:2::1", false),
            ("2001:10::1", false),
            ("2001:1ff:ffff::1", false),
            ("2001:200::1", true),
            ("2001:db7::1", true),
            ("2001:db8::1", false),
            ("2001:db9::1", true),
            ("2002:102:304::1", false),
            ("2003::1", true),
            ("3ffe::1", true),
            ("3fff::1", false),
            ("3fff:fff::1", false),
            ("3fff:1000::1", true),
            ("3fff:ffff::1", true),
            ("4000::1", false),
            ("5f00::1", false),
            ("fec0::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
        }
    }

    #[tokio::test]
    async fn localhost_is_this_machine_and_nothing_else() {
        for name in ["localhost", "LOCALHOST", "localhost.", "a.localhost"] {
            let answer = &["127.0.0.1", "::1", "10.0.0.1", "1.2.3.4"];
            let found = found(name, Names::Public, answer).await.unwrap();
            assert_eq!(found, ["127.0.0.1", "::1"], "{name}");
        }
        assert!(found("notlocalhost", Names::Public, &["127.0.0.1"]).await.is_err());
    }
}
