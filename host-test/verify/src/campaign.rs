//! The crash campaign: events are delivered again and again while the receiving
//! process is killed, and the store is compared with the sender's ledger.
//!
//! ```text
//! acknowledged ⊆ stored      nothing that was answered 200 is lost
//! each stored key once       nothing is there twice
//! stored ⊆ sent              nothing was made up or mixed up
//! the store always opens     the process comes up after every kill
//! ```
//!
//! First a process is killed at every boundary point that a dry run counts, in turn:
//! before and after each call of the component to its host, and at each step of the
//! store. Then processes are killed at random moments under load. SIGKILL ends a
//! process, not the machine: what the disk itself may lose is not tested here.

#[cfg(unix)]
mod cluster;
mod kept;
mod receiver;
mod sender;
#[cfg(unix)]
mod worker;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use futures_util::{StreamExt, TryStreamExt, stream};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde::Serialize;

use crate::kills::{Killed, Kills};
use crate::process::Address;
#[cfg(unix)]
pub use cluster::ClusterReport;
use kept::StoredEvents;
use receiver::Receiver;
use sender::{Ledger, Sender};
#[cfg(unix)]
pub use worker::work;

/// Inbox of the receiving process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inbox {
    /// The host's own, in SQLite.
    Sqlite,
    /// The component `inbox-files`.
    Files,
    /// The component `inbox-keyvalue`, on the host's SQLite.
    Keyvalue,
    /// The host's own, in PostgreSQL.
    #[cfg(unix)]
    Postgres,
}

/// Options of a campaign.
#[derive(Clone)]
pub struct Options {
    /// The program whose `serve` is killed, and when.
    pub kills: Kills,
    /// Inbox of the receiving process.
    pub inbox: Inbox,
}

/// Results of a campaign.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// Kills; the dry run is one delivery, its repetition and a conflict.
    #[serde(flatten)]
    pub killed: Killed,
    /// Events that were sent, and those that are kept.
    #[serde(flatten)]
    pub balance: Balance,
    /// Results of several servers on one database.
    #[cfg(unix)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterReport>,
    /// Duration in seconds.
    pub seconds: f64,
}

impl Report {
    /// All kills, those of several servers included.
    #[must_use]
    pub fn kills(&self) -> u64 {
        let kills = self.killed.all();
        #[cfg(unix)]
        let kills = kills.saturating_add(self.cluster.as_ref().map_or(0, ClusterReport::kills));
        kills
    }

    /// Whether every promise was kept.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        #[cfg(unix)]
        if self.cluster.as_ref().is_some_and(|cluster| !cluster.is_clean()) {
            return false;
        }
        self.balance.is_clean()
    }
}

/// The sender's ledger beside what is kept.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Balance {
    /// Different events that were sent.
    pub events: u64,
    /// Deliveries that were tried.
    pub deliveries: u64,
    /// Deliveries that were answered 200.
    pub acknowledged: u64,
    /// Deliveries that a kill cut off.
    pub cut_off: u64,
    /// Events that were acknowledged and are not kept.
    pub lost: u64,
    /// Events that are kept more than once.
    pub twice: u64,
    /// Events that are kept and were never sent, or not so.
    pub foreign: u64,
    /// The first of those three, each with the moment at which it was found.
    pub examples: Vec<String>,
}

/// Number of examples that are kept.
const EXAMPLES: usize = 20;

