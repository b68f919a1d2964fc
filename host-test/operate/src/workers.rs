//! The HTTP interface for workers on other machines (lease, ack, nack, extend, release, list), and
//! for senders (journal).

use std::num::NonZeroU32;
use std::time::Duration;

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::{Method, Request, Response};
use http_body_util::Full;
use messaging_inbox::{Kinds, Queue, Retry, State, Store, millis};
use messaging_server::serve::{Answer, Answered, Peer, Reply, Service, Tokens, log};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep_until};

use crate::events::{self, KIND_CHARS};
use crate::journal::Senders;
use crate::problem::Problem;
use crate::request::{self, Fields};
use crate::{MAX_BODY_BYTES, MAX_JOURNAL_BODY_BYTES, json, reply};

/// Minimum and default duration of a lease, in milliseconds.
const LEASE_MS: (i64, i64) = (1_000, 60_000);
/// Maximum wait for an event, in milliseconds. Shorter than typical proxy timeouts.
const MAX_WAIT_MS: i64 = 30_000;
/// Maximum delay after a failure: one week, in milliseconds.
const MAX_PAUSE_MS: i64 = 7 * 24 * 60 * 60 * 1_000;
/// Maximum number of events in a response.
const MAX_EVENTS: i64 = 100;
/// Maximum number of kinds in a request.
const MAX_KINDS: usize = 16;
/// Maximum length of a lease token, in characters.
const TOKEN_CHARS: usize = 128;
/// Maximum length of an error, in characters. The inbox stores only the first 2,000 characters.
const ERROR_CHARS: usize = 20_000;
/// Interval at which a long poll checks the inbox. The end of a delay causes no notification, and
/// an event that another process stores may cause no notification.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Returns the permits of waiting polls for a server with `connections` connections.
fn polls(connections: usize) -> Semaphore {
    Semaphore::new((connections.saturating_mul(3) / 4).clamp(1, Semaphore::MAX_PERMITS))
}

/// The inbox for workers, and a journal for senders, over HTTP.
pub struct Workers {
    store: Store,
    tokens: Option<Tokens>,
    senders: Option<Senders>,
    stopping: watch::Receiver<bool>,
    /// Permits of waiting polls. Each poll occupies a connection, and acks need connections too.
    polls: Semaphore,
}

impl Workers {
    /// Creates the API for `store`. A request must carry a token of `tokens`. If `tokens` is
    /// `None`, all requests are rejected. Long polls end when `stopping` becomes true.
    pub fn new(store: Store, tokens: Option<Tokens>, stopping: watch::Receiver<bool>) -> Self {
        Self { store, tokens, senders: None, stopping, polls: polls(256) }
    }

    /// Sets the journal for senders.
    #[must_use]
    pub fn senders(self, senders: Option<Senders>) -> Self {
        Self { senders, ..self }
    }

    /// Returns the maximum size of a request body in bytes.
    pub fn max_body_bytes(&self) -> usize {
        if self.senders.is_some() { MAX_JOURNAL_BODY_BYTES } else { MAX_BODY_BYTES }
    }

    /// Sets the maximum number of connections of the server. Polls may use three quarters of them,
    /// but at least one. The rest stays free for acks. Further polls get 503.
    #[must_use]
    pub fn connections(self, all: usize) -> Self {
        Self { polls: polls(all), ..self }
    }

    /// Answers a request. The boolean is true if the request is authenticated.
    async fn judged(&self, request: &Request<Bytes>) -> (Result<Value, Problem>, bool) {
        match (request::segments(request.uri()).as_slice(), &self.senders) {
            (["v1", "journal", function], Some(senders)) => senders.answer(request, function).await,
            (["v1", "journal", "get" | "list" | "swap"], None) => {
                let start = "--journal and MESSAGING_JOURNAL_TOKENS";
                (Err(Problem::no_journal(start)), false)
            }
            _ if !self.tokens.as_ref().is_some_and(|tokens| tokens.admit(request.headers())) => {
                (Err(Problem::unauthorized()), false)
            }
            _ if request.body().len() > MAX_BODY_BYTES => {
                (Err(Problem::too_large(MAX_BODY_BYTES)), true)
            }
            _ => (self.respond(request).await, true),
        }
    }

    async fn respond(&self, request: &Request<Bytes>) -> Result<Value, Problem> {
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let is_post = *request.method() == Method::POST;
        match request::segments(request.uri()).as_slice() {
            ["v1", "lease"] if is_post => self.lease(request.body()).await,
            ["v1", "events", id, verb @ ("ack" | "extend" | "nack" | "release")] if is_post => {
                self.settle(request::id(id)?, verb, request.body()).await
            }
            ["v1", "events"] if is_read => events::list(&self.store, request.uri()).await,
            ["v1", "events", id] if is_read => events::show(&self.store, request::id(id)?).await,
            ["v1", "lease"] | ["v1", "events", _, "ack" | "extend" | "nack" | "release"] => {
                Err(Problem::method("POST"))
            }
            ["v1", "events"] | ["v1", "events", _] => Err(Problem::method("GET, HEAD")),
            _ => Err(Problem::no_such_path()),
        }
    }

