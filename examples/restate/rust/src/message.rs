//! A message that is created at most once, even if processes are killed. It is a virtual object of
//! Restate, and its key is the purpose of the message (`order-17.ready`).
//!
//! ```text
//! (none) ──> sending ──> created
//!               │  ▲ └──> unknown ──> created, not-created: a person has decided
//!               ▼  │
//!             waiting ──> not-sent       refused: permanent, nothing was created
//! ```
//!
//! A message in state `created` or `unknown` is never sent again. In the states `not-sent`,
//! `refused` and `not-created` no message exists, and `send` can be called again.

#![allow(missing_docs, reason = "the clients that the macros make")]

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use restate_sdk::prelude::{
    ContextAwakeables, ContextReadState, ContextSideEffects, ContextTimers, ContextWriteState,
    HandlerError, HandlerResult, Json, ObjectContext, RunFuture, SharedObjectContext,
    TerminalError, object,
};
use serde::{Deserialize, Serialize};

use crate::attempt::{Attempt, Decided, Doubt, Entry, NewMessage, State, Unknown};
use crate::requests::{Moment, Requests};

/// Maximum number of attempts that create no message. `send` then returns `not-sent`, after about
/// an hour.
const MAX_ATTEMPTS: u32 = 20;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_secs(300);

/// Name of the only state of a key.
const ENTRY: &str = "entry";

/// Measures the age of an intent.
pub trait Stopwatch: Send + Sync + 'static {
    /// Returns the current time when an intent is written.
    fn start(&self) -> Moment {
        (Instant::now(), SystemTime::now())
    }

    /// Returns the time since an intent was written, just before its request starts. The longer of
    /// two clocks counts, because the monotonic one can stand still while the machine sleeps.
    fn elapsed(&self, since: Moment) -> Duration {
        since.0.elapsed().max(since.1.elapsed().unwrap_or_default())
    }
}

/// The clocks of the system.
pub struct SystemClock;

impl Stopwatch for SystemClock {}

/// The virtual object `Message`.
pub struct Message {
    requests: Requests,
    deadline: Duration,
    stopwatch: Box<dyn Stopwatch>,
}

/// An operator's statement whether a message exists: `{ id, by }`, or `{ created: false, by }`.
#[derive(Serialize, Deserialize)]
pub struct Decision {
    /// Identifier of the message, if it exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `false` if the message does not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<bool>,
    /// Name of the operator.
    #[serde(default)]
    pub by: String,
}

impl Message {
    /// Creates the handlers. `requests` sends each message within `deadline`.
    pub fn new(requests: Requests, deadline: Duration, stopwatch: impl Stopwatch) -> Self {
        Self { requests, deadline, stopwatch: Box::new(stopwatch) }
    }

    /// Sends the request of this attempt, unless another process may have sent it.
    async fn send_once(
        &self,
        ctx: &ObjectContext<'_>,
        attempt: u32,
        message: &NewMessage,
    ) -> Result<Attempt, TerminalError> {
        let key = format!("{}.{attempt}", ctx.invocation_id());
        // Restate has stored the intent on two nodes when this await returns, which is before the
        // request.
        ctx.run(|| async {
            self.requests.intend(key.clone(), self.stopwatch.start());
            Ok(())
        })
        .name(format!("intent {attempt}"))
        .await?;
        // Restate runs this step again after a lost connection, possibly in another process.
        let sent = ctx.run(|| async {
            let attempt = match (self.requests.find(&key), self.requests.intent(&key)) {
                (Some(request), _) => request.await,
                // Another process wrote the intent. It may have sent the request before it was
                // lost.
                (None, None) => {
                    Attempt::lost("a worker was lost while it was sending", self.open_ms())
                }
                // This process was suspended. An operator may already have stated that the message
                // does not exist.
                (None, Some(written)) if self.stopwatch.elapsed(written) > self.deadline => {
                    Attempt::not_sent("the worker was suspended")
                }
                (None, Some(_)) => self.requests.begin(key.clone(), message.clone()).await,
            };
            Ok(Json(attempt))
        });
        sent.name(format!("send {attempt}")).await.map(Json::into_inner)
    }

    /// Waits until an operator calls `resolve`.
    async fn decide(
        &self,
        ctx: &ObjectContext<'_>,
        message: NewMessage,
        unknown: Unknown,
    ) -> Result<State, TerminalError> {
        let (decision, decided) = ctx.awakeable::<Json<Decision>>();
        let unknown = State::Unknown(Unknown { decision, ..unknown });
        keep(ctx, &message, unknown);
        let Json(Decision { id, by, .. }) = decided.await?;
        let decided = Decided { by, at: time(ctx.run(now).name("now").await?) };
        Ok(keep(
            ctx,
            &message,
            match id {
                Some(id) => State::Created { id, decided: Some(decided) },
                None => State::NotCreated(decided),
            },
        ))
    }

    /// Returns an unknown outcome that starts now.
    async fn unknown(
        &self,
        ctx: &ObjectContext<'_>,
        error: Doubt,
        open_ms: u64,
    ) -> Result<Unknown, TerminalError> {
        let now = ctx.run(now).name("now").await?;
        let open_until = time(now.saturating_add(open_ms));
        Ok(Unknown { error, since: time(now), open_until, decision: String::new() })
    }

