//! The types that the interface `sans-io` has beside those of `messaging`, which are the
//! [`wit`] of every plugin: the component model compares types by their shape.

use wasmtime::component::{ComponentType, Lift, Lower};

use crate::wit;

/// A setting, by its name in the environment.
#[derive(Clone, Debug, ComponentType, Lower)]
#[component(record)]
pub struct Setting {
    pub name: String,
    pub value: String,
}

/// A request to make.
#[derive(ComponentType, Lift)]
#[component(record)]
pub struct HttpRequest {
    pub method: String,
    pub url: String,
    pub headers: Vec<wit::Header>,
    pub body: Vec<u8>,
    #[component(name = "time-left-ms")]
    pub time_left_ms: u32,
    #[component(name = "max-reply-bytes")]
    pub max_reply_bytes: u32,
}

/// How the body of a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum BodyEnd {
    #[component(name = "whole")]
    Whole,
    #[component(name = "broken")]
    Broken,
    #[component(name = "too-large")]
    TooLarge,
    #[component(name = "late")]
    Late,
    #[component(name = "withheld")]
    Withheld,
}

/// A reply to a request.
#[derive(ComponentType, Lower)]
#[component(record)]
pub struct HttpReply {
    pub status: u16,
    pub headers: Vec<wit::Header>,
    pub body: Vec<u8>,
    pub ended: BodyEnd,
}

/// Proof that a request without a reply gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lower)]
#[component(enum)]
#[repr(u8)]
pub enum Failure {
    #[component(name = "not-reached")]
    NotReached,
    #[component(name = "denied")]
    Denied,
    #[component(name = "late")]
    Late,
    #[component(name = "broken")]
    Broken,
}

/// A request that got no reply.
#[derive(ComponentType, Lower)]
#[component(record)]
pub struct Failed {
    pub failure: Failure,
    pub detail: String,
}

/// Outcome of a step.
#[derive(ComponentType, Lower)]
#[component(variant)]
pub enum Input {
    #[component(name = "replied")]
    Replied(HttpReply),
    #[component(name = "failed")]
    Failed(Failed),
    #[component(name = "waited")]
    Waited,
}

/// Next step of a call.
#[derive(ComponentType, Lift)]
#[component(variant)]
pub enum Step<T> {
    #[component(name = "request")]
    Request(HttpRequest),
    #[component(name = "wait")]
    Wait(u32),
    #[component(name = "done")]
    Done(Result<T, wit::Error>),
}
