//! The directory of an inbox: its choice, its permissions, and other files in it.

use std::collections::BTreeSet;

use super::*;

#[tokio::test]
async fn folder_of_inbox_is_found_by_name() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let event = entry("evt-1", "{}");
    let rw = FsPerms::ReadWrite;
    let call = async |open: &[(&Path, &str, FsPerms)]| {
        put(files_inbox(), folders(open), Memory::default(), &event).await
    };
    let answer = call(&[]).await;
    assert!(not_set_up(answer).contains("/inbox"));
    let answer = call(&[(one.path(), "/a", rw), (two.path(), "/b", rw)]).await;
    assert!(not_set_up(answer).contains("/inbox"));
    assert!(names(one.path()).is_empty() && names(two.path()).is_empty());
    assert_eq!(call(&[(one.path(), ".", rw)]).await, Ok(Stored::Stored));
    for order in [[("/a", &one), ("/inbox", &two)], [("/inbox", &two), ("/a", &one)]] {
        let open = order.map(|(name, folder)| (folder.path(), name, rw));
        assert!(call(&open).await.is_ok());
    }
    assert_eq!(names(&two.path().join("events")), ["evt-1.json"]);
}

#[tokio::test]
async fn unwritable_folder_is_not_set_up() {
    let folder = TempDir::new().unwrap();
    let call = async |event: &Entry| {
        let wasi = folders(&[(folder.path(), "/inbox", FsPerms::ReadOnly)]);
        put(files_inbox(), wasi, Memory::default(), event).await
    };
    let event = entry("evt-1", "{}");
    let answer = call(&event).await;
    let text = not_set_up(answer);
    assert!(text.contains("events") && text.contains("not-permitted"), "{text}");
    assert!(names(folder.path()).is_empty());
    // The directories exist and are now read-only, as after a restart with other permissions.
    assert_eq!(put_file(folder.path(), &event).await, Ok(Stored::Stored));
    let answer = call(&entry("evt-2", "{}")).await;
    let text = not_set_up(answer);
    assert!(text.contains("tmp/evt-2.") && text.contains("not-permitted"), "{text}");
    assert_eq!(names(&folder.path().join("events")), ["evt-1.json"]);
}

#[tokio::test]
async fn keys_stay_in_directory_and_apart() {
    let outer = TempDir::new().unwrap();
    let folder = outer.path().join("inbox");
    fs::create_dir(&folder).unwrap();
    let long = "k".repeat(256);
    let keys = [
        "../x",
        "../../x",
        "/x",
        "x",
        "X",
        "evt",
        "EVT",
        "Evt",
        "CON",
        "con",
        ".",
        "..",
        "a/b",
        "a\\b",
        "a:b",
        "a*b",
        "%2e%2e",
        "~",
        &long,
        &long[1..],
        "tmp",
        "events",
        "x.json",
    ];
    for key in keys {
        assert_eq!(put_file(&folder, &entry(key, "{}")).await, Ok(Stored::Stored), "{key}");
    }
    for key in keys {
        assert_eq!(put_file(&folder, &entry(key, "{}")).await, Ok(Stored::Duplicate), "{key}");
    }
    assert_eq!(names(outer.path()), ["inbox"]);
    assert_eq!(names(&folder), ["conflict", "events", "tmp"]);
    let files = names(&folder.join("events"));
    // The names differ even on a file system that ignores case.
    let distinct: BTreeSet<_> = files.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(distinct.len(), keys.len());
    let mut kept = BTreeSet::new();
    for name in files {
        let text = fs::read_to_string(folder.join("events").join(name)).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        kept.insert(value["idempotency-key"].as_str().unwrap().to_string());
    }
    assert_eq!(kept, keys.iter().map(ToString::to_string).collect());
}

#[cfg(unix)]
#[tokio::test]
async fn symbolic_link_is_not_followed() {
    use std::os::unix::fs::symlink;
    let event = entry("evt-1", "{}");
    let draft = format!("tmp/evt-1.{}", record(&event).fingerprint);
    for inside in [false, true] {
        for planted in ["events", "tmp", "conflict", "events/evt-1.json", &draft] {
            let (folder, outside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
            // Includes links to targets inside the directory, which the host does not block.
            let aim = if inside { &folder } else { &outside }.path().join("aim");
            let link = folder.path().join(planted);
            let is_file = planted.contains('/');
            if is_file {
                fs::create_dir(link.parent().unwrap()).unwrap();
                fs::write(&aim, "").unwrap();
            } else {
                fs::create_dir(&aim).unwrap();
            }
            // Links to targets inside the directory are relative, because hosts reject every
            // absolute link.
            match (inside, is_file) {
                (false, _) => symlink(&aim, &link).unwrap(),
                (true, false) => symlink("aim", &link).unwrap(),
                (true, true) => symlink("../aim", &link).unwrap(),
            }
            let answer = put_file(folder.path(), &event).await;
            let text = unavailable(answer);
            assert!(text.contains(planted), "{text}");
            let touched = if is_file { fs::read(&aim).unwrap().len() } else { names(&aim).len() };
            assert_eq!(touched, 0, "{planted}");
        }
    }
}

#[tokio::test]
async fn other_files_in_folder_stay_unchanged() {
    let folder = TempDir::new().unwrap();
    let theirs = ["report.pdf", "events/notes.txt", "tmp/draft", "conflict/a.json", "mine/too.txt"];
    for name in theirs {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    }
    for (key, json) in [("a", "{}"), ("a", "[]"), ("b", "{}")] {
        put_file(folder.path(), &entry(key, json)).await.unwrap();
    }
    for name in theirs {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), name);
    }
    let counts = ["events", "conflict", "tmp"].map(|part| names(&folder.path().join(part)).len());
    assert_eq!(counts, [3, 2, 1]);
}

#[cfg(unix)]
#[tokio::test]
async fn path_other_than_file_is_named() {
    for planted in ["directory", "pipe"] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("events/evt-1.json");
        fs::create_dir(folder.path().join("events")).unwrap();
        if planted == "pipe" {
            let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
            assert!(made.success());
        } else {
            fs::create_dir(&path).unwrap();
        }
        let answer = put_file(folder.path(), &entry("evt-1", "{}")).await;
        let text = unavailable(answer);
        assert!(text.contains("events/evt-1.json is not a regular file"), "{text}");
    }
}