impl Balance {
    /// Whether everything that was acknowledged is kept, once, and nothing else.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        [self.lost, self.twice, self.foreign] == [0; 3]
    }

    fn add(&mut self, ledger: &Ledger) {
        let events = u64::try_from(ledger.sent.len()).unwrap_or(u64::MAX);
        self.events = self.events.saturating_add(events);
        self.deliveries = self.deliveries.saturating_add(ledger.deliveries);
        self.acknowledged = self.acknowledged.saturating_add(ledger.acknowledgements);
        self.cut_off = self.cut_off.saturating_add(ledger.cut_off);
    }

    /// Adds another one.
    fn merge(&mut self, other: Self) {
        let Self { events, deliveries, acknowledged, cut_off, lost, twice, foreign, examples } =
            other;
        for (own, other) in [
            (&mut self.events, events),
            (&mut self.deliveries, deliveries),
            (&mut self.acknowledged, acknowledged),
            (&mut self.cut_off, cut_off),
            (&mut self.lost, lost),
            (&mut self.twice, twice),
            (&mut self.foreign, foreign),
        ] {
            *own = own.saturating_add(other);
        }
        examples.into_iter().for_each(|example| self.example(example));
    }

    fn example(&mut self, example: String) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(example);
        }
    }

    /// Compares the sender's ledger with the stored events. `at` names the moment.
    fn judge(&mut self, at: &str, ledger: &Ledger, kept: &StoredEvents) {
        self.judge_acknowledged(at, &ledger.acknowledged, |key| kept.events.contains_key(key));
        for (key, bodies) in &kept.events {
            let distinct = bodies.iter().collect::<BTreeSet<_>>().len();
            if distinct != bodies.len() {
                self.twice = self.twice.saturating_add(1);
                self.example(format!("{at}: {key} is kept {} times", bodies.len()));
            }
            let sent = ledger.sent.get(key);
            if !bodies.iter().all(|body| sent.is_some_and(|sent| sent.contains(body))) {
                self.foreign = self.foreign.saturating_add(1);
                self.example(format!("{at}: {key} is kept, and was not sent so"));
            }
        }
    }

    /// As [`judge`](Self::judge), for a moment at which deliveries are under way:
    /// an event can be kept whose delivery the ledger does not hold yet.
    fn judge_interim(&mut self, at: &str, ledger: &Ledger, kept: &StoredEvents) {
        self.judge_acknowledged(at, &ledger.acknowledged, |key| kept.events.contains_key(key));
        for (key, bodies) in &kept.events {
            if bodies.len() != 1 {
                self.twice = self.twice.saturating_add(1);
                self.example(format!("{at}: {key} is kept {} times", bodies.len()));
            }
        }
    }

    fn judge_acknowledged(
        &mut self,
        at: &str,
        acknowledged: &BTreeSet<String>,
        is_kept: impl Fn(&str) -> bool,
    ) {
        for key in acknowledged.iter().filter(|key| !is_kept(key)) {
            self.lost = self.lost.saturating_add(1);
            self.example(format!("{at}: {key} was acknowledged, and is not kept"));
        }
    }
}

/// A store is begun anew after so many random kills, so that it can be looked
/// through after each.
const KILLS_PER_STORE: u32 = 100;
/// Processes that are killed at points at once, each with a store of its own.
const POINTS_AT_ONCE: usize = 3;
/// The longest that a process lives under load before it is killed.
const LONGEST_LIFE: Duration = Duration::from_millis(40);

