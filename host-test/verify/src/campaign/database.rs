//! The private server of a campaign, on a small disk of its own where the machine lets us mount
//! one, so that it can be filled; and a database for each part of the campaign.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use messaging_inbox::{Store, StoreError};
use messaging_inbox_postgres::server::Server;
use messaging_inbox_postgres::{self as postgres};

use super::Options;

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

    pub(super) fn server(&self) -> &Server {
        &self.server
    }

    /// Whether it can be filled.
    pub(super) fn is_small(&self) -> bool {
        self.mounted.is_some()
    }

    /// Fills the disk for so long.
    pub(super) async fn fill(&self, time: Duration) -> anyhow::Result<()> {
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
}

impl Drop for Disk {
    fn drop(&mut self) {
        if let Some(mounted) = &self.mounted {
            let _ = self.server.stop(postgres::server::End::Immediate);
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

fn server(options: &Options) -> anyhow::Result<&Server> {
    Ok(options.server.as_ref().context("no server of PostgreSQL")?.server())
}

/// The database for a folder of the campaign.
fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!("campaign_{}", name.replace('-', "_"))
}

fn is_there(options: &Options, folder: &Path) -> anyhow::Result<bool> {
    let find = format!("SELECT count(*) FROM pg_database WHERE datname = '{}'", name(folder));
    Ok(server(options)?.sql("postgres", &find)? == "1")
}

/// The URL of the database for a folder, which is made where it is not there.
pub(super) fn url(options: &Options, folder: &Path) -> anyhow::Result<String> {
    let (server, name) = (server(options)?, name(folder));
    if !is_there(options, folder)? {
        server.sql("postgres", &format!("CREATE DATABASE {name}"))?;
    }
    Ok(server.url(&name))
}

/// Opens the database for a folder; none where a process was killed before it made the tables.
pub(super) async fn open(options: &Options, folder: &Path) -> anyhow::Result<Option<Store>> {
    let target = url(options, folder)?.parse()?;
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

pub(super) fn remove(options: &Options, folder: &Path) -> anyhow::Result<()> {
    let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", name(folder));
    server(options)?.sql("postgres", &drop)?;
    Ok(())
}
