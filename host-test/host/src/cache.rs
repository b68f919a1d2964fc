//! Compiled components, kept in a folder between processes: compiling takes a hundred
//! times as long as loading.
//!
//! A loaded file runs unchecked, with the rights of this host. So no file is loaded that
//! somebody else could have put there: the folder and every folder above it are this user's or
//! the system's, and nobody else may write there; the file is this user's, and nobody else may
//! write to it. It is opened once and read once, so that what is run is what was looked at. A
//! file's name is the digest of the component and of the engine (its version, its settings, the
//! processor's features); its last 4 bytes are a checksum of the others, so that what a full
//! disk or a crash left is not run. Files are written aside and renamed.
//!
//! | name | what it is |
//! |---|---|
//! | 64 hexadecimal digits, `.cwasm` | a compiled component |
//! | the same, 16 more digits, `.draft` | one that is being written |
//! | any other | somebody else's, and left alone |

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

const EXTENSION: &str = "cwasm";
const DRAFT_EXTENSION: &str = "draft";

/// Hexadecimal digits of a digest, and of what tells drafts apart.
const NAME_DIGITS: usize = 64;
const DRAFT_DIGITS: usize = 16;

/// The largest file that is read: a component of the largest size that a host takes compiles
/// to less. What is larger is damaged.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Number of files that are kept: each version of a component and of an engine makes another.
const KEPT: usize = 32;

/// Age of a draft that a killed process must have left: writing takes milliseconds.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// A folder of compiled components.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Uses `folder`, and makes it where there is none.
    ///
    /// # Errors
    /// It cannot be made, or somebody else may write to it or above it.
    pub fn open(folder: &Path) -> io::Result<Self> {
        private::make(folder)?;
        let folder = folder.canonicalize()?;
        private::check(&folder)?;
        Ok(Self { folder })
    }

    /// The user's own cache folder, if there is one.
    #[must_use]
    pub fn usual_folder() -> Option<PathBuf> {
        let folders = etcetera::choose_base_strategy().ok()?;
        Some(folders.cache_dir().join("messaging-plugin"))
    }

    /// The component, from the folder or compiled and put there. A folder that cannot be
    /// written to is no reason to fail.
    ///
    /// # Errors
    /// The bytes are no component.
    pub fn component(&self, engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Component> {
        let file = self.folder.join(name(engine, bytes)).with_extension(EXTENSION);
        if let Some(component) = load(engine, &file) {
            return Ok(component);
        }
        let compiled = engine.precompile_component(bytes)?;
        if let Err(error) = self.keep(&file, &compiled) {
            tracing::warn!(file = %file.display(), %error, "a compiled component cannot be cached");
        }
        // SAFETY: the engine has just made these bytes.
        unsafe { Component::deserialize(engine, &compiled) }
    }

    fn keep(&self, file: &Path, compiled: &[u8]) -> io::Result<()> {
        let aside = format!("{:016x}.{DRAFT_EXTENSION}", rand::random::<u64>());
        let draft = file.with_extension(aside);
        let written = private::create(&draft).and_then(|mut new| {
            new.write_all(compiled)?;
            new.write_all(&crc32fast::hash(compiled).to_le_bytes())
        });
        written.and_then(|()| fs::rename(&draft, file)).inspect_err(|_| {
            let _ = fs::remove_file(&draft);
        })?;
        self.forget()
    }

    /// Removes the oldest compiled components beyond those that are kept, and the drafts
    /// that killed processes left. Whatever has another name is somebody else's.
    fn forget(&self) -> io::Result<()> {
        let mut compiled: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let Some(made) = entry.file_name().to_str().and_then(Made::of) else { continue };
            // Another process may have removed it meanwhile. A link is none of ours.
            let Ok(metadata) = entry.metadata() else { continue };
            let Ok(modified) = metadata.modified() else { continue };
            if !metadata.is_file() {
                continue;
            }
            match made {
                Made::Compiled => compiled.push((modified, entry.path())),
                Made::Draft if modified.elapsed().is_ok_and(|age| age > ABANDONED) => {
                    let _ = fs::remove_file(entry.path());
                }
                Made::Draft => {}
            }
        }
        compiled.sort_by(|(one, _), (other, _)| other.cmp(one));
        for (_, file) in compiled.into_iter().skip(KEPT) {
            let _ = fs::remove_file(file);
        }
        Ok(())
    }
}

/// Kind of a file of this cache, by its name.
#[derive(Clone, Copy)]
enum Made {
    Compiled,
    Draft,
}

