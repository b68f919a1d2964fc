//! The interface `messaging` as a trait, also for providers that are not a
//! [`Plugin`](crate::Plugin), such as the core without a component, or a test double.

use std::future::ready;

use crate::error::{CallError, CallResult};
use crate::types::wit;

/// A provider of the interface `messaging` in `wit/messaging.wit`.
pub trait Messaging: Sync {
    /// Creates one outbound message.
    fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> impl Future<Output = CallResult<wit::CreatedMessage>> + Send;

    /// Lists message templates (read-only). The default implementation returns `NotSetUp`.
    fn list_templates(
        &self,
        _query: &wit::TemplateQuery,
    ) -> impl Future<Output = CallResult<wit::TemplatePage>> + Send {
        ready(Err(CallError::NotSetUp("this provider only sends".into())))
    }

    /// Parses one webhook request and sends nothing. The default implementation returns `NotSetUp`.
    fn handle_event(
        &self,
        _delivery: &wit::WebhookDelivery,
    ) -> impl Future<Output = CallResult<wit::Event>> + Send {
        ready(Err(CallError::NotSetUp("this provider only sends".into())))
    }

    /// Returns the base URL of the service; `None` if it is unknown. `send-once` records a digest
    /// of the URL, because a key belongs to one service.
    fn service(&self) -> Option<String> {
        None
    }
}
