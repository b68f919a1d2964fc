//! Phone numbers.

use messaging_core::phone::Phone;

use super::input::text;

/// Characters that the parser removes at both ends.
const ENDS: [char; 6] = [' ', '\n', '\u{a0}', '\u{200e}', '\u{202a}', '\u{feff}'];

pub fn check(data: &[u8]) {
    let text = text(data);
    match Phone::parse(&text) {
        Ok(phone) => {
            let normal = phone.as_str();
            let digits = normal.strip_prefix('+').expect("a leading +");
            assert!((7..=15).contains(&digits.len()), "{normal}");
            assert!(digits.bytes().all(|byte| byte.is_ascii_digit()), "{normal}");
            assert!(!digits.starts_with('0'), "{normal}");
            // The number has the digits of the input, in order.
            let given: String = text.chars().filter(char::is_ascii_digit).collect();
            assert_eq!(digits, given);
            // At most one pair of parentheses, and its content does not start with 0.
            let inside =
                text.split_once('(').map(|(_, rest)| rest.split_once(')').expect("a closing )"));
            if let Some((inside, after)) = inside {
                let first = inside.chars().find(char::is_ascii_digit);
                assert!(first.is_some_and(|digit| digit != '0') && !after.contains(['(', ')']));
            }
            assert_eq!(Phone::parse(normal).as_ref(), Ok(&phone));
            let end = |byte: Option<&u8>| ENDS[usize::from(*byte.unwrap_or(&0)) % ENDS.len()];
            let padded = format!("{}{normal}{}", end(data.first()), end(data.last()));
            assert_eq!(Phone::parse(&padded), Ok(phone));
        }
        Err(invalid) => {
            assert_eq!(invalid.field, "phone");
            assert!(!invalid.detail.is_empty() && invalid.detail.len() < 200);
        }
    }
}
