//! Property tests of the parsers: no input causes a panic, and accepted values are valid.
#![allow(clippy::unwrap_used, reason = "tests")]

use messaging_core::event::Event;
use messaging_core::origin::Origin;
use messaging_core::phone::Phone;
use messaging_core::secret::ApiKey;
use messaging_core::wire::json::{Field, Json};
use messaging_core::wire::refusal::read_refusal;
use messaging_core::wire::reply::{read_created, read_envelope};
use messaging_core::wire::retry_after::retry_after_ms;
use messaging_core::wire::{Body, Reply};
use proptest::prelude::*;
use serde_json::{Value, json};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Quarters have an exact representation, so rounding does not matter.
        any::<i32>().prop_map(|number| Value::from(f64::from(number) / 4.0)),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let key = prop_oneof![".{0,6}", prop::sample::select(KEYS).prop_map(String::from)];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

const KEYS: &[&str] =
    &["id", "message", "error", "errors", "code", "data", "total", "name", "field"];

fn key() -> ApiKey {
    ApiKey::new("canary-key".into()).unwrap()
}

fn refusing(bytes: Vec<u8>) -> Reply {
    Reply {
        status: 400,
        retry_after: vec![],
        date: None,
        content_encoding: vec![],
        body: Body { bytes, cut_short: None },
    }
}

