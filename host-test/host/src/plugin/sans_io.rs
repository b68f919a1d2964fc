//! Sans-I/O components: the component decides on each step, and this host performs it. Connections
//! and limits are as for every other plugin. `wit/sans-io.wit` specifies the driver.
//!
//! ```text
//! send_message -> send-call
//!              -> send-call.next  -> step: request -> exchange -> Outbound
//!                        ^                 wait    -> a timer
//!                        |                 done    -> the result
//!                        +--- input -------+
//! ```
//!
//! A call enters wasm once for each step and does not wait there. A plugin over `wasi:http` crosses
//! the boundary to the host for each part of a request and a reply.

mod exchange;
mod types;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use wasmtime::Store;
use wasmtime::component::{
    Component, ComponentExportIndex, ComponentNamedList, InstancePre, Lift, Linker, Lower,
    ResourceAny, TypedFunc,
};

use crate::engine::Host;
use crate::error::{CallError, CallResult, LoadError};
use crate::state::{self, State};
use crate::types::{SANS_IO_INTERFACE, wit};
pub use types::Setting;
use types::{Input, Step};

/// A linked component and its functions.
#[derive(Clone)]
pub struct Linked {
    pre: InstancePre<State>,
    send: CallExports,
    list: CallExports,
    event: ComponentExportIndex,
}

#[derive(Clone, Copy)]
struct CallExports {
    new: ComponentExportIndex,
    next: ComponentExportIndex,
}

/// Links a component that exports [`SANS_IO_INTERFACE`]. Rejects a component with imports.
pub fn link(host: &Host, component: &Component) -> Result<Linked, LoadError> {
    let kind = component.component_type();
    let imports: Vec<_> = kind.imports(host.engine()).map(|(name, _)| name).collect();
    if !imports.is_empty() {
        return Err(LoadError::Imports { imports: imports.join(", ") });
    }
    let pre = Linker::new(host.engine()).instantiate_pre(component).map_err(LoadError::missing)?;
    let interface = component.get_export_index(None, SANS_IO_INTERFACE);
    let export = |name: &str| component.get_export_index(interface.as_ref(), name);
    let call = |resource: &str| {
        Some(CallExports {
            new: export(&format!("[constructor]{resource}"))?,
            next: export(&format!("[method]{resource}.next"))?,
        })
    };
    match (call("send-call"), call("list-call"), export("handle-event")) {
        (Some(send), Some(list), Some(event)) => Ok(Linked { pre, send, list, event }),
        _ => Err(LoadError::lacks_functions(SANS_IO_INTERFACE)),
    }
}

/// Parameters of a constructor: settings, request, seed.
type New<A> = (Arc<[Setting]>, A, u32);

/// Parameters of `next`: the call, the elapsed time in milliseconds, the result of the last step.
type Next = (ResourceAny, u32, Option<Input>);

/// The functions of one kind of call, with argument `A` and result `T`.
struct CallFunctions<A: 'static, T: 'static> {
    new: TypedFunc<New<A>, (ResourceAny,)>,
    next: TypedFunc<Next, (Step<T>,)>,
}

impl<A, T> Clone for CallFunctions<A, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, T> Copy for CallFunctions<A, T> {}

#[derive(Clone, Copy)]
struct Functions {
    send: CallFunctions<wit::MessageRequest, wit::CreatedMessage>,
    list: CallFunctions<wit::TemplateQuery, wit::TemplatePage>,
    event: TypedFunc<(wit::WebhookDelivery,), (Result<wit::Event, wit::Error>,)>,
}

/// A running instance of a sans-I/O component.
pub struct Running {
    pub store: Store<State>,
    functions: Functions,
    settings: Arc<[Setting]>,
    /// True if the last call finished but left the instance unusable.
    pub is_spent: bool,
}

impl Running {
    pub async fn start(
        linked: &Linked,
        mut store: Store<State>,
        settings: Arc<[Setting]>,
    ) -> Result<Self, CallError> {
        let meter = Arc::clone(store.data().meter());
        let started = meter.within(pin!(functions(linked, &mut store))).await;
        let functions = state::ended(&store, started)?;
        Ok(Self { store, functions, settings, is_spent: false })
    }

    pub async fn send_message(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        self.drive(self.functions.send, request.clone()).await
    }

    pub async fn list_templates(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        self.drive(self.functions.list, query.clone()).await
    }

    pub async fn handle_event(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        let (meter, event) = (self.store.data_mut().begin_call(), self.functions.event);
        let called =
            meter.within(pin!(event.call_async(&mut self.store, (delivery.clone(),)))).await;
        state::ended(&self.store, called).map(|(result,)| result)
    }

    /// Drives one call within the remaining budget.
    async fn drive<A, T>(&mut self, functions: CallFunctions<A, T>, argument: A) -> CallResult<T>
    where
        New<A>: ComponentNamedList + Lower,
        (Step<T>,): ComponentNamedList + Lift,
        A: Send + Sync,
        T: Send + Sync + 'static,
    {
        let meter = self.store.data_mut().begin_call();
        let settings = Arc::clone(&self.settings);
        let called =
            meter.within(pin!(drive(&mut self.store, functions, settings, argument))).await;
        let (result, call) = state::ended(&self.store, called)?;
        // The result is valid even if the drop fails.
        let dropped = meter.within(pin!(call.resource_drop_async(&mut self.store))).await;
        self.is_spent = !matches!(dropped, Ok(Ok(())));
        Ok(result)
    }
}

async fn functions(linked: &Linked, store: &mut Store<State>) -> wasmtime::Result<Functions> {
    let Linked { pre, send, list, event } = linked;
    let instance = pre.instantiate_async(&mut *store).await?;
    Ok(Functions {
        send: CallFunctions {
            new: instance.get_typed_func(&mut *store, send.new)?,
            next: instance.get_typed_func(&mut *store, send.next)?,
        },
        list: CallFunctions {
            new: instance.get_typed_func(&mut *store, list.new)?,
            next: instance.get_typed_func(&mut *store, list.next)?,
        },
        event: instance.get_typed_func(&mut *store, event)?,
    })
}

/// Performs the steps of a call until the call is done. Returns the result, and the call resource,
/// which the caller must drop.
async fn drive<A, T>(
    store: &mut Store<State>,
    functions: CallFunctions<A, T>,
    settings: Arc<[Setting]>,
    argument: A,
) -> wasmtime::Result<(Result<T, wit::Error>, ResourceAny)>
where
    New<A>: ComponentNamedList + Lower,
    (Step<T>,): ComponentNamedList + Lift,
    A: Send + Sync,
    T: Send + Sync + 'static,
{
    let began = Instant::now();
    let parameters = (settings, argument, rand::random());
    let (call,) = functions.new.call_async(&mut *store, parameters).await?;
    let mut input = None;
    let result = loop {
        let elapsed_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        let (step,) = functions.next.call_async(&mut *store, (call, elapsed_ms, input)).await?;
        input = Some(match step {
            Step::Request(request) => exchange::exchange(&store.data().outbound, request).await,
            Step::Wait(pause_ms) => {
                tokio::time::sleep(Duration::from_millis(pause_ms.into())).await;
                Input::Waited
            }
            Step::Done(result) => break result,
        });
    };
    Ok((result, call))
}
