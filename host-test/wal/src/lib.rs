//! SQLite's write-ahead log as it is on the disk: whether each frame follows from those before, and
//! whether the files of an open database are still there ([`Files`]). Owns
//! neither a connection nor a lock; who uses a file that is kept so decides what follows.
//!
//! SQLite believes the index of a log that is open, and looks at no checksum; and when it
//! recovers a log it takes the first frame that is not right for the end, and drops all
//! that comes behind. A torn end is right to drop, for nobody was told of it. Damage is
//! not. They are told apart by what was synced:
//!
//! ```text
//! a frame that follows from a commit    is written once that commit is on the disk
//! what the log's index counts           likewise
//! ```
//!
//! So where either lies behind a frame that is not right, what is lost was acknowledged.

mod files;

#[cfg(unix)]
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

pub use files::{Files, Mishap};

const LINKED: &str = "its file has more than one name (hard links), and each would have a log of its own; leave it one";
const MOUNTED: &str = "its file is mounted by itself (a volume of one file), and under its other name it has another log; mount its folder";

/// For a person: why a file with two names is not used, and what to do. `None` where it has one, as
/// far as the system says (a mount only on Linux).
#[must_use]
pub fn other_name(database: &Path) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if std::fs::metadata(database).is_ok_and(|found| found.nlink() > 1) {
            return Some(LINKED);
        }
    }
    is_mounted(database).then_some(MOUNTED)
}

/// Whether it is a mount of its own, as the kernel lists them (`proc_pid_mountinfo(5)`).
#[cfg(target_os = "linux")]
fn is_mounted(file: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;

    let mounts = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
    let name: Vec<u8> =
        file.as_os_str().as_bytes().iter().flat_map(|byte| escaped(*byte)).collect();
    mounts
        .split(|byte| *byte == b'\n')
        .any(|line| line.split(|byte| *byte == b' ').nth(4).is_some_and(|point| point == name))
}

/// A byte as the list has it: in octal digits, where it would end a field.
#[cfg(target_os = "linux")]
fn escaped(byte: u8) -> Vec<u8> {
    match byte {
        b' ' | b'\t' | b'\n' | b'\\' => format!("\\{byte:03o}").into_bytes(),
        _ => vec![byte],
    }
}

#[cfg(not(target_os = "linux"))]
fn is_mounted(_: &Path) -> bool {
    false
}

/// Returns the name of SQLite's file beside a database: `-wal`, `-shm`.
#[must_use]
pub fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name = database.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// Follows the links of `path` and of its folder: SQLite puts the log beside the file itself.
/// Whatever is wrong with it, opening it reports.
#[must_use]
pub fn followed(path: PathBuf) -> PathBuf {
    let mut path = path;
    // As many as the systems follow.
    for _ in 0..40 {
        match std::fs::canonicalize(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => return path,
            Ok(found) => return found,
        }
        // A link to what is still to be made, or that itself.
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { break };
        let Ok(folder) = std::fs::canonicalize(folder) else { break };
        let Ok(target) = std::fs::read_link(&path) else { return folder.join(name) };
        path = folder.join(target);
    }
    path
}

/// Whether a database has lost its bytes, and has a log: SQLite would take that for a left one, and
/// delete it.
#[must_use]
pub fn is_all_there_is(database: &Path) -> bool {
    let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
    bytes(database) == 0 && bytes(&beside(database, "-wal")) > 0
}

/// Has a connection that is closed last leave the log as it is.
///
/// # Errors
/// SQLite does not do so.
pub fn keep_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map(drop)
}

/// Kind of a copy of the log into the file.
#[derive(Clone, Copy, Debug)]
pub enum Checkpoint {
    /// As much as nobody else is in the way of.
    Passive,
    /// All of it, once nobody is.
    Full,
}

