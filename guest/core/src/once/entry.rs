//! The value that a journal stores for a key: versioned JSON. [`decide`](crate::once::decide) has
//! the transitions.
//!
//! ```json
//! {"v":1,"entry":{"digest":{"salt":"…","sha256":"…"},"attempts":1,
//!   "attempt":{"name":"…","began":1795412345678,"until":1795412385678},
//!   "end":{"at":1795412345999,"outcome":{"created":{"id":"msg-1","json":"{…}"}}}}}
//! {"v":1,"forgotten":{"at":1795412345678}}
//! ```
//!
//! A host that forgets outcomes by age, measured without a wall clock, adds
//! `"retention":{"since":0,"age":0}` to an entry.
//!
//! A value with unknown members is unreadable, because a rewrite would lose them. An unreadable
//! value is never overwritten.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::error::{OutcomeUnknown, Stage};
use crate::once::digest::RequestDigest;
use crate::once::time::{Now, rfc3339};

/// The supported version of values.
const VERSION: u32 = 1;
/// Maximum length of a value in bytes. Every journal accepts a value of this length.
pub const MAX_VALUE_BYTES: usize = 64 * 1024;
/// Maximum length of a stored reply, in bytes. The specified service replies with a few hundred
/// bytes.
pub const MAX_REPLY_BYTES: usize = 16 * 1024;
/// Maximum length in bytes of each message of the service, if the entry would otherwise be too
/// long.
const MAX_REFUSAL_BYTES: usize = 4 * 1024;
/// Time that an attempt has in addition to the provider's deadline, in milliseconds. It covers the
/// journal operations before and after the request.
pub const SLACK_MS: u64 = 10_000;
/// Maximum difference between the clocks of machines that share a journal, in milliseconds.
const SKEW_MS: u64 = 60_000;

/// The decoded value of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kept {
    /// The attempts under a key, and their outcome.
    Entry(Box<Entry>),
    /// The key was used, and its outcome is forgotten.
    Forgotten {
        /// Time of `forget`, in milliseconds since 1970.
        at_ms: u64,
    },
}

/// The attempts under a key, and their outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Digest of the request.
    pub digest: RequestDigest,
    /// Number of attempts, including the last.
    pub attempts: u32,
    /// The last attempt.
    pub attempt: Attempt,
    /// Outcome of the last attempt; `None` if not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Resolutions by operators, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolutions: Vec<MadeResolution>,
    /// Further messages under this key. Late senders created these messages after an operator had
    /// resolved the attempts as not created.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// An attempt to send.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// Random ID, unique in the journal.
    pub name: String,
    /// Start of the attempt, in milliseconds since 1970.
    #[serde(rename = "began")]
    pub began_ms: u64,
    /// Time at which the sender gives up at the latest, in milliseconds since 1970.
    #[serde(rename = "until")]
    pub until_ms: u64,
}

/// The recorded outcome of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Time of the record, in milliseconds since 1970.
    #[serde(rename = "at")]
    pub at_ms: u64,
    /// Outcome of the attempt.
    pub outcome: Outcome,
}

/// The outcome of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome {
    /// The message exists.
    Created {
        /// Identifier of the message.
        id: String,
        /// Reply of the service; `None` if the reply is too long, or an operator resolved the
        /// outcome.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        json: Option<String>,
    },
    /// Nothing was created.
    NotCreated {
        /// Name of the provider's error; `None` if an operator resolved the outcome.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// The message may exist.
    Unknown(OutcomeUnknown),
}

/// The finding of an operator.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// A message with this identifier.
    Created(String),
    /// No message.
    NotCreated,
}

/// A recorded resolution by an operator.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeResolution {
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// Finding of the operator.
    pub found: Found,
    /// Name of the operator.
    pub by: String,
    /// How the outcome was verified.
    pub reason: String,
    /// Time of the resolution, in milliseconds since 1970.
    #[serde(rename = "at")]
    pub at_ms: u64,
}

