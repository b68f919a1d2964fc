//! Group commit: one transaction for all waiting requests, which are answered after its COMMIT. The
//! next group gathers during the commit. A second connection would not help, because it would only
//! make each group smaller.
//!
//! If a group fails because of a lock, a trigger or a constraint, its requests are retried one by
//! one. Only the requests that caused the failure then fail.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use messaging_inbox::{Outage, StoreError};
use tokio::sync::{mpsc, oneshot};

use crate::client::connector::Connector;
use crate::client::fault::{ATTEMPTS, Fault};
use crate::client::session::Session;

/// Length of the queue. When it is full, callers wait to enter it.
const QUEUE: usize = 1024;
/// Maximum number of requests in one transaction. A larger batch gains little throughput and delays
/// every response.
const BATCH: usize = 1024;
/// Maximum size of the requests in one transaction, in bytes. The last request may exceed it.
const BATCH_BYTES: usize = 8 * 1024 * 1024;
/// The next group waits for further requests for at most the duration of the last commit, divided
/// by this number.
const GATHER: u32 = 8;
/// Delay before a lost permanent connection is opened again.
const AGAIN: Duration = Duration::from_millis(200);
/// Duration for which a successful attempt proves that the database accepts writes.
const PROVEN: Duration = Duration::from_secs(10);
/// Minimum interval between two log lines about single failed requests.
const SAID_EVERY: Duration = Duration::from_secs(1);

/// A waiting request.
pub(crate) struct Job<Q: Request> {
    pub(crate) request: Q,
    reply: oneshot::Sender<Result<Q::Answer, StoreError>>,
}

/// A function that performs an operation and rolls it back, to test whether the database accepts
/// writes.
pub(crate) type Attempt = fn(&mut Session) -> BoxFuture<'_, Result<(), Fault>>;

/// An item of the queue: a request or an attempt.
enum Asked<Q: Request> {
    Do(Job<Q>),
    Try(Attempt, oneshot::Sender<Result<(), StoreError>>),
}

/// A kind of request that runs in batches.
pub(crate) trait Request: Sized + Send + Sync + 'static {
    type Answer: Send + 'static;

    /// Consequence of a failed commit, for log lines.
    const FAILED: &'static str;

    /// Returns the approximate size in bytes.
    fn bytes(&self) -> usize;

    /// Runs requests in one transaction. An answer can be an error of a single request.
    fn run(
        session: &mut Session,
        requests: &[&Self],
    ) -> impl Future<Output = Result<Answers<Self>, Fault>> + Send;
}

/// The result of a request in a batch.
pub(crate) enum Done<T> {
    /// The request is complete: it succeeded or was rejected.
    Answered(Result<T, StoreError>),
    /// Only this request failed.
    Failed(Fault),
    /// The request runs in a later transaction.
    Later,
}

impl<T> Done<T> {
    /// Returns the fault for a write that the database ignored without an error.
    pub(crate) fn dropped(session: &Session) -> Self {
        let detail = "the database drops the write without an error, because of a trigger, a rule or a policy of its tables; change that trigger, rule or policy, or restart this process if a sequence is behind its table";
        let store = session.link.name.clone();
        Self::Failed(StoreError::NotSetUp { store, detail: detail.to_string() }.into())
    }
}

/// The results of a batch, in the order of the requests.
pub(crate) struct Answers<Q: Request> {
    pub(crate) each: Vec<Done<Q::Answer>>,
    /// True if an event became available to lease.
    pub(crate) news: bool,
}

/// The queue of a group commit.
pub(crate) struct GroupCommit<Q: Request>(mpsc::Sender<Asked<Q>>);

/// State that all groups share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) connector: Arc<Connector>,
    /// Runs after each commit. Dropped with the last connection.
    pub(crate) committed: Arc<dyn Fn(&Commit) + Send + Sync>,
}

/// A completed commit.
pub(crate) struct Commit {
    /// Number of completed requests.
    pub(crate) requests: usize,
    pub(crate) took: Duration,
    /// True if an event became available to lease.
    pub(crate) news: bool,
}