proptest! {
    #[test]
    fn accepted_number_is_plus_and_digits(text in "[+0-9 ().a-\u{202e}\u{a0}-]{0,24}") {
        if let Ok(phone) = Phone::parse(&text) {
            let digits = phone.as_str().strip_prefix('+').unwrap();
            prop_assert!((7..=15).contains(&digits.len()));
            prop_assert!(digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0'));
            prop_assert_eq!(Phone::parse(phone.as_str()).unwrap(), phone);
            let opening = text.chars().filter(|char| *char == '(').count();
            let closing = text.chars().filter(|char| *char == ')').count();
            prop_assert!(opening == closing && opening <= 1, "{}", text);
        }
    }

    /// A zero in parentheses, such as `(0)`, is never read as a digit of the number.
    #[test]
    fn parenthesis_with_zero_is_rejected(
        before in "[1-9][0-9]{0,3}", dress in "[ \u{a0}\u{202f}.\u{2011}-]{0,4}",
        inside in "0[0-9 ]{0,3}", after in "[ -]?[0-9]{6,8}",
    ) {
        let text = format!("+{before} ({dress}{inside}){after}");
        prop_assert!(Phone::parse(&text).is_err(), "{}", text);
    }

    #[test]
    fn accepted_number_has_digits_of_text(
        text in "[\u{200e}\u{feff} ]{0,2}[+]{0,2}[0-9 ().\u{202e}\u{a0}\u{2011}/,xE-]{0,24}[\u{202c}\n ]{0,2}",
    ) {
        if let Ok(phone) = Phone::parse(&text) {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            prop_assert_eq!(phone.as_str(), format!("+{digits}"));
            prop_assert_eq!(text.matches('+').count(), 1, "{}", text);
        }
    }

    #[test]
    fn grouped_number_keeps_its_digits(
        code in "[1-9][0-9]{0,2}", groups in prop::collection::vec("[1-9][0-9]{2,3}", 2..3),
        separator in prop::sample::select(vec!["", " ", "-", ".", "\u{a0}", "\u{2011}", "\u{2013}"]),
    ) {
        let text = format!("+{code}{separator}{}", groups.join(separator));
        let phone = Phone::parse(&text).unwrap();
        prop_assert_eq!(phone.as_str(), format!("+{code}{}", groups.concat()));
    }

    #[test]
    fn two_numbers_are_rejected(
        first in "[1-9][0-9]{1,3}[ .-]?[0-9]{2,3}[ .-]?[0-9]{3,4}", second in "[0-9]{3}[ .-]?[0-9]{4}[0-9]{0,3}",
        between in prop::sample::select(vec![" ", "-", ".", " - ", " / ", ", ", "; ", " or ", "  ", "\u{2013}", "\n"]),
    ) {
        let digits = first.bytes().filter(u8::is_ascii_digit).count();
        prop_assume!(digits >= 7);
        let text = format!("+{first}{between}{second}");
        prop_assert!(Phone::parse(&text).is_err(), "{}", text);
    }

    #[test]
    fn decimal_fraction_is_rejected(digits in "[1-9][0-9]{6,12}", fraction in "\\.([0-9]{0,2}|0{1,6})") {
        let text = format!("+{digits}{fraction}");
        prop_assert!(Phone::parse(&text).is_err(), "{}", text);
    }

    #[test]
    fn any_text_is_number_or_reason(text in ".{0,40}") {
        let _ = Phone::parse(&text);
    }

    #[test]
    fn base_url_display_is_accepted_again(text in "(https?://)?[a-z0-9.:@/?#%\\[\\]-]{0,30}") {
        if let Ok(origin) = Origin::parse(&text) {
            let shown = origin.to_string();
            prop_assert_eq!(Origin::parse(&shown).unwrap(), origin);
            prop_assert!(!shown.contains(['?', '#', ' ']));
            // `@` is allowed in a path, but not in the authority.
            let authority = shown.split('/').nth(2).unwrap();
            prop_assert!(!authority.contains('@'), "{}", shown);
        }
    }

    #[test]
    fn fields_match_serde_json(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        let json = Json::parse(&text).unwrap();
        prop_assert_eq!(json.as_str(), text.trim());
        match &value {
            Value::Object(map) => {
                for name in KEYS {
                    let [field] = json.fields([name]).unwrap();
                    match (map.get(*name), field) {
                        (None, Field::Missing) => {}
                        (Some(expected), Field::Value(raw)) => {
                            let found: Value = serde_json::from_str(raw.as_str()).unwrap();
                            prop_assert_eq!(&found, expected);
                            prop_assert_eq!(raw.string().ok(), expected.as_str().map(String::from));
                        }
                        (expected, field) => {
                            let both = format!("{expected:?} {field:?}");
                            prop_assert!(false, "{}", both);
                        }
                    }
                }
                prop_assert_eq!(json.entries().unwrap().count(), map.len());
            }
            Value::Array(list) => {
                let found: Vec<Value> = json
                    .elements()
                    .unwrap()
                    .map(|raw| serde_json::from_str(raw.as_str()).unwrap())
                    .collect();
                prop_assert_eq!(&found, list);
            }
            _ => prop_assert!(json.fields(["id"]).is_err() && json.elements().is_err()),
        }
    }

    #[test]
    fn text_is_decoded_as_serde_json_does(text in "\"(\\\\[\"\\\\/bfnrtu]|[0-9a-fD\u{e9}\u{1f600}]|\\\\u[dD][89abcdAB][0-9a-f]{2}){0,12}\"") {
        let expected: Option<String> = serde_json::from_str(&text).ok();
        let found = Json::parse(&text).ok().and_then(|json| json.string().ok());
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_bytes_are_reply_or_reason(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_created(&bytes, &key());
        let _ = read_envelope(&bytes, &key());
        let refusal = read_refusal(&refusing(bytes), &key());
        prop_assert!(refusal.body.len() <= 4096);
    }

    #[test]
    fn any_json_is_reply_or_reason(value in any_json()) {
        let bytes = value.to_string().into_bytes();
        if let Ok(created) = read_created(&bytes, &key()) {
            prop_assert!(!created.id.is_empty());
        }
        let _ = read_envelope(&bytes, &key());
        let _ = read_refusal(&refusing(bytes), &key());
    }

    #[test]
    fn refusal_never_repeats_key(value in any_json(), at in any::<prop::sample::Index>()) {
        let mut text = value.to_string();
        let mut index = at.index(text.len() + 1);
        while !text.is_char_boundary(index) { index -= 1; }
        text.insert_str(index, "canary-key");
        let refusal = read_refusal(&refusing(text.into_bytes()), &key());
        let shown = format!("{refusal:?}");
        prop_assert!(!shown.contains("canary-key"));
    }

    #[test]
    fn retry_after_is_delay_or_absent(values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..4), date in prop::option::of(prop::collection::vec(any::<u8>(), 0..40))) {
        let _ = retry_after_ms(&values, date.as_deref());
    }

    #[test]
    fn whole_seconds_are_read_exactly(seconds in 0..4_294_967_u32) {
        prop_assert_eq!(retry_after_ms(&[seconds.to_string()], None), Some(seconds * 1000));
    }

    #[test]
    fn event_keeps_every_field(id in ".{1,20}", kind in ".{1,20}", more in any_json(), header in "[!-~]{1,256}") {
        let body = json!({ "id": id, "object": "message", "event": kind, "more": more }).to_string();
        let headers = [("content-type", "application/json"), ("X-Idempotency-Key", header.as_str())];
        let event = Event::read(headers, &body).unwrap();
        prop_assert_eq!(event.idempotency_key, header);
        prop_assert_eq!(event.message_id, id);
        prop_assert_eq!(event.json, body);
        prop_assert_eq!(event.kind, kind);
    }

    #[test]
    fn any_delivery_is_event_or_reason(headers in prop::collection::vec((".{0,20}", ".{0,40}"), 0..5), body in ".{0,200}") {
        let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let _ = Event::read(headers, &body);
    }
}
