//! The commands for those who work on components and hosts; the feature `verify`.

mod attack;
mod bench;
mod cases;
mod conform;
mod corpus;
mod crash;
mod differential;
mod faults;
#[cfg(unix)]
mod lease_worker;
#[cfg(unix)]
mod ordinary;
mod pack;
mod progress;
mod send_worker;
mod service_worker;
mod soak;
mod webhook_worker;

use clap::Subcommand;

use super::{Common, Failure};

#[derive(Subcommand)]
pub enum Command {
    Conform(conform::Conform),
    Faults(faults::Faults),
    Attack(attack::Attack),
    Crash(crash::Crash),
    #[cfg(unix)]
    Ordinary(ordinary::Ordinary),
    Soak(soak::Soak),
    Differential(differential::Differential),
    Corpus(corpus::Corpus),
    Bench(bench::Bench),
    Pack(pack::Pack),
    #[command(hide = true)]
    SendWorker(send_worker::SendWorker),
    #[command(hide = true)]
    ServiceWorker(service_worker::ServiceWorker),
    #[command(hide = true)]
    WebhookWorker(webhook_worker::WebhookWorker),
    #[cfg(unix)]
    #[command(hide = true)]
    LeaseWorker(lease_worker::LeaseWorker),
}

impl Command {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        match self {
            Self::Conform(conform) => conform.run(common).await,
            Self::Faults(faults) => faults.run(common).await,
            Self::Attack(attack) => attack.run(common).await,
            Self::Crash(crash) => crash.run(common).await,
            #[cfg(unix)]
            Self::Ordinary(ordinary) => ordinary.run(common).await,
            Self::Soak(soak) => soak.run(common).await,
            Self::Differential(differential) => differential.run(common).await,
            Self::Corpus(corpus) => corpus.run(common),
            Self::Bench(bench) => bench.run(common),
            Self::Pack(pack) => pack.run(common),
            Self::SendWorker(worker) => worker.run(common).await,
            Self::ServiceWorker(worker) => worker.run().await,
            Self::WebhookWorker(worker) => worker.run(common).await,
            #[cfg(unix)]
            Self::LeaseWorker(worker) => worker.run().await,
        }
    }
}
