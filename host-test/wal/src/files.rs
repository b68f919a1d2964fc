//! Whether the files of an open database are still those that it was opened with: each at its
//! place, and none cut short. Owns no connection; what follows from a mishap is for who uses it.
//!
//! SQLite goes on writing to a file that was removed or replaced, and over the end of a
//! log that was cut, and reports success. So before and after each commit it is looked
//! at whether the names still lead to the same files, and whether the log holds every
//! frame that the log's index counts, up to the last, each following from those before.
//! What was committed is relied on only when it could be read by a process that opened
//! the file anew.

use std::fmt;

#[cfg(unix)]
pub use unix::Files;

use crate::LINKED;

/// Change of a file by somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// The file is another one, or none: it can be put back.
    Moved,
    /// The file has another name too, by which another log would be written.
    Linked,
    /// The log or its index is another file, or none. What is open still holds it all.
    LogMoved(&'static str),
    /// The index of the log was cut short; it is made anew from the log.
    IndexCut,
    /// The file or its log lacks what was committed.
    Cut(&'static str),
    /// It could not be found out.
    Unknown(String),
}

impl fmt::Display for Mishap {
    /// Says what it is, for a person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved => f.write_str("the file was moved or removed while it was in use"),
            Self::Linked => f.write_str(LINKED),
            Self::LogMoved(end) => {
                write!(f, "its file {end} was moved or removed while it was in use")
            }
            Self::IndexCut => f.write_str("its file -shm was cut short while it was in use"),
            Self::Cut(what) => {
                write!(f, "{what} was cut short or overwritten while it was in use")
            }
            Self::Unknown(detail) => write!(f, "its files cannot be looked at: {detail}"),
        }
    }
}

/// An open file is neither removed nor replaced here, and a mapped one not cut.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct Files;

#[cfg(not(unix))]
#[allow(missing_docs, clippy::missing_errors_doc, reason = "as on unix")]
impl Files {
    pub fn of(_: &std::path::Path, _: &rusqlite::Connection) -> Result<Self, Mishap> {
        Ok(Self)
    }

    pub fn check(&mut self, _: &rusqlite::Connection) -> Result<(), Mishap> {
        Ok(())
    }

    pub fn can_be_read(&self) -> Result<(), Mishap> {
        Ok(())
    }

    pub fn holds_its_log(&mut self, _: &rusqlite::Connection) -> bool {
        true
    }

    pub fn is_whole(&mut self, _: &rusqlite::Connection) -> Result<(), Mishap> {
        Ok(())
    }

    pub fn can_be_closed(&mut self, _: &rusqlite::Connection) -> Result<(), Mishap> {
        Ok(())
    }

    pub fn frames(&self) -> u64 {
        0
    }

