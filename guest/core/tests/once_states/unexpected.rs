//! Tests of inputs that do not match the last step.

use messaging_core::once::send::UNEXPECTED_INPUT;

use super::*;

#[test]
fn unexpected_input_after_send_is_unknown() {
    for answer in [created("m1"), failed(Case::Refused), unknown()] {
        for input in
            [Input::Start, Input::Got(None), Input::Sent(created("m2")), Input::Lost("x".into())]
        {
            let mut world = World::new();
            let (mut machine, _) = world.start("a", "text");
            let now = Now { wall_ms: world.wall_ms, elapsed_ms: 0 };
            let step = machine.next(Input::Sent(answer.clone()), now);
            assert!(matches!(step, Step::Swap { .. }), "{step:?}");
            let step = machine.next(input.clone(), now);
            let Step::Done(Err(Error::Unknown(unknown))) = step else { panic!("{step:?}") };
            assert_eq!(unknown.detail, UNEXPECTED_INPUT);
            // The call has ended, and sends no second message.
            let step = machine.next(Input::Start, now);
            assert!(matches!(step, Step::Done(Err(Error::Unknown(_)))), "{step:?}");
        }
    }
}

/// A failed claim is not durable. If a driver then reports `Swapped`, the machine must not send.
#[test]
fn swap_reported_during_sleep_is_unavailable() {
    let now = Now { wall_ms: 0, elapsed_ms: 0 };
    let mut machine: SendOnce<()> = SendOnce::new(request("text"), [3; 16], "a".into(), 30_000);
    assert!(matches!(machine.next(Input::Start, now), Step::Swap { .. }));
    let failure = JournalFailure::new(false, "disk");
    assert!(matches!(machine.next(Input::Failed(failure), now), Step::Sleep(_)));
    let step = machine.next(Input::Swapped, now);
    assert_eq!(step, Step::Done(Err(Error::Unavailable(UNEXPECTED_INPUT.into()))));
}

#[test]
fn unexpected_input_before_send_is_unavailable() {
    let mut world = World::new();
    let now = Now { wall_ms: world.wall_ms, elapsed_ms: 0 };
    let mut machine: SendOnce<()> = SendOnce::new(request("text"), [3; 16], "a".into(), 30_000);
    assert!(matches!(machine.next(Input::Start, now), Step::Swap { .. }));
    let step = machine.next(Input::Lost("x".into()), now);
    assert_eq!(step, Step::Done(Err(Error::Unavailable(UNEXPECTED_INPUT.into()))));
    let step = machine.next(Input::Start, now);
    assert_eq!(step, Step::Done(Err(Error::Unavailable(UNEXPECTED_INPUT.into()))));
    assert_eq!(world.send("b", "text", created("m1")).map(|sent| sent.id), Ok("m1".into()));
}
