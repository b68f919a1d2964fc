//! The plugin's settings, parsed from environment variables.

use alloc::string::{String, ToString};
use core::ops::RangeInclusive;

use crate::digits::whole_number;
use crate::error::InvalidSettings;
use crate::limits;
use crate::origin::{Origin, Scheme};
use crate::secret::ApiKey;

const BASE_URL: &str = "MESSAGING_BASE_URL";
const API_KEY: &str = "MESSAGING_API_KEY";
const DEADLINE_MS: &str = "MESSAGING_DEADLINE_MS";
const MAX_ATTEMPTS: &str = "MESSAGING_MAX_ATTEMPTS";
const MAX_REPLY_BYTES: &str = "MESSAGING_MAX_REPLY_BYTES";
const MAX_MESSAGE_BYTES: &str = "MESSAGING_MAX_MESSAGE_BYTES";
pub(crate) const ALLOW_HTTP: &str = "MESSAGING_ALLOW_HTTP";
const RETRY_RATE_LIMITED: &str = "MESSAGING_RETRY_RATE_LIMITED";

/// Names of the plugin's settings.
pub const NAMES: [&str; 8] = [
    BASE_URL,
    API_KEY,
    DEADLINE_MS,
    MAX_ATTEMPTS,
    MAX_REPLY_BYTES,
    MAX_MESSAGE_BYTES,
    ALLOW_HTTP,
    RETRY_RATE_LIMITED,
];

/// Settings of a call.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The service's base URL.
    pub origin: Origin,
    /// The API key.
    pub key: ApiKey,
    /// The maximum duration of a call, in milliseconds.
    pub deadline_ms: u32,
    /// The maximum number of requests of a send, including the first. The maximum number of retries
    /// of a whole listing is one less.
    pub max_attempts: u32,
    /// The maximum size of a reply body, in bytes.
    pub max_reply_bytes: usize,
    /// The maximum length of a message text, in bytes of UTF-8; `None` for no limit.
    pub max_message_bytes: Option<usize>,
    /// If true, a call sends a message again after 429 with `Retry-After`.
    pub retry_rate_limited: bool,
}

impl Settings {
    /// Reads the settings from environment variables. Other names are ignored, because platforms
    /// set names such as `MESSAGING_SERVICE_HOST`.
    ///
    /// # Errors
    /// Returns `InvalidSettings` if a variable is missing, malformed or given twice. The error has
    /// the variable's name, never its value.
    pub fn from_variables<I>(variables: I) -> Result<Self, InvalidSettings>
    where
        I: IntoIterator<Item = (String, String)>,
    {
        let [
            base_url,
            api_key,
            deadline,
            attempts,
            reply_bytes,
            message_bytes,
            allow_http,
            retry_rate_limited,
        ] = values(variables, NAMES)?;

        let origin = origin(BASE_URL, base_url, allow_http)?;
        let retry_rate_limited = boolean(RETRY_RATE_LIMITED, retry_rate_limited)?.unwrap_or(true);
        let key = secret(API_KEY, api_key)?;
        let deadline_ms = deadline_or_default(deadline)?;
        let max_attempts = number(MAX_ATTEMPTS, attempts, 1..=limits::MAX_ATTEMPTS)?
            .unwrap_or(limits::DEFAULT_ATTEMPTS);
        let reply_range = limits::MIN_REPLY_BYTES..=limits::MAX_REPLY_BYTES;
        let max_reply_bytes = number(MAX_REPLY_BYTES, reply_bytes, reply_range)?
            .unwrap_or(limits::DEFAULT_REPLY_BYTES);
        let max_reply_bytes = bytes(max_reply_bytes);
        let max_message_bytes = number(MAX_MESSAGE_BYTES, message_bytes, 1..=u32::MAX)?.map(bytes);
        Ok(Self {
            origin,
            key,
            deadline_ms,
            max_attempts,
            max_reply_bytes,
            max_message_bytes,
            retry_rate_limited,
        })
    }
}

/// Reads `MESSAGING_DEADLINE_MS`, the maximum duration of a call in milliseconds, from environment
/// variables. Every component and host that needs the deadline of a call uses this function.
///
/// # Errors
/// Returns `InvalidSettings` if the value is not a whole number from 1 to 600000, or is given twice.
pub fn deadline_ms<I>(variables: I) -> Result<u32, InvalidSettings>
where
    I: IntoIterator<Item = (String, String)>,
{
    let [deadline] = values(variables, [DEADLINE_MS])?;
    deadline_or_default(deadline)
}