    async fn lease(&self, body: &[u8]) -> Result<Value, Problem> {
        let mut fields = Fields::of_body(body)?;
        let limit = fields.integer("limit", 1..=MAX_EVENTS)?.unwrap_or(1);
        let limit = u32::try_from(limit).unwrap_or(1);
        let lease = lease_time(&mut fields)?;
        let wait = fields.millis("wait_ms", 0..=MAX_WAIT_MS, 0)?;
        let kinds = match fields.strings("kinds", MAX_KINDS)? {
            None => Kinds::All,
            Some(kinds) if kinds.iter().any(|kind| kind.chars().nth(KIND_CHARS).is_some()) => {
                let detail = format!("has a kind of more than {KIND_CHARS} characters");
                return Err(Problem::malformed("kinds", detail));
            }
            Some(kinds) => Kinds::Only(kinds.into_iter().collect()),
        };
        fields.end()?;

        let until = Instant::now().checked_add(wait).unwrap_or_else(Instant::now);
        let (mut news, mut stopping) = (self.store.news(), self.stopping.clone());
        let mut poll = None;
        let events = loop {
            // An event that is stored after this line ends the wait.
            news.mark_unchanged();
            let events = self.store.lease_from(Queue::Any, kinds.clone(), limit, lease).await?;
            let now = Instant::now();
            if !events.is_empty() || now >= until || *stopping.borrow() {
                break events;
            }
            if poll.is_none() {
                poll = Some(self.polls.try_acquire().map_err(|_| Problem::too_many_polls())?);
            }
            let look = now.checked_add(LOOK_EVERY).map_or(until, |look| look.min(until));
            tokio::select! {
                // An error of `changed` disables this branch. The other branches end the wait.
                Ok(()) = news.changed() => {}
                Ok(_) = stopping.wait_for(|stopping| *stopping) => {}
                () = sleep_until(look) => {}
            }
        };
        Ok(json!({ "events": events.iter().map(events::leased).collect::<Vec<_>>() }))
    }

    async fn settle(&self, id: i64, verb: &str, body: &[u8]) -> Result<Value, Problem> {
        let mut fields = Fields::of_body(body)?;
        let lease = fields.string("lease", TOKEN_CHARS)?.filter(|lease| !lease.is_empty());
        let Some(lease) = lease else {
            let detail = "is missing or empty; send the token of the leased event";
            return Err(Problem::malformed("lease", detail));
        };
        let state = match verb {
            "ack" => {
                fields.end()?;
                self.store.ack(id, lease).await?;
                State::Done
            }
            "extend" => {
                let by = lease_time(&mut fields)?;
                fields.end()?;
                self.store.extend(id, lease, by).await?;
                State::Leased
            }
            "release" => {
                fields.end()?;
                self.store.release(id, Some(lease)).await?;
                State::Pending
            }
            _ => {
                let error = fields.string("error", ERROR_CHARS)?.unwrap_or_default();
                let pause = fields.millis("pause_ms", 0..=MAX_PAUSE_MS, 5_000)?;
                let failures = fields.integer("dead_after", 1..=1_000_000)?;
                let failures = failures.and_then(|failures| u32::try_from(failures).ok());
                let retry = match (fields.boolean("dead")?, failures.and_then(NonZeroU32::new)) {
                    (true, _) => Retry::Never,
                    (false, Some(failures)) => Retry::UpTo { failures, pause },
                    (false, None) => Retry::After(pause),
                };
                fields.end()?;
                self.store.nack(id, lease, error, retry).await?
            }
        };
        Ok(json!({ "id": id, "state": state.as_str() }))
    }
}

/// Takes the duration of a lease.
fn lease_time(fields: &mut Fields) -> Result<Duration, Problem> {
    let (shortest, default) = LEASE_MS;
    fields.millis("lease_ms", shortest..=millis(Store::LONGEST_LEASE), default)
}

impl Service for Workers {
    fn answer(&self, request: Request<Bytes>, _: Peer) -> BoxFuture<'_, Reply> {
        Box::pin(async move {
            let (response, proved) = self.judged(&request).await;
            reply(response.map(|value| json(&value)), proved)
        })
    }

    fn refuse(&self, answer: &Answer) -> Response<Full<Bytes>> {
        Reply::from(Problem::refused(answer, self.max_body_bytes())).response
    }

    fn log(&self, answered: &Answered) {
        log("workers", answered);
    }
}
