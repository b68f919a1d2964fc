//! The API key of a component. The component holds only a placeholder of the key.

use http::{HeaderValue, Request, header};
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use messaging_net::destination::Destination;
use wasmtime_wasi_http::{Error, WasiBody};

use super::allow;

/// The header with the API key (service specification, section 5).
pub(super) const TOKEN: &str = "token";

/// An API key, its placeholder, and the origin that receives the key.
pub(super) struct HeldKey {
    pub(super) key: ApiKey,
    placeholder: HeaderValue,
    origin: Option<Destination>,
}

impl HeldKey {
    /// Binds `key` to the origin of `base_url`, and returns the placeholder of the key.
    pub(super) fn new(key: ApiKey, base_url: Option<&str>) -> (Self, String) {
        let placeholder = format!("placeholder-{:032x}", rand::random::<u128>());
        let origin = base_url.and_then(|url| Origin::parse(url).ok());
        let held = Self {
            key,
            placeholder: HeaderValue::from_str(&placeholder)
                .unwrap_or_else(|_| HeaderValue::from_static("placeholder")),
            origin: origin.as_ref().and_then(allow::of_origin),
        };
        (held, placeholder)
    }

    /// Replaces the placeholder with the API key. Returns true if the request carries the key.
    /// Rejects a placeholder outside the `Token` header, or in a request to another origin.
    pub(super) fn inject(&self, request: &mut Request<WasiBody>) -> Result<bool, Error> {
        let holds = |value: &HeaderValue| contains(value.as_bytes(), self.placeholder.as_bytes());
        let elsewhere = request.headers().iter().any(|(name, value)| name != TOKEN && holds(value));
        let own = self.origin.is_some() && self.origin == Destination::of_uri(request.uri());
        let in_token = request.headers().get_all(TOKEN).iter().any(holds);
        if elsewhere || (in_token && !own) {
            let authority = request.uri().authority().map(|authority| authority.as_str());
            tracing::warn!(
                authority,
                "request denied: the API key is only for the header Token of requests to its origin"
            );
            return Err(Error::HttpRequestDenied);
        }
        if in_token {
            let mut key = HeaderValue::from_bytes(self.key.reveal().as_bytes())
                .map_err(|_| Error::ConfigurationError)?;
            key.set_sensitive(true);
            let headers = request.headers_mut();
            headers.insert(TOKEN, key);
            // Asks for a complete, uncompressed reply, because the mask cannot find the key in a
            // reply that is compressed, partial or in another charset.
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            headers.remove(header::ACCEPT_CHARSET);
            headers.remove(header::RANGE);
            headers.remove(header::TE);
        }
        Ok(in_token)
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
