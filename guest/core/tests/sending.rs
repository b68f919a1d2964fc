//! Tests of the state machine `SendMessage` without a component: which replies allow a second
//! request, and which result each reply gives.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "sending/properties.rs"]
mod properties;

use messaging_core::error::{Error, Stage};
use messaging_core::message::{MessageRequest, Outgoing};
use messaging_core::outcome::{Cause, Failure};
use messaging_core::send::SendMessage;
use messaging_core::wire::{Body, Reply};
use messaging_core::{Input, Machine, Settings, Step};

const DEADLINE_MS: u64 = 30_000;
/// Minimum time before the deadline to start an attempt, in milliseconds.
const SHORTEST_ATTEMPT_MS: u64 = 100;

fn call_with(setting: Option<(&str, &str)>) -> SendMessage {
    let required =
        [("MESSAGING_BASE_URL", "https://api.example"), ("MESSAGING_API_KEY", "canary-key")];
    let variables = required.into_iter().chain(setting);
    let settings =
        Settings::from_variables(variables.map(|(name, value)| (name.into(), value.into())));
    let request = MessageRequest {
        phone: "+34600111222".into(),
        message: "hi".into(),
        ..MessageRequest::default()
    };
    let message = Outgoing::new(request, None).unwrap();
    SendMessage::new(&settings.unwrap(), &message, 7).unwrap()
}

fn call() -> SendMessage {
    call_with(None)
}

fn reply(status: u16, body: &str) -> Reply {
    Reply {
        status,
        retry_after: vec![],
        date: None,
        content_encoding: vec![],
        body: Body { bytes: body.as_bytes().to_vec(), cut_short: None },
    }
}

fn failure(code: &'static str) -> Input {
    Input::Failed(Failure { stage: Stage::AwaitingReply, cause: Cause::Code(code) })
}

/// Reports the same input for every request. Returns the number of requests and the result.
fn run(
    answer: impl Fn() -> Input,
) -> (usize, Result<messaging_core::message::CreatedMessage, Error>) {
    drive(call(), answer)
}

fn drive(
    mut call: SendMessage,
    answer: impl Fn() -> Input,
) -> (usize, Result<messaging_core::message::CreatedMessage, Error>) {
    let mut input = Input::Start;
    let (mut requests, mut now) = (0, 0);
    loop {
        input = match call.next(input, now) {
            Step::Send(_) => {
                requests += 1;
                answer()
            }
            Step::Sleep(pause) => {
                now += u64::from(pause);
                Input::Woke
            }
            Step::Done(result) => return (requests, result),
        };
    }
}

