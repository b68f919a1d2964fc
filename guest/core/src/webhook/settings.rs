//! The webhook's settings, parsed from environment variables.

mod proofs;

use alloc::string::{String, ToString};
use core::ops::RangeInclusive;

use crate::limits::MAX_EVENT_BYTES;
use crate::webhook::keyvalue::BUCKET_SETTING;
use crate::webhook::origin::Proofs;
use proofs::{
    HEADER, HEADER_SECRET, HEADER_SECRET_NEXT, PATH_SECRET, PATH_SECRET_NEXT, SIGNATURE_ENCODING,
    SIGNATURE_HEADER, SIGNATURE_PREFIX, SIGNATURE_SECRET, SIGNATURE_SECRET_NEXT, SIGNED,
    TIMESTAMP_HEADER, TIMESTAMP_TOLERANCE,
};

/// Name of the setting that accepts deliveries without proof if no proof is configured.
pub const ALLOW_UNVERIFIED: &str = "MESSAGING_WEBHOOK_ALLOW_UNVERIFIED";
const MAX_BODY_BYTES: &str = "MESSAGING_WEBHOOK_MAX_BODY_BYTES";
const DEADLINE_MS: &str = "MESSAGING_WEBHOOK_DEADLINE_MS";

/// Names of the webhook's settings.
const NAMES: [&str; 16] = [
    PATH_SECRET,
    PATH_SECRET_NEXT,
    HEADER_SECRET,
    HEADER_SECRET_NEXT,
    HEADER,
    SIGNATURE_SECRET,
    SIGNATURE_SECRET_NEXT,
    SIGNATURE_HEADER,
    SIGNATURE_PREFIX,
    SIGNATURE_ENCODING,
    SIGNED,
    TIMESTAMP_HEADER,
    TIMESTAMP_TOLERANCE,
    ALLOW_UNVERIFIED,
    MAX_BODY_BYTES,
    DEADLINE_MS,
];
/// Names of the settings of the inboxes in this package.
const OF_INBOXES: [&str; 1] = [BUCKET_SETTING];

/// Default of `MESSAGING_WEBHOOK_MAX_BODY_BYTES`. Far above the size of an event without media.
pub const DEFAULT_BODY_BYTES: usize = 256 * 1024;
/// Default of `MESSAGING_WEBHOOK_DEADLINE_MS`. Event sources have similar timeouts.
const DEFAULT_DEADLINE_MS: u32 = 10_000;

/// Settings of the webhook.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The configured proofs of a delivery's origin.
    pub proofs: Proofs,
    /// If true, deliveries are accepted even if no proof is configured.
    pub allow_unverified: bool,
    /// The maximum size of a body, in bytes.
    pub max_body_bytes: usize,
    /// The maximum time for a body to arrive, in milliseconds.
    pub deadline_ms: u32,
}

/// An invalid setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSettings {
    /// The name of the environment variable.
    pub setting: String,
    /// Description of the problem, without the setting's value.
    pub detail: &'static str,
}

/// Returns the names of all settings of the webhook and of the inboxes in this package.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(OF_INBOXES)
}

/// Values of the settings. Each value can be taken once.
struct Values([Option<String>; NAMES.len()]);

impl Values {
    fn get(&self, name: &str) -> Option<&str> {
        let index = NAMES.iter().position(|known| *known == name)?;
        self.0.get(index)?.as_deref()
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let index = NAMES.iter().position(|known| *known == name)?;
        self.0.get_mut(index)?.take()
    }

    /// Returns an error with the reason `why` if one of `names` is set.
    fn refuse(&self, names: &[&str], why: &'static str) -> Result<(), InvalidSettings> {
        let set = NAMES
            .iter()
            .zip(&self.0)
            .find(|(name, value)| value.is_some() && names.contains(*name));
        set.map_or(Ok(()), |(name, _)| Err(invalid(name, why)))
    }
}

impl Settings {
    /// Reads the settings from environment variables. Other names are ignored, because platforms
    /// set names such as `MESSAGING_WEBHOOK_SERVICE_HOST`.
    ///
    /// # Errors
    /// Returns `InvalidSettings` if a variable is malformed, is given twice, has no effect, or
    /// contradicts another variable. The error has the variable's name, never its value.
    pub fn from_variables<I>(variables: I) -> Result<Self, InvalidSettings>
    where
        I: IntoIterator<Item = (String, String)>,
    {
        let mut values = Values(Default::default());
        for (name, value) in variables {
            let index = NAMES.iter().position(|known| *known == name);
            match index.and_then(|index| values.0.get_mut(index)) {
                None => {}
                Some(Some(_)) => return Err(invalid(&name, "is set twice")),
                Some(slot) => *slot = Some(value),
            }
        }
        let body = values.take(MAX_BODY_BYTES);
        let deadline = values.take(DEADLINE_MS);
        Ok(Self {
            allow_unverified: match values.take(ALLOW_UNVERIFIED).as_deref() {
                None | Some("false") => false,
                Some("true") => true,
                Some(_) => return Err(invalid(ALLOW_UNVERIFIED, "is not true or false")),
            },
            max_body_bytes: number(body, 1..=MAX_EVENT_BYTES, DEFAULT_BODY_BYTES).ok_or_else(
                || invalid(MAX_BODY_BYTES, "is not a whole number of bytes from 1 to 16777216"),
            )?,
            deadline_ms: number(deadline, 1..=600_000, DEFAULT_DEADLINE_MS).ok_or_else(|| {
                invalid(DEADLINE_MS, "is not a whole number of milliseconds from 1 to 600000")
            })?,
            proofs: proofs::read(&mut values)?,
        })
    }