/// The error for a value that is not an entry of a known version. Holds the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl Attempt {
    /// Creates an attempt that begins now. Its sender gives up after the provider's deadline and
    /// [`SLACK_MS`].
    pub fn new(name: String, now: Now, deadline_ms: u32) -> Self {
        let lasts = u64::from(deadline_ms).saturating_add(SLACK_MS);
        Self { name, began_ms: now.wall_ms, until_ms: now.wall_ms.saturating_add(lasts) }
    }

    /// Returns the milliseconds for which the sender can still be at work. Returns `None` if the
    /// sender has given up, or if the attempt began more than 60 s in the future, because then the
    /// clocks disagree.
    pub fn left_ms(&self, now: Now) -> Option<u64> {
        let began = self.began_ms <= now.wall_ms.saturating_add(SKEW_MS);
        let left = self.until_ms.saturating_sub(now.wall_ms);
        (began && left > 0).then_some(left)
    }

    /// Returns the unknown outcome of a sender that gave up without a record.
    pub fn abandoned(&self) -> OutcomeUnknown {
        let (began, until) = (rfc3339(self.began_ms), rfc3339(self.until_ms));
        OutcomeUnknown {
            stage: Stage::SendingRequest,
            detail: [
                "a sender that began at ",
                &began,
                " with the deadline ",
                &until,
                " recorded no outcome: it ended early, or could not reach the journal",
            ]
            .concat(),
            status: None,
            refusal: None,
        }
    }
}

#[derive(Deserialize)]
struct Version {
    v: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    v: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entry: Option<Entry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forgotten: Option<Forgotten>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retention: Option<Retention>,
}

/// Two ages of the journal, measured without a wall clock and stored in an entry, for hosts that
/// forget outcomes by age. A later change of the entry removes both ages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Age of the journal when the host first found the outcome, in milliseconds.
    #[serde(rename = "since")]
    pub since_ms: u64,
    /// Age of the journal when the host last wrote this retention, in milliseconds.
    #[serde(rename = "age")]
    pub age_ms: u64,
}

impl Retention {
    /// Reads the retention of a value; `None` if the value has no retention or is unreadable.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str::<Text>(text).ok()?.retention
    }

    /// Returns the value with this retention; `None` if the value is not an entry or would be too
    /// long.
    pub fn write(self, text: &str) -> Option<String> {
        Kept::read(text).ok()?;
        let text: Text = serde_json::from_str(text).ok()?;
        text.entry.as_ref()?;
        let new = print(&Text { retention: Some(self), ..text });
        (new.len() <= MAX_VALUE_BYTES).then_some(new)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Forgotten {
    at: u64,
}

impl Kept {
    /// Decodes a value of the journal.
    ///
    /// # Errors
    /// Returns `Unreadable` if the value has another version or is not an entry.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        let none = |error: serde_json::Error| Unreadable(error.to_string());
        let Version { v } = serde_json::from_str(text).map_err(none)?;
        if v != VERSION {
            let of = ["the value has version ", &v.to_string(), "; only 1 is supported"].concat();
            return Err(Unreadable(of));
        }
        match serde_json::from_str(text).map_err(none)? {
            Text { entry: Some(entry), forgotten: None, .. } => Ok(Self::Entry(Box::new(entry))),
            Text { entry: None, forgotten: Some(Forgotten { at }), .. } => {
                Ok(Self::Forgotten { at_ms: at })
            }
            _ => Err(Unreadable("the value has neither `entry` nor `forgotten`".into())),
        }
    }

    /// Returns the value of a forgotten key.
    pub fn forgotten_text(at_ms: u64) -> String {
        print(&Text {
            v: VERSION,
            entry: None,
            forgotten: Some(Forgotten { at: at_ms }),
            retention: None,
        })
    }
}

impl Entry {
    /// Encodes the entry. Shortens or drops messages of the service if the value would be too long.
    pub fn text(&self) -> String {
        let text = |entry| {
            print(&Text { v: VERSION, entry: Some(entry), forgotten: None, retention: None })
        };
        let whole = text(self.clone());
        if whole.len() <= MAX_VALUE_BYTES {
            return whole;
        }
        let mut short = self.clone();
        if let Some(End { outcome, .. }) = &mut short.end {
            match outcome {
                Outcome::Created { json, .. } => *json = None,
                Outcome::Unknown(OutcomeUnknown { detail, refusal, .. }) => {
                    cut(detail);
                    if let Some(refusal) = refusal {
                        refusal.details.clear();
                        refusal.message.iter_mut().chain(&mut refusal.code).for_each(cut);
                        cut(&mut refusal.body);
                    }
                }
                Outcome::NotCreated { .. } => {}
            }
        }
        text(short)
    }
}

/// Shortens a message of the service to [`MAX_REFUSAL_BYTES`].
fn cut(text: &mut String) {
    text.truncate(text.floor_char_boundary(MAX_REFUSAL_BYTES));
}

