//! Tests of `send-message` with the service and its ledger, for each kind of component.
//! `conformance/cases` contains the cases of the conformance and fault suites.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crate::common::{KEY, Kind, message};
use crate::for_each_kind;
use messaging_host::wit::{self, Error};
use messaging_simulator::service::Options;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const CUSTOMER: &str = "+34600111222";

for_each_kind!(
    request_has_each_header_once,
    a_message_limit_is_a_setting,
    unreachable_service_is_not_sent,
    answer_before_the_body_is_the_answer,
    test_numbers_have_documented_effects,
    concurrent_calls_create_one_message_each,
);

async fn request_has_each_header_once(kind: Kind) {
    let setup = kind.setup().await;
    setup.send(CUSTOMER).await.unwrap();
    let received = &setup.ledger().requests[0];
    let host = setup.service.address().to_string();
    for (name, value) in [
        ("accept", Some("application/json")),
        ("accept-encoding", Some("identity")),
        ("content-type", Some("application/json")),
        ("host", Some(&*host)),
        ("transfer-encoding", None),
    ] {
        let found = received.headers.iter().filter(|(own, _)| own == name);
        let found: Vec<_> = found.map(|(_, value)| value.as_str()).collect();
        assert_eq!(found, Vec::from_iter(value), "{name}");
    }
}

async fn a_message_limit_is_a_setting(kind: Kind) {
    let setup = kind.setup_with(Options::new(KEY), &[("MESSAGING_MAX_MESSAGE_BYTES", "19")]).await;
    setup.send(CUSTOMER).await.unwrap();
    let longer =
        wit::MessageRequest { message: "Your order is ready!".into(), ..message(CUSTOMER) };
    let error = setup.plugin.send_message(&longer).await.unwrap().unwrap_err();
    assert!(matches!(error, Error::PermanentInvalidInput(_)), "{error:?}");
}

async fn unreachable_service_is_not_sent(kind: Kind) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for (base, reason) in
        [(closed.as_str(), "connection-refused"), ("https://does-not-exist.invalid", "DNS-error")]
    {
        let plugin = kind.plugin(&[("MESSAGING_BASE_URL", base)], Some(KEY));
        let error = plugin.send_message(&message(CUSTOMER)).await.unwrap().unwrap_err();
        let Error::NotSent(not_sent) = error else { panic!("{base}: {error:?}") };
        assert!(not_sent.detail.contains(reason), "{}", not_sent.detail);
    }
}

/// Starts a server that answers one request when the head has arrived, before the body. Returns the
/// base URL of the server.
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
        // Keeps reading, as servers do. A close with unread data would reset the connection and
        // could discard the reply. The loop ends when the client disconnects.
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

async fn test_numbers_have_documented_effects(kind: Kind) {
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

async fn concurrent_calls_create_one_message_each(kind: Kind) {
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
