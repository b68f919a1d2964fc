//! Options of a server with TLS.

use std::path::PathBuf;

use clap::Args;
use messaging_server::serve;

use super::Failure;

#[derive(Args)]
pub struct Tls {
    /// Serve HTTPS with this certificate chain, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The certificate's private key, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl Tls {
    /// Reads the certificate and the key. Returns `None` if the options are not set.
    pub fn config(&self) -> Result<Option<serve::Tls>, Failure> {
        match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => {
                let wrong = |error| Failure::Usage(format!("--tls-cert, --tls-key: {error}"));
                serve::Tls::read(certificate, key).map(Some).map_err(wrong)
            }
            _ => Ok(None),
        }
    }
}
