//! The store on SQLite.
//!
//! ```text
//! fault   errors about the file
//! schema  identification and creation of the file, settings of connections
//! writer  the state of the thread that writes (`messaging_journal::sqlite`)
//! put     storing an entry
//! lease   the order of leases; lease, ack, nack, extend, release, requeue, prune; clock jumps
//! read    lists and counts
//! copy    backups, and their restore
//! row     a row of the table of events
//! ```
//!
//! The file has a WAL. Any number of processes on one machine can use the file. The file must be on
//! a local disk.

mod copy;
mod fault;
mod lease;
mod put;
mod read;
mod row;
mod schema;
mod writer;

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use messaging_journal::sqlite::{Jobs, Mode, Step, Writer, ask};
use rusqlite::Connection;
use tokio::sync::watch;

use crate::activity::{self, Counters};
use crate::backend::{Backend, Database, Put, Reads, Reply};
use crate::error::{self, StoreError};
use crate::model::{
    self, DeadFilter, Due, Event, Filter, Kinds, Old, Pruned, Queue, Requeued, Retry, State,
    Stored, Summary,
};
use crate::outage::Outage;
use crate::{Age, Clock, Options, trace};
pub(crate) use copy::copy;
use put::Compared;
use read::Readers;
use schema::Location;
pub(crate) use schema::check_name;
use writer::{Batch, Inbox, Tables};

/// Maximum number of events that one transaction requeues, because other writers wait for it.
const REQUEUE_BATCH: u32 = 200;

/// A file that is open for reading and writing.
pub(crate) struct Sqlite {
    location: Location,
    clock: Clock,
    jobs: Jobs<Tables>,
    readers: Readers,
}

impl Sqlite {
    pub(crate) fn open(
        path: &Path,
        options: Options,
        on_step: Option<Step>,
    ) -> Result<Database, StoreError> {
        let location = schema::location(path, options.put_timeout)?;
        let opened = schema::open(&location, options.create)?;
        let age_ms = opened.connection.query_row("SELECT age_ms FROM age", [], |row| row.get(0));
        let age_ms = age_ms.map_err(location.fault("reading its age"))?;
        let readers = Readers::new(location.clone());
        let (news_sender, news) = watch::channel(0);
        let (ended_sender, ended) = watch::channel(());
        let counters = Counters::default();
        let inbox = Inbox {
            clock: Arc::clone(&options.clock),
            age: RefCell::new(Age::new(age_ms, options.monotonic)),
            news: news_sender,
            name: location.name(),
            close_readers: Box::new({
                let readers = readers.clone();
                move || readers.forget()
            }),
            counters: counters.clone(),
            outage: Outage::new(
                "new events are not acknowledged, and the event source redelivers them",
            ),
            _ended: ended_sender,
            now_ms: 0,
            proven: None,
            is_doubted: false,
            has_probed: Cell::new(false),
            takeable: Cell::new(false),
        };
        let open = |location: &Location| schema::open(location, false);
        let writer = Writer::new(location.clone(), inbox, opened, open, on_step);
        let (jobs, _) = writer.start("inbox-writer")?;
        let clock = options.clock;
        Ok(Database {
            name: location.name(),
            clock: Arc::clone(&clock),
            reads: Arc::new(readers.clone()),
            backend: Arc::new(Self { location, clock, jobs, readers }),
            news,
            counters,
            ended,
        })
    }

    fn write<T, F>(&self, work: F) -> Reply<'_, T>
    where
        T: Send + 'static,
        F: FnOnce(&Batch<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        self.ask(Mode::Write, work)
    }

    fn ask<T, F>(&self, mode: Mode, work: F) -> Reply<'_, T>
    where
        T: Send + 'static,
        F: FnOnce(&Batch<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        Box::pin(async move {
            let gone =
                || self.location.unavailable("its writer has stopped; start this process again");
            ask(&self.jobs, mode, work).await.ok_or_else(gone)?
        })
    }
}

