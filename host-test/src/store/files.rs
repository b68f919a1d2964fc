//! Whether the files of a store are still those that it was opened with: each at its
//! place, and none cut short.
//!
//! SQLite goes on writing to a file that was removed or replaced, and over the end of a
//! log that was cut, and reports success. So before and after each commit it is looked
//! at whether the names still lead to the same files, and whether the log holds every
//! frame that the log's index counts, up to the last. A commit is acknowledged only when
//! it could be read by a process that opened the store anew.

#[cfg(unix)]
pub(super) use unix::Files;

/// How a file is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mishap {
    /// The store's file is another one, or none: it can be put back.
    Moved,
    /// The log or its index is another file, or none. What is open still holds it all.
    LogMoved(&'static str),
    /// The index of the log was cut short; it is made anew from the log.
    IndexCut,
    /// The file or its log lacks what was committed.
    Cut(&'static str),
    /// It could not be found out.
    Unknown(String),
}

impl Mishap {
    /// For a person: what it is, and what to do.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Moved => {
                "the file was moved or removed while it was in use; put it back".to_string()
            }
            Self::LogMoved(end) => format!(
                "its file {end} was moved or removed while it was in use; what it held is saved as soon as nobody reads"
            ),
            Self::IndexCut => {
                "its file -shm was cut short while it was in use; it is made anew".to_string()
            }
            Self::Cut(what) => format!(
                "{what} was cut short while it was in use, and may lack what was acknowledged; stop, and restore it from a copy"
            ),
            Self::Unknown(detail) => format!("its files cannot be looked at: {detail}"),
        }
    }
}

/// An open file is neither removed nor replaced here, and a mapped one not cut.
#[cfg(not(unix))]
pub(super) struct Files;

#[cfg(not(unix))]
impl Files {
    pub(super) fn of(
        _: &super::schema::Place,
        _: &rusqlite::Connection,
    ) -> Result<Self, super::StoreError> {
        Ok(Self)
    }

    pub(super) fn check(&mut self, _: &rusqlite::Connection) -> Result<(), Mishap> {
        Ok(())
    }

