//! The journal directory: reads the current value of a key and creates the next value.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use messaging_core::names::{hex, keyed, name};
use messaging_runtime::files::{Failure, Folder, Linked};
use sha2::{Digest, Sha256};

use crate::bindings::exports::messaging::integration::journal as wit;

/// Maximum length of a value in bytes, from the WIT.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Maximum length of a file in bytes: a value and its key.
const MAX_FILE_BYTES: u64 = 66 * 1024;
/// Guest path of the journal directory, required if the host opens several directories.
const GUEST_PATH: &str = "/journal";
/// Maximum number of attempts to read or replace a value in one call. An attempt fails only if
/// another process changed the key.
const MAX_ROUNDS: u32 = 8;
/// Maximum number of values of a key. The number is limited, because each call reads the names of
/// all files of the key. Each attempt to send writes two values: the intent and the outcome.
const MAX_NUMBER: u32 = 10_000;
/// Maximum number of earlier files that a swap empties: the previous file, and up to three that
/// killed processes did not empty.
const EMPTIED: u32 = 4;
/// Maximum number of entries on a page.
const PAGE_KEYS: usize = 100;

/// An open journal.
pub struct Journal {
    root: Folder,
    entries: Folder,
    tmp: Folder,
}

/// The current value of a key.
pub struct Current {
    /// Number of the file that holds the value.
    number: u32,
    /// The key, as stored in the file.
    key: String,
    /// The value.
    pub text: String,
}

impl Journal {
    /// Opens the journal. Creates missing directories.
    pub fn open() -> Result<Self, Failure> {
        let root = Folder::root(GUEST_PATH, "journal")?;
        let (entries, tmp) = (root.folder("entries")?, root.folder("tmp")?);
        Ok(Self { root, entries, tmp })
    }

    /// Returns the current value of a key, after making it durable.
    pub fn current(&self, key: &str) -> Result<Option<Current>, Failure> {
        let Some(folder) = self.entries.find(&name(key))? else { return Ok(None) };
        self.current_in(&folder, Some(key))
    }

    fn current_in(&self, folder: &Folder, key: Option<&str>) -> Result<Option<Current>, Failure> {
        for _ in 0..MAX_ROUNDS {
            let Some(number) = highest(folder)? else { return Ok(None) };
            let file = file_name(number);
            let bytes = folder.read(&file, MAX_FILE_BYTES)?;
            // Another process added a later value, and may have emptied this file.
            if highest(folder)? != Some(number) {
                continue;
            }
            let read = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            let read = read.as_deref().and_then(keyed::read);
            return match read {
                Some((found, text)) if key.is_none_or(|key| key == found) => {
                    // The call that placed the file may have ended before its sync. A returned
                    // value must be durable.
                    self.sync(folder)?;
                    Ok(Some(Current { number, key: found, text: text.to_string() }))
                }
                _ => Err(Failure::Damaged(format!(
                    "{} is damaged. Restore it from a backup",
                    folder.path(&file)
                ))),
            };
        }
        Err(changes_too_fast(folder))
    }

    /// Replaces the value of a key if the value equals `expected`.
    pub fn swap(
        &self,
        key: &str,
        expected: Option<String>,
        new: &str,
    ) -> Result<wit::SwapOutcome, wit::JournalError> {
        let name = name(key);
        let bytes = keyed::print(key, new);
        let folder = self.entries.folder(&name)?;
        for _ in 0..MAX_ROUNDS {
            let current = self.current_in(&folder, Some(key))?;
            let number = current.as_ref().map_or(0, |current| current.number);
            let current = current.map(|current| current.text);
            if current != expected {
                return Ok(wit::SwapOutcome::Stale(current));
            }
            let next = number.saturating_add(1);
            if next > MAX_NUMBER {
                return Err(wit::JournalError::PermanentRejected(wit::Failure {
                    detail: format!("{} has {MAX_NUMBER} values. Use another key", folder.path("")),
                }));
            }
            let digest = hex::encode(&Sha256::digest(&bytes));
            let draft = format!("{name}.{next}.{digest}");
            self.tmp.write(&draft, bytes.as_bytes())?;
            match self.tmp.link(&draft, &folder, &file_name(next))? {
                Linked::Placed => {
                    self.sync(&folder)?;
                    self.tmp.discard(&draft);
                    for earlier in next.saturating_sub(EMPTIED).max(1)..next {
                        folder.empty(&file_name(earlier));
                    }
                    return Ok(wit::SwapOutcome::Swapped);
                }
                // Another process created the file first. The next round reads its value.
                Linked::Exists => self.tmp.discard(&draft),
                Linked::Gone => {}
            }
        }
        Err(changes_too_fast(&folder).into())
    }

    /// Returns a page of entries, in the order of their names.
    pub fn list(&self, after: Option<&str>) -> Result<wit::Page, Failure> {
        let mut names: Vec<String> = Vec::new();
        self.entries.names(|name| {
            if after.is_some_and(|after| *name <= *after) {
                return;
            }
            let index = names.partition_point(|known| *known < name);
            if index <= PAGE_KEYS {
                names.insert(index, name);
                names.truncate(PAGE_KEYS.saturating_add(1));
            }
        })?;
        let more = names.len() > PAGE_KEYS;
        names.truncate(PAGE_KEYS);
        let mut items = Vec::new();
        for name in &names {
            let found = self.entries.find(name).and_then(|folder| match folder {
                Some(folder) => self.current_in(&folder, None),
                None => Ok(None),
            });
            items.push(match found {
                Ok(Some(current)) => wit::Item { key: current.key, text: current.text },
                // The directory has no value yet.
                Ok(None) => continue,
                // Adds an unreadable entry, because a damaged file must not end the listing.
                Err(Failure::Damaged(_)) => {
                    wit::Item { key: format!("entries/{name}"), text: String::new() }
                }
                Err(failure) => return Err(failure),
            });
        }
        Ok(wit::Page { items, next: names.pop().filter(|_| more) })
    }

    /// Makes a key's directory durable: it survives a power failure. Syncs the parent directories
    /// too, because the call that created them may have ended before its sync.
    fn sync(&self, folder: &Folder) -> Result<(), Failure> {
        folder.sync()?;
        self.entries.sync()?;
        self.root.sync()
    }
}

fn changes_too_fast(folder: &Folder) -> Failure {
    Failure::Unavailable(format!("{} changes faster than it can be read", folder.path("")))
}

/// Returns the highest number in a key's directory.
fn highest(folder: &Folder) -> Result<Option<u32>, Failure> {
    let mut highest = None;
    folder.names(|name| {
        let digits = name.strip_suffix(".json").filter(|digits| digits.len() == DIGITS);
        highest = highest.max(digits.and_then(|digits| digits.parse().ok()));
    })?;
    Ok(highest)
}

const DIGITS: usize = 8;

fn file_name(number: u32) -> String {
    format!("{number:0DIGITS$}.json")
}
