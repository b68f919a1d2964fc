//! Cache of compiled components, shared between processes. The host loads a file only if the file
//! is complete and only the current user can change it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use messaging_components::PLUGIN;
use messaging_host::cache::Cache;
use messaging_host::{Host, Limits, Plugin};

fn host(folder: &Path) -> Host {
    let limits = Limits { instances: 2, ..Limits::default() };
    Host::new(limits).unwrap().with_cache(Cache::open(folder).unwrap())
}

fn load(host: &Host) -> Plugin {
    Plugin::load(host, PLUGIN, crate::common::config(&[], None)).unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn modified(file: &Path) -> SystemTime {
    fs::metadata(file).unwrap().modified().unwrap()
}

#[test]
fn damaged_cache_file_is_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("compiled");
    let host = host(&folder);
    load(&host);
    let [file] = files(&folder).try_into().unwrap();
    let whole = fs::read(&file).unwrap();
    // An unchanged file proves that the host loaded it and did not compile again.
    let written = modified(&file);
    load(&host);
    assert_eq!((files(&folder).len(), modified(&file)), (1, written));
    for damage in ["cut", "changed", "empty", "foreign", "sparse"] {
        let mut bytes = whole.clone();
        match damage {
            "cut" => bytes.truncate(whole.len() / 2),
            "changed" => *bytes.last_mut().unwrap() ^= 1,
            "empty" => bytes.clear(),
            _ => bytes = b"not compiled at all, but long enough to hold a digest".to_vec(),
        }
        fs::write(&file, bytes).unwrap();
        if damage == "sparse" {
            // A sparse file of 4 TiB, larger than any memory.
            File::options().write(true).open(&file).unwrap().set_len(1 << 42).unwrap();
        }
        load(&host);
        assert!(modified(&file) > written && fs::metadata(&file).unwrap().len() < 1 << 30);
        assert!(fs::read(&file).unwrap() == whole, "{damage}");
    }
}

#[test]
fn another_engine_has_its_own_file() {
    let folder = tempfile::tempdir().unwrap();
    load(&host(folder.path()));
    let on_demand = Host::on_demand(Limits::default()).unwrap();
    load(&on_demand.with_cache(Cache::open(folder.path()).unwrap()));
    assert_eq!(files(folder.path()).len(), 2);
}

#[test]
fn files_writable_by_others_are_not_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    let within = own.join("within");
    Cache::open(&within).unwrap();
    assert_eq!(fs::metadata(&within).unwrap().permissions().mode() & 0o777, 0o700);
    for (open, mode) in [(&within, 0o770), (&within, 0o707), (&within, 0o1777), (&own, 0o777)] {
        fs::set_permissions(open, Permissions::from_mode(mode)).unwrap();
        let error = Cache::open(&within).unwrap_err().to_string();
        assert!(error.contains(&open.display().to_string()), "{mode:o}: {error}");
        fs::set_permissions(open, Permissions::from_mode(0o700)).unwrap();
    }
    // With the sticky bit, as on /tmp, other users cannot replace this user's files.
    fs::set_permissions(&own, Permissions::from_mode(0o1777)).unwrap();
    Cache::open(&within).unwrap();
}

#[test]
fn unwritable_cache_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let host = host(folder.path());
    fs::remove_dir(folder.path()).unwrap();
    load(&host);
}

#[test]
fn concurrent_processes_share_cache() {
    let folder = tempfile::tempdir().unwrap();
    let loading: Vec<_> = (0..4)
        .map(|_| {
            let folder = folder.path().to_path_buf();
            std::thread::spawn(move || drop(load(&host(&folder))))
        })
        .collect();
    loading.into_iter().for_each(|one| one.join().unwrap());
    assert_eq!(files(folder.path()).len(), 1);
}

