//! Tests of the settings of proofs of origin.

use super::super::Settings;
use super::*;
use alloc::vec::Vec;
use std::format;

const SECRET: &str = "0123456789abcdef";
/// From the tests of Standard Webhooks.
const WHSEC: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

fn read(variables: &[(&str, &str)]) -> Result<Settings, InvalidSettings> {
    let own = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    Settings::from_variables(variables.iter().map(own))
}

#[test]
fn each_proof_has_secret_and_header() {
    assert!(read(&[(PATH_SECRET, SECRET)]).unwrap().proofs.path.is_some());
    let proofs = read(&[(HEADER_SECRET, SECRET)]).unwrap().proofs;
    assert_eq!(proofs.header.unwrap().0, "x-webhook-secret");
    let proofs = read(&[(HEADER_SECRET, SECRET), (HEADER, "X-Mine")]).unwrap().proofs;
    assert_eq!(proofs.header.unwrap().0, "x-mine");
    let settings = read(&[(SIGNATURE_SECRET, SECRET), (SIGNATURE_PREFIX, "sha256=")]).unwrap();
    let expected = Scheme::Header {
        header: "x-signature".to_string(),
        prefix: "sha256=".to_string(),
        encoding: Encoding::Hex,
        signed: Signed::Body,
    };
    assert_eq!(settings.proofs.signature.unwrap().scheme, expected);
    assert!(read(&[("MESSAGING_WEBHOOK_BUCKET", "b")]).is_ok());
}

#[test]
fn a_key_that_every_delivery_shows_is_refused() {
    for shown in [PATH_SECRET, HEADER_SECRET] {
        let invalid = read(&[(shown, SECRET), (SIGNATURE_SECRET, SECRET)]).unwrap_err();
        assert_eq!(invalid.setting, SIGNATURE_SECRET);
        let other = "another secret of it";
        let next = [(shown, SECRET), (SIGNATURE_SECRET, other), (SIGNATURE_SECRET_NEXT, SECRET)];
        assert_eq!(read(&next).unwrap_err().setting, SIGNATURE_SECRET_NEXT);
        assert!(read(&[(shown, SECRET), (SIGNATURE_SECRET, other)]).is_ok());
    }
}

#[test]
fn unsendable_secret_is_rejected() {
    for (name, value, why) in [
        (HEADER_SECRET, format!("{SECRET}\n"), "line break"),
        (HEADER_SECRET, format!("{SECRET}\r\n"), "line break"),
        (HEADER_SECRET, format!("{SECRET}\u{7f}{SECRET}"), "control"),
        (HEADER_SECRET, format!(" {SECRET}"), "space"),
        (HEADER_SECRET, format!("{SECRET} "), "space"),
        (HEADER_SECRET, format!("{SECRET}\t"), "control"),
        (SIGNATURE_SECRET, format!("{SECRET}\n"), "line break"),
        (SIGNATURE_SECRET, format!("{SECRET}\0"), "control"),
        (SIGNATURE_SECRET, format!("{SECRET} "), "space"),
        (HEADER_SECRET, format!("\"{SECRET}\""), "quotation"),
        (SIGNATURE_SECRET, format!("'{SECRET}'"), "quotation"),
    ] {
        let error = read(&[(name, &value)]).unwrap_err();
        assert_eq!(error.setting, name, "{value:?}");
        assert!(error.detail.contains(why), "{value:?}: {}", error.detail);
    }
    // A quotation mark at only one end is an ordinary character.
    assert!(read(&[(HEADER_SECRET, &format!("\"{SECRET}"))]).is_ok());
    for prefix in ["sha256=\n", " sha256=", "\"sha256=\""] {
        let error = read(&[(SIGNATURE_SECRET, SECRET), (SIGNATURE_PREFIX, prefix)]);
        assert_eq!(error.unwrap_err().setting, SIGNATURE_PREFIX);
    }
}

