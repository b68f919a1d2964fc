//! Tests of resolutions of unknown outcomes.

use messaging_core::once::send::UNEXPECTED_INPUT;

use super::*;

#[test]
fn resolution_skips_later_attempt() {
    let mut world = World::new();
    let _ = world.send("a", "text", unknown());
    world.resolve(1, Found::NotCreated).unwrap();
    let _ = world.send("b", "text", unknown());
    // A repeated resolution of the first attempt succeeds. A different resolution is too late.
    world.resolve(1, Found::NotCreated).unwrap();
    let other = world.resolve(1, Found::Created("m1".into()));
    assert_eq!(other, Err(Error::OtherAttempt { last: 2 }));
    assert!(matches!(world.send("c", "text", created("m3")), Err(Error::Unknown(_))));
    world.resolve(2, Found::NotCreated).unwrap();
    assert!(world.send("d", "text", created("m4")).is_ok());
}

#[test]
fn abandoned_intent_is_unknown_until_resolved() {
    let mut world = World::new();
    let (mut late, _) = world.start("a", "text");
    world.wall_ms += 40_000;
    let end = world.send("b", "text", created("m2"));
    let Err(Error::Unknown(unknown)) = end else { panic!("{end:?}") };
    assert!(unknown.detail.contains("1970-01-01T00:16:40.000Z"), "{}", unknown.detail);
    assert!(matches!(world.change(Change::Forget), Err(Error::Unknown(_))));
    // The sender was only stopped for a time, and knows the result.
    let end = world.go(&mut late, Input::Sent(created("m1"))).unwrap().unwrap();
    assert!(end.recorded && !end.replayed);
    assert_eq!(world.send("c", "text", created("m3")).unwrap().id, "m1");
    assert_eq!(world.sent, 0);
}

#[test]
fn service_response_overrides_wrong_resolution() {
    let mut world = World::new();
    let (mut late, _) = world.start("a", "text");
    world.wall_ms += 40_000;
    world.resolve(1, Found::NotCreated).unwrap();
    let end = world.go(&mut late, Input::Sent(created("m1"))).unwrap().unwrap();
    assert!(end.recorded);
    assert_eq!(world.send("b", "text", created("m2")).unwrap().id, "m1");
    assert_eq!(world.entry().resolutions.len(), 1);

    // The message was sent again before the first sender returned. The entry lists both messages.
    let mut world = World::new();
    let (mut late, _) = world.start("a", "text");
    world.wall_ms += 40_000;
    world.resolve(1, Found::NotCreated).unwrap();
    let (mut second, _) = world.start("b", "text");
    assert!(world.go(&mut late, Input::Sent(created("m1"))).unwrap().unwrap().recorded);
    assert!(world.go(&mut second, Input::Sent(created("m2"))).unwrap().unwrap().recorded);
    assert_eq!(world.send("c", "text", created("m3")).unwrap().id, "m2");
    assert_eq!(world.entry().also, ["m1"]);
}

#[test]
fn late_proof_changes_no_resolution() {
    let mut world = World::new();
    let (mut late, _) = world.start("a", "text");
    world.wall_ms += 40_000;
    world.resolve(1, Found::Created("m9".into())).unwrap();
    let end = world.go(&mut late, Input::Sent(failed(Case::NotSent))).unwrap();
    assert!(matches!(end, Err(Error::Provider(_))));
    assert_eq!(world.send("b", "text", created("m2")).unwrap().id, "m9");
}

#[test]
fn resolved_key_stays_with_its_request() {
    let mut world = World::new();
    let _ = world.send("a", "text", unknown());
    world.resolve(1, Found::NotCreated).unwrap();
    let _ = world.send("b", "text", failed(Case::InvalidSettings));
    assert!(matches!(world.send("c", "other", created("m1")), Err(Error::KeyReused(_))));
    assert!(world.send("d", "text", created("m1")).is_ok());
}

#[test]
fn mismatched_input_ends_resolution() {
    let now = Now { wall_ms: 0, elapsed_ms: 0 };
    let inputs =
        [Input::Sent(created("m1")), Input::Lost("trap".into()), Input::Swapped, Input::Woke];
    for input in inputs {
        let mut change = Changing::new(Change::Forget);
        assert_eq!(change.next::<()>(Input::Start, now), Step::Get);
        let step = change.next(input, now);
        assert_eq!(step, Step::Done(Err(Error::Unavailable(UNEXPECTED_INPUT.into()))));
    }
}

#[test]
fn resolution_needs_name_and_reason() {
    let long = "x".repeat(2_000);
    for (found, by, reason, field) in [
        (Found::NotCreated, "", "r", "resolution.by"),
        (Found::NotCreated, " ", "r", "resolution.by"),
        (Found::NotCreated, &*long, "r", "resolution.by"),
        (Found::NotCreated, "a", "", "resolution.reason"),
        (Found::NotCreated, "a", "r\u{1b}[2J", "resolution.reason"),
        (Found::Created(String::new()), "a", "r", "resolution.found"),
        (Found::Created(long.clone()), "a", "r", "resolution.found"),
    ] {
        let error = Resolution::new::<()>(1, found, by.into(), reason.into()).unwrap_err();
        assert!(matches!(error, Error::InvalidInput { field: of, .. } if of == field), "{error:?}");
    }
}
