//! Group commit: requests that wait go in one transaction, each answered once that has returned.
//! While it waits for the disk, the next one gathers: a second connection would halve them both.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use messaging_inbox::{Outage, Step, StoreError};
use tokio::sync::{mpsc, oneshot};

use crate::fault::Fault;
use crate::pool::ATTEMPTS;
use crate::schema::{self, Tables};
use crate::session::{Connector, Session};

/// Requests that wait; beyond it, callers wait to be let in.
const QUEUE: usize = 1024;
/// The most requests in one transaction, and the most bytes: more of them gain little, and all
/// wait for it.
const BATCH: usize = 1024;
const BATCH_BYTES: usize = 8 * 1024 * 1024;
/// Part of a commit's time for which the next one gathers.
const GATHER: u32 = 8;
/// Pause before a connection that is kept is made again.
const AGAIN: Duration = Duration::from_millis(200);

/// A request that waits.
pub(crate) struct Job<Q: Request> {
    pub(crate) request: Q,
    reply: oneshot::Sender<Result<Q::Answer, StoreError>>,
}

/// Tries what a request would do, and leaves nothing behind; false where the database is not
/// [safe](schema::is_safe) to write to.
pub(crate) type Attempt = fn(&mut Session) -> BoxFuture<'_, Result<bool, Fault>>;

/// An entry of the queue.
enum Asked<Q: Request> {
    Do(Job<Q>),
    Try(Attempt, oneshot::Sender<Result<(), StoreError>>),
}

/// A kind of request that is carried out many at a time.
pub(crate) trait Request: Sized + Send + Sync + 'static {
    type Answer: Send + 'static;

    /// Consequence of commits that fail, for a log.
    const FAILED: &'static str;

    /// Its size in bytes, about.
    fn bytes(&self) -> usize;

    /// Carries out requests, all or some, in one transaction. An answer can be an error of its
    /// request alone. None where the database is not [safe](schema::is_safe) to write to.
    fn run(
        session: &mut Session,
        requests: &[&Self],
    ) -> impl Future<Output = Result<Option<Answers<Self>>, Fault>> + Send;
}

/// Answers, one for each request.
pub(crate) struct Answers<Q: Request> {
    /// None for a request that is still to be carried out, in a transaction after this one.
    pub(crate) each: Vec<Option<Result<Q::Answer, StoreError>>>,
    /// There is something more to lease.
    pub(crate) news: bool,
}

/// Where requests wait.
pub(crate) struct Lane<Q: Request>(mpsc::Sender<Asked<Q>>);

/// State that lanes share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) connector: Arc<Connector>,
    pub(crate) tables: &'static Tables,
    pub(crate) on_step: Option<Step>,
    /// Called after each commit, with what it was. Dropped with the last connection.
    pub(crate) committed: Arc<dyn Fn(&Commit) + Send + Sync>,
}

/// A commit that has returned.
pub(crate) struct Commit {
    /// Requests that it carried out.
    pub(crate) requests: usize,
    pub(crate) took: Duration,
    /// There is something more to lease.
    pub(crate) news: bool,
}

