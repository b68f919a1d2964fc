//! Components for WASI 0.2. An instance runs one call at a time.

use std::pin::pin;
use std::sync::Arc;

use wasmtime::Store;
use wasmtime::component::{Component, Linker};

use crate::engine::Host;
use crate::error::{CallError, CallResult, LoadError};
use crate::state::{self, State};
use crate::types::{messaging as bindings, wit};
use crate::wasi;

pub use bindings::MessagingHostPre as Linked;

/// Links a component that exports [`INTERFACE`](super::INTERFACE).
pub fn link(host: &Host, component: &Component) -> Result<Linked<State>, LoadError> {
    let linked = || {
        let mut linker = Linker::new(host.engine());
        wasi::link(&mut linker)?;
        Linked::new(linker.instantiate_pre(component)?)
    };
    linked().map_err(LoadError::missing)
}

/// A running instance of a component for WASI 0.2.
pub struct Running {
    pub store: Store<State>,
    bindings: bindings::MessagingHost,
}

impl Running {
    pub async fn start(linked: &Linked<State>, mut store: Store<State>) -> Result<Self, CallError> {
        let meter = Arc::clone(store.data().meter());
        let started = meter.within(pin!(linked.instantiate_async(&mut store))).await;
        let bindings = state::ended(&store, started)?;
        Ok(Self { store, bindings })
    }

    pub async fn send_message(
        &mut self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let (meter, store) = (self.store.data_mut().begin_call(), &mut self.store);
        let interface = self.bindings.messaging_integration_messaging();
        let called = meter.within(pin!(interface.call_send_message(&mut *store, request))).await;
        state::ended(store, called)
    }

    pub async fn list_templates(
        &mut self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        let (meter, store) = (self.store.data_mut().begin_call(), &mut self.store);
        let interface = self.bindings.messaging_integration_messaging();
        let called = meter.within(pin!(interface.call_list_templates(&mut *store, query))).await;
        state::ended(store, called)
    }

    pub async fn handle_event(
        &mut self,
        delivery: &wit::WebhookDelivery,
    ) -> CallResult<wit::Event> {
        let (meter, store) = (self.store.data_mut().begin_call(), &mut self.store);
        let interface = self.bindings.messaging_integration_messaging();
        let called = meter.within(pin!(interface.call_handle_event(&mut *store, delivery))).await;
        state::ended(store, called)
    }
}
