//! Where events are kept: a file, or a database of PostgreSQL; and what it takes to reach that.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use messaging_inbox::{NameError, Options, ReadStore, Store, StoreError};
use messaging_inbox_postgres::{
    self as postgres, PASSWORD, PASSWORD_FILE, Password, Target, TargetError,
};

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

/// The name of a store. A URL that is none is reported when it is used: the parser of arguments
/// repeats what it refuses, and this can hold a password.
#[derive(Clone, Debug)]
pub enum Place {
    File(PathBuf),
    Postgres(Result<Target, TargetError>),
}

/// Parses the name of a store.
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
    Postgres(Target, Box<postgres::Options>),
}

impl Place {
    /// Checks the settings of a store.
    pub fn access(&self, reach: &Reach) -> Result<Access, Failure> {
        let usage = |what: String| Failure::Usage(what);
        match self {
            Self::File(path) => match &reach.store_ca {
                None => Ok(Access::File(path.clone())),
                Some(_) => Err(usage("--store-ca is for a store on PostgreSQL".to_string())),
            },
            Self::Postgres(target) => {
                let target = target.clone().map_err(|error| usage(format!("--store {error}")))?;
                let password = Password::find(&target, |name| std::env::var_os(name));
                let options = postgres::Options {
                    password: password.map_err(|error| usage(error.to_string()))?,
                    authorities: reach.store_ca.clone(),
                    ..postgres::Options::default()
                };
                Ok(Access::Postgres(target, Box::new(options)))
            }
        }
    }
}

impl Access {
    /// Opens it to write; blocks, of a file, while it is set up.
    pub async fn open(&self, options: Options) -> Result<Store, StoreError> {
        match self {
            Self::File(path) => Store::open(path, options),
            Self::Postgres(target, own) => {
                let options = postgres::Options {
                    create: options.create,
                    timeout: options.put_timeout,
                    replays: options.replays,
                    monotonic: options.monotonic,
                    on_step: options.on_step,
                    ..(**own).clone()
                };
                postgres::open(target, options).await
            }
        }
    }

    /// Opens it to read alone.
    pub async fn open_to_read(&self) -> Result<ReadStore, StoreError> {
        match self {
            Self::File(path) => ReadStore::open(path),
            Self::Postgres(target, own) => postgres::open_to_read(target, own).await,
        }
    }
}