impl<Q: Request> Lane<Q> {
    /// Starts a lane. Its connection ends when this is dropped and all that waits is answered. One
    /// that it is given is kept: made again when it is lost, before anybody asks.
    pub(crate) fn start(shared: &Shared, session: Option<Session>) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let keeps = session.is_some();
        shared.connector.is_there.send_replace(keeps);
        let outage = Outage::new(Q::FAILED);
        let worker = Worker { shared: shared.clone(), session, keeps, outage };
        tokio::spawn(worker.until_closed(jobs));
        Self(queue)
    }

    pub(crate) async fn ask(&self, store: &str, request: Q) -> Result<Q::Answer, StoreError> {
        self.answer(store, |reply| Asked::Do(Job { request, reply })).await
    }

    /// Tries on the connection of the requests, and in turn with them.
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
                    // Those who were answered just now come again in a moment: as many as last
                    // time are waited for, and no longer than a small part of what a commit takes.
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
            // Nobody waits for these any more.
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
                let _ = reply.send(tried.map_err(|fault| fault.of(&self.shared.connector.name)));
            }
        }
    }

    /// Makes the connection again whenever it is lost, if it is one to be kept.
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
        let (connector, tables) = (Arc::clone(&self.shared.connector), self.shared.tables);
        let session = self.session().await?;
        if what(session).await? {
            return Ok(());
        }
        schema::unsafe_because(session, tables, &connector).await?;
        Err(Fault::Unsure { doing: "trying a write", detail: "it kept nothing".to_string() })
    }

    /// Carries out a batch, in as many transactions as it takes.
    async fn serve<Q: Request>(&mut self, batch: &mut Vec<Job<Q>>) {
        while !batch.is_empty() {
            let began = Instant::now();
            self.step("begin");
            let requests: Vec<&Q> = batch.iter().map(|job| &job.request).collect();
            let done = self.run(&requests).await;
            self.step("after-commit");
            *batch = match done {
                Err(fault) if batch.len() > 1 && fault.is_of_one() => {
                    // One of them is not for this database, or waits for somebody; the others have nothing
                    // to do with it.
                    self.serve_each(std::mem::take(batch)).await
                }
                done => {
                    let is_done = done.is_ok();
                    let left = self.answer(std::mem::take(batch), done, began);
                    if is_done {
                        self.step("answered");
                    }
                    left
                }
            };
        }
    }

    /// Carries out each request by itself; returns what is left to do. The second one that meets a lock
    /// is the last that is tried: that is no longer one row.
    async fn serve_each<Q: Request>(&mut self, batch: Vec<Job<Q>>) -> Vec<Job<Q>> {
        let mut left = Vec::new();
        let mut locked = false;
        let mut jobs = batch.into_iter();
        while let Some(job) = jobs.next() {
            let alone = self.run(&[&job.request]).await;
            let is_locked = alone.as_ref().is_err_and(Fault::is_of_a_lock);
            let mut answered = vec![job];
            if is_locked && locked {
                answered.extend(jobs.by_ref());
            }
            locked |= is_locked;
            left.extend(self.answer(answered, alone, Instant::now()));
        }
        left
    }

    /// Answers those that are carried out, or all with an error; returns the others.
    fn answer<Q: Request>(
        &mut self,
        batch: Vec<Job<Q>>,
        done: Result<Answers<Q>, Fault>,
        began: Instant,
    ) -> Vec<Job<Q>> {
        let mut left = Vec::new();
        match done {
            Ok(Answers { each, news }) => {
                let requests = each.iter().flatten().count();
                let took = began.elapsed();
                self.outage.ended();
                (self.shared.committed)(&Commit { requests, took, news });
                for (job, answer) in batch.into_iter().zip(each) {
                    match answer {
                        Some(answer) => drop(job.reply.send(answer)),
                        None => left.push(job),
                    }
                }
            }
            Err(fault) => {
                let error = fault.of(&self.shared.connector.name);
                match &error {
                    // The others go on.
                    StoreError::Refused { .. } => tracing::warn!(%error, "{}", Q::FAILED),
                    error => self.outage.failed(batch.len(), error),
                }
                for job in batch {
                    let _ = job.reply.send(Err(error.clone()));
                }
            }
        }
        left
    }

    /// Runs a batch; again where another transaction stood in its way.
    async fn run<Q: Request>(&mut self, requests: &[&Q]) -> Result<Answers<Q>, Fault> {
        let (connector, tables) = (Arc::clone(&self.shared.connector), self.shared.tables);
        let mut attempt = 1;
        loop {
            let session = self.session().await?;
            let done = Q::run(session, requests).await;
            match done {
                Ok(Some(answers)) => return Ok(answers),
                Ok(None) => {
                    schema::unsafe_because(session, tables, &connector).await?;
                }
                Err(fault) if !fault.is_passing() => return Err(fault),
                Err(_) => {}
            }
            if attempt >= ATTEMPTS {
                let detail = "other transactions stood in its way".to_string();
                return Err(Fault::Unsure { doing: "writing", detail });
            }
            // So that two do not meet again and again.
            let pause = Duration::from_millis(rand::random_range(0..10));
            tokio::time::sleep(pause.saturating_mul(attempt)).await;
            attempt = attempt.saturating_add(1);
        }
    }

    /// The connection, made anew where it is gone.
    async fn session(&mut self) -> Result<&mut Session, Fault> {
        let session = match self.session.take().filter(Session::is_usable) {
            Some(session) => session,
            None => {
                let connector = &self.shared.connector;
                connector.is_there.send_replace(false);
                let session = connector.connect(None).await?;
                connector.is_there.send_replace(true);
                session
            }
        };
        Ok(self.session.insert(session))
    }

    fn step(&self, name: &'static str) {
        if let Some(on_step) = &self.shared.on_step {
            on_step(name);
        }
    }
}
