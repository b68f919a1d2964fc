//! Differential tests. Each case runs with a component and with the native core. The outcomes, and
//! the requests to the service, must be equal.
//!
//! ```text
//! case      settings, a call, and the responses of the service
//! generate  cases from a seed: typical, unusual and corrupted
//! bytes     cases from arbitrary bytes: a reply, a delivery
//! mutate    arbitrary bytes from a corpus
//! service   a scripted service without a network, with a ledger of requests
//! pair      a component and the core, and the comparison of their results
//! ```
//!
//! Instances are reused if the settings allow it. If a call leaves state behind, the result of the
//! next call differs.

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

/// Maximum number of differences that a report contains.
const MOST_SHOWN: usize = 20;

/// Corpora for replies, each with a prefix for its inputs.
const REPLIES: [(&str, &[u8]); 3] =
    [("created", b"201\n\n"), ("templates", b"200\n\n"), ("refusal", b"")];

/// Corpora for deliveries, each with a prefix for its inputs.
const DELIVERIES: [(&str, &[u8]); 1] = [("event", b"")];

/// The source of cases.
#[derive(Clone, Debug)]
pub enum Source {
    /// Cases of [`Case::generated`].
    Generated,
    /// Arbitrary bytes as replies, mutated from the fuzz corpora in this directory.
    Replies(PathBuf),
    /// Arbitrary bytes as deliveries, mutated from the fuzz corpora in this directory.
    Deliveries(PathBuf),
}

/// The plan of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Source of the cases.
    pub source: Source,
    /// Number of cases.
    pub cases: u64,
    /// Seed of the first case. It increases by one with each case.
    pub seed: u64,
    /// Number of concurrent cases. Each worker has its own instances.
    pub workers: usize,
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Number of cases that ran.
    pub cases: u64,
    /// Number of requests of the component.
    pub requests: u64,
    /// Number of cases with a difference.
    pub different: u64,
    /// The first differences.
    pub differences: Vec<Difference>,
    /// Number of calls that the component did not complete.
    pub traps: u64,
    /// Number of cases by outcome of the component.
    pub outcomes: BTreeMap<String, u64>,
    /// Resident memory of this process in bytes after a tenth, half and all of the cases; `None` if
    /// unknown.
    pub resident: [Option<u64>; 3],
    /// Largest memory of a reused instance in bytes after a tenth, half and all of the cases.
    pub instance: [usize; 3],
}

impl Report {
    /// Returns true if no case had a difference or a trap.
    pub fn is_clean(&self) -> bool {
        self.different == 0 && self.traps == 0
    }
}

/// Runs a plan. Calls `progress` with the number of finished cases.
///
/// # Errors
/// Returns an error if a corpus cannot be read, or if a worker ends early.
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
