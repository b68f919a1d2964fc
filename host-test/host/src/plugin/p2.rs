//! Components for WASI 0.2. An instance runs one call at a time.

use std::pin::pin;
use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::{Component, ComponentExportIndex, Instance, InstancePre, Linker};

use super::export::{Export, Function};
use crate::engine::Host;
use crate::error::{CallError, CallResult, LoadError};
use crate::state::{self, State};
use crate::types::{INTERFACE, wit};
use crate::wasi;

/// A linked component and its functions.
#[derive(Clone)]
pub struct Linked {
    pre: InstancePre<State>,
    exports: [ComponentExportIndex; 3],
}

/// Links a component that exports [`INTERFACE`].
pub fn link(host: &Host, component: &Component) -> Result<Linked, LoadError> {
    let linked = || {
        let mut linker = Linker::new(host.engine());
        wasi::link(&mut linker)?;
        linker.instantiate_pre(component)
    };
    let pre = linked().map_err(LoadError::missing)?;
    let interface = component.get_export_index(None, INTERFACE);
    let export = |name| component.get_export_index(interface.as_ref(), name);
    match ["send-message", "list-templates", "handle-event"].map(export) {
        [Some(send), Some(list), Some(event)] => Ok(Linked { pre, exports: [send, list, event] }),
        _ => Err(LoadError::lacks_functions(INTERFACE)),
    }
}

/// A running instance of a component for WASI 0.2.
pub struct Running {
    pub store: Store<State>,
    instance: Instance,
    send: Function<wit::MessageRequest, wit::CreatedMessage>,
    list: Function<wit::TemplateQuery, wit::TemplatePage>,
    event: Function<wit::WebhookDelivery, wit::Event>,
}

impl Running {
    pub async fn start(linked: &Linked, mut store: Store<State>) -> Result<Self, CallError> {
        let meter = Arc::clone(store.data().meter());
        let started = meter.within(pin!(linked.pre.instantiate_async(&mut store))).await;
        let instance = state::ended(&store, started)?;
        let [send, list, event] = linked.exports;
        let (send, list, event) = (Export::new(send), Export::new(list), Export::new(event));
        Ok(Self { store, instance, send, list, event })
    }

    pub async fn send_message(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        self.send.call(&self.instance, &mut self.store, request).await
    }

    pub async fn list_templates(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        self.list.call(&self.instance, &mut self.store, query).await
    }

    pub async fn handle_event(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        self.event.call(&self.instance, &mut self.store, delivery).await
    }
}
