//! Settings of the proofs of origin. Each proof has one or two secrets, and other settings that
//! require a secret.

use alloc::string::{String, ToString};

use super::{InvalidSettings, Values, invalid, number};
use crate::webhook::origin::Proofs;
use crate::webhook::secret::{Secret, Secrets};
use crate::webhook::signature::{
    Encoding, STANDARD_ID, STANDARD_SIGNATURE, STANDARD_TIMESTAMP, Scheme, Signature, Signed,
    Timestamp, standard_secret,
};

pub(super) const PATH_SECRET: &str = "MESSAGING_WEBHOOK_PATH_SECRET";
pub(super) const PATH_SECRET_NEXT: &str = "MESSAGING_WEBHOOK_PATH_SECRET_NEXT";
pub(super) const HEADER_SECRET: &str = "MESSAGING_WEBHOOK_HEADER_SECRET";
pub(super) const HEADER_SECRET_NEXT: &str = "MESSAGING_WEBHOOK_HEADER_SECRET_NEXT";
pub(super) const HEADER: &str = "MESSAGING_WEBHOOK_HEADER";
pub(super) const SIGNATURE_SECRET: &str = "MESSAGING_WEBHOOK_SIGNATURE_SECRET";
pub(super) const SIGNATURE_SECRET_NEXT: &str = "MESSAGING_WEBHOOK_SIGNATURE_SECRET_NEXT";
pub(super) const SIGNATURE_HEADER: &str = "MESSAGING_WEBHOOK_SIGNATURE_HEADER";
pub(super) const SIGNATURE_PREFIX: &str = "MESSAGING_WEBHOOK_SIGNATURE_PREFIX";
pub(super) const SIGNATURE_ENCODING: &str = "MESSAGING_WEBHOOK_SIGNATURE_ENCODING";
pub(super) const SIGNED: &str = "MESSAGING_WEBHOOK_SIGNED";
pub(super) const TIMESTAMP_HEADER: &str = "MESSAGING_WEBHOOK_TIMESTAMP_HEADER";
pub(super) const TIMESTAMP_TOLERANCE: &str = "MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS";

/// Maximum length of a secret in the path, because the secret must fit in a URL.
const MAX_PATH_SECRET_BYTES: usize = 256;

/// Maximum tolerance for timestamps: 7 days. Event sources redeliver and inboxes retain keys for
/// about this time.
const MAX_TOLERANCE_SECONDS: u32 = 7 * 24 * 60 * 60;

/// Default tolerance of `standard-webhooks`, as in its reference libraries.
const STANDARD_TOLERANCE_SECONDS: u32 = 5 * 60;

/// Headers that cannot contain a proof of origin. Each header has another purpose in a delivery, or
/// is valid for only one connection.
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

/// Reasons for rejecting a setting whose secret is not set.
const WITHOUT_PATH_SECRET: &str =
    "has no effect without MESSAGING_WEBHOOK_PATH_SECRET; set both or remove it";
const WITHOUT_HEADER_SECRET: &str =
    "has no effect without MESSAGING_WEBHOOK_HEADER_SECRET; set both or remove it";
const WITHOUT_KEY: &str =
    "has no effect without MESSAGING_WEBHOOK_SIGNATURE_SECRET; set both or remove it";

/// Reasons for rejecting a setting that has no effect with the value of `MESSAGING_WEBHOOK_SIGNED`.
const OF_BODY: &str = "has no effect if only the body is signed (MESSAGING_WEBHOOK_SIGNED); remove it, or sign timestamp.body";
const OF_TIMESTAMPED: &str = "has no effect with MESSAGING_WEBHOOK_SIGNED=timestamped, whose header has the form t=…,v1=…; remove it";
const OF_STANDARD: &str = "has no effect with MESSAGING_WEBHOOK_SIGNED=standard-webhooks, which defines headers and encoding; remove it";

/// Reason for rejecting a value in the quotation marks of an env file. The marks would be part of
/// the secret, and every valid delivery would be rejected without an explanation.
const QUOTED: &str = "is in quotation marks; write the value without them";

/// Reason for rejecting a signing key that is also the secret of another proof.
const SHOWN: &str =
    "is also a path or header secret, which each delivery contains; set another secret";

