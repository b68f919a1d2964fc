//! Location and opening of the journal.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::FalseyValueParser;
use messaging_core::journal::URL;
use messaging_journal::{Journal, JournalError, Options};
use messaging_postgres as postgres;
use serde_json::json;

use crate::cli::show::{GREEN, RESET};
use crate::cli::store::{self, Location, StoreArgument};
use crate::cli::{Common, Failure, print, settings, text};

/// File name of the default journal in the state directory.
const DEFAULT_JOURNAL: &str = "journal.sqlite";
/// Timeout of a request to the journal.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The location of the journal.
#[derive(Args)]
pub struct Located {
    /// Journal of sends: a file, or postgres://USER@HOST/DATABASE [journal.sqlite in the state directory]
    ///
    /// A file must be on a local disk; its directory must exist. Several machines can share a
    /// database. The password of a database is in MESSAGING_STORE_PASSWORD, or in the file that
    /// MESSAGING_STORE_PASSWORD_FILE names.
    #[arg(long, global = true, value_name = "FILE|URL", env = settings::JOURNAL, hide_env_values = true, value_parser = store::journal())]
    journal: Option<StoreArgument>,
    /// Trust these certificate authorities (PEM) for the PostgreSQL of --journal
    #[arg(long, global = true, value_name = "FILE")]
    journal_ca: Option<PathBuf>,
}

/// The location of the journal of a command that sends.
#[derive(Args)]
pub struct Sending {
    #[command(flatten)]
    located: Located,
    /// Fail if the journal does not exist; `sent init` creates one
    #[arg(long, env = settings::EXISTING_JOURNAL, hide_env_values = true, value_parser = FalseyValueParser::new())]
    existing_journal: bool,
}

/// Options for opening a journal to write.
#[derive(Clone, Copy, Default)]
pub struct Opening {
    /// True to create a missing journal.
    pub create: bool,
    /// True to log unwise settings of the database. False for a command that runs often, because
    /// each run would log them.
    pub warns: bool,
}

impl Located {
    /// Returns ` --journal NAME` for a command that a message tells a person to run. Returns an
    /// empty string for the default journal.
    pub fn as_option(&self) -> String {
        let named = self.journal.as_ref();
        named
            .map(|name| format!(" --journal {}", text::word(&name.to_string())))
            .unwrap_or_default()
    }

    /// Returns the named journal, or the default journal.
    fn argument(&self) -> Result<StoreArgument, Failure> {
        match &self.journal {
            Some(argument) => Ok(argument.clone()),
            // The default journal lacks the keys of the journal at this URL, so their messages
            // would be sent a second time.
            None if std::env::var_os(URL).is_some() => Err(Failure::Usage(format!(
                "{URL} is set, but this program cannot use a journal over HTTP: name the journal of that server with --journal, or unset {URL}"
            ))),
            None => StoreArgument::by_default(DEFAULT_JOURNAL, "--journal", settings::JOURNAL),
        }
    }

    /// Opens an existing journal to write.
    pub async fn open(&self) -> Result<Journal, Failure> {
        open(&self.argument()?, self.journal_ca.as_ref(), Opening::default(), missing).await
    }

    pub async fn open_to_read(&self) -> Result<Journal, Failure> {
        let opened = match self.argument()?.checked("--journal", self.journal_ca.as_ref())? {
            Location::File(path) => Journal::open_to_read(path, TIMEOUT),
            Location::Postgres(database) => {
                postgres::journal::open_to_read(&database.target, &database.options()).await
            }
        };
        opened.map_err(missing)
    }

    /// Creates the journal unless it exists.
    pub async fn create(&self, common: &Common) -> Result<(), Failure> {
        let argument = self.argument()?;
        let location = argument.checked("--journal", self.journal_ca.as_ref())?;
        let exists = match &location {
            Location::File(path) => std::fs::metadata(path).is_ok_and(|found| found.len() > 0),
            Location::Postgres(_) => self.open_to_read().await.is_ok(),
        };
        argument.create_state_directory("--journal", settings::JOURNAL)?;
        let opened = opened(&location, Opening { create: true, warns: true }).await;
        opened.map_err(not_opened)?.close().await;
        if common.json {
            let journal = argument.to_string();
            print::json(&json!({ "ok": { "journal": journal, "created": !exists } }));
        } else if exists {
            say!("the journal exists: {argument}");
        } else {
            say!("{GREEN}created{RESET} the journal {argument}");
        }
        Ok(())
    }
}

