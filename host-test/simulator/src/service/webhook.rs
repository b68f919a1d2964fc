//! Client for the customer's webhook: one connection for each attempt, over TCP or TLS.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::uri::{Authority, Scheme};
use http::{HeaderName, HeaderValue, Request, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::Options;
use super::signing::Signing;

/// Timeout of an attempt.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response in bytes.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;
/// Number of characters of the response body that a failure reason quotes.
const SHOWN_CHARS: usize = 200;
/// Minimum length of a masked secret, in bytes. A shorter secret may occur in ordinary text, so it
/// is not masked.
const SHORTEST_SECRET: usize = 8;

/// A webhook that receives events.
pub(super) struct Webhook {
    path: String,
    authority: Authority,
    host: String,
    port: u16,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    signing: Option<Signing>,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Webhook {
    /// Parses the URL and, for `https`, loads the certificate authorities.
    pub(super) fn new(url: &str, options: &Options) -> io::Result<Self> {
        let invalid = |what: &str| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("invalid webhook URL: {what}"))
        };
        let uri: Uri = url.parse().map_err(|_| invalid("use http://HOST or https://HOST"))?;
        let is_tls = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTP => false,
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            _ => return Err(invalid("use http://HOST or https://HOST")),
        };
        let authority = uri.authority().ok_or_else(|| invalid("no host"))?.clone();
        if authority.as_str().contains('@') {
            return Err(invalid("remove user and password; use a proof of origin"));
        }
        let host = authority.host().trim_matches(['[', ']']).to_string();
        let tls = if is_tls {
            let name = ServerName::try_from(host.clone()).map_err(|_| invalid("invalid host"))?;
            Some((connector(options.ca_file.as_deref())?, name))
        } else {
            None
        };
        Ok(Self {
            path: uri.path_and_query().map_or("/", |path| path.as_str()).to_string(),
            port: authority.port_u16().unwrap_or(if is_tls { 443 } else { 80 }),
            authority,
            host,
            tls,
            signing: options.signing.clone(),
            header: options.webhook_header.clone(),
        })
    }

    /// Posts an event. Returns the status and the start of the response body, with secrets masked,
    /// or the reason why there is no response.
    pub(super) async fn post(
        &self,
        key: &str,
        now: u64,
        body: &str,
    ) -> Result<(u16, String), String> {
        let request = self.request(key, now, body).map_err(|error| error.to_string())?;
        let attempt = async {
            let stream = TcpStream::connect((self.host.as_str(), self.port)).await;
            let stream = stream.map_err(|error| format!("cannot connect: {error}"))?;
            match &self.tls {
                None => exchange(stream, request).await,
                Some((connector, name)) => {
                    let stream = connector.connect(name.clone(), stream).await;
                    exchange(stream.map_err(|error| tls_failure(&error))?, request).await
                }
            }
        };
        match tokio::time::timeout(TIMEOUT, attempt).await {
            Ok(result) => result.map(|(status, text)| (status, self.shown(text))),
            Err(_) => Err(format!("no response within {} s", TIMEOUT.as_secs())),
        }
    }

    /// Returns the URL without its path, which can be a secret.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.authority)
    }

    /// Returns the start of a response body, with the secrets of the request masked.
    fn shown(&self, text: String) -> String {
        let header = self.header.as_ref().and_then(|(_, value)| value.to_str().ok());
        let segment = self.path.rsplit('/').next();
        let secrets = [header, segment].into_iter().flatten();
        secrets
            .filter(|secret| secret.len() >= SHORTEST_SECRET)
            .fold(text, |text, secret| text.replace(secret, "[redacted]"))
            .chars()
            .take(SHOWN_CHARS)
            .collect()
    }

    fn request(&self, key: &str, now: u64, body: &str) -> http::Result<Request<Full<Bytes>>> {
        let mut request = Request::post(&self.path)
            .header(header::HOST, self.authority.as_str())
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-idempotency-key", key);
        let signed = self.signing.as_ref().map(|signing| signing.headers(key, now, body));
        for (name, value) in signed.unwrap_or_default() {
            request = request.header(name, value);
        }
        if let Some((name, value)) = &self.header {
            request = request.header(name, value);
        }
        request.body(Full::new(Bytes::copy_from_slice(body.as_bytes())))
    }
}

/// Sends one request over a connection. Returns the status and the response body.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    request: Request<Full<Bytes>>,
) -> Result<(u16, String), String> {
    let failed = |error: hyper::Error| {
        let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
        format!("no response: {error}{cause}")
    };
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(failed)?;
    let status = response.status().as_u16();
    let body = Limited::new(response.into_body(), MAX_RESPONSE_BYTES).collect().await;
    let body = body.map(http_body_util::Collected::to_bytes);
    let body = body.map_err(|error| format!("status {status}, incomplete response: {error}"))?;
    let text = String::from_utf8_lossy(&body);
    let words: Vec<_> = text.split_whitespace().collect();
    Ok((status, words.join(" ")))
}

/// Returns the reason why a TLS handshake failed.
fn tls_failure(error: &io::Error) -> String {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    let unknown = rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer);
    let advice = match cause {
        Some(cause) if *cause == unknown => "; trust its authority with --ca-file",
        // The variant of the verifier has no type that this crate can name.
        Some(cause) if cause.to_string().contains("CaUsedAsEndEntity") => {
            "; the server uses the certificate of an authority: create it with basicConstraints=CA:FALSE"
        }
        _ => "",
    };
    format!("TLS failed: {error}{advice}")
}

/// Creates a connector that trusts the authorities in a PEM file, or the public authorities.
fn connector(file: Option<&Path>) -> io::Result<TlsConnector> {
    let mut roots = RootCertStore::empty();
    match file {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(file) => {
            for certificate in authorities(file)? {
                roots.add(certificate).map_err(|error| unusable(file, &error))?;
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

fn authorities(file: &Path) -> io::Result<Vec<CertificateDer<'static>>> {
    let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let read = read.map_err(|error| unusable(file, &error))?;
    if read.is_empty() {
        return Err(unusable(file, &"it contains no certificate"));
    }
    Ok(read)
}

fn unusable(file: &Path, why: &dyn std::fmt::Display) -> io::Error {
    let file = PathBuf::from(file);
    let what =
        format!("{}: {why}; name a PEM file with certificates of authorities", file.display());
    io::Error::new(io::ErrorKind::InvalidInput, what)
}
