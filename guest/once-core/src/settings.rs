//! The one setting.

use alloc::string::String;

/// How long one `send-message` of the provider takes at most. The plugin has the same setting.
pub const DEADLINE_MS: &str = "MESSAGING_DEADLINE_MS";
/// The deadline where none is set.
pub const DEFAULT_DEADLINE_MS: u32 = 30_000;
/// The longest.
pub const MAX_DEADLINE_MS: u32 = 600_000;

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
    let wrong = |detail| InvalidSettings { setting: DEADLINE_MS, detail };
    let mut found = None;
    for (name, value) in variables {
        if name != DEADLINE_MS {
            continue;
        }
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        let number = value.parse().ok().filter(|ms| digits && (1..=MAX_DEADLINE_MS).contains(ms));
        let number = number.ok_or(wrong("is not a whole number from 1 to 600000"))?;
        if found.replace(number).is_some() {
            return Err(wrong("is given twice"));
        }
    }
    Ok(found.unwrap_or(DEFAULT_DEADLINE_MS))
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
}
