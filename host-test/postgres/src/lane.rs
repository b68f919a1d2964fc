//! Group commit: requests that wait go in one transaction, each answered once that has returned.
//! While it waits for the disk, the next one gathers: a second connection would halve them both.

use std::sync::Arc;
use std::time::{Duration, Instant};

use messaging_inbox::{Step, StoreError};
use tokio::sync::{Mutex, mpsc, oneshot};

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

/// A request that waits.
pub(crate) struct Job<Q: Request> {
    pub(crate) request: Q,
    reply: oneshot::Sender<Result<Q::Answer, StoreError>>,
}

/// A kind of request that is carried out many at a time.
pub(crate) trait Request: Sized + Send + Sync + 'static {
    type Answer: Send + 'static;

    /// Consequence of a commit that failed, for a log.
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
pub(crate) struct Lane<Q: Request>(mpsc::Sender<Job<Q>>);

/// State that the connections of all lanes share.
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
    /// Starts a lane of so many connections. They end when this is dropped and all that waits is
    /// answered.
    pub(crate) fn start(shared: &Shared, connections: usize) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..connections {
            let worker = Worker { shared: shared.clone(), session: None };
            tokio::spawn(worker.until_closed(Arc::clone(&jobs)));
        }
        Self(queue)
    }

    pub(crate) async fn ask(&self, store: &str, request: Q) -> Result<Q::Answer, StoreError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable {
            store: store.to_string(),
            detail: "its writer has stopped; start this process again".to_string(),
        };
        self.0.send(Job { request, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

struct Worker {
    shared: Shared,
    session: Option<Session>,
}

impl Worker {
    async fn until_closed<Q: Request>(mut self, jobs: Arc<Mutex<mpsc::Receiver<Job<Q>>>>) {
        let mut batch = Vec::new();
        let (mut last_count, mut last_took) = (0, Duration::ZERO);
        loop {
            {
                let mut jobs = jobs.lock().await;
                let Some(first) = jobs.recv().await else { return };
                let mut bytes = first.request.bytes();
                batch.push(first);
                // Those who were answered just now come again in a moment: as many as last time are
                // waited for, and no longer than a small part of what a commit takes.
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
                    bytes = bytes.saturating_add(next.request.bytes());
                    batch.push(next);
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
        }
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
                Err(fault) if batch.len() > 1 && fault.is_of_a_value() => {
                    // One of them is not for this database; the others have nothing to do with it.
                    let mut left = Vec::new();
                    for job in batch.drain(..) {
                        let alone = self.run(&[&job.request]).await;
                        left.extend(self.answer(vec![job], alone, Instant::now()));
                    }
                    left
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

    /// Answers those that are carried out, or all with an error; returns the others.
    fn answer<Q: Request>(
        &self,
        batch: Vec<Job<Q>>,
        done: Result<Answers<Q>, Fault>,
        began: Instant,
    ) -> Vec<Job<Q>> {
        let mut left = Vec::new();
        match done {
            Ok(Answers { each, news }) => {
                let requests = each.iter().flatten().count();
                let took = began.elapsed();
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
                tracing::warn!(%error, requests = batch.len(), "a commit failed: {}", Q::FAILED);
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
            None => self.shared.connector.connect(None).await?,
        };
        Ok(self.session.insert(session))
    }

    fn step(&self, name: &'static str) {
        if let Some(on_step) = &self.shared.on_step {
            on_step(name);
        }
    }
}