    /// Returns true if a proof is configured, or if unverified deliveries are accepted.
    #[must_use]
    pub fn can_admit(&self) -> bool {
        self.proofs.are_set() || self.allow_unverified
    }
}

fn invalid(setting: &str, detail: &'static str) -> InvalidSettings {
    InvalidSettings { setting: setting.to_string(), detail }
}

/// Returns the number; `default` if there is no value; `None` if the value is not a number in
/// `range`.
fn number<T>(value: Option<String>, range: RangeInclusive<T>, default: T) -> Option<T>
where
    T: PartialOrd + core::str::FromStr,
{
    let Some(value) = value else { return Some(default) };
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|number| digits && range.contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    const SECRET: &str = "0123456789abcdef";

    fn read(variables: &[(&str, &str)]) -> Result<Settings, InvalidSettings> {
        let own = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        Settings::from_variables(variables.iter().map(own))
    }

    #[test]
    fn delivery_without_configured_proof_is_rejected() {
        let settings = read(&[("MESSAGING_API_KEY", "k"), ("PATH", "/bin")]).unwrap();
        assert!(!settings.can_admit());
        assert_eq!((settings.max_body_bytes, settings.deadline_ms), (262_144, 10_000));
        assert!(read(&[(ALLOW_UNVERIFIED, "true")]).unwrap().can_admit());
        assert!(!read(&[(ALLOW_UNVERIFIED, "false")]).unwrap().can_admit());
    }

    #[test]
    fn unknown_names_are_ignored() {
        let others = [
            ("MESSAGING_WEBHOOK_SERVICE_HOST", "10.0.0.1"),
            ("MESSAGING_WEBHOOK_PORT", "tcp://10.0.0.1:80"),
            ("MESSAGING_WEBHOOK_PATHSECRET", SECRET),
            ("messaging_webhook_path_secret", SECRET),
        ];
        assert!(!read(&others).unwrap().can_admit());
    }

    #[test]
    fn limits_are_inclusive() {
        let long = |char: &str, length: usize| char.repeat(length);
        for (name, values) in [
            (MAX_BODY_BYTES, ["1".into(), "16777216".into()]),
            (DEADLINE_MS, ["1".into(), "600000".into()]),
            (PATH_SECRET, [long("~", 16), long("a", 256)]),
            (HEADER_SECRET, [long("#", 16), long("a", 4_096)]),
        ] {
            for value in values {
                assert!(read(&[(name, &value)]).is_ok(), "{name} {value}");
            }
        }
        let settings = read(&[(MAX_BODY_BYTES, "7"), (DEADLINE_MS, "8")]).unwrap();
        assert_eq!((settings.max_body_bytes, settings.deadline_ms), (7, 8));
    }

    #[test]
    fn settings_error_names_valid_values() {
        for (name, value, right) in [
            (MAX_BODY_BYTES, "0", "from 1 to 16777216"),
            (DEADLINE_MS, "x", "from 1 to 600000"),
            (PATH_SECRET, "short", "16 to 256"),
        ] {
            let error = read(&[(name, value)]).unwrap_err();
            assert!(error.detail.contains(right), "{name}: {}", error.detail);
        }
        assert!(names().all(|name| name.starts_with("MESSAGING_WEBHOOK_")));
        assert!(names().any(|name| name == "MESSAGING_WEBHOOK_BUCKET"));
    }

    #[test]
    fn invalid_setting_is_named_without_value() {
        let cases = [
            (PATH_SECRET, "too-short"),
            (PATH_SECRET, "0123456789abcdef/x"),
            (SIGNATURE_PREFIX, "x-prefix"),
            (ALLOW_UNVERIFIED, "yes"),
            (MAX_BODY_BYTES, "0"),
            (MAX_BODY_BYTES, "16777217"),
            (MAX_BODY_BYTES, "+1"),
            (DEADLINE_MS, "600001"),
            (DEADLINE_MS, ""),
        ];
        for (name, value) in cases {
            let error = read(&[(name, value)]).unwrap_err();
            assert_eq!(error.setting, name, "{value}");
            assert!(value.is_empty() || value.len() < 3 || !format!("{error:?}").contains(value));
        }
        assert_eq!(read(&[(PATH_SECRET, SECRET); 2]).unwrap_err().detail, "is set twice");
    }
}
