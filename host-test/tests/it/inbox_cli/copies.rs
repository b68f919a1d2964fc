//! `inbox backup` and `inbox restore`.

use serde_json::json;

#[cfg(target_os = "linux")]
use super::reading::Disk;
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

#[cfg(unix)]
#[tokio::test]
async fn full_disk_is_blamed_on_backup() {
    let fixture = Fixture::with(&[("a", "{}")]).await;
    let copy = fixture.folder.path().join("copy.sqlite");
    // The shell counts in blocks of 512 or 1,024 bytes.
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -f 8 && exec \"$@\"", "sh"]).arg(env!("CARGO_BIN_EXE_messaging"));
    shell.args(["inbox", "backup", "--store"]).arg(fixture.path()).arg(&copy);
    let output = shell.output().unwrap();
    assert_fails(&output, 75, copy.to_str().unwrap());
    let names = std::fs::read_dir(fixture.folder.path()).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_str().unwrap().contains("copy")), "{names:?}");
    assert_fails(&fixture.run(&["backup", "-"]), 2, "name a file");
    #[cfg(target_os = "linux")]
    if let Some(disk) = Disk::mounted() {
        disk.fill();
        let copy = disk.path().join("copy.sqlite");
        assert_fails(&fixture.run(&["backup", copy.to_str().unwrap()]), 75, "free space");
        assert!(
            !std::fs::read_dir(disk.path())
                .unwrap()
                .any(|entry| { entry.unwrap().file_name().to_str().unwrap().contains("copy") })
        );
    }
}

/// The files of a running server are moved away, and a backup is restored in their place. The moved
/// files keep all events, and the running server acknowledges no further event.
#[cfg(unix)]
#[tokio::test]
async fn restore_below_running_server_loses_nothing() {
    let store = process::TestStore::new();
    let path = |name: &str| store.folder().join(name).to_str().unwrap().to_string();
    let serving = store.serve(&[], &[]);
    assert_eq!(deliver(serving.address, "before").await.status, 200);
    store.inbox(&["backup", &path("copy")]);
    assert_eq!(deliver(serving.address, "after").await.status, 200);
    for end in ["", "-wal", "-shm"] {
        std::fs::rename(path(&format!("inbox.sqlite{end}")), path(&format!("aside{end}"))).unwrap();
    }
    store.inbox(&["restore", &path("copy")]);
    assert_eq!(deliver(serving.address, "lost").await.status, 503);
    assert_eq!(store.keys(), ["before"]);
    drop(serving);
    assert_eq!(process::keys(path("aside").as_ref())[..2], ["before", "after"]);
    let serving = Serving::start(&["--store", store.path.to_str().unwrap()], &[]);
    assert_eq!(deliver(serving.address, "lost").await.status, 200);
    assert_eq!(store.keys(), ["before", "lost"]);
}

#[test]
fn database_is_copied_by_its_tools() {
    for command in ["backup", "restore"] {
        let store = "postgres://inbox@localhost/none";
        assert_fails(&run(&["inbox", command, "file", "--store", store]), 2, "pg_dump");
    }
}
