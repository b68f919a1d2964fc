//! Stores the record of an event as a file in `events` or `conflict`. Readers never see a
//! partial file, because `messaging-runtime` links only finished drafts.

use alloc::format;

use messaging_core::webhook::record::{MAX_CONFLICTS, Record};
use messaging_runtime::files::{self, Linked, length};

use crate::bindings::exports::messaging::integration::inbox::{InboxError, Stored};
use crate::failure::{failed, unavailable};
use crate::folder::Folder;

/// Maximum number of attempts to store a file. An attempt fails only if another writer created or
/// removed the file or the draft.
const MAX_ROUNDS: u32 = 8;
/// Maximum number of bytes by which a stored file may exceed a record of the same event. A stored
/// file may differ from the record in members other than `json`.
const SLACK_BYTES: u64 = 64 * 1024;

/// The result of storing a record in a file.
enum FileOutcome {
    New,
    Same,
    Other,
}

/// Stores a record in `events`. If `events` has a different event under the same key, stores the
/// record in `conflict`, which has room for [`MAX_CONFLICTS`] events per key.
pub fn keep(folder: &Folder, record: &Record) -> Result<Stored, InboxError> {
    let file = format!("{}.json", record.name);
    match store_file(folder, &folder.events, &file, record)? {
        FileOutcome::New => return Ok(Stored::Stored),
        FileOutcome::Same => return Ok(Stored::Duplicate),
        FileOutcome::Other => {}
    }
    let file = format!("{}.{}.json", record.name, record.digest);
    if look(&folder.conflict, &file, record)?.is_none() {
        check_room(&folder.conflict, record)?;
    }
    match store_file(folder, &folder.conflict, &file, record)? {
        FileOutcome::New | FileOutcome::Same => Ok(Stored::Conflict),
        FileOutcome::Other => Err(unavailable(format!(
            "{} is damaged. Move it to another directory",
            folder.conflict.path(&file)
        ))),
    }
}

/// Returns an error if the key has the maximum number of conflicting events. Concurrent calls may
/// exceed the limit.
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
        "this key has {MAX_CONFLICTS} conflicting events in conflict/{prefix}*.json, the maximum. The event source reuses the key: check these events, and move some to another directory"
    )))
}

fn store_file(
    folder: &Folder,
    part: &files::Folder,
    file: &str,
    record: &Record,
) -> Result<FileOutcome, InboxError> {
    let draft = format!("{}.{}", record.name, record.fingerprint);
    for _ in 0..MAX_ROUNDS {
        if let Some(same) = look(part, file, record)? {
            if !same {
                return Ok(FileOutcome::Other);
            }
            // The call that created the file may have ended before its sync and before removing the
            // draft.
            folder.sync(part)?;
            folder.tmp.discard(&draft);
            return Ok(FileOutcome::Same);
        }
        folder.tmp.write(&draft, &record.bytes).map_err(failed)?;
        match folder.tmp.link(&draft, part, file).map_err(failed)? {
            Linked::Placed => {
                folder.sync(part)?;
                folder.tmp.discard(&draft);
                return Ok(FileOutcome::New);
            }
            // Another writer created the file or removed the draft. The next round looks for the
            // file again.
            Linked::Exists | Linked::Gone => {}
        }
    }
    Err(unavailable(format!("{} is created and removed repeatedly", part.path(file))))
}

/// Returns true if the file holds the event of `record`, and false if it holds other content;
/// `None` if there is no file.
fn look(part: &files::Folder, file: &str, record: &Record) -> Result<Option<bool>, InboxError> {
    let max = length(&record.bytes).saturating_add(SLACK_BYTES);
    let Some(kept) = part.read(file, max).map_err(failed)? else { return Ok(None) };
    Ok(Some(length(&kept) <= max && record.is_kept_in(&kept)))
}
