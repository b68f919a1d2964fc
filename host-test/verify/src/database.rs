//! The private server of a campaign, on a small disk of its own where the machine lets us mount
//! one, so that it can be filled; a database for each part of the campaign; and the server's
//! faults.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use messaging_inbox::{Store, StoreError};
use messaging_postgres::server::{End, Server};
use messaging_postgres::{inbox as postgres, journal};
use rand::Rng;
use rand::rngs::StdRng;
use serde::Serialize;

use crate::process::PATIENCE;

/// Settings of the server: small files, so that a disk in memory holds them.
const SETTINGS: [&str; 4] =
    ["max_wal_size=128MB", "min_wal_size=32MB", "max_connections=200", "checkpoint_timeout=30s"];

/// Size of the disk.
const SIZE: &str = "size=1500m,mode=755";

/// A server, and its disk.
pub struct Disk {
    // In the order in which they end.
    server: Server,
    mounted: Option<Mounted>,
    /// The databases that were made.
    databases: Mutex<BTreeSet<String>>,
}

impl Disk {
    /// Starts a server.
    ///
    /// # Errors
    /// The machine has no PostgreSQL, or it does not start.
    pub fn start() -> anyhow::Result<Self> {
        let mounted = Mounted::new();
        let place = mounted.as_ref().map_or_else(std::env::temp_dir, |disk| disk.folder.clone());
        let server = Server::start_in(&place, &SETTINGS)?;
        Ok(Self { server, mounted, databases: Mutex::default() })
    }

