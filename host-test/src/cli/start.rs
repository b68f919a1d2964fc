//! Start and end of a program: arguments, log, signals, exit code.

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use tokio::runtime::Runtime;
use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::exit::{self, Exit};
use super::{Common, Failure, LogFormat, print, show, signal, text};

/// The arguments of a program. They contain [`Common`].
pub trait Program: Parser {
    /// Returns the text of `--version`.
    fn version() -> String;

    /// Returns the options that all commands share.
    fn common(&self) -> &Common;

    /// Returns the level of the log if `RUST_LOG` is not set.
    fn log_level(&self) -> LevelFilter;

    /// Runs the command.
    ///
    /// # Errors
    /// Returns the reason if the command fails.
    fn perform(self) -> impl Future<Output = Result<(), Failure>>;
}

/// Parses the arguments and runs the command. Returns its exit code.
pub fn start<P: Program>() -> ExitCode {
    let mut command = exit::documented(P::command());
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    match matches.and_then(|matches| P::from_arg_matches(&matches)) {
        Ok(arguments) => perform(arguments),
        Err(error) => misused::<P>(&error.format(&mut command)),
    }
}

/// Prints the help, the version, or an error in the arguments.
fn misused<P: Program>(error: &clap::Error) -> ExitCode {
    let json = || std::env::args_os().take_while(|one| one != "--").any(|one| one == "--json");
    if error.use_stderr() && json() {
        // Removes the prefix and the hint that `clap` adds for people.
        let said = error.to_string();
        let said = said.strip_prefix("error: ").unwrap_or(&said);
        let said = said.split("\n\nFor more information").next().unwrap_or(said);
        print::json(&show::own_error("usage", &without_passwords(said.trim_end())));
        return ExitCode::from(2);
    }
    if error.kind() == ErrorKind::DisplayVersion {
        say!("{}", P::version());
        return ExitCode::from(u8::from(print::failure().is_some()));
    }
    let said = error.to_string();
    let lines = said.split('\n').map(text::printable).collect::<Vec<_>>();
    let masked = without_passwords(&lines.join("\n"));
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

fn perform<P: Program>(arguments: P) -> ExitCode {
    let common = arguments.common().clone();
    start_logging(&common, arguments.log_level());
    let runtime = start_runtime();
    let result = runtime.block_on(async {
        signal::outlive_file_limits();
        arguments.perform().await
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

/// Starts the threads of the program. If the operating system allows no more threads, Tokio panics,
/// and while it unwinds, it can wait without end for a thread that it has started. The process ends
/// before that.
fn start_runtime() -> Runtime {
    fn fail(why: &str) -> ! {
        complain!("error: the runtime could not be started: {why}");
        std::process::exit(1);
    }
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|panic| {
        fail(panic.payload_as_str().unwrap_or("a thread cannot be started"))
    }));
    let runtime = Runtime::new().unwrap_or_else(|error| fail(&error.to_string()));
    std::panic::set_hook(hook);
    runtime
}

/// Logs to standard error.
///
/// The host interfaces of components are never traced, because traces contain all arguments and
/// results, including secrets in the environment, headers and messages. The protocol of `mcp` is
/// never logged, because it contains messages.
fn start_logging(common: &Common, level: LevelFilter) {
    let asked = std::env::var("RUST_LOG").ok().filter(|asked| !asked.trim().is_empty());
    let asked = asked.map(|asked| asked.parse::<Targets>());
    let is_invalid = matches!(asked, Some(Err(_)));
    let filter = asked.and_then(Result::ok).unwrap_or_else(|| Targets::new().with_default(level));
    let log = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(|| print::Log)
        // The library reports its internal errors with `eprintln!`, which panics if standard error
        // is not writable.
        .log_internal_errors(false);
    let discreet = filter_fn(|about| {
        let is_traced = about.target().starts_with("wasmtime_wasi");
        !about.target().starts_with("rmcp") && (!is_traced || *about.level() <= Level::INFO)
    });
    match common.log_format {
        LogFormat::Text => log.finish().with(discreet).with(filter).init(),
        LogFormat::Json => {
            log.json().flatten_event(true).finish().with(discreet).with(filter).init();
        }
    }
    if is_invalid {
        tracing::warn!("RUST_LOG is ignored: write LEVEL, or TARGET=LEVEL,…");
    }
}
