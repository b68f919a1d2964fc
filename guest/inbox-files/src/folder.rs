//! The inbox's folder and the three folders in it.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{borrow::Cow, format};

use ::wasi::filesystem::preopens;
use ::wasi::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags};

use crate::bindings::exports::messaging::integration::inbox::InboxError;
use crate::failure::{not_set_up, refused};

/// The host's name for the folder, where it opens several.
const GUEST_PATH: &str = "/inbox";

/// A folder of the inbox, with its name for messages.
pub struct Part {
    /// The folder itself.
    pub descriptor: Descriptor,
    name: &'static str,
}

/// The open inbox.
pub struct Folder {
    root: Part,
    /// The events, one file for each key.
    pub events: Part,
    /// Events whose key is that of another.
    pub conflict: Part,
    /// Files that are being written.
    pub tmp: Part,
}

impl Folder {
    /// Opens the inbox. Makes the folders that are missing.
    pub fn open() -> Result<Self, InboxError> {
        let root = Part { descriptor: root(preopens::get_directories())?, name: "." };
        Ok(Self {
            events: root.part("events")?,
            conflict: root.part("conflict")?,
            tmp: root.part("tmp")?,
            root,
        })
    }

    /// Returns when what stands in `part` would survive a loss of power.
    pub fn sync(&self, part: &Part) -> Result<(), InboxError> {
        part.sync()?;
        // `part` itself may be new. Not only this call's business: the one that made
        // it may have been cut off before it came to this.
        self.root.sync()
    }
}

impl Part {
    /// A file's path, for messages.
    pub fn path(&self, file: &str) -> Cow<'static, str> {
        format!("{}/{file}", self.name).into()
    }

    fn part(&self, name: &'static str) -> Result<Self, InboxError> {
        // No `symlink-follow`, here and everywhere: a link is no folder of the inbox.
        let open = || {
            self.descriptor.open_at(
                PathFlags::empty(),
                name,
                OpenFlags::DIRECTORY,
                DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY,
            )
        };
        let opened = match open() {
            Err(ErrorCode::NoEntry) => {
                match self.descriptor.create_directory_at(name) {
                    // `exist`: another call was faster.
                    Ok(()) | Err(ErrorCode::Exist) => {}
                    Err(code) => return Err(refused("make the folder", name, code)),
                }
                open()
            }
            opened => opened,
        };
        let descriptor = opened.map_err(|code| refused("open the folder", name, code))?;
        Ok(Self { descriptor, name })
    }

    fn sync(&self) -> Result<(), InboxError> {
        match self.descriptor.sync() {
            Ok(()) => Ok(()),
            // These say that this host cannot sync folders at all (Windows has no such
            // thing): what is left is what its file system does by itself.
            Err(
                ErrorCode::Access
                | ErrorCode::BadDescriptor
                | ErrorCode::Invalid
                | ErrorCode::IsDirectory
                | ErrorCode::NotPermitted
                | ErrorCode::Unsupported,
            ) => Ok(()),
            Err(code) => Err(refused("sync the folder", self.name, code)),
        }
    }
}

fn root(mut open: Vec<(Descriptor, String)>) -> Result<Descriptor, InboxError> {
    if let Some(index) = open.iter().position(|(_, path)| path == GUEST_PATH) {
        return Ok(open.swap_remove(index).0);
    }
    match open.pop() {
        Some((only, _)) if open.is_empty() => Ok(only),
        Some(_) => Err(not_set_up(
            "the host opens several folders to the inbox, and none of them as /inbox. Open one under that name",
        )),
        None => Err(not_set_up(
            "the host opens no folder to the inbox. Open one as /inbox, for reading and writing",
        )),
    }
}
