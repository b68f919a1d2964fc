//! The simulated service as a separate program, for development in any language.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use messaging_simulator::cli::{self, Arguments};
use messaging_simulator::service::{Event, Service};

#[derive(Parser)]
#[command(name = "messaging-simulator", version, max_term_width = 100)]
struct Program {
    #[command(flatten)]
    arguments: Arguments,
    /// Print the address and the key as one JSON object
    #[arg(long)]
    json: bool,
    /// Trust these certificate authorities (PEM) instead of the public ones
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Program { arguments, json, ca_file } = Program::parse();
    match run(&arguments, json, ca_file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed, the error cannot be reported.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn run(arguments: &Arguments, json: bool, ca_file: Option<PathBuf>) -> std::io::Result<()> {
    let options = arguments.options(ca_file, &cli::variable).map_err(std::io::Error::other)?;
    let service = Service::start(options).await.map_err(|error| {
        std::io::Error::other(format!(
            "the service cannot start on {}: {error}",
            arguments.address()
        ))
    })?;
    let (base, key) = (service.base_url(), arguments.key());
    let mut output = std::io::stdout();
    if arguments.delivers_one() {
        let delivered = service.deliver(&Event::new_message(), 0).await;
        let delivered = delivered.map_err(std::io::Error::other)?;
        return writeln!(output, "{}", serde_json::to_string(&delivered)?);
    }
    if json {
        writeln!(output, "{}", serde_json::json!({ "base-url": base, "key": key }))?;
    } else {
        writeln!(output, "simulated messaging service on {base}, key {key}")?;
        writeln!(output, "received requests: {base}/_simulator/ledger")?;
        writeln!(output, "Ctrl-C stops the service.")?;
    }
    tokio::signal::ctrl_c().await?;
    if !json {
        writeln!(output, "\n{}", cli::summary(&service.ledger()))?;
    }
    Ok(())
}
