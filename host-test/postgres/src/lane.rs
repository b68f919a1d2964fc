//! Group commit: requests that wait go in one transaction, each answered once that has returned.
//! While it waits for the disk, the next one gathers: a second connection would halve them both.
//!
//! A request that the database does not carry out, for a lock that somebody holds, a trigger, a
//! constraint, is answered by itself, and the others are carried out without it. For a while after
//! that its key is kept apart, so that its repetitions cost the others next to nothing.

use std::collections::HashMap;
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
/// How often a request is tried that the database takes without an error, and does not keep.
const TRIES: u32 = 3;
/// Time for which a key that was not carried out is kept apart, and for which it is not tried
/// again where that took time.
const APART: Duration = Duration::from_secs(10);
const NOT_AGAIN: Duration = Duration::from_secs(1);
/// Time that keys apart may take after each batch, and how many are known.
const TIME_APART: Duration = Duration::from_millis(100);
const MOST_APART: usize = 4096;

/// A request that waits.
pub(crate) struct Job<Q: Request> {
    pub(crate) request: Q,
    /// How often the database took it without an error, and did not keep it.
    tries: u32,
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

    /// Returns the part that others share with it which are not carried out for the same reason.
    fn key(&self) -> Vec<u8>;

    /// Carries out requests, all or some, in one transaction. An answer can be an error of its
    /// request alone. None where the database is not [safe](schema::is_safe) to write to.
    fn run(
        session: &mut Session,
        requests: &[&Self],
    ) -> impl Future<Output = Result<Option<Answers<Self>>, Fault>> + Send;
}

/// The outcome of a request.
pub(crate) enum Done<T> {
    /// It is carried out, or refused.
    Answered(Result<T, StoreError>),
    /// By itself, and not for the others.
    Failed(Fault),
    /// It is to be carried out in a transaction after this one.
    Later,
    /// The database reported no error, and did not do it.
    Dropped,
}

/// Answers, one for each request.
pub(crate) struct Answers<Q: Request> {
    pub(crate) each: Vec<Done<Q::Answer>>,
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
        let (shared, apart) = (shared.clone(), HashMap::new());
        let worker = Worker { shared, session, keeps, outage, apart, said: None };
        tokio::spawn(worker.until_closed(jobs));
        Self(queue)
    }

    pub(crate) async fn ask(&self, store: &str, request: Q) -> Result<Q::Answer, StoreError> {
        self.answer(store, |reply| Asked::Do(Job { request, tries: 0, reply })).await
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
    /// Keys that were not carried out just now.
    apart: HashMap<Vec<u8>, Apart>,
    /// When the log was told of one.
    said: Option<Instant>,
}

