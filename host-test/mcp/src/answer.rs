//! Outcomes as a model reads them: a name, advice, and whether the call may be repeated.

use messaging_host::once::json as once_json;
use messaging_host::once::wit::{EntryState, InvalidInput, JournalEntry, OnceCreated, OnceError};
use messaging_host::{CallError, outcome, wit};
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

/// Advice where the message may exist.
const UNKNOWN: &str = "The message may exist. Do not send it again, neither with this key nor with another: \
    its recipient could get it twice. Tell a person, with the idempotency key: they look into the \
    service's inbox, and say what is there with `messaging sent resolve`. You cannot decide that.";

/// The result of a call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub(crate) structured: Value,
    is_error: bool,
}

impl Answer {
    fn done(structured: Value) -> Self {
        Self { structured, is_error: false }
    }

    fn failed(structured: Value) -> Self {
        Self { structured, is_error: true }
    }

    /// As the protocol has it: as data, and as text for clients that only know that.
    pub fn into_result(self) -> CallToolResult {
        if self.is_error {
            CallToolResult::structured_error(self.structured)
        } else {
            CallToolResult::structured(self.structured)
        }
    }
}

/// The call after a failed one.
#[derive(Clone, Copy)]
enum Repeat {
    /// The same call with the same key, at once or after a pause.
    SameKey,
    /// Likewise, once a person has mended something.
    AfterAChange,
    /// A call with another key.
    OtherKey,
    /// None.
    No,
}

impl Repeat {
    fn as_str(self) -> &'static str {
        match self {
            Self::SameKey => "same-key",
            Self::AfterAChange => "same-key-after-a-change",
            Self::OtherKey => "other-key",
            Self::No => "no",
        }
    }
}

/// Every value of `repeat`, for the tools' schemas.
pub const REPEATS: [&str; 4] = ["same-key", "same-key-after-a-change", "other-key", "no"];

/// The result of `send_message`.
pub fn sent(result: Result<OnceCreated, OnceError>) -> Answer {
    let created = match result {
        Ok(created) => created,
        Err(error) => return failed_by_once(&error),
    };
    let advice = match (created.recorded, created.replayed) {
        (false, _) => {
            "The message was created, and the journal could not note it. Do not send it again under \
             any key. Tell a person to run `messaging sent resolve` with --created and this identifier."
        }
        (true, true) => "An earlier call with this key created the message. Nothing was sent now.",
        (true, false) => "The message was created. Whether it arrives is not known.",
    };
    Answer::done(json!({
        "outcome": "created",
        "message_id": created.id,
        "replayed": created.replayed,
        "recorded": created.recorded,
        "reply": created.json,
        "advice": advice,
    }))
}

/// The result of `look_up_message`.
pub fn looked_up(result: Result<Option<JournalEntry>, OnceError>) -> Answer {
    let entry = match result {
        Ok(Some(entry)) => entry,
        Ok(None) => {
            return Answer::done(json!({
                "outcome": "never-used",
                "entry": null,
                "advice": "No message was sent under this key.",
            }));
        }
        Err(error) => return failed_by_once(&error),
    };
    let advice = match entry.state {
        EntryState::Sending => "A call is sending it. Look again later.",
        EntryState::Unknown => UNKNOWN,
        EntryState::Created => "The message was created. Whether it arrives is not known.",
        EntryState::NotCreated => {
            "No message was created. The same call of send_message with the same key sends it."
        }
        EntryState::Forgotten => "The key was used; what became of it was forgotten.",
    };
    Answer::done(json!({
        "outcome": once_json::state(entry.state),
        "entry": once_json::entry(&entry),
        "advice": advice,
    }))
}

/// The result of `list_templates`.
pub fn listed(result: Result<Result<wit::TemplatePage, wit::Error>, CallError>) -> Answer {
    let error = match result {
        Ok(Ok(page)) => {
            let advice = match page.incomplete {
                None => "These are all.",
                Some(_) => "These are not all: `incomplete` says why.",
            };
            let mut view = outcome::page(&page);
            if let Some(view) = view.as_object_mut() {
                view.insert("outcome".into(), "listed".into());
                view.insert("advice".into(), advice.into());
            }
            return Answer::done(view);
        }
        Ok(Err(error)) => outcome::error(&error),
        Err(error) => json!({ "case": "host", "payload": { "detail": error.to_string() } }),
    };
    let passes = ["rate-limited", "not-sent", "unavailable", "execution-failed", "host"];
    match error["case"].as_str() {
        Some(case) if passes.contains(&case) => {
            failed(error, Repeat::SameKey, "Nothing was changed. Call again later.")
        }
        _ => failed(
            error,
            Repeat::AfterAChange,
            "Nothing was changed. Mend what `detail` names, or tell a person, before calling again.",
        ),
    }
}