/// The cache directory may contain other files, for example the user's documents.
#[test]
fn only_files_of_cache_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let long_ago = SystemTime::now() - Duration::from_secs(24 * 60 * 60);
    let write = |name: &str, modified: SystemTime| {
        let file = File::create(at(name)).unwrap();
        file.set_modified(modified).unwrap();
    };
    let digest = |number: u32| format!("{number:064x}");
    let mut foreign: Vec<String> = (0..40).map(|number| format!("{number}.pdf")).collect();
    foreign.extend([
        "report.cwasm".into(),
        format!("{}.cwasm", &digest(7)[1..]),
        format!("{}.cwasm", digest(7).replace('7', "g")),
        format!("{}.cwasm.bak", digest(7)),
        format!("{}.draft", digest(7)),
        format!("{}.abcdef.draft", digest(7)),
        digest(7),
    ]);
    foreign.iter().for_each(|name| write(name, long_ago));
    let (own_folder, link) = (format!("{}.cwasm", digest(100)), format!("{}.cwasm", digest(101)));
    fs::create_dir(at(&own_folder)).unwrap();
    std::os::unix::fs::symlink(at("0.pdf"), at(&link)).unwrap();
    foreign.extend([own_folder, link]);
    let own = |number: u32| format!("{}.cwasm", digest(number));
    for number in 0..40 {
        write(&own(number), long_ago + Duration::from_secs(number.into()));
    }
    let draft = |number: u32| format!("{}.{number:016x}.draft", digest(1));
    write(&draft(1), long_ago);
    write(&draft(2), SystemTime::now());

    load(&host(folder.path()));
    let lost: Vec<_> = foreign.iter().filter(|name| at(name).symlink_metadata().is_err()).collect();
    assert!(lost.is_empty(), "{lost:?}");
    let left: Vec<u32> = (0..40).filter(|number| at(&own(*number)).exists()).collect();
    // 31 old files and the new one are left.
    assert_eq!(left, (9..40).collect::<Vec<_>>());
    assert_eq!([draft(1), draft(2)].map(|name| at(&name).exists()), [false, true]);
}

#[test]
fn cache_is_private_under_any_umask() {
    for umask in ["000", "002", "022", "077", "777"] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("compiled");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        let event = folder.with_file_name("event.json");
        fs::write(&event, r#"{"id":"m","object":"message","event":"message:in:new"}"#).unwrap();
        let headers = ["X-Idempotency-Key=e", "Content-Type=application/json"];
        let output = Command::new("sh")
            .args(["-c", r#"umask "$0" && exec "$@""#, umask, env!("CARGO_BIN_EXE_messaging")])
            .arg("--cache")
            .arg(&folder)
            .args(["event", "--header", headers[0], "--header", headers[1]])
            .arg(&event)
            .output()
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{umask}: {log}");
        let [file] = files(&folder).try_into().unwrap();
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{umask}: {mode:o}");
    }
}

#[test]
fn cache_writable_by_others_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let host = host(folder.path());
    load(&host);
    let [file] = files(folder.path()).try_into().unwrap();
    let whole = fs::read(&file).unwrap();
    for mode in [0o666, 0o620, 0o602] {
        fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        load(&host);
        let new = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(new & 0o777, 0o600, "{mode:o}");
    }
    // The host reads neither a symbolic link nor a pipe.
    let elsewhere = tempfile::tempdir().unwrap();
    let elsewhere = elsewhere.path().join("elsewhere.cwasm");
    fs::write(&elsewhere, &whole).unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    load(&host);
    assert!(fs::symlink_metadata(&file).unwrap().is_file());
    assert!(fs::read(&elsewhere).unwrap() == whole);
    fs::remove_file(&file).unwrap();
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    load(&host);
    assert!(fs::symlink_metadata(&file).unwrap().is_file());
}

/// An unprivileged user ID on most systems.
const ANOTHER_USER: u32 = 65_534;

/// The owner of a file can change its mode, and then its content.
#[test]
fn cache_of_another_user_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    let within = own.join("within");
    let host = host(&within);
    load(&host);
    let [file] = files(&within).try_into().unwrap();
    let give = |path: &Path, user: u32| std::os::unix::fs::chown(path, Some(user), None);
    if let Err(error) = give(&file, ANOTHER_USER) {
        return crate::common::not_run(format_args!("only root can change the owner: {error}"));
    }
    let user = |path: &Path| fs::metadata(path).unwrap().uid();
    assert_eq!(user(&file), ANOTHER_USER);
    // The component is compiled again and the file replaced.
    load(&host);
    let [file] = files(&within).try_into().unwrap();
    let me = rustix::process::geteuid().as_raw();
    assert_eq!(user(&file), me);
    for others in [&within, &own] {
        give(others, ANOTHER_USER).unwrap();
        let error = Cache::open(&within).unwrap_err().to_string();
        assert!(error.contains(&others.display().to_string()), "{error}");
        give(others, me).unwrap();
    }
    Cache::open(&within).unwrap();
}

#[test]
fn linked_cache_folder_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    for (mode, good) in [(0o700, true), (0o755, true), (0o777, false), (0o1777, false)] {
        fs::set_permissions(&real, Permissions::from_mode(mode)).unwrap();
        assert_eq!(Cache::open(&link).is_ok(), good, "{mode:o}");
    }
}