pub(super) fn read(values: &mut Values) -> Result<Proofs, InvalidSettings> {
    for key in [SIGNATURE_SECRET, SIGNATURE_SECRET_NEXT] {
        let shown = [PATH_SECRET, PATH_SECRET_NEXT, HEADER_SECRET, HEADER_SECRET_NEXT];
        let key_value = values.get(key).filter(|value| !value.is_empty());
        if key_value.is_some() && shown.iter().any(|name| values.get(name) == key_value) {
            return Err(invalid(key, SHOWN));
        }
    }
    let path = secrets(values, [PATH_SECRET, PATH_SECRET_NEXT], path_secret)?;
    if path.is_none() {
        values.refuse(&[PATH_SECRET_NEXT], WITHOUT_PATH_SECRET)?;
    }
    let header = match secrets(values, [HEADER_SECRET, HEADER_SECRET_NEXT], secret)? {
        None => {
            values.refuse(&[HEADER, HEADER_SECRET_NEXT], WITHOUT_HEADER_SECRET)?;
            None
        }
        Some(secrets) => Some((header_name(values, HEADER, "x-webhook-secret")?, secrets)),
    };
    let proofs = Proofs { path, header, signature: signature(values)? };
    are_different(&proofs)?;
    Ok(proofs)
}

/// Returns the secrets of the settings `name` and `next_name`; `None` if `name` is not set.
fn secrets<F, S>(
    values: &mut Values,
    [name, next_name]: [&str; 2],
    read: F,
) -> Result<Option<Secrets<S>>, InvalidSettings>
where
    S: From<Secret>,
    F: Fn(&str, String) -> Result<Secret, InvalidSettings>,
{
    let Some(current) = values.take(name) else { return Ok(None) };
    let current = read(name, current)?;
    let Some(next) = values.take(next_name) else { return Ok(Some(current.into())) };
    let two = Secrets::two(current, read(next_name, next)?);
    let same = "equals the current secret; set another value or remove it";
    two.map(Some).ok_or_else(|| invalid(next_name, same))
}

fn secret(setting: &str, value: String) -> Result<Secret, InvalidSettings> {
    // A pasted line break would be part of the secret, and every valid delivery would be rejected.
    if value.bytes().any(|byte| byte.is_ascii_control()) {
        let detail = "contains a line break or another control character; remove it";
        return Err(invalid(setting, detail));
    }
    if value.starts_with(' ') || value.ends_with(' ') {
        return Err(invalid(setting, "begins or ends with a space; remove the space"));
    }
    if ['"', '\''].iter().any(|mark| value.starts_with(*mark) && value.ends_with(*mark)) {
        return Err(invalid(setting, QUOTED));
    }
    Secret::new(value.into_bytes()).ok_or_else(|| invalid(setting, "is not 16 to 4096 bytes long"))
}

fn whsec(setting: &str, value: String) -> Result<Secret, InvalidSettings> {
    let detail = "is not a secret of standard-webhooks: whsec_, then 16 to 4096 bytes in Base64";
    standard_secret(&value).and_then(Secret::new).ok_or_else(|| invalid(setting, detail))
}

fn path_secret(setting: &str, value: String) -> Result<Secret, InvalidSettings> {
    // RFC 3986 section 2.3: unreserved characters, which a path contains unencoded.
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !value.bytes().all(unreserved) {
        return Err(invalid(setting, "contains more than letters, digits, `-`, `.`, `_` and `~`"));
    }
    let wrong_length = || invalid(setting, "is not 16 to 256 characters long");
    if value.len() > MAX_PATH_SECRET_BYTES {
        return Err(wrong_length());
    }
    Secret::new(value.into_bytes()).ok_or_else(wrong_length)
}

fn signature(values: &mut Values) -> Result<Option<Signature>, InvalidSettings> {
    let signed = values.take(SIGNED);
    let read = if signed.as_deref() == Some("standard-webhooks") { whsec } else { secret };
    let Some(secrets) = secrets(values, [SIGNATURE_SECRET, SIGNATURE_SECRET_NEXT], read)? else {
        if signed.is_some() {
            return Err(invalid(SIGNED, WITHOUT_KEY));
        }
        let all = [
            SIGNATURE_SECRET_NEXT,
            SIGNATURE_HEADER,
            SIGNATURE_PREFIX,
            SIGNATURE_ENCODING,
            TIMESTAMP_HEADER,
            TIMESTAMP_TOLERANCE,
        ];
        return values.refuse(&all, WITHOUT_KEY).map(|()| None);
    };
    let scheme = match signed.as_deref().unwrap_or("body") {
        "body" => {
            values.refuse(&[TIMESTAMP_HEADER, TIMESTAMP_TOLERANCE], OF_BODY)?;
            in_header(values, Signed::Body)?
        }
        "timestamp.body" => {
            let timestamp = timestamp(values)?;
            in_header(values, Signed::TimestampBody(timestamp))?
        }
        "key.timestamp.body" => {
            let timestamp = timestamp(values)?;
            in_header(values, Signed::KeyTimestampBody(timestamp))?
        }
        "timestamped" => {
            values.refuse(&[SIGNATURE_PREFIX, TIMESTAMP_HEADER], OF_TIMESTAMPED)?;
            Scheme::Timestamped {
                header: header_name(values, SIGNATURE_HEADER, "x-signature")?,
                encoding: encoding(values)?,
                tolerance: tolerance(values, None)?,
            }
        }
        "standard-webhooks" => {
            let fixed = [SIGNATURE_HEADER, SIGNATURE_PREFIX, SIGNATURE_ENCODING, TIMESTAMP_HEADER];
            values.refuse(&fixed, OF_STANDARD)?;
            Scheme::StandardWebhooks {
                tolerance: tolerance(values, Some(STANDARD_TOLERANCE_SECONDS))?,
            }
        }
        _ => {
            return Err(invalid(
                SIGNED,
                "is not body, timestamp.body, key.timestamp.body, timestamped or standard-webhooks",
            ));
        }
    };
    Ok(Some(Signature { secrets, scheme }))
}

