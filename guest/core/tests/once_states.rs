//! Tests of sequential calls: the result of each state of a key, and the next state.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "once_states/resolving.rs"]
mod resolving;
#[path = "once_states/unexpected.rs"]
mod unexpected;

use messaging_core::error::{Case, OutcomeUnknown, Refusal, Stage};
use messaging_core::once::change::{Change, Changing, Resolution};
use messaging_core::once::digest::Request;
use messaging_core::once::entry::{Found, MAX_REPLY_BYTES, Outcome};
use messaging_core::once::provider::{Failed, Message};
use messaging_core::once::send::{Created, Input, JournalFailure, SendOnce, Step};
use messaging_core::once::{Entry, Error, Kept, Now};

/// A journal with one key, a provider, and a clock that tests, delays and slow writes advance.
struct World {
    text: Option<String>,
    /// Number of journal calls that fail from now on.
    failing: u32,
    /// True if the failures of `failing` are permanent.
    refused: bool,
    wall_ms: u64,
    /// Milliseconds by which each write of the journal advances the wall clock.
    slow_ms: u64,
    sent: u32,
    slept_ms: u64,
}

type Sent = Result<Created, Error<()>>;

fn request(text: &str) -> Request {
    Request::new("+34600111222", text, None, [].into_iter())
}

fn created(id: &str) -> Result<Message, Failed<()>> {
    Ok(Message { id: id.into(), json: format!("{{\"id\":\"{id}\"}}") })
}

fn failed(case: Case) -> Result<Message, Failed<()>> {
    Err(Failed { case, detail: "why".into(), unknown: None, error: () })
}

fn unknown() -> Result<Message, Failed<()>> {
    let refusal = Refusal { status: 500, body: "oops, msg-7".into(), ..Refusal::default() };
    let unknown = OutcomeUnknown {
        stage: Stage::ReplyUnclear,
        detail: "status 500".into(),
        status: Some(500),
        refusal: Some(Box::new(refusal)),
    };
    let case = Case::OutcomeUnknown;
    Err(Failed { case, detail: "status 500".into(), unknown: Some(unknown), error: () })
}

impl World {
    fn new() -> Self {
        let text = None;
        Self {
            text,
            failing: 0,
            refused: false,
            wall_ms: 1_000_000,
            slow_ms: 0,
            sent: 0,
            slept_ms: 0,
        }
    }

    fn failure(&mut self) -> Option<JournalFailure> {
        self.failing = self.failing.checked_sub(1)?;
        Some(JournalFailure { is_permanent: self.refused, detail: "disk".into() })
    }

    fn swap(&mut self, expected: &Option<String>, new: String) -> Result<bool, JournalFailure> {
        self.wall_ms += self.slow_ms;
        if let Some(failure) = self.failure() {
            return Err(failure);
        }
        let fits = self.text == *expected;
        if fits {
            self.text = Some(new);
        }
        Ok(fits)
    }

    /// Runs a call until it sends or ends.
    fn start(&mut self, name: &str, text: &str) -> (SendOnce<()>, Option<Sent>) {
        let mut machine = SendOnce::new(request(text), [3; 16], name.into(), 30_000);
        let end = self.go(&mut machine, Input::Start);
        (machine, end)
    }

    fn go(&mut self, machine: &mut SendOnce<()>, first: Input<()>) -> Option<Sent> {
        self.drive(|input, now| machine.next(input, now), first)
    }

    /// Drives a machine until it sends or ends.
    fn drive<T, S>(
        &mut self,
        mut next: impl FnMut(Input<()>, Now) -> Step<(), T, S>,
        first: Input<()>,
    ) -> Option<Result<T, Error<()>>> {
        let mut input = first;
        let (began, mut elapsed_ms) = (self.wall_ms, 0);
        loop {
            let now = Now { wall_ms: self.wall_ms, elapsed_ms };
            input = match next(input, now) {
                Step::Get => match self.failure() {
                    Some(failure) => Input::Failed(failure),
                    None => Input::Got(self.text.clone()),
                },
                Step::Swap { expected, new } => match self.swap(&expected, new) {
                    Ok(true) => Input::Swapped,
                    Ok(false) => Input::Stale(self.text.clone()),
                    Err(failure) => Input::Failed(failure),
                },
                Step::Send(_) => return None,
                Step::Sleep(ms) => {
                    self.slept_ms += u64::from(ms);
                    elapsed_ms += u64::from(ms);
                    self.wall_ms += u64::from(ms);
                    Input::Woke
                }
                Step::Done(end) => return Some(end),
            };
            elapsed_ms = elapsed_ms.max(self.wall_ms - began);
        }
    }