/// Copies the log into the file. False: others need some of it as it is.
///
/// # Errors
/// It cannot be copied.
pub fn copy_log(connection: &Connection, checkpoint: Checkpoint) -> rusqlite::Result<bool> {
    let sql = match checkpoint {
        Checkpoint::Passive => "PRAGMA wal_checkpoint(PASSIVE)",
        Checkpoint::Full => "PRAGMA wal_checkpoint(FULL)",
    };
    let frames = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
    connection.query_row(sql, [], frames).map(|(all, copied)| all == copied)
}

/// The log's header and those of its frames, as SQLite documents them.
const HEADER: u64 = 32;
const FRAME_HEADER: u64 = 24;
/// Without its last bit, which tells the order of bytes in a checksum's words.
const MAGIC: u32 = 0x377f_0682;
/// Page size of a database, where the log's header does not give it.
const PAGE_BYTES: u32 = 4096;

type Salt = [u8; 8];

/// The sum over everything from the log's beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum(u32, u32);

impl Sum {
    fn over(self, big_endian: bool, bytes: &[u8]) -> Self {
        // Two loops: a choice for each word costs as much as all the rest.
        if big_endian {
            self.of_words(bytes, u32::from_be_bytes)
        } else {
            self.of_words(bytes, u32::from_le_bytes)
        }
    }

    #[inline]
    fn of_words(self, bytes: &[u8], word: impl Fn([u8; 4]) -> u32) -> Self {
        let (pairs, _) = bytes.as_chunks::<8>();
        pairs.iter().fold(self, |Self(mut one, mut two), &[a, b, c, d, e, f, g, h]| {
            one = one.wrapping_add(word([a, b, c, d])).wrapping_add(two);
            two = two.wrapping_add(word([e, f, g, h])).wrapping_add(one);
            Self(one, two)
        })
    }
}

/// Reads numbers from the beginning of what was read; what is not there is 0.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let Some((first, rest)) = self.0.split_first_chunk::<N>() else { return [0; N] };
        self.0 = rest;
        *first
    }

    fn number(&mut self) -> u32 {
        u32::from_be_bytes(self.bytes())
    }

    fn sum(&mut self) -> Sum {
        Sum(self.number(), self.number())
    }
}

/// The header of a log: it is written anew, with another salt, when the log begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    page_bytes: u32,
    big_endian: bool,
    salt: Salt,
    sum: Sum,
}

impl Round {
    /// `None` where it is none, or damaged.
    fn read(mut log: &File) -> io::Result<Option<Self>> {
        let mut header = [0; HEADER as usize];
        log.seek(SeekFrom::Start(0))?;
        match log.read_exact(&mut header) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut fields = Fields(&header);
        let (magic, _version, page_bytes, _count) =
            (fields.number(), fields.number(), fields.number(), fields.number());
        let (salt, sum) = (fields.bytes(), fields.sum());
        let big_endian = magic & 1 == 1;
        let (summed, _) = header.split_at(24);
        let whole = magic & !1 == MAGIC
            && page_bytes.is_power_of_two()
            && (512..=65_536).contains(&page_bytes)
            && Sum(0, 0).over(big_endian, summed) == sum;
        Ok(whole.then_some(Self { page_bytes, big_endian, salt, sum }))
    }

    fn frame_bytes(&self) -> u64 {
        FRAME_HEADER.saturating_add(u64::from(self.page_bytes))
    }

    /// Returns the offset of the frame after so many others.
    fn after(&self, frames: u64) -> u64 {
        HEADER.saturating_add(frames.saturating_mul(self.frame_bytes()))
    }

    fn frames<'a>(&self, mut log: &'a File, after: u64) -> io::Result<Frames<'a>> {
        log.seek(SeekFrom::Start(self.after(after)))?;
        let bytes = vec![0; usize::try_from(self.frame_bytes()).unwrap_or(0)];
        Ok(Frames { reader: BufReader::with_capacity(1 << 16, log), bytes })
    }
}

struct Frames<'a> {
    reader: BufReader<&'a File>,
    bytes: Vec<u8>,
}

