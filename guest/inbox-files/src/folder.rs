//! The inbox's folder and the three folders in it.

use messaging_runtime::files;

use crate::bindings::exports::messaging::integration::inbox::InboxError;
use crate::failure::failed;

/// The host's name for the folder, where it opens several.
const GUEST_PATH: &str = "/inbox";

/// The open inbox.
pub struct Folder {
    root: files::Folder,
    /// The events, one file for each key.
    pub events: files::Folder,
    /// Events whose key is that of another.
    pub conflict: files::Folder,
    /// Files that are being written.
    pub tmp: files::Folder,
}

impl Folder {
    /// Opens the inbox. Makes the folders that are missing.
    pub fn open() -> Result<Self, InboxError> {
        let root = files::Folder::root(GUEST_PATH, "inbox").map_err(failed)?;
        let folder = |name| root.folder(name).map_err(failed);
        let (events, conflict, tmp) = (folder("events")?, folder("conflict")?, folder("tmp")?);
        Ok(Self { events, conflict, tmp, root })
    }

    /// Returns when what stands in `part` would survive a loss of power.
    pub fn sync(&self, part: &files::Folder) -> Result<(), InboxError> {
        part.sync().map_err(failed)?;
        // `part` itself may be new. Not only this call's business: the one that made
        // it may have been cut off before it came to this.
        self.root.sync().map_err(failed)
    }
}
