//! The sans-I/O plugin with a correct driver and with faulty drivers.

use std::sync::OnceLock;

use messaging_components::PLUGIN_SANS_IO;
use proptest::prelude::*;
use wasmtime::component::{Component, Linker, ResourceAny};
use wasmtime::{Engine, Store};

mod bindings {
    wasmtime::component::bindgen!({ path: "../wit", world: "plugin-sans-io" });
}

use bindings::exports::messaging::integration::sans_io as wit;
use bindings::{PluginSansIo, PluginSansIoPre};
use wit::{BodyEnd, Error, Failed, Failure, HttpReply, HttpRequest, Input, ListStep, SendStep};

const BASE: (&str, &str) = ("MESSAGING_BASE_URL", "https://api.example:8443/v2");
const KEY: (&str, &str) = ("MESSAGING_API_KEY", "canary-key");

/// A component instance that serves several calls.
struct Instance {
    store: Store<()>,
    plugin: PluginSansIo,
}

impl Instance {
    fn new() -> Self {
        static PRE: OnceLock<PluginSansIoPre<()>> = OnceLock::new();
        let pre = PRE.get_or_init(|| {
            let engine = Engine::default();
            let component = Component::new(&engine, PLUGIN_SANS_IO).unwrap();
            // The component imports nothing.
            let pre = Linker::new(&engine).instantiate_pre(&component).unwrap();
            PluginSansIoPre::new(pre).unwrap()
        });
        let mut store = Store::new(pre.engine(), ());
        let plugin = pre.instantiate(&mut store).unwrap();
        Self { store, plugin }
    }

    fn send(&mut self, settings: &[(&str, &str)]) -> ResourceAny {
        let request = wit::MessageRequest {
            phone: "+34600111222".into(),
            message: "hi".into(),
            device: None,
            fields: Vec::new(),
        };
        let calls = self.plugin.messaging_integration_sans_io().send_call();
        calls.call_constructor(&mut self.store, &named(settings), &request, 7).unwrap()
    }

    fn next(&mut self, call: ResourceAny, elapsed_ms: u32, input: Option<&Input>) -> SendStep {
        let calls = self.plugin.messaging_integration_sans_io().send_call();
        calls.call_next(&mut self.store, call, elapsed_ms, input).unwrap()
    }

    fn list(&mut self, settings: &[(&str, &str)]) -> ResourceAny {
        let query = wit::TemplateQuery { status: None, parameters: Vec::new(), every_page: None };
        let calls = self.plugin.messaging_integration_sans_io().list_call();
        calls.call_constructor(&mut self.store, &named(settings), &query, 7).unwrap()
    }

    fn next_page(&mut self, call: ResourceAny, elapsed_ms: u32, input: Option<&Input>) -> ListStep {
        let calls = self.plugin.messaging_integration_sans_io().list_call();
        calls.call_next(&mut self.store, call, elapsed_ms, input).unwrap()
    }

    /// Calls `send-message` and ends each request with this input. Returns the number of requests
    /// and the result.
    fn ending(&mut self, input: &Input) -> (usize, Result<wit::CreatedMessage, Error>) {
        let call = self.send(&[BASE, KEY]);
        let (mut requests, mut last) = (0, None);
        loop {
            last = match self.next(call, 0, last) {
                SendStep::Request(_) => {
                    requests += 1;
                    Some(input)
                }
                SendStep::Wait(_) => Some(&Input::Waited),
                SendStep::Done(result) => return (requests, result),
            }
        }
    }
}

fn named(settings: &[(&str, &str)]) -> Vec<wit::Setting> {
    let setting = |(name, value): &(&str, &str)| wit::Setting {
        name: (*name).into(),
        value: (*value).into(),
    };
    settings.iter().map(setting).collect()
}

fn replied(status: u16, headers: &[(&str, &str)], body: &str, ended: BodyEnd) -> Input {
    let header =
        |(name, value): &(&str, &str)| wit::Header { name: (*name).into(), value: (*value).into() };
    let headers = headers.iter().map(header).collect();
    Input::Replied(HttpReply { status, headers, body: body.into(), ended })
}

fn failed(failure: Failure, detail: &str) -> Input {
    Input::Failed(Failed { failure, detail: detail.into() })
}

