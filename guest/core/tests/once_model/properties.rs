//! Properties of every reachable state.

use stateright::{Checker, HasDiscoveries, Model, Property};

use super::*;

impl Model for Bound {
    type State = World;
    type Action = Event;

    fn init_states(&self) -> Vec<World> {
        vec![World::new(*self)]
    }

    fn actions(&self, world: &World, all: &mut Vec<Event>) {
        World { answer: None, ..world.clone() }.next(all);
    }

    fn next_state(&self, _: &World, event: Event) -> Option<World> {
        Some(event.world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let (always, sometimes) = (Property::<Self>::always, Property::<Self>::sometimes);
        vec![
            always("at most one message", |bound, world| bound.rash || world.ledger.len() <= 1),
            always("each result agrees with the ledger", |_, world| {
                let Some(Answer { number, result, .. }) = &world.answer else { return true };
                let made = world.ledger.contains(number);
                match result {
                    // A replay does not send.
                    Ok(Created { id: reported, replayed, .. }) => {
                        made != *replayed
                            && world.ledger.iter().any(|number| id(*number) == *reported)
                    }
                    Err(Error::Unknown(_)) => true,
                    Err(Error::Busy { .. } | Error::NotRecorded { .. }) => !made,
                    Err(Error::Provider(_) | Error::Unavailable(_)) => !made,
                    // No other error is expected.
                    Err(_) => false,
                }
            }),
            always("a recorded outcome is in the journal", |_, world| {
                let created = world.answer.as_ref().and_then(|answer| answer.result.as_ref().ok());
                created.is_none_or(|created| !created.recorded || world.notes(&created.id))
            }),
            always("a reported outcome never changes", |bound, world| match &world.answer {
                Some(Answer { knew: Some(knew), result, .. }) if !bound.rash => match result {
                    Ok(created) => created.id == id(*knew),
                    // The journal is unavailable.
                    Err(error) => matches!(error, Error::Unavailable(_)),
                },
                _ => true,
            }),
            always("no unknown outcome without a fault", |bound, world| {
                !bound.heals()
                    || !world.has_result(|result| matches!(result, Err(Error::Unknown(_))))
            }),
            sometimes("created", |_, world| {
                world.has_result(|result| matches!(result, Ok(created) if !created.replayed))
            }),
            sometimes("replayed", |_, world| {
                world.has_result(|result| matches!(result, Ok(created) if created.replayed))
            }),
            sometimes("unknown", |_, world| {
                world.has_result(|result| matches!(result, Err(Error::Unknown(_))))
            }),
            sometimes("busy", |_, world| {
                world.has_result(|result| matches!(result, Err(Error::Busy { .. })))
            }),
            sometimes("not recorded", |_, world| {
                world.has_result(|result| matches!(result, Err(Error::NotRecorded { .. })))
            }),
            sometimes("two messages", |_, world| world.ledger.len() > 1),
        ]
    }
}

/// Explores every reachable state. Returns the names of the reached `sometimes` properties, sorted.
fn explore(bound: Bound) -> Vec<&'static str> {
    let failure = HasDiscoveries::AnyFailures;
    let checker = bound.checker().threads(2).finish_when(failure).spawn_dfs().join();
    println!("{} states", checker.unique_state_count());
    let always = |property: &Property<Bound>| property.expectation.discovery_is_failure();
    for property in bound.properties().iter().filter(|one| always(one)) {
        checker.assert_no_discovery(property.name);
    }
    let mut seen = Vec::from_iter(checker.discoveries().into_keys());
    seen.sort_unstable();
    seen
}

const NONE: Bound = Bound {
    calls: [2, 1, 1],
    crashes: 0,
    losses: 0,
    doubts: 0,
    refusals: 0,
    jumps: 0,
    decisions: 0,
    rash: false,
};

#[test]
fn one_of_three_callers_creates() {
    assert_eq!(explore(NONE), ["busy", "created", "replayed"]);
}

#[test]
fn proof_of_no_message_frees_key() {
    assert_eq!(explore(Bound { refusals: 2, ..NONE }), ["busy", "created", "replayed"]);
}

#[test]
fn crashes_and_clock_jumps_send_once() {
    let one = Bound { crashes: 1, losses: 1, doubts: 1, refusals: 1, jumps: 1, ..NONE };
    for bound in [
        Bound { calls: [1, 1, 1], ..one },
        Bound { crashes: 2, jumps: 1, ..NONE },
        Bound { losses: 2, refusals: 1, calls: [2, 1, 0], ..NONE },
        Bound { losses: 3, calls: [1, 1, 0], crashes: 1, ..NONE },
        Bound { jumps: 2, losses: 1, refusals: 1, calls: [1, 1, 1], ..NONE },
    ] {
        let seen = explore(bound);
        assert!(seen.contains(&"created"));
        assert_eq!(seen.contains(&"unknown"), !bound.heals());
    }
}

#[test]
fn unrecorded_outcome_is_reported() {
    // All seven attempts to record one outcome fail.
    let seen = explore(Bound { losses: 7, refusals: 1, calls: [1, 0, 0], ..NONE });
    assert!(seen.contains(&"not recorded"));
}

#[test]
fn resolution_without_active_sender_is_safe() {
    let bound = Bound { decisions: 1, crashes: 1, doubts: 1, jumps: 1, calls: [2, 1, 0], ..NONE };
    let seen = explore(Bound { losses: 1, ..bound });
    assert!(seen.contains(&"unknown") && seen.contains(&"replayed"));
}

#[test]
fn wrong_resolution_stays_visible() {
    let bound = Bound { decisions: 1, jumps: 1, calls: [1, 1, 0], rash: true, ..NONE };
    // A property checks that the journal lists both messages.
    assert!(explore(bound).contains(&"two messages"));
}
