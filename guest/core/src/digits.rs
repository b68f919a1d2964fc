//! Whole numbers as others write them: decimal digits, and nothing else.

/// The number that `text` is. `u32::from_str` alone would accept a leading `+`.
pub fn whole_number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}
