//! Effects of requests that could create a message.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use http::Response;
use messaging_core::outcome::{CreateStatus, Proof, judge_create_status, proof_of_code};
use messaging_net::departure::Departure;
use wasmtime_wasi_http::{Error, WasiBody};

use super::code;

/// A request that could create a message.
#[derive(Default)]
pub(super) struct Creating {
    /// True if the failed connection or the service's status proves that the request created
    /// nothing.
    has_created_nothing: AtomicBool,
    pub(super) departure: OnceLock<Departure>,
}

impl Creating {
    /// Evaluates the response to the request.
    pub(super) fn answered(&self, response: &Result<Response<WasiBody>, Error>) {
        if proves_nothing_created(response) {
            self.has_created_nothing.store(true, Ordering::SeqCst);
        }
    }

    /// Cancels the request if the host has not started to send it. Returns true if the request is
    /// known to have created nothing.
    pub(super) fn settle(&self) -> bool {
        self.has_created_nothing.load(Ordering::SeqCst)
            || self.departure.get().is_some_and(Departure::give_up)
    }
}

/// Effect of the requests of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// No request could create a message, or requests are not tracked.
    NoRequest,
    /// Every tracked request is known to have created nothing.
    Nothing,
    /// At least one request may have created a message.
    Maybe,
}

/// Returns true if the response proves, by the rules of `messaging_core`, that the request created
/// nothing.
fn proves_nothing_created(response: &Result<Response<WasiBody>, Error>) -> bool {
    match response {
        Ok(response) => !matches!(
            judge_create_status(response.status().as_u16()),
            CreateStatus::Created | CreateStatus::Unclear
        ),
        Err(error) => proof_of_code(code::name(error)) != Proof::Nothing,
    }
}
