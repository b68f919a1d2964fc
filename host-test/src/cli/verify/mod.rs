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
    /// Hold a component against the conformance suite
    Conform(conform::Conform),
    /// Run the catalogue of faults: what a service, a proxy or a network can do
    Faults(faults::Faults),
    /// Attack the hosts: components that hold or spend more than they may
    Attack(attack::Attack),
    /// Kill a receiving webhook over and over, and hold its store against the sender's ledger
    Crash(crash::Crash),
    /// Make a great many mixed calls in one process, some of a component that misbehaves
    Soak(soak::Soak),
    /// Give the same cases to the component and to the core alone, and compare
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
