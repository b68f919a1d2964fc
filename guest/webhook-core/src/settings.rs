//! The webhook's settings, parsed from environment variables.

use alloc::string::{String, ToString};
use core::ops::RangeInclusive;

use crate::origin::{Proofs, Secret, Signature, Signed};

/// The prefix of the webhook's settings.
const PREFIX: &str = "MESSAGING_WEBHOOK_";

const PATH_SECRET: &str = "MESSAGING_WEBHOOK_PATH_SECRET";
const HEADER_SECRET: &str = "MESSAGING_WEBHOOK_HEADER_SECRET";
const HEADER: &str = "MESSAGING_WEBHOOK_HEADER";
const SIGNATURE_SECRET: &str = "MESSAGING_WEBHOOK_SIGNATURE_SECRET";
const SIGNATURE_HEADER: &str = "MESSAGING_WEBHOOK_SIGNATURE_HEADER";
const SIGNATURE_PREFIX: &str = "MESSAGING_WEBHOOK_SIGNATURE_PREFIX";
const SIGNED: &str = "MESSAGING_WEBHOOK_SIGNED";
const TIMESTAMP_HEADER: &str = "MESSAGING_WEBHOOK_TIMESTAMP_HEADER";
/// Whether deliveries without proof are taken where no way of proof is set.
pub const ALLOW_UNVERIFIED: &str = "MESSAGING_WEBHOOK_ALLOW_UNVERIFIED";
const MAX_BODY_BYTES: &str = "MESSAGING_WEBHOOK_MAX_BODY_BYTES";
const DEADLINE_MS: &str = "MESSAGING_WEBHOOK_DEADLINE_MS";

/// Every name that the webhook reads, in the order in which it takes them apart.
const NAMES: [&str; 11] = [
    PATH_SECRET,
    HEADER_SECRET,
    HEADER,
    SIGNATURE_SECRET,
    SIGNATURE_HEADER,
    SIGNATURE_PREFIX,
    SIGNED,
    TIMESTAMP_HEADER,
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
/// Many proxies log the path, and with it this secret: short enough for a URL, long enough not
/// to be guessed.
const MAX_PATH_SECRET_BYTES: usize = 256;

/// Headers that a delivery has for something else, or that do not come further than to the
/// next machine: none of them can prove an origin.
const TAKEN_HEADERS: [&str; 16] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "expect",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-idempotency-key",
];

/// Reason why the name of a header is refused where there is no secret for it.
const WITHOUT_SECRET: &str = "has no effect without MESSAGING_WEBHOOK_HEADER_SECRET";

/// The same for the settings of a signature.
const WITHOUT_KEY: &str = "has no effect without MESSAGING_WEBHOOK_SIGNATURE_SECRET";

/// Reason why a value is refused that kept the quotation marks of an env file: no right delivery
/// would be taken with it, and none would say why.
const QUOTED: &str = "stands in quotation marks; write the value without them";

/// Settings of the webhook, beside the request.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Required proofs of a delivery's origin.
    pub proofs: Proofs,
    /// Whether deliveries are taken although no way of proof is set.
    pub allow_unverified: bool,
    /// The largest body that is read.
    pub max_body_bytes: usize,
    /// Time in milliseconds for a body to arrive.
    pub deadline_ms: u32,
}

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSettings {
    /// Name of the environment variable.
    pub setting: String,
    /// The problem, without the setting's value.
    pub detail: &'static str,
}