fn print(text: &Text) -> String {
    // Strings, numbers and lists always serialize.
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{FieldDetail, Refusal};
    use crate::once::digest::Request;
    use std::vec;

    fn entry(end: Option<Outcome>) -> Entry {
        let request = Request::new("+1", "text", None, [].into_iter());
        let now = Now { wall_ms: 1_000_000, elapsed_ms: 0 };
        Entry {
            digest: request.digest([1; 16]),
            attempts: 2,
            attempt: Attempt::new("a".into(), now, 30_000),
            end: end.map(|outcome| End { at_ms: 5, outcome }),
            resolutions: vec![MadeResolution {
                attempt: 1,
                found: Found::NotCreated,
                by: "Ada".into(),
                reason: "looked \"there\"".into(),
                at_ms: 7,
            }],
            also: vec!["m-2".into()],
        }
    }

    fn unknown(body: &str, details: usize) -> Outcome {
        let field = FieldDetail { field: Some("f".into()), message: "m".into() };
        Outcome::Unknown(OutcomeUnknown {
            stage: Stage::AwaitingReply,
            detail: "d".into(),
            status: Some(500),
            refusal: Some(Box::new(Refusal {
                status: 500,
                code: None,
                message: Some("no".into()),
                details: vec![field; details],
                body: body.into(),
            })),
        })
    }

    #[test]
    fn retention_stays_next_to_entry() {
        let created = entry(Some(Outcome::Created { id: "m".into(), json: None }));
        let retention = Retention { since_ms: 7, age_ms: 9 };
        let text = retention.write(&created.text()).unwrap();
        assert_eq!(Retention::read(&text), Some(retention));
        assert_eq!(Kept::read(&text), Ok(Kept::Entry(Box::new(created.clone()))));
        let later = Retention { age_ms: 11, ..retention };
        assert_eq!(Retention::read(&later.write(&text).unwrap()), Some(later));
        assert_eq!(Retention::read(&created.text()), None);
        for none in [&Kept::forgotten_text(1), "of another version"] {
            assert_eq!((Retention::read(none), retention.write(none)), (None, None));
        }
    }

    #[test]
    fn written_entry_is_read_again() {
        for end in [
            None,
            Some(Outcome::Created { id: "m".into(), json: Some("{\"id\":\"m\"}".into()) }),
            Some(Outcome::Created { id: "m".into(), json: None }),
            Some(Outcome::NotCreated { error: Some("rate-limited".into()) }),
            Some(Outcome::NotCreated { error: None }),
            Some(unknown("é\n", 1)),
        ] {
            let entry = entry(end);
            assert_eq!(Kept::read(&entry.text()), Ok(Kept::Entry(Box::new(entry))));
        }
        assert_eq!(Kept::read(&Kept::forgotten_text(9)), Ok(Kept::Forgotten { at_ms: 9 }));
    }

    #[test]
    fn unknown_version_or_member_is_unreadable() {
        let good = entry(None).text();
        for bad in [
            "",
            "{}",
            "{\"v\":1}",
            "{\"v\":2,\"entry\":null}",
            &good.replacen("\"v\":1", "\"v\":2", 1),
            &good.replacen("\"v\":1", "\"v\":1,\"x\":0", 1),
            &good.replacen("\"attempts\"", "\"x\":0,\"attempts\"", 1),
            &good[..good.len() - 1],
        ] {
            assert!(Kept::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn entry_has_bounded_size_and_keeps_decisions() {
        let long = "\u{1}".repeat(4 * MAX_REFUSAL_BYTES);
        let text = entry(Some(unknown(&long, 10_000))).text();
        assert!(text.len() <= MAX_VALUE_BYTES, "{}", text.len());
        let Ok(Kept::Entry(kept)) = Kept::read(&text) else { panic!("{text}") };
        let Some(End { outcome: Outcome::Unknown(said), .. }) = kept.end else { panic!() };
        let refusal = said.refusal.unwrap();
        assert_eq!((refusal.status, refusal.body.len()), (500, MAX_REFUSAL_BYTES));
        assert_eq!(kept.also, ["m-2"]);
        let json = Some("\"".repeat(MAX_VALUE_BYTES));
        let text = entry(Some(Outcome::Created { id: "m".into(), json })).text();
        assert!(text.len() <= MAX_VALUE_BYTES && text.contains("\"id\":\"m\""));
    }

    #[test]
    fn sender_is_active_until_its_deadline() {
        let attempt = entry(None).attempt;
        let at = |wall_ms| attempt.left_ms(Now { wall_ms, elapsed_ms: 0 });
        assert_eq!(at(1_000_000), Some(40_000));
        assert_eq!(at(1_039_999), Some(1));
        assert_eq!(at(1_040_000), None);
        // The clock of the reader is 60 s behind the clock of the sender, then 1 ms more.
        assert_eq!(at(1_000_000 - SKEW_MS), Some(100_000));
        assert_eq!(at(1_000_000 - SKEW_MS - 1), None);
    }
}
