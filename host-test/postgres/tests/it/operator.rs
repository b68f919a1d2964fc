//! Tests with a misconfigured, shared or partly restored database. A write that the database may
//! lose is not acknowledged. Readiness and deliveries report the same error.

use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use crate::fixture::{
    self, LOCKED, MINUTE, entry, lock_events, open_quick, plain, shared_database, until,
};
use messaging_inbox::{Filter, StoreError, Stored};
use messaging_postgres::Options;

#[tokio::test(flavor = "multi_thread")]
async fn silent_host_does_not_block_next() {
    let Some((server, name, _)) = shared_database() else { return };
    let frozen = tempfile::tempdir().unwrap();
    let _listener = UnixListener::bind(frozen.path().join(".s.PGSQL.5432")).unwrap();
    let encoded = |folder: &std::path::Path| folder.display().to_string().replace('/', "%2F");
    let (first, second) = (encoded(frozen.path()), encoded(server.folder()));
    let target = format!("postgres://inbox@{first},{second}/{name}").parse().unwrap();
    let begun = Instant::now();
    let options = Options { timeout: Duration::from_secs(2), ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    assert_eq!(store.put(entry("a")).await, Ok(Stored::Stored));
    assert_eq!(store.lease(1, MINUTE).await.unwrap().len(), 1);
    // The readers have separate connections, which must also skip the silent host.
    while store.list(Filter::default()).await.is_err() {
        assert!(begun.elapsed() < MINUTE, "no read succeeds");
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_equals_answer_of_delivery() {
    let Some((server, name, role, target)) = plain() else { return };
    let patient = fixture::options(messaging_inbox::Replays::Allowed);
    let store = messaging_postgres::inbox::open(&target, patient).await.unwrap();
    store.probe().await.unwrap();
    let refuse = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN RAISE EXCEPTION ''no''; END';
        CREATE TRIGGER refuse BEFORE INSERT ON messaging_inbox.events
            FOR EACH ROW EXECUTE FUNCTION refuse()";
    let rows = "ALTER TABLE messaging_inbox.events ENABLE ROW LEVEL SECURITY,
            FORCE ROW LEVEL SECURITY;
        CREATE POLICY look ON messaging_inbox.events FOR SELECT USING (true)";
    for (doing, undoing) in [
        (
            format!("REVOKE INSERT ON messaging_inbox.events FROM {role}"),
            format!("GRANT INSERT ON messaging_inbox.events TO {role}"),
        ),
        (refuse.to_string(), "DROP TRIGGER refuse ON messaging_inbox.events".to_string()),
        (
            rows.to_string(),
            "ALTER TABLE messaging_inbox.events DISABLE ROW LEVEL SECURITY".to_string(),
        ),
        (
            format!("REVOKE EXECUTE ON FUNCTION messaging_inbox.put FROM PUBLIC, {role}"),
            format!("GRANT EXECUTE ON FUNCTION messaging_inbox.put TO {role}"),
        ),
        (
            "ALTER FUNCTION messaging_inbox.put RENAME TO gone".to_string(),
            "ALTER FUNCTION messaging_inbox.gone RENAME TO put".to_string(),
        ),
        (
            "ALTER SEQUENCE messaging_inbox.events_id_seq MAXVALUE 100 RESTART 100;
            SELECT nextval('messaging_inbox.events_id_seq')"
                .to_string(),
            "ALTER SEQUENCE messaging_inbox.events_id_seq NO MAXVALUE".to_string(),
        ),
        (
            "CREATE TABLE public.audit (LIKE messaging_inbox.events);
            CREATE RULE audit AS ON INSERT TO messaging_inbox.events
                DO ALSO INSERT INTO public.audit SELECT NEW.*"
                .to_string(),
            "DROP RULE audit ON messaging_inbox.events".to_string(),
        ),
        (
            format!("REVOKE UPDATE ON messaging_inbox.tally FROM {role}"),
            format!("GRANT UPDATE ON messaging_inbox.tally TO {role}"),
        ),
    ] {
        server.sql(&name, &doing).unwrap();
        let (put, ready) = (store.put(entry("a")).await, store.probe().await);
        assert!(matches!(put, Err(StoreError::NotSetUp { .. })), "{doing}: {put:?}");
        assert!(ready.is_err(), "{doing}: {put:?}");
        server.sql(&name, &undoing).unwrap();
        assert_eq!(store.probe().await, Ok(()), "{undoing}");
    }
    store.close().await;
    let store = open_quick(&target).await;
    let held = lock_events(server, &name, 60).await;
    assert!(store.probe().await.is_err());
    drop(held);
    while server.sql(&name, LOCKED).unwrap() != "0" {
        let end = "SELECT pg_terminate_backend(pid) FROM pg_locks
            WHERE mode = 'AccessExclusiveLock' AND relation = 'messaging_inbox.events'::regclass";
        server.sql(&name, end).unwrap();
    }
    assert_eq!(store.probe().await, Ok(()));
    assert_eq!(server.sql(&name, "SELECT count(*) FROM messaging_inbox.events").unwrap(), "0");
}

/// Counts identifiers, because each probe that writes uses up an identifier.
#[tokio::test]
async fn frequent_probes_cause_one_write() {
    let Some((server, name, role, target)) = plain() else { return };
    let store = open_quick(&target).await;
    let taken =
        "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM messaging_inbox.events_id_seq";
    for _ in 0..5 {
        store.probe().await.unwrap();
    }
    assert_eq!(server.sql(&name, taken).unwrap(), "1");
    assert_eq!(store.put(entry("a")).await, Ok(Stored::Stored));
    store.probe().await.unwrap();
    assert_eq!(server.sql(&name, taken).unwrap(), "2");
    // Neither a failed probe nor a probe on another connection proves that writes work.
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    server.sql(&name, end).unwrap();
    let revoke = format!("REVOKE INSERT ON messaging_inbox.events FROM {role}");
    server.sql(&name, &revoke).unwrap();
    for _ in 0..2 {
        let _ = store.put(entry("a")).await;
        assert!(store.probe().await.is_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn storing_connection_comes_first() {
    let Some((server, name, role, target)) = plain() else { return };
    open_quick(&target).await.close().await;
    server.sql(&name, &format!("ALTER ROLE {role} CONNECTION LIMIT 1")).unwrap();
    let ended = format!("SELECT count(*) FROM pg_stat_activity WHERE usename = '{role}'");
    until(server, &name, &ended, "0").await;
    let store = open_quick(&target).await;
    let mut others = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = store.clone();
        others.spawn(async move {
            loop {
                let _ = store.lease(1, MINUTE).await;
                let _ = store.extend(number, "none", MINUTE).await;
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
    }
    for round in 0..3 {
        let begun = Instant::now();
        while store.put(entry(round)).await.is_err() {
            assert!(begun.elapsed() < MINUTE, "other calls occupy the only connection");
        }
        assert_eq!(store.put(entry(round)).await, Ok(Stored::Duplicate));
        assert_eq!(store.probe().await, Ok(()));
        let end = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'"
        );
        server.sql(&name, &end).unwrap();
    }
}

#[tokio::test]
async fn long_list_is_read_in_parts() {
    let Some((server, name, _, target)) = plain() else { return };
    let store = open_quick(&target).await;
    let rows = "INSERT INTO messaging_inbox.events
            (idempotency_key, message_id, kind, json, received_at_ms)
        SELECT convert_to('b' || n, 'UTF8'), '', '', '', 0 FROM generate_series(1, 20000) AS n;
        ANALYZE messaging_inbox.events;
        ALTER TABLE messaging_inbox.events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
        CREATE FUNCTION is_counted() RETURNS boolean LANGUAGE plpgsql AS $$
            DECLARE n integer := coalesce(nullif(current_setting('rows.read', true), ''), '0');
            BEGIN
                IF n >= 2000 THEN RAISE EXCEPTION 'too many rows'; END IF;
                PERFORM set_config('rows.read', (n + 1)::text, true);
                RETURN true;
            END $$;
        CREATE POLICY counted ON messaging_inbox.events FOR SELECT USING (is_counted())";
    server.sql(&name, rows).unwrap();
    let filter = Filter { limit: 200_000, ..Filter::default() };
    assert_eq!(store.list(filter).await.unwrap().len(), 20_000);
}

#[tokio::test]
async fn sequence_behind_its_table_is_advanced_at_start() {
    let Some((server, name, target)) = shared_database() else { return };
    let store = open_quick(&target).await;
    let more = "INSERT INTO messaging_inbox.events
            (idempotency_key, message_id, kind, json, received_at_ms)
        SELECT convert_to('b' || n, 'UTF8'), '', '', '', 0 FROM generate_series(1, 20000) AS n";
    server.sql(&name, more).unwrap();
    let back = "SELECT setval('messaging_inbox.events_id_seq', 1)";
    server.sql(&name, back).unwrap();
    store.close().await;
    let store = open_quick(&target).await;
    assert_eq!(store.put(entry("begin")).await, Ok(Stored::Stored));
    let last = "SELECT max(id) = pg_sequence_last_value('messaging_inbox.events_id_seq')
        FROM messaging_inbox.events";
    assert_eq!(server.sql(&name, last).unwrap(), "t");
}

#[tokio::test(flavor = "multi_thread")]
async fn truncated_table_counts_nothing() {
    let Some((server, name, target)) = shared_database() else { return };
    let store = open_quick(&target).await;
    for key in ["a", "b"] {
        store.put(entry(key)).await.unwrap();
    }
    store.lease(1, MINUTE).await.unwrap();
    server.sql(&name, "TRUNCATE messaging_inbox.events").unwrap();
    store.put(entry("c")).await.unwrap();
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.pending, counts.leased), (1, 0));
}
