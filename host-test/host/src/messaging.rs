//! The interface `messaging` as a trait, for providers that are not a [`Plugin`]: the core without
//! a component, and test doubles.

use std::future::ready;

use crate::error::CallError;
use crate::plugin::{Plugin, wit};

/// The result of a call: the provider's response, or the reason why there is no response.
///
/// After [`send_message`](Messaging::send_message), a [`CallError`] means that the message may
/// exist, unless [`CallError::is_not_sent`] returns true.
pub type CallResult<T> = Result<Result<T, wit::Error>, CallError>;

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

    /// Returns the base URL of the service; `None` if it is unknown. `send-once` records a digest of
    /// it, because a key belongs to one service.
    fn service(&self) -> Option<String> {
        None
    }
}

impl Messaging for Plugin {
    async fn send_message(&self, request: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        self.send_message(request).await
    }

    async fn list_templates(&self, query: &wit::TemplateQuery) -> CallResult<wit::TemplatePage> {
        self.list_templates(query).await
    }

    async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        self.handle_event(delivery).await
    }

    fn service(&self) -> Option<String> {
        self.config().base_url()
    }
}
