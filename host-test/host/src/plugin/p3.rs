//! Components for WASI 0.3: an instance carries many calls at once.
//!
//! An instance is a task that owns its store and runs it on one thread at a time.
//! Callers hand it their calls:
//!
//! ```text
//! Running::send_message --job--> run: the calls in flight, in one store
//!                       <-------- oneshot, when a call has ended
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
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use tokio::sync::{Notify, mpsc, oneshot};
use wasmtime::Store;
use wasmtime::component::{
    Accessor, AccessorTask, Component, ComponentExportIndex, ComponentType, InstancePre, Lift,
    Linker, Lower, TypedFunc,
};

use super::{CONCURRENT_INTERFACE, identified, wit};
use crate::engine::Host;
use crate::error::{CallError, LoadError};
use crate::limits::{Limit, count};
use crate::messaging::CallResult;
use crate::meter::{self, Meter, Place};
use crate::outbound::Outbound;
use crate::state::{self, State};
use crate::wasi;

/// A component, and its functions.
#[derive(Clone)]
pub struct Linked {
    pre: InstancePre<State>,
    exports: [ComponentExportIndex; 3],
}

/// Links a component that exports [`CONCURRENT_INTERFACE`].
pub fn link(host: &Host, component: &Component) -> Result<Linked, LoadError> {
    let interface = component.get_export_index(None, CONCURRENT_INTERFACE);
    let export = |name| component.get_export_index(interface.as_ref(), name);
    let names = ["send-message", "list-templates", "handle-event"].map(export);
    let [Some(send), Some(list), Some(event)] = names else {
        return Err(LoadError::lacks_functions(CONCURRENT_INTERFACE));
    };
    let mut linker = Linker::new(host.engine());
    wasi::link_p3(&mut linker).map_err(LoadError::missing)?;
    let pre = linker.instantiate_pre(component).map_err(LoadError::missing)?;
    Ok(Linked { pre, exports: [send, list, event] })
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

/// An instance, which runs until its last clone is dropped. A call whose caller goes away runs on
/// to its end.
#[derive(Clone)]
pub struct Running {
    functions: Functions,
    meter: Arc<Meter>,
    jobs: mpsc::UnboundedSender<Job>,
    fate: Arc<Fate>,
    outbound: Outbound,
}

/// Begins a call within the instance's store.
type Job = Box<dyn FnOnce(&Accessor<State>) -> wasmtime::Result<()> + Send>;

impl Running {
    pub async fn start(
        linked: &Linked,
        mut store: Store<State>,
        outbound: Outbound,
    ) -> Result<Self, CallError> {
        let meter = Arc::clone(store.data().meter());
        if let Some(table) = store.concurrent_resource_table() {
            table.set_max_capacity(WAITABLES);
        }
        let started = meter.within(pin!(functions(linked, &mut store))).await;
        let functions = state::ended(&store, started)?;
        let (jobs, queue) = mpsc::unbounded_channel();
        let fate = Arc::new(Fate::default());
        tokio::spawn(run(store, queue, Arc::clone(&fate)));
        Ok(Self { functions, meter, jobs, fate, outbound })
    }

    /// Returns true until the instance has ended: it takes further calls.
    pub fn is_alive(&self) -> bool {
        self.fate.ended.get().is_none() && !self.jobs.is_closed()
    }

    pub async fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let said = self.call(self.functions.send, request.clone()).await;
        said.map(|said| said.and_then(|created| identified(created, &self.outbound)))
    }

    pub async fn list_templates(
        &self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        self.call(self.functions.list, query.clone()).await
    }

    pub async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        self.call(self.functions.event, delivery.clone()).await
    }

    async fn call<A, R>(&self, function: TypedFunc<(A,), (R,)>, argument: A) -> Result<R, CallError>
    where
        A: ComponentType + Lower + Send + Sync + 'static,
        R: ComponentType + Lift + Send + Sync + 'static,
    {
        let limits = self.meter.limits();
        let most = count(limits.instances);
        let place = Place::take(self.meter.calls(), most);
        let place = place.ok_or_else(|| CallError::Busy(format!("{most} calls are in flight")))?;
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
                // Set here as well, so that the next call gets another instance.
                let _ = self.fate.ended.set(overdue.clone());
                self.fate.overdue.notify_one();
                Err(overdue)
            }
        }
    }
}

async fn functions(linked: &Linked, store: &mut Store<State>) -> wasmtime::Result<Functions> {
    let instance = linked.pre.instantiate_async(&mut *store).await?;
    let [send, list, event] = &linked.exports;
    Ok(Functions {
        send: instance.get_typed_func(&mut *store, send)?,
        list: instance.get_typed_func(&mut *store, list)?,
        event: instance.get_typed_func(&mut *store, event)?,
    })
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
    place: Place,
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
