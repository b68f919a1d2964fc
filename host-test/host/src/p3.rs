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
//! An event that ends an instance (a trap, a limit, a call that takes too long) ends every call
//! that is in flight in it.
//!
//! The [`Limits`](crate::Limits) of a call are those of the instance: memory and processor
//! time are for all calls in flight together, and the latter is renewed when one of them
//! comes to its end. Requests, and those under way at once, are for each call in flight;
//! the wall time is each call's own.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::{Notify, mpsc, oneshot};
use wasmtime::Store;
use wasmtime::component::{
    Accessor, AccessorTask, ComponentExportIndex, ComponentType, InstancePre, Lift, Linker, Lower,
    TypedFunc,
};

use crate::calls::{Calls, Function};
use crate::engine::Host;
use crate::error::{CallError, LoadError};
use crate::limits::Limit;
use crate::messaging::CallResult;
use crate::meter::{self, Meter, Place};
use crate::outbound::Outbound;
use crate::plugin::{self, CONCURRENT_INTERFACE, PluginConfig, exports_of, wit};
use crate::state::{self, State, first_line};
use crate::wasi;

/// A loaded plugin. Its [`Host`] is one for [concurrent](Host::concurrent) instances.
#[derive(Clone)]
pub struct Plugin {
    host: Host,
    pre: InstancePre<State>,
    exports: [ComponentExportIndex; 3],
    config: PluginConfig,
}

impl Plugin {
    /// Compiles a component and links it.
    ///
    /// # Errors
    /// The bytes are no component, or none of the world `plugin` for WASI 0.3.
    pub fn load(host: &Host, bytes: &[u8], config: PluginConfig) -> Result<Self, LoadError> {
        let component = host.load(bytes)?;
        let export = |name| {
            let interface = component.get_export_index(None, CONCURRENT_INTERFACE)?;
            component.get_export_index(Some(&interface), name)
        };
        let names = ["send-message", "list-templates", "handle-event"].map(export);
        let [Some(send), Some(list), Some(event)] = names else {
            return Err(LoadError::NotConcurrent { exports: exports_of(host, &component) });
        };
        let missing = |error: wasmtime::Error| LoadError::MissingImport(first_line(&error));
        let mut linker = Linker::new(host.engine());
        wasi::link_p3(&mut linker).map_err(missing)?;
        let pre = linker.instantiate_pre(&component).map_err(missing)?;
        Ok(Self { host: host.clone(), pre, exports: [send, list, event], config })
    }

    /// The same component with other settings.
    #[must_use]
    pub fn with_config(&self, config: PluginConfig) -> Self {
        Self { config, ..self.clone() }
    }

    /// A new instance, which runs until its last clone is dropped.
    ///
    /// # Errors
    /// The component does not come to the end of its start within the budget of a call, or
    /// its functions have other types.
    pub async fn instance(&self) -> Result<Instance, CallError> {
        let mut store = self.config.store(&self.host);
        let meter = Arc::clone(store.data().meter());
        if let Some(table) = store.concurrent_resource_table() {
            table.set_max_capacity(WAITABLES);
        }
        let functions = meter.within(pin!(self.functions(&mut store))).await;
        let functions = functions.map_err(CallError::Limit)?;
        let functions = functions.map_err(|error| state::instantiation_error(&store, &error))?;
        let (jobs, queue) = mpsc::unbounded_channel();
        let fate = Arc::new(Fate::default());
        tokio::spawn(run(store, queue, Arc::clone(&fate)));
        let outbound = self.config.outbound().clone();
        let calls = Arc::clone(self.host.calls());
        Ok(Instance { functions, meter, jobs, fate, outbound, calls })
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

/// Tasks, threads, streams and futures within an instance, at most. A call of the
/// plugin's has few.
const WAITABLES: usize = 100_000;

/// Fate of an instance.
#[derive(Default)]
struct Fate {
    /// Reason why it has ended.
    ended: OnceLock<CallError>,
    /// A call takes longer than it may.
    overdue: Notify,
}

#[derive(Clone, Copy)]
struct Functions {
    send: TypedFunc<(wit::MessageRequest,), (Result<wit::CreatedMessage, wit::Error>,)>,
    list: TypedFunc<(wit::TemplateQuery,), (Result<wit::TemplatePage, wit::Error>,)>,
    event: TypedFunc<(wit::WebhookDelivery,), (Result<wit::Event, wit::Error>,)>,
}

/// A running instance. Clones are the same one: any task may call it at any time, and
/// calls are in flight together. A call whose caller goes away runs on to its end.
///
/// After a [`CallError`] other than [`CallError::Busy`] it is spent.
#[derive(Clone)]
pub struct Instance {
    functions: Functions,
    meter: Arc<Meter>,
    jobs: mpsc::UnboundedSender<Job>,
    fate: Arc<Fate>,
    outbound: Outbound,
    calls: Arc<Calls>,
}

/// Begins a call within the instance's store.
type Job = Box<dyn FnOnce(&Accessor<State>) -> wasmtime::Result<()> + Send>;

impl Instance {
    /// `send-message`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let said = self.call(self.functions.send, request.clone()).await;
        let said =
            said.map(|said| said.and_then(|created| plugin::identified(created, &self.outbound)));
        self.calls.count(Function::SendMessage, said)
    }

    /// `list-templates`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(
        &self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        let said = self.call(self.functions.list, query.clone()).await;
        self.calls.count(Function::ListTemplates, said)
    }