/// A key that is kept apart.
struct Apart {
    /// Until when it is not tried again.
    again: Instant,
    until: Instant,
    error: StoreError,
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
        let apart = self.take_apart(batch);
        while !batch.is_empty() {
            let began = Instant::now();
            self.step("begin");
            let requests: Vec<&Q> = batch.iter().map(|job| &job.request).collect();
            let done = self.run(&requests, false).await;
            self.step("after-commit");
            *batch = match done {
                Err(fault) if batch.len() > 1 && fault.is_of_one() => {
                    let batch = std::mem::take(batch);
                    // Each try of what is locked takes time, and of what is refused does not.
                    match fault.is_of_a_lock() {
                        true => self.serve_each(batch).await,
                        false => self.serve_parts(batch).await,
                    }
                }
                Err(fault) => {
                    self.fail(std::mem::take(batch), fault);
                    Vec::new()
                }
                Ok(answers) => {
                    let left = self.answer(std::mem::take(batch), answers, began);
                    self.step("answered");
                    self.look_why(left).await
                }
            };
            batch.retain(|job| !job.reply.is_closed());
        }
        self.serve_apart(apart).await;
    }

    /// Takes out of a batch what was not carried out just now.
    fn take_apart<Q: Request>(&mut self, batch: &mut Vec<Job<Q>>) -> Vec<Job<Q>> {
        let now = Instant::now();
        self.apart.retain(|_, known| known.until > now);
        if self.apart.is_empty() {
            return Vec::new();
        }
        let is_apart = |job: &mut Job<Q>| self.apart.contains_key(&job.request.key());
        batch.extract_if(.., is_apart).collect()
    }

    /// Carries out a batch in parts, and each request of a part by itself where that is refused: few are.
    /// Returns what is left to do.
    async fn serve_parts<Q: Request>(&mut self, mut batch: Vec<Job<Q>>) -> Vec<Job<Q>> {
        let mut left = Vec::new();
        let part = batch.len().isqrt().max(1);
        while !batch.is_empty() {
            let rest = batch.split_off(part.min(batch.len()));
            let jobs = std::mem::replace(&mut batch, rest);
            let began = Instant::now();
            let requests: Vec<&Q> = jobs.iter().map(|job| &job.request).collect();
            match self.run(&requests, true).await {
                Ok(answers) => left.extend(self.answer(jobs, answers, began)),
                Err(fault) if fault.is_of_one() => left.extend(self.serve_each(jobs).await),
                Err(fault) => {
                    let failed = jobs.into_iter().chain(batch.drain(..)).chain(left.drain(..));
                    self.fail(failed.collect(), fault);
                }
            }
        }
        self.look_why(left).await
    }

    /// Carries out each request by itself: one of them is not for this database, or waits for
    /// somebody, and the others have nothing to do with it. Returns what is left to do. Where half
    /// a statement's time has gone into waiting for locks, those are of more than a few rows.
    async fn serve_each<Q: Request>(&mut self, batch: Vec<Job<Q>>) -> Vec<Job<Q>> {
        let (mut left, mut waited) = (Vec::new(), Duration::ZERO);
        let mut jobs = batch.into_iter();
        while let Some(job) = jobs.next() {
            if job.reply.is_closed() {
                continue;
            }
            let began = Instant::now();
            match self.run(&[&job.request], true).await {
                Ok(answers) => {
                    let answered = self.answer(vec![job], answers, began);
                    left.extend(self.look_why(answered).await);
                }
                Err(fault) => {
                    if fault.is_of_a_lock() {
                        waited = waited.saturating_add(began.elapsed());
                    }
                    let is_of_all = !fault.is_of_one() || waited > self.shared.connector.limit / 2;
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

    /// Carries out what is kept apart, each by itself, and for a short time: those for which there
    /// is none are answered as before.
    async fn serve_apart<Q: Request>(&mut self, batch: Vec<Job<Q>>) {
        let all = Instant::now();
        for job in batch {
            let key = job.request.key();
            let mut left = vec![job];
            while let Some(job) = left.pop() {
                if let Some(known) = self.apart.get(&key)
                    && (known.again > Instant::now() || all.elapsed() > TIME_APART)
                {
                    let _ = job.reply.send(Err(known.error.clone()));
                } else if !job.reply.is_closed() {
                    left = self.serve_each(vec![job]).await;
                }
            }
        }
    }

    /// Looks why the database dropped requests; returns what is left to do, if anything can be.
    async fn look_why<Q: Request>(&mut self, left: Vec<Job<Q>>) -> Vec<Job<Q>> {
        if left.iter().all(|job| job.tries == 0) {
            return left;
        }
        let (connector, tables) = (Arc::clone(&self.shared.connector), self.shared.tables);
        let looked = match self.session().await {
            Ok(session) => {
                schema::unsafe_because(session, tables, &connector).await.map_err(Fault::from)
            }
            Err(fault) => Err(fault),
        };
        if let Err(fault) = looked {
            self.fail(left, fault);
            return Vec::new();
        }
        // Others may be about to do the same.
        tokio::time::sleep(Duration::from_millis(rand::random_range(0..10))).await;
        left
    }

    /// Answers those that are carried out, or failed by themselves; returns the others.
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
        for (mut job, done) in batch.into_iter().zip(each) {
            match done {
                Done::Answered(answer) => {
                    if !self.apart.is_empty() {
                        self.apart.remove(&job.request.key());
                    }
                    let _ = job.reply.send(answer);
                }
                Done::Failed(fault) => self.fail(vec![job], fault),
                Done::Later => left.push(job),
                Done::Dropped => {
                    job.tries = job.tries.saturating_add(1);
                    if job.tries < TRIES {
                        left.push(job);
                        continue;
                    }
                    let error = StoreError::NotSetUp {
                        store: self.shared.connector.name.clone(),
                        detail: "the database takes it without an error, and does not keep it: a trigger, a rule or a policy of its tables drops it, or a unique index that was added; change that".to_string(),
                    };
                    self.keep_apart(&job.request, &error, true);
                    let _ = job.reply.send(Err(error));
                }
            }
        }
        left
    }

    /// Answers all with an error. The key of a single one is kept apart, where it can be the reason.
    fn fail<Q: Request>(&mut self, batch: Vec<Job<Q>>, fault: Fault) {
        let (of_one, of_a_lock) = (fault.is_of_one(), fault.is_of_a_lock());
        let error = fault.of(&self.shared.connector.name);
        match (batch.as_slice(), &error) {
            ([job], error) if of_one => self.keep_apart(&job.request, error, of_a_lock),
            (_, error) => self.outage.failed(batch.len(), error),
        }
        for job in batch {
            let _ = job.reply.send(Err(error.clone()));
        }
    }

    /// Keeps the key of a request apart that is not carried out; `took_time` says that each try of
    /// it holds up the others.
    fn keep_apart<Q: Request>(&mut self, request: &Q, error: &StoreError, took_time: bool) {
        let (key, now) = (request.key(), Instant::now());
        if !self.apart.contains_key(&key) {
            // They may be many.
            if self.said.is_none_or(|said| now.duration_since(said) > NOT_AGAIN) {
                tracing::warn!(%error, "a request fails by itself, and the others do not: {}", Q::FAILED);
                self.said = Some(now);
            }
            if self.apart.len() >= MOST_APART {
                return;
            }
        }
        let pause = if took_time { NOT_AGAIN } else { Duration::ZERO };
        let known = Apart {
            again: now.checked_add(pause).unwrap_or(now),
            until: now.checked_add(APART).unwrap_or(now),
            error: error.clone(),
        };
        self.apart.insert(key, known);
    }

    /// Runs a batch; again where another transaction stood in its way.
    async fn run<Q: Request>(
        &mut self,
        requests: &[&Q],
        is_brief: bool,
    ) -> Result<Answers<Q>, Fault> {
        let (connector, tables) = (Arc::clone(&self.shared.connector), self.shared.tables);
        let mut attempt = 1;
        loop {
            let session = self.session().await?;
            session.is_brief = is_brief;
            let done = Q::run(session, requests).await;
            session.is_brief = false;
            match done {
                Ok(Some(answers)) => return Ok(answers),
                Ok(None) => {
                    schema::unsafe_because(session, tables, &connector).await?;
                }
                Err(fault) if fault.is_of_an_index() => {
                    schema::unsafe_because(session, tables, &connector).await?;
                    return Err(fault);
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
