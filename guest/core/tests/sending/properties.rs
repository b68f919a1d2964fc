//! Properties of the send machine, for any inputs.

use messaging_core::outcome::Proof;
use proptest::prelude::*;

use super::*;

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

/// Generates the time between two steps, in milliseconds: zero, a usual delay, or two hours.
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
    /// For any inputs in any order, a further request is sent only if the last input proved that no
    /// message was created.
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
                    // After the end of a call, every step returns an unknown outcome.
                    prop_assert!(!done || matches!(result, Err(Error::OutcomeUnknown(_))));
                    done = true;
                }
            }
        }
    }

    /// The clock may stop, jump, or skip hours while the process is suspended. No request starts after
    /// the deadline. A call that ends after a delay returns the error that led to the delay.
    #[test]
    fn clock_jump_starts_nothing_past_deadline(
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
                    // A call ends after a delay only if too little time is left.
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

    /// Without proof, a call never reports that nothing was sent.
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
