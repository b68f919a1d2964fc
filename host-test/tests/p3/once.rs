//! `send-once` for wasmCloud, with a key-value store whose operations are released one by one. The
//! ledger of the simulated service shows the number of messages.
//! `guest/core/tests/once_keyvalue.rs` tests the other orders of operations, and canceled calls.

use std::sync::LazyLock;

use futures_util::future::join_all;
use messaging_components::PLUGIN_ONCE_WASMCLOUD;
use messaging_conformance::once::{CASES, DEADLINE_MS, KEY, Subject, run};
use messaging_host::error::CallError;
use messaging_host::inspect::Inspection;
use messaging_host::once::wit::{
    EntryPage, JournalEntry, MessageRequest, OnceCreated, OnceError, Resolution,
};
use messaging_host::once::{Called, SendOnce};
use messaging_host::{Host, Limits};
use messaging_simulator::service::{Options, Service};
use tokio::task::JoinHandle;
use wasmtime::component::{Component, ComponentType, InstancePre, Lift, Lower, TypedFunc};
use wasmtime_wasi::WasiCtxBuilder;

use super::common::cached;
use super::keyvalue::{Client, Error, Fault, State, Values, linker};

const CUSTOMER: &str = "+34600111222";

static HOST: LazyLock<Host> =
    LazyLock::new(|| cached(Host::concurrent(Limits::default()).unwrap()));

static ONCE: LazyLock<InstancePre<State>> = LazyLock::new(|| {
    let component = Component::new(HOST.engine(), PLUGIN_ONCE_WASMCLOUD).unwrap();
    linker(&HOST).instantiate_pre(&component).unwrap()
});

/// The component with a bucket. Each call uses a fresh instance.
#[derive(Clone)]
struct Once {
    base_url: String,
    client: Client,
}

impl Once {
    fn of(service: &Service, values: &Values) -> Self {
        Self { base_url: service.base_url(), client: Client::of(values, usize::MAX >> 4) }
    }

    /// Calls a function with each of these arguments, concurrently in one instance.
    async fn all<A, R>(
        &self,
        function: &str,
        arguments: Vec<A>,
    ) -> wasmtime::Result<Vec<Result<R, OnceError>>>
    where
        A: wasmtime::component::ComponentNamedList + Lower + Send + Sync + 'static,
        R: ComponentType + Lift + Send + Sync + 'static,
    {
        let mut wasi = WasiCtxBuilder::new();
        wasi.env("MESSAGING_BASE_URL", &self.base_url);
        wasi.env("MESSAGING_API_KEY", KEY);
        wasi.env("MESSAGING_DEADLINE_MS", DEADLINE_MS.to_string());
        wasi.env("MESSAGING_ONCE_BUCKET", "events");
        let mut store = State::store(HOST.engine(), &mut wasi, self.client.clone());
        store.set_epoch_deadline(u64::MAX / 2);
        let instance = ONCE.instantiate_async(&mut store).await?;
        let name = "messaging:integration-async/once@0.2.0";
        let interface = instance.get_export_index(&mut store, None, name).unwrap();
        let function = instance.get_export_index(&mut store, Some(&interface), function).unwrap();
        let function: TypedFunc<A, (Result<R, OnceError>,)> =
            instance.get_typed_func(&mut store, function)?;
        let calls = store.run_concurrent(async |accessor| {
            let calls = arguments.into_iter().map(|given| async move {
                let (answer,) = function.call_concurrent(accessor, given).await?;
                wasmtime::Result::Ok(answer)
            });
            join_all(calls).await
        });
        calls.await?.into_iter().collect()
    }

    async fn call<A, R>(&self, function: &str, argument: A) -> Called<R>
    where
        A: wasmtime::component::ComponentNamedList + Lower + Send + Sync + 'static,
        R: ComponentType + Lift + Send + Sync + 'static,
    {
        match self.all(function, vec![argument]).await {
            Ok(mut answers) => Ok(answers.remove(0)),
            Err(error) => Err(CallError::Trap(format!("{error:?}"))),
        }
    }

    /// Sends the fixed [`request`] under a key.
    async fn send(&self, key: &str) -> Result<OnceCreated, OnceError> {
        self.send_once(key, &request()).await.unwrap()
    }
}

impl SendOnce for Once {
    async fn send_once(&self, key: &str, request: &MessageRequest) -> Called<OnceCreated> {
        self.call("send-once", (key.to_string(), request.clone())).await
    }

    async fn look_up(&self, key: &str) -> Called<Option<JournalEntry>> {
        self.call("look-up", (key.to_string(),)).await
    }

    async fn list_entries(&self, after: Option<String>) -> Called<EntryPage> {
        self.call("list-entries", (after,)).await
    }

    async fn resolve(&self, key: &str, resolution: &Resolution) -> Called<()> {
        self.call("resolve", (key.to_string(), resolution.clone())).await
    }

    async fn forget(&self, key: &str) -> Called<()> {
        self.call("forget", (key.to_string(),)).await
    }
}

/// The subject of the suite: the component with this bucket.
struct Bucket(Values);

impl Subject for Bucket {
    type Once = Once;

    fn with_base_url(&self, base_url: &str) -> anyhow::Result<Once> {
        let client = Client::of(&self.0, usize::MAX >> 4);
        Ok(Once { base_url: base_url.into(), client })
    }
}

fn request() -> MessageRequest {
    MessageRequest::new(CUSTOMER, "Is it ready?")
}