/// Every setting of the webhook and of the inboxes of this package.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(OF_INBOXES)
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
            signed,
            timestamp,
            unverified,
            body,
            deadline,
        ] = values;

        let path = path.map(path_secret).transpose()?;
        let header = secret_header(header_secret, header)?;
        let signature = signature(key, signature_header, prefix, signed, timestamp)?;
        let proofs = Proofs { path, header, signature };
        are_different(&proofs)?;
        Ok(Self {
            proofs,
            allow_unverified: match unverified.as_deref() {
                None | Some("false") => false,
                Some("true") => true,
                Some(_) => return Err(invalid(ALLOW_UNVERIFIED, "is neither true nor false")),
            },
            max_body_bytes: number(body, 1..=MAX_BODY, MAX_BODY).ok_or_else(|| {
                invalid(MAX_BODY_BYTES, "is not a whole number from 1 to 262144, of bytes")
            })?,
            deadline_ms: number(deadline, 1..=600_000, DEFAULT_DEADLINE_MS).ok_or_else(|| {
                invalid(DEADLINE_MS, "is not a whole number from 1 to 600000, of milliseconds")
            })?,
        })
    }

    /// Whether there is a way in at all.
    #[must_use]
    pub fn let_somebody_in(&self) -> bool {
        self.proofs.are_set() || self.allow_unverified
    }
}

fn invalid(setting: &str, detail: &'static str) -> InvalidSettings {
    InvalidSettings { setting: setting.to_string(), detail }
}

fn secret(setting: &str, value: String) -> Result<Secret, InvalidSettings> {
    // Pasted with its line break, a secret is one that nobody sends: better refused here
    // than every right delivery there.
    if value.bytes().any(|byte| byte.is_ascii_control()) {
        let detail = "contains a line break or another control character; leave it out";
        return Err(invalid(setting, detail));
    }
    if value.starts_with(' ') || value.ends_with(' ') {
        return Err(invalid(setting, "begins or ends with a space; leave it out"));
    }
    if ['"', '\''].iter().any(|mark| value.starts_with(*mark) && value.ends_with(*mark)) {
        return Err(invalid(setting, QUOTED));
    }
    Secret::new(value.into_bytes()).ok_or_else(|| invalid(setting, "is not 16 to 4096 bytes long"))
}

fn secret_header(
    value: Option<String>,
    name: Option<String>,
) -> Result<Option<(String, Secret)>, InvalidSettings> {
    let Some(value) = value else {
        return name.map_or(Ok(None), |_| Err(invalid(HEADER, WITHOUT_SECRET)));
    };
    let name = header_name(HEADER, name, "x-webhook-secret")?;
    Ok(Some((name, secret(HEADER_SECRET, value)?)))
}

fn signature(
    key: Option<String>,
    header: Option<String>,
    prefix: Option<String>,
    signed: Option<String>,
    timestamp: Option<String>,
) -> Result<Option<Signature>, InvalidSettings> {
    let Some(key) = key else {
        let useless = [
            (SIGNATURE_HEADER, header),
            (SIGNATURE_PREFIX, prefix),
            (SIGNED, signed),
            (TIMESTAMP_HEADER, timestamp),
        ];
        let set = useless.into_iter().find(|(_, value)| value.is_some());
        return set.map_or(Ok(None), |(name, _)| Err(invalid(name, WITHOUT_KEY)));
    };
    Ok(Some(Signature {
        header: header_name(SIGNATURE_HEADER, header, "x-signature")?,
        prefix: signature_prefix(prefix)?,
        secret: secret(SIGNATURE_SECRET, key)?,
        signed: signed_parts(signed, timestamp)?,
    }))
}

fn signature_prefix(value: Option<String>) -> Result<String, InvalidSettings> {
    let value = value.unwrap_or_default();
    if value.starts_with(' ') || value.bytes().any(|byte| byte.is_ascii_control()) {
        let detail = "begins with a space or contains a control character: no header's value has it; leave it out";
        return Err(invalid(SIGNATURE_PREFIX, detail));
    }
    if value.starts_with(['"', '\'']) {
        return Err(invalid(SIGNATURE_PREFIX, QUOTED));
    }
    Ok(value)
}

fn signed_parts(
    signed: Option<String>,
    timestamp: Option<String>,
) -> Result<Signed, InvalidSettings> {
    let timestamp_is_set = timestamp.is_some();
    let timestamp = header_name(TIMESTAMP_HEADER, timestamp, "x-timestamp")?;
    match signed.as_deref() {
        None | Some("body") if timestamp_is_set => Err(invalid(
            TIMESTAMP_HEADER,
            "has no effect where the body alone is signed, as MESSAGING_WEBHOOK_SIGNED says",
        )),
        None | Some("body") => Ok(Signed::Body),
        Some("timestamp.body") => Ok(Signed::TimestampBody { timestamp }),
        Some("key.timestamp.body") => Ok(Signed::KeyTimestampBody { timestamp }),
        Some(_) => Err(invalid(SIGNED, "is none of body, timestamp.body and key.timestamp.body")),
    }
}

