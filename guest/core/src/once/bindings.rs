//! Conversions between the types of the WIT and of this crate, as macros, because each component
//! has its own bindings.

/// Defines the conversions of `once`. `$types` and `$once` are the binding modules of the
/// interfaces `types` and `once-types`, `$error` is the provider's error, and `$page` is the
/// journal's `page`. The calling module must define `proof`, which converts an `$error` to a
/// `OnceError`, and the crate needs [`unknown_conversions!`](crate::unknown_conversions).
#[macro_export]
macro_rules! once_conversions {
    ($types:path, $once:path, $error:ty, $page:ty) => {
        use $once as once_wit;
        use $types as types_wit;

        pub(crate) fn invalid_key(invalid: $crate::once::key::InvalidKey) -> once_wit::OnceError {
            let detail = invalid.reason();
            once_error($crate::once::Error::InvalidInput { field: "key", detail })
        }

        /// Converts a WIT request to the content that a digest covers. `service` is the base URL of
        /// the provider's service, if known.
        pub(crate) fn digested(
            request: &types_wit::MessageRequest,
            service: Option<&str>,
        ) -> $crate::once::digest::Request {
            let content = $crate::once::digest::Request::new(
                &request.phone,
                &request.message,
                request.device.as_deref(),
                request.fields.iter().map(|field| (&*field.name, &*field.json)),
            );
            match service {
                Some(base_url) => content.with_service(base_url),
                None => content,
            }
        }

        pub(crate) fn created(created: $crate::once::send::Created) -> once_wit::OnceCreated {
            let $crate::once::send::Created { id, json, replayed, recorded } = created;
            once_wit::OnceCreated { id, json, replayed, recorded }
        }

        pub(crate) fn once_error(error: $crate::once::Error<$error>) -> once_wit::OnceError {
            use once_wit::OnceError;
            use $crate::once::Error;
            let other = |code: &str, detail: &str| {
                OnceError::PermanentOther(types_wit::Other {
                    code: code.into(),
                    detail: detail.into(),
                    status: None,
                })
            };
            match error {
                Error::InvalidInput { field, detail } => {
                    OnceError::PermanentInvalidInput(types_wit::InvalidInput {
                        field: field.into(),
                        detail: detail.into(),
                    })
                }
                Error::Provider(failed) => proof(failed.error),
                Error::Unknown(unknown) => OnceError::PermanentOutcomeUnknown(unknown.into()),
                Error::KeyReused(detail) => {
                    OnceError::PermanentKeyReused(once_wit::Failure { detail: detail.into() })
                }
                Error::KeyForgotten { at_ms } => {
                    let at = $crate::once::time::rfc3339(at_ms);
                    OnceError::PermanentKeyForgotten(once_wit::Failure {
                        detail: ["the outcome of this key was discarded at ", &at].concat(),
                    })
                }
                Error::NotRecorded { error, detail } => {
                    OnceError::PermanentNotRecorded(once_wit::NotRecorded {
                        error: error.into(),
                        detail,
                    })
                }
                Error::Journal(detail) => OnceError::PermanentJournal(once_wit::Failure { detail }),
                Error::Unavailable(detail) => OnceError::Unavailable(types_wit::Unavailable {
                    detail,
                    status: None,
                    retry_after_ms: None,
                }),
                Error::Busy { detail, retry_after_ms } => OnceError::Busy(once_wit::Busy {
                    detail: detail.into(),
                    retry_after_ms: u32::try_from(retry_after_ms).ok(),
                }),
                Error::NotUnknown(detail) => other("not-unknown", detail),
                Error::OtherAttempt { last } => {
                    let detail = [
                        "the last attempt is ",
                        &$crate::once::decimal(last),
                        "; read the entry again",
                    ];
                    other("other-attempt", &detail.concat())
                }
                Error::NoEntry => other("no-entry", "the key was never used"),
            }
        }

        /// Checks an operator's resolution.
        pub(crate) fn resolution(
            given: once_wit::Resolution,
        ) -> Result<$crate::once::change::Resolution, once_wit::OnceError> {
            use $crate::once::entry::Found;
            let found = match given.found {
                once_wit::Resolved::Created(id) => Found::Created(id),
                once_wit::Resolved::NotCreated => Found::NotCreated,
            };
            $crate::once::change::Resolution::new(given.attempt, found, given.by, given.reason)
                .map_err(once_error)
        }

        /// Converts an entry of the journal.
        pub(crate) fn journal_entry(
            key: &str,
            kept: $crate::once::Kept,
            now: $crate::once::Now,
        ) -> once_wit::JournalEntry {
            use $crate::once::entry::{Found, Outcome};
            use $crate::once::time::rfc3339;
            let entry = match kept {
                $crate::once::Kept::Entry(entry) => *entry,
                $crate::once::Kept::Forgotten { at_ms } => {
                    return once_wit::JournalEntry {
                        key: key.into(),
                        state: once_wit::EntryState::Forgotten,
                        began: rfc3339(at_ms),
                        gives_up: rfc3339(at_ms),
                        ended: Some(rfc3339(at_ms)),
                        attempts: 0,
                        id: None,
                        json: None,
                        outcome: None,
                        error: None,
                        resolutions: Default::default(),
                        also_created: Default::default(),
                    };
                }
            };
            let made = |made: $crate::once::entry::MadeResolution| once_wit::MadeResolution {
                resolution: once_wit::Resolution {
                    attempt: made.attempt,
                    found: match made.found {
                        Found::Created(id) => once_wit::Resolved::Created(id),
                        Found::NotCreated => once_wit::Resolved::NotCreated,
                    },
                    by: made.by,
                    reason: made.reason,
                },
                at: rfc3339(made.at_ms),
            };
            let live = entry.attempt.left_ms(now).is_some();
            let ended = entry.end.as_ref().map(|end| rfc3339(end.at_ms));
            let (mut id, mut json, mut outcome, mut error) = (None, None, None, None);
            let state = match entry.end.map(|end| end.outcome) {
                None if live => once_wit::EntryState::Sending,
                None => once_wit::EntryState::Unknown,
                Some(Outcome::Created { id: found, json: reply }) => {
                    (id, json) = (Some(found), reply);
                    once_wit::EntryState::Created
                }
                Some(Outcome::NotCreated { error: said }) => {
                    error = said;
                    once_wit::EntryState::NotCreated
                }
                Some(Outcome::Unknown(unknown)) => {
                    outcome = Some(unknown.into());
                    once_wit::EntryState::Unknown
                }
            };
            once_wit::JournalEntry {
                key: key.into(),
                state,
                began: rfc3339(entry.attempt.began_ms),
                gives_up: rfc3339(entry.attempt.until_ms),
                ended,
                attempts: entry.attempts,
                id,
                json,
                outcome,
                error,
                resolutions: entry.resolutions.into_iter().map(made).collect(),
                also_created: entry.also,
            }
        }

        /// Returns the result of `look-up` for the value of a key.
        pub(crate) fn looked_up(
            key: &$crate::once::Key,
            text: Option<&str>,
            now: $crate::once::Now,
        ) -> Result<Option<once_wit::JournalEntry>, once_wit::OnceError> {
            let Some(text) = text else { return Ok(None) };
            match $crate::once::Kept::read(text) {
                Ok(kept) => Ok(Some(journal_entry(key.as_str(), kept, now))),
                Err(unreadable) => Err(once_error($crate::once::Error::Journal(unreadable.0))),
            }
        }

        /// Returns the result of `list-entries` for a page of the journal.
        pub(crate) fn entry_page(page: $page, now: $crate::once::Now) -> once_wit::EntryPage {
            let mut entries = once_wit::EntryPage {
                entries: Default::default(),
                unreadable: Default::default(),
                next: page.next,
            };
            for item in page.items {
                match $crate::once::Kept::read(&item.text) {
                    Ok(kept) => entries.entries.push(journal_entry(&item.key, kept, now)),
                    Err(_) => entries.unreadable.push(item.key),
                }
            }
            entries
        }
    };
}
