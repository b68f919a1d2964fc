//! Tests of every signature scheme, with signatures computed by the HMAC primitive.

use super::*;
use crate::secret::Secret;
use hmac::{Hmac, KeyInit};
use sha2::Sha256;
use std::format;
use std::string::ToString;
use std::vec;

const LONG: &str = "0123456789abcdef-secret";
const OTHER: &str = "fedcba9876543210-secret";
const BODY: &str = "{\"id\":\"m-1\"}";

fn headers(all: &[(&str, &str)]) -> impl Fn(&str) -> Vec<Vec<u8>> {
    let all: Vec<(String, Vec<u8>)> =
        all.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
    move |wanted| {
        let same = all.iter().filter(|(name, _)| name == wanted);
        same.map(|(_, value)| value.clone()).collect()
    }
}

fn secret(text: &str) -> Secret {
    Secret::new(text.into()).unwrap()
}

fn signature(scheme: Scheme) -> Signature {
    Signature { secrets: secret(LONG).into(), scheme }
}

fn at(tolerance: Option<u32>) -> Timestamp {
    Timestamp { header: "x-at".into(), tolerance }
}

fn in_header(encoding: Encoding, signed: Signed) -> Signature {
    let (header, prefix) = ("x-sig".into(), "sha256=".into());
    signature(Scheme::Header { header, prefix, encoding, signed })
}

fn timestamped(tolerance: Option<u32>) -> Signature {
    let (header, encoding) = ("x-sig".into(), Encoding::Hex);
    signature(Scheme::Timestamped { header, encoding, tolerance })
}

fn standard(tolerance: Option<u32>) -> Signature {
    signature(Scheme::StandardWebhooks { tolerance })
}

/// Returns the HMAC of `bytes`, computed by the primitive.
fn mac(key: &str, bytes: &str) -> [u8; 32] {
    let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    mac.chain_update(bytes).finalize().into_bytes().into()
}

fn sign(bytes: &str) -> String {
    format!("sha256={}", hex::encode(&mac(LONG, bytes)))
}

/// Returns a signature in the form of `webhook-signature`.
fn v1(key: &str, bytes: &str) -> String {
    format!("v1,{}", STANDARD.encode(mac(key, bytes)))
}

fn v1_hex(key: &str, bytes: &str) -> String {
    format!("v1={}", hex::encode(&mac(key, bytes)))
}

fn judged(signature: &Signature, now: u64, all: &[(&str, &str)]) -> Result<(), (String, Fault)> {
    let judged = signature.judge(BODY.as_bytes(), &headers(all), || now);
    judged.map_err(|(name, fault)| (name.to_string(), fault))
}

fn holds(signature: &Signature, body: &str, all: &[(&str, &str)]) -> bool {
    signature.judge(body.as_bytes(), &headers(all), || 0).is_ok()
}

/// RFC 4231, test case 6 (a key longer than a block).
#[test]
fn signature_is_hmac_of_body() {
    let digits = "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54";
    let base64 = STANDARD.encode(hex::decode::<32>(digits.as_bytes()).unwrap());
    let body = b"Test Using Larger Than Block-Size Key - Hash Key First";
    let key = || Secret::new(vec![0xaa; 131]).unwrap();
    let by_hex = Signature { secrets: key().into(), ..in_header(Encoding::Hex, Signed::Body) };
    let by_base64 =
        Signature { secrets: key().into(), ..in_header(Encoding::Base64, Signed::Body) };
    let holds = |signature: &Signature, body: &[u8], all: &[(&str, &str)]| {
        signature.judge(body, &headers(all), || 0).is_ok()
    };
    let right = format!("sha256={digits}");
    assert!(holds(&by_hex, body, &[("x-sig", &right)]));
    assert!(holds(&by_hex, body, &[("x-sig", &format!("sha256={}", digits.to_uppercase()))]));
    assert!(holds(&by_base64, body, &[("x-sig", &format!("sha256={base64}"))]));
    assert!(!holds(&by_base64, body, &[("x-sig", &right)]));
    assert!(!holds(&by_hex, body, &[("x-sig", &format!("sha256={base64}"))]));
    let unpadded = base64.trim_end_matches('=');
    assert!(!holds(&by_base64, body, &[("x-sig", &format!("sha256={unpadded}"))]));
    assert!(!holds(&by_hex, b"test", &[("x-sig", &right)]));
    for wrong in [digits, "", "sha256=", &format!("sha256={digits}0"), &format!("sha1={digits}")] {
        assert!(!holds(&by_hex, body, &[("x-sig", wrong)]), "{wrong}");
    }
    assert!(!holds(&by_hex, body, &[]));
    assert!(!holds(&by_hex, body, &[("x-sig", &right), ("x-sig", &right)]));
}