fn deadline_or_default(value: Option<String>) -> Result<u32, InvalidSettings> {
    let deadline = number(DEADLINE_MS, value, 1..=limits::MAX_DEADLINE_MS)?;
    Ok(deadline.unwrap_or(limits::DEFAULT_DEADLINE_MS))
}

/// Returns the values of `names` from environment variables. Other names are ignored.
pub(crate) fn values<const N: usize>(
    variables: impl IntoIterator<Item = (String, String)>,
    names: [&'static str; N],
) -> Result<[Option<String>; N], InvalidSettings> {
    let mut values = [const { None }; N];
    for (name, value) in variables {
        let index = names.iter().position(|known| *known == name);
        let Some((known, slot)) = index.and_then(|at| names.get(at).zip(values.get_mut(at))) else {
            continue;
        };
        if slot.is_some() {
            return Err(InvalidSettings::new(*known, "is set twice"));
        }
        // An API key may begin with a quotation mark. No other valid value does.
        if matches!(value.as_bytes(), [b'"' | b'\'', ..]) && *known != API_KEY {
            let detail = "begins with a quotation mark; write the value without quotation marks";
            return Err(InvalidSettings::new(*known, detail));
        }
        *slot = Some(value);
    }
    Ok(values)
}

/// Parses a base URL to which a secret may be sent. `allow_http` is the value of
/// `MESSAGING_ALLOW_HTTP`.
pub(crate) fn origin(
    name: &'static str,
    url: Option<String>,
    allow_http: Option<String>,
) -> Result<Origin, InvalidSettings> {
    let origin = Origin::parse(&required(name, url)?)
        .map_err(|why| InvalidSettings::new(name, why.reason()))?;
    let allow_http = boolean(ALLOW_HTTP, allow_http)?.unwrap_or(false);
    if origin.scheme() == Scheme::Http && !origin.is_loopback() && !allow_http {
        return Err(InvalidSettings::new(
            name,
            "is an http: URL of another machine and would show the secret to the network; use https:, or set MESSAGING_ALLOW_HTTP=true",
        ));
    }
    Ok(origin)
}

/// Parses a secret that is sent in a header.
pub(crate) fn secret(name: &'static str, value: Option<String>) -> Result<ApiKey, InvalidSettings> {
    ApiKey::new(required(name, value)?).map_err(|why| InvalidSettings::new(name, why.reason()))
}

fn required(name: &'static str, value: Option<String>) -> Result<String, InvalidSettings> {
    value.ok_or_else(|| InvalidSettings::new(name, "is not set"))
}

pub(crate) fn number(
    name: &'static str,
    value: Option<String>,
    range: RangeInclusive<u32>,
) -> Result<Option<u32>, InvalidSettings> {
    let Some(value) = value else { return Ok(None) };
    match whole_number(&value) {
        Some(number) if range.contains(&number) => Ok(Some(number)),
        _ => {
            let (min, max) = (range.start().to_string(), range.end().to_string());
            let detail = ["is not a whole number from ", &min, " to ", &max].concat();
            Err(InvalidSettings::new(name, detail))
        }
    }
}

fn boolean(name: &'static str, value: Option<String>) -> Result<Option<bool>, InvalidSettings> {
    match value.as_deref() {
        None => Ok(None),
        Some("false") => Ok(Some(false)),
        Some("true") => Ok(Some(true)),
        Some(_) => Err(InvalidSettings::new(name, "is not true or false")),
    }
}

fn bytes(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, InvalidSettings> {
        let required = [(BASE_URL, "https://api.example"), (API_KEY, "canary")];
        let mut all: Vec<(String, String)> = Vec::new();
        for (name, value) in required.iter().chain(pairs) {
            all.retain(|(known, _)| known != name);
            all.push(((*name).into(), (*value).into()));
        }
        Settings::from_variables(all)
    }

    #[test]
    fn unknown_names_are_ignored() {
        let settings = read(&[
            ("PATH", "/bin"),
            ("MESSAGING_WEBHOOK_SECRET", "x"),
            // Kubernetes sets these for a Service with the name `messaging`.
            ("MESSAGING_SERVICE_HOST", "10.0.0.1"),
            ("MESSAGING_SERVICE_PORT_HTTP", "80"),
            ("MESSAGING_PORT", "tcp://10.0.0.1:80"),
            ("MESSAGING_PORT_80_TCP_ADDR", "10.0.0.1"),
            ("MESSAGING_PORT", "tcp://10.0.0.1:80"),
            ("messaging_base_url", "x"),
            ("MESSAGING_DEADLIN_MS", "x"),
            ("MESSAGING_", ""),
        ])
        .unwrap();
        assert_eq!(settings.deadline_ms, 30_000);
        assert_eq!(settings.max_attempts, 3);
        assert_eq!(settings.max_reply_bytes, 1_048_576);
        assert_eq!(settings.max_message_bytes, None);
        assert!(settings.retry_rate_limited);
    }

    #[test]
    fn quoted_setting_is_explained() {
        for (name, value) in [
            (BASE_URL, "\"https://api.example\""),
            (BASE_URL, "'https://api.example'"),
            (DEADLINE_MS, "\"5\""),
            (ALLOW_HTTP, "\"true\""),
        ] {
            let error = read(&[(name, value)]).unwrap_err();
            assert_eq!(error.setting, name);
            assert!(error.detail.contains("quotation mark"), "{}", error.detail);
        }
        assert_eq!(read(&[(API_KEY, "\"canary\"")]).unwrap().key.reveal(), "\"canary\"");
        assert!(!read(&[(RETRY_RATE_LIMITED, "false")]).unwrap().retry_rate_limited);
    }

    #[test]
    fn invalid_value_is_reported_by_name_only() {
        for (name, value) in [
            (BASE_URL, "http://canary.example"),
            (BASE_URL, "https://user:canary@api.example"),
            (API_KEY, "canary\r\nX: y"),
            (API_KEY, ""),
            (DEADLINE_MS, "0"),
            (DEADLINE_MS, "600001"),
            (DEADLINE_MS, "canary"),
            (DEADLINE_MS, "+5"),
            (DEADLINE_MS, " 5"),
            (DEADLINE_MS, ""),
            (MAX_ATTEMPTS, "0"),
            (MAX_ATTEMPTS, "11"),
            (MAX_REPLY_BYTES, "1023"),
            (MAX_REPLY_BYTES, "4194305"),
            (MAX_REPLY_BYTES, "99999999999999999999999"),
            (MAX_MESSAGE_BYTES, "0"),
            (ALLOW_HTTP, "canary"),
            (RETRY_RATE_LIMITED, "canary"),
            (RETRY_RATE_LIMITED, ""),
            (BASE_URL, "\"https://api.canary\""),
            (DEADLINE_MS, "'5'"),
        ] {
            let error = read(&[(name, value)]).unwrap_err();
            assert_eq!(error.setting, name, "{value}");
            assert!(!error.detail.contains("canary"), "{}", error.detail);
        }
    }

    #[test]
    fn numbers_are_accepted_within_their_range() {
        let all = |deadline, attempts, reply, message| {
            let settings = read(&[
                (DEADLINE_MS, deadline),
                (MAX_ATTEMPTS, attempts),
                (MAX_REPLY_BYTES, reply),
                (MAX_MESSAGE_BYTES, message),
            ])
            .unwrap();
            (
                settings.deadline_ms,
                settings.max_attempts,
                settings.max_reply_bytes,
                settings.max_message_bytes,
            )
        };
        assert_eq!(all("1", "1", "1024", "1"), (1, 1, 1_024, Some(1)));
        assert_eq!(
            all("600000", "10", "4194304", "4294967295"),
            (600_000, 10, 4_194_304, Some(4_294_967_295))
        );
    }

    #[test]
    fn deadline_is_read_without_other_settings() {
        let deadline = |all: &[&str]| {
            deadline_ms(all.iter().map(|value| (DEADLINE_MS.into(), (*value).into())))
        };
        assert_eq!(deadline(&[]), Ok(30_000));
        assert_eq!(deadline(&["1"]), Ok(1));
        assert!(deadline(&["5", "5"]).is_err());
    }

    #[test]
    fn missing_or_doubled_setting_is_reported() {
        let one = |name: &str| (String::from(name), String::from("https://api.example"));
        assert_eq!(Settings::from_variables([]).unwrap_err().setting, BASE_URL);
        assert_eq!(Settings::from_variables([one(BASE_URL)]).unwrap_err().setting, API_KEY);
        let twice = Settings::from_variables([one(BASE_URL), one(BASE_URL)]).unwrap_err();
        assert_eq!((twice.setting.as_ref(), twice.detail.as_ref()), (BASE_URL, "is set twice"));
    }

    #[test]
    fn remote_http_requires_setting() {
        assert!(read(&[(BASE_URL, "http://10.0.0.1")]).is_err());
        assert!(read(&[(BASE_URL, "http://10.0.0.1"), (ALLOW_HTTP, "true")]).is_ok());
        assert!(read(&[(BASE_URL, "http://localhost:1")]).is_ok());
    }
}