fn path_secret(value: String) -> Result<Secret, InvalidSettings> {
    // RFC 3986 section 2.3: what stands in a path as it is, everywhere.
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !value.bytes().all(unreserved) {
        return Err(invalid(
            PATH_SECRET,
            "contains more than letters, digits, `-`, `.`, `_` and `~`",
        ));
    }
    let wrong_length = || invalid(PATH_SECRET, "is not 16 to 256 characters long");
    if value.len() > MAX_PATH_SECRET_BYTES {
        return Err(wrong_length());
    }
    Secret::new(value.into_bytes()).ok_or_else(wrong_length)
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
        return Err(invalid(
            setting,
            "is not the name of a header: 1 to 256 letters, digits and any of !#$%&'*+-.^_`|~",
        ));
    }
    if TAKEN_HEADERS.contains(&name.as_str()) {
        let detail = "is a header that deliveries have for something else, or that proxies take away; name another";
        return Err(invalid(setting, detail));
    }
    Ok(name)
}

/// Refuses one header for two things: no delivery could hold both in it.
fn are_different(proofs: &Proofs) -> Result<(), InvalidSettings> {
    let header = proofs.header.as_ref().map(|(name, _)| name);
    let signature = proofs.signature.as_ref();
    let timestamp = signature.and_then(|signature| match &signature.signed {
        Signed::Body => None,
        Signed::TimestampBody { timestamp } | Signed::KeyTimestampBody { timestamp } => {
            Some(timestamp)
        }
    });
    let signature = signature.map(|signature| &signature.header);
    let same = "names the same header as another setting; name another";
    if timestamp.is_some() && (timestamp == signature || timestamp == header) {
        return Err(invalid(TIMESTAMP_HEADER, same));
    }
    if signature.is_some() && signature == header {
        return Err(invalid(SIGNATURE_HEADER, same));
    }
    Ok(())
}

