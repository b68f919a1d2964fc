//! An in-memory store for `wasmcloud:keyvalue`. Tests release its operations one by one and choose
//! which operations fail.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use messaging_host::Host;
use tokio::sync::{Semaphore, watch};
use wasmtime::component::{Accessor, HasData, Linker, Resource};

use super::common::wasi_state::WasiState;
use bindings::wasmcloud::keyvalue::cas::{self, CasOptions, CasResult, Entry};
use bindings::wasmcloud::keyvalue::{store, types};
pub use types::Error;
use types::{KeyResponse, SetOptions};

mod bindings {
    wasmtime::component::bindgen!({
        path: ["../wit/types.wit", "../wit/p3"],
        inline: "package host:test; world keyvalue {
            import wasmcloud:keyvalue/store@0.2.0;
            import wasmcloud:keyvalue/cas@0.2.0;
        }",
        world: "host:test/keyvalue",
        imports: { default: async | trappable },
        with: { "wasmcloud:keyvalue/types.bucket": super::Client },
    });
}

/// Maximum number of keys on a page of a listing.
const LISTED: usize = 7;

pub type State = WasiState<Client>;

/// A bucket that is shared by several calls.
pub type Values = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A failure of the store at one operation, counted from 0.
#[derive(Clone)]
pub struct Fault {
    pub at: usize,
    /// True if the operation takes effect despite the error.
    pub is_done: bool,
    pub error: Error,
}

/// The connection of one instance to the store.
#[derive(Clone)]
pub struct Client {
    pub values: Values,
    /// Permits for operations; each operation takes one.
    pub gate: Arc<Semaphore>,
    /// Number of operations that have started.
    pub begun: Arc<watch::Sender<usize>>,
    pub fault: Option<Fault>,
}

impl Client {
    pub fn of(values: &Values, permits: usize) -> Self {
        let (begun, _) = watch::channel(0);
        let gate = Arc::new(Semaphore::new(permits));
        Self { values: Arc::clone(values), gate, begun: Arc::new(begun), fault: None }
    }

    pub fn open(&self) {
        self.gate.add_permits(1_000);
    }

    async fn perform<T>(
        &self,
        run: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut number = 0;
        self.begun.send_modify(|begun| {
            number = *begun;
            *begun += 1;
        });
        self.gate.acquire().await.unwrap().forget();
        match self.fault.as_ref().filter(|fault| fault.at == number) {
            Some(fault) => {
                if fault.is_done {
                    let _ = run(&mut self.values.lock().unwrap());
                }
                Err(fault.error.clone())
            }
            None => run(&mut self.values.lock().unwrap()),
        }
    }
}

struct Keyvalue;

impl HasData for Keyvalue {
    type Data<'a> = &'a mut State;
}

fn client<T: Send>(accessor: &Accessor<T, Keyvalue>, bucket: &Resource<Client>) -> Client {
    accessor.with(|mut access| access.get().table.get(bucket).unwrap().clone())
}

impl<T: Send> store::HostWithStore<T> for Keyvalue {
    async fn open(
        accessor: &Accessor<T, Self>,
        name: String,
    ) -> wasmtime::Result<Result<Resource<Client>, Error>> {
        let client = accessor.with(|mut access| access.get().own.clone());
        let opened =
            client.perform(|_| if name == "events" { Ok(()) } else { Err(Error::NoSuchStore) });
        match opened.await {
            Ok(()) => Ok(Ok(accessor.with(|mut access| access.get().table.push(client))?)),
            Err(error) => Ok(Err(error)),
        }
    }
}

impl<T: Send> types::HostBucketWithStore<T> for Keyvalue {
    async fn get(
        accessor: &Accessor<T, Self>,
        bucket: Resource<Client>,
        key: String,
    ) -> wasmtime::Result<Result<Option<Vec<u8>>, Error>> {
        Ok(client(accessor, &bucket).perform(|values| Ok(values.get(&key).cloned())).await)
    }

