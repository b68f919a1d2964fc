//! Tests of query plans.

use messaging_inbox::State;

use super::*;

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
    use messaging_inbox::Queue;
    for queue in [Queue::Any, Queue::Oldest, Queue::Newest, Queue::Again] {
        for kinds in [messaging_inbox::Kinds::All, kinds()] {
            store.due(kinds.clone()).await.unwrap();
            for event in store.lease_from(queue, kinds, 3, MINUTE).await.unwrap() {
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
