//! Settings of this program: their table, the files of secrets, and the check of the environment.

mod table;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::Path;

use messaging_net::read::bounded;

use super::Failure;
use table::rows;
pub use table::{
    CACHE, EXISTING_JOURNAL, FORWARD_HEADERS, FORWARD_SECRET, JOURNAL, JOURNAL_TOKENS, MCP_TOKENS,
    METRICS_TOKENS, OPERATOR_TOKENS, STORE, Section, WORKER_TOKENS, help,
};

/// Maximum size of the file of a secret, in bytes.
const MAX_SECRET_BYTES: u64 = 64 * 1024;

/// Rejects environment variables that are probably misspelled settings, because a misspelled secret
/// would have no effect. Ignores other unknown names: orchestrators set `MESSAGING_PORT` and more
/// for a service named `messaging`.
pub fn check_names() -> Result<(), Failure> {
    for (name, _) in std::env::vars_os() {
        if let Some(meant) = misspelt(&name) {
            return Err(Failure::Usage(format!(
                "unknown setting {:?}: did you mean {meant}? Correct the name, or unset it",
                name.display()
            )));
        }
        if let Some(setting) = name.to_str().and_then(unread_file) {
            return Err(Failure::Usage(format!(
                "{setting}_FILE is not a setting: put the value itself into {setting}"
            )));
        }
        if let Some((name, meant)) = name.to_str().and_then(|name| Some((name, abridged(name)?))) {
            tracing::warn!(
                name,
                meant,
                "ignored a variable that is not a setting; a setting has a similar name"
            );
        }
    }
    Ok(())
}

/// Returns the setting `NAME` if `name` is `NAME_FILE` for a setting that is not a secret, and
/// `NAME` is not set. Only secrets can be in files.
fn unread_file(name: &str) -> Option<&str> {
    let is_own = |name: &str| all().any(|own| own == name);
    let setting = name.strip_suffix("_FILE").filter(|setting| is_own(setting) && !is_own(name))?;
    std::env::var_os(setting).is_none().then_some(setting)
}

/// Returns the setting that an unknown name probably means. The names differ only in case and
/// separators, or in up to two typing errors.
fn misspelt(name: &OsStr) -> Option<&'static str> {
    if name.to_str().is_some_and(|name| all().any(|own| own == name)) {
        return None;
    }
    let name = name.to_string_lossy().trim().to_ascii_uppercase().replace('-', "_");
    if is_injected(&name) {
        return None;
    }
    let errors = |own: &&str| strsim::damerau_levenshtein(own, &name);
    all().min_by_key(errors).filter(|own| errors(own) <= 2)
}

/// Returns the setting that has all words of an unknown name and more: `MESSAGING_ONCE_JOURNAL` for
/// `MESSAGING_JOURNAL`. The caller only warns, because another program may use the name.
fn abridged(name: &str) -> Option<&'static str> {
    let omits_words = |own: &&str| {
        let mut words = own.split('_');
        name.contains('_') && name.split('_').all(|word| words.any(|one| one == word))
    };
    let last = name.rsplit('_').next()?;
    let is_unknown = !is_injected(name) && all().all(|own| own != name);
    let near = all().filter(|_| is_unknown).filter(omits_words);
    near.min_by_key(|own| (!own.ends_with(last), own.len()))
}

/// Returns variables that are named like a secret of this program but are not settings.
pub fn unread_secrets() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_secret = |name: &String| {
        name.starts_with("MESSAGING_")
            && (name.ends_with("SECRET") || name.ends_with("SECRETS"))
            && all().all(|own| own != name)
            && abridged(name).is_none()
    };
    names.filter(is_secret).collect()
}

/// Returns true if a name looks like a variable of a Kubernetes Service or a Docker link.
fn is_injected(name: &str) -> bool {
    let ends = ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT", "_NAME"];
    let parts = ["_SERVICE_PORT_", "_PORT_", "_ENV_"];
    ends.iter().any(|end| name.ends_with(end)) || parts.iter().any(|part| name.contains(part))
}

/// Returns the names of all settings of this program and of its components.
pub fn all() -> impl Iterator<Item = &'static str> {
    rows().flat_map(|row| [Some(row.name), row.file]).flatten()
}

