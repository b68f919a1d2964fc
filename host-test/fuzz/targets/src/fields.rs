//! Additional members of a request.

use std::collections::BTreeSet;

use messaging_core::message::{Field, MessageRequest, Outgoing};
use messaging_core::wire::Request;
use messaging_core::wire::json::Json;
use serde::de::IgnoredAny;

use super::input::{Input, settings, text};

/// Input: a line with the device, empty for no device; then two lines for each member, its name and
/// its value.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let device = Some(text(input.line())).filter(|device| !device.is_empty());
    let mut fields = Vec::new();
    while !input.is_empty() {
        fields.push(Field { name: text(input.line()), json: text(input.line()) });
    }
    let request = MessageRequest {
        phone: "+34600111222".into(),
        message: "hi".into(),
        device: device.clone(),
        fields: fields.clone(),
    };
    let mut names = BTreeSet::from(["phone", "message", ""]);
    names.extend(device.as_ref().map(|_| "device"));
    let collides = fields.iter().any(|field| !names.insert(&field.name));
    let is_json = |json: &str| {
        !json.starts_with('\u{feff}')
            && serde_json::from_str::<IgnoredAny>(json.trim_ascii()).is_ok()
    };
    let malformed = fields.iter().any(|field| !is_json(&field.json));
    let message = match Outgoing::new(request, None) {
        Ok(message) => message,
        Err(invalid) => {
            assert!(collides || malformed, "{invalid:?}");
            assert!(invalid.field.starts_with("fields["), "{invalid:?}");
            return;
        }
    };
    assert!(!collides && !malformed, "{fields:?}");
    let request = Request::create_message(&settings(1, 1), &message).expect("a request");
    let body = Json::read(request.body()).expect("a body is JSON");
    let expected = device.map(|device| ("device".to_string(), serde_json::to_string(&device)));
    let expected = expected.map(|(name, json)| (name, json.expect("a JSON string")));
    let mut expected: Vec<_> = expected.into_iter().collect();
    expected.extend(fields.iter().map(|one| (one.name.clone(), one.json.trim_ascii().to_string())));
    let members = body.entries().expect("an object").skip(2);
    let members: Vec<_> = members
        .map(|(name, value)| (name.string().expect("a name"), value.as_str().to_string()))
        .collect();
    assert_eq!(members, expected, "fields keep their order");
}
