//! The plugin for WASI 0.3 in this host: one instance carries many calls at once, where
//! WASI 0.2 takes an instance for each. The types are those of [`crate::wit`].
//!
//! An instance is a task that owns its store and runs it on one thread at a time.
//! Callers hand it their calls:
//!
//! ```text
//! Instance::send_message --job--> run: the calls in flight, in one store
//!                        <-------- oneshot, when a call has ended
//! ```
//!
//! What ends an instance (a trap, a limit) ends every call that is in flight in it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::{mpsc, oneshot};
use wasmtime::Store;
use wasmtime::component::{
    Accessor, AccessorTask, ComponentExportIndex, ComponentType, InstancePre, Lift, Linker, Lower,
    TypedFunc,
};
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView};
use wasmtime_wasi::p3::bindings::cli::environment;
use wasmtime_wasi::p3::bindings::clocks;

use crate::engine::{Host, Limits};
use crate::error::{CallError, LoadError, Names};
use crate::plugin::{Sandbox, wit};
use crate::state::{self, State, first_line};

/// The interface that makes a component a messaging plugin for WASI 0.3.
pub const INTERFACE: &str = "messaging:integration-async/messaging@0.1.0";

type Sent = Result<wit::CreatedMessage, wit::Error>;
type Listed = Result<wit::TemplatePage, wit::Error>;
type Read = Result<wit::Event, wit::Error>;

/// A loaded plugin. Its [`Host`] is one for [concurrent](Host::concurrent) instances.
#[derive(Clone)]
pub struct Plugin {
    host: Host,
    pre: InstancePre<State>,
    exports: [ComponentExportIndex; 3],
    sandbox: Sandbox,
}

impl Plugin {
    /// Compiles a component and links it.
    ///
    /// # Errors
    /// The bytes are no component, or none of the world `plugin` for WASI 0.3.
    pub fn load(host: &Host, bytes: &[u8], sandbox: Sandbox) -> Result<Self, LoadError> {
        let component =
            host.component(bytes).map_err(|error| LoadError::NotAComponent(first_line(&error)))?;
        let export = |name| {
            let interface = component.get_export_index(None, INTERFACE)?;
            component.get_export_index(Some(&interface), name)
        };
        let names = ["send-message", "list-templates", "handle-event"].map(export);
        let [Some(send), Some(list), Some(event)] = names else {
            let exports = component.component_type();
            let names = exports.exports(host.engine()).map(|(name, _)| name.to_string()).collect();
            return Err(LoadError::NotConcurrent { exports: Names(names) });
        };
        let missing = |error: wasmtime::Error| LoadError::MissingImport(first_line(&error));
        let linker = link(host).map_err(missing)?;
        let pre = linker.instantiate_pre(&component).map_err(missing)?;
        Ok(Self { host: host.clone(), pre, exports: [send, list, event], sandbox })
    }

    /// The same component with other settings.
    #[must_use]
    pub fn with_sandbox(&self, sandbox: Sandbox) -> Self {
        Self { sandbox, ..self.clone() }
    }

    /// A new instance, which runs until its last clone is dropped.
    ///
    /// # Errors
    /// The component traps while it starts, or its functions have other types.
    pub async fn instance(&self) -> Result<Instance, CallError> {
        let mut store = self.sandbox.store(&self.host);
        let functions = self.functions(&mut store).await;
        let functions = functions.map_err(|error| state::instantiation_error(&store, &error))?;
        let (jobs, queue) = mpsc::unbounded_channel();
        let ended = Arc::new(OnceLock::new());
        tokio::spawn(run(store, queue, Arc::clone(&ended)));
        let limits = *self.host.limits();
        Ok(Instance { functions, limits, jobs, in_flight: Arc::default(), ended })
    }

    async fn functions(&self, store: &mut Store<State>) -> wasmtime::Result<Functions> {
        let instance = self.pre.instantiate_async(&mut *store).await?;
        let [send, list, event] = &self.exports;
        Ok(Functions {
            send: instance.get_typed_func(&mut *store, send)?,
            list: instance.get_typed_func(&mut *store, list)?,
            event: instance.get_typed_func(&mut *store, event)?,
        })
    }
}

/// The world's imports and no others: files, sockets and standard streams are not even
/// compiled into this host.
fn link(host: &Host) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(host.engine());
    environment::add_to_linker::<_, WasiCli>(&mut linker, State::cli)?;
    clocks::types::add_to_linker::<_, WasiClocks>(&mut linker, State::clocks)?;
    clocks::monotonic_clock::add_to_linker::<_, WasiClocks>(&mut linker, State::clocks)?;
    wasmtime_wasi_http::p3::add_to_linker(&mut linker)?;
    Ok(linker)
}

