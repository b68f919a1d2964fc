//! Results of tools for a model: the name of the outcome, advice, and the next permitted call.

use messaging_host::once::json as once_json;
use messaging_host::once::wit::{EntryState, InvalidInput, JournalEntry, OnceCreated, OnceError};
use messaging_host::{CallError, outcome, wit};
use rmcp::model::CallToolResult;
use serde::Serialize;
use serde_json::{Value, json};

/// Advice if the message may exist.
const UNKNOWN: &str = "The message may exist. Do not send it again, neither with this key nor with another: \
    its recipient could get it twice. Tell a person the idempotency key. The person looks for \
    the message in the messaging service and runs `messaging sent resolve`. You cannot decide that.";

/// The call that may follow a failed call.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repeat {
    /// The failed call again, with its key.
    SameKey,
    /// The failed call again, with its key, after a correction.
    SameKeyAfterAChange,
    /// A call with a new key, after a change of the message.
    NewKeyAfterAChange,
    /// No further call.
    No,
}

/// All values of `repeat`, for the schemas of the tools.
pub const REPEATS: [Repeat; 4] =
    [Repeat::SameKey, Repeat::SameKeyAfterAChange, Repeat::NewKeyAfterAChange, Repeat::No];

/// Returns the result of `send_message`.
pub fn sent(result: Result<OnceCreated, OnceError>) -> CallToolResult {
    let created = match result {
        Ok(created) => created,
        Err(error) => return failed_by_once(&error),
    };
    let advice = match (created.recorded, created.replayed) {
        (false, _) => {
            "The message was created, but the journal did not record it. Do not send it again, neither \
             with this key nor with another. Tell a person to run `messaging sent resolve` with --created and `message_id`."
        }
        (true, true) => "An earlier call with this key created the message. Nothing was sent now.",
        (true, false) => "The message was created. Its delivery is not known.",
    };
    CallToolResult::structured(json!({
        "outcome": "created",
        "message_id": created.id,
        "replayed": created.replayed,
        "recorded": created.recorded,
        "reply": created.json,
        "advice": advice,
    }))
}

/// Returns the result of `look_up_message`.
pub fn looked_up(result: Result<Option<JournalEntry>, OnceError>) -> CallToolResult {
    let entry = match result {
        Ok(Some(entry)) => entry,
        Ok(None) => {
            return CallToolResult::structured(json!({
                "outcome": "never-used",
                "entry": null,
                "advice": "No message was sent under this key.",
            }));
        }
        Err(error) => return failed_by_once(&error),
    };
    let advice = match entry.state {
        EntryState::Sending => "A call is sending the message. Look again later.",
        EntryState::Unknown => UNKNOWN,
        EntryState::Created => "The message was created. Its delivery is not known.",
        EntryState::NotCreated => {
            "No message was created. To send the message, repeat the call of send_message with the same key."
        }
        EntryState::Forgotten => {
            "The key was used, and its outcome was forgotten. The message may exist."
        }
    };
    CallToolResult::structured(json!({
        "outcome": once_json::state(entry.state),
        "entry": once_json::entry(&entry),
        "advice": advice,
    }))
}

/// Returns the result of `list_templates`.
pub fn listed(result: Result<Result<wit::TemplatePage, wit::Error>, CallError>) -> CallToolResult {
    let error = match result {
        Ok(Ok(page)) => {
            let advice = match page.incomplete {
                None => "The list is complete.",
                Some(_) => {
                    "The list is incomplete: `incomplete` has the reason. If the reason is pages-not-followed, set `every_page`."
                }
            };
            let mut view = outcome::page(&page);
            if let Some(view) = view.as_object_mut() {
                view.insert("outcome".into(), "listed".into());
                view.insert("advice".into(), advice.into());
            }
            return CallToolResult::structured(view);
        }
        Ok(Err(error)) => outcome::error(&error),
        Err(error) => json!({ "case": "host", "payload": { "detail": error.to_string() } }),
    };
    let passes = ["rate-limited", "not-sent", "unavailable", "execution-failed", "host"];
    match error["case"].as_str() {
        Some(case) if passes.contains(&case) => {
            failed(error, Repeat::SameKey, "Nothing was changed. Retry later.")
        }
        _ => failed(
            error,
            Repeat::SameKeyAfterAChange,
            "Nothing was changed. Correct what `detail` names, or tell a person, then retry.",
        ),
    }
}

/// Returns the result of `list_templates` if the server stops before the list is complete.
pub fn listed_too_late() -> CallToolResult {
    let error = json!({ "case": "host", "payload": { "detail": "the server stopped" } });
    failed(error, Repeat::SameKey, "Nothing was changed. Retry later.")
}

/// Advice if the arguments are invalid.
const INVALID: &str = "Invalid arguments; nothing was sent. Correct what `detail` names, and retry with the same \
    idempotency key.";

/// Returns the result of a call with invalid arguments.
pub fn refused(invalid: InvalidInput) -> CallToolResult {
    failed_by_once(&OnceError::PermanentInvalidInput(invalid))
}

fn failed_by_once(error: &OnceError) -> CallToolResult {
    let (repeat, advice) = after(error);
    failed(once_json::error(error), repeat, advice)
}

/// Converts an error, in JSON with `case` and `payload`, to the result of a tool.
fn failed(mut error: Value, repeat: Repeat, advice: &str) -> CallToolResult {
    let mut member = |name| error.get_mut(name).map(Value::take);
    CallToolResult::structured_error(json!({
        "outcome": member("case"), "advice": advice, "repeat": repeat, "detail": member("payload"),
    }))
}