#[test]
fn signed_key_prevents_replay() {
    let of_body = in_header(Encoding::Hex, Signed::Body);
    let of_time = in_header(Encoding::Hex, Signed::TimestampBody(at(None)));
    let of_key = in_header(Encoding::Hex, Signed::KeyTimestampBody(at(None)));
    for (signature, bytes, other_key, other_time, other_body) in [
        // A signature of only the body is also valid with another key and another timestamp.
        (&of_body, BODY.to_string(), true, true, false),
        (&of_time, format!("17.{BODY}"), true, false, false),
        (&of_key, format!("evt-1.17.{BODY}"), false, false, false),
    ] {
        assert_eq!(signature.scheme.binds_key(), !other_key);
        let value = sign(&bytes);
        let holds = |key: &str, at: &str, body: &str| {
            holds(signature, body, &[("x-sig", &value), (KEY_HEADER, key), ("x-at", at)])
        };
        assert!(holds("evt-1", "17", BODY), "{bytes}");
        assert_eq!(holds("evt-2", "17", BODY), other_key, "{bytes}");
        assert_eq!(holds("evt-1", "18", BODY), other_time, "{bytes}");
        assert_eq!(holds("evt-1", "17", "{}"), other_body, "{bytes}");
    }
}

#[test]
fn deliveries_have_distinct_signed_bytes() {
    let of_key = in_header(Encoding::Hex, Signed::KeyTimestampBody(at(None)));
    let value = sign(&format!("a.1.2.{BODY}"));
    let right = |key: &str, at: &str, body: &str| {
        holds(&of_key, body, &[("x-sig", &value), (KEY_HEADER, key), ("x-at", at)])
    };
    assert!(right("a.1", "2", BODY));
    // `1.2` is not a timestamp. A body that starts with `2.` is not a JSON object, and the parser
    // rejects it.
    assert!(!right("a", "1.2", BODY));
    assert!(right("a", "1", &format!("2.{BODY}")));
    for at in ["", "-2", "2 ", "2e0", "000000000000000000002"] {
        assert!(!right("a.1", at, BODY), "{at:?}");
    }
    let all = [("x-sig", &*value), (KEY_HEADER, "a.1"), (KEY_HEADER, "b"), ("x-at", "2")];
    assert!(!holds(&of_key, BODY, &all));
    assert!(!holds(&of_key, BODY, &[("x-sig", &value)]));
}

#[test]
fn one_valid_signature_of_several_is_enough() {
    let (stamped, standard) = (timestamped(None), standard(None));
    let hex = |key| v1_hex(key, &format!("17.{BODY}"));
    let base64 = |key| v1(key, &format!("evt-1.17.{BODY}"));
    let (right, other) = (hex(LONG), hex(OTHER));
    for (value, expected) in [
        (format!("t=17,{right}"), true),
        (format!("{right},t=17"), true),
        (format!("t=17, {other}, {right}"), true),
        (format!("t=17,v0=abc,{right},x,=,"), true),
        (format!("t=17,v1=abc,{right}"), true),
        (format!("t=17,{other}"), false),
        (format!("t=18,{right}"), false),
        (format!("t=17,t=17,{right}"), false),
        (format!("t=17,{}", right.replace("v1=", "v2=")), false),
        (format!("t=017,{right}"), false),
        (format!("t=,{right}"), false),
        ("t=17".to_string(), false),
        (right.clone(), false),
    ] {
        assert_eq!(holds(&stamped, BODY, &[("x-sig", &value)]), expected, "{value}");
    }
    let (right, other) = (base64(LONG), base64(OTHER));
    for (value, expected) in [
        (right.clone(), true),
        (format!("{other} {right}"), true),
        (format!("{right} {other}"), true),
        (format!("v1a,AAAA {right}"), true),
        (format!("v1,AAAA  {right} v1 ,"), true),
        (other, false),
        (right.replace("v1,", "v1a,"), false),
        (right.replace("v1,", "v1="), false),
        (right.replace("v1,", ""), false),
        (right.trim_end_matches('=').to_string(), false),
        (String::new(), false),
    ] {
        let all = [(STANDARD_ID, "evt-1"), (STANDARD_TIMESTAMP, "17")];
        let all = [&all[..], &[(STANDARD_SIGNATURE, &value)]].concat();
        assert_eq!(holds(&standard, BODY, &all), expected, "{value}");
    }
}

