//! Parser for unsigned integers that consist of decimal digits only.

/// Parses decimal digits. Returns `None` for an empty string, for any other character, and for
/// values above `u32::MAX`.
///
/// `u32::from_str` is not enough, because it accepts a leading `+`.
pub fn whole_number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_up_to_max_u32_are_numbers() {
        for (text, number) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("4294967295", Some(u32::MAX)),
            ("4294967296", None),
            ("", None),
            ("+1", None),
            ("-1", None),
            ("1.0", None),
            (" 1", None),
            ("\u{661}", None),
        ] {
            assert_eq!(whole_number(text), number, "{text}");
        }
    }
}
