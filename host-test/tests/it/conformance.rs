//! Tests of the conformance suite. A component with one defect fails exactly the matching cases. A
//! provider for another service passes the neutral cases, which hold for every service. `faults.rs`
//! runs the suite on the plugin.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::time::Duration;

use crate::common::cached;
use futures_util::StreamExt;
use messaging_components::{BROKEN, SMS};
use messaging_conformance::report::{Outcome, base};
use messaging_conformance::run::{self, Subject};
use messaging_conformance::{Case, Verdict};
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig, wit};
use messaging_simulator::faults::{Chunking, ScriptedServer};
use serde_json::{Value, json};

/// Compiles a component and creates an `Outbound` that allows no origin.
fn load(component: &[u8]) -> (Plugin, Outbound) {
    let limits =
        Limits { instances: 64, parts: 2, wall: Duration::from_secs(30), ..Limits::default() };
    let outbound = Outbound::new(AllowList::deny_all(), Trust::Public).unwrap();
    let config = PluginConfig::open(vec![], outbound.clone());
    let host = cached(Host::new(limits).unwrap());
    (Plugin::load(&host, component, config).unwrap(), outbound)
}

/// Runs the suite, 8 cases at a time.
async fn verdicts(loaded: &(Plugin, Outbound), broken: &str) -> Vec<Verdict> {
    let variables = [("BROKEN".to_string(), broken.to_string())];
    let (plugin, outbound) = loaded;
    let subject = Subject::Component(plugin, &variables);
    verdicts_of(subject, outbound, Case::all().unwrap().iter()).await
}

async fn verdicts_of(
    subject: Subject<'_>,
    outbound: &Outbound,
    cases: impl Iterator<Item = &'static Case>,
) -> Vec<Verdict> {
    let run = async |case| run::run(case, subject, outbound, Chunking::Whole).await.unwrap();
    futures_util::stream::iter(cases).map(run).buffer_unordered(8).collect().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_component_fails_its_case_only() {
    let lost = "connection_closed_before_reply_is_unknown";
    let rows: [(&str, &[&str]); 6] = [
        ("", &[]),
        (
            "retries-a-lost-reply",
            &[
                lost,
                "connection_closed_in_request_is_unknown",
                "formatted_phone_reaches_any_service",
                "unknown_outcome_without_reply_has_no_refusal",
                "invalid_reply_is_unknown",
            ],
        ),
        ("leaks-the-key", &["rejected_key_is_unauthorized", "refusal_masks_the_key"]),
        ("follows-a-redirect", &["redirect_is_never_followed"]),
        ("drops-unknown-fields", &["reply_keeps_all_members"]),
        ("says-delivered", &["created_does_not_mean_delivered"]),
    ];
    let broken = load(BROKEN);
    // Runs the suites one by one, because a busy machine could miss the deadlines of cases.
    for (how, expected) in rows {
        let verdicts = verdicts(&broken, how).await;
        let failed: Vec<_> =
            verdicts.iter().filter(|case| case.result == Outcome::Failed).collect();
        let names: BTreeSet<_> = failed.iter().map(|case| base(&case.name)).collect();
        assert_eq!(names, expected.iter().copied().collect(), "{how}: {failed:#?}");
    }
}

/// Maps the settings of the suite to the names that the SMS provider uses.
fn settings_of_sms() -> Vec<(String, String)> {
    [
        ("SMS_URL", "{MESSAGING_BASE_URL}"),
        ("SMS_TOKEN", "{MESSAGING_API_KEY}"),
        ("SMS_DEADLINE_MS", "{MESSAGING_DEADLINE_MS}"),
    ]
    .map(|(name, value)| (name.into(), value.into()))
    .into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_provider_passes_neutral_cases_only() {
    let (sms, outbound) = load(SMS);
    let settings = settings_of_sms();
    let subject = Subject::Component(&sms, &settings);
    let neutral = Case::all().unwrap().iter().filter(|case| case.neutral);
    let verdicts = verdicts_of(subject, &outbound, neutral).await;
    assert!(verdicts.len() > 90, "{}", verdicts.len());
    let unkept: Vec<_> = verdicts.iter().filter(|case| !case.passed()).collect();
    assert!(unkept.is_empty(), "{unkept:#?}");
    // The provider has its own paths and does not support a path in the base URL.
    let own =
        Case::all().unwrap().iter().filter(|case| base(&case.name) == "a_base_url_may_have_a_path");
    let verdicts = verdicts_of(subject, &outbound, own).await;
    assert!(!verdicts.is_empty() && verdicts.iter().all(|case| !case.passed()), "{verdicts:#?}");
}

#[tokio::test]
async fn other_provider_sends_to_its_gateway() {
    let (plugin, outbound) = load(SMS);
    let reply = |status: u16, json: Value| json!([{ "reply": { "status": status, "json": json } }]);
    let send = async |script: Value, fields: &[(&str, &str)]| {
        let script = serde_json::from_value(script).unwrap();
        let gateway = ScriptedServer::start(Some(script), None, Chunking::Whole).await.unwrap();
        let url = format!("http://{}", gateway.address());
        let variables = [("SMS_URL", format!("{url}/v2/")), ("SMS_TOKEN", "canary-token".into())];
        let variables = variables.map(|(name, value)| (name.to_string(), value)).into();
        let outbound = outbound.allowing(AllowList::parse([url.as_str()]).unwrap());
        let field =
            |(name, json): &(&str, &str)| wit::Field { name: (*name).into(), json: (*json).into() };
        let request = wit::MessageRequest {
            phone: "+34 600 111 222".into(),
            message: "¡Hola & adiós!".into(),
            device: Some("SHOP".into()),
            fields: fields.iter().map(field).collect(),
        };
        let plugin = plugin.with_config(PluginConfig::open(variables, outbound));
        (plugin.send_message(&request).await.unwrap(), gateway.record().requests)
    };
    let accepted = || reply(202, json!({ "sms": "sms-1", "parts": 1 }));
    let (sent, requests) = send(accepted(), &[("ttl", "60"), ("class", "\"flash\"")]).await;
    assert_eq!(sent.unwrap().id, "sms-1");
    let [request] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/v2/sms"));
    assert_eq!(
        request.body,
        "to=%2B34600111222&text=%C2%A1Hola%20%26%20adi%C3%B3s%21&from=SHOP&ttl=60&class=flash"
    );
    let token = ("authorization".to_string(), "Bearer canary-token".to_string());
    assert!(request.headers.contains(&token), "{request:?}");
    // The gateway does not support the field `media`, and has its own error responses.
    let (refused, requests) = send(accepted(), &[("media", "{}")]).await;
    let Err(wit::Error::PermanentInvalidInput(invalid)) = refused else { panic!("{refused:?}") };
    assert_eq!((invalid.field.as_str(), requests.len()), ("fields[0].json", 0));
    let (limited, _) = send(reply(429, json!("later")), &[]).await;
    assert!(matches!(limited, Err(wit::Error::RateLimited(_))), "{limited:?}");
    let (created, _) = send(reply(201, json!({ "id": "msg-1" })), &[]).await;
    assert!(matches!(created, Err(wit::Error::PermanentOutcomeUnknown(_))), "{created:?}");
}
