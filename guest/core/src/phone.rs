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

const TWO_NUMBERS: &str = "looks like two numbers; give one, or write it without spaces";
const EXTENSION: &str = "has a letter, or looks as if an extension followed; give the digits alone";

const ZERO_ALONE: &str = "contains (0) or a zero alone: leave it out, or write it with the digits after it where the country dials it";

/// Most digits that stand before a parenthesis: a country code and a digit for mobiles.
const MAX_DIGITS_BEFORE_PARENTHESIS: usize = 4;
/// Fewest digits of two numbers in a row, and of either of them.
const MIN_PAIR_DIGITS: (usize, usize, usize) = (14, 7, 6);

impl Phone {
    /// Parses a number, taking out the formatting that people type after the `+`:
    /// spaces, no-break spaces, hyphens, en dashes, dots, and one pair of parentheses
    /// around an area code.
    ///
    /// # Errors
    /// Anything else is refused, with the reason: what a person would hesitate to dial
    /// as one number is not made one. A number without `+` is not completed, because its
    /// country would be a guess. A zero that a parenthesis begins with, or that stands
    /// alone between spaces, is not taken out: some countries dial it, others do not.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        Self::read(text).map(Self).map_err(|reason| InvalidInput::new("phone", reason))
    }

    fn read(text: &str) -> Result<String, &'static str> {
        if text.contains('@') {
            return Err("is a chat address; give the number alone, with a leading +");
        }
        if text.contains(':') {
            return Err(
                "begins with the name of a channel; give the number alone, with a leading +",
            );
        }
        let Some(rest) = text.strip_prefix('+') else {
            return Err(if text.is_empty() {
                "is empty"
            } else if text.starts_with("00") {
                "begins with 00; write the country code after a leading +"
            } else {
                "has no leading +; write it with its country code, for example +34600111222"
            });
        };
        let mut digits = String::with_capacity(MAX_PHONE_DIGITS.saturating_add(1));
        digits.push('+');
        // Length of the number where its last group began, and where a parenthesis did.
        let (mut group, mut opened) = (0_usize, None);
        let mut closed = false;
        for char in rest.chars() {
            match char {
                '0' if opened == Some(digits.len()) => {
                    return Err(ZERO_ALONE);
                }
                '0'..='9' if digits.len() > MAX_PHONE_DIGITS => {
                    return Err("has more than 15 digits");
                }
                '0'..='9' => digits.push(char),
                ' ' | '\u{a0}' | '\u{202f}' => {
                    // After the country code, and between spaces.
                    if group > 0 && digits.len() == group.saturating_add(1) && digits.ends_with('0')
                    {
                        return Err(ZERO_ALONE);
                    }
                    group = digits.len();
                }
                '-' | '\u{2010}' | '\u{2011}' | '\u{2013}' | '.' => {}
                '(' if opened.is_none()
                    && !closed
                    && digits.len() <= MAX_DIGITS_BEFORE_PARENTHESIS.saturating_add(1) =>
                {
                    opened = Some(digits.len());
                }
                ')' if opened.is_some_and(|at| at < digits.len()) => {
                    (opened, closed) = (None, true);
                }
                '(' | ')' => {
                    return Err("has parentheses that are not one pair around an area code");
                }
                '+' | ',' | ';' | '/' => return Err(TWO_NUMBERS),
                'a'..='z' | 'A'..='Z' | '#' | '*' => return Err(EXTENSION),
                // No tables of the world's digits: they cost bytes and decide nothing.
                _ if !char.is_ascii() => {
                    return Err("has a character outside ASCII; write the digits as 0 to 9");
                }
                _ => return Err("has a character that is neither a digit nor usual formatting"),
            }
        }
        if opened.is_some() {
            return Err("has a parenthesis that is not closed");
        }
        if digits.starts_with("+0") {
            return Err("has a zero after the +; no country code begins with zero");
        }
        if digits.len() <= MIN_PHONE_DIGITS {
            return Err("has fewer than 7 digits");
        }
        let last = digits.len().saturating_sub(group);
        let before = group.saturating_sub(1);
        let (both, first, second) = MIN_PAIR_DIGITS;
        if before >= first && last >= second && digits.len() > both {
            return Err(TWO_NUMBERS);
        }
        if before > 0 && last == 1 && !digits.ends_with('0') {
            return Err(EXTENSION);
        }
        Ok(digits)
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
    fn a_number_as_people_type_it_is_normalised() {
        for text in [
            "+34600111222",
            "+34 600 111 222",
            "+34-600-111-222",
            "+34.600.111.222",
            "+(34) 600111222",
            "+34 (600) 111 222",
            "+34 ( 600 ) 111 222",
            "+34 600–111–222",
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
    fn an_ambiguous_number_is_refused_with_its_reason() {
        for (text, reason) in [
            ("", "empty"),
            ("+", "fewer than 7"),
            ("600111222", "no leading +"),
            (" +34600111222", "no leading +"),
            ("0034600111222", "begins with 00"),
            ("++34600111222", "two numbers"),
            ("+34600111222+", "two numbers"),
            ("+0034600111222", "zero after the +"),
            ("+34600FLOWERS", "letter"),
            ("+３４６００１１１２２２", "outside ASCII"),
            ("+٣٤٦٠٠١١١٢٢٢", "outside ASCII"),
            ("+34600111222\n", "neither a digit"),
            ("+34600\u{0}111222", "neither a digit"),
            ("\u{202e}+34600111222", "no leading +"),
            ("+34\u{202e}600111222", "outside ASCII"),
            ("+44 (0)20 7946 0958", "(0)"),
            ("+44 ( 0 )20 7946 0958", "(0)"),
            ("+44 (020) 7946 0958", "(0)"),
            ("+44 (-0)20 7946 0958", "(0)"),
            ("+44 (\u{a0}0)20 7946 0958", "(0)"),
            ("+44 20 (0) 7946 0958", "(0)"),
            ("+44 0 20 7946 0958", "zero alone"),
            ("+44\u{a0}0\u{a0}20 7946 0958", "zero alone"),
            ("+1 (212 555 0123", "not closed"),
            ("+1 212) 555 0123", "parentheses"),
            ("+1 ((212)) 555 0123", "parentheses"),
            ("+1 () 212 555 0123", "parentheses"),
            ("+1 (2)(12) 555 0123", "parentheses"),
            ("+1 212 555 0123 (5)", "parentheses"),
            ("+1 555 0100 (555 0101)", "parentheses"),
            ("+1 212 555 0123 5", "extension"),
            ("+34 600 111 222\u{a0}5", "extension"),
            ("+1 212 555 0123 ext. 5", "extension"),
            ("+1 212 555 0123 x5", "extension"),
            ("+1 212 555 0123 #5", "extension"),
            ("+12125550123;ext=5", "two numbers"),
            ("+12125550123,5", "two numbers"),
            ("+49 30 123456/57", "two numbers"),
            ("+34600111222 +34600111333", "two numbers"),
            ("+1234567 7654321", "two numbers"),
            ("+1234567 765-4321", "two numbers"),
            ("+298 123456 654321", "two numbers"),
            ("34600111222@c.us", "chat address"),
            ("whatsapp:+34600111222", "channel"),
        ] {
            let error = Phone::parse(text).unwrap_err();
            assert_eq!(error.field, "phone");
            assert!(error.detail.contains(reason), "{text:?}: {}", error.detail);
        }
    }

    #[test]
    fn numbers_are_taken_as_business_cards_of_twenty_countries_show_them() {
        for (text, number) in [
            ("+34 600 111 222", "+34600111222"),        // Spain
            ("+44 20 7946 0958", "+442079460958"),      // United Kingdom
            ("+44 7911 123456", "+447911123456"),       // the same, a mobile
            ("+49 30 901820-0", "+49309018200"),        // Germany, the switchboard
            ("+49 1511 2345678", "+4915112345678"),     // the same, a mobile
            ("+49 89 1234–567", "+49891234567"),        // the same, as typeset
            ("+33 1 23 45 67 89", "+33123456789"),      // France
            ("+39 06 1234 5678", "+390612345678"),      // Italy, which dials the zero
            ("+41 44 668 18 00", "+41446681800"),       // Switzerland
            ("+43 1 5123456", "+4315123456"),           // Austria
            ("+31 20 123 4567", "+31201234567"),        // Netherlands
            ("+46 8-123 456 78", "+46812345678"),       // Sweden
            ("+45 12 34 56 78", "+4512345678"),         // Denmark
            ("+358 9 1234 5678", "+358912345678"),      // Finland
            ("+48 22 123 45 67", "+48221234567"),       // Poland
            ("+7 (495) 123-45-67", "+74951234567"),     // Russia
            ("+1 (212) 555-0123", "+12125550123"),      // United States
            ("+1-212-555-0123", "+12125550123"),        // the same
            ("+1.212.555.0123", "+12125550123"),        // the same
            ("+52 1 (55) 1234 5678", "+5215512345678"), // Mexico
            ("+54 9 (11) 1234-5678", "+5491112345678"), // Argentina
            ("+55 (11) 91234-5678", "+5511912345678"),  // Brazil
            ("+81-3-1234-5678", "+81312345678"),        // Japan
            ("+86 138 0013 8000", "+8613800138000"),    // China
            ("+91 98765 43210", "+919876543210"),       // India
            ("+61 2 9876 5432", "+61298765432"),        // Australia
            ("+90 (212) 123 45 67", "+902121234567"),   // Turkey
            ("+880 1712 345678", "+8801712345678"),     // Bangladesh
            ("+971 4 123 4567", "+97141234567"),        // United Arab Emirates
        ] {
            assert_eq!(Phone::parse(text).unwrap().as_str(), number, "{text}");
        }
    }

    use std::borrow::ToOwned;
}
