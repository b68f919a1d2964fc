//! HTTP interface for runners in other hosts. A runner starts a case, makes the call in its own
//! host, and submits the outcome. This process judges it.
//!
//! | request | response |
//! |---|---|
//! | `GET /cases` | names of the cases |
//! | `POST /cases/NAME` | starts the case: `{settings, allow, function, argument}` |
//! | `POST /cases/NAME/outcome` | ends the case: `{passed, result, problems}` |
//! | `POST /report` with `{host}` | all verdicts so far, in the order of the suite |
//!
//! An outcome is `{"ok": VALUE}`, `{"error": {"case", "payload"}}` or `{"trap": TEXT}`. The module
//! [`outcome`](messaging_host::outcome) defines the form of values and payloads.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use serde_json::{Value, json};

use super::case::{Case, RunningCase};
use super::report::{Report, Verdict};
use messaging_simulator::faults::Chunking;
use messaging_simulator::service::server::{self, Server};

/// Maximum size of an outcome in bytes, more than any case produces.
const MAX_OUTCOME_BYTES: usize = 64 * 1024 * 1024;

/// The running HTTP server for test runners in other hosts. Dropping it stops the server.
pub struct Control {
    server: Server,
}

struct State {
    cases: Vec<&'static Case>,
    running: Mutex<BTreeMap<String, RunningCase>>,
    verdicts: Mutex<BTreeMap<String, Verdict>>,
}

impl Control {
    /// Listens on `address` and serves `cases`.
    ///
    /// # Errors
    /// Returns an error if the address is not available.
    pub async fn start(address: SocketAddr, cases: Vec<&'static Case>) -> std::io::Result<Self> {
        let (running, verdicts) = Default::default();
        let state = Arc::new(State { cases, running, verdicts });
        let server = Server::start(address, None, move || {
            let state = Arc::clone(&state);
            service_fn(move |request| {
                let state = Arc::clone(&state);
                async move { Ok::<_, hyper::Error>(answer(&state, request).await) }
            })
        });
        Ok(Self { server: server.await? })
    }

    /// Returns the address of the listener.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }
}

async fn answer(state: &State, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let method = request.method().clone();
    let path = request.uri().path().to_string();
    let body = match Limited::new(request.into_body(), MAX_OUTCOME_BYTES).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return refuse(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    let steps: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match (method, steps.as_slice()) {
        (Method::GET, ["cases"]) => {
            let names: Vec<_> = state.cases.iter().map(|case| &case.name).collect();
            server::json(StatusCode::OK, &json!(names))
        }
        (Method::POST, ["cases", name]) => begin(state, name).await,
        (Method::POST, ["cases", name, "outcome"]) => end(state, name, &body),
        (Method::POST, ["report"]) => report(state, &body),
        _ => refuse(StatusCode::NOT_FOUND, "no such path"),
    }
}

fn refuse(status: StatusCode, reason: &str) -> Response<Full<Bytes>> {
    server::json(status, &json!({ "error": reason }))
}

async fn begin(state: &State, name: &str) -> Response<Full<Bytes>> {
    let Some(case) = state.cases.iter().find(|case| case.name == name) else {
        return refuse(StatusCode::NOT_FOUND, "no such case");
    };
    let running = match case.begin(Chunking::Whole).await {
        Ok(running) => running,
        Err(error) => return refuse(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}")),
    };
    let shown = json!({
        "settings": running.settings,
        "allow": running.allow,
        "function": case.call,
        "argument": running.argument,
    });
    lock(&state.running).insert(name.to_string(), running);
    server::json(StatusCode::OK, &shown)
}

fn end(state: &State, name: &str, body: &[u8]) -> Response<Full<Bytes>> {
    let Some(case) = state.cases.iter().find(|case| case.name == name) else {
        return refuse(StatusCode::NOT_FOUND, "no such case");
    };
    let Some(running) = lock(&state.running).remove(name) else {
        return refuse(StatusCode::CONFLICT, "the case is not running; start it first");
    };
    let outcome = match serde_json::from_slice(body) {
        Ok(outcome) => outcome,
        Err(error) => return refuse(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    let verdict = case.judge(&running, &outcome);
    let shown = json!({
        "passed": verdict.passed(),
        "result": verdict.result,
        "problems": verdict.problems,
    });
    lock(&state.verdicts).insert(name.to_string(), verdict);
    server::json(StatusCode::OK, &shown)
}

fn report(state: &State, body: &[u8]) -> Response<Full<Bytes>> {
    let given: Value = serde_json::from_slice(body).unwrap_or_default();
    let Some(host) = given.get("host").and_then(Value::as_str) else {
        return refuse(StatusCode::BAD_REQUEST, "the body must be {\"host\": NAME}");
    };
    let verdicts = lock(&state.verdicts);
    let cases = state.cases.iter().filter_map(|case| verdicts.get(&case.name).cloned()).collect();
    server::json(StatusCode::OK, &json!(Report { host: host.to_string(), cases }))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
