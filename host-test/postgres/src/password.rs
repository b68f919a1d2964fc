//! The password and its sources. The command line is not a source, because process lists show it.

use std::ffi::OsString;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::target::{Host, Target};

/// Environment variable that contains the password.
pub const PASSWORD: &str = "MESSAGING_STORE_PASSWORD";
/// Environment variable that names a file containing only the password.
pub const PASSWORD_FILE: &str = "MESSAGING_STORE_PASSWORD_FILE";
/// Size in bytes. A password file of this size or more is rejected.
const MAX_FILE_BYTES: u64 = 64 * 1024;
const PG_PASSWORD: &str = "PGPASSWORD";
const PG_PASS_FILE: &str = "PGPASSFILE";

/// A password, the file that contains it, or a `PGPASSFILE`, which contains several passwords.
/// Logs, errors and `Debug` never show a password. Each connection reads the file again, because a
/// password can change while a server runs.
#[derive(Clone)]
pub struct Password {
    database: Target,
    file: Option<File>,
    /// The password, or the last content that was read from the file.
    last: Arc<Mutex<Vec<u8>>>,
}

#[derive(Clone)]
struct File {
    setting: &'static str,
    path: PathBuf,
}

impl Password {
    fn of(database: &Target, file: Option<File>, bytes: Vec<u8>) -> Self {
        Self { database: database.clone(), file, last: Arc::new(Mutex::new(bytes)) }
    }

