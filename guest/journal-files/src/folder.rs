//! The journal's folder: reads a key's current text, and makes the next one.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use messaging_names::{hex, keyed, name};
use messaging_runtime::files::{Failure, Folder, Linked};
use sha2::{Digest, Sha256};

use crate::bindings::exports::messaging::integration::journal as wit;

/// Longest text, as the WIT has it.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Longest file: a text and its key.
const MAX_FILE_BYTES: u64 = 66 * 1024;
/// The host's name for the folder, where it opens several.
const GUEST_PATH: &str = "/journal";
/// Number of times that a call begins again because others were at work on the same key. Each
/// time one of them has made progress.
const MAX_ROUNDS: u32 = 8;
/// Most texts of a key. Each attempt makes two; to look for the highest number has to stay cheap.
const MAX_NUMBER: u32 = 10_000;
/// How many earlier texts are looked at and emptied: one, and those whose process was killed
/// before it came to it.
const EMPTIED: u32 = 4;
/// Keys on one page.
const PAGE_KEYS: usize = 100;

/// The open journal.
pub struct Journal {
    root: Folder,
    entries: Folder,
    tmp: Folder,
}

/// A key's current text.
pub struct Current {
    /// Its number.
    number: u32,
    /// The key that the file names.
    key: String,
    /// The text.
    pub text: String,
}

impl Journal {
    /// Opens the journal. Makes the folders that are missing.
    pub fn open() -> Result<Self, Failure> {
        let root = Folder::root(GUEST_PATH, "journal")?;
        let (entries, tmp) = (root.folder("entries")?, root.folder("tmp")?);
        Ok(Self { root, entries, tmp })
    }

    /// The current text of a key, durably.
    pub fn current(&self, key: &str) -> Result<Option<Current>, Failure> {
        let Some(folder) = self.entries.find(&name(key))? else { return Ok(None) };
        self.current_in(&folder, Some(key))
    }

    fn current_in(&self, folder: &Folder, key: Option<&str>) -> Result<Option<Current>, Failure> {
        for _ in 0..MAX_ROUNDS {
            let Some(number) = highest(folder)? else { return Ok(None) };
            let file = file_name(number);
            let bytes = folder.read(&file, MAX_FILE_BYTES)?;
            // Emptied while it was read, because there is a later one.
            if highest(folder)? != Some(number) {
                continue;
            }
            let read = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            let read = read.as_deref().and_then(keyed::read);
            return match read {
                Some((found, text)) if key.is_none_or(|key| key == found) => {
                    // Whoever placed it may have been cut off before its sync, and what is
                    // answered now must not be forgotten.
                    self.sync(folder)?;
                    Ok(Some(Current { number, key: found, text: text.to_string() }))
                }
                _ => Err(Failure::Damaged(format!(
                    "{} is not what was written there. Put back what was, from a copy",
                    folder.path(&file)
                ))),
            };
        }
        Err(Failure::Unavailable(format!("{} changes all the time", folder.path(""))))
    }

    /// Gives a key a new text if its text is the expected one.
    pub fn swap(
        &self,
        key: &str,
        expected: Option<String>,
        new: &str,
    ) -> Result<wit::SwapOutcome, Failure> {
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
                return Err(Failure::Unavailable(format!(
                    "{} has {MAX_NUMBER} texts. Use another key",
                    folder.path("")
                )));
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
                // Another process was faster. What is there now decides.
                Linked::Exists => self.tmp.discard(&draft),
                Linked::Gone => {}
            }
        }
        Err(Failure::Unavailable(format!("{} changes all the time", folder.path(""))))
    }

    /// A page of keys, in the order of their names.
    pub fn list(&self, after: Option<&str>) -> Result<wit::Page, Failure> {
        let mut names: Vec<String> = Vec::new();
        self.entries.names(|name| {
            if after.is_some_and(|after| *name <= *after) {
                return;
            }
            let place = names.partition_point(|known| *known < name);
            if place <= PAGE_KEYS {
                names.insert(place, name);
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
                // A folder that has no text yet.
                Ok(None) => continue,
                // Listed as what cannot be read, and no end of the list: it is no text of any
                // version.
                Err(Failure::Damaged(_)) => {
                    wit::Item { key: format!("entries/{name}"), text: String::new() }
                }
                Err(failure) => return Err(failure),
            });
        }
        Ok(wit::Page { items, next: names.pop().filter(|_| more) })
    }

    /// Returns when what stands in a key's folder would survive a loss of power. The folders above
    /// may be new as well: whoever made them may have been cut off.
    fn sync(&self, folder: &Folder) -> Result<(), Failure> {
        folder.sync()?;
        self.entries.sync()?;
        self.root.sync()
    }
}

/// The highest number in a key's folder.
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
