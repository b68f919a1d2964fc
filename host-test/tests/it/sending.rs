//! `send-message` against the service and its ledger. (What the conformance and fault suites have,
//! for each kind of component: `verify/cases`.)
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::{Duration, Instant};

use crate::common::{KEY, Kind, Setup, message};
use crate::for_each_kind;
use messaging_host::wit::{self, Error, Stage};
use messaging_simulator::service::script::Reply;
use messaging_simulator::service::{Answer, Options};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const CUSTOMER: &str = "+34600111222";

for_each_kind!(
    a_message_arrives_as_the_specification_describes_it,
    every_unknown_outcome_leaves_exactly_one_message,
    the_test_numbers_of_the_service_do_what_they_say,
    a_service_that_never_answers_ends_with_the_deadline,
    a_message_limit_is_a_setting,
    nobody_listening_is_not_sent,
    unknown_host_name_is_not_sent,
    answer_before_the_body_is_the_answer,
    a_body_that_drips_past_every_timeout_ends_with_the_deadline,
    thirty_two_calls_at_once_make_thirty_two_messages,
    an_instance_can_be_used_again,
);

async fn a_message_arrives_as_the_specification_describes_it(kind: Kind) {
    let setup = kind.setup().await;
    let text = "  ¡Hola! \"1\" \\ \u{0} \u{202e} 😀 ";
    let request = wit::MessageRequest {
        phone: "+34 600 111 222".into(),
        message: text.into(),
        device: Some("7".into()),
        fields: Vec::new(),
    };
    let created = setup.plugin.send_message(&request).await.unwrap().unwrap();
    assert_eq!(created.id, "msg-0001");
    assert_eq!(created.json, r#"{"id":"msg-0001"}"#);
    let ledger = setup.ledger();
    let received = &ledger.requests[0];
    assert_eq!((received.method.as_str(), received.path.as_str()), ("POST", "/v1/messages"));
    assert!(received.authorized);
    let body: serde_json::Value = serde_json::from_str(&received.body).unwrap();
    assert_eq!(body, json!({ "phone": CUSTOMER, "message": text, "device": "7" }));
    let header = |name: &str| {
        let found: Vec<_> = received.headers.iter().filter(|(own, _)| own == name).collect();
        assert!(found.len() <= 1, "{name} occurs more than once");
        found.first().map(|(_, value)| value.as_str())
    };
    assert_eq!(header("content-type"), Some("application/json"));
    assert_eq!(header("content-length"), Some(received.body.len().to_string().as_str()));
    assert_eq!(header("transfer-encoding"), None);
    assert_eq!(header("accept"), Some("application/json"));
    assert_eq!(header("accept-encoding"), Some("identity"));
    assert_eq!(header("host"), Some(setup.service.address().to_string().as_str()));
}

/// Each way in which a message can come to exist without the caller learning it.
async fn every_unknown_outcome_leaves_exactly_one_message(kind: Kind) {
    let whole =
        |status, headers: &[(&str, &str)], body: &str| Answer::reply(true, status, headers, body);
    let mut rows = vec![
        ("closes without a reply", Answer::lost(Reply::Close), None),
        ("breaks off in its body", Answer::lost(Reply::BreakOff), Some(201)),
        ("201 without a body", whole(201, &[], ""), Some(201)),
        ("201 without an id", whole(201, &[], "{}"), Some(201)),
        ("201 with a number as id", whole(201, &[], r#"{"id":7}"#), Some(201)),
        ("201 with an empty id", whole(201, &[], r#"{"id":""}"#), Some(201)),
        ("201 with two ids", whole(201, &[], r#"{"id":"a","id":"b"}"#), Some(201)),
        ("201 with two documents", whole(201, &[], r#"{"id":"a"}{"id":"a"}"#), Some(201)),
        ("201 in gzip", whole(201, &[("content-encoding", "gzip")], r#"{"id":"a"}"#), Some(201)),
        ("201 over the cap", whole(201, &[], &"x".repeat(2_000_000)), Some(201)),
        ("a login page", whole(200, &[("content-type", "text/html")], "<html>"), Some(200)),
        ("200 with an id", whole(200, &[], r#"{"id":"{id}"}"#), Some(200)),
        ("a redirect elsewhere", whole(302, &[("location", "http://127.0.0.1:1/")], ""), Some(302)),
    ];
    for status in
        [202, 204, 301, 303, 304, 307, 308, 408, 409, 499, 500, 501, 502, 503, 504, 507, 599]
    {
        rows.push(("a status", whole(status, &[("location", "/v1/other")], "{}"), Some(status)));
    }
    for (name, answer, status) in rows {
        let setup = kind.setup().await;
        setup.service.script(answer);
        let error = setup.send(CUSTOMER).await.unwrap_err();
        let Error::PermanentOutcomeUnknown(unknown) = error else {
            panic!("{name} {status:?}: {error:?}")
        };
        assert_eq!(unknown.status, status, "{name}");
        let ledger = setup.ledger();
        assert_eq!(ledger.requests.len(), 1, "{name} {status:?}: one request");
        assert_eq!(ledger.messages.len(), 1, "{name} {status:?}: one message");
    }
}

async fn the_test_numbers_of_the_service_do_what_they_say(kind: Kind) {
    let setup = kind.setup_with(Options::new(KEY), &[("MESSAGING_DEADLINE_MS", "500")]).await;
    for (phone, creates) in [
        ("+99900000500", false),
        ("+99900001503", true),
        ("+99900002000", true),
        ("+99900002001", true),
        ("+99900002002", true),
        ("+99900002003", true),
        ("+99900002004", true),
    ] {
        let before = setup.ledger();
        let error = setup.send(phone).await.unwrap_err();
        assert!(matches!(error, Error::PermanentOutcomeUnknown(_)), "{phone}: {error:?}");
        let after = setup.ledger();
        assert_eq!(after.requests.len(), before.requests.len() + 1, "{phone}");
        assert_eq!(after.messages.len(), before.messages.len() + usize::from(creates), "{phone}");
    }
}

async fn a_service_that_never_answers_ends_with_the_deadline(kind: Kind) {
    let setup = kind.setup_with(Options::new(KEY), &[("MESSAGING_DEADLINE_MS", "1000")]).await;
    setup.service.script(Answer::lost(Reply::Silence));
    let started = Instant::now();
    let error = setup.send(CUSTOMER).await.unwrap_err();
    let Error::PermanentOutcomeUnknown(unknown) = error else { panic!("{error:?}") };
    assert_eq!(unknown.stage, Stage::AwaitingReply);
    assert!(unknown.detail.contains("deadline"), "{}", unknown.detail);
    assert!(started.elapsed() >= Duration::from_secs(1));
    assert_eq!(setup.ledger().messages.len(), 1);
}

async fn a_message_limit_is_a_setting(kind: Kind) {
    let setup = kind.setup_with(Options::new(KEY), &[("MESSAGING_MAX_MESSAGE_BYTES", "19")]).await;
    setup.send(CUSTOMER).await.unwrap();
    let longer =
        wit::MessageRequest { message: "Your order is ready!".into(), ..message(CUSTOMER) };
    let error = setup.plugin.send_message(&longer).await.unwrap().unwrap_err();
    assert!(matches!(error, Error::PermanentInvalidInput(_)), "{error:?}");
}

async fn nobody_listening_is_not_sent(kind: Kind) {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap().port()
    };
    let base = format!("http://127.0.0.1:{port}");
    let plugin = kind.plugin(&[("MESSAGING_BASE_URL", &base)], Some(KEY));
    let error = plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap_err();
    let Error::NotSent(not_sent) = error else { panic!("{error:?}") };
    assert!(not_sent.detail.contains("connection-refused"), "{}", not_sent.detail);
}

async fn unknown_host_name_is_not_sent(kind: Kind) {
    let base = "https://does-not-exist.invalid";
    let plugin = kind.plugin(&[("MESSAGING_BASE_URL", base)], Some(KEY));
    let error = plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap_err();
    let Error::NotSent(not_sent) = error else { panic!("{error:?}") };
    assert!(not_sent.detail.contains("DNS-error"), "{}", not_sent.detail);
}

/// A server that reads the head of one request, answers, and closes with the body
/// unread.
async fn early(reply: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = Vec::new();
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        stream.write_all(reply.as_bytes()).await.unwrap();
        stream.flush().await.unwrap();
        stream.shutdown().await.unwrap();
        // Lingers, as servers do: closing on unread data would reset the connection
        // and could take the reply with it. The client hangs up by itself.
        let mut rest = vec![0; 65_536];
        while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
    });
    format!("http://{address}")
}

async fn answer_before_the_body_is_the_answer(kind: Kind) {
    let reply = "HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\nconnection: close\r\n\r\nbig";
    let base = early(reply).await;
    let plugin = kind.plugin(&[("MESSAGING_BASE_URL", &base)], Some(KEY));
    let large = wit::MessageRequest { message: "x".repeat(8_000_000), ..message(CUSTOMER) };
    let error = plugin.send_message(&large).await.unwrap().unwrap_err();
    let Error::PermanentRefused(refusal) = error else { panic!("{error:?}") };
    assert_eq!((refusal.status, refusal.body.as_str()), (413, "big"));
}

async fn a_body_that_drips_past_every_timeout_ends_with_the_deadline(kind: Kind) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        assert_ne!(stream.read(&mut [0; 10_000]).await.unwrap(), 0);
        let head = "HTTP/1.1 201 Created\r\ncontent-length: 1000000\r\n\r\n{";
        stream.write_all(head.as_bytes()).await.unwrap();
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            if stream.write_all(b" ").await.is_err() {
                return;
            }
        }
    });
    let settings = [("MESSAGING_BASE_URL", base.as_str()), ("MESSAGING_DEADLINE_MS", "1000")];
    let plugin = kind.plugin(&settings, Some(KEY));
    let error = plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap_err();
    let Error::PermanentOutcomeUnknown(unknown) = error else { panic!("{error:?}") };
    assert_eq!((unknown.stage, unknown.status), (Stage::ReadingReply, Some(201)));
}

async fn thirty_two_calls_at_once_make_thirty_two_messages(kind: Kind) {
    let setup = kind.setup().await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..32 {
        let plugin = setup.plugin.clone();
        calls.spawn(async move {
            plugin.send_message(&message(&format!("+346001112{number:02}"))).await
        });
    }
    let mut ids: Vec<String> =
        calls.join_all().await.into_iter().map(|result| result.unwrap().unwrap().id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 32);
    assert_eq!(setup.ledger().posts(), 32);
}

async fn an_instance_can_be_used_again(kind: Kind) {
    let setup = kind.setup().await;
    let mut instance = setup.plugin.instance().await.unwrap();
    for number in 1..=20 {
        let created = instance.send_message(&message(CUSTOMER)).await.unwrap().unwrap();
        assert_eq!(created.id, format!("msg-{number:04}"));
    }
    let Setup { service, .. } = &setup;
    assert_eq!(service.ledger().messages.len(), 20);
}
