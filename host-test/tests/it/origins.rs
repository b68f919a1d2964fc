//! Proofs of origin end to end, with `serve` as a process. Covers deliveries signed by other
//! implementations (`conformance/cases/origins`), every scheme of the simulated service, secret
//! rotation during deliveries, and replays under another key.

use std::collections::{BTreeMap, BTreeSet};

use crate::process::{
    SECRET, Serving, TestStore, body, exchange, program, refused, request, stderr, with_secret,
};
use messaging_core::webhook::Settings;
use messaging_simulator::service::signing::{Encoding, Scheme, Signing};
use messaging_simulator::service::{Event, Options, Service};
use serde::Deserialize;

const CASES: &str = include_str!("../../conformance/cases/origins/cases.json");

#[derive(Deserialize)]
struct Cases {
    body: String,
    groups: Vec<Group>,
}

/// Cases with common settings.
#[derive(Deserialize)]
struct Group {
    name: String,
    settings: BTreeMap<String, String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    why: String,
    path: String,
    headers: BTreeMap<String, String>,
    status: u16,
    /// Key of the stored event; `None` if no event is stored.
    key: Option<String>,
}

#[tokio::test]
async fn signed_delivery_is_judged_as_stated() {
    let cases: Cases = serde_json::from_str(CASES).unwrap();
    let mut refusals = BTreeSet::new();
    for group in cases.groups {
        let store = TestStore::new();
        let settings: Vec<_> =
            group.settings.iter().map(|(name, value)| (&**name, &**value)).collect();
        let serving = store.serve(&[], &settings);
        let mut expected = Vec::new();
        for case in &group.cases {
            let headers: String =
                case.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let request = format!(
                "POST {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{}",
                case.path,
                cases.body.len(),
                cases.body
            );
            let reply = exchange(serving.address, request.as_bytes()).await;
            assert_eq!(reply.status, case.status, "{}: {}: {}", group.name, case.name, case.why);
            if reply.status == 401 {
                let head = reply.head.lines().filter(|line| !line.starts_with("date"));
                refusals.insert((head.collect::<Vec<_>>().join("\n"), reply.body));
            }
            expected.extend(case.key.clone());
        }
        drop(serving);
        assert_eq!(store.keys(), expected, "{}", group.name);
    }
    // The 401 response does not depend on the reason of the rejection.
    assert_eq!(refusals.len(), 1, "{refusals:?}");
}

/// Every scheme of the webhook has a case, so that a new scheme cannot be forgotten.
#[test]
fn each_scheme_has_accepting_case() {
    let cases: Cases = serde_json::from_str(CASES).unwrap();
    let taken =
        cases.groups.into_iter().filter(|group| group.cases.iter().any(|case| case.status == 200));
    let mut schemes: Vec<_> = taken
        .filter_map(|group| Settings::from_variables(group.settings).unwrap().proofs.signature)
        .map(|signature| signature.scheme.name())
        .collect();
    schemes.sort_unstable();
    let all = ["body", "key.timestamp.body", "standard-webhooks", "timestamp.body", "timestamped"];
    assert_eq!(schemes, all);
}

const TEXTS: [&str; 2] = ["a-secret-of-enough-bytes", "the-next-of-enough-bytes"];
const WHSECS: [&str; 2] =
    ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "whsec_dGhlLW5leHQtb2YtZW5vdWdoLWJ5dGVz"];
const SCHEMES: [(&str, Scheme, [&str; 2]); 5] = [
    ("body", Scheme::Body, TEXTS),
    ("timestamp.body", Scheme::TimestampBody, TEXTS),
    ("key.timestamp.body", Scheme::KeyTimestampBody, TEXTS),
    ("timestamped", Scheme::Timestamped, TEXTS),
    ("standard-webhooks", Scheme::StandardWebhooks, WHSECS),
];

async fn sender(url: &str, signing: Signing) -> Service {
    let webhook = Some(url.to_string());
    Service::start(Options { webhook, signing: Some(signing), ..Options::new("k") }).await.unwrap()
}

/// Delivers a new event. Asserts that the first attempt is accepted. Returns the key of the event.
async fn delivered(service: &Service) -> String {
    let event = Event::new_message();
    let delivery = service.deliver(&event, 0).await.unwrap();
    assert_eq!(delivery.attempts.len(), 1, "the first attempt was rejected");
    event.key
}

#[tokio::test]
async fn simulated_signatures_are_accepted() {
    for (name, scheme, secrets) in SCHEMES {
        let store = TestStore::new();
        let base64 = [
            ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", secrets[0]),
            ("MESSAGING_WEBHOOK_SIGNED", name),
            ("MESSAGING_WEBHOOK_SIGNATURE_ENCODING", "base64"),
            ("MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS", "300"),
        ];
        let settings: Vec<_> = base64
            .into_iter()
            .filter(|(setting, _)| name != "body" || !setting.contains("TOLERANCE"))
            .filter(|(setting, _)| name != "standard-webhooks" || !setting.contains("ENCODING"))
            .collect();
        let serving = store.serve(&[], &settings);
        let signing = Signing::new(scheme, Encoding::Base64, secrets[0], None).unwrap();
        let key = delivered(&sender(&serving.url, signing).await).await;
        assert_eq!(store.keys(), [key], "{name}");
    }
}

