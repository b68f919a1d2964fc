//! `inbox backup` and `inbox restore`.

use serde_json::json;

use super::{Fixture, entry, run};
use crate::process::{self, Serving, assert_fails, deliver, stdout};
use messaging_inbox::Stored;

#[tokio::test]
async fn backup_of_open_store_is_restored() {
    let fixture = Fixture::with(&[("a", "{}"), ("b", "{}")]).await;
    let path = |name: &str| fixture.folder.path().join(name).to_str().unwrap().to_string();
    let (copy, other) = (path("copy.sqlite"), path("other.sqlite"));
    let copied = fixture.json(&["backup", &copy]);
    assert_eq!(copied, json!({ "ok": { "file": copy, "events": 2 } }));
    assert_eq!(fixture.store.put(entry("c", "{}")).await, Ok(Stored::Stored));
    assert_fails(&fixture.run(&["backup", &copy]), 2, "is never replaced");
    assert_fails(&fixture.run(&["restore", &copy]), 2, "is never replaced");
    assert_fails(&fixture.run(&["backup", &path("missing/copy")]), 2, "directory must exist");
    let restored = run(&["inbox", "restore", &copy, "--store", &other]);
    assert!(stdout(&restored).contains("restored 2 events"), "{restored:?}");
    assert_eq!(process::keys(other.as_ref()), ["a", "b"]);
    assert_eq!(process::keys(&fixture.path()), ["a", "b", "c"]);
    assert_fails(
        &run(&["inbox", "restore", &path("missing"), "--store", &copy]),
        2,
        "no such file",
    );
}

/// The files of a running server were moved away: its events stay in them, and it acknowledges none
/// until they are back.
#[cfg(unix)]
#[tokio::test]
async fn restore_below_running_server_loses_nothing() {
    let place = process::Place::new();
    let path = |name: &str| place.folder().join(name).to_str().unwrap().to_string();
    let serving = place.serve(&[], &[]);
    assert_eq!(deliver(serving.address, "before").await.status, 200);
    place.inbox(&["backup", &path("copy")]);
    assert_eq!(deliver(serving.address, "after").await.status, 200);
    for end in ["", "-wal", "-shm"] {
        std::fs::rename(path(&format!("inbox.sqlite{end}")), path(&format!("aside{end}"))).unwrap();
    }
    place.inbox(&["restore", &path("copy")]);
    assert_eq!(deliver(serving.address, "lost").await.status, 503);
    assert_eq!(place.keys(), ["before"]);
    drop(serving);
    assert_eq!(process::keys(path("aside").as_ref())[..2], ["before", "after"]);
    let serving = Serving::start(&["--store", place.store.to_str().unwrap()], &[]);
    assert_eq!(deliver(serving.address, "lost").await.status, 200);
    assert_eq!(place.keys(), ["before", "lost"]);
}

#[test]
fn database_is_copied_by_its_tools() {
    for command in ["backup", "restore"] {
        let store = "postgres://inbox@localhost/none";
        assert_fails(&run(&["inbox", command, "file", "--store", store]), 2, "pg_dump");
    }
}
