//! `lease-worker`: a process of the crash campaign for an inbox on PostgreSQL, which is killed.

use clap::Args;
use messaging_postgres::Target;
use messaging_verify::campaign;

use crate::cli::Failure;

/// Lease events and acknowledge them, until it is killed; for `crash`
#[derive(Args)]
pub struct LeaseWorker {
    /// The inbox's database
    #[arg(long, value_name = "URL")]
    postgres: Target,
}

impl LeaseWorker {
    pub async fn run(self) -> Result<(), Failure> {
        campaign::work(&self.postgres).await.map_err(Failure::failed)
    }
}
