//! Phone numbers.

use messaging_core::phone::Phone;

use super::input::text;

/// Characters that may stand anywhere. Spaces and parentheses can mean something.
const FORMATTING: [char; 5] = ['-', '\u{2010}', '\u{2011}', '\u{2013}', '.'];

pub fn check(data: &[u8]) {
    let text = text(data);
    match Phone::parse(&text) {
        Ok(phone) => {
            let normal = phone.as_str();
            let digits = normal.strip_prefix('+').expect("begins with +");
            assert!((7..=15).contains(&digits.len()), "{normal}");
            assert!(digits.bytes().all(|byte| byte.is_ascii_digit()), "{normal}");
            assert!(!digits.starts_with('0'), "{normal}");
            // It is the caller's number: the same digits in the same order.
            let given: String = text.chars().filter(char::is_ascii_digit).collect();
            assert_eq!(digits, given);
            // One pair of parentheses at most, around something that is no trunk zero.
            let inside =
                text.split_once('(').map(|(_, rest)| rest.split_once(')').expect("closed"));
            if let Some((inside, after)) = inside {
                let first = inside.chars().find(char::is_ascii_digit);
                assert!(first.is_some_and(|digit| digit != '0') && !after.contains(['(', ')']));
            }
            assert_eq!(Phone::parse(normal).as_ref(), Ok(&phone));
            assert_eq!(Phone::parse(&formatted(normal, data)), Ok(phone));
        }
        Err(invalid) => {
            assert_eq!(invalid.field, "phone");
            assert!(!invalid.detail.is_empty() && invalid.detail.len() < 200);
        }
    }
}

/// The number with formatting behind each character, as the input says.
fn formatted(normal: &str, data: &[u8]) -> String {
    let mut formatted = String::new();
    for (char, byte) in normal.chars().zip(data.iter().cycle()) {
        formatted.push(char);
        formatted.extend(FORMATTING.get(usize::from(*byte) % 16));
    }
    formatted
}
