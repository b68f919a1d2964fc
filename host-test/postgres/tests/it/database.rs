//! Tests with a failing database: no acknowledged event is lost, no event is stored twice, and each
//! caller gets an answer in time.

mod standby;
mod statements;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::fixture::proxy::Proxy;
use crate::fixture::{
    self, MINUTE, admit, as_role, claim, database, delete_events, journal_refused, lock_events,
    open_journal, open_quick, password, server, shared, shared_database, until,
};
use messaging_inbox::{Entry, Filter, Replays, Store, StoreError, Stored};
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

/// Repeats a put until it is acknowledged, as an event source does.
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
    server.sql("postgres", "ALTER ROLE inbox SET session_replication_role = replica").unwrap();
    let error = refused(&target, Options::default()).await;
    assert!(error.to_string().contains("the triggers that count events do not run"), "{error}");
    assert_eq!(
        server
            .sql("postgres", "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'messaging%'")
            .unwrap(),
        "0"
    );
    // A journal has no triggers.
    let journal = open_journal(&target).await.unwrap();
    server.sql("postgres", "ALTER ROLE inbox RESET session_replication_role").unwrap();
    let store = open(&target).await;
    assert_eq!(store.put(entry("a", "1")).await, Ok(Stored::Stored));
    let leased = store.lease(1, MINUTE).await.unwrap().remove(0);
    let lease = leased.lease.unwrap();
    journal.swap("a", None, "1").await.unwrap();
    // A setting that changes at run time takes effect in the next session.
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

/// The schema `public` contains objects that any role can create in older databases.
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
async fn held_lock_is_not_waited_for() {
    let Some((server, name, target)) = shared_database() else { return };
    // A long timeout, because other tests load the machine.
    let options = Options { timeout: Duration::from_secs(10), ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    store.put(entry("before", "1")).await.unwrap();
    let _held = lock_events(server, &name, 60).await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..64 {
        let store = store.clone();
        tasks.spawn(async move { store.put(entry(number, "1")).await });
    }
    // The error names the lock, so no request has waited for the timeout of its caller.
    for answer in tasks.join_all().await {
        let Err(StoreError::Unavailable { detail, .. }) = answer else { panic!("{answer:?}") };
        assert!(detail.contains("lock timeout"), "{detail}");
    }
    assert!(matches!(store.lease(1, MINUTE).await, Err(StoreError::Unavailable { .. })));
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks
        WHERE mode = 'AccessExclusiveLock' AND relation = 'messaging_inbox.events'::regclass";
    assert_eq!(server.sql(&name, end).unwrap(), "1");
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
async fn database_error_names_remedy() {
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
    // First, the role has no rights. Later, it owns the schema.
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
    for create in [true, false] {
        let error = refused(&guest, Options { create, ..with("canary-right") }).await;
        assert!(
            matches!(&error, StoreError::NotSetUp { detail, .. } if detail.contains("AUTHORIZATION \"guest\"")),
            "{error}"
        );
        said.push(format!("{error} {error:?}"));
    }
    assert!(!said.concat().contains("canary"), "{said:?}");
    server.sql("postgres", "CREATE SCHEMA messaging_inbox AUTHORIZATION guest").unwrap();
    let store = messaging_postgres::inbox::open(&guest, with("canary-right")).await.unwrap();
    store.put(entry("a", "1")).await.unwrap();
    // A role that may only read opens the store for reading.
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
    server.sql(&name, "UPDATE messaging_inbox.version SET version = 3").unwrap();
    let error = refused(&target, Options::default()).await;
    assert!(matches!(error, StoreError::OtherSchema { found: 3, known: 2, .. }), "{error:?}");
    drop(open_journal(&target).await.unwrap());
    server.sql(&name, "UPDATE messaging_journal.version SET version = 2").unwrap();
    assert!(journal_refused(&target).await.contains("program version"));
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
