//! Allowed destinations of a component.

use std::sync::Arc;

use http::Uri;
use messaging_core::origin::{Origin, Scheme};
use messaging_net::destination::Destination;

/// Returns the destination of requests to an origin.
pub(super) fn of_origin(origin: &Origin) -> Option<Destination> {
    let scheme = if origin.scheme() == Scheme::Https { "https" } else { "http" };
    Destination::of_uri(&format!("{scheme}://{}/", origin.authority()).parse().ok()?)
}

/// An invalid entry of an allow-list. A valid entry is `scheme://host` or `scheme://host:port`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{entry} {reason}")]
pub struct AllowListError {
    /// The invalid entry.
    pub entry: String,
    /// Reason for the rejection, for logs and operators.
    pub reason: String,
}

/// The allowed destinations of a component. An empty list allows nothing.
#[derive(Clone, Debug, Default)]
pub struct AllowList(pub(super) Arc<[Destination]>);

impl AllowList {
    /// Returns an empty list, which allows nothing.
    pub fn deny_all() -> Self {
        Self::default()
    }

    /// Parses a list of origins.
    ///
    /// # Errors
    /// Returns `AllowListError` if an entry is not `scheme://host` or `scheme://host:port`.
    pub fn parse<'a>(entries: impl IntoIterator<Item = &'a str>) -> Result<Self, AllowListError> {
        let parse = |entry: &str| {
            let wrong =
                |reason: &str| AllowListError { entry: entry.into(), reason: reason.into() };
            let origin = Origin::parse(entry).map_err(|invalid| wrong(&invalid.to_string()))?;
            if !origin.prefix().is_empty() {
                return Err(wrong("contains a path; write only scheme, host and port"));
            }
            of_origin(&origin).ok_or_else(|| wrong("has an invalid host or port"))
        };
        Ok(Self(entries.into_iter().map(parse).collect::<Result<_, _>>()?))
    }

    /// Returns a list with the origin of a base URL.
    #[must_use]
    pub fn of_origin(origin: &Origin) -> Self {
        Self::of_origins([origin])
    }

    /// Returns a list with the origins of base URLs.
    #[must_use]
    pub fn of_origins<'a>(origins: impl IntoIterator<Item = &'a Origin>) -> Self {
        Self(origins.into_iter().filter_map(of_origin).collect())
    }

    pub(super) fn allows(&self, uri: &Uri) -> bool {
        Destination::of_uri(uri).is_some_and(|to| self.0.contains(&to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_allows_its_origin_only() {
        let list = AllowList::parse(["https://api.example", "http://127.0.0.1:8080"]).unwrap();
        for (uri, allowed) in [
            ("https://api.example/v1", true),
            ("https://API.example:443/", true),
            ("http://127.0.0.1:8080/", true),
            ("http://api.example/", false),
            ("https://api.example:444/", false),
            ("https://api.example.evil.example/", false),
            ("https://evil-api.example/", false),
            ("https://user@api.example/", false),
            ("https://api.example./", false),
            ("http://127.0.0.1/", false),
            ("http://127.0.0.2:8080/", false),
            ("ftp://api.example/", false),
        ] {
            assert_eq!(list.allows(&uri.parse().unwrap()), allowed, "{uri}");
        }
        assert!(!AllowList::deny_all().allows(&"https://api.example/".parse().unwrap()));
    }

    #[test]
    fn entry_other_than_origin_is_rejected() {
        for entry in
            ["", "api.example", "https://*.example", "https://api.example/v1", "https://a@b"]
        {
            assert!(AllowList::parse([entry]).is_err(), "{entry}");
        }
    }
}
