//! `service`: the simulated service alone, for anyone who develops against it.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use host_test::service::{Options, Service as Simulated};
use serde_json::json;

use super::show::{BOLD, DIM, RESET};
use super::signal::Stop;
use super::{Common, Failure, calls};

/// Run the simulated service alone, to develop against.
///
/// It implements the interface specification, and keeps a ledger of what it truly
/// received. What the specification leaves open is a choice of the simulation:
/// error bodies, the page parameter, the retry schedule.
///
/// Recipients with the country code 999 make it misbehave:
///   +99900000NNN  answers with status NNN, and creates nothing
///   +99900001NNN  creates the message, then answers with status NNN
///   +99900002000  creates the message, then closes without a reply
///   +99900002001  creates the message, then breaks off in its reply
///   +99900002002  creates the message, then never answers
///   +99900002003  creates the message, and answers without an identifier
///   +99900002004  creates the message, and redirects
///
/// Beside the service's own paths there are GET /_simulator/ledger and POST
/// /_simulator/events (deliver an event to the webhook).
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Service {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// The API key that is accepted
    #[arg(long, default_value = "simulated-key")]
    key: String,
    /// Where events are delivered
    #[arg(long, value_name = "URL")]
    webhook: Option<String>,
    /// Templates on a page
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    page_size: u16,
    /// The name of the page parameter
    #[arg(long, default_value = "page", value_name = "NAME")]
    page_parameter: String,
    /// How long each answer takes, in milliseconds
    #[arg(long, default_value_t = 0, value_name = "MS")]
    latency_ms: u64,
    /// Keep no ledger, so that a load test can run for as long as it likes
    #[arg(long)]
    forget: bool,
}

impl Service {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let options = Options {
            address: self.listen,
            page_size: self.page_size.into(),
            page_parameter: self.page_parameter,
            latency: Duration::from_millis(self.latency_ms),
            webhook: self.webhook,
            keeps_ledger: !self.forget,
            ..Options::new(&self.key)
        };
        let service = Simulated::start(options).await.map_err(|error| {
            Failure::Failed(format!("{}: cannot be listened on: {error}", self.listen))
        })?;
        let mut stop = Stop::new();
        let base = service.base_url();
        if common.json {
            calls::print_json(&json!({ "base-url": base, "key": self.key }));
        } else {
            say!("{BOLD}simulated messaging service{RESET} on {base}");
            say!("\nIn another terminal:");
            say!("  export MESSAGING_BASE_URL={base} MESSAGING_API_KEY={}", self.key);
            say!("  cargo run -- send --phone +34600111222 --message \"Your order is ready\"");
            say!("  curl {base}/_simulator/ledger");
            say!("\n{DIM}Ctrl-C stops it.{RESET}");
        }
        stop.wait().await;
        if !common.json {
            let ledger = service.ledger();
            let (messages, requests) = (ledger.messages.len(), ledger.requests.len());
            say!("\n{requests} requests, {messages} messages created");
        }
        Ok(())
    }
}
