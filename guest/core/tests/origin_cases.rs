//! The cases in `origin_cases.json`, which the packages for Node and Python must pass too.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use messaging_core::webhook::settings::InvalidSettings;
use messaging_core::webhook::{Answer, Settings};
use serde_json::{Map, Value};

const CASES: &str = include_str!("origin_cases.json");

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Returns the values of a member that is a string or a list.
fn each(value: &Value) -> Vec<&str> {
    value.as_array().map_or_else(|| vec![text(value)], |all| all.iter().map(text).collect())
}

fn read(settings: &[(&str, &str)]) -> Result<Settings, InvalidSettings> {
    let own =
        |(name, value): &(&str, &str)| (format!("MESSAGING_WEBHOOK_{name}"), (*value).to_string());
    Settings::from_variables(settings.iter().map(own))
}

/// Returns the body of the case. If the case has none, returns the body of its group, or of the
/// file.
fn body(all: &Value, group: &Value, case: &Value) -> Vec<u8> {
    if let Some(digits) = case.get("body_hex") {
        let byte = |at: usize| u8::from_str_radix(text(digits).get(at..at + 2)?, 16).ok();
        return (0..text(digits).len()).step_by(2).map(|at| byte(at).unwrap()).collect();
    }
    let found = [case, group, all].into_iter().find_map(|from| from.get("body"));
    text(found.unwrap()).into()
}

/// Returns the headers of a group with the changes of a case.
fn headers(group: &Value, case: &Value) -> Map<String, Value> {
    let of = |from: &Value| from.get("headers").map_or_else(Map::new, |all| object(all).clone());
    let mut all = of(group);
    all.extend(of(case));
    all.retain(|_, value| !value.is_null());
    all
}

#[test]
fn deliveries_are_judged_as_listed() {
    let all: Value = serde_json::from_str(CASES).unwrap();
    let mut count = 0;
    for group in all["deliveries"].as_array().unwrap() {
        let given = object(&group["settings"]).iter();
        let given: Vec<_> = given.map(|(name, value)| (name.as_str(), text(value))).collect();
        let settings = read(&given).unwrap();
        for case in group["cases"].as_array().unwrap() {
            let headers = headers(group, case);
            // Each character is one byte, as in a request.
            let bytes = |value: &str| value.chars().map(|one| u8::try_from(one).unwrap()).collect();
            let header = |wanted: &str| {
                let same = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
                same.flat_map(|(_, value)| each(value)).map(bytes).collect::<Vec<Vec<u8>>>()
            };
            let path = case.get("path").map_or("/", text);
            let now = || case.get("now").map_or(0, |now| now.as_u64().unwrap());
            let body = body(&all, group, case);
            let named = format!("{}: {case}", group["name"]);

            let refusal = settings.proofs.refusal(path, header, &body, now);
            let expected = case.get("refused").map(|refused| {
                text(&all["reasons"][text(&refused[0])]).replace("{}", text(&refused[1]))
            });
            assert_eq!(refusal.map(|refusal| refusal.to_string()), expected, "{named}");

            let admitted = settings.admit(true, path, header);
            let accepted = admitted.and_then(|()| settings.accept(body, header, now));
            let unverified = accepted == Err(Answer::Unverified);
            assert_eq!(unverified, expected.is_some(), "{named}");
            if let Some(key) = case.get("key") {
                let headers = accepted.unwrap().headers;
                let key = ("x-idempotency-key", text(key).to_string());
                assert!(headers.contains(&key), "{named}");
            }
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn settings_are_rejected_as_listed() {
    let all: Value = serde_json::from_str(CASES).unwrap();
    let mut count = 0;
    for case in all["settings"].as_array().unwrap() {
        let given = object(&case["settings"]);
        let tries = given.values().map(|value| each(value).len()).max().unwrap();
        for index in 0..tries {
            let chosen = given.iter().map(|(name, value)| {
                let values = each(value);
                (name.as_str(), values[index % values.len()])
            });
            let chosen: Vec<_> = chosen.collect();
            let error = read(&chosen).err();
            let Some(setting) = case.get("invalid") else {
                assert_eq!(error, None, "{chosen:?}");
                continue;
            };
            let error = error.unwrap();
            assert_eq!(error.setting, format!("MESSAGING_WEBHOOK_{}", text(setting)), "{chosen:?}");
            assert!(error.detail.contains(text(&case["detail"])), "{chosen:?}: {}", error.detail);
            count += 1;
        }
    }
    assert!(count > 90, "{count}");
}