impl Made {
    fn of(name: &str) -> Option<Self> {
        let digits = |text: &str, count| {
            let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            text.len() == count && text.bytes().all(hexadecimal)
        };
        let mut parts = name.split('.');
        match [parts.next()?, parts.next()?, parts.next().unwrap_or_default()] {
            _ if parts.next().is_some() => None,
            [name, EXTENSION, ""] => digits(name, NAME_DIGITS).then_some(Self::Compiled),
            [name, aside, DRAFT_EXTENSION] => {
                (digits(name, NAME_DIGITS) && digits(aside, DRAFT_DIGITS)).then_some(Self::Draft)
            }
            _ => None,
        }
    }
}

fn name(engine: &Engine, bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    let digest = Sha256::new().chain_update(hasher.finish().to_le_bytes()).chain_update(bytes);
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The component in `file`, if it is whole, this engine's, and nobody else's to change.
fn load(engine: &Engine, file: &Path) -> Option<Component> {
    let refused = |error: &dyn std::fmt::Display| {
        tracing::warn!(file = %file.display(), %error, "a cached component is unusable and is compiled again");
    };
    let bytes = match private::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            refused(&error);
            return None;
        }
    };
    let Some(compiled) = checked(&bytes) else {
        refused(&"it is damaged");
        return None;
    };
    // SAFETY: the folder and the file are this user's, and nobody else could write to them
    // when they were opened; the checksum says that these are the bytes that were written.
    // They are a copy, which nobody changes any more.
    unsafe { Component::deserialize(engine, compiled) }.inspect_err(|error| refused(error)).ok()
}

/// Returns the bytes before the checksum, if the checksum is theirs.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (compiled, checksum) = bytes.split_last_chunk()?;
    (crc32fast::hash(compiled).to_le_bytes() == *checksum).then_some(compiled)
}

#[cfg(unix)]
mod private {
    use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
    use std::path::Path;

    use rustix::fs::{Mode, OFlags};

    use crate::read::bounded;

    const OWN: u32 = 0o600;
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    const STICKY: u32 = 0o1000;

    /// Makes a file that only this user may read and write, whatever the umask is.
    pub fn create(file: &Path) -> io::Result<File> {
        let new = OpenOptions::new().write(true).create_new(true).mode(OWN).open(file)?;
        new.set_permissions(Permissions::from_mode(OWN))?;
        Ok(new)
    }

    /// Reads a file that only this user may write to. What is looked at and what is read
    /// is one open file.
    pub fn read(file: &Path) -> io::Result<Vec<u8>> {
        // A link could lead to where others write, and a pipe would never end.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::open(file, flags, Mode::empty())?);
        let metadata = file.metadata()?;
        let own = metadata.uid() == rustix::process::geteuid().as_raw();
        if !metadata.is_file() || !own || metadata.mode() & WRITABLE_BY_OTHERS != 0 {
            let reason = "it is no file that only this user can write to";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
        }
        let read = bounded(file, super::MOST_BYTES)?;
        let damaged = || io::Error::new(io::ErrorKind::FileTooLarge, "it is damaged: too large");
        read.ok_or_else(damaged)
    }

    pub fn make(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)
    }

    /// Whether nobody else can change what the folder holds, or which folder it is.
    pub fn check(folder: &Path) -> io::Result<()> {
        let user = rustix::process::geteuid().as_raw();
        for (depth, folder) in folder.ancestors().enumerate() {
            let metadata = fs::metadata(folder)?;
            let own = metadata.uid() == user || (depth > 0 && metadata.uid() == 0);
            let open = metadata.mode() & WRITABLE_BY_OTHERS != 0;
            // In a folder like /tmp others can add entries, and not replace this user's.
            let sticky = depth > 0 && metadata.mode() & STICKY != 0;
            if !own || (open && !sticky) {
                let reason = format!(
                    "{}: others can write there; compiled components are kept where only this user can",
                    folder.display()
                );
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
            }
        }
        Ok(())
    }
}

#[cfg(not(unix))]
mod private {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    fn unknown() -> io::Error {
        let reason = "who can write to a folder is not known on this system";
        io::Error::new(io::ErrorKind::Unsupported, reason)
    }

    pub fn make(_: &Path) -> io::Result<()> {
        Ok(())
    }

    pub fn check(_: &Path) -> io::Result<()> {
        Err(unknown())
    }

    pub fn create(_: &Path) -> io::Result<File> {
        Err(unknown())
    }

    pub fn read(_: &Path) -> io::Result<Vec<u8>> {
        Err(unknown())
    }
}