    async fn set(
        accessor: &Accessor<T, Self>,
        bucket: Resource<Client>,
        key: String,
        value: Vec<u8>,
        options: Option<SetOptions>,
    ) -> wasmtime::Result<Result<(), Error>> {
        let put = |values: &mut BTreeMap<_, _>| {
            if options.is_some_and(|options| options.if_not_exists) && values.contains_key(&key) {
                return Err(Error::PreconditionFailed);
            }
            values.insert(key, value);
            Ok(())
        };
        Ok(client(accessor, &bucket).perform(put).await)
    }

    async fn list_keys(
        accessor: &Accessor<T, Self>,
        bucket: Resource<Client>,
        prefix: Option<String>,
        cursor: Option<String>,
    ) -> wasmtime::Result<Result<KeyResponse, Error>> {
        let list = |values: &mut BTreeMap<String, _>| {
            let skip: usize = cursor.map_or(0, |cursor| cursor.parse().unwrap());
            let all: Vec<_> = values.keys().skip(skip).take(LISTED).cloned().collect();
            let end = skip + all.len();
            let prefix = prefix.unwrap_or_default();
            let keys = all.into_iter().filter(|key| key.starts_with(&prefix)).collect();
            Ok(KeyResponse { keys, cursor: (end < values.len()).then(|| end.to_string()) })
        };
        Ok(client(accessor, &bucket).perform(list).await)
    }
}

impl<T: Send> cas::HostWithStore<T> for Keyvalue {
    async fn current(
        accessor: &Accessor<T, Self>,
        bucket: Resource<Client>,
        key: String,
    ) -> wasmtime::Result<Result<Option<Entry>, Error>> {
        let current = |values: &mut BTreeMap<_, _>| Ok(values.get(&key).map(entry));
        Ok(client(accessor, &bucket).perform(current).await)
    }

    async fn swap(
        accessor: &Accessor<T, Self>,
        bucket: Resource<Client>,
        key: String,
        value: Vec<u8>,
        options: CasOptions,
    ) -> wasmtime::Result<Result<CasResult, Error>> {
        let swap = |values: &mut BTreeMap<_, _>| {
            let CasOptions { require_version, require_value } = options;
            if require_version.is_none() && require_value.is_none() {
                return Err(Error::InvalidArgument);
            }
            let current = values.get(&key).map(entry);
            let holds = current.as_ref().is_some_and(|current| {
                require_version.is_none_or(|version| version == current.version)
                    && require_value.is_none_or(|value| value == current.value)
            });
            if !holds {
                return Ok(CasResult::Stale(current));
            }
            values.insert(key, value);
            Ok(CasResult::Swapped)
        };
        Ok(client(accessor, &bucket).perform(swap).await)
    }
}

/// Returns an entry whose version is the value itself, because no key gets an earlier value again
/// in these tests.
#[expect(clippy::ptr_arg, reason = "the map contains values of this type")]
fn entry(value: &Vec<u8>) -> Entry {
    Entry { value: value.clone(), version: String::from_utf8_lossy(value).into_owned() }
}

impl types::HostBucket for &mut State {
    async fn drop(&mut self, bucket: Resource<Client>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}
impl types::Host for &mut State {}
impl store::Host for &mut State {}
impl cas::Host for &mut State {}

/// Creates a linker with WASI 0.3, HTTP and the store.
pub fn linker(host: &Host) -> Linker<State> {
    let mut linker = Linker::<State>::new(host.engine());
    wasmtime_wasi::p3::add_to_linker(&mut linker).unwrap();
    wasmtime_wasi_http::p3::add_to_linker(&mut linker).unwrap();
    types::add_to_linker::<State, Keyvalue>(&mut linker, |state| state).unwrap();
    store::add_to_linker::<State, Keyvalue>(&mut linker, |state| state).unwrap();
    cas::add_to_linker::<State, Keyvalue>(&mut linker, |state| state).unwrap();
    linker
}