#[tokio::test]
async fn stepwise_rotation_rejects_no_delivery() {
    for (name, scheme, [old, new]) in SCHEMES {
        let store = TestStore::new();
        let signed = ("MESSAGING_WEBHOOK_SIGNED", name);
        let secret = |value| ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", value);
        let next = ("MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT", new);
        let signs = |secret: &str, second: Option<&str>| {
            Signing::new(scheme, Encoding::Hex, secret, second).unwrap()
        };
        let mut serving = store.serve(&[], &[signed, secret(old)]);
        let (url, address) = (serving.url.clone(), serving.address.to_string());
        let by_old = sender(&url, signs(old, None)).await;
        let by_both = sender(&url, signs(old, Some(new))).await;
        let by_new = sender(&url, signs(new, None)).await;
        let mut kept = vec![delivered(&by_old).await];
        drop(serving);
        serving = store.serve_on(&address, &[signed, secret(old), next]);
        for service in [&by_old, &by_both, &by_new] {
            kept.push(delivered(service).await);
        }
        drop(serving);
        serving = store.serve_on(&address, &[signed, secret(new)]);
        kept.push(delivered(&by_new).await);
        drop(serving);
        assert_eq!(store.keys(), kept, "{name}");
    }
}

/// Delivers one body under three keys.
async fn repeated(serving: &Serving) {
    for key in ["evt-1", "evt-2", "evt-3"] {
        let request = request("/", &with_secret(), key, &body("m-1"));
        assert_eq!(exchange(serving.address, request.as_bytes()).await.status, 200);
    }
}

#[tokio::test]
async fn replay_is_logged_and_quarantined() {
    let secret = [("MESSAGING_WEBHOOK_HEADER_SECRET", SECRET)];
    for (more, state) in [(&[][..], "pending"), (&["--quarantine-replays"], "quarantined")] {
        let store = TestStore::new();
        let serving = store.serve(more, &secret);
        repeated(&serving).await;
        let line = "arrived again under another key";
        serving.logged(line).await;
        assert_eq!(serving.log().matches(line).count(), 1, "{}", serving.log());
        drop(serving);
        let list = store.inbox(&["list"]);
        assert_eq!(
            (&list[0]["state"], &list[0]["replay-of"]),
            (&"pending".into(), &None::<i64>.into())
        );
        assert_eq!((&list[1]["state"], &list[1]["replay-of"]), (&state.into(), &1.into()));
    }
    // Without a proof of origin, replays are not reported, because an attacker can also forge new
    // events.
    let store = TestStore::new();
    let serving = store.serve(&[], &[]);
    repeated(&serving).await;
    assert!(!serving.log().contains("under another key"), "{}", serving.log());
}

#[test]
fn ineffective_setting_is_rejected() {
    let bound = [
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", WHSECS[0]),
        ("MESSAGING_WEBHOOK_SIGNED", "standard-webhooks"),
    ];
    let said = refused(&["serve", "--quarantine-replays"], &bound, 2);
    assert!(said.contains("remove it"), "{said}");
    let header = [bound[0], bound[1], ("MESSAGING_WEBHOOK_SIGNATURE_HEADER", "x-sig")];
    let said = refused(&["serve"], &header, 2);
    assert!(said.contains("MESSAGING_WEBHOOK_SIGNATURE_HEADER has no effect"), "{said}");
    let sign = ["service", "--webhook", "http://127.0.0.1:1/", "--sign", "timestamped"];
    let said = refused(&sign, &[], 2);
    assert!(said.contains("set MESSAGING_WEBHOOK_SIGNATURE_SECRET"), "{said}");
    let text = ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", SECRET);
    let said = refused(&[&sign[..4], &["standard-webhooks"]].concat(), &[text], 2);
    assert!(said.contains("whsec_"), "{said}");
}

#[test]
fn check_lists_proofs_without_secrets() {
    let settings = [
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", WHSECS[0]),
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT", WHSECS[1]),
        ("MESSAGING_WEBHOOK_SIGNED", "standard-webhooks"),
        ("MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS", "300"),
    ];
    let output = program(&["check", "--simulated"], &settings).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["standard-webhooks", "either of two secrets", "300 s", "one idempotency key"] {
        assert!(said.contains(part), "{part}: {said} {}", stderr(&output));
    }
    assert!(!said.contains("whsec_"), "{said}");
    let wrong = [("MESSAGING_WEBHOOK_SIGNED", "timestamped")];
    let output = program(&["check", "--simulated"], &wrong).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("MESSAGING_WEBHOOK_SIGNED has no effect without"), "{said}");
}
