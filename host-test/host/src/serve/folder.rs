//! The folder of an inbox in files: made so that it is still there after a loss of power,
//! and its owner's alone.

use std::io::{self, Write as _};
use std::path::Path;

/// Makes a folder and those above it that are missing, with mode 0700. Those that were
/// there are left as they are.
///
/// # Errors
/// A folder cannot be made or synced.
pub fn make(folder: &Path) -> io::Result<()> {
    make_with(folder, &mut |folder| {
        // On Windows folders cannot be opened as files, and not be synced.
        if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
    })
}

/// The folders in which an event is written, and then linked; the inbox makes them.
const PARTS: [&str; 2] = ["tmp", "events"];

/// Bytes of a probe: a block of the disk, because any client can cause one in each second.
const PROBE_BYTES: usize = 4096;

/// Tries what the inbox does with an event: a file is written, synced, and linked to the folder of the events.
///
/// # Errors
/// It cannot be done.
pub fn probe(folder: &Path) -> io::Result<()> {
    let name = format!(".probe-{:016x}", rand::random::<u64>());
    let [draft, place] = PARTS.map(|part| match std::fs::symlink_metadata(folder.join(part)) {
        Ok(found) if found.is_dir() => Ok(Some(folder.join(part).join(&name))),
        Ok(_) => {
            let why = format!("{} is no folder; move it away", folder.join(part).display());
            Err(io::Error::new(io::ErrorKind::NotADirectory, why))
        }
        // It is made with the first event, in a folder that takes a file.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    });
    let draft = draft?.unwrap_or_else(|| folder.join(&name));
    let place = place?.unwrap_or_else(|| folder.join(format!("{name}.linked")));
    let written = std::fs::File::create_new(&draft)
        .and_then(|mut opened| {
            opened.write_all(&[0; PROBE_BYTES])?;
            opened.sync_all()
        })
        .and_then(|()| std::fs::hard_link(&draft, &place))
        .and_then(|()| std::fs::remove_file(&place));
    let removed = std::fs::remove_file(&draft);
    written.and(removed)
}

/// A folder's name is kept by the folder above it: that one is synced as well, up to the
/// one that was there.
fn make_with(folder: &Path, sync: &mut dyn FnMut(&Path) -> io::Result<()>) -> io::Result<()> {
    let above = match folder.parent() {
        Some(above) if above.as_os_str().is_empty() => Path::new("."),
        Some(above) => above,
        None if folder.is_dir() => return Ok(()),
        None => return Err(io::ErrorKind::NotFound.into()),
    };
    if folder.is_dir() {
        // A start that was cut off may have made it. Who cannot open the one above it has
        // not made it.
        return match sync(above) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            synced => synced,
        };
    }
    make_with(above, sync)?;
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        // Another process was faster. Whether it has synced is not known.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        made => made?,
    }
    sync(folder)?;
    sync(above)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn every_folder_that_was_made_is_synced_up_to_the_one_that_was_there() {
        let root = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "a/b", "a/b/c"].map(|name| root.path().join(name));
        let mut synced = Vec::<PathBuf>::new();
        let mut note = |folder: &Path| {
            synced.push(folder.to_path_buf());
            Ok(())
        };
        make_with(&c, &mut note).unwrap();
        make_with(&c, &mut note).unwrap();
        // Each when it is there and before the next one is made in it.
        let root = root.path().to_path_buf();
        let around = root.parent().unwrap().to_path_buf();
        assert_eq!(synced, [around, a.clone(), root, b.clone(), a, c, b.clone(), b]);
    }

    #[test]
    fn a_folder_that_cannot_be_synced_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let failing = &mut |_: &Path| Err(io::Error::other("the disk"));
        assert!(make_with(&root.path().join("a/b"), failing).is_err());
        std::fs::write(root.path().join("file"), "").unwrap();
        assert!(make(&root.path().join("file")).is_err());
        assert!(make(&root.path().join("file/b")).is_err());
    }

    #[test]
    fn a_probe_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        probe(root.path()).unwrap();
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
        assert!(probe(&root.path().join("none")).is_err());
        for part in PARTS {
            let path = root.path().join(part);
            std::fs::write(&path, "").unwrap();
            assert!(probe(root.path()).is_err(), "{part} is a file");
            std::fs::remove_file(&path).unwrap();
            std::fs::create_dir(&path).unwrap();
            probe(root.path()).unwrap();
            assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
        }
    }
}
