//! The commands for those who work on components and hosts; the feature `verify`.

mod attack;
mod bench;
mod cases;
mod conform;
mod corpus;
mod crash;
mod differential;
mod faults;
mod pack;
mod soak;

use clap::Subcommand;

use super::{Common, Failure};

#[derive(Subcommand)]
pub enum Command {
    /// Run the conformance suite against a component
    Conform(conform::Conform),
    /// Run the fault suite: faults of services, proxies and networks
    Faults(faults::Faults),
    /// Attack the hosts and the receiving process, as components, services and senders can
    Attack(attack::Attack),
    /// Kill a receiving webhook over and over, and compare its store with the sender's ledger
    Crash(crash::Crash),
    /// Make many mixed calls in one process, some of them of a hostile component
    Soak(soak::Soak),
    /// Run the same cases on the component and on the core alone, and compare
    Differential(differential::Differential),
    /// Turn the corpus of a fuzz target into a folder of files, or back
    Corpus(corpus::Corpus),
    /// Run the benchmarks of this repository, and draw them
    Bench(bench::Bench),
    /// Write the files to release into a folder
    Pack(pack::Pack),
}

impl Command {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        match self {
            Self::Conform(conform) => conform.run(common).await,
            Self::Faults(faults) => faults.run(common).await,
            Self::Attack(attack) => attack.run(common).await,
            Self::Crash(crash) => crash.run(common).await,
            Self::Soak(soak) => soak.run(common).await,
            Self::Differential(differential) => differential.run(common).await,
            Self::Corpus(corpus) => corpus.run(common),
            Self::Bench(bench) => bench.run(common),
            Self::Pack(pack) => pack.run(common),
        }
    }
}
