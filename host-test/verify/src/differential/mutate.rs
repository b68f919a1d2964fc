//! Bytes that nobody thought of: files of a corpus, spoilt.

use std::path::Path;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Tokens that parsers look for.
const TOKENS: [&[u8]; 40] = [
    b"\"id\":",
    b"\"data\":[",
    b"\"total\":",
    b"\"page\":",
    b"\"size\":",
    b"\"name\":",
    b"\"status\":",
    b"\"language\":",
    b"\"message\":",
    b"\"error\":",
    b"\"errors\":",
    b"\"details\":",
    b"\"code\":",
    b"\"object\":\"message\"",
    b"\"event\":\"message:in:new\"",
    b"null",
    b"true",
    b"-1e400",
    b"4294967296",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"\\u0063",
    b"\\ud83d\\ude00",
    b"\\ud800",
    b",",
    b":",
    b"\n",
    b"\n\n",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc0\xaf",
    b"\0",
    b"\nRetry-After: 7\n",
    b"\nContent-Encoding: gzip\n",
    b"x-idempotency-key: k\n",
    super::case::KEY.as_bytes(),
];

/// The longest result.
const MAX_BYTES: usize = 16 * 1024;

/// Files to begin with.
pub struct Corpus(Vec<Vec<u8>>);

impl Corpus {
    /// Reads folders of `root`, and puts before each file what its folder says.
    pub fn read(root: &Path, folders: &[(&str, &[u8])]) -> Result<Self, String> {
        let mut files = Vec::new();
        for (folder, before) in folders {
            let folder = root.join(folder);
            let unreadable = |error: std::io::Error| {
                format!("the corpus {} cannot be read: {error}", folder.display())
            };
            for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
                let path = entry.map_err(unreadable)?.path();
                let file = std::fs::read(&path).map_err(unreadable)?;
                files.push((path, [before, file.as_slice()].concat()));
            }
        }
        if files.is_empty() {
            return Err("the corpus holds no file".into());
        }
        // Folders have no order; seeds mean the same everywhere.
        files.sort();
        Ok(Self(files.into_iter().map(|(_, bytes)| bytes).collect()))
    }

    /// One file, with up to eight changes, mostly few.
    pub fn mutated(&self, seed: u64) -> Vec<u8> {
        let mut random = StdRng::seed_from_u64(seed);
        let mut bytes = self.any(&mut random).to_vec();
        let most = random.random_range(0..=8);
        for _ in 0..random.random_range(0..=most) {
            let other = self.any(&mut random);
            mutate(&mut bytes, other, &mut random);
        }
        bytes.truncate(MAX_BYTES);
        bytes
    }

    fn any(&self, random: &mut StdRng) -> &[u8] {
        let index = random.random_range(0..self.0.len().max(1));
        self.0.get(index).map_or(&[], Vec::as_slice)
    }
}

/// Changes `bytes` in one way; `other` is what it can be crossed with.
pub(super) fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut StdRng) {
    let length = bytes.len();
    let at = random.random_range(0..=length);
    let some = at..random.random_range(at..=length.min(at.saturating_add(64)));
    match random.random_range(0..8) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.random_range(0..8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.random();
            }
        }
        2 => bytes.insert(at, random.random()),
        3 => drop(bytes.drain(some)),
        4 => {
            let copy = bytes.get(some).unwrap_or_default().to_vec();
            bytes.splice(at..at, copy);
        }
        5 => bytes.truncate(at),
        6 => {
            let from = random.random_range(0..=other.len());
            let to = random.random_range(from..=other.len());
            bytes.splice(some, other.get(from..to).unwrap_or_default().iter().copied());
        }
        _ => {
            let token = TOKENS.get(random.random_range(0..TOKENS.len())).copied();
            let end = if random.random() { at } else { some.end };
            bytes.splice(at..end, token.unwrap_or_default().iter().copied());
        }
    }
}
