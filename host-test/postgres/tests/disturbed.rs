//! A database in which others are at work: they warn, hold rows, refuse or drop some, take indexes away,
//! change passwords. Whoever asks is told what is so, and nobody else is kept waiting.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod fixture;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fixture::proxy::Proxy;
use fixture::{MINUTE, database, entry, hold, is_not_set_up, open_quick, pair, server, shared};
use messaging_inbox::{Entry, Filter, Replays, Store, StoreError, Stored};
use messaging_journal::{Journal, JournalError, Swapped};
use messaging_postgres::inbox::Options;
use messaging_postgres::server::{End, Server};
use messaging_postgres::{PASSWORD_FILE, Password, Target};
use tokio::task::JoinSet;

async fn open_journal(target: &Target) -> Journal {
    messaging_postgres::journal::open(target, Default::default()).await.unwrap()
}

fn journal_is_not_set_up<T: std::fmt::Debug>(answer: &Result<T, JournalError>, word: &str) {
    let Err(JournalError::NotSetUp { detail, .. }) = answer else { panic!("{answer:?}") };
    assert!(detail.contains(word), "{detail}");
}

/// Waits until a question to a database has an answer.
async fn until(server: &Server, database: &str, sql: &str, answer: &str) {
    let begun = Instant::now();
    loop {
        let found = server.sql(database, sql).unwrap();
        if found == answer {
            return;
        }
        assert!(begun.elapsed() < MINUTE, "{sql}: {found}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Puts all at once, and says what each was told.
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
async fn what_a_login_warns_of_is_counted_against_no_read_and_no_write() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    let store = open_quick(&target).await;
    store.put(entry("a")).await.unwrap();
    let set = format!("ALTER DATABASE {name} SET default_text_search_config = 'nope.nope'");
    server.sql("postgres", &set).unwrap();
    for _ in 0..30 {
        let reads =
            messaging_postgres::inbox::open_to_read(&target, &Options::default()).await.unwrap();
        assert_eq!(reads.list(Filter { limit: 9, ..Filter::default() }).await.unwrap().len(), 1);
    }
    for number in 0..30 {
        let store = open_quick(&target).await;
        assert_eq!(store.put(entry(number)).await, Ok(Stored::Stored));
        assert_eq!(store.counts().await.unwrap().pending, 2 + number);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_during_which_the_database_warns_is_answered() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    let store = open_quick(&target).await;
    store.put(entry("a")).await.unwrap();
    let warn = "ALTER TABLE messaging_inbox.events ENABLE ROW LEVEL SECURITY,
            FORCE ROW LEVEL SECURITY;
        CREATE FUNCTION warn() RETURNS boolean LANGUAGE plpgsql
            AS 'BEGIN RAISE WARNING ''careful''; RETURN true; END';
        CREATE POLICY warned ON messaging_inbox.events USING (warn());
        CREATE ROLE reader_who_is_warned LOGIN;
        GRANT USAGE ON SCHEMA messaging_inbox TO reader_who_is_warned;
        GRANT SELECT ON ALL TABLES IN SCHEMA messaging_inbox TO reader_who_is_warned";
    server.sql(&name, warn).unwrap();
    let reader = server.url(&name).replace("user=inbox", "user=reader_who_is_warned");
    let reader: Target = reader.parse().unwrap();
    let reads =
        messaging_postgres::inbox::open_to_read(&reader, &Options::default()).await.unwrap();
    assert_eq!(reads.list(Filter { limit: 9, ..Filter::default() }).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_the_database_drops_is_an_error_of_that_key_alone() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    let journal = open_journal(&target).await;
    journal.swap("bad-kept", None, "1").await.unwrap();
    let drop_some = "CREATE FUNCTION drop_some() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN IF convert_from(NEW.key, 'UTF8') LIKE 'bad%' THEN RETURN NULL; END IF;
            RETURN NEW; END $$;
        CREATE TRIGGER drop_some BEFORE INSERT OR UPDATE ON messaging_journal.entries
            FOR EACH ROW EXECUTE FUNCTION drop_some()";
    server.sql(&name, drop_some).unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..64 {
        let journal = journal.clone();
        let key = format!("{}{number}", if number % 16 == 3 { "bad" } else { "good" });
        tasks.spawn(async move { (key.clone(), journal.swap(&key, None, "1").await) });
    }
    for (key, answer) in tasks.join_all().await {
        match key.starts_with("bad") {
            true => journal_is_not_set_up(&answer, "does not keep it"),
            false => assert!(matches!(answer, Ok(Swapped::Swapped)), "{key}: {answer:?}"),
        }
    }
    // A change that is dropped is no change, and found to be none.
    journal_is_not_set_up(&journal.swap("bad-kept", Some("1"), "2").await, "does not keep it");
    assert_eq!(journal.get("bad-kept").await.unwrap().as_deref(), Some("1"));
    // It stands still, and others go on, while the key is asked for again and again.
    let asking = {
        let journal = journal.clone();
        tokio::spawn(async move {
            loop {
                let _ = journal.swap("bad", None, "1").await;
            }
        })
    };
    let begun = Instant::now();
    for number in 0..100 {
        let answer = journal.swap(&format!("more-{number}"), None, "1").await;
        assert!(matches!(answer, Ok(Swapped::Swapped)), "{answer:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    asking.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_somebody_holds_keep_no_other_event_from_being_stored_soon() {
    const HELD: usize = 5;
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    // A machine that is busy with other tests is no fault.
    let options = Options { timeout: Duration::from_secs(8), ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    for number in 0..HELD {
        store.put(entry(format!("held-{number}"))).await.unwrap();
    }
    let held = hold(server, &name, "DELETE FROM messaging_inbox.events", 120);
    let deleted = "SELECT count(*) FROM pg_stat_activity
        WHERE wait_event = 'PgSleep' AND datname = current_database()";
    until(server, &name, deleted, "1").await;
    let key = |number: usize| match number % 12 {
        0 if number / 12 < HELD => format!("held-{}", number / 12),
        _ => number.to_string(),
    };
    for (key, answer) in put_all(&store, (0..64).map(key)).await {
        match key.starts_with("held") {
            true => assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}"),
            false => assert_eq!(answer, Ok(Stored::Stored), "{key}"),
        }
    }
    // Their senders ask again and again.
    let mut asking = JoinSet::new();
    for number in 0..HELD {
        let store = store.clone();
        asking.spawn(async move {
            loop {
                let answer = store.put(entry(format!("held-{number}"))).await;
                assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        });
    }
    let begun = Instant::now();
    let (next, refused) = (Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let (store, next, refused) = (store.clone(), Arc::clone(&next), Arc::clone(&refused));
        tasks.spawn(async move {
            while begun.elapsed() < Duration::from_secs(4) {
                let number = next.fetch_add(1, Ordering::SeqCst);
                if store.put(entry(format!("new-{number}"))).await.is_err() {
                    refused.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
    }
    tasks.join_all().await;
    let (asked, refused) = (next.load(Ordering::SeqCst), refused.load(Ordering::SeqCst));
    assert_eq!(refused, 0, "of {asked}");
    // With one of two held, it was 7 a second, and is hundreds.
    assert!(asked > 100, "{asked} in 4 s");
    drop((held, asking));
}

#[tokio::test(flavor = "multi_thread")]
async fn events_that_a_trigger_or_a_policy_refuses_or_drops_are_refused_alone() {
    let Some(server) = shared() else { return };
    let (name, _) = database(server);
    let role = format!("role_of_{name}");
    let make =
        format!("CREATE ROLE {role} LOGIN; CREATE SCHEMA messaging_inbox AUTHORIZATION {role}");
    server.sql(&name, &make).unwrap();
    let url = server.url(&name).replace("user=inbox", &format!("user={role}"));
    let options = fixture::options(Replays::Allowed);
    let store = messaging_postgres::inbox::open(&url.parse().unwrap(), options).await.unwrap();
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
        ("dropped", "does not keep it"),
        ("barred", "row-level security"),
    ];
    for round in 0..3 {
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
    assert_eq!(store.counts().await.unwrap().pending, 3 * 48);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_without_the_index_that_keeps_a_key_from_being_there_twice_keeps_nothing() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    let (store, journal) = (open_quick(&target).await, open_journal(&target).await);
    store.put(entry("a")).await.unwrap();
    store.kv_set("bucket", "a", vec![1]).await.unwrap();
    journal.swap("a", None, "1").await.unwrap();
    let lose = "ALTER TABLE messaging_journal.entries DROP CONSTRAINT entries_pkey;
        DROP INDEX messaging_inbox.events_key; DROP INDEX messaging_inbox.kv_key";
    server.sql(&name, lose).unwrap();
    for key in ["a", "b"] {
        is_not_set_up(&store.put(entry(key)).await, "CREATE UNIQUE INDEX events_key");
        is_not_set_up(&store.kv_set("bucket", key, vec![2]).await, "UNIQUE INDEX kv_key");
        journal_is_not_set_up(&journal.swap(key, None, "2").await, "entries_pkey");
    }
    journal_is_not_set_up(&journal.get("a").await, "entries_pkey");
    is_not_set_up(&store.probe().await, "events_key");
    let opened = messaging_postgres::inbox::open(&target, Options::default()).await.map(drop);
    is_not_set_up(&opened, "CREATE UNIQUE INDEX");
    let opened = messaging_postgres::journal::open(&target, Default::default()).await.map(drop);
    journal_is_not_set_up(&opened, "entries_pkey");
    // Another index of its name does not stand for it.
    let other = "CREATE INDEX events_key ON messaging_inbox.events (sha256(idempotency_key), copy)";
    server.sql(&name, other).unwrap();
    is_not_set_up(&store.put(entry("b")).await, "events_key");
    let mend = "DROP INDEX messaging_inbox.events_key;
        CREATE UNIQUE INDEX events_key ON messaging_inbox.events (sha256(idempotency_key), copy);
        CREATE UNIQUE INDEX kv_key ON messaging_inbox.kv (sha256(bucket), sha256(key));
        ALTER TABLE messaging_journal.entries ADD CONSTRAINT entries_pkey PRIMARY KEY (key)";
    server.sql(&name, mend).unwrap();
    assert_eq!(store.put(entry("a")).await, Ok(Stored::Duplicate));
    assert_eq!(store.put(entry("b")).await, Ok(Stored::Stored));
    store.kv_set("bucket", "b", vec![2]).await.unwrap();
    assert!(matches!(journal.swap("b", None, "2").await, Ok(Swapped::Swapped)));
    assert_eq!(server.sql(&name, "SELECT count(*) FROM messaging_inbox.events").unwrap(), "2");
    open_quick(&target).await;
    open_journal(&target).await;
    // One that is over something else does not either, nor one of the table that was there before.
    let over = "DROP INDEX messaging_inbox.events_key;
        CREATE UNIQUE INDEX events_key ON messaging_inbox.events (id)";
    server.sql(&name, over).unwrap();
    let opened = messaging_postgres::inbox::open(&target, Options::default()).await.map(drop);
    is_not_set_up(&opened, "(sha256(idempotency_key), copy)");
    let replace = "DROP INDEX messaging_inbox.events_key;
        CREATE UNIQUE INDEX events_key ON messaging_inbox.events (sha256(idempotency_key), copy);
        CREATE TABLE messaging_inbox.slim (LIKE messaging_inbox.events
            INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING CONSTRAINTS);
        INSERT INTO messaging_inbox.slim OVERRIDING SYSTEM VALUE SELECT * FROM messaging_inbox.events;
        ALTER TABLE messaging_inbox.events RENAME TO before;
        ALTER TABLE messaging_inbox.slim RENAME TO events";
    server.sql(&name, replace).unwrap();
    for key in ["a", "c"] {
        is_not_set_up(&store.put(entry(key)).await, "CREATE UNIQUE INDEX events_key");
    }
    let opened = messaging_postgres::inbox::open(&target, Options::default()).await.map(drop);
    is_not_set_up(&opened, "CREATE UNIQUE INDEX events_key");
    assert_eq!(server.sql(&name, "SELECT count(*) FROM messaging_inbox.events").unwrap(), "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trigger_that_has_commits_not_wait_for_the_disk_is_overruled() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    let (store, journal) = (open_quick(&target).await, open_journal(&target).await);
    let hurry = "CREATE TABLE public.seen (setting text);
        GRANT ALL ON public.seen TO PUBLIC;
        CREATE FUNCTION public.hurry() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
            PERFORM set_config(''synchronous_commit'', ''off'', true); RETURN NEW; END';
        CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
            INSERT INTO public.seen SELECT current_setting(''synchronous_commit''); RETURN NEW; END';
        CREATE TRIGGER hurry BEFORE INSERT OR UPDATE ON messaging_inbox.events
            FOR EACH ROW EXECUTE FUNCTION public.hurry();
        CREATE TRIGGER hurry BEFORE INSERT OR UPDATE ON messaging_journal.entries
            FOR EACH ROW EXECUTE FUNCTION public.hurry();
        CREATE CONSTRAINT TRIGGER see AFTER INSERT OR UPDATE ON messaging_inbox.events
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.see();
        CREATE CONSTRAINT TRIGGER see AFTER INSERT OR UPDATE ON messaging_journal.entries
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.see()";
    server.sql(&name, hurry).unwrap();
    assert_eq!(store.put(entry("a")).await, Ok(Stored::Stored));
    // Stored by itself.
    let other = Entry { json: "[]".into(), ..entry("a") };
    assert_eq!(store.put(other).await, Ok(Stored::Conflict));
    let leased = store.lease(1, MINUTE).await.unwrap().remove(0);
    store.ack(leased.id, leased.lease.unwrap()).await.unwrap();
    assert!(matches!(journal.swap("k", None, "1").await, Ok(Swapped::Swapped)));
    // As the last moment of each transaction sees it.
    let seen = "SELECT string_agg(setting, ' ') FROM public.seen";
    assert_eq!(server.sql(&name, seen).unwrap(), ["on"; 5].join(" "));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_have_set_up_wrongly_is_no_fault_of_an_event_and_a_duplicate_is_one() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    let store = open_quick(&target).await;
    store.put(entry("kept")).await.unwrap();
    let restart = |number: &str| {
        let sql = format!("ALTER SEQUENCE messaging_inbox.events_id_seq RESTART {number}");
        server.sql(&name, &sql).unwrap();
    };
    restart("9223372036854775807");
    assert_eq!(store.put(entry("last")).await, Ok(Stored::Stored));
    is_not_set_up(&store.put(entry("a")).await, "2200H");
    assert_eq!(store.put(entry("kept")).await, Ok(Stored::Duplicate));
    for (key, answer) in put_all(&store, ["kept", "last", "b", "c"].map(String::from)).await {
        match key.as_str() {
            "kept" | "last" => assert_eq!(answer, Ok(Stored::Duplicate)),
            _ => is_not_set_up(&answer, "2200H"),
        }
    }
    server.sql(&name, "DELETE FROM messaging_inbox.events WHERE id > 10").unwrap();
    restart("10");
    assert_eq!(store.put(entry("a")).await, Ok(Stored::Stored));
    for (doing, undoing) in [
        ("ADD CONSTRAINT small CHECK (length(json) < 2) NOT VALID", "DROP CONSTRAINT small"),
        (
            "ADD COLUMN tenant text; UPDATE messaging_inbox.events SET tenant = 'x';
            ALTER TABLE messaging_inbox.events ALTER tenant SET NOT NULL",
            "DROP COLUMN tenant",
        ),
    ] {
        server.sql(&name, &format!("ALTER TABLE messaging_inbox.events {doing}")).unwrap();
        is_not_set_up(&store.put(entry("new")).await, "constraint");
        assert_eq!(store.put(entry("kept")).await, Ok(Stored::Duplicate));
        server.sql(&name, &format!("ALTER TABLE messaging_inbox.events {undoing}")).unwrap();
    }
    assert_eq!(store.put(entry("new")).await, Ok(Stored::Stored));
}

#[tokio::test]
async fn a_key_that_no_index_takes_is_refused_for_good() {
    let Some(server) = shared() else { return };
    let (_, target) = database(server);
    let journal = open_journal(&target).await;
    // Of random characters, which cannot be made shorter.
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from_digit((state >> 24) % 36, 36).unwrap()
    };
    let key: String = (0..20_000).map(|_| next()).collect();
    let answer = journal.swap(&key, None, "1").await;
    assert!(matches!(answer, Err(JournalError::Refused { .. })), "{answer:?}");
}

#[tokio::test]
async fn a_value_is_kept_only_where_a_crash_does_not_lose_it() {
    let Some(server) = server(&[]) else { return };
    let target = server.target("postgres").unwrap();
    let store = open_quick(&target).await;
    store.kv_set("bucket", "a", vec![1]).await.unwrap();
    let is_refused = async |word: &str| {
        is_not_set_up(&store.kv_set("bucket", "b", vec![1]).await, word);
        is_not_set_up(&store.kv_delete("bucket", "a").await, word);
        is_not_set_up(&store.kv_get("bucket", "a").await, word);
        is_not_set_up(&store.kv_exists("bucket", "a").await, word);
    };
    server.sql("postgres", "ALTER TABLE messaging_inbox.kv SET UNLOGGED").unwrap();
    is_refused("kv SET LOGGED").await;
    server.sql("postgres", "ALTER TABLE messaging_inbox.kv SET LOGGED").unwrap();
    store.kv_set("bucket", "c", vec![1]).await.unwrap();
    store.kv_delete("bucket", "c").await.unwrap();
    store.kv_delete("bucket", "none").await.unwrap();
    server.sql("postgres", "ALTER ROLE inbox SET synchronous_commit = off").unwrap();
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'messaging-inbox'";
    server.sql("postgres", cut).unwrap();
    let begun = Instant::now();
    // Until the connections that were cut are noticed.
    while !matches!(store.kv_get("bucket", "a").await, Err(StoreError::NotSetUp { .. })) {
        assert!(begun.elapsed() < MINUTE);
    }
    is_refused("synchronous_commit").await;
    server.sql("postgres", "ALTER ROLE inbox RESET synchronous_commit").unwrap();
    server.sql("postgres", cut).unwrap();
    while !matches!(store.kv_get("bucket", "a").await, Ok(Some(_))) {
        assert!(begun.elapsed() < MINUTE);
    }
    server.sql("postgres", "UPDATE messaging_inbox.version SET compatible_from = 99").unwrap();
    for answer in [
        store.kv_set("bucket", "b", vec![1]).await,
        store.kv_delete("bucket", "a").await,
        store.kv_get("bucket", "a").await.map(drop),
    ] {
        assert!(matches!(answer, Err(StoreError::NewerSchema { .. })), "{answer:?}");
    }
    let kept = "SELECT string_agg(convert_from(key, 'UTF8'), ' ') FROM messaging_inbox.kv";
    assert_eq!(server.sql("postgres", kept).unwrap(), "a");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_no_standby_has_is_not_found() {
    let Some((primary, standby)) = pair() else { return };
    let store = open_quick(&primary.target("postgres").unwrap()).await;
    store.kv_set("bucket", "before", vec![1]).await.unwrap();
    standby.stop(End::Fast).unwrap();
    let waits = {
        let store = store.clone();
        tokio::spawn(async move { store.kv_set("bucket", "a", vec![1]).await })
    };
    let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    until(&primary, "postgres", cancel, "t").await;
    let answer = waits.await.unwrap();
    assert!(matches!(answer, Err(StoreError::Unavailable { .. })), "{answer:?}");
    let kept = "SELECT count(*) FROM messaging_inbox.kv";
    assert_eq!(primary.sql("postgres", kept).unwrap(), "2");
    let found = store.kv_get("bucket", "a").await;
    assert!(matches!(found, Err(StoreError::Unavailable { .. })), "{found:?}");
    let found = store.kv_exists("bucket", "a").await;
    assert!(matches!(found, Err(StoreError::Unavailable { .. })), "{found:?}");
    standby.go().unwrap();
    let begun = Instant::now();
    while store.kv_get("bucket", "a").await != Ok(Some(vec![1])) {
        assert!(begun.elapsed() < MINUTE, "it is not found");
    }
    assert_eq!(store.kv_exists("bucket", "none").await, Ok(false));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_wait_in_vain_for_a_standby_leave_no_connection_behind() {
    let Some((primary, standby)) = pair() else { return };
    let target = primary.target("postgres").unwrap();
    let store = open_quick(&target).await;
    let journal = open_journal(&target).await;
    for number in 0..200 {
        store.put(entry(number)).await.unwrap();
    }
    standby.stop(End::Fast).unwrap();
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
                    0 => store.kv_set("bucket", format!("{round}"), vec![1]).await,
                    1 => store.put(entry(format!("more-{round}"))).await.map(drop),
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
    // Nobody asks any more: nobody waits any more.
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    let begun = Instant::now();
    while primary.sql("postgres", waiting).unwrap() != "0" {
        assert!(begun.elapsed() < Duration::from_secs(15), "somebody still waits");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    standby.go().unwrap();
    let begun = Instant::now();
    while store.put(entry("after")).await.is_err() {
        assert!(begun.elapsed() < MINUTE);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_nobody_waits_for_any_more_leaves_no_statement_that_waits_for_a_lock() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    let options = Options { timeout: MINUTE, ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    store.put(entry("a")).await.unwrap();
    let _held = hold(server, &name, "LOCK TABLE messaging_inbox.events", 120);
    let waiting = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND datname = current_database()";
    let held = "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted
        AND relation = 'messaging_inbox.events'::regclass";
    until(server, &name, held, "1").await;
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
async fn a_password_that_is_changed_in_its_file_is_used_for_the_next_connection() {
    let Some(server) = server(&["password_encryption=scram-sha-256"]) else { return };
    let make = "CREATE ROLE guest LOGIN PASSWORD 'first'; CREATE DATABASE guest OWNER guest";
    for sql in make.split("; ") {
        server.sql("postgres", sql).unwrap();
    }
    let hba = server.folder().join("data/pg_hba.conf");
    let rules = std::fs::read_to_string(&hba).unwrap();
    std::fs::write(&hba, format!("local all guest scram-sha-256\n{rules}")).unwrap();
    server.sql("postgres", "SELECT pg_reload_conf()").unwrap();
    let target: Target = server.url("guest").replace("user=inbox", "user=guest").parse().unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "first\n").unwrap();
    let path = file.path().to_path_buf();
    let variable = move |name: &str| (name == PASSWORD_FILE).then(|| path.clone().into());
    let password = Password::find(&target, variable).unwrap();
    let options = Options { password, ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    store.put(entry("a")).await.unwrap();
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guest'";
    // Where the file is away or empty for a moment, the last one is tried.
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
async fn a_server_that_stands_still_before_its_commit_keeps_its_keys_for_seconds_alone() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
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
        assert!(begun.elapsed() < Duration::from_secs(20), "its key is still held");
    }
    drop(putting);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_that_may_not_stand_still_within_a_transaction_is_no_hindrance() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    for setting in ["idle_in_transaction_session_timeout = '1ms'", "lock_timeout = '1ms'"] {
        server.sql("postgres", &format!("ALTER DATABASE {name} SET {setting}")).unwrap();
    }
    for number in 0..5 {
        let store = open_quick(&target).await;
        assert_eq!(store.put(entry(number)).await, Ok(Stored::Stored));
        assert_eq!(store.lease(1, MINUTE).await.unwrap().len(), 1);
        assert_eq!(
            store.list(Filter { limit: 9, ..Filter::default() }).await.unwrap().len(),
            number + 1
        );
    }
}

#[tokio::test]
async fn a_socket_that_cannot_be_is_said_to_be_none() {
    let nowhere: Target = "postgres:///x?host=/no/such/folder&user=ann".parse().unwrap();
    let opened = messaging_postgres::inbox::open(&nowhere, Options::default()).await.map(drop);
    is_not_set_up(&opened, "/no/such/folder");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_compared_is_kept_once_beside_keys_that_are_held() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
    let options = Options { replays: Replays::Noticed, ..Options::default() };
    let store = messaging_postgres::inbox::open(&target, options).await.unwrap();
    store.put(entry("held")).await.unwrap();
    let _held = hold(server, &name, "DELETE FROM messaging_inbox.events", 60);
    let deleted = "SELECT count(*) FROM pg_stat_activity
        WHERE wait_event = 'PgSleep' AND datname = current_database()";
    until(server, &name, deleted, "1").await;
    let mut tasks = JoinSet::new();
    for number in 0..32 {
        let store = store.clone();
        let json = format!("{{\"n\": {}}}", number % 16);
        tasks.spawn(async move { store.put(Entry { json, ..entry(number) }).await });
    }
    let mut told = tasks.join_all().await;
    told.sort_by_key(|one| format!("{one:?}"));
    let distinct: BTreeSet<_> = told.iter().map(|one| format!("{one:?}")).collect();
    assert_eq!(distinct.len(), 2, "{told:?}");
    assert_eq!(told.iter().filter(|one| **one == Ok(Stored::Stored)).count(), 16);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_reads_what_was_stored_and_not_what_a_standby_has_of_it() {
    let Some((primary, standby)) = pair() else { return };
    let encoded = |server: &Server| server.folder().display().to_string().replace('/', "%2F");
    let url = format!("postgres://inbox@{},{}/postgres", encoded(&standby), encoded(&primary));
    let store = open_quick(&url.parse().unwrap()).await;
    store.put(entry("a")).await.unwrap();
    standby.sql("postgres", "SELECT pg_wal_replay_pause()").unwrap();
    store.put(entry("b")).await.unwrap();
    store.kv_set("bucket", "b", vec![1]).await.unwrap();
    assert_eq!(store.counts().await.unwrap().pending, 2);
    assert_eq!(store.list(Filter { limit: 9, ..Filter::default() }).await.unwrap().len(), 2);
    assert!(store.first_under("b").await.unwrap().is_some());
    assert_eq!(store.lease(2, MINUTE).await.unwrap().len(), 2);
    store.put(entry("c")).await.unwrap();
    assert!(store.next_due_ms().await.unwrap().is_some());
    assert_eq!(store.kv_get("bucket", "b").await.unwrap(), Some(vec![1]));
}

/// A sender that gives up ends, and can cancel nothing any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_sender_that_is_told_that_no_standby_answered_leaves_nothing_that_waits_for_one() {
    let Some((primary, standby)) = pair() else { return };
    let journal = open_journal(&primary.target("postgres").unwrap()).await;
    journal.swap("before", None, "1").await.unwrap();
    standby.stop(End::Fast).unwrap();
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    for round in 0..2 {
        let answers = [
            journal.swap(&round.to_string(), None, "1").await.map(drop),
            journal.get("before").await.map(drop),
        ];
        for answer in answers {
            let Err(JournalError::Unavailable { detail, .. }) = answer else {
                panic!("{answer:?}")
            };
            assert!(detail.contains("standby"), "{detail}");
        }
        assert_eq!(primary.sql("postgres", waiting).unwrap(), "0");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_cannot_be_read_is_named_and_keeps_no_other_from_being_worked_on() {
    let Some(server) = shared() else { return };
    let (name, target) = database(server);
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
