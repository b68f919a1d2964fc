//! Folders that the host opens, and files that appear in them whole: written and synced under a
//! name of their own, then linked to their place. A link is made where there is none, or not at all,
//! so of any number of writers one places a file, and nobody ever sees half of one.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ::wasi::filesystem::preopens;
use ::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode, Filesize, OpenFlags, PathFlags,
};

/// Reason why a file or a folder cannot be used.
pub enum Failure {
    /// Somebody has to change what the component may do.
    NotSetUp(String),
    /// Something else is there than was written: somebody has to mend the folder.
    Damaged(String),
    /// It may pass.
    Unavailable(String),
}

/// A folder, with its path for messages.
pub struct Folder {
    descriptor: Descriptor,
    path: Cow<'static, str>,
}

/// Outcome of giving a file its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    /// It is there now.
    Placed,
    /// Something is there already.
    Exists,
    /// The draft is gone: another writer of the same bytes has placed it.
    Gone,
}

impl Folder {
    /// Opens the folder that the host names `guest_path`, or the only one that it opens; `owner`
    /// names the component in messages.
    ///
    /// # Errors
    /// There is none, or several of other names.
    pub fn root(guest_path: &str, owner: &str) -> Result<Self, Failure> {
        let mut open = preopens::get_directories();
        let named = open.iter().position(|(_, path)| path == guest_path);
        let found = match named {
            Some(index) => Some(open.swap_remove(index).0),
            None => open.pop().filter(|_| open.is_empty()).map(|(only, _)| only),
        };
        if let Some(descriptor) = found {
            return Ok(Self { descriptor, path: ".".into() });
        }
        Err(Failure::NotSetUp(match open.is_empty() {
            true => format!(
                "the host opens no folder to the {owner}. Open one as {guest_path}, for reading and writing"
            ),
            false => format!(
                "the host opens several folders to the {owner}, and none of them as {guest_path}. Open one under that name"
            ),
        }))
    }

    /// Returns a file's path, for messages.
    #[must_use]
    pub fn path(&self, file: &str) -> String {
        if self.path == "." { file.to_string() } else { format!("{}/{file}", self.path) }
    }

    /// Opens a folder in this one; makes it where it is missing.
    ///
    /// # Errors
    /// The host refuses it.
    pub fn folder(&self, name: &str) -> Result<Self, Failure> {
        if let Some(found) = self.find(name)? {
            return Ok(found);
        }
        match self.descriptor.create_directory_at(name) {
            // `exist`: another call was faster.
            Ok(()) | Err(ErrorCode::Exist) => {}
            Err(code) => return Err(self.refused("make the folder", name, code)),
        }
        self.find(name)?.ok_or_else(|| self.refused("open the folder", name, ErrorCode::NoEntry))
    }

    /// Opens a folder in this one; none where it is missing.
    ///
    /// # Errors
    /// The host refuses it.
    pub fn find(&self, name: &str) -> Result<Option<Self>, Failure> {
        // No `symlink-follow`, here and everywhere: a link is no folder of ours.
        let flags = DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY;
        match self.descriptor.open_at(PathFlags::empty(), name, OpenFlags::DIRECTORY, flags) {
            Ok(descriptor) => Ok(Some(Self { descriptor, path: self.path(name).into() })),
            Err(ErrorCode::NoEntry) => Ok(None),
            Err(code) => Err(self.refused("open the folder", name, code)),
        }
    }

