//! The server of the webhook, the forwarder of its events, and their traces. Runs no component: the
//! embedder provides a [`DeliveryHandler`](serve::DeliveryHandler).
//!
//! ```text
//! serve     an HTTP server with limits, for the webhook and other services
//! forward   delivery of stored events to a workflow engine
//! span      deliveries and forwarding attempts as trace spans
//! otlp      export of spans to a collector
//! json      strict JSON parser for untrusted input
//! ```

pub mod forward;
pub mod json;
pub mod otlp;
pub mod serve;
pub mod span;
