//! Directories that the host opens, and atomic creation of files in them. A draft is written and
//! synced under its own name, then hard-linked to its final name. A link fails if the name exists.
//! Therefore only one of several writers creates the file, and readers never see a partial file.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ::wasi::filesystem::preopens;
use ::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode, Filesize, OpenFlags, PathFlags,
};

/// The reason why a file or a directory is unusable.
pub enum Failure {
    /// An operator must change the directories or the permissions of the component.
    NotSetUp(String),
    /// A file in the directory is damaged, or another program created it. An operator must repair
    /// the directory.
    Damaged(String),
    /// A temporary failure.
    Unavailable(String),
}

/// An open directory, and its path for error messages.
pub struct Folder {
    descriptor: Descriptor,
    path: Cow<'static, str>,
}

/// The result of hard-linking a temporary file to its final name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    /// The link was created.
    Placed,
    /// The name exists.
    Exists,
    /// The draft is missing: another writer of the same bytes removed it.
    Gone,
}

impl Folder {
    /// Returns the directory that the host opened as `guest_path`, or the only directory that the
    /// host opened. `owner` names the component in messages.
    ///
    /// # Errors
    /// Returns `NotSetUp` if the host opens no directory, or several directories without one named
    /// `guest_path`.
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
                "the host opens no directory for the {owner}. Open one as {guest_path}, for reading and writing"
            ),
            false => format!(
                "the host opens several directories for the {owner}, but none as {guest_path}. Open one under this name"
            ),
        }))
    }

    /// Returns the path of a file, for messages.
    pub fn path(&self, file: &str) -> String {
        if self.path == "." { file.to_string() } else { format!("{}/{file}", self.path) }
    }

    /// Opens a subdirectory; creates it if it is missing.
    ///
    /// # Errors
    /// Returns a failure if the host rejects the operation.
    pub fn folder(&self, name: &str) -> Result<Self, Failure> {
        if let Some(found) = self.find(name)? {
            return Ok(found);
        }
        match self.descriptor.create_directory_at(name) {
            // `Exist`: another call has created the directory.
            Ok(()) | Err(ErrorCode::Exist) => {}
            Err(code) => return Err(self.refused("create the directory", name, code)),
        }
        self.find(name)?.ok_or_else(|| self.refused("open the directory", name, ErrorCode::NoEntry))
    }

    /// Opens a subdirectory; `None` if it is missing.
    ///
    /// # Errors
    /// Returns a failure if the host rejects the operation.
    pub fn find(&self, name: &str) -> Result<Option<Self>, Failure> {
        // Never follow symbolic links.
        let flags = DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY;
        match self.descriptor.open_at(PathFlags::empty(), name, OpenFlags::DIRECTORY, flags) {
            Ok(descriptor) => Ok(Some(Self { descriptor, path: self.path(name).into() })),
            Err(ErrorCode::NoEntry) => Ok(None),
            Err(code) => Err(self.refused("open the directory", name, code)),
        }
    }

    /// Syncs the directory, so that its entries survive a power failure. If the host cannot sync
    /// directories (as on Windows), the function does nothing, and durability depends on the file
    /// system of the host.
    ///
    /// # Errors
    /// Returns a failure if the host can sync directories, and the sync fails.
    pub fn sync(&self) -> Result<(), Failure> {
        match self.descriptor.sync() {
            Ok(()) => Ok(()),
            Err(
                ErrorCode::Access
                | ErrorCode::BadDescriptor
                | ErrorCode::Invalid
                | ErrorCode::IsDirectory
                | ErrorCode::NotPermitted
                | ErrorCode::Unsupported,
            ) => Ok(()),
            Err(code) => Err(self.refused("sync the directory", "", code)),
        }
    }

    /// Calls `each` with every name in the directory, in any order.
    ///
    /// # Errors
    /// Returns a failure if the host cannot list the directory.
    pub fn names(&self, mut each: impl FnMut(String)) -> Result<(), Failure> {
        let failed = |code| self.refused("list the directory", "", code);
        let entries = self.descriptor.read_directory().map_err(failed)?;
        while let Some(entry) = entries.read_directory_entry().map_err(failed)? {
            each(entry.name);
        }
        Ok(())
    }

    /// Reads a file; `None` if it is missing. If the file is longer than `max` bytes, the result is
    /// also longer than `max` bytes, and may be incomplete.
    ///
    /// # Errors
    /// Returns a failure if the name is not a regular file, or if the host rejects the operation.
    pub fn read(&self, file: &str, max: Filesize) -> Result<Option<Vec<u8>>, Failure> {
        // Checks the type first, because opening a pipe would block.
        let found = match self.descriptor.stat_at(PathFlags::empty(), file) {
            Ok(found) => found,
            Err(ErrorCode::NoEntry) => return Ok(None),
            Err(code) => return Err(self.refused("look at", file, code)),
        };
        if found.type_ != DescriptorType::RegularFile {
            return Err(Failure::Damaged(format!(
                "{} is not a regular file. Move it to another directory",
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

    /// Writes and syncs a draft. The name of a draft must determine its bytes. Concurrent and
    /// earlier writers then write equal bytes at equal offsets. Never truncates the file, because
    /// it may already be linked.
    ///
    /// # Errors
    /// Returns a failure if the host rejects the operation, if the name is not a regular file, or
    /// if its file is longer than `bytes`.
    pub fn write(&self, draft: &str, bytes: &[u8]) -> Result<(), Failure> {
        let failed = |operation, code| self.refused(operation, draft, code);
        let flags = DescriptorFlags::READ | DescriptorFlags::WRITE;
        let file = self
            .descriptor
            .open_at(PathFlags::empty(), draft, OpenFlags::CREATE, flags)
            .map_err(|code| failed("open", code))?;
        let found = file.stat().map_err(|code| failed("look at", code))?;
        if found.type_ != DescriptorType::RegularFile || found.size > length(bytes) {
            return Err(Failure::Damaged(format!("{} is damaged. Remove it", self.path(draft))));
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

    /// Hard-links a draft of this directory into the directory `to`, under the name `file`. The
    /// caller must sync `to`.
    ///
    /// # Errors
    /// Returns a failure if the host rejects the operation for another reason than an existing
    /// `file` or a missing `draft`.
    pub fn link(&self, draft: &str, to: &Self, file: &str) -> Result<Linked, Failure> {
        match self.descriptor.link_at(PathFlags::empty(), draft, &to.descriptor, file) {
            Ok(()) => Ok(Linked::Placed),
            Err(ErrorCode::Exist) => Ok(Linked::Exists),
            Err(ErrorCode::NoEntry) => Ok(Linked::Gone),
            Err(code @ (ErrorCode::Unsupported | ErrorCode::NotPermitted)) => {
                Err(Failure::Unavailable(format!(
                    "{} cannot be linked: {}. Its file system may have no hard links; use another file system",
                    to.path(file),
                    code.name()
                )))
            }
            Err(code) => Err(to.refused("link", file, code)),
        }
    }

    /// Removes a draft. Ignores errors, because an old draft is harmless.
    pub fn discard(&self, draft: &str) {
        let _ = self.descriptor.unlink_file_at(draft);
    }

    /// Truncates a file and keeps its name. Ignores errors, because truncation only saves space.
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

    /// Returns the failure of an operation that the host rejected.
    fn refused(&self, operation: &str, file: &str, code: ErrorCode) -> Failure {
        let path = if file.is_empty() { self.path.to_string() } else { self.path(file) };
        let text = format!("cannot {operation} {path}: {}", code.name());
        match code {
            // Permanent, because an operator must change the permissions.
            ErrorCode::Access | ErrorCode::NotPermitted | ErrorCode::ReadOnly => Failure::NotSetUp(
                format!("{text}. Open the directory for the component, for reading and writing"),
            ),
            ErrorCode::InsufficientSpace | ErrorCode::Quota => {
                Failure::Unavailable(format!("{text}. Free space on its disk"))
            }
            ErrorCode::Loop => Failure::Damaged(format!("{text}. Remove the symbolic link there")),
            ErrorCode::NotDirectory => Failure::Damaged(format!(
                "{text}. A file has the name of this directory; move the file elsewhere"
            )),
            _ => Failure::Unavailable(text),
        }
    }
}

/// Reads a file up to its end, or to `max` + 1 bytes.
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

/// Returns the length as a file size.
pub fn length(bytes: &[u8]) -> Filesize {
    Filesize::try_from(bytes.len()).unwrap_or(Filesize::MAX)
}