async fn service() -> Service {
    Service::start(Options::new(KEY)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn component_for_wasmcloud_passes_suite() {
    let verdicts = run(&Bucket(Values::default()), &[], |_, _, _| ()).await.unwrap();
    assert_eq!(verdicts.len(), CASES.len());
    let failed: Vec<_> = verdicts.iter().filter(|verdict| verdict.problem.is_some()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A send that is suspended.
struct Held {
    client: Client,
    answer: JoinHandle<Result<OnceCreated, OnceError>>,
}

impl Held {
    /// Starts a send and suspends it after `operations` operations of the store. Returns the result
    /// as `Err` if the send ended earlier.
    async fn after(
        operations: usize,
        service: &Service,
        values: &Values,
    ) -> Result<Self, Result<OnceCreated, OnceError>> {
        let client = Client::of(values, operations);
        let once = Once { base_url: service.base_url(), client: client.clone() };
        let mut begun = client.begun.subscribe();
        let mut answer = tokio::spawn(async move { once.send("order-17").await });
        tokio::select! {
            ended = &mut answer => Err(ended.unwrap()),
            _ = begun.wait_for(|begun| *begun > operations) => Ok(Self { client, answer }),
        }
    }
}

#[tokio::test]
async fn held_send_blocks_second_send() {
    let mut seen = Vec::new();
    for operations in 0.. {
        let (service, values) = (service().await, Values::default());
        let held = match Held::after(operations, &service, &values).await {
            Ok(held) => held,
            Err(answer) => {
                assert!(answer.unwrap().recorded);
                break;
            }
        };
        let other = Once::of(&service, &values).send("order-17").await;
        held.client.open();
        let held = held.answer.await.unwrap();
        assert_eq!(service.ledger().created, 1, "{operations}");
        seen.push((held.map(|it| it.replayed).is_ok(), other.map(|it| it.replayed).is_ok()));
    }
    // The operations are open, read, create, then open, read, swap. If the held call has not
    // claimed the key, the other call sends the message. After the claim, the other call gets
    // `busy`.
    let (before, after) = seen.split_at(3);
    assert!(before.iter().all(|one| *one == (true, true)), "{seen:?}");
    assert_eq!(after, [(true, false); 3], "{seen:?}");
}

#[tokio::test]
async fn failing_store_sends_nothing_twice() {
    let mut runs = Vec::new();
    for (error, detail) in [
        (Error::NoSuchStore, "no bucket with this name"),
        (Error::AccessDenied, "denies access"),
        (Error::StoreUnavailable, "store-unavailable"),
        (Error::Other("wrong last sequence".into()), "wrong last sequence"),
    ] {
        for at in 0..6 {
            for is_done in [false, true] {
                let fault = Fault { at, is_done, error: error.clone() };
                runs.push(fault_sends_nothing_twice(fault, detail));
            }
        }
    }
    join_all(runs).await;
}

async fn fault_sends_nothing_twice(fault: Fault, detail: &str) {
    let (at, error) = (fault.at, fault.error.clone());
    let (service, values) = (service().await, Values::default());
    let client = Client { fault: Some(fault), ..Client::of(&values, usize::MAX >> 4) };
    let first = Once { client, ..Once::of(&service, &values) }.send("order-17").await;
    let permanent = matches!(error, Error::NoSuchStore | Error::AccessDenied);
    match &first {
        // The send retried the operation.
        Ok(created) if !permanent => assert!(created.recorded),
        Ok(created) => assert!(at > 2 && !created.recorded, "{at}: {created:?}"),
        Err(OnceError::PermanentJournal(said)) => {
            assert!(at <= 2 && said.detail.contains(detail), "{at}: {said:?}");
            assert_eq!(service.ledger().created, 0);
        }
        Err(error) => panic!("{at}: {error:?}"),
    }
    let _ = Once::of(&service, &values).send("order-17").await;
    assert!(service.ledger().created <= 1, "{at}");
}

#[tokio::test]
async fn concurrent_calls_create_one_per_key() {
    let (service, values) = (service().await, Values::default());
    let calls = (0..32).map(|call| (format!("Order/{}", call % 4), request())).collect();
    let answers: Vec<Result<OnceCreated, OnceError>> =
        Once::of(&service, &values).all("send-once", calls).await.unwrap();
    let created: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(created.iter().filter(|created| !created.replayed).count(), 4);
    assert_eq!(service.ledger().created, 4);
    assert!(values.lock().unwrap().keys().all(|key| key.starts_with("sent.order")));
}

#[test]
fn once_component_has_expected_interfaces() {
    let inspection = Inspection::of(PLUGIN_ONCE_WASMCLOUD).unwrap();
    let mut imports: Vec<_> = inspection.imports.iter().map(|one| one.name.as_str()).collect();
    imports.sort_unstable();
    assert_eq!(
        imports,
        [
            "messaging:integration/once-types@0.2.0",
            "messaging:integration/types@0.2.0",
            "wasi:cli/environment@0.3.0",
            "wasi:clocks/monotonic-clock@0.3.0",
            "wasi:clocks/system-clock@0.3.0",
            "wasi:clocks/types@0.3.0",
            "wasi:http/client@0.3.0",
            "wasi:http/types@0.3.0",
            "wasi:random/random@0.3.0",
            "wasmcloud:keyvalue/cas@0.2.0",
            "wasmcloud:keyvalue/store@0.2.0",
            "wasmcloud:keyvalue/types@0.2.0",
        ]
    );
    let [only] = &inspection.exports[..] else { panic!("{:?}", inspection.exports) };
    assert_eq!(only.name, "messaging:integration-async/once@0.2.0");
}
