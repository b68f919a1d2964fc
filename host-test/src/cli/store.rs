//! Locations of stores and journals: a file or a PostgreSQL database.

use std::ffi::OsString;
use std::fmt;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use messaging_inbox::{Options, ReadStore, Store, StoreError};
use messaging_postgres::{self as postgres, Password, Target, TargetError};

use super::{Failure, settings};

/// File name of the default store in the state directory.
const DEFAULT: &str = "inbox.sqlite";

/// Options of the store's database.
#[derive(Args)]
pub struct Reach {
    /// Trust these certificate authorities (PEM) for the PostgreSQL of --store
    #[arg(long, global = true, value_name = "FILE")]
    store_ca: Option<PathBuf>,
}

/// The location of a store or a journal. An invalid URL is reported on use, because the argument
/// parser repeats the values that it rejects, and a URL can contain a password.
#[derive(Clone, Debug)]
pub enum StoreArgument {
    /// A named file. Its directory must exist.
    File(PathBuf),
    /// A file in the state directory. A missing state directory is created.
    State(PathBuf),
    Postgres(Result<Target, TargetError>),
}

/// Returns the parser of `--store`.
pub fn store() -> impl TypedValueParser<Value = StoreArgument> {
    OsStringValueParser::new().try_map(|name| argument(name, "--store or MESSAGING_WEBHOOK_STORE"))
}

/// Returns the parser of `--journal`.
pub fn journal() -> impl TypedValueParser<Value = StoreArgument> {
    OsStringValueParser::new().try_map(|name| argument(name, "--journal or MESSAGING_ONCE_JOURNAL"))
}

fn argument(name: OsString, option: &str) -> Result<StoreArgument, String> {
    let text = name.into_string().map_err(|_| format!("not UTF-8; correct {option}"))?;
    if text.is_empty() {
        return Err(format!("empty; correct {option}"));
    }
    if Target::is_meant(&text) {
        return Ok(StoreArgument::Postgres(text.parse()));
    }
    Store::check_name(&text).map_err(|error| error.to_string())?;
    Ok(StoreArgument::File(PathBuf::from(text)))
}

impl fmt::Display for StoreArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) | Self::State(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                write!(f, "{}", path.display())
            }
            Self::Postgres(Ok(target)) => write!(f, "{target}"),
            Self::Postgres(Err(_)) => f.write_str("a PostgreSQL database"),
        }
    }
}

/// The location of a store or a journal, with checked settings.
pub enum Location {
    File(PathBuf),
    Postgres(Box<Database>),
}

/// A database with its password and the trusted certificate authorities.
pub struct Database {
    pub target: Target,
    pub password: Option<Password>,
    pub authorities: Option<PathBuf>,
}

/// Returns this program's directory for state, as in the XDG base directory specification.
fn state_directory() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = absolute("XDG_STATE_HOME").or_else(|| match cfg!(windows) {
        true => absolute("LOCALAPPDATA"),
        false => absolute("HOME").map(|home| home.join(".local/state")),
    });
    state.map(|state| state.join("messaging"))
}

impl StoreArgument {
    /// Returns the location of `file` in the state directory, for an option that is not given.
    pub fn by_default(file: &str, option: &str, setting: &str) -> Result<Self, Failure> {
        let state = state_directory().ok_or_else(|| {
            Failure::Usage(format!(
                "no state directory: HOME is not set to an absolute path; name a file or a database with {option} or {setting}"
            ))
        })?;
        Ok(Self::State(state.join(file)))
    }

    /// Returns true if both are the same file, which need not exist.
    pub fn is_file_of(&self, other: &Self) -> bool {
        let file = |argument: &Self| {
            let (Self::File(path) | Self::State(path)) = argument else { return None };
            let in_directory = || {
                let path = std::path::absolute(path).ok()?;
                Some(std::fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
            };
            std::fs::canonicalize(path).ok().or_else(in_directory)
        };
        file(self).is_some_and(|path| Some(path) == file(other))
    }

    /// Creates the state directory with access only for its owner. Does nothing for other
    /// locations.
    pub fn create_state_directory(&self, option: &str, setting: &str) -> Result<(), Failure> {
        let Self::State(path) = self else { return Ok(()) };
        let Some(directory) = path.parent() else { return Ok(()) };
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(directory).map_err(|error| {
            Failure::Usage(format!(
                "cannot create the state directory {}: {error}; name a file or a database with {option} or {setting}",
                directory.display()
            ))
        })
    }

    /// Checks the settings of a location from the option `name`. `authorities` comes from the
    /// option `name`-ca.
    pub fn checked(&self, name: &str, authorities: Option<&PathBuf>) -> Result<Location, Failure> {
        match (self, authorities) {
            (Self::File(path), None) => {
                let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let missing = directory.filter(|directory| {
                    let found = std::fs::metadata(directory);
                    found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
                });
                match missing {
                    None => Ok(Location::File(path.clone())),
                    Some(directory) => Err(Failure::Usage(format!(
                        "{name}: {}: the directory {} does not exist; create it, or correct the name",
                        path.display(),
                        directory.display()
                    ))),
                }
            }
            (Self::State(path), None) => Ok(Location::File(path.clone())),
            (Self::File(_) | Self::State(_), Some(_)) => {
                Err(Failure::Usage(format!("{name}-ca needs a PostgreSQL database")))
            }
            (Self::Postgres(Err(error)), _) => Err(Failure::Usage(format!("{name} {error}"))),
            (Self::Postgres(Ok(target)), _) => {
                let password = Password::find(target, |name| std::env::var_os(name));
                let password = password.map_err(Failure::usage)?;
                let (target, authorities) = (target.clone(), authorities.cloned());
                Ok(Location::Postgres(Box::new(Database { target, password, authorities })))
            }
        }
    }
}

impl Reach {
    /// Returns the named store, or the default store.
    pub fn argument(argument: Option<&StoreArgument>) -> Result<StoreArgument, Failure> {
        match argument {
            Some(argument) => Ok(argument.clone()),
            None => StoreArgument::by_default(DEFAULT, "--store", settings::STORE),
        }
    }

    /// Checks the settings of a store.
    pub fn location(&self, argument: &StoreArgument) -> Result<Location, Failure> {
        argument.checked("--store", self.store_ca.as_ref())
    }
}

impl Database {
    /// Returns the options of the inbox and of the journal.
    pub fn options(&self) -> postgres::Options {
        let (password, authorities) = (self.password.clone(), self.authorities.clone());
        postgres::Options { password, authorities, ..postgres::Options::default() }
    }
}

impl Location {
    /// Opens a store to write. Blocks while a file is set up.
    pub async fn open_store(&self, options: Options) -> Result<Store, StoreError> {
        match self {
            Self::File(path) => Store::open(path, options),
            Self::Postgres(database) => {
                let options = postgres::Options {
                    create: options.create,
                    // False for `inbox`, which creates no store. A loop of `inbox` would repeat the
                    // warnings.
                    warns: options.create,
                    timeout: options.put_timeout,
                    replays: options.replays,
                    monotonic: options.monotonic,
                    ..database.options()
                };
                postgres::inbox::open(&database.target, options).await
            }
        }
    }

    /// Opens a store to read.
    pub async fn open_store_to_read(&self) -> Result<ReadStore, StoreError> {
        match self {
            Self::File(path) => ReadStore::open(path),
            Self::Postgres(database) => {
                postgres::inbox::open_to_read(&database.target, &database.options()).await
            }
        }
    }
}