#[test]
fn timestamp_is_1_to_20_digits() {
    let of_time = in_header(Encoding::Hex, Signed::TimestampBody(at(None)));
    for (at, right) in [
        ("1", true),
        ("00000000000000000017", true),
        ("", false),
        ("000000000000000000017", false),
        ("-17", false),
        ("1e3", false),
    ] {
        let value = sign(&format!("{at}.{BODY}"));
        assert_eq!(holds(&of_time, BODY, &[("x-sig", &value), ("x-at", at)]), right, "{at:?}");
    }
}

#[test]
fn the_number_of_signatures_is_bounded() {
    let right = v1(LONG, &format!("evt-1.17.{BODY}"));
    let with = |others: usize| {
        let value = format!("{}{right}", "v1,AAAA ".repeat(others));
        let all = [(STANDARD_ID, "evt-1"), (STANDARD_TIMESTAMP, "17")];
        judged(&standard(None), 0, &[&all[..], &[(STANDARD_SIGNATURE, &value)]].concat())
    };
    assert_eq!(with(MAX_PARTS - 1), Ok(()));
    assert_eq!(with(MAX_PARTS), Err((STANDARD_SIGNATURE.to_string(), Fault::Malformed)));
}

#[test]
fn standard_webhooks_binds_its_identifier() {
    let value = v1(LONG, &format!("evt-1.17.{BODY}"));
    let with = |id: &str, at: &str, more: &[(&str, &str)]| {
        let all = [(STANDARD_ID, id), (STANDARD_TIMESTAMP, at), (STANDARD_SIGNATURE, &value)];
        judged(&standard(None), 0, &[&all[..], more].concat())
    };
    assert_eq!(with("evt-1", "17", &[]), Ok(()));
    assert_eq!(with("evt-1", "17", &[(KEY_HEADER, "other")]), Ok(()));
    let err = |name: &str, fault| Err((name.to_string(), fault));
    assert_eq!(with("evt-2", "17", &[]), err(STANDARD_SIGNATURE, Fault::Wrong));
    assert_eq!(with("evt-1", "18", &[]), err(STANDARD_SIGNATURE, Fault::Wrong));
    assert_eq!(with("evt-1", "-17", &[]), err(STANDARD_TIMESTAMP, Fault::Malformed));
    let twice = with("evt-1", "17", &[(STANDARD_ID, "evt-1")]);
    assert_eq!(twice, err(STANDARD_ID, Fault::Repeated));
    assert_eq!(standard(None).scheme.key_header(), STANDARD_ID);
    assert_eq!(timestamped(None).scheme.key_header(), KEY_HEADER);
    assert!(standard(None).scheme.binds_key() && !timestamped(None).scheme.binds_key());
}

