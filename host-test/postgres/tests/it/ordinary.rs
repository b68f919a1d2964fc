//! Tests with databases as administrators configure them: triggers that warn, unusual role
//! settings, and other roles. Deliveries, leases and starts succeed. Only a setup that endangers
//! data or the role is rejected.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::sync::mpsc;

use crate::fixture::{
    MINUTE, WARN, admit, as_role, entry, hold, is_not_set_up, journal_refused, open_journal,
    open_quick, password, server, shared_database, until, warn_at_commit,
};
use messaging_inbox::{Filter, Stored};
use messaging_journal::Swapped;
use messaging_postgres::{Options, Target};

/// Runs the operations of a server, a worker and a sender.
async fn works(target: &Target) {
    let store = open_quick(target).await;
    store.probe().await.unwrap();
    assert_eq!(store.put(entry("a")).await, Ok(Stored::Stored));
    assert_eq!(store.put(entry("a")).await, Ok(Stored::Duplicate));
    let other = messaging_inbox::Entry { json: "[]".into(), ..entry("a") };
    assert_eq!(store.put(other).await, Ok(Stored::Conflict));
    assert_eq!(store.list(Filter { limit: 9, ..Filter::default() }).await.unwrap().len(), 2);
    let leased = store.lease(1, MINUTE).await.unwrap().remove(0);
    let lease = leased.lease.unwrap();
    store.extend(leased.id, lease.clone(), MINUTE).await.unwrap();
    store.ack(leased.id, lease).await.unwrap();
    store.close().await;
    let journal = open_journal(target).await.unwrap();
    assert!(matches!(journal.swap("k", None, "1").await, Ok(Swapped::Swapped)));
    assert!(matches!(journal.swap("k", Some("1"), "2").await, Ok(Swapped::Swapped)));
    assert_eq!(journal.get("k").await.unwrap().as_deref(), Some("2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn trigger_warning_and_advisory_lock_fail_no_request() {
    let Some((server, name, target)) = shared_database() else { return };
    open_quick(&target).await.close().await;
    drop(open_journal(&target).await.unwrap());
    server.sql(&name, WARN).unwrap();
    for table in ["messaging_inbox.events", "messaging_journal.entries"] {
        let trigger = format!(
            "CREATE TRIGGER warn BEFORE INSERT OR UPDATE ON {table}
            FOR EACH ROW EXECUTE FUNCTION public.warn()"
        );
        server.sql(&name, &trigger).unwrap();
        server.sql(&name, &warn_at_commit(table)).unwrap();
    }
    // Another role holds advisory locks.
    let held = hold(
        server,
        &name,
        "SELECT pg_advisory_lock(1297303369 + n) FROM generate_series(0, 1) AS n",
        60,
    );
    let locked = "SELECT count(*) FROM pg_locks JOIN pg_database AS d ON d.oid = database
        WHERE locktype = 'advisory' AND granted AND datname = current_database()";
    until(server, &name, locked, "2").await;
    works(&target).await;
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn warning_of_every_statement_fails_no_start() {
    let Some((server, name, target)) = shared_database() else { return };
    let warn = "CREATE FUNCTION public.warn_of_ddl() RETURNS event_trigger LANGUAGE plpgsql
            AS 'BEGIN RAISE WARNING ''database must be vacuumed within 37000000 transactions''; END';
        CREATE EVENT TRIGGER warn ON ddl_command_start EXECUTE FUNCTION public.warn_of_ddl()";
    server.sql(&name, warn).unwrap();
    for setting in [
        "session_preload_libraries = 'auto_explain'",
        "auto_explain.log_min_duration = 0",
        "auto_explain.log_level = warning",
        "default_text_search_config = 'nope.nope'",
    ] {
        let set = format!("ALTER DATABASE {name} SET {setting}");
        server.sql("postgres", &set).unwrap();
    }
    works(&target).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unusual_role_settings_change_nothing() {
    let Some((server, name, _)) = shared_database() else { return };
    let role = format!("role_of_{name}");
    server.sql(&name, &format!("CREATE ROLE {role} LOGIN; CREATE ROLE owner_{role}")).unwrap();
    server.sql(&name, &format!("GRANT owner_{role} TO {role}")).unwrap();
    server.sql("postgres", &format!("ALTER DATABASE {name} OWNER TO owner_{role}")).unwrap();
    let target = as_role(server, &name, &role);
    for setting in [
        &format!("ROLE = owner_{role}"),
        "quote_all_identifiers = on",
        "default_transaction_isolation = serializable",
        "default_transaction_deferrable = on",
        "statement_timeout = '250ms'",
        "lock_timeout = '1ms'",
        "idle_in_transaction_session_timeout = '1ms'",
        "idle_session_timeout = '250ms'",
        "default_transaction_read_only = on",
        "DateStyle = 'SQL, DMY'",
        "IntervalStyle = iso_8601",
        "TimeZone = 'Asia/Kathmandu'",
        "bytea_output = escape",
        "client_min_messages = debug5",
        "client_encoding = latin1",
        "standard_conforming_strings = off",
        "array_nulls = off",
        "search_path = ''",
        "extra_float_digits = -15",
        "enable_indexscan = off",
        "enable_seqscan = off",
        "plan_cache_mode = force_generic_plan",
        "jit = on",
        "jit_above_cost = 0",
        "jit_dump_bitcode = on",
        "synchronous_commit = remote_apply",
    ] {
        server.sql("postgres", &format!("ALTER ROLE {role} SET {setting}")).unwrap();
    }
    works(&target).await;
    // Opens the store again, now with existing tables.
    let store = open_quick(&target).await;
    assert_eq!(store.put(entry("b")).await, Ok(Stored::Stored));
    let owner =
        "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'messaging_inbox'";
    assert_eq!(server.sql(&name, owner).unwrap(), format!("owner_{role}"));
    // With `jit_dump_bitcode`, the server writes compiled code to its directory. Compiling would
    // take up to a second.
    let compiled = "SELECT count(*) FROM pg_ls_dir('.') AS file WHERE file LIKE '%.bc'";
    assert_eq!(server.sql(&name, compiled).unwrap(), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn schema_of_untrusted_role_is_refused() {
    let Some((server, name, _)) = shared_database() else { return };
    let (own, other) = (format!("own_{name}"), format!("other_{name}"));
    let make = format!(
        "CREATE ROLE {own} LOGIN; CREATE ROLE {other} LOGIN; GRANT CREATE ON DATABASE {name} TO {own}, {other}"
    );
    server.sql(&name, &make).unwrap();
    let target = |role: &str| as_role(server, &name, role);
    open_quick(&target(&other)).await.close().await;
    drop(open_journal(&target(&other)).await.unwrap());
    for schema in ["messaging_inbox", "messaging_journal"] {
        let grant = format!(
            "GRANT USAGE, CREATE ON SCHEMA {schema} TO {own};
            GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {own};
            GRANT ALL ON ALL SEQUENCES IN SCHEMA {schema} TO {own}"
        );
        server.sql(&name, &grant).unwrap();
    }
    let inbox =
        async || messaging_postgres::inbox::open(&target(&own), Options::default()).await.map(drop);
    is_not_set_up(&inbox().await, &format!("belongs to role {other}"));
    assert!(journal_refused(&target(&own)).await.contains(&format!("belongs to role {other}")));
    // Tables of another role are rejected too, even in a schema of the connecting role.
    let owner = |role: &str| format!("ALTER SCHEMA messaging_inbox OWNER TO {role}");
    server.sql(&name, &owner(&own)).unwrap();
    is_not_set_up(&inbox().await, &format!("belongs to role {other}"));
    // Functions of another role are rejected too.
    let tables = format!(
        "DO $$ DECLARE name text; BEGIN
            FOR name IN SELECT oid::regclass FROM pg_class WHERE relkind IN ('r', 'v')
                AND relnamespace = 'messaging_inbox'::regnamespace
            LOOP EXECUTE format('ALTER TABLE %s OWNER TO {own}', name); END LOOP; END $$"
    );
    server.sql(&name, &tables).unwrap();
    is_not_set_up(&inbox().await, &format!("belongs to role {other}"));
    server.sql(&name, &format!("REASSIGN OWNED BY {other} TO {own}")).unwrap();
    assert_eq!(inbox().await, Ok(()));
    // An owner that administers the database is accepted, because it can change everything anyway.
    server.sql(&name, &format!("REASSIGN OWNED BY {own} TO inbox; GRANT ALL ON SCHEMA messaging_inbox TO {own}; GRANT ALL ON ALL TABLES IN SCHEMA messaging_inbox TO {own}; GRANT ALL ON ALL SEQUENCES IN SCHEMA messaging_inbox TO {own}")).unwrap();
    assert_eq!(inbox().await, Ok(()));
    // An owner is accepted if the connecting role is a member of the owner.
    server.sql(&name, &format!("REASSIGN OWNED BY {own} TO {own}; ALTER SCHEMA messaging_inbox OWNER TO {other}; GRANT {other} TO {own}")).unwrap();
    assert_eq!(inbox().await, Ok(()));
}

/// Serves one connection as an impostor that requests a password by `method`. Returns the bytes
/// that the client sends after the request.
fn impostor(mut stream: impl Read + Write + Send + 'static, method: &'static [u8]) -> Vec<u8> {
    let mut startup = [0; 1024];
    let _ = stream.read(&mut startup);
    let _ = stream.write_all(method);
    let mut sent = Vec::new();
    let _ = stream.read_to_end(&mut sent);
    sent
}

#[tokio::test(flavor = "multi_thread")]
async fn impostor_without_tls_receives_no_password() {
    const CLEARTEXT: &[u8] = b"R\0\0\0\x08\0\0\0\x03";
    const MD5: &[u8] = b"R\0\0\0\x0c\0\0\0\x05salt";
    const LATE: &[u8] = b"S\0\0\0\x09a\0bc\0R\0\0\0\x08\0\0\0\x03";
    let folder = tempfile::tempdir().unwrap();
    for (number, method) in [CLEARTEXT, MD5, LATE].into_iter().enumerate() {
        let (sender, received) = mpsc::channel();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = tcp.local_addr().unwrap().port();
        let socket = UnixListener::bind(folder.path().join(format!(".s.PGSQL.1{number}"))).unwrap();
        let over_tcp = sender.clone();
        std::thread::spawn(move || over_tcp.send(impostor(tcp.accept().unwrap().0, method)));
        std::thread::spawn(move || sender.send(impostor(socket.accept().unwrap().0, method)));
        for url in [
            format!("postgres://ann@127.0.0.1:{port}/x"),
            format!("postgres:///x?host={}&user=ann&port=1{number}", folder.path().display()),
        ] {
            let target: Target = url.parse().unwrap();
            let options = Options { password: password(&target, "canary"), ..Options::default() };
            let opened = messaging_postgres::inbox::open(&target, options).await.map(drop);
            let sent = received.recv_timeout(MINUTE).unwrap();
            assert_eq!(sent, b"", "{url}: {opened:?}");
            is_not_set_up(&opened, "SCRAM");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn password_without_tls_is_proven_by_scram_only() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let Some(server) = server(&["listen_addresses=localhost", &format!("port={port}")]) else {
        return;
    };
    let make = "SET password_encryption = md5; CREATE ROLE old LOGIN PASSWORD 'right';
        SET password_encryption = 'scram-sha-256'; CREATE ROLE new LOGIN PASSWORD 'right';
        GRANT ALL ON DATABASE postgres TO old, new";
    server.sql("postgres", make).unwrap();
    admit(&server, "host all old,new all md5\nlocal all old,new md5");
    let targets = |role: &str| {
        let tcp = format!("postgres://{role}@localhost:{port}/postgres").parse().unwrap();
        [tcp, as_role(&server, "postgres", role)]
    };
    let open = async |target: &Target| {
        let options = Options { password: password(target, "right"), ..Options::default() };
        messaging_postgres::inbox::open(target, options).await
    };
    for target in targets("old") {
        is_not_set_up(&open(&target).await.map(drop), "password_encryption");
    }
    for target in targets("new") {
        let store = open(&target).await.unwrap();
        assert!(store.put(entry(target)).await.is_ok());
    }
}
