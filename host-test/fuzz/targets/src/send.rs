//! The state machine that sends a message, with any sequence of inputs. Includes sequences that no
//! driver produces.

use messaging_core::message::{CreatedMessage, MessageRequest, Outgoing};
use messaging_core::send::SendMessage;
use messaging_core::wire::retry_after::retry_after_ms;
use messaging_core::{Error, Input as MachineInput, Machine, Step};

use super::input::{Input, keeps_the_key, proves_not_sent, settings};

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let attempts = u32::from(input.byte() % 10) + 1;
    let deadline_ms = u32::from(input.byte()) * 100 + 1;
    let seed = u64::from(input.byte());
    let obedient = input.byte().is_multiple_of(2);
    let request = MessageRequest {
        phone: "+34600111222".into(),
        message: "hi".into(),
        ..MessageRequest::default()
    };
    let message = Outgoing::new(request, None).expect("a message");
    let settings = settings(attempts, deadline_ms);
    let mut call = SendMessage::new(&settings, &message, seed).expect("a call");

    let (mut posts, mut now, mut ends) = (0_u32, 0_u64, 0);
    // True while the results so far prove that no message was created.
    let mut proved = true;
    let mut in_flight = false;
    let mut expected = Expected::Start;
    // Evidence from the input before the current delay.
    let mut pausing = Evidence::None;
    while !input.is_empty() && ends < 3 {
        let choice = if obedient { expected.clone() } else { Expected::of(input.byte()) };
        let (answer, evidence) = match choice {
            Expected::Start => (MachineInput::Start, Evidence::None),
            Expected::Woke => {
                // Half of the delays end after the deadline.
                now += u64::from(input.byte() / 128) * 100_000;
                (MachineInput::Woke, std::mem::replace(&mut pausing, Evidence::None))
            }
            Expected::Answer if input.byte().is_multiple_of(2) => {
                let failure = input.failure();
                let evidence = match proves_not_sent(&failure) {
                    true => Evidence::NotSent,
                    false => Evidence::None,
                };
                (MachineInput::Failed(failure), evidence)
            }
            Expected::Answer => {
                let length = usize::from(input.byte());
                let (reply, rest) = input.0.split_at(length.min(input.0.len()));
                input.0 = rest;
                let reply = Input(reply).reply();
                let hint = retry_after_ms(&reply.retry_after, reply.date.as_deref());
                let whole = reply.body.cut_short.is_none() && !reply.is_encoded();
                let evidence = match (reply.status, hint) {
                    (201, _) if whole => Evidence::Created,
                    (429, Some(hint)) => Evidence::Limited(hint),
                    _ => Evidence::None,
                };
                (MachineInput::Replied(reply), evidence)
            }
        };
        now += u64::from(input.byte()) * 10;
        let step = call.next(answer, now);
        match step {
            Step::Send(request) => {
                posts += 1;
                assert_eq!(ends, 0, "a request after the result");
                assert!(now < u64::from(deadline_ms), "a request after the deadline");
                assert!(proved, "a second request without proof");
                assert!(posts <= attempts);
                assert_eq!(request.path(), "/prefix/v1/messages");
                assert_eq!(request.body(), br#"{"phone":"+34600111222","message":"hi"}"#);
                (proved, in_flight) = (false, true);
                expected = Expected::Answer;
            }
            Step::Sleep(pause) => {
                assert!(in_flight, "a delay without a request before it");
                assert!(
                    now + u64::from(pause) < u64::from(deadline_ms),
                    "a delay that ends after the deadline"
                );
                match evidence {
                    Evidence::NotSent => {}
                    Evidence::Limited(hint) => {
                        assert!(pause >= hint, "the delay is shorter than Retry-After");
                    }
                    Evidence::None | Evidence::Created => {
                        panic!("a delay without proof that nothing was created")
                    }
                }
                pausing = evidence;
                (proved, in_flight) = (true, false);
                now += u64::from(pause);
                expected = Expected::Woke;
            }
            Step::Done(result) => {
                ends += 1;
                judge(&result, &evidence, posts);
                in_flight = false;
                if obedient {
                    return;
                }
            }
        }
    }
}

fn judge(result: &Result<CreatedMessage, Error>, evidence: &Evidence, posts: u32) {
    match result {
        Ok(created) => {
            assert!(posts > 0 && matches!(evidence, Evidence::Created), "success without a 201");
            assert!(!created.id.is_empty());
            keeps_the_key(&created.id);
            keeps_the_key(&created.json);
        }
        Err(error) => {
            keeps_the_key(&format!("{error:?}"));
            match error {
                Error::NotSent(_) => assert!(posts == 0 || matches!(evidence, Evidence::NotSent)),
                Error::RateLimited(limit) => assert!(match evidence {
                    Evidence::Limited(hint) => limit.retry_after_ms == Some(*hint),
                    _ => limit.retry_after_ms.is_none(),
                }),
                Error::InvalidInput(_)
                | Error::InvalidSettings(_)
                | Error::UnexpectedReply(_)
                | Error::Unavailable(_) => panic!("unexpected error of a send: {error:?}"),
                Error::OutcomeUnknown(_) => {}
                _ => assert!(posts > 0),
            }
        }
    }
}

#[derive(Clone)]
enum Expected {
    Start,
    Woke,
    Answer,
}

impl Expected {
    fn of(byte: u8) -> Self {
        match byte % 4 {
            0 => Self::Start,
            1 => Self::Woke,
            _ => Self::Answer,
        }
    }
}

/// The fact about the message that the last input proves.
enum Evidence {
    None,
    Created,
    NotSent,
    Limited(u32),
}
