//! The plugin without input and output in this host: the component decides, and this host makes
//! the requests, over the same connections, and within the same limits, as those of the other
//! plugins. What a driver has to do stands in `wit/sans-io.wit`.
//!
//! ```text
//! send_message -> send-call
//!              -> send-call.next  -> step: request -> exchange -> Outbound
//!                        ^                 wait    -> a timer
//!                        |                 done    -> the result
//!                        +--- input -------+
//! ```
//!
//! A call enters wasm once for each step, and does not wait there: the plugin over `wasi:http`
//! crosses the border for each part of a request and a reply.

mod exchange;
mod types;

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use wasmtime::Store;
use wasmtime::component::{
    ComponentExportIndex, ComponentNamedList, InstancePre, Lift, Linker, Lower, ResourceAny,
    TypedFunc,
};

use crate::calls::Function;
use crate::engine::Host;
use crate::error::{CallError, LoadError, Names};
use crate::messaging::CallResult;
use crate::outbound::ConnectFailure;
use crate::plugin::{PluginConfig, believed, exports_of, wit};
use crate::state::{self, State, first_line};
use types::{Input, Setting, Step};

/// The interface that makes a component a messaging plugin without input and output.
pub const INTERFACE: &str = "messaging:integration/sans-io@0.2.0";

/// The most memory of an instance that is kept for another call: what a call usually needs, and
/// not what the largest reply does.
const KEPT_MEMORY_BYTES: usize = 1024 * 1024;

/// A loaded plugin, ready to be called from any thread.
#[derive(Clone)]
pub struct Plugin {
    host: Host,
    pre: InstancePre<State>,
    exports: Exports,
    config: PluginConfig,
    settings: Arc<[Setting]>,
    kept: Option<Arc<Mutex<Vec<Instance>>>>,
}

#[derive(Clone, Copy)]
struct Exports {
    send: CallExports,
    list: CallExports,
    event: ComponentExportIndex,
}

#[derive(Clone, Copy)]
struct CallExports {
    new: ComponentExportIndex,
    next: ComponentExportIndex,
}

impl Plugin {
    /// Compiles a component, and makes sure that it imports nothing.
    ///
    /// # Errors
    /// The bytes are no component, or none of the world `plugin-sans-io`.
    pub fn load(host: &Host, bytes: &[u8], config: PluginConfig) -> Result<Self, LoadError> {
        let component = host.load(bytes)?;
        let Some(interface) = component.get_export_index(None, INTERFACE) else {
            return Err(LoadError::NotSansIo { exports: exports_of(host, &component) });
        };
        let kind = component.component_type();
        let imports: Vec<_> =
            kind.imports(host.engine()).map(|(name, _)| name.to_string()).collect();
        if !imports.is_empty() {
            return Err(LoadError::Imports { imports: Names(imports) });
        }
        let export = |name: &str| component.get_export_index(Some(&interface), name);
        let exports = || {
            let call = |resource: &str| {
                Some(CallExports {
                    new: export(&format!("[constructor]{resource}"))?,
                    next: export(&format!("[method]{resource}.next"))?,
                })
            };
            let (send, list) = (call("send-call")?, call("list-call")?);
            Some(Exports { send, list, event: export("handle-event")? })
        };
        let Some(exports) = exports() else {
            return Err(LoadError::MissingImport(format!("{INTERFACE} lacks its functions")));
        };
        let missing = |error: wasmtime::Error| LoadError::MissingImport(first_line(&error));
        let pre = Linker::new(host.engine()).instantiate_pre(&component).map_err(missing)?;
        let settings = settings(&config);
        Ok(Self { host: host.clone(), pre, exports, config, settings, kept: None })
    }

    /// The same component with other settings.
    #[must_use]
    pub fn with_config(&self, config: PluginConfig) -> Self {
        let settings = settings(&config);
        let kept = self.kept.as_ref().map(|_| Arc::default());
        Self { config, settings, kept, ..self.clone() }
    }

    /// Keeps the instance of a call that came to its end for a later call, instead of a fresh
    /// one for each: half the cost. At most half of the host's instances are kept, for as long as
    /// a clone of this plugin lives.
    ///
    /// Calls of one plugin have one configuration, and one key, and so are of one domain of
    /// trust: a component that broke its contract could tell one what it remembers of another.
    #[must_use]
    pub fn keeping_instances(self) -> Self {
        Self { kept: Some(Arc::default()), ..self }
    }

    /// Returns the configuration of the component.
    #[must_use]
    pub fn config(&self) -> &PluginConfig {
        &self.config
    }

    /// A new instance, for callers that make several calls within one domain of trust. After a
    /// [`CallError`] it is spent.
    ///
    /// # Errors
    /// No instance is free, or the component does not come to the end of its start within the
    /// budget of a call, or its functions have other types.
    pub async fn instance(&self) -> Result<Instance, CallError> {
        let mut store = self.config.store_without_wasi(&self.host);
        let meter = Arc::clone(store.data().meter());
        let functions = meter.within(pin!(self.functions(&mut store))).await;
        let functions = functions.map_err(CallError::Limit)?;
        let functions = functions.map_err(|error| state::instantiation_error(&store, &error))?;
        Ok(Instance { store, functions, settings: Arc::clone(&self.settings), is_spent: false })
    }

