//! Destinations of requests.

use std::fmt;

use http::Uri;

/// The destination of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// True if the connection uses TLS.
    pub https: bool,
    /// Host name or IP address, in lower case.
    pub host: String,
    /// TCP port.
    pub port: u16,
}

impl Destination {
    /// Returns the destination of a request; `None` if its URI has no valid scheme and authority.
    pub fn of_uri(uri: &Uri) -> Option<Self> {
        let https = match uri.scheme_str()? {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let authority = uri.authority()?;
        // Rejects `user@host`, because the user would be sent unchanged.
        if authority.as_str().contains('@') {
            return None;
        }
        let port = match authority.port_u16() {
            Some(port) => port,
            // `host:` and `host:99999` have no valid port.
            None if authority.as_str().len() != authority.host().len() => return None,
            None if https => 443,
            None => 80,
        };
        Some(Self { https, host: authority.host().to_ascii_lowercase(), port })
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.https { "https" } else { "http" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}
