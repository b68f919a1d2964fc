//! The webhook's settings, parsed from environment variables.

use alloc::string::{String, ToString};
use core::ops::RangeInclusive;

use crate::origin::{Proofs, Secret, Signature};

/// The prefix of the webhook's settings.
const PREFIX: &str = "MESSAGING_WEBHOOK_";

const PATH_SECRET: &str = "MESSAGING_WEBHOOK_PATH_SECRET";
const HEADER_SECRET: &str = "MESSAGING_WEBHOOK_HEADER_SECRET";
const HEADER: &str = "MESSAGING_WEBHOOK_HEADER";
const SIGNATURE_SECRET: &str = "MESSAGING_WEBHOOK_SIGNATURE_SECRET";
const SIGNATURE_HEADER: &str = "MESSAGING_WEBHOOK_SIGNATURE_HEADER";
const SIGNATURE_PREFIX: &str = "MESSAGING_WEBHOOK_SIGNATURE_PREFIX";
/// Whether deliveries without proof are taken where no way of proof is set.
pub const ALLOW_UNVERIFIED: &str = "MESSAGING_WEBHOOK_ALLOW_UNVERIFIED";
const MAX_BODY_BYTES: &str = "MESSAGING_WEBHOOK_MAX_BODY_BYTES";
const DEADLINE_MS: &str = "MESSAGING_WEBHOOK_DEADLINE_MS";

/// Every name that the webhook reads, in the order in which it takes them apart.
const NAMES: [&str; 9] = [
    PATH_SECRET,
    HEADER_SECRET,
    HEADER,
    SIGNATURE_SECRET,
    SIGNATURE_HEADER,
    SIGNATURE_PREFIX,
    ALLOW_UNVERIFIED,
    MAX_BODY_BYTES,
    DEADLINE_MS,
];
/// Read by an inbox of this package.
const OF_INBOXES: [&str; 1] = ["MESSAGING_WEBHOOK_BUCKET"];

/// The largest body that `messaging.handle-event` takes.
const MAX_BODY: usize = 256 * 1024;
/// Senders give up after about as long, and a body is small.
const DEFAULT_DEADLINE_MS: u32 = 10_000;
/// What a path segment is compared with stands in a log of many a proxy: short
/// enough for a URL, long enough not to be guessed.
const MAX_PATH_SECRET_BYTES: usize = 256;

/// What the webhook needs to know beside the request.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How a delivery proves its origin.
    pub proofs: Proofs,
    /// Whether deliveries are taken although no way of proof is set.
    pub allow_unverified: bool,
    /// The largest body that is read.
    pub max_body_bytes: usize,
    /// How long a body may take to arrive.
    pub deadline_ms: u32,
}

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSettings {
    /// The variable.
    pub setting: String,
    /// What is wrong with it, without its value.
    pub reason: &'static str,
}

impl Settings {
    /// Reads the settings from environment variables. Names that do not begin with
    /// `MESSAGING_WEBHOOK_` are not looked at.
    ///
    /// # Errors
    /// Names the variable that is malformed, given twice, unknown, or useless
    /// without another; never its value.
    pub fn from_variables<I>(variables: I) -> Result<Self, InvalidSettings>
    where
        I: IntoIterator<Item = (String, String)>,
    {
        let mut values: [Option<String>; NAMES.len()] = Default::default();
        for (name, value) in variables {
            if !name.starts_with(PREFIX) || OF_INBOXES.contains(&name.as_str()) {
                continue;
            }
            let place = NAMES.iter().position(|known| *known == name);
            match place.and_then(|index| values.get_mut(index)) {
                None => return Err(invalid(&name, "is not a setting of the webhook")),
                Some(Some(_)) => return Err(invalid(&name, "is given twice")),
                Some(slot) => *slot = Some(value),
            }
        }
        let [
            path,
            header_secret,
            header,
            key,
            signature_header,
            prefix,
            unverified,
            body,
            deadline,
        ] = values;

        let path = path.map(path_secret).transpose()?;
        let without = "says nothing without its secret";
        if header_secret.is_none() && header.is_some() {
            return Err(invalid(HEADER, without));
        }
        let header = header_secret
            .map(|value| {
                Ok((
                    header_name(HEADER, header, "x-webhook-secret")?,
                    secret(HEADER_SECRET, value)?,
                ))
            })
            .transpose()?;
        if key.is_none() && (signature_header.is_some() || prefix.is_some()) {
            let name = if signature_header.is_some() { SIGNATURE_HEADER } else { SIGNATURE_PREFIX };
            return Err(invalid(name, without));
        }
        let signature = key
            .map(|key| {
                Ok(Signature {
                    header: header_name(SIGNATURE_HEADER, signature_header, "x-signature")?,
                    prefix: prefix.unwrap_or_default(),
                    secret: secret(SIGNATURE_SECRET, key)?,
                })
            })
            .transpose()?;
        Ok(Self {
            proofs: Proofs { path, header, signature },
            allow_unverified: match unverified.as_deref() {
                None | Some("false") => false,
                Some("true") => true,
                Some(_) => return Err(invalid(ALLOW_UNVERIFIED, "is neither true nor false")),
            },
            max_body_bytes: number(MAX_BODY_BYTES, body, 1..=MAX_BODY, MAX_BODY)?,
            deadline_ms: number(DEADLINE_MS, deadline, 1..=600_000, DEFAULT_DEADLINE_MS)?,
        })
    }

    /// Whether there is a way in at all.
    #[must_use]
    pub fn let_somebody_in(&self) -> bool {
        self.proofs.are_set() || self.allow_unverified
    }
}

