//! Commands that only read: without write permission, and on a full disk.

use std::path::Path;
use std::process::Command;

use messaging_inbox::{Options, Store};
use tempfile::TempDir;

use super::{Fixture, entry, run};
use crate::process::{self, stdout};

#[tokio::test]
async fn reading_commands_change_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("inbox.sqlite");
    let store = Store::open(&path, Options::default()).unwrap();
    store.put(entry("a", "{}")).await.unwrap();
    store.close().await;
    let before = std::fs::read(&path).unwrap();
    for command in [&["list"][..], &["list", "--stuck"], &["show", "1"], &["export"]] {
        let output = run(&[&["inbox", "--store", path.to_str().unwrap()], command].concat());
        assert!(output.status.success(), "{output:?}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "{command:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{command:?}");
    }
}

/// Kills a process that has the store open, so that the WAL remains.
#[cfg(target_os = "linux")]
async fn kill_a_writer(path: &Path, open: &mut Option<Store>) {
    open.take().unwrap().close().await;
    process::Serving::start(&["--cache", "none", "--store", path.to_str().unwrap()], &[]).kill();
    let log = path.with_file_name("inbox.sqlite-wal");
    assert!(log.exists(), "the WAL is missing");
}

/// Runs the commands as a user with read access only.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn list_show_and_export_need_only_read_access() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let fixture = Fixture::with(&[("a", "{}")]).await;
    let mode = std::fs::Permissions::from_mode;
    std::fs::set_permissions(fixture.folder.path(), mode(0o755)).unwrap();
    let program = fixture.folder.path().join("host-test");
    // Copied by another process. If this process had the copy open for writing while a parallel
    // test starts a program, that program could keep it open, and the copy could not run.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_messaging")).arg(&program).status();
    assert!(copied.unwrap().success());
    let Fixture { folder, store } = fixture;
    let path = folder.path().join("inbox.sqlite");
    // The store has three states: open for writing, after a killed writer, and after a clean close.
    let mut open = Some(store);
    for case in ["open", "killed", "closed"] {
        match case {
            "killed" => kill_a_writer(&path, &mut open).await,
            "closed" => Store::open(&path, Options::default()).unwrap().close().await,
            _ => {}
        }
        for file in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::set_permissions(file.unwrap().path(), mode(0o755)).unwrap();
        }
        for arguments in [&["list"][..], &["show", "1"], &["export"]] {
            let mut command = Command::new(&program);
            command.args(["inbox", "--store", path.to_str().unwrap()]).args(arguments);
            command.env_clear().uid(65_534).gid(65_534);
            let output = match command.output() {
                Ok(output) => output,
                Err(error) => {
                    return crate::common::not_run(format_args!(
                        "only root can become another user: {error}"
                    ));
                }
            };
            assert!(output.status.success(), "{case} {arguments:?}: {output:?}");
            assert!(stdout(&output).contains('a'), "{output:?}");
        }
    }
}

/// A small separate disk, unmounted on drop.
#[cfg(target_os = "linux")]
pub struct Disk(TempDir);

#[cfg(target_os = "linux")]
impl Disk {
    /// Mounts the disk. `None` if this user may not mount.
    pub fn mounted() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        mounted.then(|| Self(folder))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Fills the disk completely.
    pub fn fill(&self) {
        use std::io::Write;
        let mut file = std::fs::File::create(self.0.path().join("filling")).unwrap();
        for size in [64 * 1024, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
        let other = self.0.path().join("other");
        let full = std::fs::write(&other, [0; 4096]).unwrap_err();
        assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

/// An operator inspects the inbox before deleting anything from a full disk.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn reading_commands_work_on_full_disk() {
    for case in ["open", "killed", "closed"] {
        let Some(disk) = Disk::mounted() else {
            return crate::common::not_run("a disk can only be mounted by root");
        };
        let path = disk.0.path().join("inbox.sqlite");
        let store = Store::open(&path, Options::default()).unwrap();
        store.put(entry("a", "{}")).await.unwrap();
        let mut open = Some(store);
        match case {
            "killed" => kill_a_writer(&path, &mut open).await,
            "closed" => open.take().unwrap().close().await,
            _ => {}
        }
        disk.fill();
        for arguments in [&["list"][..], &["show", "1"], &["export"]] {
            let output = run(&[&["inbox", "--store", path.to_str().unwrap()], arguments].concat());
            assert!(output.status.success(), "{case} {arguments:?}: {output:?}");
            assert!(stdout(&output).contains('a'), "{output:?}");
        }
    }
}
