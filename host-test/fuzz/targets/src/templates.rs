//! Template lists.

use messaging_core::wire::reply::read_envelope;
use serde_json::Value;

use super::input::{keeps_the_key, key};

pub fn check(data: &[u8]) {
    let value = serde_json::from_slice::<Value>(data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data));
    match read_envelope(data, &key()) {
        Ok(envelope) => {
            let held: usize = envelope.data.iter().map(|template| template.json.len()).sum();
            assert!(held <= data.len());
            for template in &envelope.data {
                for text in [&template.name, &template.status, &template.language, &template.json] {
                    keeps_the_key(text);
                }
            }
            let Ok(value) = value else { return };
            let count = |name: &str| value[name].as_u64();
            assert_eq!(count("total"), Some(envelope.total.into()));
            assert_eq!(count("page"), Some(envelope.page.into()));
            assert_eq!(count("size"), Some(envelope.size.into()));
            let list = value["data"].as_array().expect("a list");
            assert_eq!(list.len(), envelope.data.len());
            for (one, template) in list.iter().zip(&envelope.data) {
                if template.json.contains("[redacted]") {
                    continue;
                }
                assert_eq!(one["name"], *template.name);
                assert_eq!(one["status"], *template.status);
                assert_eq!(one["language"], *template.language);
                assert_eq!(serde_json::from_str::<Value>(&template.json).as_ref().ok(), Some(one));
            }
        }
        Err(error) => {
            let (path, reason) = (&error.path, error.cause.reason());
            assert!(path.starts_with('$') && path.len() < 64, "{path}");
            assert!(!reason.is_empty());
            // The core accepts a list exactly if an independent parser finds all documented
            // members.
            let Ok(value) = value else { return };
            let again = read_envelope(value.to_string().as_bytes(), &key());
            assert_eq!(again.is_ok(), is_documented(&value), "{path} {reason}");
        }
    }
}

/// Returns true if the value is a list of templates as in section 2.5 of `wit/service.md`.
fn is_documented(value: &Value) -> bool {
    let count = |name: &str| value[name].as_u64().is_some_and(|n| n <= u64::from(u32::MAX));
    let template =
        |one: &Value| ["name", "status", "language"].iter().all(|name| one[name].is_string());
    ["total", "page", "size"].iter().all(|name| count(name))
        && value["data"].as_array().is_some_and(|list| list.iter().all(template))
}
