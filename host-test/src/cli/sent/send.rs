//! `send --once`: sends a message at most once.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use messaging_core::once::Key;
use messaging_host::once::wit::{EntryState, InvalidInput, OnceCreated, OnceError};
use messaging_host::once::{self, json as view};
use messaging_host::{Once, wit};
use serde_json::json;

use super::journal::{Sending, unusable};
use super::view::{advice, failed};
use crate::cli::exit::Exit;
use crate::cli::setup::{self, Session};
use crate::cli::show::{self, DIM, GREEN, RED, RESET};
use crate::cli::signal::Stop;
use crate::cli::{Common, Failure, LogFormat, Target, print, text};

/// Delay before a send reports that it waits for another sender.
const NOTICE_AFTER: Duration = Duration::from_millis(250);

/// Sends one message, unless the key already has a message.
pub async fn send(
    common: &Common,
    target: &Target,
    key: &str,
    sending: &Sending,
    request: wit::MessageRequest,
) -> Result<(), Failure> {
    // An invalid key must not create a journal.
    if let Err(invalid) = Key::new(key) {
        let (field, detail) = ("key".to_string(), invalid.to_string());
        let error = OnceError::PermanentInvalidInput(InvalidInput { field, detail });
        return Err(failed(common, &error, advice(&error)));
    }
    let session = setup::session(common, target).await?;
    if common.component.is_none() {
        // Invalid settings must not create a journal.
        session.plugin.config().settings().map_err(Failure::refused)?;
    }
    let deadline = session.deadline;
    let journal = sending.open(unusable).await?;
    let once = Once::new(session, Arc::new(journal), deadline);
    let mut stop = Stop::new();
    let result = tokio::select! {
        biased;
        result = once.send_once(key, &request) => result,
        _ = stop.wait() => {
            let key = text::word(key);
            let text = format!("repeat the command with --once {key}: it sends no second message");
            if common.json {
                print::json(&show::own_error("interrupted", &text));
            }
            complain!("interrupted; {text}");
            return Err(Failure::Reported(Exit::Interrupted));
        }
        never = report_wait(common, &once, key, deadline) => match never {},
    };
    match result {
        Ok(created) => {
            stop.end_at_once(format!("created {}", text::printable(&created.id)));
            show_created(common, key, &created, &sending.as_option());
            Ok(())
        }
        Err(error) => {
            stop.end_at_once(format!("{}: {}", once::case(&error), advice(&error)));
            Err(failed(common, &error, advice(&error)))
        }
    }
}

/// Reports once if the send waits for another sender of its key.
async fn report_wait(
    common: &Common,
    once: &Once<Session>,
    key: &str,
    deadline: Duration,
) -> Infallible {
    let waits_until = SystemTime::now().checked_add(deadline);
    while !once.provider().has_begun() {
        tokio::time::sleep(NOTICE_AFTER).await;
        let entry = match once::look_up(once.journal(), key).await {
            Ok(Some(entry)) if entry.state == EntryState::Sending => entry,
            _ => continue,
        };
        if once.provider().has_begun() {
            break;
        }
        let gives_up = humantime::parse_rfc3339_weak(&entry.gives_up).ok();
        let until = gives_up.into_iter().chain(waits_until).min().unwrap_or(UNIX_EPOCH);
        let until = humantime::format_rfc3339_seconds(until).to_string();
        match common.log_format {
            LogFormat::Json => tracing::warn!(until, "waiting for another sender of this key"),
            LogFormat::Text => {
                let time = until.get(11..19).unwrap_or(&until);
                complain!("waiting for another sender of this key, until {time} UTC");
            }
        }
        break;
    }
    std::future::pending().await
}

fn show_created(common: &Common, key: &str, created: &OnceCreated, journal: &str) {
    let id = text::printable(&created.id);
    if common.json {
        print::json(&text::Opened(&json!({ "ok": view::created(created) })));
    } else {
        let note = match created.replayed {
            true => "An earlier call with this key created the message; nothing was sent now.",
            false => show::CREATED,
        };
        say!("{GREEN}created{RESET} {id}\n{DIM}{note}{RESET}");
    }
    if !created.recorded {
        let (id, key) = (text::word(&created.id), text::word(key));
        complain!(
            "{RED}not recorded:{RESET} the journal did not accept the outcome. When it responds again, run: messaging sent resolve {key}{journal} --created {id} --by NAME --reason TEXT"
        );
    }
}
