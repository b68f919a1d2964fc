//! The sans-I/O component of `send-once`, with a correct driver and with faulty drivers.
//! `conform --worker` runs the conformance suite with drivers in other languages.

use std::sync::OnceLock;

use messaging_components::ONCE_SANS_IO;
use messaging_host::inspect::Inspection;
use wasmtime::component::{Component, Linker, ResourceAny};
use wasmtime::{Engine, Store};

mod bindings {
    wasmtime::component::bindgen!({ path: "../wit", world: "once-sans-io" });
}

use bindings::exports::messaging::integration::once_types::EntryState;
use bindings::exports::messaging::integration::sans_io_once as wit;
use bindings::{OnceSansIo, OnceSansIoPre};
use wit::{Answer, CallError, Input, Now, Operation, Step};

const WALL_S: u32 = 1_795_412_345;

/// A component instance that serves several calls.
struct Instance {
    store: Store<()>,
    once: OnceSansIo,
}

impl Instance {
    fn new() -> Self {
        static PRE: OnceLock<OnceSansIoPre<()>> = OnceLock::new();
        let pre = PRE.get_or_init(|| {
            let engine = Engine::default();
            let component = Component::new(&engine, ONCE_SANS_IO).unwrap();
            // The component imports nothing.
            let pre = Linker::new(&engine).instantiate_pre(&component).unwrap();
            OnceSansIoPre::new(pre).unwrap()
        });
        let mut store = Store::new(pre.engine(), ());
        let once = pre.instantiate(&mut store).unwrap();
        Self { store, once }
    }

    fn call(&mut self, operation: &Operation) -> ResourceAny {
        let calls = self.once.messaging_integration_sans_io_once().call();
        calls.call_constructor(&mut self.store, operation).unwrap()
    }

    fn next(&mut self, call: ResourceAny, elapsed_ms: u32, input: Option<&Input>) -> Step {
        let now = Now { seconds: WALL_S, milliseconds: 678, elapsed_ms };
        let calls = self.once.messaging_integration_sans_io_once().call();
        calls.call_next(&mut self.store, call, input, now).unwrap()
    }

    /// Returns the step after these inputs, and the last value that the call asked to write.
    fn after(&mut self, operation: &Operation, inputs: &[Input]) -> (Step, Option<String>) {
        let call = self.call(operation);
        let (mut step, mut text) = (self.next(call, 0, None), None);
        for input in inputs {
            if let Step::Swap(swap) = &step {
                text = Some(swap.new.clone());
            }
            step = self.next(call, 1, Some(input));
        }
        (step, text)
    }
}

fn send(random: &[u8]) -> Operation {
    Operation::SendOnce(wit::SendOnce {
        key: "k".into(),
        request: wit::MessageRequest {
            phone: super::CUSTOMER.into(),
            message: "text without another owner".into(),
            device: None,
            fields: Vec::new(),
        },
        base_url: None,
        random: random.to_vec(),
        deadline_ms: Some(2_000),
    })
}

fn created() -> Input {
    Input::Created(wit::CreatedMessage { id: "msg-1".into(), json: "{}".into() })
}

fn failed(name: &str) -> Input {
    let detail = "because".to_string();
    Input::Failed(wit::ProviderError { name: name.into(), detail, unknown: None })
}

fn done(step: Step) -> Result<Answer, CallError> {
    let Step::Done(result) = step else { panic!("{step:?}") };
    result
}

#[test]
fn once_component_imports_nothing() {
    let inspection = Inspection::of(ONCE_SANS_IO).unwrap();
    assert!(inspection.imports.is_empty(), "{:?}", inspection.imports);
    let [_, _, interface] = &inspection.exports[..] else { panic!("{:?}", inspection.exports) };
    assert_eq!(interface.name, "messaging:integration/sans-io-once@0.2.0");
    assert_eq!(interface.functions, ["[constructor]call", "[method]call.next"]);
    assert!(ONCE_SANS_IO.len() <= 180_000, "{} bytes", ONCE_SANS_IO.len());
}

#[test]
fn key_is_claimed_before_send() {
    let mut instance = Instance::new();
    let operation = send(&[7; 32]);
    let (step, _) = instance.after(&operation, &[]);
    let Step::Swap(claim) = step else { panic!("{step:?}") };
    assert_eq!(claim.expected, None);
    assert!(!claim.new.contains("another owner") && !claim.new.contains("600111222"));
    let (step, _) = instance.after(&operation, &[Input::Swapped]);
    assert!(matches!(step, Step::Send), "{step:?}");
    let inputs = [Input::Swapped, created(), Input::Swapped];
    let (step, text) = instance.after(&operation, &inputs);
    let Ok(Answer::Created(sent)) = done(step) else { panic!() };
    assert_eq!((&*sent.id, sent.replayed, sent.recorded), ("msg-1", false, true));
    // Another call, with another salt, finds this value.
    let (step, _) = instance.after(&send(&[8; 32]), &[Input::Stale(text.clone())]);
    let Ok(Answer::Created(found)) = done(step) else { panic!() };
    assert_eq!((&*found.id, found.replayed), ("msg-1", true));
    let (step, _) = instance.after(&Operation::LookUp("k".into()), &[Input::Found(text)]);
    let Ok(Answer::Entry(Some(entry))) = done(step) else { panic!() };
    assert_eq!((entry.state, &*entry.began), (EntryState::Created, "2026-11-23T05:39:05.678Z"));
}