#[test]
fn created_reply_needs_no_content_type() {
    let (requests, result) = run(|| Input::Replied(reply(201, r#"{"id":"m1","more":[1]}"#)));
    assert_eq!(requests, 1);
    let created = result.unwrap();
    assert_eq!(created.id, "m1");
    assert_eq!(created.json, r#"{"id":"m1","more":[1]}"#);
}

#[test]
fn unreadable_created_reply_is_not_retried() {
    let cut = |cause| {
        let mut reply = reply(201, r#"{"id":"m"#);
        reply.body.cut_short = Some(cause);
        reply
    };
    let mut encoded = reply(201, r#"{"id":"m1"}"#);
    encoded.content_encoding = vec![b"gzip".to_vec()];
    let unreadable = [
        reply(201, ""),
        reply(201, "{}"),
        reply(201, "<html>"),
        reply(201, r#"{"id":7}"#),
        reply(201, r#"{"id":" \t\u00a0\u3000"}"#),
        reply(201, r#"{"id":"\n"}"#),
        reply(201, r#"{"id":"\u0000\u0007"}"#),
        reply(201, r#"{"id":"a","id":"b"}"#),
        cut(Cause::Stream),
        cut(Cause::Deadline),
        cut(Cause::TooLarge),
        encoded,
    ];
    for reply in unreadable {
        let (requests, result) = run(|| Input::Replied(reply.clone()));
        assert_eq!(requests, 1);
        let Err(Error::OutcomeUnknown(unknown)) = result else { panic!("{reply:?}: {result:?}") };
        assert_eq!(unknown.status, Some(201));
        assert!(unknown.detail.contains("was created"), "{}", unknown.detail);
    }
}

#[test]
fn only_4xx_proves_no_message() {
    for status in (0..=1_000).chain([9_999, u16::MAX]) {
        let (requests, result) = run(|| Input::Replied(reply(status, "{}")));
        assert_eq!(requests, 1, "{status}");
        match (status, result) {
            (401 | 403, Err(Error::Unauthorized(refusal))) => assert_eq!(refusal.status, status),
            (429, Err(Error::RateLimited(limit))) => assert_eq!(limit.retry_after_ms, None),
            (408 | 409 | 460 | 499, Err(Error::OutcomeUnknown(_))) => {}
            (401 | 403 | 408 | 409 | 429 | 460 | 499, other) => panic!("{status}: {other:?}"),
            (400..=499, Err(Error::Refused(refusal))) => assert_eq!(refusal.status, status),
            (0..400 | 500.., Err(Error::OutcomeUnknown(unknown))) => {
                assert_eq!(unknown.status, Some(status));
            }
            (_, other) => panic!("{status}: {other:?}"),
        }
    }
}

#[test]
fn unsent_request_is_retried_within_budget() {
    let (requests, result) = run(|| failure("connection-refused"));
    assert_eq!(requests, 3);
    let Err(Error::NotSent(detail)) = result else { panic!("{result:?}") };
    assert_eq!(detail, "connection-refused while connecting");
}

#[test]
fn possibly_sent_request_is_never_retried() {
    for code in [
        "connection-terminated",
        "connection-read-timeout",
        "connection-write-timeout",
        "HTTP-protocol-error",
        "HTTP-response-incomplete",
        "HTTP-response-timeout",
        "TLS-alert-received",
        "internal-error",
        "configuration-error",
        "a-code-of-the-future",
    ] {
        let (requests, result) = run(|| failure(code));
        assert_eq!(requests, 1, "{code}");
        assert!(matches!(result, Err(Error::OutcomeUnknown(_))), "{code}: {result:?}");
    }
}

#[test]
fn unknown_outcome_keeps_reply() {
    let body = r#"{"error":{"code":131,"message":"look here"},"key":"canary-key"}"#;
    for status in [200, 202, 302, 408, 409, 460, 499, 500, 503, 999] {
        let (_, result) = run(|| Input::Replied(reply(status, body)));
        let Err(Error::OutcomeUnknown(unknown)) = result else { panic!("{status}: {result:?}") };
        assert_eq!(unknown.status, Some(status));
        let refusal = unknown.refusal.unwrap();
        assert_eq!((refusal.status, refusal.code.as_deref()), (status, Some("131")));
        assert_eq!(refusal.message.as_deref(), Some("look here"));
        assert_eq!(
            refusal.body,
            r#"{"error":{"code":131,"message":"look here"},"key":"[redacted]"}"#
        );
    }
    for (status, body, said) in [
        (200, r#"{"id":"msg-1","type":"message"}"#, Some(r#"{"id":"msg-1","type":"message"}"#)),
        (201, r#"{"id":7}"#, Some(r#"{"id":7}"#)),
        (502, "<html>Bad Gateway</html>", Some("<html>Bad Gateway</html>")),
        (500, "", None),
        (500, " \n", None),
    ] {
        let (_, result) = run(|| Input::Replied(reply(status, body)));
        let Err(Error::OutcomeUnknown(unknown)) = result else { panic!("{status}: {result:?}") };
        assert_eq!(unknown.status, Some(status));
        assert_eq!(unknown.refusal.map(|refusal| refusal.body).as_deref(), said);
    }
    let long = "x".repeat(100_000);
    let (_, result) = run(|| Input::Replied(reply(500, &long)));
    let Err(Error::OutcomeUnknown(unknown)) = result else { panic!("{result:?}") };
    assert_eq!(unknown.refusal.unwrap().body.len(), 4_096);
    let (_, result) = run(|| failure("connection-terminated"));
    assert!(matches!(result, Err(Error::OutcomeUnknown(unknown)) if unknown.refusal.is_none()));
}

#[test]
fn unbuildable_request_is_denied() {
    for part in ["headers", "path", "authority", "body"] {
        let cause = Cause::Unbuildable(part);
        let failure = Failure { stage: Stage::SendingRequest, cause };
        let (requests, result) = run(|| Input::Failed(failure.clone()));
        assert_eq!(requests, 1, "a retry would be refused too");
        let Err(Error::Denied(detail)) = result else { panic!("{result:?}") };
        assert!(detail.contains(part), "{detail}");
    }
}

#[test]
fn rate_limit_is_returned_if_set() {
    let limited = || {
        let mut reply = reply(429, r#"{"message":"slow down"}"#);
        reply.retry_after = vec![b"1".to_vec()];
        Input::Replied(reply)
    };
    for (value, expected) in [("true", 3), ("false", 1)] {
        let call = call_with(Some(("MESSAGING_RETRY_RATE_LIMITED", value)));
        let (requests, result) = drive(call, limited);
        assert_eq!(requests, expected, "{value}");
        let Err(Error::RateLimited(limit)) = result else { panic!("{result:?}") };
        assert_eq!(limit.retry_after_ms, Some(1_000));
        assert_eq!(limit.refusal.message.as_deref(), Some("slow down"));
    }
    // The setting does not apply to a request that was never sent.
    let call = call_with(Some(("MESSAGING_RETRY_RATE_LIMITED", "false")));
    assert_eq!(drive(call, || failure("connection-refused")).0, 3);
}

#[test]
fn call_past_deadline_sends_no_request() {
    let limited = || {
        let mut reply = reply(429, r#"{"message":"slow down"}"#);
        reply.retry_after = vec![b"1".to_vec()];
        Input::Replied(reply)
    };
    for woken in [DEADLINE_MS, DEADLINE_MS + 1, u64::MAX] {
        let mut call = call();
        assert!(matches!(call.next(Input::Start, 0), Step::Send(_)));
        assert!(matches!(call.next(limited(), 10), Step::Sleep(_)));
        let Step::Done(Err(Error::RateLimited(limit))) = call.next(Input::Woke, woken) else {
            panic!("the result is not the 429")
        };
        assert_eq!(limit.retry_after_ms, Some(1_000));
        assert_eq!(limit.refusal.message.as_deref(), Some("slow down"));

        let mut call = self::call();
        assert!(matches!(call.next(Input::Start, 0), Step::Send(_)));
        assert!(matches!(call.next(failure("connection-refused"), 10), Step::Sleep(_)));
        let end = call.next(Input::Woke, woken);
        assert!(matches!(end, Step::Done(Err(Error::NotSent(_)))), "{end:?}");

        let mut call = self::call();
        let end = call.next(Input::Start, woken);
        assert!(matches!(end, Step::Done(Err(Error::NotSent(_)))), "{end:?}");
    }
}

#[test]
fn denied_destination_is_reported_as_such() {
    let (requests, result) = run(|| failure("HTTP-request-denied"));
    assert_eq!(requests, 1);
    assert!(matches!(result, Err(Error::Denied(_))), "{result:?}");
}

#[test]
fn rate_limit_is_retried_before_deadline() {
    let limited = |after: &str| {
        let mut reply = reply(429, "");
        reply.retry_after = vec![after.as_bytes().to_vec()];
        Input::Replied(reply)
    };
    let (requests, result) = run(|| limited("1"));
    assert_eq!(requests, 3);
    assert!(matches!(result, Err(Error::RateLimited(ref l)) if l.retry_after_ms == Some(1_000)));
    let (requests, result) = run(|| limited("30"));
    assert_eq!(requests, 1);
    assert!(matches!(result, Err(Error::RateLimited(ref l)) if l.retry_after_ms == Some(30_000)));
    let (requests, _) = run(|| limited("soon"));
    assert_eq!(requests, 1, "an unreadable hint counts as 60 s");
}

#[test]
fn key_is_in_no_outcome() {
    for status in [200, 201, 400, 401, 403, 429, 500] {
        let echo = r#"{"message":"canary-key","code":"canary-key"}"#;
        let (_, result) = run(|| Input::Replied(reply(status, echo)));
        assert!(!format!("{result:?}").contains("canary"), "{status}: {result:?}");
    }
    assert!(!format!("{:?}", call()).contains("canary"));
}