impl Sending {
    /// Returns [`Located::as_option`].
    pub fn as_option(&self) -> String {
        self.located.as_option()
    }

    /// Returns the first journal option on the command line. Ignores environment variables, because
    /// they can be set for other commands. Also finds `--journal` as the value of `--phone` or
    /// `--device`, because these options accept values that begin with a hyphen.
    pub fn named(&self) -> Option<&'static str> {
        ["--journal", "--existing-journal"].into_iter().find(|option| {
            std::env::args_os().any(|argument| {
                let argument = argument.to_string_lossy();
                argument
                    .strip_prefix(option)
                    .is_some_and(|end| end.is_empty() || end.starts_with('='))
            })
        })
    }

    /// Opens the journal for sending. Creates a missing journal unless it must exist. `failure`
    /// converts an error.
    pub async fn open(&self, failure: fn(JournalError) -> Failure) -> Result<Journal, Failure> {
        let Self { located, existing_journal } = self;
        let failure = |error| match error {
            JournalError::NotSetUp { .. } if *existing_journal => must_exist(&error),
            error => failure(error),
        };
        let opening = Opening { create: !existing_journal, ..Opening::default() };
        open(&located.argument()?, located.journal_ca.as_ref(), opening, failure).await
    }
}

/// Returns the failure for a missing journal that must exist.
pub fn must_exist(error: &JournalError) -> Failure {
    Failure::Usage(format!(
        "{error}. If no journal is there: create it with `messaging sent init`, correct --journal, or leave out --existing-journal ({})",
        settings::EXISTING_JOURNAL
    ))
}

/// Opens the journal of `--journal` to write. Reports a created file, because the option may name
/// the wrong file.
pub async fn open(
    argument: &StoreArgument,
    authorities: Option<&PathBuf>,
    opening: Opening,
    failure: impl FnOnce(JournalError) -> Failure,
) -> Result<Journal, Failure> {
    if opening.create {
        argument.create_state_directory("--journal", settings::JOURNAL)?;
    }
    let location = argument.checked("--journal", authorities)?;
    let journal = opened(&location, opening).await.map_err(failure)?;
    if journal.is_new() {
        tracing::warn!("created the journal {argument}; it has no keys yet");
    }
    Ok(journal)
}

async fn opened(location: &Location, opening: Opening) -> Result<Journal, JournalError> {
    let Opening { create, warns } = opening;
    match location {
        Location::File(path) => Journal::open(path, Options { create, timeout: TIMEOUT }),
        Location::Postgres(database) => {
            let options = postgres::Options { create, warns, ..database.options() };
            postgres::journal::open(&database.target, options).await
        }
    }
}

/// Converts an error of opening an existing journal.
fn missing(error: JournalError) -> Failure {
    match error {
        JournalError::NotSetUp { .. } => Failure::Usage(format!(
            "{error}. If no journal is there: name the journal of `send --once` with --journal or {}, or create one with `messaging sent init`",
            settings::JOURNAL
        )),
        error => not_opened(error),
    }
}

/// Converts an error of opening a journal, for a command or for a server at its start.
pub fn not_opened(error: JournalError) -> Failure {
    match error {
        JournalError::Unavailable { .. } => unusable(error),
        error => Failure::Usage(error.to_string()),
    }
}

/// Converts an error of opening a journal, for a command that sends. Nothing was sent.
pub fn unusable(error: JournalError) -> Failure {
    let case = match error {
        JournalError::Unavailable { .. } => "unavailable",
        _ => "permanent-journal",
    };
    Failure::Unusable { case, message: error.to_string() }
}
