//! Decides which addresses a name may resolve to. A name on the allow-list is a promise about a
//! service; whoever answers for it in the DNS must not be able to turn it into a door to this
//! machine or to the network around it (DNS rebinding).
//!
//! An address that is on the allow-list as a number is reached as it is, and so is
//! `localhost` on this machine (RFC 6761 section 6.3).

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use tower_service::Service;

/// Addresses that a name may resolve to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Those of the public network.
    Public,
    /// Whatever the name stands for.
    Any,
}

/// Reason why a name has no permitted address.
#[derive(Debug)]
pub enum NoAddress {
    /// The system's resolver knows none.
    NotFound(io::Error),
    /// It stands for private addresses alone.
    Private,
}

impl fmt::Display for NoAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(error) => error.fmt(formatter),
            Self::Private => formatter.write_str("the name stands for private addresses alone"),
        }
    }
}

impl std::error::Error for NoAddress {}

/// Addresses that were found; as a resolver, the answer to every name.
#[derive(Clone, Debug, Default)]
pub struct Addresses(Vec<SocketAddr>);

impl IntoIterator for Addresses {
    type Item = SocketAddr;
    type IntoIter = std::vec::IntoIter<SocketAddr>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Service<Name> for Addresses {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = std::future::Ready<io::Result<Self::Response>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Name) -> Self::Future {
        std::future::ready(Ok(self.clone().into_iter()))
    }
}

/// Looks names up, and keeps the addresses that may be used.
#[derive(Clone)]
pub struct Resolver<R = GaiResolver> {
    inner: R,
    names: Names,
}

impl Resolver {
    pub fn new(names: Names) -> Self {
        Self { inner: GaiResolver::new(), names }
    }
}

impl<R, A> Service<Name> for Resolver<R>
where
    R: Service<Name, Response = A, Error = io::Error>,
    R::Future: Send + 'static,
    A: Iterator<Item = SocketAddr>,
{
    type Response = Addresses;
    type Error = NoAddress;
    type Future = Pin<Box<dyn Future<Output = Result<Addresses, NoAddress>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), NoAddress>> {
        self.inner.poll_ready(cx).map_err(NoAddress::NotFound)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let local = is_localhost(name.as_str());
        let names = self.names;
        let found = self.inner.call(name);
        Box::pin(async move {
            let may_be_used = |address: &SocketAddr| match names {
                Names::Any => true,
                Names::Public if local => address.ip().is_loopback(),
                Names::Public => is_public(address.ip()),
            };
            let found = found.await.map_err(NoAddress::NotFound)?;
            let found: Vec<_> = found.filter(may_be_used).collect();
            if found.is_empty() { Err(NoAddress::Private) } else { Ok(Addresses(found)) }
        })
    }
}

fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether the address is one of the public network: none of the special purposes in
/// the registries of RFC 6890.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || first == 0
        // Shared between a provider and its customers: RFC 6598.
        || (first == 100 && (64..128).contains(&second))
        // Protocol assignments: RFC 6890.
        || (first, second, third) == (192, 0, 0)
        // Benchmarks: RFC 2544.
        || (first == 198 && (18..20).contains(&second))
        // Reserved, and broadcast: RFC 1112.
        || first >= 240;
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, _, _, _, _, high, low] = address.segments();
    let embedded = || {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        // IPv4-mapped, and translated: RFC 4291 section 2.5.5.2, RFC 6052 section 2.1.
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => is_public_v4(embedded()),
        // Global unicast is 2000::/3, less documentation and tunnels that hold another
        // address: RFC 4291, RFC 3849, RFC 4380, RFC 3056.
        _ => {
            first & 0xe000 == 0x2000
                && (first, second) != (0x2001, 0xdb8)
                && (first, second) != (0x2001, 0)
                && first != 0x2002
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers every question with the same addresses.
    #[derive(Clone)]
    struct Fixed(&'static [&'static str]);

    impl Service<Name> for Fixed {
        type Response = std::vec::IntoIter<SocketAddr>;
        type Error = io::Error;
        type Future = std::future::Ready<io::Result<Self::Response>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: Name) -> Self::Future {
            let addresses = self.0.iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), 443));
            std::future::ready(Ok(addresses.collect::<Vec<_>>().into_iter()))
        }
    }

    async fn look_up(
        name: &str,
        names: Names,
        answer: &'static [&'static str],
    ) -> Result<Vec<String>, NoAddress> {
        let mut resolver = Resolver { inner: Fixed(answer), names };
        let found = resolver.call(name.parse().unwrap()).await?;
        Ok(found.into_iter().map(|address| address.ip().to_string()).collect())
    }

    #[tokio::test]
    async fn a_public_name_leads_to_no_private_address() {
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
            let error = look_up("api.example", Names::Public, answer).await.unwrap_err();
            assert!(matches!(error, NoAddress::Private), "{answer:?}");
            let found = look_up("api.example", Names::Any, answer).await.unwrap();
            assert_eq!(found.len(), answer.len());
        }
        let mixed = &["127.0.0.1", "1.2.3.4", "2606:4700::1111", "::ffff:8.8.8.8"];
        let found = look_up("api.example", Names::Public, mixed).await.unwrap();
        assert_eq!(found, ["1.2.3.4", "2606:4700::1111", "::ffff:8.8.8.8"]);
    }

    #[tokio::test]
    async fn localhost_is_this_machine_and_nothing_else() {
        for name in ["localhost", "LOCALHOST", "localhost.", "a.localhost"] {
            let answer = &["127.0.0.1", "::1", "10.0.0.1", "1.2.3.4"];
            let found = look_up(name, Names::Public, answer).await.unwrap();
            assert_eq!(found, ["127.0.0.1", "::1"], "{name}");
        }
        assert!(look_up("notlocalhost", Names::Public, &["127.0.0.1"]).await.is_err());
    }
}