fn invalid(setting: &str, reason: &'static str) -> InvalidSettings {
    InvalidSettings { setting: setting.to_string(), reason }
}

fn secret(setting: &str, value: String) -> Result<Secret, InvalidSettings> {
    Secret::new(value.into_bytes()).ok_or_else(|| invalid(setting, "is not of 16 to 4096 bytes"))
}

fn path_secret(value: String) -> Result<Secret, InvalidSettings> {
    // RFC 3986 section 2.3: what stands in a path as it is, everywhere.
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !value.bytes().all(unreserved) {
        return Err(invalid(PATH_SECRET, "holds more than letters, digits, `-`, `.`, `_` and `~`"));
    }
    if value.len() > MAX_PATH_SECRET_BYTES {
        return Err(invalid(PATH_SECRET, "is longer than 256 characters"));
    }
    secret(PATH_SECRET, value)
}

fn header_name(
    setting: &str,
    value: Option<String>,
    default: &str,
) -> Result<String, InvalidSettings> {
    let name = value.unwrap_or_else(|| default.to_string()).to_ascii_lowercase();
    // RFC 9110 section 5.6.2: a token.
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || name.len() > 256 || !name.bytes().all(token) {
        return Err(invalid(setting, "is not the name of a header"));
    }
    Ok(name)
}

fn number<T>(
    setting: &str,
    value: Option<String>,
    range: RangeInclusive<T>,
    default: T,
) -> Result<T, InvalidSettings>
where
    T: PartialOrd + core::str::FromStr,
{
    let Some(value) = value else { return Ok(default) };
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    value
        .parse()
        .ok()
        .filter(|number| digits && range.contains(number))
        .ok_or_else(|| invalid(setting, "is not a whole number within its bounds"))
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
    fn nothing_set_lets_nobody_in() {
        let settings = read(&[("MESSAGING_API_KEY", "k"), ("PATH", "/bin")]).unwrap();
        assert!(!settings.let_somebody_in());
        assert_eq!((settings.max_body_bytes, settings.deadline_ms), (262_144, 10_000));
        assert!(read(&[(ALLOW_UNVERIFIED, "true")]).unwrap().let_somebody_in());
        assert!(!read(&[(ALLOW_UNVERIFIED, "false")]).unwrap().let_somebody_in());
    }

    #[test]
    fn each_way_of_proof_has_its_secret_and_its_default_header() {
        assert!(read(&[(PATH_SECRET, SECRET)]).unwrap().proofs.path.is_some());
        let proofs = read(&[(HEADER_SECRET, SECRET)]).unwrap().proofs;
        assert_eq!(proofs.header.unwrap().0, "x-webhook-secret");
        let proofs = read(&[(HEADER_SECRET, SECRET), (HEADER, "X-Mine")]).unwrap().proofs;
        assert_eq!(proofs.header.unwrap().0, "x-mine");
        let proofs = read(&[(SIGNATURE_SECRET, SECRET), (SIGNATURE_PREFIX, "sha256=")]).unwrap();
        let signature = proofs.proofs.signature.unwrap();
        assert_eq!((&*signature.header, &*signature.prefix), ("x-signature", "sha256="));
        assert!(read(&[("MESSAGING_WEBHOOK_BUCKET", "b")]).is_ok());
    }

    #[test]
    fn every_bound_is_within_it() {
        let long = |char: &str, length: usize| char.repeat(length);
        for (name, values) in [
            (MAX_BODY_BYTES, ["1".into(), "262144".into()]),
            (DEADLINE_MS, ["1".into(), "600000".into()]),
            (PATH_SECRET, [long("~", 16), long("a", 256)]),
            (HEADER_SECRET, [long(" ", 16), long("a", 4_096)]),
        ] {
            for value in values {
                assert!(read(&[(name, &value)]).is_ok(), "{name} {value}");
            }
        }
        let settings = read(&[(MAX_BODY_BYTES, "7"), (DEADLINE_MS, "8")]).unwrap();
        assert_eq!((settings.max_body_bytes, settings.deadline_ms), (7, 8));
        let named = |name: &str| read(&[(HEADER_SECRET, SECRET), (HEADER, name)]);
        assert!(named(&long("a", 256)).is_ok());
        for bad in [String::new(), long("a", 257), "a b".into(), "a:".into(), "é".into()] {
            assert_eq!(named(&bad).unwrap_err().setting, HEADER, "{bad}");
        }
    }

    #[test]
    fn a_bad_or_unknown_setting_is_named_and_its_value_is_not_shown() {
        let cases = [
            (PATH_SECRET, "too-short"),
            (PATH_SECRET, "0123456789abcdef/x"),
            (PATH_SECRET, &format!("{SECRET:a>257}")),
            (HEADER_SECRET, ""),
            (HEADER, "x-a"),
            (SIGNATURE_HEADER, "x-a"),
            (SIGNATURE_PREFIX, "x"),
            (ALLOW_UNVERIFIED, "yes"),
            (MAX_BODY_BYTES, "0"),
            (MAX_BODY_BYTES, "262145"),
            (MAX_BODY_BYTES, "+1"),
            (DEADLINE_MS, "600001"),
            (DEADLINE_MS, ""),
            ("MESSAGING_WEBHOOK_PATHSECRET", SECRET),
        ];
        for (name, value) in cases {
            let error = read(&[(name, value)]).unwrap_err();
            assert_eq!(error.setting, name, "{value}");
            assert!(value.is_empty() || value.len() < 3 || !format!("{error:?}").contains(value));
        }
        assert_eq!(read(&[(PATH_SECRET, SECRET); 2]).unwrap_err().reason, "is given twice");
    }
}
