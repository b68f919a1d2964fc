//! Mutated inputs of a corpus.

use std::path::Path;

use anyhow::ensure;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::corpus;

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

/// Maximum size of a result in bytes.
const MAX_BYTES: usize = 16 * 1024;

/// The inputs to mutate.
pub struct Corpus(Vec<Vec<u8>>);

impl Corpus {
    /// Reads the corpora of `targets` in `root`, and puts the prefix of a target before each of its
    /// inputs.
    pub fn read(root: &Path, targets: &[(&str, &[u8])]) -> anyhow::Result<Self> {
        let mut inputs = Vec::new();
        for (target, before) in targets {
            let corpus = corpus::read(root, target)?;
            inputs.extend(corpus.into_iter().map(|(_, bytes)| [before, &bytes[..]].concat()));
        }
        ensure!(!inputs.is_empty(), "the corpus holds no input");
        Ok(Self(inputs))
    }

    /// Returns an input with up to eight mutations, usually few.
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

/// Makes one random change to `bytes`. One kind of change copies a part of `other`.
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
