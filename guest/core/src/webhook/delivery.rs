//! Processing of a delivery, without I/O: admission of the request, selection of headers and body,
//! and the response to an invalid event.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::webhook::settings::Settings;
use crate::webhook::signature::KEY_HEADER;
use crate::webhook::{Answer, inbox};

/// Maximum length of a `Content-Encoding` in a response. Registered names have at most 12 bytes.
const MAX_ENCODING_BYTES: usize = 32;

/// Header with the type of the body.
const CONTENT_TYPE: &str = "content-type";

/// A delivery with verified origin, for `messaging.handle-event`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Names and values of the headers of a delivery (section 6.1). The idempotency key has the
    /// name `x-idempotency-key`, even if the event source uses another header.
    pub headers: Vec<(&'static str, String)>,
    /// The body of the request.
    pub body: String,
}

impl Settings {
    /// Checks a request before its body is read. `header` returns all values of a header.
    ///
    /// # Errors
    /// Returns the response if the method is not POST, the origin is not proven, the body is encoded,
    /// or the declared length is above the limit.
    pub fn admit<H>(&self, is_post: bool, path_with_query: &str, header: H) -> Result<(), Answer>
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
    {
        if !is_post {
            return Err(Answer::NotPost);
        }
        if !self.can_admit() || !self.proofs.hold_for_head(path_with_query, &header) {
            return Err(Answer::Unverified);
        }
        if let Some(encoding) = encoding(&header("content-encoding")) {
            return Err(Answer::Encoded(encoding));
        }
        // Rejects a body by its declared length, without reading it.
        let length = |value: &Vec<u8>| core::str::from_utf8(value).ok()?.parse::<u64>().ok();
        let cap = u64::try_from(self.max_body_bytes).unwrap_or(u64::MAX);
        if header("content-length").iter().filter_map(length).any(|length| length > cap) {
            return Err(Answer::TooLarge);
        }
        Ok(())
    }

    /// Extracts the delivery from an admitted request. `now` returns the seconds since 1970.
    ///
    /// # Errors
    /// Returns [`Answer::Unverified`] if the required signature is missing or invalid. Returns
    /// [`Answer::Malformed`] if the body is not UTF-8.
    pub fn accept<H, C>(&self, body: Vec<u8>, header: H, now: C) -> Result<Delivery, Answer>
    where
        H: Fn(&str) -> Vec<Vec<u8>>,
        C: Fn() -> u64,
    {
        if !self.proofs.hold_for_body(&body, &header, now) {
            return Err(Answer::Unverified);
        }
        let Ok(body) = String::from_utf8(body) else {
            return Err(malformed("body", "is not UTF-8"));
        };
        let mut headers = Vec::new();
        for (name, received) in
            [(CONTENT_TYPE, CONTENT_TYPE), (KEY_HEADER, self.proofs.key_header())]
        {
            for value in header(received) {
                headers.push((name, String::from_utf8_lossy(&value).into_owned()));
            }
        }
        Ok(Delivery { headers, body })
    }

    /// Converts a `permanent-invalid-input` error to the response to the delivery.
    pub fn refuse(&self, field: &str, detail: &str) -> Answer {
        match field {
            CONTENT_TYPE => Answer::NotJson,
            KEY_HEADER => malformed(self.proofs.key_header(), detail),
            _ => malformed(field, detail),
        }
    }
}

/// Returns the first `Content-Encoding` other than `identity` (RFC 9110 section 8.4).
fn encoding(values: &[Vec<u8>]) -> Option<String> {
    let encoding = values
        .iter()
        .map(|value| value.trim_ascii())
        .find(|encoding| !encoding.is_empty() && !encoding.eq_ignore_ascii_case(b"identity"))?;
    // An unauthenticated peer can choose the name, so the response contains only a short, printable
    // part of it.
    let printable = |byte: &u8| if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '?' };
    Some(encoding.iter().take(MAX_ENCODING_BYTES).map(printable).collect())
}

/// Returns the response to an incomplete body.
pub fn broken_off() -> Answer {
    malformed("body", "is incomplete")
}

fn malformed(field: &str, detail: &str) -> Answer {
    Answer::Malformed { field: field.to_string(), detail: detail.to_string() }
}

/// Maximum length of a log line in bytes, which is the maximum of one `wasi:io` write.
const MAX_LOG_BYTES: usize = 4096;

/// Returns a log line of the webhook, with its newline and at most 4,096 bytes. `message` must not
/// contain a body, a secret, or text from the event source except a valid key.
pub fn log_line(message: &str) -> String {
    let mut line = ["messaging-webhook: ", message].concat();
    line.truncate(line.floor_char_boundary(MAX_LOG_BYTES.saturating_sub(1)));
    line.push('\n');
    line
}

