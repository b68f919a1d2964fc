//! `service-worker`: the simulated service as a process of the crash campaign for sends, which is
//! killed.

use std::sync::Arc;

use clap::Args;
use messaging_simulator::cli::Arguments;
use messaging_simulator::service::{Options, Service, Step};
use messaging_verify::boundary::Boundary;
use serde_json::json;

use crate::cli::Failure;
use crate::cli::signal::Stop;

/// Run the simulated service, which kills itself; for `crash`
#[derive(Args)]
pub struct ServiceWorker {
    #[command(flatten)]
    service: Arguments,
    /// The boundary point at which it kills itself; 0 counts them
    #[arg(long, value_name = "N")]
    kill_at: Option<u64>,
}

impl ServiceWorker {
    pub async fn run(self) -> Result<(), Failure> {
        let boundary = self.kill_at.map(|at| Arc::new(Boundary::new(at)));
        let options = self.service.options(None);
        let options = options.map_err(|error| Failure::Usage(error.to_string()))?;
        let on_step = boundary.clone().map(|boundary| Step(Arc::new(move || boundary.pass())));
        let service = Service::start(Options { on_step, ..options }).await;
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
