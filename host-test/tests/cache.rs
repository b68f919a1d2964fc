//! Compiled components between processes: only what this user put there is run, and only
//! whole.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use host_test::cache::Cache;
use host_test::{Host, Limits, PLUGIN, Plugin};

fn host(folder: &Path) -> Host {
    let limits = Limits { instances: 2, ..Limits::default() };
    Host::new(limits).unwrap().with_cache(Cache::open(folder).unwrap())
}

fn load(host: &Host) -> Plugin {
    Plugin::load(host, PLUGIN, common::sandbox(&[], None)).unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn modified(file: &Path) -> SystemTime {
    fs::metadata(file).unwrap().modified().unwrap()
}

#[test]
fn a_component_is_compiled_once_and_a_damaged_file_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("compiled");
    let host = host(&folder);
    load(&host);
    let [file] = files(&folder).try_into().unwrap();
    let whole = fs::read(&file).unwrap();
    // What nobody has written since is what was loaded.
    let written = modified(&file);
    load(&host);
    assert_eq!((files(&folder).len(), modified(&file)), (1, written));
    for damage in ["cut", "changed", "empty", "foreign"] {
        let mut bytes = whole.clone();
        match damage {
            "cut" => bytes.truncate(whole.len() / 2),
            "changed" => *bytes.last_mut().unwrap() ^= 1,
            "empty" => bytes.clear(),
            _ => bytes = b"not compiled at all, but long enough to hold a digest".to_vec(),
        }
        fs::write(&file, bytes).unwrap();
        load(&host);
        assert!(fs::read(&file).unwrap() == whole, "{damage}");
    }
}

#[test]
fn another_engine_has_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    load(&host(folder.path()));
    let on_demand = Host::on_demand(Limits::default()).unwrap();
    load(&on_demand.with_cache(Cache::open(folder.path()).unwrap()));
    assert_eq!(files(folder.path()).len(), 2);
}

#[test]
fn nothing_is_loaded_from_where_others_can_write() {
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
    // In a folder like /tmp nobody can replace what is another's.
    fs::set_permissions(&own, Permissions::from_mode(0o1777)).unwrap();
    Cache::open(&within).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_to_is_no_reason_to_fail() {
    let folder = tempfile::tempdir().unwrap();
    let host = host(folder.path());
    fs::remove_dir(folder.path()).unwrap();
    load(&host);
}

#[test]
fn many_processes_at_once_do_not_disturb_each_other() {
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