impl Answer {
    /// Returns the response for the result of an inbox, and a log line if an operator should know
    /// about the result.
    #[must_use]
    pub fn to(put: Result<inbox::Stored, inbox::PutError>, key: &str) -> (Self, Option<String>) {
        use inbox::{PutError, Stored};
        let line = match put {
            Ok(Stored::Stored | Stored::Duplicate) => return (Self::Kept, None),
            Ok(Stored::Conflict) => {
                let line =
                    alloc::format!("quarantined: another event was received under the key {key}");
                return (Self::Kept, Some(line));
            }
            Err(PutError::Rejected(detail)) => {
                let line = alloc::format!("the inbox will never store {key}: {detail}");
                return (Self::Rejected, Some(line));
            }
            Err(PutError::Failed) => "the inbox failed".into(),
            Err(PutError::NotSetUp(detail)) => alloc::format!("the inbox is not set up: {detail}"),
            Err(PutError::Unavailable(detail)) => {
                alloc::format!("the inbox is unavailable: {detail}")
            }
        };
        (Self::Unavailable, Some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhook::inbox::{PutError, Stored};
    use std::vec;

    fn settings(variables: &[(&str, &str)]) -> Settings {
        let own = |(name, value): &(&str, &str)| {
            (std::format!("MESSAGING_WEBHOOK_{name}"), value.to_string())
        };
        Settings::from_variables(variables.iter().map(own)).unwrap()
    }

    fn headers(all: &[(&str, &str)]) -> impl Fn(&str) -> Vec<Vec<u8>> {
        let all: Vec<_> = all.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        move |name| {
            all.iter().filter(|(own, _)| own == name).map(|(_, v)| v.clone().into()).collect()
        }
    }

    #[test]
    fn error_answers_hide_limits_and_secrets() {
        let settings = settings(&[("HEADER_SECRET", "0123456789abcdef"), ("MAX_BODY_BYTES", "10")]);
        let long = ("content-length", "11");
        let proof = ("x-webhook-secret", "0123456789abcdef");
        let admit = |is_post, all: &[_]| settings.admit(is_post, "/", headers(all));
        assert_eq!(admit(false, &[proof]), Err(Answer::NotPost));
        assert_eq!(admit(true, &[long]), Err(Answer::Unverified));
        assert_eq!(admit(true, &[long, proof]), Err(Answer::TooLarge));
        for fits in ["10", "many", ""] {
            assert_eq!(admit(true, &[("content-length", fits), proof]), Ok(()));
        }
    }

    #[test]
    fn encoded_body_is_answered_415() {
        let settings = settings(&[("HEADER_SECRET", "0123456789abcdef")]);
        let proof = ("x-webhook-secret", "0123456789abcdef");
        let admit = |all: &[&str], proved: bool| {
            let encodings = all.iter().map(|value| ("content-encoding", *value));
            let all: Vec<_> = encodings.chain(proved.then_some(proof)).collect();
            settings.admit(true, "/", headers(&all))
        };
        for (values, named) in [
            (&["gzip"][..], "gzip"),
            (&["GZIP"], "GZIP"),
            (&["identity, br"], "identity, br"),
            (&["identity", "zstd"], "zstd"),
            (&["gz\u{e9}\u{1}"], "gz???"),
            (&[&"x".repeat(500)], &"x".repeat(32)),
        ] {
            let answer = admit(values, true).unwrap_err();
            assert_eq!(answer, Answer::Encoded(named.into()), "{values:?}");
            assert_eq!(answer.status(), 415);
            assert!(answer.body().contains(named), "{}", answer.body());
        }
        assert_eq!(admit(&["gzip"], false), Err(Answer::Unverified));
        for plain in [&[][..], &[""], &["identity"], &["Identity", " identity "]] {
            assert_eq!(admit(plain, true), Ok(()), "{plain:?}");
        }
    }

    #[test]
    fn delivery_errors_name_header() {
        let open = settings(&[("ALLOW_UNVERIFIED", "true")]);
        let all = [("content-type", "application/json"), ("x-idempotency-key", "k"), ("host", "h")];
        let delivery = open.accept(b"{}".to_vec(), headers(&all), || 0).unwrap();
        let expected = all.iter().take(2).map(|(name, value)| (*name, value.to_string()));
        assert_eq!(delivery, Delivery { headers: expected.collect(), body: "{}".into() });
        let answer = open.accept(vec![0xff], headers(&all), || 0).unwrap_err();
        assert_eq!(answer, malformed("body", "is not UTF-8"));
        assert_eq!(open.refuse("content-type", "is missing"), Answer::NotJson);
        assert_eq!(open.refuse(KEY_HEADER, "d"), malformed(KEY_HEADER, "d"));
        assert_eq!(open.refuse("$.id", "d"), malformed("$.id", "d"));

        let standard = settings(&[
            ("SIGNATURE_SECRET", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"),
            ("SIGNED", "standard-webhooks"),
        ]);
        assert_eq!(standard.refuse(KEY_HEADER, "d"), malformed("webhook-id", "d"));
        assert_eq!(standard.accept(vec![], headers(&all), || 0), Err(Answer::Unverified));
    }

    #[test]
    fn log_line_is_cut_at_character() {
        assert_eq!(log_line("the inbox failed"), "messaging-webhook: the inbox failed\n");
        for more in 0..4 {
            let line = log_line(&["a".repeat(more), "€".repeat(4_000)].concat());
            assert!(line.ends_with("€\n"), "{more}");
            assert!((4_094..=4_096).contains(&line.len()), "{}", line.len());
        }
        assert_eq!(log_line(&"a".repeat(5_000)).len(), 4_096);
    }

    #[test]
    fn only_stored_event_is_answered_200() {
        let detail = || "because".to_string();
        for (put, status, logged) in [
            (Ok(Stored::Stored), 200, None),
            (Ok(Stored::Duplicate), 200, None),
            (Ok(Stored::Conflict), 200, Some("under the key evt-1")),
            (Err(PutError::Rejected(detail())), 422, Some("never store evt-1: because")),
            (Err(PutError::Failed), 503, Some("failed")),
            (Err(PutError::NotSetUp(detail())), 503, Some("not set up: because")),
            (Err(PutError::Unavailable(detail())), 503, Some("unavailable: because")),
        ] {
            let (answer, line) = Answer::to(put.clone(), "evt-1");
            assert_eq!(answer.status(), status, "{put:?}");
            assert_eq!(line.is_some(), logged.is_some(), "{put:?}");
            assert!(line.unwrap_or_default().contains(logged.unwrap_or_default()), "{put:?}");
        }
    }
}