    fn send(&mut self, name: &str, text: &str, answer: Result<Message, Failed<()>>) -> Sent {
        let (mut machine, end) = self.start(name, text);
        end.unwrap_or_else(|| {
            self.sent += 1;
            self.go(&mut machine, Input::Sent(answer)).unwrap()
        })
    }

    fn change(&mut self, change: Change) -> Result<(), Error<()>> {
        let mut machine = Changing::new(change);
        self.drive(|input, now| machine.next(input, now), Input::Start).unwrap()
    }

    fn resolve(&mut self, attempt: u32, found: Found) -> Result<(), Error<()>> {
        let decision = Resolution::new(attempt, found, "Ada".into(), "looked".into())?;
        self.change(Change::Resolve(decision))
    }

    fn entry(&self) -> Entry {
        match Kept::read(self.text.as_deref().unwrap()).unwrap() {
            Kept::Entry(entry) => *entry,
            Kept::Forgotten { .. } => panic!("forgotten"),
        }
    }
}

#[test]
fn created_message_is_answered_from_journal() {
    let mut world = World::new();
    let first = world.send("a", "text", created("m1")).unwrap();
    let json = Some("{\"id\":\"m1\"}".to_string());
    let is = |replayed| Created { id: "m1".into(), json: json.clone(), replayed, recorded: true };
    assert_eq!(first, is(false));
    world.wall_ms *= 1_000;
    assert_eq!(world.send("b", "text", created("m2")).unwrap(), is(true));
    assert_eq!(world.sent, 1);
}

#[test]
fn too_long_reply_keeps_its_identifier() {
    let mut world = World::new();
    let json = format!("{{\"id\":\"m1\",\"x\":\"{}\"}}", "x".repeat(MAX_REPLY_BYTES));
    let answer = Ok(Message { id: "m1".into(), json: json.clone() });
    assert_eq!(world.send("a", "text", answer).unwrap().json, Some(json));
    let again = world.send("b", "text", created("m2")).unwrap();
    assert_eq!((again.id.as_str(), again.json), ("m1", None));
}

#[test]
fn other_request_under_key_is_never_sent() {
    let proofs =
        [Case::Unauthorized, Case::Refused, Case::Denied, Case::RateLimited, Case::NotSent];
    for answer in proofs.map(failed).into_iter().chain([created("m1"), unknown()]) {
        let mut world = World::new();
        let _ = world.send("a", "text", answer);
        assert!(matches!(world.send("b", "other", created("m2")), Err(Error::KeyReused(_))));
        assert_eq!(world.sent, 1);
    }
    let mut world = World::new();
    assert!(world.start("a", "text").1.is_none());
    assert!(matches!(world.send("b", "other", created("m2")), Err(Error::KeyReused(_))));
}

#[test]
fn proof_frees_key_for_same_request() {
    for case in [
        Case::InvalidInput,
        Case::InvalidSettings,
        Case::Unauthorized,
        Case::Refused,
        Case::Denied,
        Case::RateLimited,
        Case::NotSent,
        Case::Unavailable,
    ] {
        let mut world = World::new();
        let error = world.send("a", "text", failed(case)).unwrap_err();
        assert_eq!(Err(error), failed(case).map(|_| ()).map_err(Error::Provider));
        assert!(!world.send("b", "text", created("m1")).unwrap().replayed);
        assert_eq!((world.sent, world.entry().attempts), (2, 2));
    }
}

#[test]
fn other_errors_leave_outcome_unknown() {
    for case in [Case::ExecutionFailed, Case::OutcomeUnknown, Case::UnexpectedReply, Case::Other] {
        let mut world = World::new();
        for _ in 0..3 {
            let said = world.send("a", "text", failed(case));
            let Err(Error::Unknown(said)) = said else { panic!("{said:?}") };
            assert!(said.detail.contains(case.name()), "{}", said.detail);
            world.wall_ms *= 2;
        }
        assert_eq!(world.sent, 1);
    }
}

#[test]
fn unknown_outcome_keeps_service_response() {
    let mut world = World::new();
    let Err(Error::Unknown(first)) = world.send("a", "text", unknown()) else { panic!() };
    let Err(Error::Unknown(later)) = world.send("b", "text", created("m2")) else { panic!() };
    assert_eq!(first, later);
    assert_eq!(later.refusal.unwrap().body, "oops, msg-7");

    world.resolve(1, Found::Created("msg-7".into())).unwrap();
    let known = world.send("c", "text", created("m3")).unwrap();
    assert_eq!((known.id.as_str(), known.json, known.replayed), ("msg-7", None, true));
    let [made] = &world.entry().resolutions[..] else { panic!() };
    assert_eq!((made.by.as_str(), made.reason.as_str(), made.at_ms), ("Ada", "looked", 1_000_000));
    // A repeated resolution succeeds. A different resolution is too late.
    world.resolve(1, Found::Created("msg-7".into())).unwrap();
    assert!(matches!(world.resolve(1, Found::NotCreated), Err(Error::NotUnknown(_))));
    assert_eq!((world.sent, world.entry().resolutions.len()), (1, 1));
}

