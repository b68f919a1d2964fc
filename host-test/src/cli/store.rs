//! Where events and journals are kept: a file, or a database of PostgreSQL; and what it takes to
//! reach that.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use messaging_inbox::{NameError, Options, ReadStore, Store, StoreError};
use messaging_postgres::{PASSWORD, PASSWORD_FILE, Password, Target, TargetError, inbox};

use super::Failure;

/// The setting that names the store: of this program, not of a component.
pub const SETTING: &str = "MESSAGING_WEBHOOK_STORE";
/// The store where nothing names one.
pub const DEFAULT: &str = "messaging-inbox.sqlite";
/// Settings of a database: environment variables of this program.
pub const SETTINGS: [&str; 2] = [PASSWORD, PASSWORD_FILE];

/// How a database is reached.
#[derive(Args)]
pub struct Reach {
    /// Certificate authorities to trust for the PostgreSQL of --store, as PEM, in place of the
    /// public ones
    #[arg(long, global = true, value_name = "FILE")]
    store_ca: Option<PathBuf>,
}

/// The name of a store or of a journal. A URL that is none is reported when it is used: the parser of arguments
/// repeats what it refuses, and this can hold a password.
#[derive(Clone, Debug)]
pub enum Place {
    File(PathBuf),
    Postgres(Result<Target, TargetError>),
}

/// Parses the name of a store or of a journal.
pub fn place(text: &str) -> Result<Place, NameError> {
    if Target::is_meant(text) {
        return Ok(Place::Postgres(text.parse()));
    }
    Store::check_name(text).map(|()| Place::File(PathBuf::from(text)))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Postgres(Ok(target)) => write!(f, "{target}"),
            Self::Postgres(Err(_)) => f.write_str("a database of PostgreSQL"),
        }
    }
}

/// A store that can be opened: whatever can be wrong with its settings is looked at.
pub enum Access {
    File(PathBuf),
    Postgres(Target, Box<inbox::Options>),
}

/// A place whose settings are there.
pub enum Checked<'a> {
    File(&'a Path),
    Postgres(Target, Option<Password>),
}

impl Place {
    /// Checks the settings of a place that the option `name` gave, with the authorities of its
    /// option `name`-ca.
    pub fn checked(
        &self,
        name: &str,
        authorities: Option<&PathBuf>,
    ) -> Result<Checked<'_>, Failure> {
        let usage = |what: String| Failure::Usage(what);
        match (self, authorities) {
            (Self::File(path), None) => Ok(Checked::File(path)),
            (Self::File(_), Some(_)) => {
                Err(usage(format!("{name}-ca is for a database of PostgreSQL")))
            }
            (Self::Postgres(target), _) => {
                let target = target.clone().map_err(|error| usage(format!("{name} {error}")))?;
                let password = Password::find(&target, |name| std::env::var_os(name));
                Ok(Checked::Postgres(target, password.map_err(|error| usage(error.to_string()))?))
            }
        }
    }

    /// Checks the settings of a store.
    pub fn access(&self, reach: &Reach) -> Result<Access, Failure> {
        Ok(match self.checked("--store", reach.store_ca.as_ref())? {
            Checked::File(path) => Access::File(path.to_path_buf()),
            Checked::Postgres(target, password) => {
                let authorities = reach.store_ca.clone();
                let options = inbox::Options { password, authorities, ..inbox::Options::default() };
                Access::Postgres(target, Box::new(options))
            }
        })
    }
}

impl Access {
    /// Opens it to write; blocks, of a file, while it is set up.
    pub async fn open(&self, options: Options) -> Result<Store, StoreError> {
        match self {
            Self::File(path) => Store::open(path, options),
            Self::Postgres(target, own) => {
                let options = inbox::Options {
                    create: options.create,
                    // `inbox` runs in loops, and creates nothing.
                    warns: options.create,
                    timeout: options.put_timeout,
                    replays: options.replays,
                    monotonic: options.monotonic,
                    on_step: options.on_step,
                    ..(**own).clone()
                };
                inbox::open(target, options).await
            }
        }
    }

    /// Opens it to read alone.
    pub async fn open_to_read(&self) -> Result<ReadStore, StoreError> {
        match self {
            Self::File(path) => ReadStore::open(path),
            Self::Postgres(target, own) => inbox::open_to_read(target, own).await,
        }
    }
}
