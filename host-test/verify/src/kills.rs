//! Kills of a campaign: of which program, how many and when, and how many there were.

use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;

#[cfg(unix)]
use anyhow::Context;
use serde::Serialize;

#[cfg(unix)]
use crate::database::Disk;

/// Options that campaigns have in common.
#[derive(Clone)]
pub struct Kills {
    /// The program that is killed.
    pub program: PathBuf,
    /// A folder of the campaign's own.
    pub folder: PathBuf,
    /// Folder for compiled components.
    pub cache: PathBuf,
    /// Every nth boundary point is tried; 1 tries all.
    pub every: u64,
    /// Kills at random moments.
    pub random: u32,
    /// Seed of the random moments and orders.
    pub seed: u64,
    /// The server of PostgreSQL, where its processes keep something in one.
    #[cfg(unix)]
    pub server: Option<Arc<Disk>>,
}

impl Kills {
    #[cfg(unix)]
    pub(crate) fn disk(&self) -> anyhow::Result<&Arc<Disk>> {
        self.server.as_ref().context("no server of PostgreSQL")
    }

    /// The boundary points that are tried, of `count`, and the number of all kills.
    pub(crate) fn points(&self, count: u64) -> (Vec<u64>, u64) {
        let every = usize::try_from(self.every.max(1)).unwrap_or(usize::MAX);
        let points: Vec<u64> = (1..=count).step_by(every).collect();
        let all = u64::try_from(points.len()).unwrap_or(0).saturating_add(self.random.into());
        (points, all)
    }
}

/// Numbers of kills.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Killed {
    /// Boundary points that the dry run counted.
    pub boundary_points: u64,
    /// Kills at boundary points.
    pub boundary_kills: u64,
    /// Kills at random moments.
    pub random_kills: u64,
}

impl Killed {
    /// All kills.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.boundary_kills.saturating_add(self.random_kills)
    }
}
