//! The body of a 201 reply.

use messaging_core::wire::reply::read_created;
use serde_json::Value;

use super::input::{KEY, keeps_the_key, key};

pub fn check(data: &[u8]) {
    let read = read_created(data, &key());
    if let Ok(created) = &read {
        assert!(!created.id.is_empty());
        keeps_the_key(&created.id);
        keeps_the_key(&created.json);
        // The JSON of the reply is returned unchanged and parses to the same values.
        if !created.json.contains("[redacted]") {
            let body = std::str::from_utf8(data).expect("an accepted body is UTF-8");
            assert!(body.contains(&created.json));
            if let Ok(value) = serde_json::from_str::<Value>(&created.json) {
                assert!(value.is_object());
                assert_eq!(value["id"], created.id);
            }
        }
    }
    // The core finds an identifier if an independent JSON parser finds it.
    let Ok(value) = serde_json::from_slice::<Value>(data) else { return };
    let object = match &value {
        Value::Array(list) if list.len() == 1 => &list[0],
        other => other,
    };
    let id = object.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
    // Serializes the value again, because the input may have duplicate members.
    let again = read_created(value.to_string().as_bytes(), &key());
    match id {
        Some(id) if id.contains(KEY) => assert!(again.is_err()),
        // The core may reject an identifier with a backslash, because escapes could hide the API
        // key.
        Some(id) => assert!(again.is_ok_and(|created| created.id == id) || id.contains('\\')),
        None => assert!(again.is_err() && read.is_err()),
    }
}
