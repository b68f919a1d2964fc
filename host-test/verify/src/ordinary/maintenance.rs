//! The shared database, and the maintenance that runs on it during the campaign.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use messaging_postgres::server::{End, Pooler, Server};
use rand::Rng;
use rusqlite::Connection;

use super::record::Record;
use super::{Options, StoreKind};

/// Pause between two steps of maintenance.
const PAUSE: Duration = Duration::from_millis(1_500);
/// Typical pause between two failures of the database.
const BETWEEN_FAILURES: Duration = Duration::from_secs(15);
/// Time for which a long reader keeps its snapshot.
const READING: Duration = Duration::from_secs(8);

/// Settings of the server. With `auto_explain`, the server warns the client about each statement.
/// The server's log omits these warnings, because they would fill gigabytes per hour.
const SERVER: [&str; 3] =
    ["max_connections=200", "session_preload_libraries=auto_explain", "log_min_messages=error"];

/// SQL that creates the owner of the database: an ordinary role with unusual settings.
const ROLE: &str = include_str!("role.sql");

/// SQL that creates triggers. The triggers warn about each row.
const TRIGGER: &str = include_str!("trigger.sql");

/// SQL that ends the connections of all other programs.
const TERMINATE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = 'ordinary' AND pid <> pg_backend_pid()";

/// SQL that rebuilds the indexes, and leaves invalid indexes if it is interrupted.
const REINDEX: &str = "REINDEX TABLE CONCURRENTLY messaging_inbox.events";

/// SQL that drops the invalid indexes of interrupted steps, because each would slow down all
/// writes.
const DROP_INVALID: &str = include_str!("drop_invalid.sql");

/// Held by the steps that fail if another session drops an index during them.
static INDEXES: Mutex<()> = Mutex::new(());

/// Steps of maintenance on PostgreSQL, as SQL.
const STEPS: [&str; 6] = [
    "ANALYZE",
    "VACUUM",
    REINDEX,
    "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM messaging_inbox.events; SELECT pg_sleep(8); COMMIT",
    "CHECKPOINT",
    "SELECT pg_stat_reset()",
];

/// SQL that waits for long readers, then locks the whole table. Runs in one of 30 steps on average.
const LOCKS: &str = "VACUUM (FULL) messaging_inbox.events";

/// The database that all processes share.
pub enum Database {
    /// The directory of the files.
    Sqlite(PathBuf),
    /// The server, and the pooler in front of it.
    Postgres(Server, Option<Box<Pooler>>),
}

impl Database {
    pub fn start(options: &Options) -> anyhow::Result<Self> {
        if options.store == StoreKind::Sqlite {
            return Ok(Self::Sqlite(options.directory.clone()));
        }
        let server = Server::start(&SERVER)?;
        server.sql("postgres", ROLE)?;
        server.sql("postgres", "CREATE DATABASE ordinary OWNER app")?;
        let pooler = Pooler::start(&server, "app", 8)?.map(Box::new);
        Ok(Self::Postgres(server, pooler))
    }

    /// Returns the location of the inbox, directly or through the pooler.
    pub fn url(&self, is_pooled: bool) -> String {
        match self {
            Self::Sqlite(directory) => directory.join("inbox.sqlite").display().to_string(),
            Self::Postgres(server, pooler) => {
                let pooler = pooler.as_ref().filter(|_| is_pooled);
                let host = pooler.map_or(server.folder(), |pooler| pooler.folder()).display();
                let port = if pooler.is_some() { 6432 } else { 5432 };
                format!("postgres:///ordinary?host={host}&port={port}&user=app")
            }
        }
    }

    /// Returns the location of the journal, directly or through the pooler.
    pub fn journal(&self, is_pooled: bool) -> String {
        match self {
            Self::Sqlite(directory) => directory.join("journal.sqlite").display().to_string(),
            Self::Postgres(..) => self.url(is_pooled),
        }
    }

    /// Adds triggers that warn. The tables must exist.
    pub fn add_trigger(&self) -> anyhow::Result<()> {
        if let Self::Postgres(server, _) = self {
            server.sql("ordinary", TRIGGER)?;
        }
        Ok(())
    }

    /// Ends all connections, or crashes the server and starts it again. Returns the name of the
    /// failure, or `None` for SQLite.
    fn fail(&self) -> anyhow::Result<Option<&'static str>> {
        let Self::Postgres(server, _) = self else { return Ok(None) };
        let end = match rand::rng().random_range(0..3) {
            0 => {
                server.sql("postgres", TERMINATE)?;
                return Ok(Some("connections terminated"));
            }
            1 => End::Killed,
            _ => End::Immediate,
        };
        server.stop(end)?;
        thread::sleep(Duration::from_millis(rand::rng().random_range(0..500)));
        server.go()?;
        Ok(Some("database crashes"))
    }

    /// Starts the pooler again if it has ended. Returns true if the pooler had ended.
    fn revive(&self) -> anyhow::Result<bool> {
        match self {
            Self::Postgres(server, Some(pooler)) => Ok(pooler.revive(server)?),
            _ => Ok(false),
        }
    }

    /// Performs one step of maintenance, and returns its name.
    fn maintain(&self, record: &Record) -> anyhow::Result<&'static str> {
        let mut random = rand::rng();
        match self {
            Self::Sqlite(directory) => {
                let file = match random.random_ratio(4, 5) {
                    true => "inbox.sqlite",
                    false => "journal.sqlite",
                };
                maintain_file(&directory.join(file), random.random_range(0..8))
            }
            Self::Postgres(server, _) if random.random_ratio(1, 30) => {
                record.locks(true);
                let done = server.sql("ordinary", LOCKS);
                record.locks(false);
                done?;
                Ok(LOCKS)
            }
            Self::Postgres(server, _) => {
                let step = STEPS.get(random.random_range(0..=STEPS.len()));
                match step {
                    Some(&REINDEX) => {
                        let _indexes = INDEXES.lock().unwrap_or_else(PoisonError::into_inner);
                        server.sql("ordinary", DROP_INVALID)?;
                        server.sql("ordinary", REINDEX)?;
                    }
                    Some(sql) => {
                        server.sql("ordinary", sql)?;
                    }
                    None => {
                        let _indexes = INDEXES.lock().unwrap_or_else(PoisonError::into_inner);
                        back_up(server)?;
                    }
                }
                Ok(step.copied().unwrap_or("pg_dump"))
            }
        }
    }
}

