//! The private server of a campaign, on a small disk of its own where the machine lets us mount
//! one, so that it can be filled; a database for each part of the campaign; and the server's
//! faults.

use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use messaging_inbox::{Store, StoreError};
use messaging_postgres::inbox as postgres;
use messaging_postgres::server::{End, Server};
use rand::Rng;
use rand::rngs::StdRng;
use serde::Serialize;

/// Settings of the server: small files, so that a disk in memory holds them.
const SETTINGS: [&str; 4] =
    ["max_wal_size=128MB", "min_wal_size=32MB", "max_connections=200", "checkpoint_timeout=30s"];

/// Size of the disk.
const SIZE: &str = "size=1500m,mode=755";

/// A server, and its disk.
pub struct Disk {
    server: Server,
    mounted: Option<PathBuf>,
}

impl Disk {
    /// Starts a server.
    ///
    /// # Errors
    /// The machine has no PostgreSQL, or it does not start.
    pub fn start() -> anyhow::Result<Self> {
        let mounted = mounted();
        let place = mounted.clone().unwrap_or_else(std::env::temp_dir);
        let server = Server::start_in(&place, &SETTINGS);
        if let (Err(_), Some(mounted)) = (&server, &mounted) {
            unmount(mounted);
        }
        Ok(Self { server: server?, mounted })
    }

    /// Fills the disk for so long.
    async fn fill(&self, time: Duration) -> anyhow::Result<()> {
        let Some(mounted) = &self.mounted else { return Ok(()) };
        let path = mounted.join("filled");
        let mut file = File::create(&path)?;
        let piece = vec![0; 1 << 20];
        while file.write_all(&piece).is_ok() {}
        // The rest, down to the last pages.
        while file.write_all(&[0; 512]).is_ok() {}
        tokio::time::sleep(time).await;
        drop(file);
        std::fs::remove_file(path)?;
        Ok(())
    }

    fn is_there(&self, database: &str) -> anyhow::Result<bool> {
        let find = format!("SELECT count(*) FROM pg_database WHERE datname = '{database}'");
        Ok(self.server.sql("postgres", &find)? == "1")
    }

    /// The URL of the database for a folder of the campaign, which is made where it is not there.
    pub(crate) fn url(&self, folder: &Path) -> anyhow::Result<String> {
        let name = name(folder);
        if !self.is_there(&name)? {
            self.server.sql("postgres", &format!("CREATE DATABASE {name}"))?;
        }
        Ok(self.server.url(&name))
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
        let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", name(folder));
        self.server.sql("postgres", &drop)?;
        Ok(())
    }
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

    /// Makes one of them.
    pub(crate) async fn make(&mut self, disk: &Disk, random: &mut StdRng) -> anyhow::Result<()> {
        let server = &disk.server;
        let pause = Duration::from_millis(random.random_range(0..60));
        let counted = match random.random_range(0..15) {
            0..7 => {
                let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE application_name IN ('messaging-inbox', 'messaging-journal')";
                server.sql("postgres", cut)?;
                &mut self.connections_cut
            }
            7..11 => {
                server.stop(End::Immediate)?;
                tokio::time::sleep(pause).await;
                server.go()?;
                &mut self.database_crashes
            }
            11..13 if disk.mounted.is_some() => {
                disk.fill(Duration::from_millis(random.random_range(50..500))).await?;
                if server.sql("postgres", "SELECT 1").is_err() {
                    // It has crashed for want of space, and may not have come back by itself.
                    server.stop(End::Immediate)?;
                    server.go()?;
                }
                &mut self.disk_filled
            }
            _ => {
                server.stop(End::Killed)?;
                server.go()?;
                &mut self.database_kills
            }
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

impl Drop for Disk {
    fn drop(&mut self) {
        if let Some(mounted) = &self.mounted {
            let _ = self.server.stop(End::Immediate);
            unmount(mounted);
        }
    }
}

fn mounted() -> Option<PathBuf> {
    let folder = tempfile_folder()?;
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", SIZE, "tmpfs"]).arg(&folder);
    let done = mount.output().is_ok_and(|output| output.status.success());
    if !done {
        let _ = std::fs::remove_dir(&folder);
    }
    done.then_some(folder)
}

fn tempfile_folder() -> Option<PathBuf> {
    let folder = std::env::temp_dir().join(format!("campaign-{:016x}", rand::random::<u64>()));
    std::fs::create_dir(&folder).ok().map(|()| folder)
}

fn unmount(folder: &Path) {
    let _ = Command::new("umount").arg("-l").arg(folder).output();
    let _ = std::fs::remove_dir(folder);
}
