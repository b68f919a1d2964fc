//! Arguments, exit codes, and a module for each command.
//!
//! Results go to standard output, errors and logs to standard error. With `--json`, errors also go
//! to standard output.

#[macro_use]
mod print;

mod calls;
mod check;
mod demo;
mod exit;
mod folder;
mod forward;
mod inbox;
mod inspect;
mod listen;
mod mcp;
mod operate;
mod origin;
mod otlp;
mod parse;
mod sent;
mod serve;
mod service;
mod settings;
mod setup;
mod show;
mod signal;
mod store;
mod tls;
#[cfg(feature = "verify")]
mod verify;

use std::fmt::Display;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use exit::Exit;
use messaging_host::cache::Cache;
use messaging_host::outbound::Trust;
use messaging_host::{Host, wit};
use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Hosts the messaging plugin on wasmtime, and simulates the service it talks to.
///
/// Without a command it runs `demo`: the main job, end to end, on this machine.
#[derive(Parser)]
#[command(name = "messaging", version, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: Common,
}

const AFTER_HELP: &str = "\
Settings are environment variables:
  MESSAGING_BASE_URL           the service's base address, for example https://api.example
  MESSAGING_API_KEY            the API key; it never appears in any output
  MESSAGING_DEADLINE_MS        one deadline for a whole call [30000]
  MESSAGING_MAX_ATTEMPTS       requests that one call may make for one result [3]
  MESSAGING_MAX_REPLY_BYTES    the largest reply body that is read [1048576]
  MESSAGING_MAX_MESSAGE_BYTES  the longest message text accepted [no limit]
  MESSAGING_WEBHOOK_STORE      the file or database of the inbox
                               [inbox.sqlite in the state directory]
  MESSAGING_ONCE_JOURNAL       the file or database of the journal of `send --once`
                               [journal.sqlite in the state directory]
  MESSAGING_ONCE_EXISTING_JOURNAL
                               true: a missing journal is an error [false]
  MESSAGING_CACHE              folder for compiled components, or none [the user's caches]
  MESSAGING_ALLOW_HTTP         true allows http: to other machines [false]
  MESSAGING_RETRY_RATE_LIMITED false: a message is not sent again after status 429 [true]
  RUST_LOG                     what is logged, for example messaging=debug
                               [warn; of serve and mcp: info]
`messaging serve --help` lists those of the webhook. Unknown names are ignored, unless they are
probably a misspelt setting.

The state directory is $XDG_STATE_HOME/messaging, or ~/.local/state/messaging.

With --json an error is {\"error\": {\"case\": NAME, \"payload\": ...}} on standard output: a case
of the interface, or `usage`, `failed` or `host` with what happened as payload.detail.";

#[derive(Args)]
#[command(next_help_heading = "Options of every command")]
struct Common {
    /// Run this component instead of the embedded one
    #[arg(long, global = true, value_name = "FILE")]
    component: Option<PathBuf>,
    /// Print the result as JSON on standard output
    #[arg(long, global = true)]
    json: bool,
    /// Trust these certificate authorities (PEM) instead of the public ones
    #[arg(long, global = true, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Reach the service even if its name resolves to private addresses only
    #[arg(long, global = true)]
    private_names: bool,
    /// Keep compiled components in this folder; `none` keeps none [the user's caches]
    #[arg(long, global = true, value_name = "FOLDER", env = settings::CACHE, hide_env = true)]
    cache: Option<PathBuf>,
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
    fn cached(&self, host: Host) -> Host {
        let asked = self.cache.as_deref();
        if asked.is_some_and(|folder| folder.as_os_str() == "none") {
            return host;
        }
        let Some(folder) = self.cache.clone().or_else(Cache::usual_folder) else { return host };
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
    /// Show a component's exports, imports, and the rights these give it
    Inspect {
        /// File of the component; default: the embedded one
        #[arg(value_name = "COMPONENT")]
        file: Option<PathBuf>,
    },
    #[cfg(feature = "verify")]
    #[command(flatten)]
    Verify(verify::Command),
}

/// Address of the service.
#[derive(Args)]
struct Target {
    /// Use a simulated service, started for this one call, instead of MESSAGING_BASE_URL
    #[arg(long)]
    simulated: bool,
}

/// The reason for the failure of a command.
enum Failure {
    /// Invalid usage, input or settings; nothing was sent.
    Usage(String),
    /// Any other failure.
    Failed(String),
    /// The host ended the call.
    Host { exit: Exit, message: String },
    /// The journal or the store is unusable. `wit/once.wit` defines the cases.
    Unusable { case: &'static str, message: String },
    /// A failure that has been reported.
    Reported(Exit),
    /// An error of the plugin about input or a setting, found before the plugin was called.
    Refused(wit::Error),
}

/// Logs to standard error. Commands that run for a long time log at level `info`.
///
/// The host interfaces of components are never traced. Traces contain all arguments and results,
/// including secrets in the environment, headers and messages. For the same reason, the protocol of
/// `mcp` is never logged.
fn start_logging(arguments: &Arguments) {
    let level = match arguments.command {
        Some(Command::Serve(_) | Command::Mcp(_)) => LevelFilter::INFO,
        // Verification commands provoke warnings.
        #[cfg(feature = "verify")]
        Some(Command::Verify(_)) => LevelFilter::ERROR,
        _ => LevelFilter::WARN,
    };
    let asked = std::env::var("RUST_LOG").ok().filter(|asked| !asked.trim().is_empty());
    let asked = asked.and_then(|asked| asked.parse::<Targets>().ok());
    let filter = asked.unwrap_or_else(|| Targets::new().with_default(level));
    let log = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(|| print::Log)
        // The library reports such errors with `eprintln!`, which panics if standard error is not
        // writable.
        .log_internal_errors(false);
    let discreet = filter_fn(|about| {
        let is_traced = about.target().starts_with("wasmtime_wasi");
        !about.target().starts_with("rmcp") && (!is_traced || *about.level() <= Level::INFO)
    });
    match arguments.common.log_format {
        LogFormat::Text => log.finish().with(discreet).with(filter).init(),
        LogFormat::Json => {
            log.json().flatten_event(true).finish().with(discreet).with(filter).init();
        }
    }
}

/// Parses the arguments and runs the command. Returns its exit code.
pub fn run() -> ExitCode {
    let mut command = exit::documented(Arguments::command());
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => perform(arguments),
        Err(error) => misused(&error.format(&mut command)),
    }
}

/// Prints the help, the version, or an error in the arguments.
fn misused(error: &clap::Error) -> ExitCode {
    let json = || std::env::args_os().take_while(|one| one != "--").any(|one| one == "--json");
    if error.use_stderr() && json() {
        // Removes the prefix and the hint that `clap` adds for people.
        let said = error.to_string();
        let said = said.strip_prefix("error: ").unwrap_or(&said);
        let said = said.split("\n\nFor more information").next().unwrap_or(said);
        print::json(&show::own_error("usage", &without_passwords(said.trim_end())));
        return ExitCode::from(2);
    }
    let said = error.to_string();
    let masked = without_passwords(&said);
    #[cfg(not(feature = "verify"))]
    if error.kind() == clap::error::ErrorKind::InvalidSubcommand {
        complain!(
            "{}\nCommands for people who work on components and hosts are in another build: cargo verify COMMAND",
            masked.trim_end()
        );
        return ExitCode::from(2);
    }
    if error.use_stderr() && masked != said {
        complain!("{masked}");
        return ExitCode::from(2);
    }
    match error.print() {
        Err(_) if !error.use_stderr() => ExitCode::FAILURE,
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}

/// Masks user and password in URLs, because the argument parser repeats the values that it rejects.
fn without_passwords(said: &str) -> String {
    let mask = |word: &str| {
        let parts = word.split_once("://").and_then(|(scheme, rest)| {
            let (user, host) = rest.rsplit_once('@')?;
            user.contains([':', '%']).then(|| format!("{scheme}://***@{host}"))
        });
        parts.unwrap_or_else(|| word.to_string())
    };
    said.split_inclusive(char::is_whitespace).map(mask).collect()
}

fn perform(arguments: Arguments) -> ExitCode {
    start_logging(&arguments);
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            complain!("error: the runtime could not be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let common = arguments.common;
    let result = runtime.block_on(async {
        signal::outlive_file_limits();
        if arguments.command.as_ref().is_some_and(Command::reads_settings) {
            settings::check_names()?;
        }
        match arguments.command.unwrap_or(Command::Demo) {
            Command::Demo => demo::run(&common).await,
            Command::Send(send) => send.run(&common).await,
            Command::Sent(sent) => sent.run(&common).await,
            Command::Templates(templates) => templates.run(&common).await,
            Command::Event(event) => event.run(&common).await,
            Command::Check(target) => check::run(&common, &target).await,
            Command::Mcp(mcp) => mcp.run(&common).await,
            Command::Service(arguments) => service::run(&arguments, &common).await,
            Command::Serve(serve) => serve.run(&common).await,
            Command::Inbox(inbox) => inbox.run(&common).await,
            Command::Inspect { file } => inspect::run(&common, file),
            #[cfg(feature = "verify")]
            Command::Verify(command) => command.run(&common).await,
        }
    });
    // Does not wait for connections that a fault left open.
    runtime.shutdown_background();
    let exit = result.map_or_else(|failure| failure.report(&common), |()| Exit::Success);
    let code = exit.code();
    // A caller must know that the output is incomplete.
    match print::failure() {
        Some(_) if print::reader_has_gone() => ExitCode::from(code.max(1)),
        Some(error) => {
            complain!(
                "{}error:{} not all output could be printed: {error}",
                show::RED,
                show::RESET
            );
            ExitCode::from(code.max(1))
        }
        None => ExitCode::from(code),
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
    #[cfg(feature = "verify")]
    fn failed(error: impl Display) -> Self {
        Self::Failed(format!("{error:#}"))
    }

    /// Reports the failure unless it has been reported. Returns the exit code.
    fn report(self, common: &Common) -> Exit {
        let (exit, case, message) = match self {
            Self::Usage(message) => (Exit::Usage, "usage", message),
            Self::Failed(message) => (Exit::Failed, "failed", message),
            Self::Host { exit, message } => (exit, "host", message),
            Self::Unusable { case, message } => (Exit::of_case(case), case, message),
            Self::Reported(exit) => return exit,
            Self::Refused(error) => return calls::report_error(common, &error).report(common),
        };
        if common.json {
            print::json(&show::own_error(case, &message));
        }
        if !common.json || print::failure().is_some() {
            complain!("{}error:{} {}", show::RED, show::RESET, show::printable(&message));
        }
        exit
    }
}

impl Command {
    /// Returns true if the command depends on settings of the environment.
    fn reads_settings(&self) -> bool {
        match self {
            Self::Demo | Self::Event(_) | Self::Inspect { .. } => false,
            #[cfg(feature = "verify")]
            Self::Verify(_) => false,
            _ => true,
        }
    }
}