    fn databases(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.databases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The URL of the database for a folder of the campaign, which is made where it is not there.
    pub(crate) fn url(&self, folder: &Path) -> anyhow::Result<String> {
        let name = name(folder);
        let mut databases = self.databases();
        if !databases.contains(&name) {
            self.server.sql("postgres", &format!("CREATE DATABASE {name}"))?;
            databases.insert(name.clone());
        }
        Ok(self.server.url(&name))
    }

    /// The keys of all events in the database for a folder, by the database's own client.
    ///
    /// # Errors
    /// It does not answer, although nothing stands in its way any more.
    pub(crate) async fn keys(self: &Arc<Self>, folder: &Path) -> anyhow::Result<BTreeSet<String>> {
        let (disk, name) = (Arc::clone(self), name(folder));
        tokio::task::spawn_blocking(move || disk.list_keys(&name)).await?
    }

    fn list_keys(&self, database: &str) -> anyhow::Result<BTreeSet<String>> {
        let list = "SELECT convert_from(idempotency_key, 'UTF8') FROM messaging_inbox.events";
        let begun = Instant::now();
        loop {
            match self.server.sql(database, list) {
                Ok(keys) => return Ok(keys.lines().map(ToString::to_string).collect()),
                Err(error) if begun.elapsed() > PATIENCE => return Err(error.into()),
                // It recovers from the last fault.
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Opens the inbox in the database for a folder; none where a process was killed before it made
    /// the tables.
    pub(crate) async fn open_inbox(&self, folder: &Path) -> anyhow::Result<Option<Store>> {
        let target = self.url(folder)?.parse()?;
        let own = postgres::Options {
            create: false,
            timeout: Duration::from_secs(60),
            ..postgres::Options::default()
        };
        match postgres::open(&target, own).await {
            Ok(store) => Ok(Some(store)),
            Err(StoreError::NotSetUp { .. }) => Ok(None),
            Err(error) => Err(error).context("the store does not open"),
        }
    }

    /// Removes the database for a folder.
    pub(crate) fn remove(&self, folder: &Path) -> anyhow::Result<()> {
        let name = name(folder);
        self.server.sql("postgres", &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
        self.databases().remove(&name);
        Ok(())
    }

    /// Makes a fault, and waits until the database is there again.
    fn suffer(&self, fault: Fault) -> anyhow::Result<()> {
        let server = &self.server;
        match fault {
            Fault::Cut => {
                let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE application_name IN ('messaging-inbox', 'messaging-journal')";
                server.sql("postgres", cut)?;
            }
            Fault::Crash(away) => {
                server.stop(End::Immediate)?;
                std::thread::sleep(away);
                server.go()?;
            }
            Fault::Kill => {
                server.stop(End::Killed)?;
                server.go()?;
            }
            Fault::Full(time) => {
                if let Some(mounted) = &self.mounted {
                    mounted.fill(time)?;
                }
                if server.sql("postgres", "SELECT 1").is_err() {
                    // It has crashed for want of space, and may not have come back by itself.
                    server.stop(End::Immediate)?;
                    server.go()?;
                }
            }
        }
        Ok(())
    }
}

/// Kind of a fault of a database.
#[derive(Clone, Copy)]
enum Fault {
    Cut,
    /// It is away for so long.
    Crash(Duration),
    Kill,
    /// Its disk is, for so long.
    Full(Duration),
}

impl Fault {
    fn choose(disk: &Disk, random: &mut StdRng) -> Self {
        let mut millis = |range| Duration::from_millis(random.random_range(range));
        let (away, full) = (millis(0..60), millis(50..500));
        match random.random_range(0..15) {
            0..7 => Self::Cut,
            7..11 => Self::Crash(away),
            11..13 if disk.mounted.is_some() => Self::Full(full),
            _ => Self::Kill,
        }
    }
}

/// Starts a server with the tables of a journal, which ends when it is dropped; with the URL of its
/// database.
///
/// # Errors
/// The machine has no PostgreSQL, or it does not start.
pub async fn with_journal() -> anyhow::Result<(Server, String)> {
    let server = Server::start(&[])?;
    let url = server.url("postgres");
    drop(journal::open(&url.parse()?, journal::Options::default()).await?);
    Ok((server, url))
}

/// The database for a folder of the campaign.
fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!("campaign_{}", name.replace('-', "_"))
}

/// Faults of a database, counted.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Faults {
    /// Times that all connections of the database were cut.
    pub connections_cut: u64,
    /// Crashes of the database (`-m immediate`).
    pub database_crashes: u64,
    /// Times that the database was killed by SIGKILL.
    pub database_kills: u64,
    /// Times that its disk was full; 0 where the machine lets nobody mount one.
    pub disk_filled: u64,
}

impl Faults {
    /// All of them.
    #[must_use]
    pub fn count(&self) -> u64 {
        [self.connections_cut, self.database_crashes, self.database_kills, self.disk_filled]
            .iter()
            .sum()
    }

    /// Makes one of them, beside whatever else this process does.
    pub(crate) async fn make(
        &mut self,
        disk: &Arc<Disk>,
        random: &mut StdRng,
    ) -> anyhow::Result<()> {
        let (fault, disk) = (Fault::choose(disk, random), Arc::clone(disk));
        tokio::task::spawn_blocking(move || disk.suffer(fault)).await??;
        let counted = match fault {
            Fault::Cut => &mut self.connections_cut,
            Fault::Crash(_) => &mut self.database_crashes,
            Fault::Kill => &mut self.database_kills,
            Fault::Full(_) => &mut self.disk_filled,
        };
        *counted = counted.saturating_add(1);
        Ok(())
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} times all connections, {} crashes and {} kills of the database, {} full disks",
            self.connections_cut, self.database_crashes, self.database_kills, self.disk_filled
        )
    }
}

/// A disk in memory.
struct Mounted {
    folder: PathBuf,
    /// Unmounts it when this process has gone, however that ends.
    keeper: Child,
}

impl Mounted {
    /// None where the machine lets nobody mount one.
    fn new() -> Option<Self> {
        const KEEP: &str = "read -r end; umount -l \"$1\"; rmdir \"$1\"";
        let folder = std::env::temp_dir().join(format!("campaign-{:016x}", rand::random::<u64>()));
        std::fs::create_dir(&folder).ok()?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(&folder);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        let mut keeper = Command::new("sh");
        keeper.args(["-c", KEEP, "sh"]).arg(&folder).stdin(Stdio::piped());
        // So that a signal of the terminal reaches the campaign alone.
        keeper.process_group(0).stdout(Stdio::null()).stderr(Stdio::null());
        let Some(keeper) = mounted.then(|| keeper.spawn().ok()).flatten() else {
            let _ = Command::new("umount").arg(&folder).output();
            let _ = std::fs::remove_dir(&folder);
            return None;
        };
        Some(Self { folder, keeper })
    }

    /// Fills it for so long.
    fn fill(&self, time: Duration) -> anyhow::Result<()> {
        let path = self.folder.join("filled");
        let mut file = File::create(&path)?;
        let piece = vec![0; 1 << 20];
        while file.write_all(&piece).is_ok() {}
        // The rest, down to the last pages.
        while file.write_all(&[0; 512]).is_ok() {}
        std::thread::sleep(time);
        drop(file);
        std::fs::remove_file(path)?;
        Ok(())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