#[test]
fn unusable_header_name_is_rejected() {
    let secrets = [(HEADER_SECRET, SECRET), (SIGNATURE_SECRET, "another secret of it")];
    let with = |more: &[(&str, &str)]| read(&[&secrets[..], more].concat());
    let dated = (SIGNED, "timestamp.body");
    for name in TAKEN_HEADERS {
        let name = name.to_ascii_uppercase();
        assert_eq!(with(&[(HEADER, &name)]).unwrap_err().setting, HEADER);
        assert_eq!(with(&[(SIGNATURE_HEADER, &name)]).unwrap_err().setting, SIGNATURE_HEADER);
        let error = with(&[dated, (TIMESTAMP_HEADER, &name)]).unwrap_err();
        assert_eq!(error.setting, TIMESTAMP_HEADER);
    }
    for (more, refused) in [
        (&[(SIGNATURE_HEADER, "X-Webhook-Secret")][..], SIGNATURE_HEADER),
        (&[(HEADER, "x-signature")], SIGNATURE_HEADER),
        (&[dated, (TIMESTAMP_HEADER, "X-Signature")], TIMESTAMP_HEADER),
        (&[dated, (TIMESTAMP_HEADER, "x-webhook-secret")], TIMESTAMP_HEADER),
        (&[dated, (HEADER, "X-Timestamp")], TIMESTAMP_HEADER),
    ] {
        let error = with(more).unwrap_err();
        assert_eq!(error.setting, refused, "{more:?}");
        assert!(error.detail.contains("same header"), "{}", error.detail);
    }
    assert!(with(&[(HEADER, "Authorization"), dated, (TIMESTAMP_HEADER, "x-at")]).is_ok());
}

/// Returns the scheme for a secret and other settings.
fn scheme(secret: &str, more: &[(&str, &str)]) -> Result<Scheme, InvalidSettings> {
    let settings = read(&[&[(SIGNATURE_SECRET, secret)], more].concat())?;
    Ok(settings.proofs.signature.unwrap().scheme)
}

#[test]
fn the_signed_bytes_are_a_setting() {
    let signed = |more: &[(&str, &str)]| match scheme(SECRET, more)? {
        Scheme::Header { signed, .. } => Ok::<_, InvalidSettings>(signed),
        other => panic!("{other:?}"),
    };
    let timestamp = |header: &str, tolerance| Timestamp { header: header.to_string(), tolerance };
    assert_eq!(signed(&[]), Ok(Signed::Body));
    assert_eq!(signed(&[(SIGNED, "body")]), Ok(Signed::Body));
    let with_time = signed(&[(SIGNED, "timestamp.body")]);
    assert_eq!(with_time, Ok(Signed::TimestampBody(timestamp("x-timestamp", None))));
    let all =
        [(SIGNED, "key.timestamp.body"), (TIMESTAMP_HEADER, "X-At"), (TIMESTAMP_TOLERANCE, "300")];
    let with_key = signed(&all);
    assert_eq!(with_key, Ok(Signed::KeyTimestampBody(timestamp("x-at", Some(300)))));
    let error = signed(&[(SIGNED, "Body")]).unwrap_err();
    assert!(error.detail.contains("key.timestamp.body"), "{}", error.detail);
    for name in [TIMESTAMP_HEADER, TIMESTAMP_TOLERANCE] {
        for useless in [&[(name, "300")][..], &[(SIGNED, "body"), (name, "300")]] {
            assert_eq!(signed(useless).unwrap_err().setting, name);
        }
    }
    for wrong in ["-1", "604801", "+5", "5.0", ""] {
        let error = signed(&[(SIGNED, "timestamp.body"), (TIMESTAMP_TOLERANCE, wrong)]);
        assert_eq!(error.unwrap_err().setting, TIMESTAMP_TOLERANCE, "{wrong}");
    }
    assert_eq!(read(&[(SIGNED, "body")]).unwrap_err().setting, SIGNED);
}

