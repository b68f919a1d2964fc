//! Valid and invalid certificates of a [`ScriptedServer`](super::ScriptedServer), and their
//! authority.

use std::io;
use std::sync::{Arc, OnceLock};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use serde::Deserialize;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

/// Certificate that a server presents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certificate {
    /// A valid certificate for `localhost`, issued by the [`authority`].
    Good,
    /// A certificate that expired in 2020.
    Expired,
    /// A certificate that becomes valid in 2100.
    NotYetValid,
    /// A certificate for another host name.
    OtherName,
    /// A certificate issued by an unknown authority.
    UnknownAuthority,
}

type Authority = CertifiedIssuer<'static, KeyPair>;

/// The certificate authority could not be created, because this machine cannot generate keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct NoAuthority(#[from] rcgen::Error);

/// Returns the certificate of the authority that issues valid certificates, as PEM. Each process
/// creates its own authority.
///
/// # Errors
/// Returns [`NoAuthority`] if this machine cannot generate keys.
pub fn authority() -> Result<&'static str, NoAuthority> {
    static PEM: OnceLock<Result<String, NoAuthority>> = OnceLock::new();
    let pem = PEM.get_or_init(|| known().map(|known| known.pem()));
    pem.as_deref().map_err(Clone::clone)
}

fn known() -> Result<&'static Authority, NoAuthority> {
    static KNOWN: OnceLock<Result<Authority, NoAuthority>> = OnceLock::new();
    KNOWN.get_or_init(|| Ok(make("known")?)).as_ref().map_err(Clone::clone)
}

/// Issues a certificate of the [`authority`] for a key.
///
/// # Errors
/// Returns [`NoAuthority`] if this machine cannot generate keys.
pub fn signed(
    parameters: CertificateParams,
    key: &KeyPair,
) -> Result<CertificateDer<'static>, NoAuthority> {
    Ok(parameters.signed_by(key, known()?)?.der().clone())
}

fn make(name: &str) -> Result<Authority, rcgen::Error> {
    let mut authority = CertificateParams::new(vec![])?;
    authority.distinguished_name.push(DnType::CommonName, name);
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(authority, KeyPair::generate()?)
}

/// Creates a TLS acceptor that presents this certificate.
pub(super) fn acceptor(certificate: Certificate) -> io::Result<TlsAcceptor> {
    let unknown;
    let authority = match certificate {
        Certificate::UnknownAuthority => {
            unknown = make("unknown").map_err(io::Error::other)?;
            &unknown
        }
        _ => known().map_err(io::Error::other)?,
    };
    let name = if certificate == Certificate::OtherName { "other.example" } else { "localhost" };
    let mut parameters = CertificateParams::new(vec![name.into()]).map_err(io::Error::other)?;
    match certificate {
        Certificate::Expired => parameters.not_after = date_time_ymd(2020, 1, 1),
        Certificate::NotYetValid => parameters.not_before = date_time_ymd(2100, 1, 1),
        _ => {}
    }
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let signed = parameters.signed_by(&key, authority).map_err(io::Error::other)?;
    let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(vec![signed.der().clone()], private)
        .map_err(io::Error::other)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
