//! A directory of compiled components, shared between processes. Compilation takes about 100 times
//! as long as loading.
//!
//! A loaded file runs unchecked, with the rights of the user of this process. The cache therefore
//! loads only files that no other user could have written:
//!
//! - This user owns the directory, and this user or root owns its ancestors.
//! - No other user can write to the directory, or to an ancestor that is not sticky.
//! - This user owns the file, and no other user can write to it.
//! - The file is opened once and read once, so the loaded bytes are the checked bytes.
//!
//! The name of a file is a digest of the component and of the engine: its version, its settings and
//! the processor's features. The last 4 bytes of a file are a checksum, which detects a file that a
//! full disk or a crash has truncated. Files are written under a draft name and then renamed.
//!
//! | name | content |
//! |---|---|
//! | 64 hexadecimal digits, `.cwasm` | a compiled component |
//! | 64 hexadecimal digits, `.`, 16 hexadecimal digits, `.draft` | a file that is being written |
//! | other | foreign files, never changed |

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

/// Number of hexadecimal digits in a digest, and in the random part of a draft's name.
const NAME_DIGITS: usize = 64;
const DRAFT_DIGITS: usize = 16;

/// Maximum size of a file, in bytes. The largest component that a host accepts compiles to less, so
/// a larger file is damaged.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Maximum number of compiled components in the directory. Each combination of component and engine
/// adds a file.
const KEPT: usize = 32;

/// Age after which a draft is removed. Writing takes milliseconds, so the process that wrote an
/// older draft was killed.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// A directory of compiled components.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Opens `folder` and creates it if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be created, or if another user could change the
    /// directory or an ancestor. Always fails on systems other than Unix.
    pub fn open(folder: &Path) -> io::Result<Self> {
        private::make(folder)?;
        let folder = folder.canonicalize()?;
        private::check(&folder)?;
        Ok(Self { folder })
    }

    /// Returns the path of `messaging-plugin` in the user's cache directory; `None` if the home
    /// directory is unknown.
    pub fn usual_folder() -> Option<PathBuf> {
        let folders = etcetera::choose_base_strategy().ok()?;
        Some(folders.cache_dir().join("messaging-plugin"))
    }

    /// Returns the component from the directory, or compiles and stores it. Logs a warning if the
    /// file cannot be stored.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a component.
    pub fn component(&self, engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Component> {
        let file = self.folder.join(name(engine, bytes)).with_extension(EXTENSION);
        if let Some(component) = load(engine, &file) {
            return Ok(component);
        }
        let compiled = engine.precompile_component(bytes)?;
        if let Err(error) = self.keep(&file, &compiled) {
            tracing::warn!(file = %file.display(), %error, "a compiled component cannot be cached");
        }
        // SAFETY: `engine` has just compiled these bytes.
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

    /// Removes the oldest compiled components above the maximum, and drafts of killed processes.
    /// Does not touch files with other names.
    fn forget(&self) -> io::Result<()> {
        let mut compiled: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let Some(made) = entry.file_name().to_str().and_then(Made::of) else { continue };
            // Another process may have removed the file. A link is a foreign file.
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

/// Kind of a file in this cache, derived from its name.
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

/// Loads a component from `file`; `None` if the file does not exist, is damaged, does not fit the
/// engine, or is writable by another user.
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
        refused(&"damaged: invalid checksum");
        return None;
    };
    // SAFETY: this user owns the directory and the file, and no other user could write to them when
    // they were opened. The checksum proves that the bytes are complete. `compiled` is a private
    // copy, so it cannot change.
    unsafe { Component::deserialize(engine, compiled) }.inspect_err(|error| refused(error)).ok()
}

/// Returns the bytes before the checksum; `None` if the checksum does not match.
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

    use messaging_net::read::bounded;
    use rustix::fs::{Mode, OFlags};

    const OWN: u32 = 0o600;
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    const STICKY: u32 = 0o1000;

    /// Creates a file that only this user can read and write, regardless of the umask.
    pub fn create(file: &Path) -> io::Result<File> {
        let new = OpenOptions::new().write(true).create_new(true).mode(OWN).open(file)?;
        new.set_permissions(Permissions::from_mode(OWN))?;
        Ok(new)
    }

    /// Reads a file if only this user can write to it. Checks and reads the same open file.
    pub fn read(file: &Path) -> io::Result<Vec<u8>> {
        // Follows no link, because a link could lead to a file of another user. Does not block,
        // because the file could be a pipe.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::open(file, flags, Mode::empty())?);
        let metadata = file.metadata()?;
        let own = metadata.uid() == rustix::process::geteuid().as_raw();
        if !metadata.is_file() || !own || metadata.mode() & WRITABLE_BY_OTHERS != 0 {
            let reason = "not a file that only this user can write to";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
        }
        let read = bounded(file, super::MOST_BYTES)?;
        let damaged = || io::Error::new(io::ErrorKind::FileTooLarge, "damaged: too large");
        read.ok_or_else(damaged)
    }

    pub fn make(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)
    }

    /// Returns an error if another user can change the content of the directory, or replace the
    /// directory.
    pub fn check(folder: &Path) -> io::Result<()> {
        let user = rustix::process::geteuid().as_raw();
        for (depth, folder) in folder.ancestors().enumerate() {
            let metadata = fs::metadata(folder)?;
            let own = metadata.uid() == user || (depth > 0 && metadata.uid() == 0);
            let open = metadata.mode() & WRITABLE_BY_OTHERS != 0;
            // In a sticky directory such as /tmp, other users can add entries, but cannot replace
            // entries of this user.
            let sticky = depth > 0 && metadata.mode() & STICKY != 0;
            if !own || (open && !sticky) {
                let reason = format!(
                    "{}: other users can write there; name a directory that only this user can write to",
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
        let reason = "this system does not report the permissions of directories";
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
