//! Signatures of every scheme. An independent implementation computes each expected signature as
//! text, which is compared with the signature header.

use messaging_core::webhook::Settings;
use messaging_core::webhook::signature::MAX_PARTS;

use super::input::Input;
use super::signature::{hex, hmac};

/// Time of all deliveries, in seconds since 1970.
pub const NOW: u64 = 1_700_000_000;

const SCHEMES: [&str; 5] =
    ["body", "timestamp.body", "key.timestamp.body", "timestamped", "standard-webhooks"];

/// Secrets. Only `standard-webhooks` decodes the text after `whsec_` from Base64.
const SECRETS: [&str; 2] =
    ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "whsec_AAECAwQFBgcICQoLDA0ODw=="];

/// Input: a byte that selects the scheme and its settings, header lines, and the body. In a header
/// value, `@1` and `@2` are replaced by the valid signature with the first and the second secret.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let how = input.byte();
    let mut headers = input.headers();
    let body = input.0;
    let signed = SCHEMES[usize::from(how & 7) % SCHEMES.len()];
    let chosen = [
        ("SIGNATURE_SECRET", Some(SECRETS[0])),
        ("SIGNED", Some(signed)),
        ("SIGNATURE_ENCODING", (how & 8 > 0 && signed != "standard-webhooks").then_some("base64")),
        ("SIGNATURE_SECRET_NEXT", (how & 16 > 0).then_some(SECRETS[1])),
        ("TIMESTAMP_TOLERANCE_SECONDS", (how & 32 > 0 && signed != "body").then_some("300")),
        ("SIGNATURE_PREFIX", (how & 64 > 0 && signed.ends_with("body")).then_some("v=")),
    ];
    let set = |wanted: &str| chosen.iter().find(|(name, _)| *name == wanted)?.1;
    let variables = chosen.iter().filter_map(|(name, value)| {
        Some((format!("MESSAGING_WEBHOOK_{name}"), (*value)?.to_string()))
    });
    let settings = Settings::from_variables(variables).expect("valid settings");
    let sender = SenderSettings::of(&set).expect("a secret");

    headers.iter_mut().for_each(|(name, _)| name.make_ascii_lowercase());
    let bytes = sender.bytes(&values_of(&headers), body).unwrap_or_default();
    for (_, value) in &mut headers {
        for (mark, secret) in [("@1", 0), ("@2", 1)] {
            let text = sender.secrets.get(secret).map(|secret| sender.text(secret, &bytes));
            *value = replaced(value, mark.as_bytes(), &text.unwrap_or_default());
        }
    }
    let header = values_of(&headers);
    let proofs = &settings.proofs;
    let holds = proofs.hold_for_body(body, &header, || NOW);
    assert_eq!(holds, sender.is_right(&header, body));
    assert_eq!(proofs.refusal("/", &header, body, || NOW).is_none(), holds);
    assert!(proofs.hold_for_head("/", &header), "the head needs no signature");
    // If the signature covers the key, a delivery with another key is rejected.
    if holds && proofs.bind_key() {
        let other = |name: &str| match name == proofs.key_header() {
            true => vec![b"another".to_vec()],
            false => header(name),
        };
        let same = header(proofs.key_header()) == [b"another".to_vec()];
        assert_eq!(proofs.hold_for_body(body, other, || NOW), same);
    }
}

fn replaced(value: &[u8], mark: &[u8], by: &[u8]) -> Vec<u8> {
    let mut rest = value;
    let mut all = Vec::new();
    while let Some(at) = rest.windows(mark.len()).position(|part| part == mark) {
        all.extend([&rest[..at], by].concat());
        rest = &rest[at + mark.len()..];
    }
    [&all, rest].concat()
}

/// Returns a function that returns all values of a header, by name.
pub fn values_of(headers: &[(String, Vec<u8>)]) -> impl Fn(&str) -> Vec<Vec<u8>> {
    |wanted| {
        headers.iter().filter(|(name, _)| name == wanted).map(|(_, value)| value.clone()).collect()
    }
}

/// Signature settings from the point of view of a sender.
pub struct SenderSettings {
    signed: String,
    header: String,
    timestamp: String,
    prefix: Vec<u8>,
    base64: bool,
    tolerance: Option<u64>,
    secrets: Vec<Vec<u8>>,
}