/// The result of a call whose arguments are none. Its key stands for what it stood for before: another
/// one could send a message again.
pub fn refused(invalid: InvalidInput) -> Answer {
    failed(
        once_json::error(&OnceError::PermanentInvalidInput(invalid)),
        Repeat::AfterAChange,
        "This call did nothing: its arguments are none. Correct what `detail` names, and call again with the \
         same idempotency key.",
    )
}

fn failed_by_once(error: &OnceError) -> Answer {
    let (repeat, advice) = after(error);
    failed(once_json::error(error), repeat, advice)
}

/// An error in the WIT's form as a result.
fn failed(mut error: Value, repeat: Repeat, advice: &str) -> Answer {
    let payload = error.get_mut("payload").map(Value::take).unwrap_or_default();
    let mut view = Map::new();
    view.insert("outcome".into(), error.get_mut("case").map(Value::take).unwrap_or_default());
    view.insert("advice".into(), advice.into());
    view.insert("repeat".into(), repeat.as_str().into());
    view.insert("detail".into(), payload);
    Answer::failed(Value::Object(view))
}

/// Returns which call may follow an error of `once`, and the words for it.
fn after(error: &OnceError) -> (Repeat, &'static str) {
    match error {
        OnceError::PermanentOutcomeUnknown(_) => (Repeat::No, UNKNOWN),
        OnceError::PermanentNotRecorded(_) => (
            Repeat::No,
            "Nothing was created, and the journal could not note it, so the key counts as unknown. Tell a \
             person to run `messaging sent resolve` with --not-created; then the same call can be repeated.",
        ),
        OnceError::PermanentInvalidInput(invalid) if invalid.field == "key" => (
            Repeat::AfterAChange,
            "This call did nothing: its idempotency key is none. Write the key as it was meant: that of an \
             earlier call stands for its message, and another one could send it again.",
        ),
        OnceError::PermanentInvalidInput(_) => (
            Repeat::OtherKey,
            "Nothing was sent. Correct what `detail` names. What was corrected is another request: give \
             it an idempotency key of its own.",
        ),
        OnceError::PermanentKeyReused(_) => (
            Repeat::No,
            "This call sent nothing: its key stands for a message with other arguments, which may exist. Look \
             the key up. Where it is the same message in other words, do not send it again, under no key; only \
             a message that is sent for another reason takes another key.",
        ),
        OnceError::PermanentKeyForgotten(_) => (
            Repeat::OtherKey,
            "Nothing was sent: the key was used before, and what became of it was forgotten. Ask a person \
             whether the message is to be sent again, under another key.",
        ),
        OnceError::PermanentInvalidSettings(_)
        | OnceError::PermanentUnauthorized(_)
        | OnceError::PermanentDenied(_)
        | OnceError::PermanentJournal(_) => (
            Repeat::AfterAChange,
            "Nothing was created. Tell a person, who has to change how this server is set up. After that, \
             the same call with the same key is safe.",
        ),
        OnceError::PermanentRefused(_) | OnceError::PermanentOther(_) => (
            Repeat::AfterAChange,
            "The service refused, and nothing was created. Read `detail`; where the message itself is \
             wrong, correct it and use another key.",
        ),
        OnceError::RateLimited(_) => (
            Repeat::SameKey,
            "Nothing was created: too many requests. Wait, for `retry-after-ms` of `detail` where it is \
             given; then repeat the same call with the same key, which is safe.",
        ),
        OnceError::NotSent(_) | OnceError::Unavailable(_) => (
            Repeat::SameKey,
            "Nothing was sent by this call. Repeat the same call with the same key, which is safe.",
        ),
        OnceError::Busy(_) => (
            Repeat::SameKey,
            "Another call is sending under this key. Repeat the same call with the same key later, which \
             is safe: it creates no second message.",
        ),
        OnceError::ExecutionFailed => (
            Repeat::SameKey,
            "It is not known whether this call sent anything. Repeat the same call with the same key, \
             which is safe: it creates no second message, and says what is known.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;
    use messaging_host::once::wit::{
        Busy, Denied, Failure, InvalidSettings, NotRecorded, NotSent, Other, OutcomeUnknown,
        RateLimit, Refusal, Stage, Unavailable,
    };

    /// Every error that a send can end with.
    fn errors() -> Vec<OnceError> {
        let detail = || "why".to_string();
        let failure = || Failure { detail: detail() };
        let refusal = || Refusal {
            status: 422,
            code: None,
            message: None,
            details: Vec::new(),
            body: "no".into(),
        };
        let unknown = OutcomeUnknown {
            stage: Stage::AwaitingReply,
            detail: detail(),
            status: None,
            refusal: Some(refusal()),
        };
        vec![
            OnceError::ExecutionFailed,
            OnceError::PermanentInvalidInput(InvalidInput {
                field: "phone".into(),
                detail: detail(),
            }),
            OnceError::PermanentInvalidSettings(InvalidSettings {
                setting: "MESSAGING_BASE_URL".into(),
                detail: detail(),
            }),
            OnceError::PermanentUnauthorized(refusal()),
            OnceError::PermanentRefused(refusal()),
            OnceError::PermanentOutcomeUnknown(unknown),
            OnceError::PermanentDenied(Denied { detail: detail() }),
            OnceError::PermanentKeyReused(failure()),
            OnceError::PermanentKeyForgotten(failure()),
            OnceError::PermanentNotRecorded(NotRecorded {
                error: "not-sent".into(),
                detail: detail(),
            }),
            OnceError::PermanentJournal(failure()),
            OnceError::RateLimited(RateLimit { retry_after_ms: Some(5), refusal: refusal() }),
            OnceError::NotSent(NotSent { detail: detail() }),
            OnceError::Unavailable(Unavailable {
                detail: detail(),
                status: None,
                retry_after_ms: None,
            }),
            OnceError::Busy(Busy { detail: detail(), retry_after_ms: None }),
            OnceError::PermanentOther(Other { code: "x".into(), detail: detail(), status: None }),
        ]
    }

    /// Holds an answer against the schema of its tool.
    fn assert_fits(tool: usize, answer: &Answer) {
        let schema = &tools::all()[tool]["outputSchema"];
        let validator = jsonschema::draft202012::new(schema).unwrap();
        let errors: Vec<_> =
            validator.iter_errors(&answer.structured).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {answer:?}");
    }

    #[test]
    fn every_outcome_of_a_send_fits_the_schema_and_says_whether_to_repeat() {
        let mut repeats = Vec::new();
        for error in errors() {
            let case = messaging_host::once::case(&error);
            let answer = sent(Err(error.clone()));
            assert_fits(0, &answer);
            assert_fits(2, &looked_up(Err(error)));
            assert!(answer.is_error);
            assert_eq!(answer.structured["outcome"], case);
            repeats.push((case, answer.structured["repeat"].as_str().unwrap().to_string()));
        }
        let same: Vec<_> = repeats
            .iter()
            .filter(|(_, repeat)| repeat == "same-key")
            .map(|(case, _)| *case)
            .collect();
        assert_eq!(same, ["execution-failed", "rate-limited", "not-sent", "unavailable", "busy"]);
        let never: Vec<_> =
            repeats.iter().filter(|(_, repeat)| repeat == "no").map(|(case, _)| *case).collect();
        assert_eq!(
            never,
            ["permanent-outcome-unknown", "permanent-key-reused", "permanent-not-recorded"]
        );
        for (replayed, recorded) in [(false, true), (true, true), (false, false)] {
            let created = OnceCreated { id: "msg-1".into(), json: None, replayed, recorded };
            assert_fits(0, &sent(Ok(created)));
        }
    }

    #[test]
    fn a_failed_list_and_a_key_in_every_state_fit_their_schemas() {
        let unavailable = wit::Error::Unavailable(wit::Unavailable {
            detail: "why".into(),
            status: Some(503),
            retry_after_ms: None,
        });
        for error in [unavailable, wit::Error::ExecutionFailed] {
            assert_fits(1, &listed(Ok(Err(error))));
        }
        assert_fits(1, &listed(Err(CallError::Trap("why".into()))));
        assert_fits(2, &looked_up(Ok(None)));
        for state in [
            EntryState::Sending,
            EntryState::Unknown,
            EntryState::Created,
            EntryState::NotCreated,
            EntryState::Forgotten,
        ] {
            let at = "2026-11-23T09:00:00.000Z".to_string();
            let entry = JournalEntry {
                key: "k".into(),
                state,
                began: at.clone(),
                gives_up: at,
                ended: None,
                attempts: 1,
                id: None,
                json: None,
                outcome: None,
                error: None,
                resolutions: Vec::new(),
                also_created: Vec::new(),
            };
            let answer = looked_up(Ok(Some(entry)));
            assert_fits(2, &answer);
            assert!(!answer.is_error, "{answer:?}");
        }
    }
}