    pub(super) fn holds_its_log(&mut self, _: &rusqlite::Connection) -> bool {
        true
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{File, Metadata};
    use std::os::unix::fs::{FileExt, MetadataExt};
    use std::path::{Path, PathBuf};

    use rusqlite::Connection;

    use super::super::error::StoreError;
    use super::super::schema::Place;
    use super::Mishap;

    /// The log's header and those of its frames, as SQLite documents them.
    const HEADER: u64 = 32;
    const FRAME_HEADER: u64 = 24;
    /// How often a log that another process begins anew is looked at again.
    const LOOKS: usize = 3;

    /// What tells a file from another one of the same name.
    type Identity = (u64, u64);

    fn identity(found: &Metadata) -> Identity {
        (found.dev(), found.ino())
    }

    /// The files of an open store.
    pub(in super::super) struct Files {
        main: (PathBuf, Identity),
        index: (PathBuf, Identity),
        log: (PathBuf, Identity),
        /// Open, so that a log of which the name is gone can still be looked at. SQLite
        /// holds no lock on this file, which closing it would lose.
        open_log: File,
        page_bytes: u64,
        /// The longest that the file and the index were seen.
        main_bytes: u64,
        index_bytes: u64,
        /// Up to this frame of the log with this salt all have been looked at.
        frames: u64,
        salt: [u8; 8],
    }

    impl Files {
        /// The files of a connection that was just opened, if its log is whole.
        pub(in super::super) fn of(
            place: &Place,
            connection: &Connection,
        ) -> Result<Self, StoreError> {
            let page_bytes = connection
                .query_row("PRAGMA page_size", [], |row| row.get::<_, i64>(0))
                .map_err(place.fault("looking at its files"))?
                .unsigned_abs();
            let cannot = |error: std::io::Error| StoreError::Unavailable {
                path: place.path.clone(),
                detail: format!("its files cannot be looked at: {error}"),
            };
            let look = |path: PathBuf| {
                let found = std::fs::metadata(&path).map_err(cannot)?;
                Ok(((path, identity(&found)), found.len()))
            };
            let (main, main_bytes) = look(place.path.clone())?;
            let (index, index_bytes) = look(place.beside("-shm"))?;
            let (log, _) = look(place.beside("-wal"))?;
            let open_log = File::open(&log.0).map_err(cannot)?;
            let mut files = Self {
                main,
                index,
                log,
                open_log,
                page_bytes,
                main_bytes,
                index_bytes,
                frames: 0,
                salt: [0; 8],
            };
            match files.check(connection) {
                Ok(()) => Ok(files),
                Err(mishap) => Err(place.not_set_up(mishap.text())),
            }
        }

        /// Looks whether everything that is committed could be read from the files that a
        /// process finds by name.
        pub(in super::super) fn check(&mut self, connection: &Connection) -> Result<(), Mishap> {
            let main = at(&self.main).ok_or(Mishap::Moved)?;
            at(&self.log).ok_or(Mishap::LogMoved("-wal"))?;
            let index = at(&self.index).ok_or(Mishap::LogMoved("-shm"))?;
            // Before anything that reads it: it is mapped.
            if index.len() < self.index_bytes {
                return Err(Mishap::IndexCut);
            }
            if main.len() < self.main_bytes {
                self.main_may_be(main.len(), connection)?;
            }
            (self.main_bytes, self.index_bytes) = (main.len(), index.len());
            self.check_log(connection)
        }

        /// A file gets shorter by VACUUM as well: never shorter than its pages.
        fn main_may_be(&self, bytes: u64, connection: &Connection) -> Result<(), Mishap> {
            let pages = connection
                .query_row("PRAGMA page_count", [], |row| row.get::<_, i64>(0))
                .map_err(unknown)?
                .unsigned_abs();
            if bytes < pages.saturating_mul(self.page_bytes).min(self.main_bytes) {
                return Err(Mishap::Cut("the file"));
            }
            Ok(())
        }

        /// Whether the log that is open is whole, whatever its name leads to.
        pub(in super::super) fn holds_its_log(&mut self, connection: &Connection) -> bool {
            self.check_log(connection).is_ok()
        }

        fn check_log(&mut self, connection: &Connection) -> Result<(), Mishap> {
            for _ in 0..LOOKS {
                let frames = frames(connection).map_err(unknown)?;
                if self.has_frames(frames).map_err(|error| Mishap::Unknown(error.to_string()))? {
                    return Ok(());
                }
                // Or another process has just begun the log anew.
            }
            Err(Mishap::Cut("its log, the file -wal,"))
        }

        /// Whether the log has so many frames, each of them of the log's present round.
        /// What was cut off, and written beyond, is a hole without the round's salt.
        fn has_frames(&mut self, frames: u64) -> std::io::Result<bool> {
            if frames == 0 {
                self.frames = 0;
                return Ok(true);
            }
            let size = FRAME_HEADER.saturating_add(self.page_bytes);
            let end = HEADER.saturating_add(frames.saturating_mul(size));
            if self.open_log.metadata()?.len() < end {
                return Ok(false);
            }
            let salt = self.salt_at(16)?;
            let from = if salt == self.salt && self.frames <= frames { self.frames } else { 1 };
            for frame in from.max(1)..=frames {
                let start = HEADER.saturating_add((frame - 1).saturating_mul(size));
                if self.salt_at(start.saturating_add(8))? != salt {
                    return Ok(false);
                }
            }
            (self.salt, self.frames) = (salt, frames);
            Ok(true)
        }

        fn salt_at(&self, offset: u64) -> std::io::Result<[u8; 8]> {
            let mut salt = [0; 8];
            self.open_log.read_exact_at(&mut salt, offset)?;
            Ok(salt)
        }
    }

    /// How many frames the log has, as its index says. Needs that no transaction is open.
    fn frames(connection: &Connection) -> rusqlite::Result<u64> {
        let mut look = connection.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?;
        let frames: i64 = look.query_row([], |row| row.get(1))?;
        Ok(u64::try_from(frames).unwrap_or(0))
    }

    fn at((path, expected): &(PathBuf, Identity)) -> Option<Metadata> {
        found(path).filter(|found| identity(found) == *expected)
    }

    fn found(path: &Path) -> Option<Metadata> {
        std::fs::metadata(path).ok()
    }

    fn unknown(error: rusqlite::Error) -> Mishap {
        Mishap::Unknown(error.to_string())
    }
}
