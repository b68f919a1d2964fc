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
    Component, ComponentExportIndex, ComponentNamedList, Instance, InstancePre, Lift, Linker,
    Lower, ResourceAny, TypedFunc,
};

use super::export::{Export, Function};
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
type New<A> = (Arc<[Setting]>, &'static A, u32);

/// Parameters of `next`: the call, the elapsed time in milliseconds, the result of the last step.
type Next = (ResourceAny, u32, Option<Input>);

/// The functions of one kind of call, with argument `A` and result `T`.
struct CallFunctions<A: 'static, T: 'static> {
    new: Export<New<A>, (ResourceAny,)>,
    next: Export<Next, (Step<T>,)>,
}

impl<A: Lower, T> CallFunctions<A, T>
where
    (Step<T>,): ComponentNamedList + Lift,
{
    fn new(exports: CallExports) -> Self {
        Self { new: Export::new(exports.new), next: Export::new(exports.next) }
    }
}

struct Functions {
    send: CallFunctions<wit::MessageRequest, wit::CreatedMessage>,
    list: CallFunctions<wit::TemplateQuery, wit::TemplatePage>,
    event: Function<wit::WebhookDelivery, wit::Event>,
}

/// A running instance of a sans-I/O component.
pub struct Running {
    pub store: Store<State>,
    instance: Instance,
    functions: Functions,
    settings: Arc<[Setting]>,
    /// True if the instance may run a further call.
    is_reused: bool,
    /// True if the last call finished but left the instance unusable.
    pub is_spent: bool,
}

impl Running {
    pub async fn start(
        linked: &Linked,
        mut store: Store<State>,
        settings: Arc<[Setting]>,
        is_reused: bool,
    ) -> Result<Self, CallError> {
        let meter = Arc::clone(store.data().meter());
        let started = meter.within(pin!(linked.pre.instantiate_async(&mut store))).await;
        let instance = state::ended(&store, started)?;
        let functions = Functions {
            send: CallFunctions::new(linked.send),
            list: CallFunctions::new(linked.list),
            event: Export::new(linked.event),
        };
        Ok(Self { store, instance, functions, settings, is_reused, is_spent: false })
    }

    pub async fn send_message(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        self.drive(|functions| &mut functions.send, request).await
    }

    pub async fn list_templates(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        self.drive(|functions| &mut functions.list, query).await
    }

    pub async fn handle_event(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        self.functions.event.call(&self.instance, &mut self.store, delivery).await
    }

    /// Drives one call within the remaining budget. `choose` returns its functions.
    async fn drive<A, T>(
        &mut self,
        choose: impl FnOnce(&mut Functions) -> &mut CallFunctions<A, T>,
        argument: &A,
    ) -> CallResult<T>
    where
        A: Lower + Send + Sync + 'static,
        (Step<T>,): ComponentNamedList + Lift,
        T: Send + Sync + 'static,
    {
        let meter = self.store.data_mut().begin_call();
        let settings = Arc::clone(&self.settings);
        let functions = choose(&mut self.functions);
        let called = async {
            let new = functions.new.of(&self.instance, &mut self.store)?;
            let next = functions.next.of(&self.instance, &mut self.store)?;
            let parameters = (settings, argument, rand::random());
            let began = Instant::now();
            let (call,) = new.call_async(&mut self.store, parameters).await?;
            Ok((steps(&mut self.store, next, call, began).await?, call))
        };
        let called = meter.within(pin!(called)).await;
        let (result, call) = state::ended(&self.store, called)?;
        if self.is_reused {
            // The result is valid even if the drop fails.
            let dropped = meter.within(pin!(call.resource_drop_async(&mut self.store))).await;
            self.is_spent = !matches!(dropped, Ok(Ok(())));
        }
        Ok(result)
    }
}

/// Performs the steps of a call that began at `began`, and returns its result.
async fn steps<T>(
    store: &mut Store<State>,
    next: TypedFunc<Next, (Step<T>,)>,
    call: ResourceAny,
    began: Instant,
) -> wasmtime::Result<Result<T, wit::Error>>
where
    (Step<T>,): ComponentNamedList + Lift,
    T: Send + Sync + 'static,
{
    let mut input = None;
    loop {
        let elapsed_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        let (step,) = next.call_async(&mut *store, (call, elapsed_ms, input)).await?;
        input = Some(match step {
            Step::Request(request) => exchange::exchange(&store.data().outbound, request).await,
            Step::Wait(pause_ms) => {
                tokio::time::sleep(Duration::from_millis(pause_ms.into())).await;
                Input::Waited
            }
            Step::Done(result) => return Ok(result),
        });
    }
}
