//! `service-worker`: the simulated service as a process of the crash campaign for sends, which is
//! killed.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use messaging_simulator::service::{Options, Service, Step};
use messaging_verify::boundary::Boundary;
use serde_json::json;

use crate::cli::Failure;
use crate::cli::signal::Stop;

/// Run the simulated service on a ledger in a file; for `crash`
#[derive(Args)]
pub struct ServiceWorker {
    /// Address and port to listen on
    #[arg(long)]
    listen: SocketAddr,
    /// API key to accept
    #[arg(long)]
    api_key: String,
    /// The ledger's file
    #[arg(long, value_name = "FILE")]
    ledger: PathBuf,
    /// Delay of each answer, in milliseconds
    #[arg(long, value_name = "MS")]
    latency_ms: u64,
    /// The boundary point at which it kills itself; 0 counts them
    #[arg(long, value_name = "N")]
    kill_at: Option<u64>,
}

impl ServiceWorker {
    pub async fn run(self) -> Result<(), Failure> {
        let boundary = self.kill_at.map(|at| Arc::new(Boundary::new(at)));
        let options = Options {
            address: self.listen,
            latency: Duration::from_millis(self.latency_ms),
            ledger_file: Some(self.ledger),
            on_step: boundary.clone().map(|boundary| Step(Arc::new(move || boundary.pass()))),
            ..Options::new(&self.api_key)
        };
        let service = Service::start(options).await;
        let service = service.map_err(|error| Failure::Failed(format!("cannot start: {error}")))?;
        let mut stop = Stop::new();
        say!("{}", json!({ "url": service.base_url() }));
        stop.wait().await;
        if let Some(boundary) = boundary {
            say!("{}", json!({ "boundary-points": boundary.passed() }));
        }
        Ok(())
    }
}