#[derive(Clone, Copy)]
struct Functions {
    send: TypedFunc<(wit::MessageRequest,), (Sent,)>,
    list: TypedFunc<(wit::TemplateQuery,), (Listed,)>,
    event: TypedFunc<(wit::WebhookDelivery,), (Read,)>,
}

/// A running instance. Clones are the same one: any task may call it at any time, and
/// calls are in flight together. A call whose caller goes away runs on to its end.
///
/// After a [`CallError`] other than [`CallError::Busy`] it is spent.
#[derive(Clone)]
pub struct Instance {
    functions: Functions,
    limits: Limits,
    jobs: mpsc::UnboundedSender<Job>,
    in_flight: Arc<AtomicUsize>,
    ended: Arc<OnceLock<CallError>>,
}

/// Begins a call within the instance's store.
type Job = Box<dyn FnOnce(&Accessor<State>) -> wasmtime::Result<()> + Send>;

impl Instance {
    /// `send-message`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(&self, request: &wit::MessageRequest) -> Result<Sent, CallError> {
        self.call(self.functions.send, request.clone()).await
    }

    /// `list-templates`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(&self, query: &wit::TemplateQuery) -> Result<Listed, CallError> {
        self.call(self.functions.list, query.clone()).await
    }

    /// `handle-event`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> Result<Read, CallError> {
        self.call(self.functions.event, delivery.clone()).await
    }

    /// How many calls are in flight.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::Relaxed)
    }

    async fn call<A, R>(&self, function: TypedFunc<(A,), (R,)>, argument: A) -> Result<R, CallError>
    where
        A: ComponentType + Lower + Send + Sync + 'static,
        R: ComponentType + Lift + Send + Sync + 'static,
    {
        let limits = self.limits;
        let place = Place::take(&self.in_flight, limits.instances)?;
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |accessor| {
            if place.is_only() {
                accessor.with(|access| state::restart_budget(access, &limits));
            }
            accessor.spawn(Call { function, argument, answer, place, limits }).map(drop)
        });
        // Where it cannot be handed over it is dropped, and `answer` with it.
        let _ = self.jobs.send(job);
        match tokio::time::timeout(limits.wall, answered).await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(_)) => Err(self.ended.get().cloned().unwrap_or(CallError::TimedOut)),
            Err(_) => Err(CallError::TimedOut),
        }
    }
}

/// Runs an instance until nobody can call it, or until it ends for a reason, which
/// every call that is in flight gets to know.
async fn run(
    mut store: Store<State>,
    mut queue: mpsc::UnboundedReceiver<Job>,
    ended: Arc<OnceLock<CallError>>,
) {
    let result = store.run_concurrent(async |accessor| {
        while let Some(job) = queue.recv().await {
            job(accessor)?;
        }
        Ok(())
    });
    if let Err(error) = result.await.flatten() {
        // Before the store is dropped, and with it what the callers wait for.
        let _ = ended.set(state::call_error(&store, &error));
    }
}

/// A call in flight.
struct Call<A, R> {
    function: TypedFunc<(A,), (R,)>,
    argument: A,
    answer: oneshot::Sender<R>,
    place: Place,
    limits: Limits,
}

impl<A, R> AccessorTask<State> for Call<A, R>
where
    A: ComponentType + Lower + Send + Sync + 'static,
    R: ComponentType + Lift + Send + Sync + 'static,
{
    async fn run(self, accessor: &Accessor<State>) -> wasmtime::Result<()> {
        let (result,) = self.function.call_concurrent(accessor, (self.argument,)).await?;
        // Calls share a budget, and one that ends renews it: a component that computes
        // without end brings none to its end.
        accessor.with(|access| state::restart_budget(access, &self.limits));
        drop(self.place);
        let _ = self.answer.send(result);
        Ok(())
    }
}

/// A place among the calls in flight, until it is dropped.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(in_flight: &Arc<AtomicUsize>, most: u32) -> Result<Self, CallError> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let next = |count: usize| (count < most).then_some(count.saturating_add(1));
        let taken = in_flight.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        let busy = |count| CallError::Busy(format!("{count} calls are in flight"));
        taken.map_err(busy)?;
        Ok(Self(Arc::clone(in_flight)))
    }

    fn is_only(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 1
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
