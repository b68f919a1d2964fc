//! The send machine, driven natively: which answers allow a second request, and
//! what each ends in.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use messaging_core::error::Error;
use messaging_core::message::{MessageRequest, Outgoing};
use messaging_core::outcome::{Cause, Failure, Proof, Stage};
use messaging_core::send::SendMessage;
use messaging_core::wire::{Body, Reply};
use messaging_core::{Input, Machine, Settings, Step};
use proptest::prelude::*;

const DEADLINE_MS: u64 = 30_000;
/// No attempt begins with less left.
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

/// Gives the same answer to every request: how many were made, and the end.
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
fn a_201_with_an_identifier_is_success_whatever_its_content_type() {
    let (requests, result) = run(|| Input::Replied(reply(201, r#"{"id":"m1","more":[1]}"#)));
    assert_eq!(requests, 1);
    let created = result.unwrap();
    assert_eq!(created.id, "m1");
    assert_eq!(created.json, r#"{"id":"m1","more":[1]}"#);
}

#[test]
fn every_status_makes_one_request_and_only_a_4xx_says_that_nothing_was_created() {
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
fn blank_body_of_unknown_outcome_is_no_refusal() {
    let (_, result) = run(|| Input::Replied(reply(500, " \n")));
    let Err(Error::OutcomeUnknown(unknown)) = result else { panic!("{result:?}") };
    assert_eq!((unknown.status, unknown.refusal), (Some(500), None));
}

#[test]
fn request_that_never_left_is_retried_without_rate_limit_retries() {
    let call = call_with(Some(("MESSAGING_RETRY_RATE_LIMITED", "false")));
    assert_eq!(drive(call, || failure("connection-refused")).0, 3);
}

fn any_code() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "DNS-error",
        "connection-refused",
        "connection-timeout",
        "TLS-certificate-error",
        "connection-terminated",
        "HTTP-request-denied",
        "HTTP-protocol-error",
        "unknown",
    ])
}

fn any_stage() -> impl Strategy<Value = Stage> {
    prop::sample::select(vec![Stage::SendingRequest, Stage::AwaitingReply, Stage::ReadingReply])
}

/// Generates the time that passes between two steps: none, as usual, or hours.
fn any_leap() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0..200_u64, 0..40_000_u64, Just(7_200_000)]
}

prop_compose! {
    fn any_failure()(stage in any_stage(), code in any_code(), kind in 0..4) -> Failure {
        let cause = match kind {
            0 => Cause::Deadline,
            1 => Cause::Stream,
            2 => Cause::Unbuildable("path"),
            _ => Cause::Code(code),
        };
        Failure { stage, cause }
    }
}

prop_compose! {
    fn any_reply()(
        status in prop_oneof![Just(201_u16), Just(429), 0..1_000_u16],
        body in prop_oneof![Just(r#"{"id":"m1"}"#.to_string()), ".{0,40}"],
        retry_after in prop::option::of("[0-9]{1,3}"),
        cut in prop::bool::weighted(0.2),
    ) -> Reply {
        let mut reply = reply(status, &body);
        reply.retry_after = retry_after.into_iter().map(String::into_bytes).collect();
        reply.body.cut_short = cut.then_some(Cause::Stream);
        reply
    }
}

fn any_input() -> impl Strategy<Value = Input> {
    prop_oneof![
        Just(()).prop_map(|()| Input::Start),
        Just(()).prop_map(|()| Input::Woke),
        any_failure().prop_map(Input::Failed),
        any_reply().prop_map(Input::Replied),
    ]
}

proptest! {
    /// Whatever happens in whatever order: a request after the first is made only
    /// when the answer to the one before proved that it created nothing.
    #[test]
    fn no_second_request_without_proof(
        inputs in prop::collection::vec((any_input(), 0..20_000_u64), 1..40),
    ) {
        let mut call = call();
        let mut proven = true;
        let mut done = false;
        let mut now = 0;
        for (input, later) in inputs {
            now += later;
            let proof = match &input {
                Input::Failed(failure) => failure.proof() == Proof::NotSent,
                Input::Replied(reply) => reply.status == 429,
                Input::Start | Input::Woke => false,
            };
            match call.next(input, now) {
                Step::Send(_) => {
                    prop_assert!(now < DEADLINE_MS);
                    prop_assert!(proven && !done);
                    proven = false;
                }
                Step::Sleep(pause) => {
                    prop_assert!(proof && !done);
                    prop_assert!(now + u64::from(pause) < 30_000);
                    proven = true;
                }
                Step::Done(result) => {
                    // Success is a 201 and nothing else; after the end there is only
                    // an unknown outcome to report.
                    prop_assert!(!done || matches!(result, Err(Error::OutcomeUnknown(_))));
                    done = true;
                }
            }
        }
    }

    /// On a clock that stands still, jumps, or loses hours while the process is stopped:
    /// no request begins past the deadline, and who paused ends with what it paused for.
    #[test]
    fn whatever_the_clock_does_nothing_begins_past_the_deadline(
        answers in prop::collection::vec(
            (prop::option::of(0..3_u32), any_leap(), any_leap()),
            1..12,
        ),
        first in any_leap(),
    ) {
        let mut call = call();
        let mut now = first;
        let mut input = Input::Start;
        let mut paused_for = None;
        let mut requests = 0;
        let mut answers = answers.into_iter().cycle();
        loop {
            let woken = matches!(input, Input::Woke);
            match call.next(input, now) {
                Step::Send(_) => {
                    requests += 1;
                    prop_assert!(now < DEADLINE_MS && requests <= 3);
                    let (hint, answered, _) = answers.next().unwrap();
                    now += answered;
                    paused_for = Some(hint.is_some());
                    input = match hint {
                        None => failure("connection-refused"),
                        Some(seconds) => {
                            let mut reply = reply(429, "");
                            reply.retry_after = vec![seconds.to_string().into_bytes()];
                            Input::Replied(reply)
                        }
                    };
                }
                Step::Sleep(pause) => {
                    prop_assert!(now + u64::from(pause) < DEADLINE_MS);
                    let (_, _, overslept) = answers.next().unwrap();
                    now += u64::from(pause) + overslept;
                    input = Input::Woke;
                }
                Step::Done(result) => {
                    // The time left is too short for an attempt.
                    prop_assert!(!woken || now + SHORTEST_ATTEMPT_MS >= DEADLINE_MS);
                    match paused_for {
                        Some(true) => prop_assert!(matches!(result, Err(Error::RateLimited(_)))),
                        _ => prop_assert!(matches!(result, Err(Error::NotSent(_)))),
                    }
                    break;
                }
            }
        }
    }

    /// "Nothing was created" is said only on proof.
    #[test]
    fn not_sent_is_reported_only_on_proof(failure in any_failure()) {
        let (requests, result) = run(|| Input::Failed(failure.clone()));
        let proof = failure.proof();
        prop_assert_eq!(requests, if proof == Proof::NotSent { 3 } else { 1 });
        match proof {
            Proof::NotSent => prop_assert!(matches!(result, Err(Error::NotSent(_)))),
            Proof::Denied => prop_assert!(matches!(result, Err(Error::Denied(_)))),
            Proof::Nothing => prop_assert!(matches!(result, Err(Error::OutcomeUnknown(_)))),
        }
    }
}
