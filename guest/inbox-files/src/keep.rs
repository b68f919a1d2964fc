//! Puts a record in its file's place: in `events`, or in `conflict`. What makes a file appear whole
//! stands in `messaging-runtime`.

use alloc::format;

use messaging_runtime::files::{self, Linked, length};
use messaging_webhook_core::record::{MAX_CONFLICTS, Record};

use crate::bindings::exports::messaging::integration::inbox::{InboxError, Stored};
use crate::failure::{failed, unavailable};
use crate::folder::Folder;

/// Number of times that a writer begins again because others were at work on the same file.
/// Each time one of them has made progress, so this is reached by no honest folder.
const MAX_ROUNDS: u32 = 8;
/// By how much a file may be longer than the record and still hold the same event:
/// what stands beside the event may differ.
const SLACK_BYTES: u64 = 64 * 1024;

/// Outcome of putting a record in a file's place.
enum PlaceOutcome {
    New,
    Same,
    Other,
}

/// Keeps a record: in `events`, or in `conflict` where its key has another event, up to
/// [`MAX_CONFLICTS`] of a key.
pub fn keep(folder: &Folder, record: &Record) -> Result<Stored, InboxError> {
    let file = format!("{}.json", record.name);
    match place(folder, &folder.events, &file, record)? {
        PlaceOutcome::New => return Ok(Stored::Stored),
        PlaceOutcome::Same => return Ok(Stored::Duplicate),
        PlaceOutcome::Other => {}
    }
    let file = format!("{}.{}.json", record.name, record.digest);
    if look(&folder.conflict, &file, record)?.is_none() {
        check_room(&folder.conflict, record)?;
    }
    match place(folder, &folder.conflict, &file, record)? {
        PlaceOutcome::New | PlaceOutcome::Same => Ok(Stored::Conflict),
        PlaceOutcome::Other => Err(unavailable(format!(
            "{} is not what was written there. Move it away",
            folder.conflict.path(&file)
        ))),
    }
}

/// Refuses one more event in conflict where as many as are kept are there. Calls at the same
/// time may each find room.
fn check_room(conflict: &files::Folder, record: &Record) -> Result<(), InboxError> {
    let prefix = format!("{}.", record.name);
    let length = prefix.len().saturating_add(record.digest.len()).saturating_add(".json".len());
    let mut found = 0_usize;
    let count = |name: alloc::string::String| {
        found =
            found.saturating_add(usize::from(name.len() == length && name.starts_with(&prefix)));
    };
    conflict.names(count).map_err(failed)?;
    if found < MAX_CONFLICTS {
        return Ok(());
    }
    Err(unavailable(format!(
        "{MAX_CONFLICTS} different events are kept as {prefix}*.json in conflict, and this is another. Its sender uses one key for different events: look at them, and move some away"
    )))
}

fn place(
    folder: &Folder,
    part: &files::Folder,
    file: &str,
    record: &Record,
) -> Result<PlaceOutcome, InboxError> {
    let draft = format!("{}.{}", record.name, record.fingerprint);
    for _ in 0..MAX_ROUNDS {
        if let Some(same) = look(part, file, record)? {
            if !same {
                return Ok(PlaceOutcome::Other);
            }
            // Whoever placed it may have been cut off before its sync, and before it
            // removed the draft.
            folder.sync(part)?;
            folder.tmp.discard(&draft);
            return Ok(PlaceOutcome::Same);
        }
        folder.tmp.write(&draft, &record.bytes).map_err(failed)?;
        match folder.tmp.link(&draft, part, file).map_err(failed)? {
            Linked::Placed => {
                folder.sync(part)?;
                folder.tmp.discard(&draft);
                return Ok(PlaceOutcome::New);
            }
            // Another writer was faster. What is there now decides.
            Linked::Exists | Linked::Gone => {}
        }
    }
    Err(unavailable(format!("{} appears and disappears", part.path(file))))
}

/// Whether the file holds the record's event; none where there is no file.
fn look(part: &files::Folder, file: &str, record: &Record) -> Result<Option<bool>, InboxError> {
    let max = length(&record.bytes).saturating_add(SLACK_BYTES);
    let Some(kept) = part.read(file, max).map_err(failed)? else { return Ok(None) };
    Ok(Some(length(&kept) <= max && record.is_kept_in(&kept)))
}