/// Runs a campaign. `progress` is told the number of kills so far, and of all.
///
/// # Errors
/// The receiving process does not come up, or the store cannot be read: what a
/// campaign is there to find as much as a lost event.
pub async fn run(options: &Options, mut progress: impl FnMut(u64, u64)) -> anyhow::Result<Report> {
    let started = Instant::now();
    let mut report = Report::default();
    report.killed.boundary_points = count(options).await?;
    let (points, all) = options.kills.points(report.killed.boundary_points);
    let mut tried =
        stream::iter(points).map(|point| at_point(options, point)).buffer_unordered(POINTS_AT_ONCE);
    while let Some((killed, balance)) = tried.try_next().await? {
        report.killed.boundary_kills = report.killed.boundary_kills.saturating_add(killed.into());
        report.balance.merge(balance);
        progress(report.kills(), all);
    }
    let mut random = StdRng::seed_from_u64(options.kills.seed);
    let mut left = options.kills.random;
    #[cfg(unix)]
    if options.inbox == Inbox::Postgres {
        let before = report.kills();
        let cluster = cluster::run(options, |kills| progress(before.saturating_add(kills), all));
        report.cluster = Some(cluster.await?);
        left = 0;
    }
    for round in 1.. {
        if left == 0 {
            break;
        }
        let kills = left.min(KILLS_PER_STORE);
        under_load(options, round, kills, &mut random, &mut report, |report| {
            progress(report.kills(), all);
        })
        .await
        .with_context(|| format!("round {round}"))?;
        left = left.saturating_sub(kills);
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Counts the boundary points that the scenario passes.
async fn count(options: &Options) -> anyhow::Result<u64> {
    let folder = options.kills.folder.join("count");
    let address = Address::reserve()?;
    let mut receiver = Receiver::start(options, &folder, &address, Some(0)).await?;
    let sender = Sender::new(receiver.url());
    for delivery in scenario() {
        sender.deliver(&delivery).await;
    }
    if sender.ledger().acknowledgements != 3 {
        bail!("the scenario is not acknowledged although nothing is killed");
    }
    receiver.stop().await
}

/// One delivery, its repetition, and another event under the same key.
fn scenario() -> [sender::Delivery; 3] {
    let first = sender::Delivery::new("evt-1", "first");
    [first.clone(), first, sender::Delivery::new("evt-1", "second")]
}

/// Kills the process at one point of the scenario, starts it again, and delivers
/// what was not acknowledged. True: the point was reached.
async fn at_point(options: &Options, point: u64) -> anyhow::Result<(bool, Balance)> {
    let mut balance = Balance::default();
    let killed = at_point_with(options, point, &mut balance).await;
    Ok((killed.with_context(|| format!("at point {point}"))?, balance))
}

async fn at_point_with(
    options: &Options,
    point: u64,
    balance: &mut Balance,
) -> anyhow::Result<bool> {
    let folder = options.kills.folder.join(format!("point-{point}"));
    let address = Address::reserve()?;
    let mut receiver = Receiver::start(options, &folder, &address, Some(point)).await?;
    let sender = Sender::new(receiver.url());
    for delivery in scenario() {
        sender.deliver(&delivery).await;
    }
    // The last few points come after the last answer, or, where two steps of the
    // store fell together, not at all.
    let killed = sender.ledger().acknowledgements != 3;
    match killed {
        true => receiver.killed().await?,
        false => receiver.kill().await,
    }
    let kept = StoredEvents::read(options, &folder).await?;
    balance.judge(&format!("point {point}"), &sender.ledger(), &kept);

    let mut receiver = Receiver::start(options, &folder, &address, None).await?;
    for delivery in scenario() {
        sender.deliver(&delivery).await;
    }
    receiver.kill().await;
    let kept = StoredEvents::read(options, &folder).await?;
    balance.judge(&format!("point {point}, repeated"), &sender.ledger(), &kept);
    if kept.events.get("evt-1").is_none_or(|bodies| bodies.len() != 2) {
        bail!("after the kill the event and its conflict are not both kept");
    }
    balance.add(&sender.ledger());
    remove(options, &folder)?;
    Ok(killed)
}

/// Kills processes at random moments while events are delivered 1 to 20 times each,
/// in any order, 8 at once.
async fn under_load(
    options: &Options,
    round: u32,
    kills: u32,
    random: &mut StdRng,
    report: &mut Report,
    mut progress: impl FnMut(&Report),
) -> anyhow::Result<()> {
    let folder = options.kills.folder.join(format!("random-{round}"));
    let address = Address::reserve()?;
    let mut receiver = Receiver::start(options, &folder, &address, None).await?;
    let load = sender::Load::start(receiver.url(), random.random());
    for kill in 1..=kills {
        tokio::time::sleep(LONGEST_LIFE.mul_f64(random.random())).await;
        receiver.kill().await;
        // The ledger first: what is acknowledged by now has to be kept by now.
        let ledger = load.ledger();
        let kept = StoredEvents::read(options, &folder).await?;
        report.balance.judge_interim(&format!("round {round}, kill {kill}"), &ledger, &kept);
        report.killed.random_kills = report.killed.random_kills.saturating_add(1);
        progress(report);
        receiver = Receiver::start(options, &folder, &address, None).await?;
    }
    let ledger = load.finish().await?;
    receiver.kill().await;
    let kept = StoredEvents::read(options, &folder).await?;
    report.balance.judge(&format!("round {round}"), &ledger, &kept);
    if kept.events.len() != ledger.sent.len() {
        bail!("{} events were sent, {} are kept", ledger.sent.len(), kept.events.len());
    }
    report.balance.add(&ledger);
    remove(options, &folder)
}

fn remove(options: &Options, folder: &Path) -> anyhow::Result<()> {
    #[cfg(unix)]
    if options.inbox == Inbox::Postgres {
        options.kills.disk()?.remove(folder)?;
    }
    let _ = options;
    std::fs::remove_dir_all(folder).with_context(|| folder.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = "{}";

    /// A ledger with one event that was acknowledged.
    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        ledger.sent.insert("evt-1".into(), [BODY.to_string()].into());
        ledger.acknowledged.insert("evt-1".into());
        ledger
    }

    fn judged(kept: &[(&str, &[&str])]) -> Balance {
        let mut all = StoredEvents::default();
        for (key, bodies) in kept {
            let bodies = bodies.iter().map(|body| (*body).to_string()).collect();
            all.events.insert((*key).into(), bodies);
        }
        let mut balance = Balance::default();
        balance.judge("round 1", &ledger(), &all);
        balance
    }

    #[test]
    fn what_is_kept_once_is_right() {
        assert!(judged(&[("evt-1", &[BODY])]).is_clean());
    }

    #[test]
    fn what_was_acknowledged_and_is_not_kept_is_lost() {
        let judged = judged(&[]);
        assert_eq!(judged.lost, 1);
        assert_eq!(judged.examples, ["round 1: evt-1 was acknowledged, and is not kept"]);
    }

    #[test]
    fn what_is_kept_in_two_copies_is_there_twice() {
        assert_eq!(judged(&[("evt-1", &[BODY, BODY])]).twice, 1);
    }

    #[test]
    fn what_was_never_sent_is_foreign_whether_its_key_or_its_body() {
        assert_eq!(judged(&[("evt-1", &[BODY]), ("evt-2", &[BODY])]).foreign, 1);
        assert_eq!(judged(&[("evt-1", &["{ }"])]).foreign, 1);
    }
}