    pub fn is_copied(&self) -> bool {
        false
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{File, Metadata};
    use std::os::unix::fs::MetadataExt;
    use std::path::{Path, PathBuf};

    use rusqlite::Connection;

    use super::Mishap;
    use crate::{Chain, Index, beside};

    /// Number of looks at a log that another process begins anew.
    const LOOKS: usize = 3;

    /// Device and inode: tells a file from another one of the same name.
    type Identity = (u64, u64);

    fn identity(found: &Metadata) -> Identity {
        (found.dev(), found.ino())
    }

    /// The files of an open database.
    #[derive(Debug)]
    pub struct Files {
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
        /// The part of the log that has been checked.
        chain: Option<Chain>,
        /// Number of its frames, and of those that were copied into the file.
        counted: (u64, u64),
    }

    impl Files {
        /// The files of a connection that was just opened, and has read.
        ///
        /// # Errors
        /// The mishap that has happened meanwhile; [`Mishap::Unknown`] where they cannot be looked at.
        pub fn of(path: &Path, connection: &Connection) -> Result<Self, Mishap> {
            let page_bytes = connection
                .query_row("PRAGMA page_size", [], |row| row.get::<_, i64>(0))
                .map_err(unknown)?
                .unsigned_abs();
            let cannot = |error: std::io::Error| Mishap::Unknown(error.to_string());
            let look = |path: PathBuf| {
                let found = std::fs::metadata(&path).map_err(cannot)?;
                Ok::<_, Mishap>(((path, identity(&found)), found.len()))
            };
            let (main, main_bytes) = look(path.to_path_buf())?;
            let (index, index_bytes) = look(beside(path, "-shm"))?;
            let (log, _) = look(beside(path, "-wal"))?;
            let open_log = File::open(&log.0).map_err(cannot)?;
            let mut files = Self {
                main,
                index,
                log,
                open_log,
                page_bytes,
                main_bytes,
                index_bytes,
                chain: None,
                counted: (0, 0),
            };
            files.check(connection)?;
            Ok(files)
        }

        /// Looks whether everything that is committed could be read from the files that a
        /// process finds by name. No transaction may be open.
        ///
        /// # Errors
        /// What has happened to them.
        pub fn check(&mut self, connection: &Connection) -> Result<(), Mishap> {
            let main = at(&self.main).ok_or(Mishap::Moved)?;
            // Of mounts it was asked when the file was opened.
            if main.nlink() > 1 {
                return Err(Mishap::Linked);
            }
            at(&self.log).ok_or(Mishap::LogMoved("-wal"))?;
            let index = at(&self.index).ok_or(Mishap::LogMoved("-shm"))?;
            self.is_long_enough(&index)?;
            if main.len() < self.main_bytes {
                self.main_may_be(main.len(), connection)?;
            }
            (self.main_bytes, self.index_bytes) = (main.len(), index.len());
            self.check_log(connection)
        }

        /// Looks whether the index is as long as it was, before anything reads it: it is mapped,
        /// and who reads a page that is not there any more is killed.
        ///
        /// # Errors
        /// [`Mishap::IndexCut`].
        pub fn can_be_read(&self) -> Result<(), Mishap> {
            at(&self.index).map_or(Ok(()), |index| self.is_long_enough(&index))
        }

        fn is_long_enough(&self, index: &Metadata) -> Result<(), Mishap> {
            if index.len() < self.index_bytes { Err(Mishap::IndexCut) } else { Ok(()) }
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
        pub fn holds_its_log(&mut self, connection: &Connection) -> bool {
            self.chain = None;
            self.check_log(connection).is_ok()
        }

        /// As [`check`](Self::check), and at every frame again.
        ///
        /// # Errors
        /// What has happened to them.
        pub fn is_whole(&mut self, connection: &Connection) -> Result<(), Mishap> {
            self.chain = None;
            self.check(connection)
        }

        /// Looks, before the connection is closed, whether closing it is right: SQLite copies the log
        /// that it has open into the file, and deletes the one that has its name.
        ///
        /// # Errors
        /// The mishap for which it would do harm.
        pub fn can_be_closed(&mut self, connection: &Connection) -> Result<(), Mishap> {
            self.is_whole(connection).or_else(|mishap| {
                let name = match mishap {
                    Mishap::LogMoved(_) => &self.log.0,
                    Mishap::Moved => &self.main.0,
                    _ => return Err(mishap),
                };
                // Where nobody has made another one, what is open is all that is left, and saved by it.
                let saves = found(name).is_none() && self.holds_its_log(connection);
                if saves { Ok(()) } else { Err(mishap) }
            })
        }

        /// Returns the number of frames that the log had at the last look.
        #[must_use]
        pub fn frames(&self) -> u64 {
            self.counted.0
        }

        /// Whether the file then had all of them, so that the log begins anew.
        #[must_use]
        pub fn is_copied(&self) -> bool {
            self.counted.0 == self.counted.1
        }

        fn check_log(&mut self, connection: &Connection) -> Result<(), Mishap> {
            for _ in 0..LOOKS {
                self.counted = counted(connection).map_err(unknown)?;
                if self
                    .has_frames(self.counted.0)
                    .map_err(|error| Mishap::Unknown(error.to_string()))?
                {
                    return Ok(());
                }
                // Or another process has just begun the log anew.
            }
            Err(Mishap::Cut("its log, the file -wal,"))
        }

        fn has_frames(&mut self, frames: u64) -> std::io::Result<bool> {
            let known = self.chain.take();
            // An older copy of the index counts fewer of the same log.
            let index = Index::beside(&self.main.0);
            if known.as_ref().is_some_and(|chain| index.is_some_and(|index| index.lacks(chain))) {
                self.chain = known;
                return Ok(false);
            }
            if frames == 0 {
                return Ok(true);
            }
            self.chain = Chain::up_to(&self.open_log, frames, known)?
                .filter(|chain| index.is_none_or(|index| index.is_of(chain)));
            Ok(self.chain.is_some())
        }
    }

    /// Returns the number of frames of the log, as its index says, and of those that the file
    /// has. Needs that no transaction is open.
    fn counted(connection: &Connection) -> rusqlite::Result<(u64, u64)> {
        let mut look = connection.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?;
        let (frames, copied): (i64, i64) =
            look.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))?;
        let count = |number| u64::try_from(number).unwrap_or(0);
        Ok((count(frames), count(copied)))
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
