//! The test suite of the journal, on PostgreSQL, and tests with a failing database: no acknowledged
//! value is lost, and an unacknowledged swap is reported as unknown.

mod fixture {
    use std::time::Duration;

    use messaging_journal::Journal;
    use messaging_postgres::{Options, Target};

    use crate::fixture as server;

    /// A journal in a separate database whose encoding lacks most characters.
    pub struct Fixture(Target, String);

    impl Fixture {
        pub async fn new() -> Option<Self> {
            let server = server::shared()?;
            let (name, target) = server::database(server);
            server.sql("postgres", &format!("DROP DATABASE {name}")).unwrap();
            let latin = format!("CREATE DATABASE {name} ENCODING 'LATIN1' TEMPLATE template0");
            server.sql("postgres", &latin).unwrap();
            Some(Self(target, name))
        }

        pub async fn open(&self) -> Journal {
            open(&self.0).await
        }

        /// Returns the number of deadlocks.
        pub fn deadlocks(&self) -> String {
            let deadlocks = "SELECT deadlocks FROM pg_stat_database
                WHERE datname = current_database()";
            server::shared().unwrap().sql(&self.1, deadlocks).unwrap()
        }
    }

    pub async fn open(target: &Target) -> Journal {
        // A long timeout, because other tests load the machine.
        let options = Options { timeout: Duration::from_secs(30), ..Options::default() };
        messaging_postgres::journal::open(target, options).await.unwrap()
    }
}
#[path = "../../../journal/tests/suite/mod.rs"]
mod suite;

use std::sync::atomic::Ordering;

use crate::fixture::proxy::Proxy;
use crate::fixture::{as_role, claim, open_journal, shared_database, until};
use fixture::open;
use messaging_journal::{JournalError, Swapped};
use messaging_postgres::Options;

fn is_in_doubt<T>(answer: &Result<T, JournalError>) -> bool {
    matches!(answer, Err(JournalError::Unavailable { .. }))
}

fn stale(text: &str) -> Swapped {
    Swapped::Stale(Some(text.into()))
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_swaps_share_commit() {
    let Some((server, name, target)) = shared_database() else { return };
    let journal = open(&target).await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..500 {
        let journal = journal.clone();
        tasks.spawn(async move { journal.swap(&format!("k{number}"), None, "t").await.unwrap() });
    }
    assert!(tasks.join_all().await.iter().all(|one| *one == Swapped::Swapped));
    // Counts the transactions that inserted rows.
    let commits = "SELECT count(DISTINCT xmin::text) FROM messaging_journal.entries";
    let commits: u32 = server.sql(&name, commits).unwrap().parse().unwrap();
    assert!(commits < 100, "{commits} commits for 500 swaps");
}

#[tokio::test(flavor = "multi_thread")]
async fn connection_lost_in_swap_is_unknown() {
    let Some((server, name, _)) = shared_database() else { return };
    let proxy = Proxy::start(server.folder(), "INSERT INTO messaging_journal.entries");
    let journal = open_journal(&proxy.target(&name)).await.unwrap();
    journal.swap("before", None, "text").await.unwrap();
    proxy.cut_next_commit();
    let answer = journal.swap("k", None, "mine").await;
    assert!(is_in_doubt(&answer), "{answer:?}");
    assert_eq!(proxy.cuts.load(Ordering::SeqCst), 1);
    // A retry finds the value and recognizes it.
    assert_eq!(claim(&journal, "k", "mine").await, stale("mine"));
    proxy.cut_all();
    assert_eq!(claim(&journal, "k", "another").await, stale("mine"));
}

#[tokio::test]
async fn reader_needs_no_write_privilege() {
    let Some((server, name, target)) = shared_database() else { return };
    let reading = Options { create: false, ..Options::default() };
    let none = messaging_postgres::journal::open(&target, reading.clone()).await.err().unwrap();
    assert!(none.to_string().contains("no tables in the schema messaging_journal"), "{none}");
    let said = async || {
        let opened = messaging_postgres::journal::open_to_read(&target, &reading).await;
        let Err(JournalError::NotSetUp { detail, .. }) = opened else { panic!("opened") };
        detail
    };
    assert!(said().await.contains("`messaging send --once` creates"));
    let set = |mode: &str| format!("ALTER DATABASE {name} SET synchronous_commit = {mode}");
    server.sql("postgres", &set("off")).unwrap();
    assert!(said().await.contains("`synchronous_commit` is off"));
    server.sql("postgres", &set("on")).unwrap();
    let journal = open(&target).await;
    let rights = format!(
        "CREATE ROLE auditor_{name} LOGIN; GRANT USAGE ON SCHEMA messaging_journal TO auditor_{name};
        GRANT SELECT ON ALL TABLES IN SCHEMA messaging_journal TO auditor_{name}"
    );
    server.sql(&name, &rights).unwrap();
    let auditor = as_role(server, &name, &format!("auditor_{name}"));
    let reader = messaging_postgres::journal::open_to_read(&auditor, &reading).await.unwrap();
    journal.swap("k", None, "1").await.unwrap();
    assert_eq!(reader.get("k").await.unwrap().as_deref(), Some("1"));
    assert_eq!(reader.get("none").await.unwrap(), None);
    assert_eq!(reader.list(None).await.unwrap().items, [("k".to_string(), "1".to_string())]);
    let answer = reader.swap("k", Some("1"), "2").await;
    assert!(matches!(answer, Err(JournalError::NotSetUp { .. })), "{answer:?}");
}

/// Runs every query on a large table, and checks that each uses an index.
#[tokio::test]
async fn no_statement_reads_whole_table() {
    let Some((server, name, target)) = shared_database() else { return };
    drop(open(&target).await);
    // Creating the tables scans them. The server counts these scans when the session ends.
    let sessions = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}'");
    until(server, "postgres", &sessions, "0").await;
    // The table has no statistics, as after a burst.
    let fill = "INSERT INTO messaging_journal.entries
        SELECT convert_to('k' || to_char(n, 'FM0000000'), 'UTF8'), 'text'
        FROM generate_series(1, 20000) AS n";
    server.sql(&name, fill).unwrap();
    server.sql(&name, "SELECT pg_stat_reset()").unwrap();
    let journal = open(&target).await;
    for number in [1, 7_000, 19_999] {
        let key = format!("k{number:07}");
        assert_eq!(journal.get(&key).await.unwrap().as_deref(), Some("text"));
        assert_eq!(journal.swap(&key, Some("text"), "new").await.unwrap(), Swapped::Swapped);
        assert_eq!(journal.swap(&key, Some("text"), "new").await.unwrap(), stale("new"));
        assert_eq!(journal.swap(&key, None, "new").await.unwrap(), stale("new"));
        assert!(!journal.list(Some(&key)).await.unwrap().items.is_empty());
    }
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..500 {
        let journal = journal.clone();
        tasks.spawn(async move {
            journal.swap(&format!("k{number:07}"), Some("other"), "new").await.unwrap()
        });
    }
    tasks.join_all().await;
    // Sessions report their scans when they end.
    drop(journal);
    let scans = "SELECT CASE WHEN idx_scan > 20 THEN seq_scan END
        FROM pg_stat_user_tables WHERE relname = 'entries'";
    until(server, &name, scans, "0").await;
}