struct Frame<'a> {
    page: u32,
    commits: bool,
    salt: Salt,
    sum: Sum,
    summed: (&'a [u8], &'a [u8]),
}

impl Frames<'_> {
    /// `None` behind the last whole one.
    fn next(&mut self) -> io::Result<Option<Frame<'_>>> {
        match self.reader.read_exact(&mut self.bytes) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut fields = Fields(&self.bytes);
        let (page, pages) = (fields.number(), fields.number());
        let (salt, sum) = (fields.bytes(), fields.sum());
        let summed = (self.bytes.get(..8).unwrap_or_default(), fields.0);
        Ok(Some(Frame { page, commits: pages > 0, salt, sum, summed }))
    }
}

impl Frame<'_> {
    /// Whether it was written behind what has that sum.
    fn follows(&self, round: &Round, before: Sum) -> bool {
        let (header, page) = self.summed;
        let sum = || before.over(round.big_endian, header).over(round.big_endian, page);
        self.page > 0 && self.salt == round.salt && self.sum == sum()
    }
}

/// The frames of a log that have been found right, from the first one on.
#[derive(Debug)]
pub struct Chain {
    round: Round,
    frames: u64,
    sum: Sum,
}

impl Chain {
    /// Looks at the log up to this frame: at what `known` has not looked at, and at its
    /// last one. `None` where a frame is not there, or not right.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn up_to(log: &File, frames: u64, known: Option<Self>) -> io::Result<Option<Self>> {
        let Some(round) = Round::read(log)? else { return Ok(None) };
        let mut chain = match known {
            Some(known) if known.round == round && known.frames <= frames => known,
            _ => Self { round, frames: 0, sum: round.sum },
        };
        let mut left = round.frames(log, chain.frames.saturating_sub(1))?;
        if chain.frames > 0 {
            match left.next()? {
                Some(last) if last.salt == round.salt && last.sum == chain.sum => {}
                _ => return Ok(None),
            }
        }
        while chain.frames < frames {
            match left.next()? {
                Some(frame) if frame.follows(&round, chain.sum) => chain.sum = frame.sum,
                _ => return Ok(None),
            }
            chain.frames = chain.frames.saturating_add(1);
        }
        Ok(Some(chain))
    }
}

/// Bytes of an index that are read: two copies of its header, and the number of frames that the
/// file has.
#[cfg(unix)]
const INDEX_BYTES: usize = 100;

/// Rounds that a log may be ahead of an index that was not synced: more than there are within the
/// seconds for which a system keeps what was written in memory.
#[cfg_attr(not(unix), allow(dead_code, reason = "no index is read there"))]
const MOST_ROUNDS: u32 = 1 << 16;

/// Frames that the index of a log counts as synced.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    /// Whether its file is as long as SQLite makes it for so many.
    is_whole: bool,
    frames: u32,
    /// Those of them that were copied into the file.
    copied: u32,
    salt: Salt,
}

impl Index {
    /// Reads it from the file `-shm` beside a database. `None` where there is none, or it is not
    /// whole: then it says nothing.
    #[must_use]
    pub fn beside(database: &Path) -> Option<Self> {
        // To close it would end this process' locks on it, which are SQLite's: each is
        // opened once, and stays open for as long as it has a name.
        #[cfg(unix)]
        {
            use std::os::unix::fs::{FileExt, MetadataExt};
            static OPEN: Mutex<BTreeMap<(u64, u64), File>> = Mutex::new(BTreeMap::new());
            let path = beside(database, "-shm");
            let found = std::fs::metadata(&path).ok()?;
            let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
            open.retain(|_, file| file.metadata().is_ok_and(|found| found.nlink() > 0));
            let file = match open.entry((found.dev(), found.ino())) {
                std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::btree_map::Entry::Vacant(new) => {
                    new.insert(File::open(&path).ok()?)
                }
            };
            let mut index = [0; INDEX_BYTES];
            file.read_exact_at(&mut index, 0).ok()?;
            // Before and after: whoever is the first to open a database cuts its index, and makes it anew.
            Self::of(&index, file.metadata().ok()?.len().max(found.len()))
        }
        #[cfg(not(unix))]
        {
            let _ = database;
            None
        }
    }