/// Returns the value of a setting, or `None` if it is not set. The value of a secret can be in a
/// file.
pub fn variable(name: &str) -> Result<Option<String>, Failure> {
    let value = std::env::var_os(name).map(OsString::into_string).transpose();
    let value =
        value.map_err(|_| Failure::Usage(format!("{name}: not UTF-8; correct its value")))?;
    let file = rows().find(|row| row.name == name).and_then(|row| row.file);
    let file = file.and_then(|setting| Some((setting, std::env::var_os(setting)?)));
    match (value, file) {
        (value, None) => Ok(value),
        (None, Some((setting, path))) if path.is_empty() => {
            Err(Failure::Usage(format!("{setting}: empty; name a file, or unset it")))
        }
        (None, Some((setting, path))) => contents(Path::new(&path))
            .map(Some)
            .map_err(|why| Failure::Usage(format!("{setting}: {why}"))),
        (Some(_), Some((setting, _))) => {
            Err(Failure::Usage(format!("{name} and {setting} are both set; unset one of them")))
        }
    }
}

/// Returns the content of a file without a byte order mark and its last line break. `Err` has the
/// reason and the remedy, but not the path, because the path can be a secret by mistake.
fn contents(path: &Path) -> Result<String, String> {
    let read = File::open(path).and_then(|file| bounded(file, MAX_SECRET_BYTES));
    let bytes = read.map_err(|error| format!("the file that it names cannot be read: {error}"))?;
    let bytes =
        bytes.ok_or("its file is larger than 64 KiB; name a file that holds only the value")?;
    let text = String::from_utf8(bytes).map_err(|_| "its file is not UTF-8; correct it")?;
    let line = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let line = line.strip_suffix('\n').unwrap_or(line);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_string())
}

/// Returns the value of a variable that an option reads. Warns if it is set without the option.
pub fn variable_of(name: &str, option: &str, is_read: bool) -> Result<Option<String>, Failure> {
    let value = variable(name)?;
    if value.is_some() && !is_read {
        tracing::warn!("{name} is set, but has no effect without {option}");
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_ignored() {
        for name in [
            "PATH",
            "MESSAGING_PORT",
            "MESSAGING_NAME",
            "MESSAGING_VERSION",
            "MESSAGING_WEBHOOK_SECRET",
            "MESSAGING_API_KEY_FILE",
            "MESSAGING_WORKER_TOKEN",
            "messaging_image_tag",
            "MESSAGING_WEBHOOK_STORE_NAME",
            "MESSAGING_ONCE_ENV_MESSAGING_BASE_URL",
        ] {
            assert_eq!(misspelt(OsStr::new(name)), None, "{name}");
        }
        assert!(all().all(|name| misspelt(OsStr::new(name)).is_none()));
    }

    #[test]
    fn each_secret_has_file() {
        let is_secret = |name: &&str| {
            let ends = ["_SECRET", "_SECRET_NEXT", "_KEY", "_TOKENS", "_HEADERS"];
            ends.iter().any(|end| name.ends_with(end))
        };
        for row in rows().filter(|row| is_secret(&row.name)) {
            assert!(row.file.is_some(), "{}", row.name);
        }
    }

    #[test]
    fn misspelt_settings_are_recognized() {
        for (name, meant) in [
            ("MESSAGING_DEADLIN_MS", "MESSAGING_DEADLINE_MS"),
            ("MESSAGING_WEBHOOK_PATHSECRET", "MESSAGING_WEBHOOK_PATH_SECRET"),
            ("MESSAGING_WEBHOOK_STOR", "MESSAGING_WEBHOOK_STORE"),
            ("MESSAGING_BASE_URI", "MESSAGING_BASE_URL"),
            ("MESSAGING_API-KEY", "MESSAGING_API_KEY"),
            ("messaging_base_url", "MESSAGING_BASE_URL"),
            (" MESSAGING_API_KEY", "MESSAGING_API_KEY"),
            ("MESAGING_API_KEY", "MESSAGING_API_KEY"),
            ("MESSAGING_WEBHOOK_HEADER_SERCET", "MESSAGING_WEBHOOK_HEADER_SECRET"),
        ] {
            assert_eq!(misspelt(OsStr::new(name)), Some(meant), "{name}");
        }
    }
}
