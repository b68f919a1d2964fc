//! The inbox directory and its three subdirectories.

use messaging_runtime::files;

use crate::bindings::exports::messaging::integration::inbox::InboxError;
use crate::failure::failed;

/// Guest path of the inbox directory, required if the host opens several directories.
const GUEST_PATH: &str = "/inbox";

/// An open inbox.
pub struct Folder {
    root: files::Folder,
    /// Events, one file for each key.
    pub events: files::Folder,
    /// Conflicting events. For each of them, `events` has a different event under the same key.
    pub conflict: files::Folder,
    /// Drafts of files, not yet linked into another directory.
    pub tmp: files::Folder,
}

impl Folder {
    /// Opens the inbox. Creates missing directories.
    pub fn open() -> Result<Self, InboxError> {
        let root = files::Folder::root(GUEST_PATH, "inbox").map_err(failed)?;
        let folder = |name| root.folder(name).map_err(failed);
        let (events, conflict, tmp) = (folder("events")?, folder("conflict")?, folder("tmp")?);
        Ok(Self { events, conflict, tmp, root })
    }

    /// Makes the files in `part` durable: they survive a power failure.
    pub fn sync(&self, part: &files::Folder) -> Result<(), InboxError> {
        part.sync().map_err(failed)?;
        // Syncs the root for every file, because the call that created `part` may have ended before
        // its sync.
        self.root.sync().map_err(failed)
    }
}
