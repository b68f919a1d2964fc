//! The inbox on PostgreSQL, shared by any number of servers. Implements [`messaging_inbox::Store`].
//!
//! ```text
//! put       storing entries
//! work      lease, nack, extend, release, requeue, prune, next due time
//! read      lists and counts
//! event     conversion of a row to an event
//! listen    hints between servers
//! clock     the database's clock
//! ```
//!
//! An entry is acknowledged after its COMMIT has returned. If the connection is lost earlier, the
//! entry is not acknowledged, but it may be stored. Its redelivery is then a duplicate.

mod clock;
mod event;
mod listen;
mod put;
mod read;
mod retention;
mod work;

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use messaging_inbox::{
    Age, Backend, Counters, Database, DeadFilter, Due, Event, Kinds, Old, Pruned, Put, Queue,
    ReadStore, Reply, Requeued, Retry, State, Store, StoreError, Stored,
};
use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;

use crate::client::connector::Connector;
use crate::client::fault::Fault;
use crate::client::group::{Commit, GroupCommit, Shared};
use crate::client::link::Access;
use crate::client::pool::{Pool, on};
use crate::client::schema;
use crate::client::tables::{Tables, Unique};
use crate::options::Options;
use crate::target::Target;
use clock::DatabaseClock;
use put::Storing;
use read::Readers;
use work::Ack;

static TABLES: Tables = Tables {
    schema: "messaging_inbox",
    version: 2,
    create: include_str!("inbox/schema.sql"),
    creators: "`messaging serve`",
    numbered: &["events", "tally"],
    unique: &[
        Unique {
            table: "events",
            columns: "sha256,copy",
            is_partial: false,
            create: "CREATE UNIQUE INDEX events_key ON messaging_inbox.events (sha256(idempotency_key), copy)",
        },
        Unique {
            table: "events",
            columns: "digest",
            is_partial: true,
            create: "CREATE UNIQUE INDEX events_digest ON messaging_inbox.events (digest) WHERE digest IS NOT NULL",
        },
        Unique {
            table: "events",
            columns: "id",
            is_partial: false,
            create: "ALTER TABLE messaging_inbox.events ADD PRIMARY KEY (id)",
        },
    ],
};

/// Number of connections for writes other than storing and acknowledging, which have one connection
/// each.
const WORKING: usize = 4;
/// Number of connections for reads.
const READING: usize = 4;

/// Tells this process and other processes that an event is available to lease.
#[derive(Clone)]
struct News {
    here: watch::Sender<u64>,
    elsewhere: Arc<Notify>,
}

impl News {
    fn tell(&self) {
        self.hear();
        self.elsewhere.notify_one();
    }

