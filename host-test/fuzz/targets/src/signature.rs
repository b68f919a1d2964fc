//! The signature of a delivery's body.

use messaging_core::webhook::origin::Proofs;
use messaging_core::webhook::secret::Secret;
use messaging_core::webhook::signature::{Encoding, Scheme, Signature, Signed};
use sha2::{Digest, Sha256};

use super::input::{Input, text};

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let how = input.byte();
    // Secret lengths below, at and above the block size of SHA-256.
    let secret = vec![input.byte(); [16, 63, 64, 65, 200][usize::from(how >> 4) % 5]];
    let prefix = text(input.line());
    let mut values: Vec<Vec<u8>> = match how % 4 {
        0 => vec![],
        1 => vec![input.line().to_vec()],
        2 => vec![input.line().to_vec(), input.line().to_vec()],
        _ => vec![vec![]],
    };
    let altered = input.byte();
    let body = input.0;
    if how % 4 == 3 {
        let mut value = format!("{prefix}{}", hex(&hmac(&secret, body))).into_bytes();
        // A valid signature or a small variation of it.
        match altered % 8 {
            0 => value.make_ascii_uppercase(),
            1 => value.push(altered),
            2 => drop(value.pop()),
            3 | 4 => {
                let at = usize::from(altered) % value.len();
                value[at] = value[at].wrapping_add(altered);
            }
            _ => {}
        }
        values = vec![value];
    }
    let expected = match values.as_slice() {
        [value] => value.strip_prefix(prefix.as_bytes()).is_some_and(|digits| {
            digits.to_ascii_lowercase() == hex(&hmac(&secret, body)).as_bytes()
        }),
        _ => false,
    };
    let proofs = Proofs {
        signature: Some(Signature {
            secrets: Secret::new(secret).expect("a valid secret").into(),
            scheme: Scheme::Header {
                header: "x-signature".into(),
                prefix,
                encoding: Encoding::Hex,
                signed: Signed::Body,
            },
        }),
        ..Proofs::default()
    };
    let header = |name: &str| if name == "x-signature" { values.clone() } else { vec![] };
    assert_eq!(proofs.hold_for_body(body, header, || 0), expected);
    assert!(proofs.hold_for_head("/", header), "the head needs no signature");
}

/// Computes HMAC-SHA256 (RFC 2104).
pub fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut block = [0; 64];
    match key.len() {
        0..=64 => block[..key.len()].copy_from_slice(key),
        _ => block[..32].copy_from_slice(&Sha256::digest(key)),
    }
    let pad = |with: u8| block.map(|byte| byte ^ with);
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize().into()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