#[test]
fn only_proof_frees_driven_key() {
    let mut instance = Instance::new();
    for (name, proves) in [
        ("rate-limited", true),
        ("not-sent", true),
        ("permanent-refused", true),
        ("permanent-other", false),
        ("execution-failed", false),
        ("crashed", false),
        ("a-case-of-next-year", false),
    ] {
        let inputs = [Input::Swapped, failed(name), Input::Swapped];
        let (step, text) = instance.after(&send(&[7; 32]), &inputs);
        match done(step) {
            Err(CallError::ProviderError) => assert!(proves, "{name}"),
            Err(CallError::PermanentOutcomeUnknown(said)) => {
                assert!(!proves && said.detail.contains(name), "{name}: {said:?}");
            }
            other => panic!("{name}: {other:?}"),
        }
        // The recorded value allows another attempt only if the error proves that nothing was
        // created.
        let (step, _) = instance.after(&send(&[8; 32]), &[Input::Stale(text)]);
        assert_eq!(matches!(step, Step::Swap(_)), proves, "{name}: {step:?}");
    }
}

#[test]
fn missing_answer_leaves_outcome_unknown() {
    let mut instance = Instance::new();
    let wrong = Input::Listed(wit::Page { items: Vec::new(), next: None });
    for input in [Input::Lost("it was killed".into()), wrong, Input::Swapped, Input::Woke] {
        let (step, _) = instance.after(&send(&[7; 32]), &[Input::Swapped, input.clone()]);
        assert!(matches!(step, Step::Swap(_)), "{input:?}: {step:?}");
        let inputs = [Input::Swapped, input.clone(), Input::Swapped];
        let (step, _) = instance.after(&send(&[7; 32]), &inputs);
        let said = done(step);
        assert!(matches!(said, Err(CallError::PermanentOutcomeUnknown(_))), "{input:?}: {said:?}");
    }
}

#[test]
fn idle_driver_is_rejected() {
    let mut instance = Instance::new();
    for operation in [
        send(&[7; 32]),
        Operation::LookUp("k".into()),
        Operation::ListEntries(None),
        Operation::Forget("k".into()),
    ] {
        let (step, _) = instance.after(&operation, &[created()]);
        let said = done(step);
        assert!(matches!(said, Err(CallError::Unavailable(_))), "{said:?}");
        let call = instance.call(&operation);
        let mut step = instance.next(call, 0, None);
        while !matches!(step, Step::Done(_)) {
            step = instance.next(call, 0, Some(&created()));
        }
        let said = done(instance.next(call, 0, None));
        assert!(
            matches!(&said, Err(CallError::PermanentOther(said)) if said.code == "call-is-over")
        );
    }
    let (step, _) = instance.after(&send(&[7; 31]), &[]);
    let said = done(step);
    assert!(matches!(&said, Err(CallError::PermanentOther(said)) if said.code == "not-random"));
    let (step, _) = instance.after(&Operation::Forget("a b".into()), &[]);
    let said = done(step);
    assert!(matches!(&said, Err(CallError::PermanentInvalidInput(said)) if said.field == "key"));
}

#[test]
fn silent_journal_is_asked_again() {
    let mut instance = Instance::new();
    let no_answer =
        |refused| Input::JournalFailed(wit::JournalFailed { refused, detail: "no table".into() });
    for operation in [send(&[7; 32]), Operation::Forget("k".into())] {
        let (step, _) = instance.after(&operation, &[no_answer(false)]);
        assert!(matches!(step, Step::Sleep(1..=1_000)), "{step:?}");
    }
    for operation in [send(&[7; 32]), Operation::LookUp("k".into()), Operation::ListEntries(None)] {
        let said = done(instance.after(&operation, &[no_answer(true)]).0);
        let Err(CallError::PermanentJournal(said)) = said else { panic!("{said:?}") };
        assert_eq!(said.detail, "journal: no table");
    }
    let said = done(instance.after(&Operation::LookUp("k".into()), &[no_answer(false)]).0);
    assert!(matches!(said, Err(CallError::Unavailable(_))), "{said:?}");
}