    /// Returns the time for which a lost request may be in flight, in milliseconds: one deadline
    /// from the intent to the request, and one for the request.
    fn open_ms(&self) -> u64 {
        u64::try_from(self.deadline.saturating_mul(2).as_millis()).unwrap_or(u64::MAX)
    }
}

#[object]
impl Message {
    #[handler]
    async fn send(
        &self,
        ctx: ObjectContext<'_>,
        message: Json<NewMessage>,
    ) -> HandlerResult<Json<State>> {
        let Json(message) = message;
        if let Some(Json(entry)) = ctx.get::<Json<Entry>>(ENTRY).await? {
            match entry.state {
                State::Created { .. } | State::Unknown(_) | State::Sending
                    if entry.message != message =>
                {
                    return Err(conflict("the key was used for another message".into()));
                }
                created @ State::Created { .. } => return Ok(Json(created)),
                State::Unknown(unknown) => {
                    return Ok(Json(self.decide(&ctx, message, unknown).await?));
                }
                // The previous invocation was canceled or killed.
                State::Sending => {
                    let detail = "the invocation ended during the send".into();
                    let error = Doubt { case: None, detail };
                    let unknown = self.unknown(&ctx, error, self.open_ms()).await?;
                    return Ok(Json(self.decide(&ctx, message, unknown).await?));
                }
                State::Waiting(_)
                | State::NotCreated(_)
                | State::Refused(_)
                | State::NotSent(_) => {}
            }
        }
        let mut attempt = 1;
        loop {
            // Not a terminal error: another worker continues, or this worker after a restart.
            if self.requests.is_closed() {
                return Err("this worker is stopping".into());
            }
            keep(&ctx, &message, State::Sending);
            let (error, retry_after_ms) = match self.send_once(&ctx, attempt, &message).await? {
                Attempt::Created { id } => {
                    return Ok(Json(keep(&ctx, &message, State::Created { id, decided: None })));
                }
                Attempt::Refused(error) => {
                    return Ok(Json(keep(&ctx, &message, State::Refused(error))));
                }
                Attempt::Unknown { error, open_ms } => {
                    let unknown = self.unknown(&ctx, error, open_ms).await?;
                    return Ok(Json(self.decide(&ctx, message, unknown).await?));
                }
                Attempt::Waiting { error, .. } if attempt == MAX_ATTEMPTS => {
                    return Ok(Json(keep(&ctx, &message, State::NotSent(error))));
                }
                Attempt::Waiting { error, retry_after_ms } => (error, retry_after_ms),
            };
            keep(&ctx, &message, State::Waiting(error));
            let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
            let hint = Duration::from_millis(retry_after_ms.into());
            ctx.sleep(pause.min(MAX_PAUSE).max(hint)).await?;
            attempt = attempt.saturating_add(1);
        }
    }

    #[handler]
    async fn resolve(
        &self,
        ctx: SharedObjectContext<'_>,
        decision: Json<Decision>,
    ) -> HandlerResult<()> {
        let Json(decision) = decision;
        let exists = decision.id.as_ref().is_some_and(|id| !id.trim().is_empty());
        if exists == (decision.created == Some(false)) || decision.by.trim().is_empty() {
            let detail = "set `by`, and either `id` or `created: false`";
            return Err(TerminalError::new_with_code(400, detail).into());
        }
        let entry = ctx.get::<Json<Entry>>(ENTRY).await?;
        let Some(State::Unknown(unknown)) = entry.map(|Json(entry)| entry.state) else {
            return Err(conflict("there is nothing to resolve".into()));
        };
        // All times have one format and one time zone, so strings can be compared.
        if !exists && time(ctx.run(now).name("now").await?) < unknown.open_until {
            let until = unknown.open_until;
            return Err(conflict(format!(
                "a request can be in flight until {until}; retry after that"
            )));
        }
        let id = decision.id.filter(|_| exists);
        ctx.resolve_awakeable(&unknown.decision, Json(Decision { id, created: None, ..decision }));
        Ok(())
    }

    #[handler]
    async fn show(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Option<Entry>>> {
        Ok(Json(ctx.get::<Json<Entry>>(ENTRY).await?.map(Json::into_inner)))
    }
}

/// Stores the state of the message.
fn keep(ctx: &ObjectContext<'_>, message: &NewMessage, state: State) -> State {
    ctx.set(ENTRY, Json(Entry { state: state.clone(), message: message.clone() }));
    state
}

fn conflict(detail: String) -> HandlerError {
    TerminalError::new_with_code(409, detail).into()
}

/// Returns milliseconds since 1970. Called in a step, so that a retry of the invocation gets an
/// equal value.
async fn now() -> HandlerResult<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(u64::try_from(now.as_millis()).unwrap_or(u64::MAX))
}

/// Formats milliseconds since 1970 as RFC 3339.
fn time(ms: u64) -> String {
    let time = UNIX_EPOCH.checked_add(Duration::from_millis(ms)).unwrap_or(UNIX_EPOCH);
    humantime::format_rfc3339_millis(time).to_string()
}
