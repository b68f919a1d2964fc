//! A recipient's number in international format (section 2.1), parsed once.

use alloc::string::String;

use crate::error::InvalidInput;
use crate::limits::{MAX_PHONE_DIGITS, MIN_PHONE_DIGITS};

/// A `+` and 7 to 15 digits, the first of which is not zero (ITU-T E.164).
///
/// Which lengths and prefixes a country uses is not checked: such tables age, and
/// the service knows better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone(String);

impl Phone {
    /// Parses a number, taking out the formatting that people type after the `+`:
    /// spaces, no-break spaces, hyphens, dots and parentheses.
    ///
    /// # Errors
    /// Anything else is refused, with the reason. A number without `+` is not
    /// completed, because its country would be a guess, and `(0)` is not taken
    /// out: some countries dial that zero, others do not.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        let wrong = |reason: &'static str| InvalidInput::new("phone", reason);
        if text.contains('@') {
            return Err(wrong("is a chat address; give the number alone, with a leading +"));
        }
        if text.contains(':') {
            return Err(wrong(
                "begins with the name of a channel; give the number alone, with a leading +",
            ));
        }
        let Some(rest) = text.strip_prefix('+') else {
            return Err(wrong(if text.is_empty() {
                "is empty"
            } else if text.starts_with("00") {
                "begins with 00; write the country code after a leading +"
            } else {
                "has no leading +; write it with its country code, for example +34600111222"
            }));
        };
        if rest.split('(').skip(1).any(|inside| inside.starts_with("0)")) {
            return Err(wrong(
                "holds (0): leave the zero out, or write it without parentheses where the country dials it",
            ));
        }
        let mut digits = String::with_capacity(MAX_PHONE_DIGITS.saturating_add(1));
        digits.push('+');
        for char in rest.chars() {
            match char {
                '0'..='9' if digits.len() > MAX_PHONE_DIGITS => {
                    return Err(wrong("has more than 15 digits"));
                }
                '0'..='9' => digits.push(char),
                ' ' | '\u{a0}' | '\u{202f}' | '-' | '\u{2010}' | '\u{2011}' | '.' | '(' | ')' => {}
                '+' => return Err(wrong("has a second +")),
                'a'..='z' | 'A'..='Z' => return Err(wrong("has a letter")),
                // No tables of the world's digits: they cost bytes and decide nothing.
                _ if !char.is_ascii() => {
                    return Err(wrong("has a character outside ASCII; write the digits as 0 to 9"));
                }
                _ => {
                    return Err(wrong(
                        "has a character that is neither a digit nor usual formatting",
                    ));
                }
            }
        }
        if digits.starts_with("+0") {
            return Err(wrong("has a zero after the +; no country code begins with zero"));
        }
        if digits.len() <= MIN_PHONE_DIGITS {
            return Err(wrong("has fewer than 7 digits"));
        }
        Ok(Self(digits))
    }

    /// The number as it is sent: `+` and digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_becomes_one_number() {
        for text in [
            "+34600111222",
            "+34 600 111 222",
            "+34-600-111-222",
            "+34.600.111.222",
            "+(34) 600111222",
            "+34\u{a0}600\u{202f}111\u{2010}2\u{2011}22",
        ] {
            assert_eq!(Phone::parse(text).unwrap().as_str(), "+34600111222", "{text}");
        }
    }

    #[test]
    fn the_length_is_bounded_on_both_sides() {
        for (text, ok) in [
            ("+123456", false),
            ("+1234567", true),
            ("+123456789012345", true),
            ("+1234567890123456", false),
        ] {
            assert_eq!(Phone::parse(text).is_ok(), ok, "{text}");
        }
        assert!(Phone::parse(&("+".to_owned() + &"1".repeat(1_000_000))).is_err());
    }

    #[test]
    fn what_could_reach_a_stranger_is_refused_with_its_reason() {
        for (text, reason) in [
            ("", "empty"),
            ("+", "fewer than 7"),
            ("600111222", "no leading +"),
            (" +34600111222", "no leading +"),
            ("0034600111222", "begins with 00"),
            ("++34600111222", "second +"),
            ("+34600111222+", "second +"),
            ("+0034600111222", "zero after the +"),
            ("+34600FLOWERS", "letter"),
            ("+３４６００１１１２２２", "outside ASCII"),
            ("+٣٤٦٠٠١١١٢٢٢", "outside ASCII"),
            ("+34600111222\n", "neither a digit"),
            ("+34600\u{0}111222", "neither a digit"),
            ("\u{202e}+34600111222", "no leading +"),
            ("+34\u{202e}600111222", "outside ASCII"),
            ("+44 (0)20 7946 0958", "(0)"),
            ("34600111222@c.us", "chat address"),
            ("whatsapp:+34600111222", "channel"),
        ] {
            let error = Phone::parse(text).unwrap_err();
            assert_eq!(error.field, "phone");
            assert!(error.reason.contains(reason), "{text:?}: {}", error.reason);
        }
    }

    use std::borrow::ToOwned;
}