fn requested(step: SendStep) -> HttpRequest {
    let SendStep::Request(request) = step else { panic!("{step:?}") };
    request
}

#[test]
fn request_is_complete_for_driver() {
    let mut instance = Instance::new();
    // A driver may pass its complete environment, because the plugin ignores unrelated variables.
    let call = instance.send(&[("PATH", "/bin"), BASE, KEY, ("MESSAGING_DEADLINE_MS", "5000")]);
    let request = requested(instance.next(call, 250, None));
    assert_eq!(request.method, "POST");
    assert_eq!(request.url, "https://api.example:8443/v2/v1/messages");
    let headers: Vec<_> = request.headers.iter().map(|one| (&*one.name, &*one.value)).collect();
    assert_eq!(
        headers,
        [
            ("token", "canary-key"),
            ("accept", "application/json"),
            ("accept-encoding", "identity"),
            ("content-type", "application/json"),
        ]
    );
    assert_eq!(request.body, br#"{"phone":"+34600111222","message":"hi"}"#);
    assert_eq!((request.time_left_ms, request.max_reply_bytes), (4_750, 1_048_576));
    let created = replied(201, &[], r#"{"id":"msg-1"}"#, BodyEnd::Whole);
    let SendStep::Done(Ok(created)) = instance.next(call, 300, Some(&created)) else { panic!() };
    assert_eq!((&*created.id, &*created.json), ("msg-1", r#"{"id":"msg-1"}"#));

    let call = instance.list(&[BASE, KEY]);
    let ListStep::Request(request) = instance.next_page(call, 0, None) else { panic!() };
    assert_eq!((&*request.method, request.body.len()), ("GET", 0));
    assert_eq!(request.url, "https://api.example:8443/v2/v1/waba/templates");
}

#[test]
fn first_step_reports_invalid_call() {
    let mut instance = Instance::new();
    for (settings, named) in [
        (&[KEY][..], "MESSAGING_BASE_URL"),
        (&[BASE], "MESSAGING_API_KEY"),
        (&[BASE, KEY, ("MESSAGING_DEADLINE_MS", "5s")], "MESSAGING_DEADLINE_MS"),
    ] {
        let call = instance.send(settings);
        let step = instance.next(call, 0, None);
        let SendStep::Done(Err(Error::PermanentInvalidSettings(invalid))) = step else { panic!() };
        assert_eq!(invalid.setting, named);
        let call = instance.list(settings);
        let step = instance.next_page(call, 0, None);
        let ListStep::Done(Err(Error::PermanentInvalidSettings(invalid))) = step else { panic!() };
        assert_eq!(invalid.setting, named);
    }
}

#[test]
fn driver_failure_proves_only_its_claim() {
    let mut instance = Instance::new();
    let (requests, result) = instance.ending(&failed(Failure::NotReached, "ECONNREFUSED"));
    let Err(Error::NotSent(not_sent)) = result else { panic!("{result:?}") };
    assert_eq!((requests, &*not_sent.detail), (3, "ECONNREFUSED while connecting"));
    let (requests, result) = instance.ending(&failed(Failure::Denied, "not allowed"));
    assert_eq!(requests, 1);
    assert!(matches!(result, Err(Error::PermanentDenied(_))), "{result:?}");
    for (failure, detail) in [
        (Failure::Late, "the deadline passed while waiting for the reply"),
        (Failure::Broken, "ECONNRESET: [redacted] while waiting for the reply"),
    ] {
        let (requests, result) = instance.ending(&failed(failure, "ECONNRESET: canary-key"));
        let Err(Error::PermanentOutcomeUnknown(unknown)) = result else { panic!("{result:?}") };
        assert_eq!((requests, &*unknown.detail), (1, detail));
    }
}

#[test]
fn excess_reply_bytes_are_ignored() {
    let mut instance = Instance::new();
    let long = format!(r#"{{"id":"msg-1","more":"{}"}}"#, "x".repeat(1_048_576));
    for ended in [BodyEnd::Whole, BodyEnd::TooLarge] {
        let (_, result) = instance.ending(&replied(201, &[], &long, ended));
        let Err(Error::PermanentOutcomeUnknown(unknown)) = result else { panic!("{result:?}") };
        assert!(unknown.detail.contains("MESSAGING_MAX_REPLY_BYTES"), "{}", unknown.detail);
    }
    for ended in [BodyEnd::Broken, BodyEnd::Late, BodyEnd::Withheld] {
        let (_, result) = instance.ending(&replied(201, &[], r#"{"id":"msg-1"}"#, ended));
        assert!(matches!(result, Err(Error::PermanentOutcomeUnknown(_))), "{result:?}");
    }
    // The retry after status 503 does not depend on the part of the body that the driver reads.
    for (body, ended) in [("", BodyEnd::Whole), ("down", BodyEnd::Late)] {
        let call = instance.list(&[BASE, KEY]);
        instance.next_page(call, 0, None);
        let step = instance.next_page(call, 10, Some(&replied(503, &[], body, ended)));
        assert!(matches!(step, ListStep::Wait(_)), "{step:?}");
    }
}

#[test]
fn headers_are_read_in_any_case_and_order() {
    let mut instance = Instance::new();
    let limited = [
        ("X-More", "1"),
        ("DATE", "Sat, 21 Nov 2026 10:00:00 GMT"),
        ("Retry-After", "Sat, 21 Nov 2026 10:01:40 GMT"),
    ];
    let (requests, result) = instance.ending(&replied(429, &limited, "{}", BodyEnd::Whole));
    let Err(Error::RateLimited(limit)) = result else { panic!("{result:?}") };
    assert_eq!((requests, limit.retry_after_ms), (1, Some(100_000)));
    let packed = replied(201, &[("Content-ENCODING", "gzip")], r#"{"id":"1"}"#, BodyEnd::Whole);
    let (_, result) = instance.ending(&packed);
    assert!(matches!(result, Err(Error::PermanentOutcomeUnknown(_))), "{result:?}");
}

#[test]
fn backward_clock_moves_no_deadline() {
    let mut instance = Instance::new();
    let call = instance.send(&[BASE, KEY, ("MESSAGING_DEADLINE_MS", "1000")]);
    assert_eq!(requested(instance.next(call, 0, None)).time_left_ms, 1_000);
    let step = instance.next(call, 700, Some(&failed(Failure::NotReached, "refused")));
    assert!(matches!(step, SendStep::Wait(_)), "{step:?}");
    assert_eq!(requested(instance.next(call, 5, Some(&Input::Waited))).time_left_ms, 300);
    let step = instance.next(call, 0, Some(&failed(Failure::NotReached, "refused")));
    assert!(matches!(step, SendStep::Wait(_)), "{step:?}");
    // The maximum of the clock is past the deadline.
    let step = instance.next(call, u32::MAX, Some(&Input::Waited));
    assert!(matches!(step, SendStep::Done(Err(Error::NotSent(_)))), "{step:?}");
}

#[test]
fn confused_driver_sends_once() {
    let mut instance = Instance::new();
    for lost in [None, Some(Input::Waited)] {
        let call = instance.send(&[BASE, KEY]);
        requested(instance.next(call, 0, None));
        let step = instance.next(call, 1, lost.as_ref());
        let SendStep::Done(Err(Error::PermanentOutcomeUnknown(_))) = step else { panic!() };
        let created = replied(201, &[], r#"{"id":"msg-1"}"#, BodyEnd::Whole);
        for input in [None, Some(&created)] {
            let step = instance.next(call, 2, input);
            let SendStep::Done(Err(Error::PermanentOther(other))) = step else { panic!() };
            assert_eq!(other.code, "call-is-over");
        }
        call.resource_drop(&mut instance.store).unwrap();
    }
    let call = instance.list(&[BASE, KEY]);
    instance.next_page(call, 0, None);
    let page = r#"{"data":[],"total":0,"page":0,"size":0}"#;
    let page = replied(200, &[], page, BodyEnd::Whole);
    let step = instance.next_page(call, 1, Some(&page));
    assert!(matches!(step, ListStep::Done(Ok(_))), "{step:?}");
    let step = instance.next_page(call, 1, Some(&page));
    assert!(matches!(step, ListStep::Done(Err(Error::PermanentOther(_)))), "{step:?}");
}

#[test]
fn calls_of_one_instance_share_nothing() {
    let mut instance = Instance::new();
    let calls = [1_000, 2_000, 3_000].map(|deadline_ms| {
        let deadline = deadline_ms.to_string();
        let call = instance.send(&[BASE, KEY, ("MESSAGING_DEADLINE_MS", &deadline)]);
        (call, deadline_ms)
    });
    for (call, deadline_ms) in calls {
        assert_eq!(requested(instance.next(call, 0, None)).time_left_ms, deadline_ms);
    }
    for (call, number) in calls.into_iter().rev() {
        let body = format!(r#"{{"id":"msg-{number}"}}"#);
        let step = instance.next(call, 1, Some(&replied(201, &[], &body, BodyEnd::Whole)));
        let SendStep::Done(Ok(created)) = step else { panic!("{step:?}") };
        assert_eq!(created.id, format!("msg-{number}"));
        call.resource_drop(&mut instance.store).unwrap();
    }
}

prop_compose! {
    fn any_reply()(
        status in prop::sample::select(vec![0_u16, 200, 201, 302, 400, 401, 409, 429, 500, 503, 999]),
        headers in prop::collection::vec((
            prop::sample::select(vec!["retry-after", "DATE", "Content-Encoding", "x", ""]),
            prop::sample::select(vec!["0", "1", "99999999999", "gzip", "identity", "\u{0}é", ""]),
        ), 0..4),
        body in prop_oneof![
            Just(r#"{"id":"msg-1"}"#.as_bytes().to_vec()),
            Just(br#"{"data":[{"name":"a","status":"b","language":"c"}],"total":2,"page":0,"size":1}"#.to_vec()),
            prop::collection::vec(any::<u8>(), 0..64),
        ],
        ended in prop::sample::select(vec![
            BodyEnd::Whole, BodyEnd::Broken, BodyEnd::TooLarge, BodyEnd::Late, BodyEnd::Withheld,
        ]),
    ) -> Input {
        let header = |(name, value): (&str, &str)| wit::Header { name: name.into(), value: value.into() };
        Input::Replied(HttpReply {
            status, body, ended, headers: headers.into_iter().map(header).collect(),
        })
    }
}

fn any_input() -> impl Strategy<Value = Option<Input>> {
    let failures = vec![Failure::NotReached, Failure::Denied, Failure::Late, Failure::Broken];
    let failed = (prop::sample::select(failures), ".{0,40}")
        .prop_map(|(failure, detail)| Input::Failed(Failed { failure, detail }));
    prop_oneof![
        Just(None),
        Just(Some(Input::Waited)),
        any_reply().prop_map(Some),
        failed.prop_map(Some),
    ]
}

/// Returns true if the input proves that the last request created no message.
fn created_nothing(input: Option<&Input>) -> bool {
    match input {
        Some(Input::Failed(failed)) => failed.failure == Failure::NotReached,
        Some(Input::Replied(reply)) => reply.status == 429,
        _ => false,
    }
}

proptest! {
    #[test]
    fn arbitrary_driver_never_traps(
        inputs in prop::collection::vec((any_input(), any::<u16>()), 1..12),
    ) {
        let mut instance = Instance::new();
        let (send, list) = (instance.send(&[BASE, KEY]), instance.list(&[BASE, KEY]));
        // `settled` is true if the last request is known to have created no message.
        let (mut sent, mut settled, mut over) = (0, true, false);
        for (input, elapsed_ms) in &inputs {
            let input = input.as_ref();
            if sent > 0 && !settled && !matches!(input, None | Some(Input::Waited)) {
                settled = created_nothing(input);
            }
            match instance.next(send, u32::from(*elapsed_ms), input) {
                SendStep::Request(request) => {
                    prop_assert!(settled && !over, "a possible second message");
                    prop_assert!(request.time_left_ms <= 30_000);
                    (sent, settled) = (sent + 1, false);
                }
                SendStep::Wait(_) => prop_assert!(settled && !over),
                SendStep::Done(_) => over = true,
            }
            instance.next_page(list, u32::from(*elapsed_ms), input);
        }
        prop_assert!(sent <= 3);
    }
}