    #[cfg(unix)]
    fn of(index: &[u8; INDEX_BYTES], bytes: u64) -> Option<Self> {
        let (header, copied) = index.split_at(96);
        let (one, two) = header.split_at(48);
        let (summed, sum) = one.split_at(40);
        let native = |bytes: [u8; 4]| u32::from_ne_bytes(bytes);
        let mut sum = Fields(sum);
        let sum = Sum(native(sum.bytes()), native(sum.bytes()));
        if one != two || Sum(0, 0).over(cfg!(target_endian = "big"), summed) != sum {
            return None;
        }
        let mut fields = Fields(summed);
        let [_version, _unused, _change, _kind]: [[u8; 4]; 4] =
            [fields.bytes(), fields.bytes(), fields.bytes(), fields.bytes()];
        let frames = native(fields.bytes());
        let [_pages, _sum, _sum_too]: [[u8; 4]; 3] =
            [fields.bytes(), fields.bytes(), fields.bytes()];
        // Blocks of 32 KiB: the first one has 4,062 frames, each of the others 4,096.
        let blocks = u64::from(frames).saturating_add(34).div_ceil(4096).max(1);
        // It grows to the first one before it counts any.
        let is_whole = frames == 0 || bytes >= blocks.saturating_mul(32 * 1024);
        let copied = native(Fields(copied).bytes());
        Some(Self { is_whole, frames, copied, salt: fields.bytes() })
    }

    /// Whether the file alone lacks some of them.
    fn is_needed(self) -> bool {
        self.frames > self.copied
    }

    /// Whether it is of this round of the log, or of one before. The first half of a salt counts the
    /// rounds, from a random number on; an index that a loss of power has left is some rounds old.
    fn may_be_of(self, round: &Round) -> bool {
        let count = |salt: Salt| Fields(&salt).number();
        count(round.salt).wrapping_sub(count(self.salt)) < MOST_ROUNDS
    }

    /// Whether it is the index of that log, and not of one that was replaced.
    fn is_of(self, log: &Chain) -> bool {
        self.frames == 0 || self.salt == log.round.salt
    }

    /// Whether it counts fewer frames of that log than were found right, as an older copy does.
    fn lacks(self, log: &Chain) -> bool {
        self.salt == log.round.salt && u64::from(self.frames) < log.frames
    }

    /// Whether the file has any of them.
    #[must_use]
    pub fn is_begun(self) -> bool {
        self.copied > 0
    }
}

/// The first frame that is not right although what comes behind it was acknowledged; 0 is
/// the log's header. `None`: whatever is not right was never told to anybody.
fn first_damaged(log: &File, index: Option<Index>) -> io::Result<Option<u64>> {
    let Some(round) = Round::read(log)? else { return without_header(log, index) };
    let mut frames = round.frames(log, 0)?;
    let (mut right, mut number, mut broken) = (0, 0, None);
    // The size that the frame before declares.
    let (mut before, mut committed) = (round.sum, false);
    while let Some(frame) = frames.next()? {
        number += 1;
        let follows = frame.follows(&round, before);
        match broken {
            None if follows => right = number,
            None => broken = Some(number),
            Some(_) if follows && committed => return Ok(broken),
            Some(_) => {}
        }
        (before, committed) = (frame.sum, frame.commits && frame.salt == round.salt);
    }
    let Some(index) = index else { return Ok(None) };
    if index.salt == round.salt {
        return Ok((u64::from(index.frames) > right).then_some(right + 1));
    }
    // A log begins anew once its index counts none.
    Ok((index.frames > 0 && !index.may_be_of(&round)).then_some(0))
}

