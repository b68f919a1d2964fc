//! The text that a journal keeps for a key: JSON with a version. Owns its form, and no transition.
//!
//! ```json
//! {"v":1,"entry":{"digest":{"salt":"…","sha256":"…"},"attempts":1,
//!   "attempt":{"name":"…","began":1795412345678,"until":1795412385678},
//!   "end":{"at":1795412345999,"outcome":{"created":{"id":"msg-1","json":"{…}"}}}}}
//! {"v":1,"forgotten":{"at":1795412345678}}
//! ```
//!
//! A host that forgets outcomes by measured age adds `"retention":{"since":0,"age":0}` to an entry.
//!
//! Members that this version does not know make a text unreadable: to write it anew would lose
//! them. A text that cannot be read is never written over.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::digest::RequestDigest;
use crate::provider::Unknown;
use crate::time::{Now, rfc3339};

/// The version of texts that is written, and read.
const VERSION: u32 = 1;
/// Maximum length of a value in bytes. Every journal accepts it.
pub const MAX_VALUE_BYTES: usize = 64 * 1024;
/// Longest reply that is kept. One of the specified service has some hundred bytes.
pub const MAX_REPLY_BYTES: usize = 16 * 1024;
/// Most of the service's words about an unknown outcome that are kept where the rest of the entry
/// is long.
const MAX_REFUSAL_BYTES: usize = 4 * 1024;
/// Time beside the provider's deadline that an intent leaves its sender: for the journal before the
/// request, and for its end after it.
pub const SLACK_MS: u64 = 10_000;
/// By how much clocks of machines that share a journal may disagree.
const SKEW_MS: u64 = 60_000;

/// Content of a journal's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kept {
    /// Its attempts, and their outcome.
    Entry(Box<Entry>),
    /// It was used; what became of it is forgotten.
    Forgotten {
        /// When it was forgotten, in milliseconds since 1970.
        at_ms: u64,
    },
}

/// Attempts of a key, and their outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The request that the key stands for.
    pub digest: RequestDigest,
    /// Number of attempts, the last one included.
    pub attempts: u32,
    /// The last attempt.
    pub attempt: Attempt,
    /// Its end, where one was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Decisions of people, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resolutions: Vec<MadeResolution>,
    /// Further messages of this key: of senders that were late, after somebody had resolved
    /// their attempts as not created.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// An attempt to send.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// A random name: no two attempts have the same.
    pub name: String,
    /// When it began, in milliseconds since 1970.
    #[serde(rename = "began")]
    pub began_ms: u64,
    /// When its sender has given up at the latest.
    #[serde(rename = "until")]
    pub until_ms: u64,
}

/// The end of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// When it was noted, in milliseconds since 1970.
    #[serde(rename = "at")]
    pub at_ms: u64,
    /// Outcome of the attempt.
    pub outcome: Outcome,
}

/// Outcome of an attempt, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome {
    /// The message exists.
    Created {
        /// Its identifier.
        id: String,
        /// The reply, where it is short enough and not a person's word.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        json: Option<String>,
    },
    /// Nothing was created.
    NotCreated {
        /// The name of the provider's error; none where a person found it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// The message may exist.
    Unknown(Unknown),
}

/// Finding of somebody who looked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// The message, by this identifier.
    Created(String),
    /// No message.
    NotCreated,
}

/// A person's decision, and when it was made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeResolution {
    /// The attempt that it is about: the first one is 1.
    pub attempt: u32,
    /// The finding.
    pub found: Found,
    /// Who found it.
    pub by: String,
    /// How, or why it is believed.
    pub reason: String,
    /// When, in milliseconds since 1970.
    #[serde(rename = "at")]
    pub at_ms: u64,
}