    /// Returns when what stands in the folder would survive a loss of power.
    ///
    /// # Errors
    /// The host could not sync it.
    pub fn sync(&self) -> Result<(), Failure> {
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
            Err(code) => Err(self.refused("sync the folder", "", code)),
        }
    }

    /// Calls `each` with the names in the folder, in any order.
    ///
    /// # Errors
    /// The host could not list it.
    pub fn names(&self, mut each: impl FnMut(String)) -> Result<(), Failure> {
        let failed = |code| self.refused("list the folder", "", code);
        let entries = self.descriptor.read_directory().map_err(failed)?;
        while let Some(entry) = entries.read_directory_entry().map_err(failed)? {
            each(entry.name);
        }
        Ok(())
    }

    /// Reads a file; of one that is longer than `max`, at least one byte more than that. None
    /// where there is no file.
    ///
    /// # Errors
    /// It is no regular file, or the host refuses it.
    pub fn read(&self, file: &str, max: Filesize) -> Result<Option<Vec<u8>>, Failure> {
        // Looked at before it is opened: to open a pipe would wait for its other end.
        let found = match self.descriptor.stat_at(PathFlags::empty(), file) {
            Ok(found) => found,
            Err(ErrorCode::NoEntry) => return Ok(None),
            Err(code) => return Err(self.refused("look at", file, code)),
        };
        if found.type_ != DescriptorType::RegularFile {
            return Err(Failure::Damaged(format!(
                "{} is not a regular file. Move it away",
                self.path(file)
            )));
        }
        let read = DescriptorFlags::READ;
        let opened = self.descriptor.open_at(PathFlags::empty(), file, OpenFlags::empty(), read);
        let opened = match opened {
            Ok(opened) => opened,
            Err(ErrorCode::NoEntry) => return Ok(None),
            Err(code) => return Err(self.refused("open", file, code)),
        };
        let bytes = read_to(&opened, max).map_err(|code| self.refused("read", file, code))?;
        Ok(Some(bytes))
    }

    /// Writes and syncs a draft, whose name stands for its bytes: whoever else writes it
    /// now, or began to before a crash, writes the same bytes to the same places. It is
    /// never truncated, because it may already be linked to its place.
    ///
    /// # Errors
    /// The host refuses it, or something else is there.
    pub fn write(&self, draft: &str, bytes: &[u8]) -> Result<(), Failure> {
        let failed = |operation, code| self.refused(operation, draft, code);
        let flags = DescriptorFlags::READ | DescriptorFlags::WRITE;
        let file = self
            .descriptor
            .open_at(PathFlags::empty(), draft, OpenFlags::CREATE, flags)
            .map_err(|code| failed("open", code))?;
        let found = file.stat().map_err(|code| failed("look at", code))?;
        if found.type_ != DescriptorType::RegularFile || found.size > length(bytes) {
            return Err(Failure::Damaged(format!(
                "{} is not what was written there. Remove it",
                self.path(draft)
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

    /// Gives a draft of this folder its place in another. The other has to be synced.
    ///
    /// # Errors
    /// The host refuses it.
    pub fn link(&self, draft: &str, to: &Self, file: &str) -> Result<Linked, Failure> {
        match self.descriptor.link_at(PathFlags::empty(), draft, &to.descriptor, file) {
            Ok(()) => Ok(Linked::Placed),
            Err(ErrorCode::Exist) => Ok(Linked::Exists),
            Err(ErrorCode::NoEntry) => Ok(Linked::Gone),
            Err(code @ (ErrorCode::Unsupported | ErrorCode::NotPermitted)) => {
                Err(Failure::Unavailable(format!(
                    "{} cannot be linked: {}. Its file system may have no hard links; use one that has",
                    to.path(file),
                    code.name()
                )))
            }
            Err(code) => Err(to.refused("link", file, code)),
        }
    }

    /// Removes a draft. One that stays behind does no harm.
    pub fn discard(&self, draft: &str) {
        let _ = self.descriptor.unlink_file_at(draft);
    }

    /// Takes a file's contents away, and leaves its name. One that keeps them does no harm.
    pub fn empty(&self, file: &str) {
        let write = DescriptorFlags::WRITE;
        let found = self.descriptor.stat_at(PathFlags::empty(), file);
        if found.is_ok_and(|found| found.size > 0 && found.type_ == DescriptorType::RegularFile)
            && let Ok(opened) =
                self.descriptor.open_at(PathFlags::empty(), file, OpenFlags::empty(), write)
        {
            let _ = opened.set_size(0);
        }
    }

    /// An operation on a file of this folder that the host refused.
    fn refused(&self, operation: &str, file: &str, code: ErrorCode) -> Failure {
        let path = if file.is_empty() { self.path.to_string() } else { self.path(file) };
        let text = format!("cannot {operation} {path}: {}", code.name());
        match code {
            // Waiting does not help: somebody has to change what the component may do.
            ErrorCode::Access | ErrorCode::NotPermitted | ErrorCode::ReadOnly => Failure::NotSetUp(
                format!("{text}. Open the folder to the component for reading and writing"),
            ),
            ErrorCode::InsufficientSpace | ErrorCode::Quota => {
                Failure::Unavailable(format!("{text}. Make room on its disk"))
            }
            ErrorCode::Loop => Failure::Damaged(format!("{text}. Remove the symbolic link there")),
            ErrorCode::NotDirectory => Failure::Damaged(format!("{text}. Move it away")),
            _ => Failure::Unavailable(text),
        }
    }
}

/// The whole file; of one that is longer than `max`, at least one byte more than that.
fn read_to(file: &Descriptor, max: Filesize) -> Result<Vec<u8>, ErrorCode> {
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

/// Number of bytes, as files have it.
#[must_use]
pub fn length(bytes: &[u8]) -> Filesize {
    Filesize::try_from(bytes.len()).unwrap_or(Filesize::MAX)
}
