//! Locations of stores and journals: a file, or a database of PostgreSQL.

use std::ffi::OsString;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use messaging_inbox::{NameError, Options, ReadStore, Store, StoreError};
use messaging_postgres::{PASSWORD, PASSWORD_FILE, Password, Target, TargetError, inbox};

use super::Failure;

/// The setting that names the store: of this program, not of a component.
pub const SETTING: &str = "MESSAGING_WEBHOOK_STORE";
/// The name of the default store in the state directory.
const DEFAULT: &str = "inbox.sqlite";
/// Settings of a database: environment variables of this program.
pub const SETTINGS: [&str; 2] = [PASSWORD, PASSWORD_FILE];

/// Options of a database.
#[derive(Args)]
pub struct Reach {
    /// Trust these certificate authorities (PEM) for the PostgreSQL of --store
    #[arg(long, global = true, value_name = "FILE")]
    store_ca: Option<PathBuf>,
}

/// The location of a store or of a journal. An invalid URL is reported when it is used, because the
/// parser of arguments repeats what it rejects, and a URL can hold a password.
#[derive(Clone, Debug)]
pub enum Place {
    /// A named file. Its directory must exist.
    File(PathBuf),
    /// A file in the state directory, which is created if it is missing.
    State(PathBuf),
    Postgres(Result<Target, TargetError>),
}

/// Reason why a name is not the location of a store or of a journal.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("not UTF-8; correct {0}")]
    NotUtf8(&'static str),
    #[error("empty; correct {0}")]
    Empty(&'static str),
}

/// The parser of `--store`.
pub fn store() -> impl TypedValueParser<Value = Place> {
    OsStringValueParser::new().try_map(|name| place(name, "--store or MESSAGING_WEBHOOK_STORE"))
}

/// The parser of `--journal`.
pub fn journal() -> impl TypedValueParser<Value = Place> {
    OsStringValueParser::new().try_map(|name| place(name, "--journal or MESSAGING_ONCE_JOURNAL"))
}

fn place(name: OsString, option: &'static str) -> Result<Place, PlaceError> {
    let text = name.into_string().map_err(|_| PlaceError::NotUtf8(option))?;
    if text.is_empty() {
        return Err(PlaceError::Empty(option));
    }
    if Target::is_meant(&text) {
        return Ok(Place::Postgres(text.parse()));
    }
    Store::check_name(&text)?;
    Ok(Place::File(PathBuf::from(text)))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) | Self::State(path) => {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                write!(f, "{}", path.display())
            }
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

/// The directory for state of this program, by the XDG base directory specification.
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

impl Place {
    /// A file in the state directory, for an option that was not given.
    pub fn by_default(file: &str, option: &str, setting: &str) -> Result<Self, Failure> {
        let state = state_directory().ok_or_else(|| {
            Failure::Usage(format!(
                "no state directory: HOME is not set to an absolute path; name a file or a database with {option} or {setting}"
            ))
        })?;
        Ok(Self::State(state.join(file)))
    }

    /// Creates the state directory for its owner if the file is there.
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

    /// Checks the settings of a place that the option `name` gave, with the authorities of its
    /// option `name`-ca.
    pub fn checked(
        &self,
        name: &str,
        authorities: Option<&PathBuf>,
    ) -> Result<Checked<'_>, Failure> {
        let usage = |what: String| Failure::Usage(what);
        match (self, authorities) {
            (Self::File(path), None) => {
                let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                match directory.map(|directory| (directory, std::fs::metadata(directory))) {
                    Some((directory, Err(error))) if error.kind() == ErrorKind::NotFound => {
                        Err(usage(format!(
                            "{name}: {}: the directory {} does not exist; create it, or correct the name",
                            path.display(),
                            directory.display()
                        )))
                    }
                    _ => Ok(Checked::File(path)),
                }
            }
            (Self::State(path), None) => Ok(Checked::File(path)),
            (Self::File(_) | Self::State(_), Some(_)) => {
                Err(usage(format!("{name}-ca is for a database of PostgreSQL")))
            }
            (Self::Postgres(target), _) => {
                let target = target.clone().map_err(|error| usage(format!("{name} {error}")))?;
                let password = Password::find(&target, |name| std::env::var_os(name));
                Ok(Checked::Postgres(target, password.map_err(|error| usage(error.to_string()))?))
            }
        }
    }
}

impl Reach {
    /// The store that is named, or the default one.
    pub fn place(place: Option<&Place>) -> Result<Place, Failure> {
        match place {
            Some(place) => Ok(place.clone()),
            None => Place::by_default(DEFAULT, "--store", SETTING),
        }
    }

    /// Checks the settings of a store.
    pub fn access(&self, place: &Place) -> Result<Access, Failure> {
        Ok(match place.checked("--store", self.store_ca.as_ref())? {
            Checked::File(path) => Access::File(path.to_path_buf()),
            Checked::Postgres(target, password) => {
                let authorities = self.store_ca.clone();
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