impl<Q: Request> GroupCommit<Q> {
    /// Starts the worker that runs the requests. Its connection closes after the `GroupCommit` is
    /// dropped and all waiting requests are answered. If `session` is given, the connection is
    /// permanent: after a loss, the worker reconnects without waiting for a request.
    pub(crate) fn start(shared: &Shared, session: Option<Session>) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let keeps = session.is_some();
        shared.connector.is_there.send_replace(keeps);
        let outage = Outage::new(Q::FAILED);
        let shared = shared.clone();
        let worker = Worker { shared, session, keeps, outage, proven: None, said: None };
        tokio::spawn(worker.until_closed(jobs));
        Self(queue)
    }

    pub(crate) async fn ask(&self, store: &str, request: Q) -> Result<Q::Answer, StoreError> {
        self.answer(store, |reply| Asked::Do(Job { request, reply })).await
    }

    /// Queues `attempt` behind the waiting requests, and runs it on their connection. Succeeds
    /// without running it if an attempt succeeded on this connection in the last 10 s and no
    /// request has failed since.
    pub(crate) async fn attempt(&self, store: &str, attempt: Attempt) -> Result<(), StoreError> {
        self.answer(store, |reply| Asked::Try(attempt, reply)).await
    }

    async fn answer<T>(
        &self,
        store: &str,
        asked: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Asked<Q>,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable {
            store: store.to_string(),
            detail: "its writer has stopped; start this process again".to_string(),
        };
        self.0.send(asked(reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

struct Worker {
    shared: Shared,
    session: Option<Session>,
    keeps: bool,
    outage: Outage,
    /// Time of the last successful attempt. `None` after a failure and on a new connection.
    proven: Option<Instant>,
    /// Time of the last log line about a single failed request.
    said: Option<Instant>,
}

impl Worker {
    async fn until_closed<Q: Request>(mut self, mut jobs: mpsc::Receiver<Asked<Q>>) {
        let mut batch = Vec::new();
        let (mut last_count, mut last_took) = (0, Duration::ZERO);
        let mut attempt = None;
        loop {
            let first = tokio::select! {
                biased;
                first = jobs.recv() => first,
                never = self.keep() => match never {},
            };
            match first {
                None => return,
                Some(Asked::Try(what, reply)) => attempt = Some((what, reply)),
                Some(Asked::Do(first)) => {
                    let mut bytes = first.request.bytes();
                    batch.push(first);
                    // Callers that were just answered often send another request. Waits for as many
                    // requests as the last group had, but only for a small part of the duration of
                    // a commit.
                    let gathered = tokio::time::Instant::now().checked_add(last_took / GATHER);
                    while batch.len() < BATCH && bytes < BATCH_BYTES {
                        let next = match (jobs.try_recv(), gathered) {
                            (Ok(next), _) => next,
                            (Err(_), Some(until)) if batch.len() < last_count => {
                                let waited = tokio::time::timeout_at(until, jobs.recv()).await;
                                let Ok(Some(next)) = waited else { break };
                                next
                            }
                            _ => break,
                        };
                        match next {
                            Asked::Do(next) => {
                                bytes = bytes.saturating_add(next.request.bytes());
                                batch.push(next);
                            }
                            Asked::Try(what, reply) => {
                                attempt = Some((what, reply));
                                break;
                            }
                        }
                    }
                }
            }
            // Skips requests whose callers have given up.
            batch.retain(|job: &Job<Q>| !job.reply.is_closed());
            if !batch.is_empty() {
                let began = Instant::now();
                last_count = batch.len();
                self.serve(&mut batch).await;
                last_took = began.elapsed();
            }
            if let Some((what, reply)) = attempt.take()
                && !reply.is_closed()
            {
                let tried = self.attempt(what).await;
                let _ = reply.send(tried.map_err(|fault| fault.of(self.shared.connector.name())));
            }
        }
    }

    /// Reopens a permanent connection after a loss.
    async fn keep(&mut self) -> Infallible {
        if !self.keeps {
            return pending().await;
        }
        loop {
            match self.session().await {
                Ok(session) => session.ended().await,
                Err(_) => tokio::time::sleep(AGAIN).await,
            }
        }
    }

    async fn attempt(&mut self, what: Attempt) -> Result<(), Fault> {
        let is_connected = self.session.as_ref().is_some_and(Session::is_usable);
        if is_connected && self.proven.is_some_and(|at| at.elapsed() < PROVEN) {
            return Ok(());
        }
        self.proven = None;
        what(self.session().await?).await?;
        self.proven = Some(Instant::now());
        Ok(())
    }

    /// Runs a batch in as many transactions as necessary.
    async fn serve<Q: Request>(&mut self, batch: &mut Vec<Job<Q>>) {
        while !batch.is_empty() {
            let began = Instant::now();
            let requests: Vec<&Q> = batch.iter().map(|job| &job.request).collect();
            let done = self.run(&requests, false).await;
            *batch = match done {
                Err(fault) if batch.len() > 1 && fault.is_of_one() => {
                    self.serve_each(std::mem::take(batch)).await
                }
                Err(fault) => {
                    self.fail(std::mem::take(batch), fault);
                    Vec::new()
                }
                Ok(answers) => self.answer(std::mem::take(batch), answers, began),
            };
            batch.retain(|job| !job.reply.is_closed());
        }
    }

    /// Runs each request in its own transaction. Returns the requests that must run later. All
    /// remaining requests fail after a fault that is not caused by one request. They also fail if
    /// waits for locks take more than half a statement timeout in total, because more than a few
    /// rows are locked.
    async fn serve_each<Q: Request>(&mut self, batch: Vec<Job<Q>>) -> Vec<Job<Q>> {
        let (mut left, mut waited) = (Vec::new(), Duration::ZERO);
        let mut jobs = batch.into_iter();
        while let Some(job) = jobs.next() {
            if job.reply.is_closed() {
                continue;
            }
            let began = Instant::now();
            match self.run(&[&job.request], true).await {
                Ok(answers) => left.extend(self.answer(vec![job], answers, began)),
                Err(fault) => {
                    if fault.is_of_a_lock() {
                        waited = waited.saturating_add(began.elapsed());
                    }
                    let is_of_all =
                        !fault.is_of_one() || waited > self.shared.connector.link.limit / 2;
                    let mut failed = vec![job];
                    if is_of_all {
                        failed.extend(jobs.by_ref());
                        failed.append(&mut left);
                    }
                    self.fail(failed, fault);
                }
            }
        }
        left
    }

    /// Answers the requests that are complete or that failed. Returns the other requests.
    fn answer<Q: Request>(
        &mut self,
        batch: Vec<Job<Q>>,
        Answers { each, news }: Answers<Q>,
        began: Instant,
    ) -> Vec<Job<Q>> {
        let mut left = Vec::new();
        let requests = each.iter().filter(|done| matches!(done, Done::Answered(_))).count();
        if requests > 0 {
            self.outage.ended();
            (self.shared.committed)(&Commit { requests, took: began.elapsed(), news });
        }
        for (job, done) in batch.into_iter().zip(each) {
            match done {
                Done::Answered(answer) => {
                    let _ = job.reply.send(answer);
                }
                Done::Failed(fault) => {
                    let error = fault.of(self.shared.connector.name());
                    self.fail_one(job, error);
                }
                Done::Later => left.push(job),
            }
        }
        left
    }

    /// Answers all requests of a batch with an error.
    fn fail<Q: Request>(&mut self, batch: Vec<Job<Q>>, fault: Fault) {
        self.proven = None;
        let is_of_one = batch.len() == 1 && fault.is_of_one();
        let error = fault.of(self.shared.connector.name());
        if !is_of_one {
            self.outage.failed(batch.len(), &error);
        }
        for job in batch {
            match is_of_one {
                true => self.fail_one(job, error.clone()),
                false => drop(job.reply.send(Err(error.clone()))),
            }
        }
    }

    /// Answers one request with an error that does not affect the other requests.
    fn fail_one<Q: Request>(&mut self, job: Job<Q>, error: StoreError) {
        self.proven = None;
        if self.said.is_none_or(|said| said.elapsed() > SAID_EVERY) {
            tracing::warn!(%error, "one request failed: {}", Q::FAILED);
            self.said = Some(Instant::now());
        }
        let _ = job.reply.send(Err(error));
    }

    /// Runs a batch. Retries if another transaction interfered.
    async fn run<Q: Request>(
        &mut self,
        requests: &[&Q],
        is_brief: bool,
    ) -> Result<Answers<Q>, Fault> {
        let mut attempt = 1;
        loop {
            let session = self.session().await?;
            session.is_brief = is_brief;
            let done = Q::run(session, requests).await;
            session.is_brief = false;
            match done {
                Ok(answers) => return Ok(answers),
                Err(fault) if !fault.is_passing() => return Err(fault),
                Err(_) => {}
            }
            if attempt >= ATTEMPTS {
                let detail = "other transactions blocked it".to_string();
                return Err(Fault::Unsure { doing: "writing", detail });
            }
            // A random delay keeps two transactions from colliding repeatedly.
            let pause = Duration::from_millis(rand::random_range(0..10));
            tokio::time::sleep(pause.saturating_mul(attempt)).await;
            attempt = attempt.saturating_add(1);
        }
    }

    /// Returns the connection. Opens a new one if it is lost.
    async fn session(&mut self) -> Result<&mut Session, Fault> {
        let session = match self.session.take().filter(Session::is_usable) {
            Some(session) => session,
            None => {
                self.proven = None;
                let connector = &self.shared.connector;
                connector.is_there.send_replace(false);
                let session = connector.connect(None).await?;
                connector.is_there.send_replace(true);
                session
            }
        };
        Ok(self.session.insert(session))
    }
}
