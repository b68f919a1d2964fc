//! Tests with a database that other programs use: these programs lock rows, make inserts fail or
//! have no effect, remove indexes and change passwords. Each request gets its own result, and
//! delays no other request.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::fixture::proxy::Proxy;
use crate::fixture::{
    self, MINUTE, admit, as_role, delete_events, entry, is_not_set_up, journal_refused,
    lock_events, open_journal, open_quick, pair, plain, server, shared_database, until,
};
use messaging_inbox::{Entry, Filter, Kinds, Replays, Store, StoreError, Stored};
use messaging_journal::JournalError;
use messaging_postgres::server::Server;
use messaging_postgres::{Options, PASSWORD_FILE, Password, Target};
use tokio::task::JoinSet;

/// Puts all entries concurrently, and returns the result of each.
async fn put_all(
    store: &Store,
    keys: impl IntoIterator<Item = String>,
) -> Vec<(String, Result<Stored, StoreError>)> {
    let mut tasks = JoinSet::new();
    for key in keys {
        let store = store.clone();
        tasks.spawn(async move { (key.clone(), store.put(entry(key)).await) });
    }
    tasks.join_all().await
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_event_fails_no_other_event() {
    let Some((server, name, _, target)) = plain() else { return };
    let options = fixture::options(Replays::Allowed);
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    let refuse = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF convert_from(NEW.idempotency_key, 'UTF8') LIKE 'raised%' THEN
                RAISE EXCEPTION 'not this one'; END IF;
            IF convert_from(NEW.idempotency_key, 'UTF8') LIKE 'cast%' THEN
                RAISE 'no number' USING ERRCODE = '22P02'; END IF;
            IF convert_from(NEW.idempotency_key, 'UTF8') LIKE 'dropped%' THEN
                RETURN NULL; END IF;
            RETURN NEW; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON messaging_inbox.events
            FOR EACH ROW EXECUTE FUNCTION refuse();
        ALTER TABLE messaging_inbox.events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
        CREATE POLICY barred ON messaging_inbox.events
            WITH CHECK (convert_from(idempotency_key, 'UTF8') NOT LIKE 'barred%');
        CREATE POLICY look ON messaging_inbox.events FOR SELECT USING (true)";
    server.sql(&name, refuse).unwrap();
    const KINDS: [(&str, &str); 4] = [
        ("raised", "not this one"),
        ("cast", "no number"),
        ("dropped", "drops the write"),
        ("barred", "row-level security"),
    ];
    for round in 0..2 {
        let key = |number: usize| match KINDS.get(number % 16) {
            Some((kind, _)) => format!("{kind}-{number}-{round}"),
            None => format!("good-{number}-{round}"),
        };
        let begun = Instant::now();
        for (key, answer) in put_all(&store, (0..64).map(key)).await {
            match KINDS.iter().find(|(kind, _)| key.starts_with(kind)) {
                Some((_, said)) => is_not_set_up(&answer, said),
                None => assert_eq!(answer, Ok(Stored::Stored), "{key}"),
            }
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
    assert_eq!(store.counts().await.unwrap().pending, 2 * 48);
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_unique_index_is_refused() {
    let Some((server, name, target)) = shared_database() else { return };
    open_quick(&target).await.close().await;
    drop(open_journal(&target).await.unwrap());
    let inbox =
        async || messaging_postgres::inbox::open(&target, Options::default()).await.map(drop);
    for (lose, mend, said) in [
        (
            "DROP INDEX messaging_inbox.events_key",
            "CREATE UNIQUE INDEX any_name ON messaging_inbox.events (sha256(idempotency_key), copy)",
            "CREATE UNIQUE INDEX events_key",
        ),
        (
            "ALTER INDEX messaging_inbox.any_name RENAME TO other;
            DROP INDEX messaging_inbox.other;
            CREATE UNIQUE INDEX events_key ON messaging_inbox.events (id)",
            "REINDEX TABLE CONCURRENTLY messaging_inbox.tally;
            CREATE UNIQUE INDEX again ON messaging_inbox.events (sha256(idempotency_key), copy)",
            "(sha256(idempotency_key), copy)",
        ),
        (
            "DROP INDEX messaging_inbox.again;
            CREATE UNIQUE INDEX again ON messaging_inbox.events (sha256(idempotency_key), copy)
                WHERE id > 10",
            "CREATE UNIQUE INDEX whole ON messaging_inbox.events (sha256(idempotency_key), copy)",
            "(sha256(idempotency_key), copy)",
        ),
        (
            "CREATE TABLE messaging_inbox.slim (LIKE messaging_inbox.events
                INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING CONSTRAINTS);
            ALTER TABLE messaging_inbox.events RENAME TO before;
            ALTER TABLE messaging_inbox.slim RENAME TO events",
            "DROP TABLE messaging_inbox.events;
            ALTER TABLE messaging_inbox.before RENAME TO events",
            "CREATE UNIQUE INDEX events_key",
        ),
        (
            "ALTER TABLE messaging_inbox.events SET UNLOGGED",
            "ALTER TABLE messaging_inbox.events SET LOGGED",
            "events SET LOGGED",
        ),
    ] {
        server.sql(&name, lose).unwrap();
        is_not_set_up(&inbox().await, said);
        // Each statement runs in its own transaction.
        for sql in mend.split("; ").flat_map(|part| part.split(";\n")) {
            server.sql(&name, sql).unwrap();
        }
        assert_eq!(inbox().await, Ok(()), "{mend}");
    }
    let lose = "ALTER TABLE messaging_journal.entries DROP CONSTRAINT entries_pkey";
    server.sql(&name, lose).unwrap();
    assert!(journal_refused(&target).await.contains("ADD PRIMARY KEY"));
}

#[tokio::test]
async fn key_too_long_for_index_is_rejected() {
    let Some((_, _, target)) = shared_database() else { return };
    let journal = open_journal(&target).await.unwrap();
    // Random characters, which PostgreSQL cannot compress.
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from_digit((state >> 24) % 36, 36).unwrap()
    };
    let key: String = (0..20_000).map(|_| next()).collect();
    let answer = journal.swap(&key, None, "1").await;
    assert!(matches!(answer, Err(JournalError::Refused { .. })), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn abandoned_request_leaves_no_waiting_statement() {
    let Some((server, name, target)) = shared_database() else { return };
    // The server ends a wait for a lock after a quarter of the timeout.
    let options = Options { timeout: Duration::from_secs(20), ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    store.put(entry("a")).await.unwrap();
    let _held = lock_events(server, &name, 120).await;
    let waiting = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND datname = current_database()";
    let mut asking = JoinSet::new();
    for _ in 0..4 {
        let store = store.clone();
        asking.spawn(async move { store.lease(1, MINUTE).await });
    }
    until(server, &name, waiting, "4").await;
    asking.abort_all();
    let begun = Instant::now();
    until(server, &name, waiting, "0").await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_password_file_is_read_again() {
    let Some(server) = server(&["password_encryption=scram-sha-256"]) else { return };
    let make = "CREATE ROLE guest LOGIN PASSWORD 'first'; CREATE DATABASE guest OWNER guest";
    for sql in make.split("; ") {
        server.sql("postgres", sql).unwrap();
    }
    admit(&server, "local all guest scram-sha-256");
    let target = as_role(&server, "guest", "guest");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "first\n").unwrap();
    let path = file.path().to_path_buf();
    let variable = move |name: &str| (name == PASSWORD_FILE).then(|| path.clone().into());
    let password = Password::find(&target, variable).unwrap();
    let options = Options { password, ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    store.put(entry("a")).await.unwrap();
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guest'";
    // If the file is missing or empty, the last password is used.
    for (round, text) in [Some("second\n"), None, Some("")].into_iter().enumerate() {
        if text == Some("second\n") {
            server.sql("postgres", "ALTER ROLE guest PASSWORD 'second'").unwrap();
        }
        match text {
            Some(text) => std::fs::write(file.path(), text).unwrap(),
            None => std::fs::remove_file(file.path()).unwrap(),
        }
        server.sql("postgres", cut).unwrap();
        let begun = Instant::now();
        while store.put(entry(round)).await.is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "{text:?} is not used");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stalled_server_holds_keys_briefly() {
    let Some((server, name, target)) = shared_database() else { return };
    let store = open_quick(&target).await;
    let proxy = Proxy::start(server.folder(), "messaging_inbox.put(");
    let stands_still = open_quick(&proxy.target(&name)).await;
    proxy.hold_next_commit();
    let putting = tokio::spawn(async move { stands_still.put(entry("a")).await });
    let idle = "SELECT count(*) FROM pg_stat_activity
        WHERE state = 'idle in transaction' AND datname = current_database()";
    until(server, &name, idle, "1").await;
    let begun = Instant::now();
    while store.put(entry("a")).await.is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the stalled server holds the key");
    }
    drop(putting);
}

#[tokio::test]
async fn impossible_socket_is_reported() {
    let nowhere: Target = "postgres:///x?host=/no/such/folder&user=ann".parse().unwrap();
    let opened = messaging_postgres::inbox::open(&nowhere, Options::default()).await.map(drop);
    is_not_set_up(&opened, "/no/such/folder");
}

#[tokio::test(flavor = "multi_thread")]
async fn compared_event_is_stored_with_locked_keys() {
    let Some((server, name, target)) = shared_database() else { return };
    let options = Options { replays: Replays::Noticed, ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    store.put(entry("held")).await.unwrap();
    let _held = delete_events(server, &name).await;
    let mut tasks = JoinSet::new();
    for number in 0..32 {
        let store = store.clone();
        let json = format!("{{\"n\": {}}}", number % 16);
        tasks.spawn(async move { store.put(Entry { json, ..entry(number) }).await });
    }
    let mut results = tasks.join_all().await;
    results.sort_by_key(|one| format!("{one:?}"));
    let distinct: BTreeSet<_> = results.iter().map(|one| format!("{one:?}")).collect();
    assert_eq!(distinct.len(), 2, "{results:?}");
    assert_eq!(results.iter().filter(|one| **one == Ok(Stored::Stored)).count(), 16);
}

#[tokio::test(flavor = "multi_thread")]
async fn server_reads_from_primary() {
    let Some((primary, standby)) = pair() else { return };
    let encoded = |server: &Server| server.folder().display().to_string().replace('/', "%2F");
    let url = format!("postgres://inbox@{},{}/postgres", encoded(&standby), encoded(&primary));
    let store = open_quick(&url.parse().unwrap()).await;
    store.put(entry("a")).await.unwrap();
    standby.sql("postgres", "SELECT pg_wal_replay_pause()").unwrap();
    store.put(entry("b")).await.unwrap();
    assert_eq!(store.counts().await.unwrap().pending, 2);
    assert_eq!(store.list(Filter { limit: 9, ..Filter::default() }).await.unwrap().len(), 2);
    assert!(store.first_under("b").await.unwrap().is_some());
    assert_eq!(store.lease(2, MINUTE).await.unwrap().len(), 2);
    store.put(entry("c")).await.unwrap();
    assert!(store.due(Kinds::All).await.unwrap().new);
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_event_blocks_no_other() {
    let Some((server, name, target)) = shared_database() else { return };
    let store = open_quick(&target).await;
    for number in 0..6 {
        store.put(entry(number)).await.unwrap();
    }
    let damage = "UPDATE messaging_inbox.events SET json = '\\xff00' WHERE idempotency_key = '3'";
    server.sql(&name, damage).unwrap();
    let damaged = server
        .sql(&name, "SELECT id FROM messaging_inbox.events WHERE idempotency_key = '3'")
        .unwrap();
    let listed = store.list(Filter { limit: 9, ..Filter::default() }).await;
    let Err(StoreError::Damaged { detail, .. }) = listed else { panic!("{listed:?}") };
    assert!(detail.contains(&format!("event {damaged}")), "{detail}");
    let mut export = store.export();
    let mut lines = 0;
    let error = loop {
        match export.next().await.unwrap() {
            Ok(_) => lines += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(lines, 3);
    assert!(error.to_string().contains(&format!("event {damaged}")), "{error}");
    assert_eq!(store.lease(9, MINUTE).await.unwrap().len(), 5);
}
