//! Fuzzes the webhook: its settings, a request, and the record that the inbox gets.

use messaging_core::event::Event;
use messaging_core::webhook::record::Record;
use messaging_core::webhook::{Answer, Settings};
use serde_json::Value;

use super::input::{Input, text};
use super::schemes::{NOW, SenderSettings, values_of};
use super::settings::variables;

/// Text that replaces `$` in secrets, so that a leak is recognized.
const CANARY: &str = "canary-secret-77";

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let variables: Vec<_> = variables(&mut input)
        .into_iter()
        .map(|(name, value)| (name.replace('^', "MESSAGING_WEBHOOK_"), value.replace('$', CANARY)))
        .collect();
    let set = |name: &str| {
        let name = format!("MESSAGING_WEBHOOK_{name}");
        variables.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str())
    };
    let settings = match Settings::from_variables(variables.iter().cloned()) {
        Ok(settings) => settings,
        Err(invalid) => {
            assert!(!invalid.detail.contains(CANARY));
            return;
        }
    };
    // Debug output may contain the canary only in settings that are not secret.
    let plain = ["HEADER", "SIGNATURE_HEADER", "SIGNATURE_PREFIX", "TIMESTAMP_HEADER"];
    let shown = plain
        .iter()
        .any(|name| set(name).is_some_and(|value| value.to_ascii_lowercase().contains(CANARY)));
    assert!(shown || !format!("{settings:?}").contains(CANARY));
    assert!((1..=16 * 1024 * 1024).contains(&settings.max_body_bytes));
    assert!((1..=600_000).contains(&settings.deadline_ms));

    let path = text(input.line()).replace('$', CANARY);
    let mut headers = input.headers();
    let body = input.0;
    let sender = SenderSettings::of(&set);
    for (name, value) in &mut headers {
        name.make_ascii_lowercase();
        if value == b"$" {
            *value = CANARY.into();
        } else if let (Some(sender), b"sign") = (&sender, value.as_slice()) {
            *value = sender.value(body);
        }
    }
    if let Some(sender) = &sender {
        let bytes = sender.bytes(&values_of(&headers), body).unwrap_or_default();
        for value in headers.iter_mut().map(|(_, value)| value).filter(|value| *value == b"all") {
            *value = sender.value(&bytes);
        }
    }
    let header = values_of(&headers);
    let proofs = &settings.proofs;
    let holds = settings.can_admit()
        && proofs.hold_for_head(&path, &header)
        && proofs.hold_for_body(body, &header, || NOW);
    // `refusal` returns a reason exactly if a proof of origin is required and invalid.
    let is_refused = proofs.refusal(&path, &header, body, || NOW).is_some();
    assert_eq!(is_refused, proofs.are_set() && !holds);

    // A delivery is accepted exactly if it satisfies each proof of origin that is set.
    let named =
        |setting, default: &str| header(&set(setting).unwrap_or(default).to_ascii_lowercase());
    let either = |name: &str, given: &[u8]| {
        let next = format!("{name}_NEXT");
        [set(name), set(&next)].into_iter().flatten().any(|secret| secret.as_bytes() == given)
    };
    let by_path = set("PATH_SECRET").is_none() || {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        either("PATH_SECRET", path.rsplit('/').next().unwrap_or_default().as_bytes())
    };
    let by_header = set("HEADER_SECRET").is_none() || {
        let values = named("HEADER", "x-webhook-secret");
        matches!(values.as_slice(), [value] if either("HEADER_SECRET", value))
    };
    let by_signature = sender.is_none_or(|sender| sender.is_right(&header, body));
    let secrets = ["PATH_SECRET", "HEADER_SECRET", "SIGNATURE_SECRET"];
    let some_way = secrets.iter().any(|name| set(name).is_some());
    let open = some_way || set("ALLOW_UNVERIFIED") == Some("true");
    assert_eq!(holds, open && by_path && by_header && by_signature);
    if !holds {
        return;
    }
    deliver(&header, body);
}

fn deliver(header: &impl Fn(&str) -> Vec<Vec<u8>>, body: &[u8]) {
    let Ok(body) = std::str::from_utf8(body) else { return };
    let delivered: Vec<_> = ["content-type", "x-idempotency-key"]
        .into_iter()
        .flat_map(|name| header(name).into_iter().map(move |value| (name, text(&value))))
        .collect();
    let pairs = delivered.iter().map(|(name, value)| (*name, value.as_str()));
    let event = match Event::read(pairs, body) {
        Ok(event) => event,
        Err(invalid) => {
            let answer = Answer::Malformed {
                field: invalid.field.into_owned(),
                detail: invalid.detail.into_owned(),
            };
            assert_eq!(answer.status(), 400);
            let value: Value = serde_json::from_str(&answer.body()).expect("an answer is JSON");
            assert_eq!(value["error"], "malformed");
            return;
        }
    };
    let (key, kind) = (&event.idempotency_key, event.kind.as_str());
    let record = Record::new(key, &event.message_id, kind, &event.json);
    let safe =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_=".contains(&byte);
    assert!((1..=110).contains(&record.name.len()) && record.name.bytes().all(safe));
    assert!(record.is_kept_in(&record.bytes));
    // Events are equal if their JSON is equal, under any key and kind.
    assert!(Record::new("other", "m\"", "k\\", &event.json).is_kept_in(&record.bytes));
    assert!(!Record::new(key, &event.message_id, kind, "{}").is_kept_in(&record.bytes));
    let written = std::str::from_utf8(&record.bytes).expect("UTF-8");
    assert!(written.ends_with(&format!("\"json\":{}}}\n", event.json)));
    if let Ok(value) = serde_json::from_str::<Value>(written) {
        assert_eq!(value["idempotency-key"], **key);
        assert_eq!(value["message-id"], *event.message_id);
        assert_eq!(value["kind"], kind);
    }
}
