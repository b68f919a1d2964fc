//! Conversion between bytes and hexadecimal digits.

use alloc::string::String;

/// Returns the bytes as lower-case hexadecimal digits.
pub fn encode(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Returns the `N` bytes of `2 * N` hexadecimal digits in either case; `None` for any other input.
#[must_use]
pub fn decode<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    let (pairs, rest) = digits.as_chunks::<2>();
    let mut bytes = [0; N];
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let value =
        |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = (value(*high)? << 4) | value(*low)?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_reverses_encoding_and_refuses_anything_else() {
        let bytes: [u8; 4] = [0, 0x9f, 0xa0, 0xff];
        assert_eq!(encode(&bytes), "009fa0ff");
        assert_eq!(decode(b"009fA0fF"), Some(bytes));
        for bad in [&b""[..], b"009fa0f", b"009fa0ff0", b"009fa0fg", b"009fa0f\xff", b"+09fa0ff"] {
            assert_eq!(decode::<4>(bad), None);
        }
    }
}