/// Reads the settings of a scheme with one signature in a header.
fn in_header(values: &mut Values, signed: Signed) -> Result<Scheme, InvalidSettings> {
    Ok(Scheme::Header {
        header: header_name(values, SIGNATURE_HEADER, "x-signature")?,
        prefix: prefix(values)?,
        encoding: encoding(values)?,
        signed,
    })
}

fn prefix(values: &mut Values) -> Result<String, InvalidSettings> {
    let value = values.take(SIGNATURE_PREFIX).unwrap_or_default();
    if value.starts_with(' ') || value.bytes().any(|byte| byte.is_ascii_control()) {
        let detail = "begins with a space or contains a control character; remove it";
        return Err(invalid(SIGNATURE_PREFIX, detail));
    }
    if value.starts_with(['"', '\'']) {
        return Err(invalid(SIGNATURE_PREFIX, QUOTED));
    }
    Ok(value)
}

fn encoding(values: &mut Values) -> Result<Encoding, InvalidSettings> {
    match values.take(SIGNATURE_ENCODING).as_deref() {
        None | Some("hex") => Ok(Encoding::Hex),
        Some("base64") => Ok(Encoding::Base64),
        Some(_) => Err(invalid(SIGNATURE_ENCODING, "is neither hex nor base64")),
    }
}

fn timestamp(values: &mut Values) -> Result<Timestamp, InvalidSettings> {
    let header = header_name(values, TIMESTAMP_HEADER, "x-timestamp")?;
    Ok(Timestamp { header, tolerance: tolerance(values, None)? })
}

/// Returns the tolerance in seconds; `None` if timestamps are not compared with the clock.
fn tolerance(values: &mut Values, default: Option<u32>) -> Result<Option<u32>, InvalidSettings> {
    let Some(value) = values.take(TIMESTAMP_TOLERANCE) else { return Ok(default) };
    let detail = "is not a whole number of seconds from 0 to 604800";
    match number(Some(value), 0..=MAX_TOLERANCE_SECONDS, 0) {
        Some(0) => Ok(None),
        Some(seconds) => Ok(Some(seconds)),
        None => Err(invalid(TIMESTAMP_TOLERANCE, detail)),
    }
}

fn header_name(
    values: &mut Values,
    setting: &str,
    default: &str,
) -> Result<String, InvalidSettings> {
    let name = values.take(setting).unwrap_or_else(|| default.to_string()).to_ascii_lowercase();
    // RFC 9110 section 5.6.2: a token.
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || name.len() > 256 || !name.bytes().all(token) {
        return Err(invalid(
            setting,
            "is not the name of a header: 1 to 256 letters, digits and any of !#$%&'*+-.^_`|~",
        ));
    }
    if TAKEN_HEADERS.contains(&name.as_str()) {
        let detail =
            "has another purpose in deliveries, or is removed by proxies; use another header";
        return Err(invalid(setting, detail));
    }
    Ok(name)
}

/// Rejects a header name that two settings share, because the header cannot contain both values.
fn are_different(proofs: &Proofs) -> Result<(), InvalidSettings> {
    let same = |setting| {
        Err(invalid(setting, "is the header of another setting, too; use another header"))
    };
    let secret = proofs.header.as_ref().map(|(name, _)| name.as_str());
    let Some(Signature { scheme, .. }) = &proofs.signature else { return Ok(()) };
    let timestamp = match scheme {
        Scheme::StandardWebhooks { .. } => {
            let fixed = [STANDARD_ID, STANDARD_TIMESTAMP, STANDARD_SIGNATURE];
            return match secret {
                Some(name) if fixed.contains(&name) => same(HEADER),
                _ => Ok(()),
            };
        }
        Scheme::Timestamped { .. } | Scheme::Header { signed: Signed::Body, .. } => None,
        Scheme::Header {
            signed: Signed::TimestampBody(timestamp) | Signed::KeyTimestampBody(timestamp),
            ..
        } => Some(timestamp.header.as_str()),
    };
    let signature = Some(scheme.header());
    if timestamp.is_some() && (timestamp == signature || timestamp == secret) {
        return same(TIMESTAMP_HEADER);
    }
    if signature == secret {
        return same(SIGNATURE_HEADER);
    }
    Ok(())
}