    async fn functions(&self, store: &mut Store<State>) -> wasmtime::Result<Functions> {
        let instance = self.pre.instantiate_async(&mut *store).await?;
        let Exports { send, list, event } = &self.exports;
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

    /// An instance that was kept, with a whole budget, or a new one.
    async fn any_instance(&self) -> Result<Instance, CallError> {
        let kept = self.kept.as_ref().and_then(|kept| locked(kept).pop());
        match kept {
            Some(instance) => {
                instance.renew();
                Ok(instance)
            }
            None => self.instance().await,
        }
    }

    /// Keeps an instance whose call came to its end, if there is a place for it.
    fn keep<T>(&self, instance: Instance, result: &CallResult<T>) {
        let Some(kept) = self.kept.as_ref().filter(|_| result.is_ok()) else { return };
        if instance.is_spent || instance.memory_held() > KEPT_MEMORY_BYTES {
            return;
        }
        let most = usize::try_from(self.host.limits().instances / 2).unwrap_or(usize::MAX);
        let mut kept = locked(kept);
        if kept.len() < most {
            kept.push(instance);
        }
    }

    /// `send-message`; see [`Instance::send_message`].
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let mut instance = self.any_instance().await?;
        let result = instance.send_message_once(request).await;
        self.keep(instance, &result);
        result
    }

    /// `list-templates`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(
        &self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        let mut instance = self.any_instance().await?;
        let result = instance.list_templates_once(query).await;
        self.keep(instance, &result);
        result
    }

    /// `handle-event`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        let mut instance = self.any_instance().await?;
        let result = instance.handle_event_once(delivery).await;
        self.keep(instance, &result);
        result
    }
}

/// The settings as the component reads them, placeholder included.
fn settings(config: &PluginConfig) -> Arc<[Setting]> {
    config.variables().map(|(name, value)| Setting { name, value }).collect()
}

fn locked(kept: &Mutex<Vec<Instance>>) -> std::sync::MutexGuard<'_, Vec<Instance>> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The parameters of a constructor: settings, what the call is about, a seed.
type New<A> = (Arc<[Setting]>, A, u32);

/// The parameters of `next`: the call, its time in milliseconds, what became of its last step.
type Next = (ResourceAny, u32, Option<Input>);

/// The functions of a call of one kind: it takes `A` and ends with `T` or an error.
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

/// An instance of the plugin.
pub struct Instance {
    store: Store<State>,
    functions: Functions,
    settings: Arc<[Setting]>,
    /// Whether a call left it unusable although it ended.
    is_spent: bool,
}

impl Instance {
    /// A call after the first: its budget begins with it.
    fn renew(&self) {
        self.store.data().meter().restart();
    }

    /// The component's linear memory, in bytes. It grows and never shrinks.
    #[must_use]
    pub fn memory_held(&self) -> usize {
        self.store.data().memory_held
    }

    /// Returns why the last call's last request had no connection; `None` where it had one, or
    /// there was no request. Names the server and the reason.
    #[must_use]
    pub fn connect_failure(&self) -> Option<ConnectFailure> {
        self.store.data().outbound.connect_failure()
    }

    /// `send-message`. A component that says that it created nothing is believed where no
    /// request of it can have: else the outcome is unknown.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn send_message(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        self.renew();
        self.send_message_once(request).await
    }

    async fn send_message_once(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let result = self.drive(self.functions.send, request.clone()).await;
        let state = self.store.data_mut();
        let result = believed(result, &mut state.outbound);
        state.calls.count(Function::SendMessage, result)
    }

    /// `list-templates`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn list_templates(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        self.renew();
        self.list_templates_once(query).await
    }

    async fn list_templates_once(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        let result = self.drive(self.functions.list, query.clone()).await;
        self.store.data().calls.count(Function::ListTemplates, result)
    }

    /// `handle-event`.
    ///
    /// # Errors
    /// The component did not bring the call to its end.
    pub async fn handle_event(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        self.renew();
        self.handle_event_once(delivery).await
    }

    async fn handle_event_once(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        let meter = Arc::clone(self.store.data().meter());
        let event = self.functions.event;
        let result =
            meter.within(pin!(event.call_async(&mut self.store, (delivery.clone(),)))).await;
        let result = match result {
            Ok(Ok((result,))) => Ok(result),
            Ok(Err(error)) => Err(state::call_error(&self.store, &error)),
            Err(limit) => Err(CallError::Limit(limit)),
        };
        self.store.data().calls.count(Function::HandleEvent, result)
    }

    /// One call within what is left of the budget, with typed errors.
    async fn drive<A, T>(&mut self, functions: CallFunctions<A, T>, argument: A) -> CallResult<T>
    where
        New<A>: ComponentNamedList + Lower,
        (Step<T>,): ComponentNamedList + Lift,
        A: Send + Sync,
        T: Send + Sync + 'static,
    {
        let meter = Arc::clone(self.store.data().meter());
        self.store.data_mut().outbound.begin_call();
        let settings = Arc::clone(&self.settings);
        let result =
            meter.within(pin!(drive(&mut self.store, functions, settings, argument))).await;
        let result = result.map_err(CallError::Limit)?;
        let (result, call) = result.map_err(|error| state::call_error(&self.store, &error))?;
        // The call has ended, whatever becomes of the instance.
        let dropped = meter.within(pin!(call.resource_drop_async(&mut self.store))).await;
        self.is_spent = !matches!(dropped, Ok(Ok(())));
        Ok(result)
    }
}

/// Does what a call says, to its end; gives back the call as well.
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