#[test]
fn a_preset_refuses_what_it_decides() {
    let timestamped = (SIGNED, "timestamped");
    let expected = Scheme::Timestamped {
        header: "x-sig".to_string(),
        encoding: Encoding::Base64,
        tolerance: Some(604_800),
    };
    let more = [
        timestamped,
        (SIGNATURE_HEADER, "X-Sig"),
        (SIGNATURE_ENCODING, "base64"),
        (TIMESTAMP_TOLERANCE, "604800"),
    ];
    assert_eq!(scheme(SECRET, &more), Ok(expected));
    for name in [SIGNATURE_PREFIX, TIMESTAMP_HEADER] {
        assert_eq!(scheme(SECRET, &[timestamped, (name, "x")]).unwrap_err().setting, name);
    }

    let standard = (SIGNED, "standard-webhooks");
    let read = |more: &[(&str, &str)]| scheme(WHSEC, &[&[standard], more].concat());
    for (more, tolerance) in [
        (&[][..], Some(300)),
        (&[(TIMESTAMP_TOLERANCE, "1")], Some(1)),
        (&[(TIMESTAMP_TOLERANCE, "0")], None),
    ] {
        assert_eq!(read(more), Ok(Scheme::StandardWebhooks { tolerance }), "{more:?}");
    }
    for name in [SIGNATURE_HEADER, SIGNATURE_PREFIX, SIGNATURE_ENCODING, TIMESTAMP_HEADER] {
        let error = read(&[(name, "x")]).unwrap_err();
        assert_eq!(error.setting, name);
        assert!(error.detail.contains("leave it out"), "{}", error.detail);
    }
    let (secret, fixed) = ((HEADER_SECRET, SECRET), "Webhook-Id");
    assert_eq!(read(&[secret, (HEADER, fixed)]).unwrap_err().setting, HEADER);
    assert!(read(&[secret]).is_ok());
}

#[test]
fn standard_webhooks_secret_is_base64() {
    let standard = (SIGNED, "standard-webhooks");
    for wrong in [
        SECRET,
        "MDEyMzQ1Njc4OWFiY2RlZg==",
        "whsec_",
        "whsec_MDEyMzQ1Njc4OWFiY2Q=",
        "whsec_MDEyMzQ1Njc4OWFiY2RlZg",
        "whsec_MDEyMzQ1Njc4OWFiY2RlZg==\n",
        "\"whsec_MDEyMzQ1Njc4OWFiY2RlZg==\"",
    ] {
        let error = scheme(wrong, &[standard]).unwrap_err();
        assert_eq!(error.setting, SIGNATURE_SECRET, "{wrong}");
        let error = scheme(WHSEC, &[standard, (SIGNATURE_SECRET_NEXT, wrong)]).unwrap_err();
        assert_eq!(error.setting, SIGNATURE_SECRET_NEXT, "{wrong}");
    }
    assert!(scheme("whsec_MDEyMzQ1Njc4OWFiY2RlZg==", &[standard]).is_ok());
    // Other schemes accept this string as an ordinary secret.
    assert!(scheme(WHSEC, &[(SIGNED, "timestamped")]).is_ok());
}

#[test]
fn second_secret_must_differ() {
    let other = "fedcba9876543210";
    for (name, next) in [
        (PATH_SECRET, PATH_SECRET_NEXT),
        (HEADER_SECRET, HEADER_SECRET_NEXT),
        (SIGNATURE_SECRET, SIGNATURE_SECRET_NEXT),
    ] {
        let proofs = read(&[(name, SECRET), (next, other)]).unwrap().proofs;
        let secrets = [
            proofs.path.map(|secrets| secrets.count()),
            proofs.header.map(|(_, secrets)| secrets.count()),
            proofs.signature.map(|signature| signature.secrets.count()),
        ];
        let counts: Vec<_> = secrets.into_iter().flatten().collect();
        assert_eq!(counts, [2], "{name}");
        for refused in [
            read(&[(next, other)]),
            read(&[(name, SECRET), (next, SECRET)]),
            read(&[(name, SECRET), (next, "short")]),
        ] {
            assert_eq!(refused.unwrap_err().setting, next);
        }
    }
}
