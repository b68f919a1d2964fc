//! Settings of the journal and of the provider, as far as `send-once` reads them.

use alloc::string::String;

pub use crate::error::InvalidSettings;
pub use crate::limits::{DEFAULT_DEADLINE_MS, MAX_DEADLINE_MS};
pub use crate::settings::deadline_ms;

/// Setting for the bucket of a journal in a key-value store.
pub const BUCKET: &str = "MESSAGING_ONCE_BUCKET";
/// Setting for the base URL of the service. The plugin reads it too.
const BASE_URL: &str = "MESSAGING_BASE_URL";

/// Returns the base URL of the service from environment variables, for
/// [`Request::with_service`](crate::once::digest::Request::with_service). Returns `None` if
/// `MESSAGING_BASE_URL` is not set, for example because the provider uses another setting.
pub fn service(variables: impl IntoIterator<Item = (String, String)>) -> Option<String> {
    let base_url = variables.into_iter().find(|(name, _)| name == BASE_URL);
    base_url.map(|(_, base_url)| base_url)
}

/// Reads the name of the journal's bucket from environment variables. There is no default, because
/// a misspelled variable would then silently select another journal.
///
/// # Errors
/// Returns `InvalidSettings` if the name is missing, empty, or given twice.
pub fn bucket(
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<String, InvalidSettings> {
    let invalid =
        |detail: &'static str| InvalidSettings { setting: BUCKET.into(), detail: detail.into() };
    let mut values = variables.into_iter().filter(|(name, _)| name == BUCKET);
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(invalid("is set twice")),
        (Some((_, name)), None) if !name.is_empty() => Ok(name),
        _ => Err(invalid("is missing; set it to the name of the bucket")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_is_required() {
        let read =
            |values: &[&str]| bucket(values.iter().map(|one| (BUCKET.into(), (*one).into())));
        assert_eq!(read(&["sent"]), Ok("sent".into()));
        for bad in [&[][..], &[""], &["sent", "sent"]] {
            assert_eq!(read(bad).unwrap_err().setting, BUCKET, "{bad:?}");
        }
    }

    #[test]
    fn service_is_base_url() {
        assert_eq!(service([]), None);
        let base_url = (BASE_URL.into(), "https://api.example".into());
        assert_eq!(
            service([("X".into(), "x".into()), base_url]),
            Some("https://api.example".into())
        );
    }
}
