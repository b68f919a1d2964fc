//! The command line of the laboratory: arguments, and a module for each command.

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

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use messaging_cli::program::{Common, Failure, Program};
use messaging_verify::program;
use tracing::level_filters::LevelFilter;

/// Tests components and hosts of the messaging interface, and the program `messaging`
#[derive(Parser)]
#[command(name = "messaging-verify", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

#[derive(Subcommand)]
enum Command {
    Conform(conform::Conform),
    Faults(faults::Faults),
    Attack(attack::Attack),
    #[cfg(unix)]
    Ordinary(ordinary::Ordinary),
    Differential(differential::Differential),
    Corpus(corpus::Corpus),
    Bench(bench::Bench),
}

#[derive(Args)]
struct UnderTest {
    /// Program under test [default: messaging next to this program]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

impl UnderTest {
    /// Returns the path of the program.
    fn file(&self) -> Result<PathBuf, Failure> {
        let found = self.program.clone().map_or_else(program::messaging, Ok);
        found.map_err(|error| Failure::Usage(format!("--program: {error:#}")))
    }
}

impl Program for Arguments {
    fn version() -> String {
        concat!("messaging-verify ", env!("CARGO_PKG_VERSION")).into()
    }

    fn common(&self) -> &Common {
        &self.common
    }

    /// Returns the level for errors, because the commands provoke warnings.
    fn log_level(&self) -> LevelFilter {
        LevelFilter::ERROR
    }

    async fn perform(self) -> Result<(), Failure> {
        let common = &self.common;
        match self.command {
            Command::Conform(conform) => conform.run(common).await,
            Command::Faults(faults) => faults.run(common).await,
            Command::Attack(attack) => attack.run(common).await,
            #[cfg(unix)]
            Command::Ordinary(ordinary) => ordinary.run(common).await,
            Command::Differential(differential) => differential.run(common).await,
            Command::Corpus(corpus) => corpus.run(common),
            Command::Bench(bench) => bench.run(common),
        }
    }
}
