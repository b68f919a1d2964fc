//! `service`: runs only the simulated service, for development.

use std::io::ErrorKind;

use messaging_simulator::cli::{self, Arguments, NoProof};
use messaging_simulator::service::{Event, Service};
use serde_json::json;

use super::settings::variable;
use super::show::{BOLD, DIM, GREEN, RESET};
use super::signal::Stop;
use super::{Common, Failure, print};

pub async fn run(arguments: &Arguments, common: &Common) -> Result<(), Failure> {
    let setting = |name| {
        variable(name).map_err(|failure| match failure {
            Failure::Usage(why) => NoProof::Unreadable(why),
            _ => NoProof::Invalid(name),
        })
    };
    let options = arguments.options(common.ca_file.clone(), &setting);
    let options = options.map_err(|error| Failure::Usage(error.to_string()))?;
    let service = Service::start(options).await.map_err(|error| match error.kind() {
        ErrorKind::InvalidInput => Failure::Usage(error.to_string()),
        _ => {
            Failure::Failed(format!(
                "the service cannot start on {}: {error}; choose another address or port with --listen, or another file with --ledger",
                arguments.address()
            ))
        }
    })?;
    if arguments.delivers_one() {
        return deliver_one(&service, common).await;
    }
    let mut stop = Stop::new();
    let (base, key) = (service.base_url(), arguments.key());
    if common.json {
        print::json(&json!({ "base-url": base, "key": key }));
    } else {
        say!("{BOLD}simulated messaging service{RESET} on {base}");
        say!("\nIn another terminal:");
        say!("  export MESSAGING_BASE_URL={base} MESSAGING_API_KEY={key}");
        // The program as the user called it: a name that `PATH` finds, or a file.
        let program = std::env::args_os().next().unwrap_or_else(|| "messaging".into());
        say!("  {} send --phone +34600111222 --message \"Your order is ready\"", program.display());
        say!("  curl {base}/_simulator/ledger");
        say!("\n{DIM}Ctrl-C stops the service.{RESET}");
    }
    stop.wait().await;
    if !common.json {
        say!("\n{}", cli::summary(&service.ledger()));
    }
    Ok(())
}

/// Delivers one event to the webhook.
async fn deliver_one(service: &Service, common: &Common) -> Result<(), Failure> {
    let delivered = service.deliver(&Event::new_message(), 0).await;
    let delivered = delivered.map_err(|error| Failure::Failed(error.to_string()))?;
    if common.json {
        print::json(&json!({ "ok": delivered }));
    } else {
        say!("{GREEN}delivered{RESET} {}: the webhook answered 200", delivered.key);
    }
    Ok(())
}
