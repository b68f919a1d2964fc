//! Tests with a failing database: no acknowledged event is lost, no event is stored twice, and each
//! caller gets an answer in time.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod fixture;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fixture::proxy::Proxy;
use fixture::{
    MINUTE, WARN, admit, as_role, claim, database, delete_events, end_waits, journal_refused,
    lock_events, open_journal, open_quick, pair, password, server, shared, shared_database, until,
    warn_at_commit,
};
use messaging_inbox::{Entry, Filter, Replays, State, Store, StoreError, Stored};
use messaging_journal::{JournalError, Swapped};
use messaging_postgres::server::{End, Pooler};
use messaging_postgres::{Options, Target};

fn entry(key: impl ToString, text: &str) -> Entry {
    Entry { json: format!(r#"{{"text": "{text}"}}"#), ..fixture::entry(key) }
}

async fn open(target: &Target) -> Store {
    messaging_postgres::inbox::open(target, fixture::options(Replays::Allowed)).await.unwrap()
}

async fn refused(target: &Target, options: Options) -> StoreError {
    match messaging_postgres::inbox::open(target, options).await {
        Ok(_) => panic!("opened"),
        Err(error) => error,
    }
}

async fn keys(store: &Store) -> Vec<String> {
    let events = store.list(Filter { limit: 100_000, ..Filter::default() }).await.unwrap();
    events.into_iter().map(|event| event.idempotency_key).collect()
}

fn sorted(mut keys: Vec<String>) -> Vec<String> {
    keys.sort();
    keys
}

/// Repeats a put until it is answered, as an event source does.
async fn deliver(store: &Store, key: impl ToString) -> Stored {
    let begun = Instant::now();
    loop {
        match store.put(entry(key.to_string(), "1")).await {
            Ok(stored) => return stored,
            Err(StoreError::Unavailable { .. }) if begun.elapsed() < MINUTE => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_events_survive_database_crash() {
    let Some(server) = server(&[]) else { return };
    let target = server.target("postgres").unwrap();
    let store = open_quick(&target).await;
    let journal = open_journal(&target).await.unwrap();
    let mut acknowledged = BTreeSet::new();
    for (round, end) in [End::Immediate, End::Killed, End::Fast].into_iter().enumerate() {
        let (putting, own) = (store.clone(), round);
        let puts = tokio::spawn(async move {
            let mut kept = Vec::new();
            for number in 0.. {
                let key = format!("{own}-{number}");
                match putting.put(entry(&key, "1")).await {
                    Ok(_) => kept.push(key),
                    Err(error) => {
                        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
                        return kept;
                    }
                }
            }
            kept
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
        let key = format!("sent-{round}");
        assert_eq!(claim(&journal, &key, "text").await, Swapped::Swapped);
        server.stop(end).unwrap();
        let doubt = journal.get(&key).await;
        assert!(matches!(doubt, Err(JournalError::Unavailable { .. })), "{doubt:?}");
        let kept = puts.await.unwrap();
        assert!(!kept.is_empty());
        acknowledged.extend(kept);
        let begun = Instant::now();
        let away = store.put(entry("away", "1")).await;
        assert!(matches!(away, Err(StoreError::Unavailable { .. })), "{away:?}");
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
        server.go().unwrap();
        deliver(&store, format!("after-{round}")).await;
        assert_eq!(
            claim(&journal, &key, "text").await,
            Swapped::Stale(Some("text".into())),
            "{end:?}"
        );
        let found: BTreeSet<_> = keys(&store).await.into_iter().collect();
        assert!(acknowledged.is_subset(&found), "{end:?}: {:?}", acknowledged.difference(&found));
    }
    let counts = store.counts().await.unwrap();
    assert_eq!(counts.pending, u64::try_from(keys(&store).await.len()).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn connection_lost_in_commit_is_duplicate() {
    let Some((server, name, target)) = shared_database() else { return };
    open(&target).await.close().await;
    let proxy = Proxy::start(server.folder(), "messaging_inbox.put(");
    let store = open(&proxy.target(&name)).await;
    assert_eq!(store.put(entry("before", "1")).await, Ok(Stored::Stored));
    for number in 0..10 {
        let key = format!("cut-{number}");
        proxy.cut_next_commit();
        let cut = store.put(entry(&key, "1")).await;
        assert!(matches!(cut, Err(StoreError::Unavailable { .. })), "{cut:?}");
        assert_eq!(proxy.cuts.load(Ordering::SeqCst), number + 1);
        // The event was stored, but not acknowledged.
        assert_eq!(deliver(&store, &key).await, Stored::Duplicate);
    }
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..200 {
        let store = store.clone();
        tasks.spawn(async move { deliver(&store, number).await });
        if number % 20 == 0 {
            proxy.cut_all();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    tasks.join_all().await;
    let kept = keys(&store).await;
    assert_eq!(kept.len(), 211);
    assert_eq!(kept.iter().collect::<BTreeSet<_>>().len(), 211);
}

#[tokio::test]
async fn unsafe_database_is_rejected() {
    let Some(server) = server(&[]) else { return };
    let target = server.target("postgres").unwrap();
    for mode in ["off", "local", "remote_write"] {
        for whose in ["ROLE inbox", "DATABASE postgres"] {
            server
                .sql("postgres", &format!("ALTER {whose} SET synchronous_commit = {mode}"))
                .unwrap();
            let error = refused(&target, Options::default()).await;
            let StoreError::NotSetUp { detail, .. } = &error else { panic!("{error:?}") };
            assert!(detail.contains("synchronous_commit"), "{detail}");
            let detail = journal_refused(&target).await;
            assert!(detail.contains("synchronous_commit"), "{detail}");
            server.sql("postgres", &format!("ALTER {whose} RESET synchronous_commit")).unwrap();
        }
    }
    assert_eq!(
        server
            .sql("postgres", "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'messaging%'")
            .unwrap(),
        "0"
    );
    let store = open(&target).await;
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Stored));
    let leased = store.lease(1, MINUTE).await.unwrap().remove(0);
    let lease = leased.lease.unwrap();
    let journal = open_journal(&target).await.unwrap();
    journal.swap("a", None, "1").await.unwrap();
    // The next session of a pooler sees a setting that changed at run time.
    server.sql("postgres", "ALTER ROLE inbox SET synchronous_commit = off").unwrap();
    server
        .sql(
            "postgres",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'messaging%'",
        )
        .unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    for key in ["a", "b"] {
        let mut answer = store.put(entry(key, "1")).await;
        if matches!(answer, Err(StoreError::Unavailable { .. })) {
            answer = store.put(entry(key, "1")).await;
        }
        assert!(matches!(answer, Err(StoreError::NotSetUp { .. })), "{key}: {answer:?}");
    }
    let answer = store.ack(leased.id, lease).await;
    assert!(matches!(answer, Err(StoreError::NotSetUp { .. })), "{answer:?}");
    assert!(matches!(store.probe().await, Err(StoreError::NotSetUp { .. })));
    let begun = Instant::now();
    loop {
        let answers = [
            journal.swap("b", None, "1").await.err(),
            journal.swap("a", Some("1"), "2").await.err(),
            journal.get("a").await.err(),
        ];
        if answers.iter().all(|error| matches!(error, Some(JournalError::NotSetUp { .. }))) {
            break;
        }
        // Repeats until the cut connections are detected.
        assert!(begun.elapsed() < MINUTE, "{answers:?}");
        assert!(answers.iter().all(Option::is_some), "{answers:?}");
    }
    let texts = "SELECT string_agg(key || '=' || value, ' ') FROM messaging_journal.readable";
    assert_eq!(server.sql("postgres", texts).unwrap(), "a=1");
    let count = "SELECT count(*) FROM messaging_inbox.events";
    assert_eq!(server.sql("postgres", count).unwrap(), "1");
    server.stop(End::Fast).unwrap();
    let data = server.folder().join("data");
    std::fs::write(data.join("postgresql.auto.conf"), "fsync = off\n").unwrap();
    server.go().unwrap();
    let error = refused(&target, Options::default()).await;
    assert!(
        matches!(&error, StoreError::NotSetUp { detail, .. } if detail.contains("fsync")),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn promoted_standby_has_acknowledged_events() {
    let Some((primary, standby)) = pair() else { return };
    // The target names both servers; the writable server is used.
    let target: Target = format!(
        "postgres://inbox@{},{}/postgres",
        primary.folder().display().to_string().replace('/', "%2F"),
        standby.folder().display().to_string().replace('/', "%2F")
    )
    .parse()
    .unwrap();
    let store = open_quick(&target).await;
    let mut acknowledged = BTreeSet::new();
    for number in 0..50 {
        store.put(entry(number, "1")).await.unwrap();
        acknowledged.insert(number.to_string());
    }
    // A standby accepts readers, but no writers.
    let alone = standby.target("postgres").unwrap();
    let error = refused(&alone, Options::default()).await;
    assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
    let reads = messaging_postgres::inbox::open_to_read(&alone, &Options::default()).await.unwrap();
    assert_eq!(reads.list(Filter { limit: 1_000, ..Filter::default() }).await.unwrap().len(), 50);
    primary.stop(End::Killed).unwrap();
    standby.sql("postgres", "SELECT pg_promote()").unwrap();
    for number in 50..60 {
        deliver(&store, number).await;
        acknowledged.insert(number.to_string());
    }
    let found: BTreeSet<_> = keys(&store).await.into_iter().collect();
    assert_eq!(found, acknowledged);
    // IDs continue after the IDs of the former primary.
    let ids: Vec<i64> = store
        .list(Filter { limit: 1_000, ..Filter::default() })
        .await
        .unwrap()
        .into_iter()
        .map(|event| event.id)
        .collect();
    assert!(ids.is_sorted());
}

/// Every role may create objects in the schema `public`, as in older databases.
#[tokio::test(flavor = "multi_thread")]
async fn shadowing_objects_are_not_run() {
    let Some((server, name, target)) = shared_database() else { return };
    let traps = "
        CREATE TABLE public.loot (who text);
        CREATE FUNCTION public.product(numeric, integer) RETURNS numeric LANGUAGE plpgsql AS $$
            BEGIN INSERT INTO public.loot VALUES (current_user); RETURN $1 OPERATOR(pg_catalog.*) $2::numeric; END $$;
        CREATE OPERATOR public.* (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = public.product);
        CREATE FUNCTION public.count(boolean) RETURNS bigint LANGUAGE plpgsql AS $$
            BEGIN INSERT INTO public.loot VALUES (current_user); RETURN 1; END $$";
    server.sql(&name, traps).unwrap();
    let store = open(&target).await;
    store.put(entry("a", "1")).await.unwrap();
    let event = store.lease(1, MINUTE).await.unwrap().remove(0);
    store.ack(event.id, event.lease.unwrap()).await.unwrap();
    assert_eq!(keys(&store).await, ["a"]);
    assert_eq!(server.sql(&name, "SELECT count(*) FROM public.loot").unwrap(), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn unconfirmed_commit_is_not_acknowledged() {
    let Some((primary, standby)) = pair() else { return };
    // This setting would hide the warning about an unconfirmed commit.
    primary.sql("postgres", "ALTER DATABASE postgres SET client_min_messages = error").unwrap();
    let target = primary.target("postgres").unwrap();
    let store = open_quick(&target).await;
    // Other warnings of the same commit must not hide an unconfirmed commit.
    primary.sql("postgres", WARN).unwrap();
    primary.sql("postgres", &warn_at_commit("messaging_inbox.events")).unwrap();
    store.put(entry("before", "1")).await.unwrap();
    let leased = store.lease(1, MINUTE).await.unwrap().remove(0);
    let ack = {
        let (store, lease) = (store.clone(), leased.lease.unwrap());
        move || {
            let (store, lease) = (store.clone(), lease.clone());
            async move { store.ack(leased.id, lease).await }
        }
    };
    let journal = open_journal(&target).await.unwrap();
    journal.swap("before", None, "1").await.unwrap();
    standby.stop(End::Fast).unwrap();
    let waits = {
        let store = store.clone();
        tokio::spawn(async move { store.put(entry("waits", "1")).await })
    };
    // An administrator ends the wait: the commit exists only on the primary, and the server reports
    // it as done.
    let events = "SELECT count(*) FROM messaging_inbox.events";
    end_waits(&primary, events, "2").await;
    let answer = waits.await.unwrap();
    assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
    // A redelivery must not be acknowledged, because the stored event can still be lost.
    for _ in 0..2 {
        let answer = store.put(entry("waits", "1")).await;
        assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
    }
    // A repeated ack must not succeed for the same reason.
    let waits = tokio::spawn(ack());
    let done = "SELECT count(*) FROM messaging_inbox.events WHERE state = 'done'";
    end_waits(&primary, done, "1").await;
    let answer = waits.await.unwrap();
    assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
    for _ in 0..2 {
        let answer = ack().await;
        assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
    }
    let waits = {
        let journal = journal.clone();
        tokio::spawn(async move { journal.swap("k", None, "mine").await })
    };
    let entries = "SELECT count(*) FROM messaging_journal.entries";
    end_waits(&primary, entries, "2").await;
    // A value that can still be lost must not be returned, because two senders could then send.
    for answer in [
        waits.await.unwrap().map(drop),
        journal.swap("k", None, "another").await.map(drop),
        journal.swap("k", Some("another"), "third").await.map(drop),
        journal.get("k").await.map(drop),
    ] {
        assert!(matches!(answer, Err(JournalError::Unavailable { .. })), "{answer:?}");
    }
    standby.go().unwrap();
    assert_eq!(deliver(&store, "waits").await, Stored::Duplicate);
    let mine = Swapped::Stale(Some("mine".into()));
    assert_eq!(claim(&journal, "k", "another").await, mine);
    primary.stop(End::Killed).unwrap();
    standby.sql("postgres", "SELECT pg_promote()").unwrap();
    let promoted = standby.target("postgres").unwrap();
    let store = open(&promoted).await;
    assert_eq!(sorted(keys(&store).await), ["before", "waits"]);
    let options = Options { timeout: Duration::from_secs(30), ..Default::default() };
    let journal = messaging_postgres::journal::open(&promoted, options).await.unwrap();
    assert_eq!(journal.get("k").await.unwrap().as_deref(), Some("mine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn held_lock_is_not_waited_for() {
    let Some((server, name, target)) = shared_database() else { return };
    let store = open_quick(&target).await;
    store.put(entry("before", "1")).await.unwrap();
    let held = lock_events(server, &name, 8).await;
    let begun = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..64 {
        let store = store.clone();
        tasks.spawn(async move { store.put(entry(number, "1")).await });
    }
    for answer in tasks.join_all().await {
        assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(matches!(store.lease(1, MINUTE).await, Err(StoreError::Unavailable { .. })));
    drop(held);
    until(server, &name, "SELECT count(*) FROM pg_locks WHERE NOT granted", "0").await;
    for number in 0..64 {
        deliver(&store, number).await;
    }
    assert_eq!(keys(&store).await.len(), 65);
}

#[tokio::test(flavor = "multi_thread")]
async fn held_key_fails_no_other_event() {
    let Some((server, name, target)) = shared_database() else { return };
    // A long timeout, because other tests load the machine.
    let options = Options { timeout: Duration::from_secs(20), ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    store.put(entry("held", "1")).await.unwrap();
    let held = delete_events(server, &name).await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..64 {
        let (store, key) =
            (store.clone(), if number == 32 { "held".into() } else { number.to_string() });
        tasks.spawn(async move { (key.clone(), store.put(entry(key, "1")).await) });
    }
    for (key, answer) in tasks.join_all().await {
        match answer {
            Ok(Stored::Stored) => assert_ne!(key, "held"),
            Err(StoreError::Unavailable { .. }) => assert_eq!(key, "held"),
            other => panic!("{key}: {other:?}"),
        }
    }
    drop(held);
}

#[tokio::test]
async fn database_error_names_the_remedy() {
    let Some(server) = server(&["password_encryption=scram-sha-256"]) else {
        return;
    };
    let name = |text: &str| server.target(text).unwrap();
    let error = refused(&name("nowhere"), Options::default()).await;
    assert!(
        matches!(&error, StoreError::NotSetUp { detail, .. } if detail.contains("3D000")),
        "{error}"
    );
    let error = refused(&name("postgres"), Options { create: false, ..Options::default() }).await;
    assert!(matches!(&error, StoreError::NotSetUp { .. }), "{error}");
    server.sql("postgres", "CREATE SCHEMA messaging_inbox CREATE TABLE other (id int)").unwrap();
    let error = refused(&name("postgres"), Options::default()).await;
    assert!(matches!(&error, StoreError::NotAStore { .. }), "{error}");
    server.sql("postgres", "CREATE SCHEMA messaging_journal CREATE TABLE other (id int)").unwrap();
    let detail = journal_refused(&name("postgres")).await;
    assert!(detail.contains("belongs to another program"), "{detail}");
    // A role without rights, then a role with its own schema.
    server
        .sql(
            "postgres",
            "DROP SCHEMA messaging_inbox CASCADE; CREATE ROLE guest LOGIN PASSWORD 'canary-right'",
        )
        .unwrap();
    admit(&server, "local all guest scram-sha-256");
    let guest = as_role(&server, "postgres", "guest");
    let with = |value: &str| Options { password: password(&guest, value), ..Options::default() };
    let mut said = Vec::new();
    for options in [Options::default(), with("canary-wrong")] {
        let error = refused(&guest, options).await;
        assert!(matches!(&error, StoreError::NotSetUp { .. }), "{error:?}");
        said.push(format!("{error} {error:?}"));
    }
    let error = refused(&guest, with("canary-right")).await;
    assert!(
        matches!(&error, StoreError::NotSetUp { detail, .. } if detail.contains("AUTHORIZATION \"guest\"")),
        "{error}"
    );
    said.push(format!("{error} {error:?}"));
    assert!(!said.concat().contains("canary"), "{said:?}");
    server.sql("postgres", "CREATE SCHEMA messaging_inbox AUTHORIZATION guest").unwrap();
    let store = messaging_postgres::inbox::open(&guest, with("canary-right")).await.unwrap();
    store.put(entry("a", "1")).await.unwrap();
    // A role that may only read.
    server
        .sql(
            "postgres",
            "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA messaging_inbox TO reader;
        GRANT SELECT ON ALL TABLES IN SCHEMA messaging_inbox TO reader",
        )
        .unwrap();
    let reader = as_role(&server, "postgres", "reader");
    let reads =
        messaging_postgres::inbox::open_to_read(&reader, &Options::default()).await.unwrap();
    assert_eq!(reads.counts().await.unwrap().pending, 1);
    assert!(matches!(refused(&reader, Options::default()).await, StoreError::NotSetUp { .. }));
    server.stop(End::Fast).unwrap();
    let error = refused(&guest, with("canary-right")).await;
    assert!(matches!(&error, StoreError::Unavailable { .. }), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("canary"));
}

#[tokio::test]
async fn newer_tables_are_refused() {
    let Some((server, name, target)) = shared_database() else { return };
    open(&target).await.put(entry("a", "1")).await.unwrap();
    server.sql(&name, "UPDATE messaging_inbox.version SET version = 2").unwrap();
    let error = refused(&target, Options::default()).await;
    assert!(matches!(error, StoreError::NewerSchema { found: 2, known: 1, .. }), "{error:?}");
    drop(open_journal(&target).await.unwrap());
    server.sql(&name, "UPDATE messaging_journal.version SET version = 2").unwrap();
    assert!(journal_refused(&target).await.contains("newer program"));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_starts_create_tables_once() {
    let Some((_, _, target)) = shared_database() else { return };
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..6 {
        let target = target.clone();
        tasks.spawn(async move { open(&target).await.put(entry(number, "1")).await.unwrap() });
    }
    assert_eq!(tasks.join_all().await, [Stored::Stored; 6]);
}

/// Settings of a pooler in transaction mode.
#[tokio::test(flavor = "multi_thread")]
async fn store_works_through_transaction_pooler() {
    let Some(server) = shared() else { return };
    let Some(pooler) = Pooler::start(server, "inbox", 3).unwrap() else { return };
    let (name, _) = database(server);
    let folder = pooler.folder().display();
    let url = format!("postgres:///{name}?host={folder}&port=6432&user=inbox");
    let target: Target = url.parse().unwrap();
    let stores = [open(&target).await, open(&target).await];
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..400 {
        let store = stores[number % 2].clone();
        tasks.spawn(async move { store.put(entry(number / 2, "1")).await.unwrap() });
    }
    let stored = tasks.join_all().await;
    assert_eq!(stored.iter().filter(|one| **one == Stored::Stored).count(), 200);
    assert_eq!(stores[0].put(entry(0, "other")).await, Ok(Stored::Conflict));
    let mut done = 0;
    while done < 200 {
        for event in stores[done % 2].lease(20, MINUTE).await.unwrap() {
            stores[1].ack(event.id, event.lease.unwrap()).await.unwrap();
            done += 1;
        }
    }
    let counts = stores[0].counts().await.unwrap();
    assert_eq!((counts.pending, counts.leased, counts.done, counts.quarantined), (0, 0, 200, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn server_is_notified_of_foreign_event() {
    let Some((_, _, target)) = shared_database() else { return };
    let stores = [open(&target).await, open(&target).await];
    // Waits until both stores listen.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut news = stores[1].news();
    news.mark_unchanged();
    stores[0].put(entry("a", "1")).await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), news.changed()).await.unwrap().unwrap();
    assert_eq!(stores[1].lease(1, MINUTE).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_statement_reads_whole_table() {
    let Some((server, name, target)) = shared_database() else { return };
    // Creating the indexes scans the table. The server counts these scans when the session ends.
    open(&target).await.close().await;
    let ended = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'messaging-inbox'";
    until(server, &name, ended, "0").await;
    let store =
        messaging_postgres::inbox::open(&target, fixture::options(Replays::Noticed)).await.unwrap();
    // The table has no statistics, as after a burst.
    server
        .sql(
            &name,
            "INSERT INTO messaging_inbox.events (idempotency_key, message_id, kind, json,
            received_at_ms, state, attempts, due_ms, done_age_ms, done_at_ms, dead_at_ms)
        SELECT convert_to('old-' || n, 'UTF8'), 'm', 'k', '{}', n,
            (ARRAY['pending', 'leased', 'done', 'quarantined', 'dead', 'pending'])[1 + n % 6],
            CASE n % 6 WHEN 0 THEN 0 ELSE 1 END, 4000000000000, 0, 0, 0
        FROM generate_series(1, 60000) AS n",
        )
        .unwrap();
    server.sql(&name, "SELECT pg_stat_reset()").unwrap();
    let kinds =
        || messaging_inbox::Kinds::Only(["k".to_string(), "message:in:new".to_string()].into());
    for number in 0..4 {
        assert_eq!(store.put(entry(number, &number.to_string())).await, Ok(Stored::Stored));
        assert_eq!(store.put(entry(number, &number.to_string())).await, Ok(Stored::Duplicate));
        assert_eq!(
            store.put(entry(number, &format!("other {number}"))).await,
            Ok(Stored::Conflict)
        );
        assert_eq!(
            store.put(entry(format!("replay {number}"), &number.to_string())).await,
            Ok(Stored::Replayed)
        );
    }
    use messaging_inbox::Lane;
    for lane in [Lane::Any, Lane::Oldest, Lane::Newest, Lane::Again] {
        for kinds in [messaging_inbox::Kinds::All, kinds()] {
            store.due(kinds.clone()).await.unwrap();
            for event in store.lease_from(lane, kinds, 3, MINUTE).await.unwrap() {
                let lease = event.lease.unwrap();
                store.extend(event.id, lease.as_str(), MINUTE).await.unwrap();
                match event.id % 3 {
                    0 => store.ack(event.id, lease).await.unwrap(),
                    1 => drop(store.nack(event.id, lease, "no", MINUTE).await.unwrap()),
                    _ => store.release(event.id, Some(lease)).await.unwrap(),
                }
            }
        }
    }
    store.summary().await.unwrap();
    store.first_under("old-7").await.unwrap();
    let of_key = Filter { key: Some("old-7".into()), newest: true, ..Filter::default() };
    assert_eq!(store.list(of_key).await.unwrap().len(), 1);
    for state in [
        None,
        Some(State::Pending),
        Some(State::Leased),
        Some(State::Quarantined),
        Some(State::Dead),
    ] {
        let filter = Filter { state, limit: 10, ..Filter::default() };
        assert!(!store.list(filter).await.unwrap().is_empty(), "{state:?}");
    }
    store
        .requeue_dead(messaging_inbox::DeadFilter { until_ms: Some(-1), ..Default::default() })
        .await
        .unwrap();
    store.prune(Duration::ZERO).await.unwrap();
    // Server processes report their scans with a delay.
    let scans = "SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot(); SELECT seq_scan, idx_scan > 100 FROM pg_stat_user_tables
        WHERE relname = 'events'";
    let noted = async {
        loop {
            let found = server.sql(&name, scans).unwrap();
            if found.lines().last().is_some_and(|line| line.ends_with("|t")) {
                break found;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let found = tokio::time::timeout(MINUTE, noted).await.unwrap();
    assert_eq!(found.lines().last(), Some("0|t"), "{found}");
}
