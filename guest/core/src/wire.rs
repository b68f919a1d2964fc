//! HTTP requests, replies and JSON, within size limits.

mod http_date;
pub mod json;
pub mod refusal;
pub mod reply;
pub mod request;
pub mod retry_after;

pub use reply::{Body, Reply};
pub use request::{Credential, Method, Request};
