//! Heads of requests.

use crate::faults::record::Received;

/// A request's head.
pub(super) struct Head {
    pub(super) received: Received,
    pub(super) bytes: usize,
    pub(super) length: usize,
    pub(super) chunked: bool,
}

impl Head {
    pub(super) fn parse(buffer: &[u8]) -> Option<Self> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut request = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(bytes) = request.parse(buffer).ok()? else { return None };
        let headers: Vec<_> = request
            .headers
            .iter()
            .map(|header| {
                let value = String::from_utf8_lossy(header.value).into_owned();
                (header.name.to_ascii_lowercase(), value)
            })
            .collect();
        let get = |name: &str| headers.iter().find(|(own, _)| own == name).map(|(_, value)| value);
        Some(Self {
            bytes,
            length: get("content-length").and_then(|value| value.parse().ok()).unwrap_or(0),
            chunked: get("transfer-encoding").is_some(),
            received: Received {
                method: request.method.unwrap_or_default().to_string(),
                target: request.path.unwrap_or_default().to_string(),
                headers,
                body: String::new(),
            },
        })
    }
}