    /// `handle-event`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        let said = self.call(self.functions.event, delivery.clone()).await;
        self.calls.count(Function::HandleEvent, said)
    }

    /// Returns the number of calls in flight.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.meter.calls().load(Ordering::Relaxed)
    }

    async fn call<A, R>(&self, function: TypedFunc<(A,), (R,)>, argument: A) -> Result<R, CallError>
    where
        A: ComponentType + Lower + Send + Sync + 'static,
        R: ComponentType + Lift + Send + Sync + 'static,
    {
        let limits = self.meter.limits();
        let most = usize::try_from(limits.instances).unwrap_or(usize::MAX);
        let place = Place::take(Arc::clone(self.meter.calls()), most);
        let place = place.map_err(|_| CallError::Busy(format!("{most} calls are in flight")))?;
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |accessor| {
            accessor.with(|mut access| {
                let meter = Arc::clone(access.data_mut().meter());
                let calls = meter.calls().load(Ordering::Relaxed);
                state::make_room(access, calls);
                if calls == 1 {
                    meter.restart();
                }
            });
            accessor.spawn(Call { function, argument, answer, place }).map(drop)
        });
        // A job that cannot be handed over is dropped, and `answer` with it.
        let _ = self.jobs.send(job);
        let overdue = CallError::Limit(Limit::Wall);
        match meter::in_time(meter::later(limits.wall), pin!(answered)).await {
            Some(Ok(result)) => Ok(result),
            Some(Err(_)) => Err(self.fate.ended.get().cloned().unwrap_or(overdue)),
            None => {
                self.fate.overdue.notify_one();
                Err(overdue)
            }
        }
    }
}

/// Runs an instance until nobody can call it, or until it ends for a reason, which
/// every call that is in flight gets to know.
async fn run(mut store: Store<State>, mut queue: mpsc::UnboundedReceiver<Job>, fate: Arc<Fate>) {
    let meter = Arc::clone(store.data().meter());
    let result = {
        let calls = pin!(store.run_concurrent(async |accessor| {
            while let Some(job) = queue.recv().await {
                job(accessor)?;
            }
            wasmtime::Result::Ok(())
        }));
        tokio::select! {
            result = meter.counted(calls) => result.map(Result::flatten),
            () = fate.overdue.notified() => Err(meter.reach(Limit::Wall)),
        }
    };
    // Before the store is dropped, and with it what the callers wait for.
    let ended = match result {
        Ok(Ok(())) => return,
        Ok(Err(error)) => state::call_error(&store, &error),
        Err(limit) => CallError::Limit(limit),
    };
    let _ = fate.ended.set(ended);
}

/// A call in flight.
struct Call<A, R> {
    function: TypedFunc<(A,), (R,)>,
    argument: A,
    answer: oneshot::Sender<R>,
    place: Place<Arc<AtomicUsize>>,
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
        accessor.with(|mut access| access.data_mut().meter().restart());
        drop(self.place);
        let _ = self.answer.send(result);
        Ok(())
    }
}