/// As a log that has frames and no header that could be read.
fn without_header(log: &File, index: Option<Index>) -> io::Result<Option<u64>> {
    // SQLite begins a log anew once all of it is in the file, and its index counts none then.
    if index.is_some_and(Index::is_needed) {
        return Ok(Some(0));
    }
    for big_endian in [false, true] {
        let mut round =
            Round { page_bytes: PAGE_BYTES, big_endian, salt: Salt::default(), sum: Sum(0, 0) };
        let mut frames = round.frames(log, 0)?;
        let mut before = None;
        while let Some(frame) = frames.next()? {
            round.salt = frame.salt;
            if before.is_some_and(|sum| frame.follows(&round, sum)) {
                return Ok(Some(0));
            }
            before = Some(frame.sum);
        }
    }
    Ok(None)
}

/// Reads the versions of a page that the log at `path` has, from the first on, each with whether it
/// was copied into the file, as `index` says. Versions that `read` cannot read are left out.
///
/// # Errors
/// The log cannot be read.
pub fn versions<T>(
    path: &Path,
    index: Option<Index>,
    page: u32,
    read: impl Fn(&[u8]) -> Option<T>,
) -> io::Result<Vec<(bool, T)>> {
    let log = File::open(path)?;
    let mut versions = Vec::new();
    let Some(round) = Round::read(&log)? else { return Ok(versions) };
    let copied = index.filter(|index| index.salt == round.salt).map_or(0, |index| index.copied);
    let mut frames = round.frames(&log, 0)?;
    let (mut number, mut before) = (0, round.sum);
    while let Some(frame) = frames.next()? {
        if !frame.follows(&round, before) {
            break;
        }
        number += 1;
        let (_, content) = frame.summed;
        if frame.page == page
            && let Some(version) = read(content)
        {
            versions.push((number <= copied, version));
        }
        before = frame.sum;
    }
    Ok(versions)
}

/// Whether the index of a database's log was cut short. Where nobody has it open, SQLite makes it anew;
/// else it fills it up with nothing, and finds nothing then.
#[must_use]
pub fn index_is_cut(database: &Path) -> bool {
    (0..LOOKS).all(|_| Index::beside(database).is_some_and(|index| !index.is_whole))
}

/// Number of looks at a log before it counts as damaged: others may write to it.
const LOOKS: usize = 3;

/// Looks at the whole log of a database. Says what is damaged; `None` where nothing is, or there is
/// no log.
///
/// # Errors
/// The log cannot be read.
pub fn damage(database: &Path) -> io::Result<Option<String>> {
    let path = beside(database, "-wal");
    let index = || Index::beside(database);
    let log = match File::open(&path) {
        Ok(log) if log.metadata()?.len() > 0 => log,
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        // Unless another process has just written the first of it.
        _ if index().is_some_and(Index::is_needed)
            && !std::fs::metadata(&path).is_ok_and(|log| log.len() > 0) =>
        {
            return Ok(Some("its log, the file -wal, is gone or empty, and holds what the file lacks; put it back".into()));
        }
        _ => return Ok(None),
    };
    let mut seen = None;
    for _ in 0..LOOKS {
        // Before the log: that may grow meanwhile.
        let index = index();
        let round = Round::read(&log)?;
        let Some(frame) = first_damaged(&log, index)? else { return Ok(None) };
        if seen.is_some_and(|seen| seen != (round, frame)) {
            return Ok(None);
        }
        seen = Some((round, frame));
    }
    Ok(seen.map(|(_, frame)| match frame {
        0 => "its log, the file -wal, was overwritten, or replaced by an older one".to_string(),
        _ => format!("its log, the file -wal, was overwritten in frame {frame}"),
    }))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_told_from_a_file_in_one() {
        assert!(is_mounted(Path::new("/proc")));
        assert!(!is_mounted(Path::new("/proc/self/status")));
        assert_eq!(escaped(b' '), b"\\040");
    }
}
