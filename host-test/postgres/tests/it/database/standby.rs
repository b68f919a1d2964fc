//! Tests with a primary and a synchronous standby.

use std::path::Path;

use messaging_journal::Journal;
use tokio::task::JoinSet;

use super::fixture::{WARN, end_waits, pair, warn_at_commit};
use super::*;

/// Opens inbox and journal with a short timeout, because most requests of a test wait for a stopped
/// standby.
async fn open_both(target: &Target) -> (Store, Journal) {
    let options = || Options { timeout: Duration::from_secs(3), ..Options::default() };
    let store = messaging_postgres::inbox::open(target, options()).await.unwrap();
    (store, messaging_postgres::journal::open(target, options()).await.unwrap())
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
    let read_only = standby.target("postgres").unwrap();
    let error = refused(&read_only, Options::default()).await;
    assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
    let reads =
        messaging_postgres::inbox::open_to_read(&read_only, &Options::default()).await.unwrap();
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

/// A pooler keeps its connections while the server behind it restarts as a standby.
#[tokio::test(flavor = "multi_thread")]
async fn demoted_server_behind_pooler_is_left() {
    let Some((first, second)) = pair() else { return };
    let Some(pooler) = Pooler::start(&first, "inbox", 3).unwrap() else { return };
    let encoded = |folder: &Path| folder.display().to_string().replace('/', "%2F");
    let target: Target = format!(
        "postgres://inbox@{}:6432,{}/postgres",
        encoded(pooler.folder()),
        encoded(second.folder())
    )
    .parse()
    .unwrap();
    let store = open_quick(&target).await;
    store.put(entry("before", "1")).await.unwrap();
    let leased = store.lease(1, MINUTE).await.unwrap().remove(0);
    first.stop(End::Fast).unwrap();
    second.sql("postgres", "SELECT pg_promote()").unwrap();
    let mut mark = first.as_owner("touch");
    assert!(mark.arg(first.folder().join("data/standby.signal")).status().unwrap().success());
    first.go().unwrap();
    assert_eq!(deliver(&store, "after").await, Stored::Stored);
    let lease = leased.lease.unwrap();
    let begun = Instant::now();
    while let Err(error) = store.ack(leased.id, lease.clone()).await {
        let is_passing = matches!(error, StoreError::Unavailable { .. });
        assert!(is_passing && begun.elapsed() < MINUTE, "{error}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(sorted(keys(&store).await), ["after", "before"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unconfirmed_commit_is_not_acknowledged() {
    let Some((primary, standby)) = pair() else { return };
    // This setting would hide the warning about an unconfirmed commit.
    primary.sql("postgres", "ALTER DATABASE postgres SET client_min_messages = error").unwrap();
    let target = primary.target("postgres").unwrap();
    let (store, journal) = open_both(&target).await;
    // Other warnings of the same commit must not hide an unconfirmed commit.
    primary.sql("postgres", WARN).unwrap();
    primary.sql("postgres", &warn_at_commit("messaging_inbox.events")).unwrap();
    deliver(&store, "before").await;
    let leased = store.lease(1, MINUTE).await.unwrap().remove(0);
    let ack = {
        let (store, lease) = (store.clone(), leased.lease.unwrap());
        move || {
            let (store, lease) = (store.clone(), lease.clone());
            async move { store.ack(leased.id, lease).await }
        }
    };
    claim(&journal, "before", "1").await;
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
    // A repeated ack must not succeed either, because the standby has not confirmed the first ack.
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
async fn requests_without_standby_leave_no_connection() {
    let Some((primary, standby)) = pair() else { return };
    let target = primary.target("postgres").unwrap();
    let (store, journal) = open_both(&target).await;
    for number in 0..200 {
        deliver(&store, number).await;
    }
    claim(&journal, "before", "1").await;
    standby.stop(End::Fast).unwrap();
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    // A sender that gives up exits, and then cannot cancel its request.
    for answer in
        [journal.swap("a", None, "1").await.map(drop), journal.get("before").await.map(drop)]
    {
        let Err(JournalError::Unavailable { detail, .. }) = answer else { panic!("{answer:?}") };
        assert!(detail.contains("standby"), "{detail}");
        assert_eq!(primary.sql("postgres", waiting).unwrap(), "0");
    }
    let count = |of: &str| -> usize {
        let sql = format!("SELECT count(*) FROM pg_stat_activity WHERE application_name = '{of}'");
        primary.sql("postgres", &sql).unwrap().parse().unwrap()
    };
    for round in 0..4 {
        let mut tasks = JoinSet::new();
        for number in 0..6 {
            let (store, journal) = (store.clone(), journal.clone());
            tasks.spawn(async move {
                let answer = match number {
                    0 | 1 => {
                        store.put(entry(format!("more-{round}-{number}"), "1")).await.map(drop)
                    }
                    2 => {
                        let _ = journal.swap(&format!("{round}"), None, "1").await;
                        return;
                    }
                    _ => store.lease(5, MINUTE).await.map(drop),
                };
                assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
            });
        }
        while tasks.join_next().await.is_some() {}
        let (inbox, journal) = (count("messaging-inbox"), count("messaging-journal"));
        assert!(inbox <= 11 && journal <= 3, "{round}: {inbox} and {journal}");
    }
    // After the last caller has given up, no server process waits.
    let begun = Instant::now();
    until(&primary, "postgres", waiting, "0").await;
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    standby.go().unwrap();
    let begun = Instant::now();
    while store.put(entry("after", "1")).await.is_err() {
        assert!(begun.elapsed() < MINUTE);
    }
}