#[test]
fn rotation_of_secret_rejects_no_delivery() {
    let all_schemes = [
        in_header(Encoding::Base64, Signed::Body).scheme,
        timestamped(None).scheme,
        standard(None).scheme,
    ];
    let old = || secret(LONG);
    let new = || secret(OTHER);
    let steps = [
        Secrets::<Key>::from(old()),
        Secrets::two(old(), new()).unwrap(),
        Secrets::two(new(), old()).unwrap(),
        Secrets::from(new()),
    ];
    for scheme in all_schemes {
        let by = |key: &str| {
            let value = format!("sha256={}", STANDARD.encode(mac(key, BODY)));
            let stamped = format!("t=17,{}", v1_hex(key, &format!("17.{BODY}")));
            let standard = v1(key, &format!("evt-1.17.{BODY}"));
            let value = if scheme == timestamped(None).scheme { stamped } else { value };
            [
                ("x-sig", value),
                (STANDARD_ID, "evt-1".into()),
                (STANDARD_TIMESTAMP, "17".into()),
                (STANDARD_SIGNATURE, standard),
            ]
        };
        let taken = |secrets: &Secrets<Key>, key: &str| {
            let value = by(key);
            let all: Vec<_> = value.iter().map(|(name, value)| (*name, &**value)).collect();
            let signature = Signature { secrets: secrets.clone(), scheme: scheme.clone() };
            holds(&signature, BODY, &all)
        };
        let found: Vec<_> =
            steps.iter().map(|step| (taken(step, LONG), taken(step, OTHER))).collect();
        // Only the old secret, both secrets in either order, only the new secret.
        let both = (true, true);
        assert_eq!(found, [(true, false), both, both, (false, true)], "{scheme:?}");
    }
}

#[test]
fn timestamp_outside_tolerance_is_rejected() {
    let cases = |tolerance| {
        let base64 = v1(LONG, &format!("evt-1.1000.{BODY}"));
        let in_header = in_header(Encoding::Hex, Signed::TimestampBody(at(tolerance)));
        let plain = vec![("x-sig", sign(&format!("1000.{BODY}"))), ("x-at", "1000".into())];
        let stamped = format!("t=1000,{}", v1_hex(LONG, &format!("1000.{BODY}")));
        let headers = vec![
            (STANDARD_ID, "evt-1".to_string()),
            (STANDARD_TIMESTAMP, "1000".into()),
            (STANDARD_SIGNATURE, base64),
        ];
        [
            (in_header, plain, "x-at"),
            (timestamped(tolerance), vec![("x-sig", stamped)], "x-sig"),
            (standard(tolerance), headers, STANDARD_TIMESTAMP),
        ]
    };
    let at = |(signature, headers, name): &(Signature, Vec<(&str, String)>, &str), now| {
        let all: Vec<_> = headers.iter().map(|(name, value)| (*name, &**value)).collect();
        match judged(signature, now, &all) {
            Ok(()) => true,
            Err(refused) => {
                assert_eq!(refused, (name.to_string(), Fault::Untimely));
                false
            }
        }
    };
    for case in cases(Some(10)) {
        assert_eq!(case.0.scheme.tolerance(), Some(10));
        for (now, taken) in [(0, false), (989, false), (990, true), (1010, true), (1011, false)] {
            assert_eq!(at(&case, now), taken, "{now}");
        }
        assert!(!at(&case, u64::MAX));
    }
    for case in cases(None) {
        assert!(at(&case, 0) && at(&case, u64::MAX));
    }
    // A timestamp above 64 bits.
    assert_eq!(distance(b"99999999999999999999", 5), u64::MAX - 5);
}

#[test]
fn clock_is_read_for_every_signature() {
    let looked = core::cell::Cell::new(0);
    let now = || {
        looked.set(looked.get() + 1);
        1000
    };
    let right = v1(LONG, &format!("evt-1.1000.{BODY}"));
    for value in [right, v1(OTHER, "")] {
        let all = [(STANDARD_ID, "evt-1"), (STANDARD_TIMESTAMP, "1000")];
        let all = [&all[..], &[(STANDARD_SIGNATURE, &value)]].concat();
        let _ = standard(Some(10)).judge(BODY.as_bytes(), &headers(&all), now);
    }
    assert_eq!(looked.get(), 2);
    // The fault is the wrong signature, not the late timestamp.
    let other = v1(OTHER, "");
    let all = [(STANDARD_ID, "e"), (STANDARD_TIMESTAMP, "1"), (STANDARD_SIGNATURE, &other)];
    let wrong = Err((STANDARD_SIGNATURE.to_string(), Fault::Wrong));
    assert_eq!(judged(&standard(Some(10)), 5000, &all), wrong);
}
