//! Events of usual size for the benchmarks, and their signatures.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Secret of the signatures.
pub const SECRET: &str = "bench-secret-0123456789";

/// Returns the key of event `number`. Keys are not in order, as in production.
pub fn key(number: u64) -> String {
    format!("{:016x}-{number:08x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Returns the body of event `number`.
pub fn json(number: u64) -> String {
    format!(
        r#"{{"id":"msg-{number:08}","object":"message","event":"message:in:new","from":"+34600111222","text":"{}"}}"#,
        "Is my order ready for pickup? ".repeat(14)
    )
}

/// Returns the headers with the timestamp `at` and the signature of `signed`.
pub fn proof(at: u64, signed: &str) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(SECRET.as_bytes()).unwrap();
    let mac = mac.chain_update(signed).finalize().into_bytes();
    let digits: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("X-Timestamp: {at}\r\nX-Signature: {digits}\r\n")
}