impl SenderSettings {
    /// Parses settings that the core has accepted; `None` if they have no signature secret.
    pub fn of<'a>(set: &impl Fn(&str) -> Option<&'a str>) -> Option<Self> {
        let signed = set("SIGNED").unwrap_or("body");
        let is_standard = signed == "standard-webhooks";
        let read = |secret: &str| match is_standard {
            true => from_base64(&secret["whsec_".len()..]),
            false => secret.as_bytes().to_vec(),
        };
        let first = set("SIGNATURE_SECRET")?;
        let named = |setting, standard: &str, default: &str| match is_standard {
            true => standard.to_string(),
            false => set(setting).unwrap_or(default).to_ascii_lowercase(),
        };
        Some(Self {
            signed: signed.to_string(),
            header: named("SIGNATURE_HEADER", "webhook-signature", "x-signature"),
            timestamp: named("TIMESTAMP_HEADER", "webhook-timestamp", "x-timestamp"),
            prefix: set("SIGNATURE_PREFIX").unwrap_or_default().into(),
            base64: is_standard || set("SIGNATURE_ENCODING") == Some("base64"),
            tolerance: match set("TIMESTAMP_TOLERANCE_SECONDS") {
                Some(text) => Some(text.parse().expect("seconds")).filter(|seconds| *seconds > 0),
                None => is_standard.then_some(300),
            },
            secrets: [Some(first), set("SIGNATURE_SECRET_NEXT")]
                .into_iter()
                .flatten()
                .map(read)
                .collect(),
        })
    }

    /// Returns the encoded signature of `bytes`.
    pub fn text(&self, secret: &[u8], bytes: &[u8]) -> Vec<u8> {
        let mac = hmac(secret, bytes);
        if self.base64 { to_base64(&mac).into() } else { hex(&mac).into() }
    }

    /// Returns the header value that a sender writes, signed with the first secret. For
    /// `timestamped`, returns only the part `v1=…`, without `t=`.
    pub fn value(&self, bytes: &[u8]) -> Vec<u8> {
        let text = self.secrets.first().map(|secret| self.text(secret, bytes)).unwrap_or_default();
        let before: &[u8] = match self.signed.as_str() {
            "timestamped" => b"v1=",
            "standard-webhooks" => b"v1,",
            _ => &self.prefix,
        };
        [before, &text].concat()
    }

    /// Returns the name and value of each part of the signature header.
    fn parts(&self, value: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
        let [between, within] = if self.signed == "timestamped" { *b",=" } else { *b" ," };
        let parts: Vec<_> = value.split(|byte| *byte == between).map(<[u8]>::trim_ascii).collect();
        let halves = |part: &&[u8]| {
            let at = part.iter().position(|byte| *byte == within)?;
            Some((part[..at].to_vec(), part[at + 1..].to_vec()))
        };
        if parts.len() > MAX_PARTS { vec![] } else { parts.iter().filter_map(halves).collect() }
    }

    /// Returns the signed timestamp; `None` unless exactly one valid timestamp is present.
    fn at(&self, header: &impl Fn(&str) -> Vec<Vec<u8>>) -> Option<Vec<u8>> {
        let values = match self.signed.as_str() {
            "timestamped" => {
                let [value]: [Vec<u8>; 1] = header(&self.header).try_into().ok()?;
                let parts = self.parts(&value).into_iter();
                parts.filter(|(name, _)| name == b"t").map(|(_, value)| value).collect()
            }
            _ => header(&self.timestamp),
        };
        let [at]: [Vec<u8>; 1] = values.try_into().ok()?;
        let right = (1..=20).contains(&at.len()) && at.iter().all(u8::is_ascii_digit);
        right.then_some(at)
    }

    /// Returns the bytes to sign; `None` unless each part is present exactly once.
    pub fn bytes(&self, header: &impl Fn(&str) -> Vec<Vec<u8>>, body: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let key = match self.signed.as_str() {
            "key.timestamp.body" => Some("x-idempotency-key"),
            "standard-webhooks" => Some("webhook-id"),
            _ => None,
        };
        if let Some(key) = key {
            let [key]: [Vec<u8>; 1] = header(key).try_into().ok()?;
            bytes.extend([key, b".".to_vec()].concat());
        }
        if self.signed != "body" {
            bytes.extend([self.at(header)?, b".".to_vec()].concat());
        }
        bytes.extend_from_slice(body);
        Some(bytes)
    }

    pub fn is_right(&self, header: &impl Fn(&str) -> Vec<Vec<u8>>, body: &[u8]) -> bool {
        let Some(bytes) = self.bytes(header, body) else { return false };
        let Ok([value]) = <[Vec<u8>; 1]>::try_from(header(&self.header)) else { return false };
        let given: Vec<Vec<u8>> = match self.signed.as_str() {
            "timestamped" | "standard-webhooks" => {
                let parts = self.parts(&value).into_iter();
                parts.filter(|(name, _)| name == b"v1").map(|(_, value)| value).collect()
            }
            _ => {
                value.strip_prefix(self.prefix.as_slice()).map(<[u8]>::to_vec).into_iter().collect()
            }
        };
        let same = |given: &Vec<u8>, right: &Vec<u8>| match self.base64 {
            true => given == right,
            false => given.eq_ignore_ascii_case(right),
        };
        let rights: Vec<_> = self.secrets.iter().map(|secret| self.text(secret, &bytes)).collect();
        let signed = given.iter().any(|given| rights.iter().any(|right| same(given, right)));
        let timely = self.tolerance.is_none_or(|tolerance| {
            let at = self.at(header).unwrap_or_default();
            let at = String::from_utf8_lossy(&at).parse::<u128>().unwrap_or(u128::MAX);
            at.abs_diff(NOW.into()) <= tolerance.into()
        });
        signed && timely
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes Base64 (RFC 4648, section 4).
fn to_base64(bytes: &[u8]) -> String {
    let group = |bytes: &[u8]| -> String {
        let mut three = [0; 3];
        three[..bytes.len()].copy_from_slice(bytes);
        let [a, b, c] = three.map(u32::from);
        let bits = a << 16 | b << 8 | c;
        let sign = |index: usize| match index > bytes.len() {
            true => '=',
            false => char::from(ALPHABET[(bits >> (18 - 6 * index) & 63) as usize]),
        };
        (0..4).map(sign).collect()
    };
    bytes.chunks(3).map(group).collect()
}

/// Decodes valid Base64.
fn from_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for sign in text.bytes().filter(|sign| *sign != b'=') {
        let value = ALPHABET.iter().position(|known| *known == sign).expect("Base64");
        bits = (bits << 6 | value as u32) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
