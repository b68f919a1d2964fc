//! Compiled components, kept in a folder between processes: compiling takes a hundred
//! times as long as loading.
//!
//! What is loaded is run as it is, with the rights of this host. So nothing is loaded
//! from where somebody else could have put it: the folder and every folder above it are
//! this user's or the system's, and nobody else may write there. A file's name is the
//! digest of the component and of the engine (its version, its settings, the processor's
//! features); its last 4 bytes are a checksum of the others, so that what a full disk or
//! a crash left is not run. Files are written aside and renamed.

use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crc32fast::Hasher as Crc32;
use etcetera::BaseStrategy;
use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

const EXTENSION: &str = "cwasm";

/// The CRC-32 of whatever ends with its own, least significant byte first.
const CHECKED: u32 = 0x2144_df1c;

/// How many files are kept: each version of a component and of an engine makes another.
const KEPT: usize = 32;

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
            tracing::warn!(file = %file.display(), %error, "a compiled component cannot be kept");
        }
        // SAFETY: the engine has just made these bytes.
        unsafe { Component::deserialize(engine, &compiled) }
    }

    fn keep(&self, file: &Path, compiled: &[u8]) -> io::Result<()> {
        let draft = file.with_extension(format!("{:016x}", rand::random::<u64>()));
        let written = fs::File::create_new(&draft).and_then(|mut new| {
            new.write_all(compiled)?;
            new.write_all(&crc32fast::hash(compiled).to_le_bytes())
        });
        written.and_then(|()| fs::rename(&draft, file)).inspect_err(|_| {
            let _ = fs::remove_file(&draft);
        })?;
        self.forget()
    }

    /// Removes the oldest files beyond those that are kept, and what a killed process left.
    fn forget(&self) -> io::Result<()> {
        let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            // Another process may have removed it meanwhile.
            if let Ok(modified) = entry.metadata().and_then(|metadata| metadata.modified()) {
                files.push((modified, entry.path()));
            }
        }
        files.sort_by(|(one, _), (other, _)| other.cmp(one));
        for (_, file) in files.into_iter().skip(KEPT) {
            let _ = fs::remove_file(file);
        }
        Ok(())
    }
}

fn name(engine: &Engine, bytes: &[u8]) -> String {
    let mut digest = Digested(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut digest);
    digest.0.update(bytes);
    digest.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A digest as what values can be hashed into.
struct Digested(Sha256);

impl Hasher for Digested {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Not asked for: the digest is longer.
    fn finish(&self) -> u64 {
        0
    }
}

/// The component in `file`, if it is whole and this engine's. It is mapped, not read: its
/// pages are shared by all processes that run it.
fn load(engine: &Engine, file: &Path) -> Option<Component> {
    let checksum = checksum(file).ok()?;
    if checksum != CHECKED {
        tracing::warn!(file = %file.display(), "a kept component is damaged, and compiled anew");
        return None;
    }
    // SAFETY: `Cache::open` has made sure that nobody but this user (and the system) can
    // have written it, or will; the checksum, that it is what was written. Nothing here
    // writes to a file that has its name.
    unsafe { Component::deserialize_file(engine, file) }
        .inspect_err(|error| tracing::warn!(%error, "a kept component is not loaded"))
        .ok()
}

fn checksum(file: &Path) -> io::Result<u32> {
    let mut file = BufReader::with_capacity(64 * 1024, fs::File::open(file)?);
    let mut crc = Crc32::new();
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(crc.finalize());
        }
        crc.update(bytes);
        let read = bytes.len();
        file.consume(read);
    }
}

#[cfg(unix)]
mod private {
    use std::fs::{self, DirBuilder};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    use std::path::Path;

    const WRITABLE_BY_OTHERS: u32 = 0o022;
    const STICKY: u32 = 0o1000;

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
    use std::io;
    use std::path::Path;

    pub fn make(_: &Path) -> io::Result<()> {
        Ok(())
    }

    pub fn check(_: &Path) -> io::Result<()> {
        let reason = "who can write to a folder is not known on this system";
        Err(io::Error::new(io::ErrorKind::Unsupported, reason))
    }
}
