//! Errors of the simulated service.

/// Reason why an event was not acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryError {
    /// The service was started without a webhook.
    #[error("no webhook is configured")]
    NoWebhook,
    /// The webhook never answered 200. The ledger lists each attempt.
    #[error("the webhook at {origin} did not answer 200 to {key}: {reason}")]
    NotAcknowledged {
        /// Origin of the webhook's URL; omits the path, which can be a secret.
        origin: String,
        /// Delivery key of the event.
        key: String,
        /// The failure of the last attempt.
        reason: String,
    },
}

/// Reason why the service rejects a request.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadRequest {
    #[error("the body is not JSON")]
    NotJson,
    #[error("{0} is missing, empty or not a string")]
    NotAString(&'static str),
    #[error("the event is not a JSON object")]
    NotAnEvent,
    #[error("use GET ledger or POST events")]
    NoSuchControl,
    #[error(transparent)]
    Delivery(DeliveryError),
}
