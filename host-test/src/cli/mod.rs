//! Arguments, exit codes, and a module for each command.
//!
//! Results go to standard output, errors and logs to standard error. With `--json`, errors also go
//! to standard output.

#[macro_use]
mod print;

mod calls;
mod check;
mod demo;
#[cfg(test)]
mod documented;
mod exit;
mod folder;
mod forward;
mod generated;
mod inbox;
mod inspect;
mod listen;
mod mcp;
mod operate;
mod origin;
mod otlp;
mod parse;
pub mod program;
mod sent;
mod serve;
mod service;
mod settings;
mod setup;
mod show;
mod signal;
mod start;
mod store;
mod text;
mod tls;
mod version;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use exit::Exit;
use messaging_host::cache::Cache;
use messaging_host::outbound::Trust;
use messaging_host::{Host, wit};
use start::Program;
use tracing::level_filters::LevelFilter;

/// Hosts the messaging plugin on wasmtime, and simulates the messaging service.
///
/// Without a command, runs `demo` against a simulated service on this machine.
#[derive(Parser)]
#[command(name = "messaging", version, max_term_width = 100, after_help = after_help())]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: Common,
}

/// Returns the end of the help text.
fn after_help() -> String {
    let settings = settings::help(&[settings::Section::Plugin, settings::Section::Program]);
    format!(
        "\
Settings are environment variables:
{settings}  HTTPS_PROXY, NO_PROXY            proxy of https: requests to the service; hosts that bypass it
  RUST_LOG                         level of the log, for example messaging=debug
                                   [warn; of serve and mcp: info]
`messaging serve --help` lists the settings of the webhook. A secret can be in a file: NAME_FILE
names the file of NAME, for example MESSAGING_API_KEY_FILE. A trailing line break is removed.
Unknown names are ignored, unless they are probably misspelled settings.

The state directory is $XDG_STATE_HOME/messaging, or ~/.local/state/messaging.

With --json an error is {{\"error\": {{\"case\": NAME, \"payload\": ...}}}} on standard output. NAME is a
case of the interface, or `usage`, `failed`, `host` or `interrupted` with the reason in
payload.detail. `messaging inbox --help` lists the cases of `inbox`."
    )
}

/// Options of every command.
#[derive(Args, Clone)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// Run this component instead of the embedded one
    #[arg(long, global = true, value_name = "FILE")]
    pub component: Option<PathBuf>,
    /// Print the result as JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Trust these certificate authorities (PEM) instead of the public ones
    #[arg(long, global = true, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Reach the service even if its name resolves only to private addresses
    #[arg(long, global = true)]
    private_names: bool,
    /// Directory for compiled components; `none` disables the cache [the user's cache directory]
    #[arg(long, global = true, value_name = "DIRECTORY", env = settings::CACHE, hide_env = true, value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub cache: Option<PathBuf>,
    /// Format of log lines on standard error
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    log_format: LogFormat,
}

impl Common {
    /// Returns the trusted certificate authorities.
    fn trust(&self) -> Trust {
        self.ca_file.clone().map_or(Trust::Public, Trust::File)
    }

    /// Adds the cache of `--cache`, or the default cache.
    pub fn cached(&self, host: Host) -> Host {
        let asked = self.cache.as_deref().filter(|folder| !folder.as_os_str().is_empty());
        if asked.is_some_and(|folder| folder.as_os_str() == "none") {
            return host;
        }
        let folder = asked.map(Path::to_path_buf).or_else(Cache::usual_folder);
        let Some(folder) = folder else { return host };
        match Cache::open(&folder) {
            Ok(cache) => host.with_cache(cache),
            Err(error) => {
                // Logged at level `debug` for the default cache, because its only benefit is a
                // faster start.
                match asked {
                    Some(_) => tracing::warn!(%error, "compiled components are not cached"),
                    None => tracing::debug!(%error, "compiled components are not cached"),
                }
                host
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum LogFormat {
    /// Text, for people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

#[derive(Subcommand)]
enum Command {
    /// Send, list and receive against a simulated service (default)
    Demo,
    /// Create one outbound message
    Send(calls::Send),
    /// Manage the journal of `send --once`: create, list, show, resolve
    Sent(sent::Sent),
    /// List message templates (read-only)
    Templates(calls::Templates),
    /// Parse one webhook delivery and show the event
    Event(calls::Event),
    /// Check the settings, the connection to the service, and the key (read-only)
    Check(Target),
    Mcp(Box<mcp::Mcp>),
    Service(messaging_simulator::cli::Arguments),
    Serve(Box<serve::Serve>),
    /// Manage stored events: list, lease, acknowledge, release
    Inbox(inbox::Inbox),
    /// Show a component's exports, imports, and the rights that imports grant
    ///
    /// A plugin that cannot be loaded fails in `send --simulated --component FILE`.
    Inspect {
        /// File of the component; default: the embedded one
        #[arg(value_name = "COMPONENT")]
        file: Option<PathBuf>,
    },
    /// Print a script that completes commands and options in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write a manual page for each command
    Manual {
        /// Directory of the pages; created if missing
        #[arg(value_name = "DIRECTORY")]
        folder: PathBuf,
    },
}

/// Address of the service.
#[derive(Args)]
struct Target {
    /// Use a simulated service, started for this one call, instead of MESSAGING_BASE_URL
    #[arg(long)]
    simulated: bool,
}

/// The reason for the failure of a command.
pub enum Failure {
    /// Invalid usage, input or settings; nothing was sent.
    Usage(String),
    /// A failure without its own variant.
    Failed(String),
    /// A call that the host ended or rejected.
    Host {
        /// Exit code of the program.
        exit: Exit,
        /// The reason.
        message: String,
    },
    /// An unusable journal or store. The cases of a journal are in `wit/types.wit`, the cases of a
    /// store in the help of `inbox`.
    Unusable {
        /// Name of the case.
        case: &'static str,
        /// The reason.
        message: String,
    },
    /// A failure that has been reported.
    Reported(Exit),
    /// Invalid input or an invalid setting, found before the plugin was called.
    Refused(wit::Error),
}

/// Parses the arguments and runs the command. Returns its exit code.
pub fn run() -> ExitCode {
    start::start::<Arguments>()
}

impl Program for Arguments {
    fn version() -> String {
        version::text()
    }

    fn common(&self) -> &Common {
        &self.common
    }

    /// Commands that run for a long time log at level `info`.
    fn log_level(&self) -> LevelFilter {
        match self.command {
            Some(Command::Serve(_) | Command::Mcp(_)) => LevelFilter::INFO,
            _ => LevelFilter::WARN,
        }
    }

    async fn perform(self) -> Result<(), Failure> {
        if self.command.as_ref().is_some_and(Command::reads_settings) {
            settings::check_names()?;
        }
        let common = &self.common;
        match self.command.unwrap_or(Command::Demo) {
            Command::Demo => demo::run(common).await,
            Command::Send(send) => send.run(common).await,
            Command::Sent(sent) => sent.run(common).await,
            Command::Templates(templates) => templates.run(common).await,
            Command::Event(event) => event.run(common).await,
            Command::Check(target) => check::run(common, &target).await,
            Command::Mcp(mcp) => mcp.run(common).await,
            Command::Service(arguments) => service::run(&arguments, common).await,
            Command::Serve(serve) => serve.run(common).await,
            Command::Inbox(inbox) => inbox.run(common).await,
            Command::Inspect { file } => inspect::run(common, file),
            Command::Completions { shell } => generated::completions(shell),
            Command::Manual { folder } => generated::manual(&folder),
        }
    }
}

impl Failure {
    /// Converts an error of the core to an error of the plugin.
    pub fn refused(error: impl Into<messaging_core::Error>) -> Self {
        Self::Refused(error.into().into())
    }

    /// Creates [`Self::Usage`] from an error and its causes.
    fn usage(error: impl Display) -> Self {
        Self::Usage(format!("{error:#}"))
    }

    /// Creates [`Self::Failed`] from an error and its causes.
    pub fn failed(error: impl Display) -> Self {
        Self::Failed(format!("{error:#}"))
    }

    /// Reports the failure unless it has been reported. Returns the exit code.
    fn report(self, common: &Common) -> Exit {
        let (exit, case, message) = match self {
            Self::Usage(message) => (Exit::Usage, "usage", message),
            Self::Failed(message) => (Exit::Failed, "failed", message),
            Self::Host { exit, message } => (exit, "host", message),
            // The journal could not be opened, so this command sent nothing.
            Self::Unusable { case: case @ "permanent-journal", message } => {
                (Exit::Usage, case, message)
            }
            Self::Unusable { case, message } => (Exit::of_case(case), case, message),
            Self::Reported(exit) => return exit,
            Self::Refused(error) => return calls::report_error(common, &error).report(common),
        };
        if common.json {
            print::json(&show::own_error(case, &message));
        }
        if !common.json || print::failure().is_some() {
            complain!("{}error:{} {}", show::RED, show::RESET, text::printable(&message));
        }
        exit
    }
}

impl Command {
    /// Returns true if the command depends on settings of the environment.
    fn reads_settings(&self) -> bool {
        !matches!(
            self,
            Self::Demo
                | Self::Event(_)
                | Self::Inspect { .. }
                | Self::Completions { .. }
                | Self::Manual { .. }
        )
    }
}
