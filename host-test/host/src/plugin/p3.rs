//! Components for WASI 0.3. An instance runs many calls at once.
//!
//! A task owns the wasmtime store of an instance, and runs on one thread at a time. Callers send
//! their calls to the task:
//!
//! ```text
//! Running::send_message --job-----> run: the calls in flight, in one store
//!                       <--result-- when the call has finished
//! ```
//!
//! If a trap, a limit or a slow call ends an instance, every call in flight ends.
//!
//! The [`Limits`](crate::Limits) of a call apply to the instance as follows:
//!
//! - All calls in flight share the limits for memory and processor time. Each finished call renews
//!   the budget for processor time.
//! - The limits for requests are multiplied by the number of calls in flight.
//! - Each call has its own wall time.

use std::pin::pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use messaging_net::permit::Permit;
use tokio::sync::{Notify, mpsc, oneshot};
use wasmtime::Store;
use wasmtime::component::{
    Accessor, AccessorTask, Component, ComponentExportIndex, ComponentType, InstancePre, Lift,
    Linker, Lower, TypedFunc,
};

use super::believed::identified;
use crate::engine::Host;
use crate::error::{CallError, CallResult, LoadError};
use crate::limits::{Limit, count};
use crate::meter::{self, Meter};
use crate::outbound::Outbound;
use crate::state::{self, State};
use crate::types::{CONCURRENT_INTERFACE, wit};
use crate::wasi;

/// A linked component and its functions.
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

/// Maximum number of tasks, threads, streams and futures in an instance. A call of the plugin uses
/// few of them.
const WAITABLES: usize = 100_000;

/// State of an instance that callers can see.
#[derive(Default)]
struct Ending {
    /// Reason for the end of the instance.
    ended: OnceLock<CallError>,
    /// Notified when a call exceeds its wall time.
    overdue: Notify,
}

#[derive(Clone, Copy)]
struct Functions {
    send: TypedFunc<(wit::MessageRequest,), (Result<wit::CreatedMessage, wit::Error>,)>,
    list: TypedFunc<(wit::TemplateQuery,), (Result<wit::TemplatePage, wit::Error>,)>,
    event: TypedFunc<(wit::WebhookDelivery,), (Result<wit::Event, wit::Error>,)>,
}

/// A handle to an instance. The instance runs until the last clone of the handle is dropped. A call
/// whose caller is canceled continues to its end.
#[derive(Clone)]
pub struct Running {
    functions: Functions,
    meter: Arc<Meter>,
    jobs: mpsc::UnboundedSender<Job>,
    ending: Arc<Ending>,
    outbound: Outbound,
}

/// A function that starts a call in the instance's store.
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
        let ending = Arc::new(Ending::default());
        tokio::spawn(run(store, queue, Arc::clone(&ending)));
        Ok(Self { functions, meter, jobs, ending, outbound })
    }

    /// Returns true if the instance accepts calls.
    pub fn is_alive(&self) -> bool {
        self.ending.ended.get().is_none() && !self.jobs.is_closed()
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
        let permit = Permit::take(self.meter.calls(), most);
        let permit =
            permit.ok_or_else(|| CallError::Busy(format!("{most} calls are in flight")))?;
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
            accessor.spawn(Call { function, argument, answer, permit }).map(drop)
        });
        // If the instance has ended, `send` drops the job together with `answer`.
        let _ = self.jobs.send(job);
        let overdue = CallError::Limit(Limit::Wall);
        match meter::in_time(meter::later(limits.wall), pin!(answered)).await {
            Some(Ok(result)) => Ok(result),
            Some(Err(_)) => Err(self.ending.ended.get().cloned().unwrap_or(overdue)),
            None => {
                // Ends the instance without waiting for `run`, so the next call gets another
                // instance.
                let _ = self.ending.ended.set(overdue.clone());
                self.ending.overdue.notify_one();
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

/// Runs an instance until its last handle is dropped or a failure ends it. Every call in flight
/// receives the failure.
async fn run(
    mut store: Store<State>,
    mut queue: mpsc::UnboundedReceiver<Job>,
    ending: Arc<Ending>,
) {
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
            () = ending.overdue.notified() => Err(meter.reach(Limit::Wall)),
        }
    };
    // `ended` must be set before the store is dropped, because the drop wakes the waiting callers.
    let ended = match result {
        Ok(Ok(())) => return,
        Ok(Err(error)) => state::call_error(&store, &error),
        Err(limit) => CallError::Limit(limit),
    };
    let _ = ending.ended.set(ended);
}

/// A call in flight.
struct Call<A, R> {
    function: TypedFunc<(A,), (R,)>,
    argument: A,
    answer: oneshot::Sender<R>,
    permit: Permit,
}

impl<A, R> AccessorTask<State> for Call<A, R>
where
    A: ComponentType + Lower + Send + Sync + 'static,
    R: ComponentType + Lift + Send + Sync + 'static,
{
    async fn run(self, accessor: &Accessor<State>) -> wasmtime::Result<()> {
        let (result,) = self.function.call_concurrent(accessor, (self.argument,)).await?;
        // All calls share the processor time, and each finished call renews it. A component in an
        // infinite loop finishes no call, so the component still reaches the limit.
        accessor.with(|mut access| access.data_mut().meter().restart());
        drop(self.permit);
        let _ = self.answer.send(result);
        Ok(())
    }
}
