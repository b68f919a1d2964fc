//! Puts a record in its file: writes and syncs it under a name of its own, then links it to its
//! place. A link is made where there is none, or not at all, so of any number of writers one
//! places the file, and nobody ever sees half of one.

use alloc::format;
use alloc::vec::Vec;

use ::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode, Filesize, OpenFlags, PathFlags,
};
use messaging_webhook_core::record::{MAX_CONFLICTS, Record};

use crate::bindings::exports::messaging::integration::inbox::{InboxError, Stored};
use crate::failure::{refused, unavailable};
use crate::folder::{Folder, Part};

/// Number of times that a writer begins again because others were at work on the same file.
/// Each time one of them has made progress, so this is reached by no honest folder.
const MAX_ROUNDS: u32 = 8;
/// By how much a file may be longer than the record and still hold the same event:
/// what stands beside the event may differ.
const SLACK_BYTES: Filesize = 64 * 1024;

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
fn check_room(conflict: &Part, record: &Record) -> Result<(), InboxError> {
    let failed = |code| refused("list", &conflict.path(""), code);
    let prefix = format!("{}.", record.name);
    let length = prefix.len().saturating_add(record.digest.len()).saturating_add(".json".len());
    let entries = conflict.descriptor.read_directory().map_err(failed)?;
    let mut found = 0_usize;
    while let Some(entry) = entries.read_directory_entry().map_err(failed)? {
        if entry.name.len() == length && entry.name.starts_with(&prefix) {
            found = found.saturating_add(1);
        }
    }
    if found < MAX_CONFLICTS {
        return Ok(());
    }
    Err(unavailable(format!(
        "{MAX_CONFLICTS} different events are kept as {prefix}*.json in conflict, and this is another. Its sender uses one key for different events: look at them, and move some away"
    )))
}

fn place(
    folder: &Folder,
    part: &Part,
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
            discard(folder, &draft);
            return Ok(PlaceOutcome::Same);
        }
        write(&folder.tmp, &draft, &record.bytes)?;
        let from = &folder.tmp.descriptor;
        match from.link_at(PathFlags::empty(), &draft, &part.descriptor, file) {
            Ok(()) => {
                folder.sync(part)?;
                discard(folder, &draft);
                return Ok(PlaceOutcome::New);
            }
            // `exist`: another writer was faster. `no-entry`: one of the same bytes was,
            // and has removed the draft. What is there now decides.
            Err(ErrorCode::Exist | ErrorCode::NoEntry) => {}
            Err(code @ (ErrorCode::Unsupported | ErrorCode::NotPermitted)) => {
                return Err(unavailable(format!(
                    "the inbox cannot link {}: {}. Its file system may have no hard links; use one that has",
                    part.path(file),
                    code.name()
                )));
            }
            Err(code) => return Err(refused("link", &part.path(file), code)),
        }
    }
    Err(unavailable(format!("{} appears and disappears", part.path(file))))
}

/// Whether the file holds the record's event; none where there is no file.
fn look(part: &Part, file: &str, record: &Record) -> Result<Option<bool>, InboxError> {
    let failed = |operation, code| refused(operation, &part.path(file), code);
    // Looked at before it is opened: to open a pipe would wait for its other end.
    let found = match part.descriptor.stat_at(PathFlags::empty(), file) {
        Ok(found) => found,
        Err(ErrorCode::NoEntry) => return Ok(None),
        Err(code) => return Err(failed("look at", code)),
    };
    if found.type_ != DescriptorType::RegularFile {
        return Err(unavailable(format!(
            "{} is not a regular file. Move it away",
            part.path(file)
        )));
    }
    let max = length(&record.bytes).saturating_add(SLACK_BYTES);
    if found.size > max {
        return Ok(Some(false));
    }
    let opened = part.descriptor.open_at(
        PathFlags::empty(),
        file,
        OpenFlags::empty(),
        DescriptorFlags::READ,
    );
    let opened = match opened {
        Ok(opened) => opened,
        Err(ErrorCode::NoEntry) => return Ok(None),
        Err(code) => return Err(failed("open", code)),
    };
    let kept = read(&opened, max).map_err(|code| failed("read", code))?;
    Ok(Some(record.is_kept_in(&kept)))
}

/// The whole file; of one that is longer than `max`, at least one byte more than that.
fn read(file: &Descriptor, max: Filesize) -> Result<Vec<u8>, ErrorCode> {
    let mut bytes = Vec::new();
    loop {
        let offset = length(&bytes);
        if offset > max {
            return Ok(bytes);
        }
        let (part, end) = file.read(max.saturating_add(1).saturating_sub(offset), offset)?;
        bytes.extend_from_slice(&part);
        if end || part.is_empty() {
            return Ok(bytes);
        }
    }
}

/// Writes and syncs a draft, whose name stands for its bytes: whoever else writes it
/// now, or began to before a crash, writes the same bytes to the same places. It is
/// never truncated, because it may already be linked to its place.
fn write(tmp: &Part, draft: &str, bytes: &[u8]) -> Result<(), InboxError> {
    let failed = |operation, code| refused(operation, &tmp.path(draft), code);
    let file = tmp
        .descriptor
        .open_at(
            PathFlags::empty(),
            draft,
            OpenFlags::CREATE,
            DescriptorFlags::READ | DescriptorFlags::WRITE,
        )
        .map_err(|code| failed("open", code))?;
    let found = file.stat().map_err(|code| failed("look at", code))?;
    if found.type_ != DescriptorType::RegularFile || found.size > length(bytes) {
        return Err(unavailable(format!(
            "{} is not what was written there. Remove it",
            tmp.path(draft)
        )));
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        let offset = length(bytes).saturating_sub(length(rest));
        let written = file.write(rest, offset).map_err(|code| failed("write", code))?;
        rest = match usize::try_from(written).ok().and_then(|written| rest.get(written..)) {
            Some(left) if left.len() < rest.len() => left,
            _ => return Err(failed("write", ErrorCode::Io)),
        };
    }
    file.sync().map_err(|code| failed("sync", code))
}

/// Removes a draft. One that stays behind does no harm.
fn discard(folder: &Folder, draft: &str) {
    let _ = folder.tmp.descriptor.unlink_file_at(draft);
}

fn length(bytes: &[u8]) -> Filesize {
    Filesize::try_from(bytes.len()).unwrap_or(Filesize::MAX)
}
