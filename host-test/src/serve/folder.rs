//! The folder of an inbox in files: made so that it is still there after a loss of power,
//! and its owner's alone.

use std::io;
use std::path::Path;

/// Makes a folder and those above it that are missing, with mode 0700. Those that were
/// there are left as they are.
///
/// # Errors
/// A folder cannot be made or synced.
pub fn make(folder: &Path) -> io::Result<()> {
    make_with(folder, &mut |folder| {
        // Where folders cannot be opened as files (on Windows), they cannot be synced.
        if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
    })
}

/// Tries whether a file can be written there and synced.
///
/// # Errors
/// It cannot.
pub fn probe(folder: &Path) -> io::Result<()> {
    let file = folder.join(format!(".probe-{:016x}", rand::random::<u64>()));
    let written = std::fs::File::create_new(&file).and_then(|mut opened| {
        io::Write::write_all(&mut opened, b"probe")?;
        opened.sync_all()
    });
    let removed = std::fs::remove_file(&file);
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
    }
}