/// The number, or the default; none where it is not within its bounds.
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
            (HEADER_SECRET, [long("#", 16), long("a", 4_096)]),
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
    fn a_secret_that_no_sender_can_send_is_refused() {
        for (name, value, why) in [
            (HEADER_SECRET, format!("{SECRET}\n"), "line break"),
            (HEADER_SECRET, format!("{SECRET}\r\n"), "line break"),
            (HEADER_SECRET, format!("{SECRET}\u{7f}{SECRET}"), "control"),
            (HEADER_SECRET, format!(" {SECRET}"), "space"),
            (HEADER_SECRET, format!("{SECRET} "), "space"),
            (HEADER_SECRET, format!("{SECRET}\t"), "control"),
            (SIGNATURE_SECRET, format!("{SECRET}\n"), "line break"),
            (SIGNATURE_SECRET, format!("{SECRET}\0"), "control"),
            (SIGNATURE_SECRET, format!("{SECRET} "), "space"),
            (HEADER_SECRET, format!("\"{SECRET}\""), "quotation"),
            (SIGNATURE_SECRET, format!("'{SECRET}'"), "quotation"),
        ] {
            let error = read(&[(name, &value)]).unwrap_err();
            assert_eq!(error.setting, name, "{value:?}");
            assert!(error.detail.contains(why), "{value:?}: {}", error.detail);
        }
        // Within a secret they are as good as other characters.
        assert!(read(&[(HEADER_SECRET, &format!("\"{SECRET}"))]).is_ok());
        for prefix in ["sha256=\n", " sha256=", "\"sha256=\""] {
            let error = read(&[(SIGNATURE_SECRET, SECRET), (SIGNATURE_PREFIX, prefix)]);
            assert_eq!(error.unwrap_err().setting, SIGNATURE_PREFIX);
        }
    }

    #[test]
    fn a_header_that_no_right_delivery_can_carry_is_refused() {
        let secrets = [(HEADER_SECRET, SECRET), (SIGNATURE_SECRET, SECRET)];
        let with = |more: &[(&str, &str)]| read(&[&secrets[..], more].concat());
        let dated = (SIGNED, "timestamp.body");
        for name in TAKEN_HEADERS {
            let name = name.to_ascii_uppercase();
            assert_eq!(with(&[(HEADER, &name)]).unwrap_err().setting, HEADER);
            assert_eq!(with(&[(SIGNATURE_HEADER, &name)]).unwrap_err().setting, SIGNATURE_HEADER);
            let error = with(&[dated, (TIMESTAMP_HEADER, &name)]).unwrap_err();
            assert_eq!(error.setting, TIMESTAMP_HEADER);
        }
        for (more, refused) in [
            (&[(SIGNATURE_HEADER, "X-Webhook-Secret")][..], SIGNATURE_HEADER),
            (&[(HEADER, "x-signature")], SIGNATURE_HEADER),
            (&[dated, (TIMESTAMP_HEADER, "X-Signature")], TIMESTAMP_HEADER),
            (&[dated, (TIMESTAMP_HEADER, "x-webhook-secret")], TIMESTAMP_HEADER),
            (&[dated, (HEADER, "X-Timestamp")], TIMESTAMP_HEADER),
        ] {
            let error = with(more).unwrap_err();
            assert_eq!(error.setting, refused, "{more:?}");
            assert!(error.detail.contains("same header"), "{}", error.detail);
        }
        assert!(with(&[(HEADER, "Authorization"), dated, (TIMESTAMP_HEADER, "x-at")]).is_ok());
    }

    #[test]
    fn the_signed_bytes_are_a_setting() {
        let signed = |more: &[(&str, &str)]| {
            let settings = read(&[&[(SIGNATURE_SECRET, SECRET)], more].concat())?;
            Ok::<_, InvalidSettings>(settings.proofs.signature.unwrap().signed)
        };
        let timestamp = || "x-timestamp".to_string();
        assert_eq!(signed(&[]), Ok(Signed::Body));
        assert_eq!(signed(&[(SIGNED, "body")]), Ok(Signed::Body));
        let with_time = signed(&[(SIGNED, "timestamp.body")]);
        assert_eq!(with_time, Ok(Signed::TimestampBody { timestamp: timestamp() }));
        let with_key = signed(&[(SIGNED, "key.timestamp.body"), (TIMESTAMP_HEADER, "X-At")]);
        assert_eq!(with_key, Ok(Signed::KeyTimestampBody { timestamp: "x-at".to_string() }));
        let error = signed(&[(SIGNED, "Body")]).unwrap_err();
        assert!(error.detail.contains("key.timestamp.body"), "{}", error.detail);
        for useless in
            [&[(TIMESTAMP_HEADER, "x-at")][..], &[(SIGNED, "body"), (TIMESTAMP_HEADER, "x-at")]]
        {
            assert_eq!(signed(useless).unwrap_err().setting, TIMESTAMP_HEADER);
        }
        assert_eq!(read(&[(SIGNED, "body")]).unwrap_err().setting, SIGNED);
    }

    #[test]
    fn an_error_says_what_would_be_right() {
        for (name, value, right) in [
            (MAX_BODY_BYTES, "0", "from 1 to 262144"),
            (DEADLINE_MS, "x", "from 1 to 600000"),
            (PATH_SECRET, "short", "16 to 256"),
        ] {
            let error = read(&[(name, value)]).unwrap_err();
            assert!(error.detail.contains(right), "{name}: {}", error.detail);
        }
        assert!(names().all(|name| name.starts_with(PREFIX)));
        assert!(names().any(|name| name == "MESSAGING_WEBHOOK_BUCKET"));
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
            (SIGNED, "body"),
            (TIMESTAMP_HEADER, "x-at"),
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
        assert_eq!(read(&[(PATH_SECRET, SECRET); 2]).unwrap_err().detail, "is given twice");
    }
}
