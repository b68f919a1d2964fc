//! Commands for developers of components and hosts (feature `verify`).

mod attack;
mod bench;
mod cases;
mod conform;
mod corpus;
mod differential;
mod faults;
#[cfg(unix)]
mod ordinary;
mod progress;

use clap::Subcommand;

use super::{Common, Failure};

#[derive(Subcommand)]
pub enum Command {
    Conform(conform::Conform),
    Faults(faults::Faults),
    Attack(attack::Attack),
    #[cfg(unix)]
    Ordinary(ordinary::Ordinary),
    Differential(differential::Differential),
    Corpus(corpus::Corpus),
    Bench(bench::Bench),
}

impl Command {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        match self {
            Self::Conform(conform) => conform.run(common).await,
            Self::Faults(faults) => faults.run(common).await,
            Self::Attack(attack) => attack.run(common).await,
            #[cfg(unix)]
            Self::Ordinary(ordinary) => ordinary.run(common).await,
            Self::Differential(differential) => differential.run(common).await,
            Self::Corpus(corpus) => corpus.run(common),
            Self::Bench(bench) => bench.run(common),
        }
    }
}
