//! Secrets that prove the origin of a delivery: one, or two during a rotation.

use alloc::vec::Vec;
use core::fmt;

use hmac::{Hmac, KeyInit};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// A secret that only the event source and this receiver know. `Debug` is redacted. Does not
/// implement `Display`.
pub struct Secret(Vec<u8>);

impl Secret {
    /// Minimum length in bytes. A shorter secret can be guessed.
    pub const MIN_BYTES: usize = 16;
    /// Maximum length in bytes.
    pub const MAX_BYTES: usize = 4096;

    /// Creates a secret. Returns `None` if the length is out of range.
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        (Self::MIN_BYTES..=Self::MAX_BYTES).contains(&bytes.len()).then_some(Self(bytes))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}

/// A secret that each delivery contains. Stores only its SHA-256 digest.
#[derive(Clone)]
pub struct Shown([u8; 32]);

impl From<Secret> for Shown {
    fn from(secret: Secret) -> Self {
        Self(Sha256::digest(secret.0).into())
    }
}

impl Shown {
    /// Compares digests, because the duration must not reveal the length or a prefix of the secret.
    fn is(&self, given: &[u8]) -> Choice {
        self.0.as_slice().ct_eq(Sha256::digest(given).as_slice())
    }
}

/// A secret that signs deliveries. Stores an HMAC state that has received no input.
#[derive(Clone)]
pub struct Key(Option<Hmac<Sha256>>);

impl From<Secret> for Key {
    fn from(secret: Secret) -> Self {
        // An HMAC takes a key of any length.
        Self(Hmac::new_from_slice(&secret.0).ok())
    }
}

impl Key {
    /// Returns an HMAC state that has received no input.
    pub(crate) fn mac(&self) -> Option<Hmac<Sha256>> {
        self.0.clone()
    }
}

/// The valid secrets of one proof: one, or two during a rotation.
#[derive(Clone)]
pub struct Secrets<F> {
    current: F,
    next: Option<F>,
}

impl<F> fmt::Debug for Secrets<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets([redacted])")
    }
}

impl<F: From<Secret>> From<Secret> for Secrets<F> {
    fn from(current: Secret) -> Self {
        Self { current: current.into(), next: None }
    }
}

impl<F: From<Secret>> Secrets<F> {
    /// Creates two valid secrets for a rotation, in which deliveries use the old or the new secret.
    /// Returns `None` if both are equal.
    pub fn two(current: Secret, next: Secret) -> Option<Self> {
        let differ = current.0 != next.0;
        differ.then(|| Self { current: current.into(), next: Some(next.into()) })
    }
}

impl<F> Secrets<F> {
    /// Returns the number of secrets, 1 or 2.
    pub fn count(&self) -> usize {
        self.all().count()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &F> {
        core::iter::once(&self.current).chain(&self.next)
    }
}

impl Secrets<Shown> {
    /// Returns true if `given` is one of the secrets. The duration does not depend on the result.
    pub(crate) fn hold(&self, given: &[u8]) -> bool {
        self.all().fold(Choice::from(0), |found, secret| found | secret.is(given)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::vec;

    fn secret(text: &str) -> Secret {
        Secret::new(text.into()).unwrap()
    }

    #[test]
    fn secret_is_neither_short_nor_seen() {
        assert!(Secret::new(vec![1; 15]).is_none());
        assert!(Secret::new(vec![1; 4097]).is_none());
        assert!(Secret::new(vec![1; 16]).is_some() && Secret::new(vec![1; 4096]).is_some());
        let secrets = Secrets::<Key>::two(secret("0123456789abcdef"), secret("fedcba9876543210"));
        let shown = format!("{:?} {:?}", secrets.unwrap(), secret("0123456789abcdef"));
        assert!(shown.contains("[redacted]") && !shown.contains("0123"), "{shown}");
    }

    #[test]
    fn only_two_secrets_are_accepted() {
        let one = Secrets::<Shown>::from(secret("0123456789abcdef"));
        let two = Secrets::two(secret("0123456789abcdef"), secret("fedcba9876543210"));
        let two: Secrets<Shown> = two.unwrap();
        assert_eq!((one.count(), two.count()), (1, 2));
        for (given, by_one, by_two) in [
            ("0123456789abcdef", true, true),
            ("fedcba9876543210", false, true),
            ("0123456789abcde", false, false),
            ("", false, false),
        ] {
            let given = given.as_bytes();
            assert_eq!((one.hold(given), two.hold(given)), (by_one, by_two));
        }
        let same = Secrets::<Key>::two(secret("0123456789abcdef"), secret("0123456789abcdef"));
        assert!(same.is_none());
    }
}
