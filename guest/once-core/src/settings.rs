//! The settings.

use alloc::string::String;

/// How long one `send-message` of the provider takes at most. The plugin has the same setting.
pub const DEADLINE_MS: &str = "MESSAGING_DEADLINE_MS";
/// The deadline where none is set.
pub const DEFAULT_DEADLINE_MS: u32 = 30_000;
/// The longest.
pub const MAX_DEADLINE_MS: u32 = 600_000;

/// The bucket of a journal in a key-value store.
pub const BUCKET: &str = "MESSAGING_ONCE_BUCKET";

/// A setting that cannot be read. Never holds its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InvalidSettings {
    /// The variable's name.
    pub setting: &'static str,
    /// The problem, for a person.
    pub detail: &'static str,
}

/// Reads the provider's deadline from environment variables.
///
/// # Errors
/// It is not a whole number from 1 to 600000, or given twice.
pub fn deadline_ms(
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<u32, InvalidSettings> {
    let Some(value) = only(DEADLINE_MS, variables)? else { return Ok(DEFAULT_DEADLINE_MS) };
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|ms| digits && (1..=MAX_DEADLINE_MS).contains(ms));
    let detail = "is not a whole number from 1 to 600000";
    number.ok_or(InvalidSettings { setting: DEADLINE_MS, detail })
}

/// Reads the name of the journal's bucket from environment variables. There is no default: a
/// misspelt variable would be another journal, which knows none of the messages of the first.
///
/// # Errors
/// It is missing, empty, or given twice.
pub fn bucket(
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<String, InvalidSettings> {
    let missing = InvalidSettings { setting: BUCKET, detail: "is missing: it names the bucket" };
    only(BUCKET, variables)?.filter(|name| !name.is_empty()).ok_or(missing)
}

fn only(
    setting: &'static str,
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<Option<String>, InvalidSettings> {
    let mut values = variables.into_iter().filter(|(name, _)| name == setting);
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(InvalidSettings { setting, detail: "is given twice" }),
        (found, None) => Ok(found.map(|(_, value)| value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Result<u32, InvalidSettings> {
        deadline_ms(values.iter().map(|value| (DEADLINE_MS.into(), (*value).into())))
    }

    #[test]
    fn the_deadline_is_the_plugins() {
        assert_eq!(read(&[]), Ok(30_000));
        assert_eq!(read(&["1"]), Ok(1));
        assert_eq!(read(&["600000"]), Ok(600_000));
        for bad in ["", "0", "600001", "+5", " 5", "x", "99999999999999999999"] {
            assert_eq!(read(&[bad]).unwrap_err().setting, DEADLINE_MS, "{bad}");
        }
        assert!(read(&["5", "5"]).is_err());
    }

    #[test]
    fn the_bucket_has_to_be_named() {
        let read =
            |values: &[&str]| bucket(values.iter().map(|one| (BUCKET.into(), (*one).into())));
        assert_eq!(read(&["sent"]), Ok("sent".into()));
        for bad in [&[][..], &[""], &["sent", "sent"]] {
            assert_eq!(read(bad).unwrap_err().setting, BUCKET, "{bad:?}");
        }
    }
}