/// Dumps the database while it is in use.
fn back_up(server: &Server) -> anyhow::Result<()> {
    let program = server.programs().join("pg_dump");
    let mut command = server.as_owner(&program.display().to_string());
    command.arg("--host").arg(server.folder()).args(["--username", "app", "ordinary"]);
    let output = command.stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "pg_dump ended with {}: {said}", output.status);
    Ok(())
}

/// Performs the maintenance operation with number `step` on an SQLite file. Returns the name of the
/// operation, for example `VACUUM`.
fn maintain_file(file: &Path, step: u32) -> anyhow::Result<&'static str> {
    if !file.exists() {
        return Ok("nothing");
    }
    let connection = Connection::open(file)?;
    // A checkpoint that waits for a reader blocks writers, so administrators keep the wait short.
    connection.busy_timeout(Duration::from_secs(1))?;
    let sql = match step {
        0 => "ANALYZE",
        1 => "VACUUM",
        2 => "PRAGMA optimize",
        3 => "PRAGMA wal_checkpoint(TRUNCATE)",
        4 => "PRAGMA wal_checkpoint(RESTART)",
        5 => "PRAGMA wal_checkpoint(PASSIVE)",
        6 => {
            let copy = file.with_extension(format!("backup-{:08x}", rand::random::<u32>()));
            connection.execute("VACUUM INTO ?1", [copy.display().to_string()])?;
            let found: String =
                Connection::open(&copy)?
                    .query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
            anyhow::ensure!(found == "ok", "a backup is damaged: {found}");
            fs::remove_file(copy)?;
            return Ok("VACUUM INTO");
        }
        _ => {
            connection.execute_batch("BEGIN")?;
            let count = "SELECT count(*) FROM sqlite_schema";
            connection.query_row(count, [], |row| row.get::<_, i64>(0))?;
            thread::sleep(READING);
            connection.execute_batch("COMMIT")?;
            return Ok("long reader");
        }
    };
    connection.execute_batch(sql)?;
    Ok(sql)
}

/// Threads that maintain the database.
pub struct Maintenance {
    ends: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

/// Returns true if a step failed because another program holds a lock.
fn is_busy(error: &anyhow::Error) -> bool {
    const LOCKED: [&str; 7] = [
        "is locked",
        "schema has changed",
        "deadlock detected",
        "lock timeout",
        "statement timeout",
        "concurrent",
        "could not serialize",
    ];
    let text = format!("{error:#}");
    LOCKED.iter().any(|locked| text.contains(locked))
}

/// Starts the maintenance: two threads, because readers and backups take long. If `may_fail` is
/// true, the campaign crashes the database, and a step can fail for any reason.
pub fn start(database: Arc<Database>, record: Arc<Record>, may_fail: bool) -> Maintenance {
    let ends = Arc::new(AtomicBool::new(false));
    let maintain = |_| {
        let (database, record, ends) =
            (Arc::clone(&database), Arc::clone(&record), Arc::clone(&ends));
        thread::spawn(move || {
            while !ends.load(Ordering::SeqCst) {
                match database.maintain(&record).context("maintenance") {
                    Ok(step) => record.count(&format!("maintenance: {step}")),
                    Err(error) if may_fail || is_busy(&error) => record.count("maintenance: busy"),
                    Err(error) => record.violation(format!("{error:#}")),
                }
                thread::sleep(PAUSE);
            }
        })
    };
    let threads = (0..2).map(maintain).collect();
    Maintenance { ends, threads }
}

/// Starts a thread that makes the database fail at intervals, and restarts an ended pooler.
pub fn start_failures(database: Arc<Database>, record: Arc<Record>) -> Maintenance {
    let ends = Arc::new(AtomicBool::new(false));
    let has_ended = Arc::clone(&ends);
    let thread = thread::spawn(move || {
        let mut next = Instant::now() + PAUSE;
        while !has_ended.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(50));
            match database.revive() {
                Ok(false) => {}
                Ok(true) => {
                    record.fails(true);
                    record.count("PgBouncer ended unexpectedly");
                    record.fails(false);
                }
                Err(error) => record.violation(format!("PgBouncer does not return: {error:#}")),
            }
            if Instant::now() < next {
                continue;
            }
            record.fails(true);
            match database.fail() {
                Ok(Some(failure)) => record.count(failure),
                Ok(None) => {}
                Err(error) => {
                    record.violation(format!("the database did not start again: {error:#}"))
                }
            }
            record.fails(false);
            next = Instant::now() + BETWEEN_FAILURES.mul_f64(rand::rng().random_range(0.5..1.5));
        }
    });
    Maintenance { ends, threads: vec![thread] }
}

impl Maintenance {
    /// Stops the threads after their current steps.
    pub async fn stop(self) {
        self.ends.store(true, Ordering::SeqCst);
        let join = move || self.threads.into_iter().for_each(|thread| drop(thread.join()));
        let _ = tokio::task::spawn_blocking(join).await;
    }
}