/// A text that is no entry of a version that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl Attempt {
    /// An attempt that begins now; its sender has given up when the provider's deadline and
    /// [`SLACK_MS`] are over.
    #[must_use]
    pub fn new(name: String, now: Now, deadline_ms: u32) -> Self {
        let lasts = u64::from(deadline_ms).saturating_add(SLACK_MS);
        Self { name, began_ms: now.wall_ms, until_ms: now.wall_ms.saturating_add(lasts) }
    }

    /// Milliseconds in which its sender can still be at work; `None` where it has given up, or
    /// began so far in the future that clocks disagree and nothing can be said.
    #[must_use]
    pub fn left_ms(&self, now: Now) -> Option<u64> {
        let began = self.began_ms <= now.wall_ms.saturating_add(SKEW_MS);
        let left = self.until_ms.saturating_sub(now.wall_ms);
        (began && left > 0).then_some(left)
    }

    /// Returns what is known of it where no end was noted, and none will be.
    #[must_use]
    pub fn abandoned(&self) -> Unknown {
        let (began, until) = (rfc3339(self.began_ms), rfc3339(self.until_ms));
        Unknown {
            stage: crate::provider::Stage::SendingRequest,
            detail: [
                "a sender that began at ",
                &began,
                " and was to give up by ",
                &until,
                " recorded no outcome: it was ended, or could not reach the journal",
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

/// Measured age of a journal, in milliseconds: no wall clock is part of it. A later change of the entry drops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Age of the journal when the host first met the outcome.
    #[serde(rename = "since")]
    pub since_ms: u64,
    /// Age of the journal when the host last wrote it here.
    #[serde(rename = "age")]
    pub age_ms: u64,
}

impl Retention {
    /// Reads the retention of an entry; `None` if it has none or cannot be read.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str::<Text>(text).ok()?.retention
    }

    /// Returns the text of an entry with this retention; `None` if it is no entry, or too long.
    #[must_use]
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
    /// Reads a journal's text.
    ///
    /// # Errors
    /// It is of another version, or no entry.
    pub fn read(text: &str) -> Result<Self, Unreadable> {
        let none = |error: serde_json::Error| Unreadable(error.to_string());
        let Version { v } = serde_json::from_str(text).map_err(none)?;
        if v != VERSION {
            let of = ["it is of version ", &v.to_string(), ", and this is version 1"].concat();
            return Err(Unreadable(of));
        }
        match serde_json::from_str(text).map_err(none)? {
            Text { entry: Some(entry), forgotten: None, .. } => Ok(Self::Entry(Box::new(entry))),
            Text { entry: None, forgotten: Some(Forgotten { at }), .. } => {
                Ok(Self::Forgotten { at_ms: at })
            }
            _ => Err(Unreadable("it is neither an entry nor forgotten".into())),
        }
    }

    /// Writes the text of a forgotten key.
    #[must_use]
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
    /// Writes its text, without so much of the service's words as makes it too long.
    #[must_use]
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
                Outcome::Unknown(Unknown { detail, refusal, .. }) => {
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

/// Cuts a text to what is kept of each of the service's words.
fn cut(text: &mut String) {
    text.truncate(text.floor_char_boundary(MAX_REFUSAL_BYTES));
}

fn print(text: &Text) -> String {
    // Texts, numbers and lists of them: nothing here can fail to be written.
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Request;
    use crate::provider::{FieldDetail, Refusal, Stage};
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
        Outcome::Unknown(Unknown {
            stage: Stage::AwaitingReply,
            detail: "d".into(),
            status: Some(500),
            refusal: Some(Refusal {
                status: 500,
                code: None,
                message: Some("no".into()),
                details: vec![field; details],
                body: body.into(),
            }),
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
    fn what_is_written_is_read_again() {
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
    fn a_text_of_another_version_or_with_unknown_members_is_unreadable() {
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
    fn an_entry_stays_within_what_a_journal_takes_and_keeps_what_was_decided() {
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
    fn a_sender_can_be_at_work_until_its_time_is_over_and_not_from_the_far_future() {
        let attempt = entry(None).attempt;
        let at = |wall_ms| attempt.left_ms(Now { wall_ms, elapsed_ms: 0 });
        assert_eq!(at(1_000_000), Some(40_000));
        assert_eq!(at(1_039_999), Some(1));
        assert_eq!(at(1_040_000), None);
        // Another machine's clock is a minute behind, or more.
        assert_eq!(at(1_000_000 - SKEW_MS), Some(100_000));
        assert_eq!(at(1_000_000 - SKEW_MS - 1), None);
    }
}
