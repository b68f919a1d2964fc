//! Tests that `messaging-core` and the reference implementation of Standard Webhooks accept the
//! same deliveries.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue};
use messaging_core::webhook::Settings;
use messaging_core::webhook::origin::Proofs;
use proptest::prelude::*;
use standardwebhooks::Webhook;

/// Tolerance of the reference implementation and default of this implementation, in seconds.
const TOLERANCE: u64 = 300;

fn proofs(secrets: &[&str], tolerance: Option<&str>) -> Proofs {
    let names = ["MESSAGING_WEBHOOK_SIGNATURE_SECRET", "MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT"];
    let mut variables: Vec<(String, String)> = names
        .into_iter()
        .zip(secrets)
        .map(|(name, value)| (name.into(), (*value).into()))
        .collect();
    variables.push(("MESSAGING_WEBHOOK_SIGNED".into(), "standard-webhooks".into()));
    if let Some(seconds) = tolerance {
        let name = "MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS";
        variables.push((name.into(), seconds.into()));
    }
    Settings::from_variables(variables).unwrap().proofs
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn holds(proofs: &Proofs, headers: &HeaderMap, body: &[u8]) -> bool {
    let values =
        |name: &str| headers.get_all(name).iter().map(|value| value.as_bytes().to_vec()).collect();
    proofs.hold_for_body(body, values, now)
}

fn headers(id: &str, timestamp: &str, signature: &str) -> HeaderMap {
    let pairs =
        [("webhook-id", id), ("webhook-timestamp", timestamp), ("webhook-signature", signature)];
    pairs
        .into_iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
        .collect()
}

/// A test vector of the reference implementation.
#[test]
fn published_vector_is_valid_proof() {
    let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    let body = br#"{"email":"test@example.com","username":"test_user"}"#;
    let signature = "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=";
    let headers = headers("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", "1649367553", signature);
    assert!(holds(&proofs(&[secret], Some("0")), &headers, body));
    assert!(!holds(&proofs(&[secret], None), &headers, body), "timestamp of 2022");
    assert!(!holds(&proofs(&[secret], Some("0")), &headers, b"{}"));
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Nothing,
    Id,
    Timestamp,
    Body,
    Secret,
    /// Replaces a byte in the signature header. Holds the position and the new byte.
    Signature(usize, u8),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => Just(Change::Nothing),
        1 => Just(Change::Id),
        1 => Just(Change::Timestamp),
        1 => Just(Change::Body),
        1 => Just(Change::Secret),
        4 => (0..200_usize, 0x20..0x7f_u8).prop_map(|(at, byte)| Change::Signature(at, byte)),
    ]
}

proptest! {
    #[test]
    fn both_take_same_deliveries(
        key in prop::collection::vec(any::<u8>(), 24..=64),
        id in "[!-~]{1,40}",
        // Avoids ages near the tolerance, because a second can pass between the two checks.
        age in prop_oneof![-290_i64..290, -4_000_i64..-310, 310_i64..4_000],
        body in "\\PC{0,200}",
        before in prop::collection::vec("v[12]a?,[A-Za-z0-9+/]{0,8}={0,2}|v1|,| ", 0..4),
        change in change(),
    ) {
        let secret = |key: &[u8]| format!("whsec_{}", STANDARD.encode(key));
        let theirs = Webhook::new(&secret(&key)).unwrap();
        let at = i64::try_from(now()).unwrap() - age;
        let signed = theirs.sign(&id, at, body.as_bytes()).unwrap();
        let mut value = [before, vec![signed]].concat().join(" ").into_bytes();
        let (mut id, mut at, mut body, mut key) = (id, at, body, key);
        match change {
            Change::Nothing => {}
            Change::Id => id.push('x'),
            Change::Timestamp => at += 1,
            Change::Body => body.push('x'),
            Change::Secret => key.push(0),
            Change::Signature(index, byte) => {
                let index = index % value.len();
                value[index] = byte;
            }
        }
        let headers = headers(&id, &at.to_string(), std::str::from_utf8(&value).unwrap());
        let theirs = Webhook::new(&secret(&key)).unwrap().verify(body.as_bytes(), &headers);
        let ours = holds(&proofs(&[&secret(&key)], None), &headers, body.as_bytes());
        prop_assert_eq!(ours, theirs.is_ok(), "{:?} {:?}", headers, theirs);
        // The result is the same if the signing secret is the second of two secrets.
        let two = proofs(&[&secret(&[7; 24]), &secret(&key)], None);
        prop_assert_eq!(holds(&two, &headers, body.as_bytes()), theirs.is_ok());
        if matches!(change, Change::Nothing) {
            prop_assert_eq!(ours, age.unsigned_abs() <= TOLERANCE);
        }
    }
}
