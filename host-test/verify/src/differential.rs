//! The same case by a component and by the core without one: what comes out, and what
//! the service was asked, have to be identical.
//!
//! ```text
//! case      settings, a call, and what the service answers
//! generate  cases from a seed: likely ones, odd ones, and spoilt ones
//! bytes     cases from arbitrary bytes: a reply, a delivery
//! mutate    arbitrary bytes from a corpus
//! service   the answers in place of the network, and a ledger of the requests
//! pair      component and core side by side, and their comparison
//! ```
//!
//! Instances are reused wherever the settings allow it, so that what one call leaves
//! behind would be seen in the next.

mod bytes;
mod case;
mod generate;
mod mutate;
mod pair;
mod service;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::bench;
use messaging_host::plugin::Plugin;
use mutate::Corpus;
use pair::Pair;

pub use case::Case;
pub use pair::{Compared, Difference};

/// Number of differences that a report shows in full.
const MOST_SHOWN: usize = 20;

/// The corpora that replies are made of, and what their files lack of one.
const REPLIES: [(&str, &[u8]); 3] =
    [("created", b"201\n\n"), ("templates", b"200\n\n"), ("refusal", b"")];

/// The corpora that deliveries are made of.
const DELIVERIES: [(&str, &[u8]); 1] = [("event", b"")];

/// Source of cases.
#[derive(Clone, Debug)]
pub enum Source {
    /// [`Case::generated`].
    Generated,
    /// Arbitrary bytes as replies, made of the fuzz targets' corpora in this folder.
    Replies(PathBuf),
    /// Arbitrary bytes as deliveries, likewise.
    Deliveries(PathBuf),
}

/// Plan of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Source of the cases.
    pub source: Source,
    /// Number of cases.
    pub cases: u64,
    /// The first case's seed; each further one's is greater by one.
    pub seed: u64,
    /// Number of cases under way at once. Each worker keeps instances of its own.
    pub workers: usize,
}

/// Results of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Cases that were run.
    pub cases: u64,
    /// Requests that the component made.
    pub requests: u64,
    /// Cases that came out differently.
    pub different: u64,
    /// The first of them.
    pub differences: Vec<Difference>,
    /// Calls that the component did not bring to their end.
    pub traps: u64,
    /// Number of cases by the component's outcome.
    pub outcomes: BTreeMap<String, u64>,
    /// Resident memory of this process in bytes when a tenth of the cases was done, at
    /// half of them, and at the end; `None` where it cannot be told.
    pub resident: [Option<u64>; 3],
    /// The largest memory of a reused instance in bytes, at the same times.
    pub instance: [usize; 3],
}

impl Report {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.different == 0 && self.traps == 0
    }
}

/// Runs a plan. `progress` is told how many cases are done.
///
/// # Errors
/// The corpus cannot be read, or there is no room for the instances.
pub async fn run(
    plan: &Plan,
    plugin: &Plugin,
    mut progress: impl FnMut(u64),
) -> anyhow::Result<Report> {
    let maker = Arc::new(match &plan.source {
        Source::Generated => CaseSource::Seeds,
        Source::Replies(corpora) => CaseSource::Replies(Corpus::read(corpora, &REPLIES)?),
        Source::Deliveries(corpora) => CaseSource::Deliveries(Corpus::read(corpora, &DELIVERIES)?),
    });
    let next = Arc::new(AtomicU64::new(0));
    let (sender, mut results) = mpsc::channel(256);
    let mut workers = JoinSet::new();
    for _ in 0..plan.workers.max(1) {
        let mut pair = Pair::new(plugin.clone())?;
        let (maker, next, sender) = (Arc::clone(&maker), Arc::clone(&next), sender.clone());
        let (cases, seed) = (plan.cases, plan.seed);
        workers.spawn(async move {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= cases {
                    return;
                }
                let seed = seed.wrapping_add(index);
                let compared = pair.run(&maker.case(seed)).await;
                if sender.send((seed, compared, pair.instance_bytes())).await.is_err() {
                    return;
                }
            }
        });
    }
    drop(sender);
    let mut report = Report::default();
    let mut largest = 0;
    while let Some((seed, compared, instance)) = results.recv().await {
        report.cases += 1;
        report.requests += compared.requests;
        report.traps += u64::from(compared.trapped);
        *report.outcomes.entry(compared.outcome).or_default() += 1;
        if let Some(mut difference) = compared.difference {
            difference.seed = seed;
            report.different += 1;
            if report.differences.len() < MOST_SHOWN {
                report.differences.push(difference);
            }
        }
        largest = largest.max(instance);
        let times = [plan.cases / 10, plan.cases / 2, plan.cases];
        if let Some(time) = times.iter().position(|time| *time == report.cases) {
            report.resident[time] = bench::resident_bytes();
            report.instance[time] = largest;
        }
        progress(report.cases);
    }
    while let Some(worker) = workers.join_next().await {
        worker.context("a worker ended early")?;
    }
    Ok(report)
}

enum CaseSource {
    Seeds,
    Replies(Corpus),
    Deliveries(Corpus),
}

impl CaseSource {
    fn case(&self, seed: u64) -> Case {
        match self {
            Self::Seeds => Case::generated(seed),
            Self::Replies(corpus) => Case::of_reply(seed, &corpus.mutated(seed)),
            Self::Deliveries(corpus) => Case::of_delivery(&corpus.mutated(seed)),
        }
    }
}