#[test]
fn active_sender_is_awaited_then_busy() {
    let mut world = World::new();
    assert!(world.start("a", "text").1.is_none());
    let end = world.send("b", "text", created("m2"));
    let Err(Error::Busy { retry_after_ms, .. }) = end else { panic!("{end:?}") };
    // The caller waits 30 s; the other sender has 40 s.
    assert!((29_000..=30_000).contains(&world.slept_ms), "{}", world.slept_ms);
    assert!(retry_after_ms <= 11_000, "{retry_after_ms}");
    assert!(matches!(world.resolve(1, Found::NotCreated), Err(Error::Busy { .. })));
    assert!(matches!(world.change(Change::Forget), Err(Error::Busy { .. })));
    assert_eq!(world.sent, 0);
}

#[test]
fn journal_failure_before_request_prevents_send() {
    let mut world = World::new();
    world.failing = 3;
    let end = world.send("a", "text", created("m1"));
    assert_eq!(end, Err(Error::Unavailable("disk".into())));
    assert_eq!((world.sent, &world.text), (0, &None));
    world.failing = 1;
    world.refused = true;
    assert_eq!(world.send("b", "text", created("m1")), Err(Error::Journal("disk".into())));
    assert_eq!(world.sent, 0);
    // Two failures are retried.
    (world.failing, world.refused) = (2, false);
    assert!(world.send("c", "text", created("m1")).unwrap().recorded);
}

#[test]
fn journal_failure_after_request_is_reported() {
    for (answer, name) in
        [(created("m1"), ""), (failed(Case::RateLimited), "rate-limited"), (unknown(), "unknown")]
    {
        let mut world = World::new();
        let (mut machine, _) = world.start("a", "text");
        world.failing = u32::MAX;
        match world.go(&mut machine, Input::Sent(answer)).unwrap() {
            Ok(created) => assert!(!created.recorded && created.id == "m1"),
            Err(Error::NotRecorded { error, detail }) => {
                assert!(error == name && detail.contains("why") && detail.contains("disk"));
            }
            Err(Error::Unknown(unknown)) => {
                assert!(unknown.detail.contains("not recorded in the journal: disk"));
                assert!(unknown.refusal.is_some());
            }
            Err(error) => panic!("{error:?}"),
        }
        world.failing = 0;
        world.wall_ms += 40_000;
        assert!(matches!(world.send("b", "text", created("m2")), Err(Error::Unknown(_))));
        // The caller that received the unrecorded outcome can resolve it.
        world.resolve(1, Found::NotCreated).unwrap();
        assert!(world.send("c", "text", created("m3")).is_ok());
    }
}

#[test]
fn request_past_deadline_is_not_sent() {
    let mut world = World::new();
    world.slow_ms = 10_001;
    let end = world.send("a", "text", created("m1"));
    let Err(Error::Unavailable(detail)) = end else { panic!("{end:?}") };
    assert!(detail.contains("nothing was sent"), "{detail}");
    assert_eq!(world.sent, 0);
    let end = world.entry().end.unwrap().outcome;
    assert_eq!(end, Outcome::NotCreated { error: Some("unavailable".into()) });
    world.slow_ms = 0;
    assert!(world.send("b", "text", created("m1")).is_ok());
}

#[test]
fn invalid_input_frees_key_for_corrected_request() {
    for case in [Case::InvalidInput, Case::InvalidSettings] {
        let mut world = World::new();
        assert!(matches!(world.send("a", "text", failed(case)), Err(Error::Provider(_))));
        assert!(matches!(world.send("b", "other", failed(case)), Err(Error::Provider(_))));
        let sent = world.send("c", "corrected", created("m1")).unwrap();
        assert_eq!((sent.replayed, sent.recorded), (false, true), "{case:?}");
        assert!(matches!(world.send("d", "text", created("m2")), Err(Error::KeyReused(_))));
        assert!(world.send("e", "corrected", created("m2")).unwrap().replayed);
        assert_eq!(world.entry().attempts, 3);
    }
}