    fn hear(&self) {
        self.here.send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// Opens the store in a database and creates missing tables. Requires a tokio runtime with time and
/// I/O enabled, on which the connections run.
///
/// # Errors
/// - Returns [`StoreError::NotSetUp`] if the database or its settings are unsuitable.
/// - Returns [`StoreError::NotAStore`] if the schema belongs to another program.
/// - Returns [`StoreError::OtherSchema`] if the tables have another version.
/// - Returns [`StoreError::Unavailable`] if the database does not respond.
pub async fn open(target: &Target, options: Options) -> Result<Store, StoreError> {
    if options.warns && target.is_remote_cleartext() {
        tracing::warn!(
            "connection to another machine without TLS (sslmode=disable): anyone on the network can read the events"
        );
    }
    let storing = Connector::new(target, &options, Access::Write, &TABLES, None)?;
    let mut session = schema::prepare(&storing, options.create, options.warns).await?;
    let of = |fault: Fault| fault.of(storing.name());
    let age_ms = retention::age(&mut session, 0).await.map_err(of)?;
    let (_, now_ms) = work::due(&mut session, &Kinds::All).await.map_err(of)?;
    let writing = Connector::new(target, &options, Access::Write, &TABLES, Some(&storing))?;
    let reading = Connector::new(target, &options, Access::Look, &TABLES, Some(&storing))?;

    let (ended_sender, ended) = watch::channel(());
    let (here, news) = watch::channel(0);
    let news_sender = News { here, elsewhere: Arc::new(Notify::new()) };
    let clock = Arc::new(DatabaseClock::new(now_ms));
    let counters = Counters::default();
    let listener =
        tokio::spawn(listen::run(Arc::clone(&writing), news_sender.clone(), Arc::clone(&clock)));
    let (counting, telling) = (counters.clone(), news_sender.clone());
    let committed = move |commit: &Commit| {
        // Keeps the sender alive until the last connection is dropped.
        let _ = &ended_sender;
        counting.committed(commit.requests, commit.took);
        if commit.news {
            telling.tell();
        }
    };
    let shared = Shared { connector: storing, committed: Arc::new(committed) };
    let acking = Shared { connector: Arc::clone(&writing), ..shared.clone() };
    let readers = Arc::new(Pool::new(reading, READING));
    let backend = Postgres {
        puts: GroupCommit::start(&shared, Some(session)),
        acks: GroupCommit::start(&acking, None),
        pool: Arc::new(Pool::new(writing, WORKING)),
        readers: Arc::clone(&readers),
        clock: Arc::clone(&clock),
        age: Mutex::new(Age::new(age_ms, options.monotonic)),
        counters: counters.clone(),
        tell: news_sender,
        listener: listener.abort_handle(),
    };
    let database = Database {
        name: target.to_string(),
        clock: Arc::new(move || clock.now_ms()),
        backend: Arc::new(backend),
        reads: Arc::new(Readers { pool: readers }),
        news,
        counters,
        ended,
    };
    Ok(Store::over(database, options.timeout, options.replays))
}

/// Opens the store in a database for reading. The server can be a standby, and the role needs no
/// right to write.
///
/// # Errors
/// Returns the errors of [`open`].
pub async fn open_to_read(target: &Target, options: &Options) -> Result<ReadStore, StoreError> {
    let connector = Connector::new(target, options, Access::Read, &TABLES, None)?;
    schema::check(&connector).await?;
    let pool = Arc::new(Pool::new(connector, READING));
    Ok(ReadStore::over(Arc::new(Readers { pool })))
}

/// An inbox that is open for writing.
struct Postgres {
    puts: GroupCommit<Storing>,
    acks: GroupCommit<Ack>,
    pool: Arc<Pool>,
    readers: Arc<Pool>,
    clock: Arc<DatabaseClock>,
    age: Mutex<Age>,
    counters: Counters,
    tell: News,
    listener: AbortHandle,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

impl Postgres {
    fn store(&self) -> &str {
        self.pool.connector().name()
    }

    /// Runs a request in its own transaction. Notifies other processes if `news` returns true.
    fn in_own_transaction<'a, T: Send + 'a>(
        &'a self,
        work: impl Future<Output = Result<T, StoreError>> + Send + 'a,
        news: impl Fn(&T) -> bool + Send + 'a,
    ) -> Reply<'a, T> {
        Box::pin(async move {
            let began = std::time::Instant::now();
            let done = work.await?;
            self.counters.committed(1, began.elapsed());
            if news(&done) {
                self.tell.tell();
            }
            Ok(done)
        })
    }
}

impl Backend for Postgres {
    fn put(&self, put: Put) -> Reply<'_, Stored> {
        let storing = Storing::new(put);
        Box::pin(async move { self.puts.ask(self.store(), storing).await })
    }

    fn lease(
        &self,
        queue: Queue,
        kinds: Kinds,
        limit: u32,
        lease: Duration,
    ) -> Reply<'_, Vec<Event>> {
        // If the future is dropped before COMMIT is sent, the server rolls back.
        let leased = async move {
            let (events, now_ms) =
                on!(self.pool, session => work::lease(session, queue, &kinds, limit, lease))?;
            now_ms.into_iter().for_each(|now_ms| self.clock.learn(now_ms));
            Ok(events)
        };
        self.in_own_transaction(leased, |_| false)
    }

    fn ack(&self, id: i64, lease: String) -> Reply<'_, bool> {
        Box::pin(async move { self.acks.ask(self.store(), Ack { id, lease }).await })
    }

    fn extend(&self, id: i64, lease: String, by: Duration) -> Reply<'_, ()> {
        let extended =
            async move { on!(self.pool, session => work::extend(session, id, &lease, by)) };
        self.in_own_transaction(extended, |()| false)
    }

    fn nack(&self, id: i64, lease: String, error: String, retry: Retry) -> Reply<'_, State> {
        let nacked = async move {
            on!(self.pool, session => work::nack(session, id, &lease, &error, retry))
        };
        self.in_own_transaction(nacked, |state| *state == State::Pending)
    }

    fn release(&self, id: i64, lease: Option<String>) -> Reply<'_, ()> {
        let released =
            async move { on!(self.pool, session => work::release(session, id, lease.as_deref())) };
        self.in_own_transaction(released, |()| true)
    }

    fn requeue(&self, id: i64) -> Reply<'_, bool> {
        let requeued = async move { on!(self.pool, session => work::requeue(session, id)) };
        self.in_own_transaction(requeued, |requeued| *requeued)
    }

    fn requeue_dead(&self, filter: DeadFilter, after_id: i64) -> Reply<'_, Requeued> {
        let requeued = async move {
            on!(self.pool, session => work::requeue_dead(session, &filter, after_id))
        };
        self.in_own_transaction(requeued, |step| step.requeued > 0)
    }

    fn prune(&self, old: Old) -> Reply<'_, Pruned> {
        let pruned = async move {
            let mut before_ms = 0;
            if let Old::Measured(older_than) = old {
                let age = || self.age.lock().unwrap_or_else(PoisonError::into_inner);
                let measured_ms = age().measure();
                let known_ms = on!(self.pool, session => retention::age(session, measured_ms))?;
                let mut age = age();
                age.learn(known_ms);
                before_ms = age.before(older_than);
            }
            on!(self.pool, session => retention::prune(session, old, before_ms))
        };
        self.in_own_transaction(pruned, |_| false)
    }

    fn probe(&self) -> Reply<'_, ()> {
        Box::pin(async move { self.puts.attempt(self.store(), put::attempt).await })
    }

    fn due(&self, kinds: Kinds) -> Reply<'_, Due> {
        Box::pin(async move {
            // Asks the primary, where events are leased. A standby may lag.
            let (due, now_ms) = on!(self.readers, session => work::due(session, &kinds))?;
            self.clock.learn(now_ms);
            Ok(due)
        })
    }
}