impl Backend for Sqlite {
    fn put(&self, put: Put) -> Reply<'_, Stored> {
        let Put { entry, trace, replays } = put;
        let compared = Compared::of(&entry.json, replays);
        self.write(move |batch| put::put(batch, &entry, trace.as_ref(), compared))
    }

    fn lease(
        &self,
        queue: Queue,
        kinds: Kinds,
        limit: u32,
        lease: Duration,
    ) -> Reply<'_, Vec<Event>> {
        // The lease is rolled back if the caller is gone.
        self.ask(Mode::WriteIfHeard, move |batch| lease::lease(batch, queue, &kinds, limit, lease))
    }

    fn ack(&self, id: i64, lease: String) -> Reply<'_, bool> {
        self.write(move |batch| lease::ack(batch, id, &lease))
    }

    fn extend(&self, id: i64, lease: String, by: Duration) -> Reply<'_, ()> {
        self.write(move |batch| lease::extend(batch, id, &lease, by))
    }

    fn nack(&self, id: i64, lease: String, error: String, retry: Retry) -> Reply<'_, State> {
        self.write(move |batch| lease::nack(batch, id, &lease, &error, retry))
    }

    fn release(&self, id: i64, lease: Option<String>) -> Reply<'_, ()> {
        self.write(move |batch| lease::release(batch, id, lease.as_deref()))
    }

    fn requeue(&self, id: i64) -> Reply<'_, bool> {
        self.write(move |batch| lease::requeue(batch, id, &DeadFilter::default()))
    }

    fn requeue_dead(&self, filter: DeadFilter, after_id: i64) -> Reply<'_, Requeued> {
        Box::pin(async move {
            // Reads the identifiers outside the writer's transaction, which then checks only rows
            // with these identifiers.
            let page = filter.clone();
            let dead = move |connection: &Connection| {
                read::dead(connection, &page, after_id, REQUEUE_BATCH)
            };
            let ids = reading(&self.readers, "looking for dead events", dead).await?;
            let last_id = ids.last().copied();
            let requeued = self.write(move |batch| {
                ids.iter().try_fold(0_u64, |count, id| {
                    let changed = lease::requeue(batch, *id, &filter)?;
                    Ok(count.saturating_add(changed.into()))
                })
            });
            Ok(Requeued { requeued: requeued.await?, last_id })
        })
    }

    fn prune(&self, old: Old) -> Reply<'_, Pruned> {
        self.write(move |batch| lease::prune(batch, old))
    }

    fn probe(&self) -> Reply<'_, ()> {
        self.write(put::probe)
    }

    fn due(&self, kinds: Kinds) -> Reply<'_, Due> {
        let now_ms = (self.clock)();
        let due = move |connection: &Connection| read::due(connection, &kinds, now_ms);
        reading(&self.readers, "looking for the next event", due)
    }
}

/// Opens a file for reading.
pub(crate) fn read_only(path: &Path) -> Result<impl Reads + use<>, StoreError> {
    let location = schema::location(path, Options::default().put_timeout)?;
    let readers = Readers::without_writer(location);
    readers.try_open()?;
    Ok(readers)
}

/// Reads on another thread without a timeout, because long lists take time. Waits for locks at most
/// as long as the writer does.
fn reading<'a, T, F>(readers: &Readers, doing: &'static str, work: F) -> Reply<'a, T>
where
    T: Send + 'static,
    F: Fn(&Connection) -> rusqlite::Result<T> + Send + 'static,
{
    let readers = readers.clone();
    Box::pin(async move {
        let store = readers.location().name();
        let reading = tokio::task::spawn_blocking(move || readers.read(doing, work));
        let gone = |error: tokio::task::JoinError| StoreError::Unavailable {
            store,
            detail: error.to_string(),
        };
        reading.await.map_err(gone)?
    })
}

impl Reads for Readers {
    fn list(&self, filter: Filter) -> Reply<'_, Vec<Event>> {
        reading(self, "listing events", move |connection| read::list(connection, &filter))
    }

    fn get(&self, id: i64) -> Reply<'_, Option<Event>> {
        reading(self, "reading an event", move |connection| read::get(connection, id))
    }

    fn first_under(&self, key: String) -> Reply<'_, Option<i64>> {
        reading(self, "looking for an event", move |connection| read::first(connection, &key))
    }

    fn summary(&self) -> Reply<'_, Summary> {
        reading(self, "counting", read::summary)
    }

    fn check(&self) -> Reply<'_, ()> {
        let store = self.location().name();
        let found = reading(self, "checking it", schema::damage);
        Box::pin(async move {
            match found.await? {
                None => Ok(()),
                Some(detail) => Err(StoreError::Damaged { store, detail }),
            }
        })
    }
}