    /// Returns the password for a host of the database, if any. In a `PGPASSFILE`, the matching
    /// line contains the password.
    pub(crate) fn of_host(&self, host: &Host) -> Option<Vec<u8>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(File { setting, path }) = &self.file {
            // Skips a pipe, which cannot be read twice.
            match path.is_file().then(|| contents(setting, path)) {
                Some(Ok(bytes)) if !bytes.is_empty() => *last = bytes,
                Some(Err(error)) => {
                    tracing::warn!(%error, "the previous password is used");
                }
                // Keeps the last content, because an empty or missing file is probably being
                // replaced.
                Some(Ok(_)) | None => {}
            }
            if *setting == PG_PASS_FILE {
                return of_pass_file(&String::from_utf8_lossy(&last), host, &self.database);
            }
        }
        Some(last.clone())
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

/// An unusable password setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// The file cannot be read. The error does not repeat the path, because some people set the
    /// variable to the password itself.
    #[error("{setting}: the file that it names cannot be read: {detail}")]
    File {
        /// Name of the setting.
        setting: &'static str,
        /// The error of the system.
        detail: String,
    },
    /// Other users can read the file.
    #[error("{setting}: other users can read {path}; run `chmod 600` on it")]
    Open {
        /// Name of the setting.
        setting: &'static str,
        /// Path of the file.
        path: String,
    },
    /// Both variables are set.
    #[error("{PASSWORD} and {PASSWORD_FILE} are both set; unset one")]
    Both,
    /// The password is empty.
    #[error("{0} is empty")]
    Empty(&'static str),
}

impl Password {
    /// Finds the password for a database. The sources, in order, are [`PASSWORD`] or
    /// [`PASSWORD_FILE`], `PGPASSWORD`, and the file `PGPASSFILE` with a line for each host.
    /// `variable` reads the environment. Returns `None` if no variable is set, for example when the
    /// database trusts a socket.
    ///
    /// # Errors
    /// Returns a [`PasswordError`] if a variable is set but unusable.
    pub fn find(
        target: &Target,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Option<Self>, PasswordError> {
        let own = (variable(PASSWORD), variable(PASSWORD_FILE));
        let value = match own {
            (Some(_), Some(_)) => return Err(PasswordError::Both),
            (Some(value), None) => Some((PASSWORD, value.into_encoded_bytes(), None)),
            (None, Some(path)) => {
                let file = File { setting: PASSWORD_FILE, path: path.into() };
                let bytes = contents(PASSWORD_FILE, &file.path)?;
                Some((PASSWORD_FILE, bytes, Some(file)))
            }
            (None, None) => {
                variable(PG_PASSWORD).map(|value| (PG_PASSWORD, value.into_encoded_bytes(), None))
            }
        };
        match value {
            Some((setting, bytes, _)) if bytes.is_empty() => Err(PasswordError::Empty(setting)),
            Some((_, bytes, file)) => Ok(Some(Self::of(target, file, bytes))),
            None => match variable(PG_PASS_FILE).filter(|path| !path.is_empty()) {
                Some(path) => {
                    let file = File { setting: PG_PASS_FILE, path: path.into() };
                    let bytes = contents(PG_PASS_FILE, &file.path)?;
                    Ok(Some(Self::of(target, Some(file), bytes)))
                }
                None => Ok(None),
            },
        }
    }
}

/// Reads a file without its trailing line breaks.
fn contents(setting: &'static str, path: &Path) -> Result<Vec<u8>, PasswordError> {
    let mut bytes = read(setting, path)?;
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Ok(bytes)
}

fn read(setting: &'static str, path: &Path) -> Result<Vec<u8>, PasswordError> {
    let failed = |error: std::io::Error| PasswordError::File { setting, detail: error.to_string() };
    let path: PathBuf = path.to_path_buf();
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let found = std::fs::metadata(&path).map_err(failed)?;
        // Rejects a file that other users can read, as libpq does. `PASSWORD_FILE` is exempt,
        // because container engines choose the mode of a secret.
        if setting != PASSWORD_FILE && found.is_file() && found.mode() & 0o077 != 0 {
            return Err(PasswordError::Open { setting, path: path.display().to_string() });
        }
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(&path).map_err(failed)?;
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length == MAX_FILE_BYTES) {
        let detail = format!("it has {MAX_FILE_BYTES} bytes or more");
        return Err(PasswordError::File { setting, detail });
    }
    Ok(bytes)
}

/// Returns the password of the first line that matches the host. A line is
/// `HOST:PORT:DATABASE:USER:PASSWORD`. `*` matches any value, and `\` escapes a colon or a
/// backslash.
fn of_pass_file(text: &str, of: &Host, target: &Target) -> Option<Vec<u8>> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut fields = vec![String::new()];
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                ':' if fields.len() < 5 => fields.push(String::new()),
                '\\' => fields.last_mut()?.extend(characters.next()),
                other => fields.last_mut()?.push(other),
            }
        }
        let [host, port, database, user, password] = <[String; 5]>::try_from(fields).ok()?;
        let fits = |field: &str, value: &str| field == "*" || field == value;
        let name = if of.is_socket() { "localhost" } else { of.name.as_str() };
        let fits = (fits(&host, name) || host == of.name)
            && fits(&port, &of.port.to_string())
            && fits(&database, &target.database)
            && fits(&user, &target.user);
        (fits && !password.is_empty()).then(|| password.into_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target() -> Target {
        "postgres://ann@db.example:5433/inbox".parse().unwrap()
    }

    fn first(target: &Target) -> &Host {
        target.hosts.first().unwrap()
    }

    #[test]
    fn each_host_gets_its_own_password() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let lines = "127.0.0.1:5432:*:*:of-5432\nlocalhost:*:inbox:ann:of-localhost\n";
        std::fs::write(file.path(), lines).unwrap();
        let path = file.path().as_os_str().to_owned();
        let target: Target =
            "postgres://ann@127.0.0.1:5499,127.0.0.1,localhost:7/inbox".parse().unwrap();
        let variable = |name: &str| (name == PG_PASS_FILE).then(|| path.clone());
        let password = Password::find(&target, variable).unwrap().unwrap();
        let sent = |password: &Password| -> Vec<_> {
            let each = target.hosts.iter().map(|host| password.of_host(host));
            each.map(|sent| sent.map(|bytes| String::from_utf8(bytes).unwrap())).collect()
        };
        assert_eq!(sent(&password), [None, Some("of-5432".into()), Some("of-localhost".into())]);
        // The next connection uses the changed lines.
        std::fs::write(file.path(), "*:5499:*:ann:new\n*:*:*:*:any\n").unwrap();
        let any = || Some("any".to_string());
        assert_eq!(sent(&password), [Some("new".into()), any(), any()]);
    }

    #[test]
    fn password_file_line_matches_database() {
        let text = "# ours\nother:*:*:*:no\ndb.example:5433:inbox:bob:no\n\
            db.example:5433:inbox:ann:s\\:e\\\\c:r\n*:*:*:*:last\n";
        let of = |text: &str, target: &Target| of_pass_file(text, first(target), target);
        assert_eq!(of(text, &target()).unwrap(), b"s:e\\c:r");
        let any: Target = "postgres:///x?host=/run/postgresql&user=eve".parse().unwrap();
        assert_eq!(of(text, &any).unwrap(), b"last");
        assert!(of("db.example:5433:inbox:ann", &target()).is_none());
    }

    #[test]
    fn password_has_one_source() {
        let find = |set: &[(&str, &str)]| {
            let value = |name: &str| {
                set.iter().find(|(one, _)| *one == name).map(|(_, value)| OsString::from(value))
            };
            Password::find(&target(), value)
        };
        let bytes = |password: &Password| password.of_host(first(&target())).unwrap();
        assert!(find(&[]).unwrap().is_none());
        let own = find(&[(PASSWORD, "canary"), (PG_PASSWORD, "other")]).unwrap().unwrap();
        assert_eq!(bytes(&own), b"canary");
        assert_eq!(format!("{own:?}"), "Password(***)");
        assert_eq!(find(&[(PASSWORD, "a"), (PASSWORD_FILE, "b")]).err(), Some(PasswordError::Both));
        assert_eq!(find(&[(PASSWORD, "")]).err(), Some(PasswordError::Empty(PASSWORD)));
        assert!(matches!(
            find(&[(PASSWORD_FILE, "/no/such/file")]),
            Err(PasswordError::File { .. })
        ));
        #[cfg(target_os = "linux")]
        assert!(matches!(find(&[(PASSWORD_FILE, "/dev/zero")]), Err(PasswordError::File { .. })));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "from a file\n").unwrap();
        let named = find(&[(PASSWORD_FILE, file.path().to_str().unwrap())]).unwrap().unwrap();
        assert_eq!(bytes(&named), b"from a file");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = file.path().to_str().unwrap();
            for mode in [0o640, 0o604, 0o620] {
                std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
                let refused = PasswordError::Open { setting: PG_PASS_FILE, path: path.to_string() };
                assert_eq!(find(&[(PG_PASS_FILE, path)]).err(), Some(refused), "{mode:o}");
                assert!(find(&[(PASSWORD_FILE, path)]).is_ok(), "{mode:o}");
            }
        }
    }
}