/// Returns the call that may follow an error of `once`, and the advice for it.
fn after(error: &OnceError) -> (Repeat, &'static str) {
    match error {
        OnceError::PermanentInvalidInput(_) => (Repeat::SameKeyAfterAChange, INVALID),
        OnceError::PermanentOutcomeUnknown(_) => (Repeat::No, UNKNOWN),
        OnceError::PermanentNotRecorded(_) => (
            Repeat::No,
            "Nothing was created, but the journal did not record that, so the outcome counts as unknown. \
             Tell a person to run `messaging sent resolve` with --not-created. Then retry with the same \
             key.",
        ),
        OnceError::PermanentKeyReused(_) => (
            Repeat::No,
            "Nothing was sent now. The key belongs to a message with other arguments. That message may exist. \
             Look the key up. If that message says the same in other words, do not send yours.",
        ),
        OnceError::PermanentKeyForgotten(_) => (
            Repeat::No,
            "Nothing was sent now. The key was used, and its outcome was forgotten: the message may \
             exist. Tell a person. Do not send it again, neither with this key nor with another.",
        ),
        OnceError::PermanentInvalidSettings(_)
        | OnceError::PermanentUnauthorized(_)
        | OnceError::PermanentDenied(_)
        | OnceError::PermanentJournal(_) => (
            Repeat::SameKeyAfterAChange,
            "Nothing was created. Tell a person to correct the configuration of this server. Then retry \
             with the same key.",
        ),
        OnceError::PermanentRefused(_) => (
            Repeat::NewKeyAfterAChange,
            "The service refused the message, and nothing was created. Read `detail`. To change \
             the arguments, call with a new key. If a person removes the cause, retry with the same \
             key.",
        ),
        OnceError::PermanentOther(_) => (
            Repeat::SameKeyAfterAChange,
            "Nothing was created. Read `detail`, and tell a person. When the cause is corrected, retry \
             with the same key.",
        ),
        OnceError::RateLimited(_) => (
            Repeat::SameKey,
            "Nothing was created: too many requests. Wait for `retry-after-ms` of `detail`, if it is \
             present. Then retry with the same key.",
        ),
        OnceError::NotSent(_) | OnceError::Unavailable(_) => {
            (Repeat::SameKey, "Nothing was created by this call. Retry with the same key.")
        }
        OnceError::Busy(_) => (
            Repeat::SameKey,
            "Another call is sending under this key. Retry later with the same key: a retry \
             creates no second message.",
        ),
        OnceError::ExecutionFailed => (
            Repeat::SameKey,
            "The outcome of this call is not known yet. Retry with the same key: a retry creates \
             no second message, and returns the outcome.",
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

    /// Returns every error of a send.
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

    fn structured(answer: &CallToolResult) -> &Value {
        answer.structured_content.as_ref().unwrap()
    }

    /// Checks a result against the schema of its tool.
    fn assert_fits(tool: usize, answer: &CallToolResult) {
        let schema = &tools::all()[tool]["outputSchema"];
        let validator = jsonschema::draft202012::new(schema).unwrap();
        let errors: Vec<_> =
            validator.iter_errors(structured(answer)).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {answer:?}");
    }

    #[test]
    fn send_outcomes_fit_schema_and_name_next_call() {
        let mut repeats = Vec::new();
        for error in errors() {
            let case = messaging_host::once::case(&error);
            let answer = sent(Err(error.clone()));
            assert_fits(0, &answer);
            assert_fits(2, &looked_up(Err(error)));
            assert_eq!(answer.is_error, Some(true));
            let answer = structured(&answer);
            assert_eq!(answer["outcome"], case);
            let (repeat, advice) = (&answer["repeat"], &answer["advice"]);
            let names_same_key = advice.as_str().unwrap().contains("with the same");
            assert!(repeat == "no" || names_same_key, "{case}: {advice}");
            repeats.push((case, repeat.as_str().unwrap().to_string()));
        }
        let cases = |wanted: &str| -> Vec<_> {
            repeats.iter().filter(|(_, repeat)| repeat == wanted).map(|(case, _)| *case).collect()
        };
        assert_eq!(
            cases("same-key"),
            ["execution-failed", "rate-limited", "not-sent", "unavailable", "busy"]
        );
        assert_eq!(
            cases("same-key-after-a-change"),
            [
                "permanent-invalid-input",
                "permanent-invalid-settings",
                "permanent-unauthorized",
                "permanent-denied",
                "permanent-journal",
                "permanent-other"
            ]
        );
        assert_eq!(cases("new-key-after-a-change"), ["permanent-refused"]);
        let invalid = InvalidInput { field: "phone".into(), detail: "why".into() };
        assert_eq!(structured(&refused(invalid))["advice"], INVALID);
        assert_eq!(
            cases("no"),
            [
                "permanent-outcome-unknown",
                "permanent-key-reused",
                "permanent-key-forgotten",
                "permanent-not-recorded"
            ]
        );
        for (replayed, recorded) in [(false, true), (true, true), (false, false)] {
            let created = OnceCreated { id: "msg-1".into(), json: None, replayed, recorded };
            assert_fits(0, &sent(Ok(created)));
        }
    }

    #[test]
    fn failed_list_and_key_states_fit_schemas() {
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
            assert_eq!(answer.is_error, Some(false), "{answer:?}");
        }
    }
}