#[test]
fn other_spelling_replays_and_other_service_is_rejected() {
    let send = |world: &mut World, phone: &str, service: &str| -> Sent {
        let request = Request::new(phone, "text", None, [].into_iter()).with_service(service);
        let mut machine = SendOnce::new(request, [3; 16], "a".into(), 30_000);
        let end = world.go(&mut machine, Input::Start);
        end.unwrap_or_else(|| world.go(&mut machine, Input::Sent(created("m1"))).unwrap())
    };
    let mut world = World::new();
    assert!(!send(&mut world, "+34 600 111 222", "https://one.example").unwrap().replayed);
    assert!(send(&mut world, "+34600111222", "https://one.example/").unwrap().replayed);
    let other = send(&mut world, "+34600111222", "https://two.example");
    assert!(matches!(other, Err(Error::KeyReused(detail)) if detail.contains("base URL")));
}

#[test]
fn wrong_base_url_can_be_corrected() {
    for (first, is_free) in [
        (failed(Case::NotSent), true),
        (failed(Case::Refused), true),
        (unknown(), false),
        (created("m1"), false),
    ] {
        let mut world = World::new();
        let send = |world: &mut World, text: &str, service: &str, answer| -> Sent {
            let request = Request::new("1", text, None, [].into_iter()).with_service(service);
            let mut machine = SendOnce::new(request, [3; 16], service.into(), 30_000);
            let end = world.go(&mut machine, Input::Start);
            end.unwrap_or_else(|| world.go(&mut machine, Input::Sent(answer)).unwrap())
        };
        let _ = send(&mut world, "text", "https://wrong.example", first);
        let other = send(&mut world, "other", "https://right.example", created("m2"));
        assert!(matches!(other, Err(Error::KeyReused(_))));
        let right = send(&mut world, "text", "https://right.example", created("m3"));
        assert_eq!(right.is_ok(), is_free, "{right:?}");
        let wrong = send(&mut world, "text", "https://wrong.example", created("m4"));
        assert_eq!(matches!(wrong, Err(Error::KeyReused(_))), is_free, "{wrong:?}");
    }
}

#[test]
fn copied_process_does_not_send_again() {
    let mut world = World::new();
    let (_, end) = world.start("a", "text");
    assert!(end.is_none(), "the first process sends");
    // The copy has the same random state and starts later.
    world.wall_ms += 1;
    let (_, end) = world.start("a", "text");
    assert!(matches!(end, Some(Err(Error::Busy { .. }))), "{end:?}");
}

#[test]
fn send_that_was_cut_off_is_unknown() {
    let mut world = World::new();
    let (mut machine, _) = world.start("a", "text");
    let end = world.go(&mut machine, Input::Lost("trap".into())).unwrap();
    let Err(Error::Unknown(unknown)) = end else { panic!("{end:?}") };
    assert_eq!((unknown.stage, unknown.detail.as_str()), (Stage::SendingRequest, "trap"));
    assert!(matches!(world.send("b", "text", created("m2")), Err(Error::Unknown(_))));
}

#[test]
fn forgotten_key_never_sends() {
    let mut world = World::new();
    assert_eq!(world.change(Change::Forget), Err(Error::NoEntry));
    assert_eq!(world.resolve(1, Found::NotCreated), Err(Error::NoEntry));
    let _ = world.send("a", "text", created("m1"));
    world.change(Change::Forget).unwrap();
    world.change(Change::Forget).unwrap();
    let text = world.text.clone().unwrap();
    assert!(!text.contains("m1") && !text.contains("digest"), "{text}");
    let forgotten = Err(Error::KeyForgotten { at_ms: 1_000_000 });
    assert_eq!(world.send("b", "text", created("m2")), forgotten);
    assert_eq!(world.resolve(1, Found::NotCreated), forgotten.map(|_| ()));
    assert_eq!(world.sent, 1);
}

#[test]
fn unreadable_entry_is_neither_sent_nor_overwritten() {
    for text in ["", "{}", "{\"v\":2}"] {
        let mut world = World::new();
        world.text = Some(text.into());
        assert!(matches!(world.send("a", "text", created("m1")), Err(Error::Journal(_))));
        assert!(matches!(world.resolve(1, Found::NotCreated), Err(Error::Journal(_))));
        assert!(matches!(world.change(Change::Forget), Err(Error::Journal(_))));
        assert_eq!((world.sent, world.text.as_deref()), (0, Some(text)));
    }
}

#[test]
fn lost_intent_is_rewritten_by_sender() {
    let mut world = World::new();
    let (mut machine, _) = world.start("a", "text");
    world.text = None;
    assert!(world.go(&mut machine, Input::Sent(created("m1"))).unwrap().unwrap().recorded);
    assert!(world.send("b", "text", created("m2")).unwrap().replayed);
}
