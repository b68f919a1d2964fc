//! Tests of the comparison with the clock. `tests/origin_cases.rs` tests the schemes.

use super::*;
use crate::webhook::secret::Secret;
use std::vec;

const SECRET: &str = "0123456789abcdef";
/// The signature of `evt-1.1000.` with `SECRET`, and another signature.
const RIGHT: &str = "v1,BvH4J2QgVQzD8Kxk0uCYLdGRVceHfsxOlylOwod4cRc=";
const OTHER: &str = "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

#[test]
fn clock_is_read_for_every_signature() {
    let secrets = Secret::new(SECRET.into()).unwrap().into();
    let signature = Signature { secrets, scheme: Scheme::StandardWebhooks { tolerance: Some(10) } };
    let looked = core::cell::Cell::new(0);
    for (value, expected) in [(RIGHT, Ok(())), (OTHER, Err((STANDARD_SIGNATURE, Fault::Wrong)))] {
        let header = |name: &str| match name {
            STANDARD_ID => vec![b"evt-1".to_vec()],
            STANDARD_TIMESTAMP => vec![b"1000".to_vec()],
            _ => vec![value.into()],
        };
        let now = || {
            looked.set(looked.get() + 1);
            1000
        };
        assert_eq!(signature.judge(b"", &header, now), expected);
    }
    assert_eq!(looked.get(), 2);
}

#[test]
fn distance_never_overflows() {
    assert_eq!(distance(b"99999999999999999999", 5), u64::MAX - 5);
    assert_eq!([distance(b"0", u64::MAX), distance(b"7", 5)], [u64::MAX, 2]);
}
