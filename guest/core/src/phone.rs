//! A recipient's number in international format (section 2.1), parsed once.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::error::InvalidInput;
use crate::limits::{MAX_PHONE_DIGITS, MIN_PHONE_DIGITS};

/// A `+` and 7 to 15 digits, the first of which is not zero (ITU-T E.164).
///
/// Lengths and prefixes of countries are not checked, because such tables age.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone(String);

const TWO_NUMBERS: &str =
    "looks like two numbers; write one, without separators between its digits";
const EXTENSION: &str = "has a letter or an extension; write only the digits";
const DECIMAL: &str = "ends like a decimal number; in a spreadsheet, format the column as text";
const ROUNDED: &str =
    "is a rounded number; in a spreadsheet, format the column as text and enter the number again";
const MISPLACED: &str = "has a dot or hyphen that is not between two groups of digits";
const ZERO_ALONE: &str = "contains (0) or a zero between separators; leave it out, or join it to the next digits if the country dials it";

/// Maximum number of digits before a parenthesis: a country code and a mobile prefix.
const MAX_DIGITS_BEFORE_PARENTHESIS: usize = 4;
/// Minimum number of digits of two joined numbers, of the first and of the second.
const MIN_PAIR_DIGITS: (usize, usize, usize) = (14, 7, 6);

/// The separators between two groups of digits.
#[derive(Default)]
struct Separators {
    any: bool,
    spaces: bool,
    dots: bool,
    /// Number of dots and hyphens.
    marks: u8,
}

impl Phone {
    /// Parses a number and removes common formatting: white space and invisible characters at both
    /// ends; spaces, no-break spaces, hyphens, en dashes, dots and one pair of parentheses around
    /// an area code between groups of digits.
    ///
    /// # Errors
    /// Returns `InvalidInput` with the reason if the text is not exactly one number. A number
    /// without `+` is rejected, because its country is unknown. A zero in parentheses or between
    /// separators is rejected, because some countries dial it and others do not. A last group of
    /// one digit may be an extension or a decimal fraction.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        Self::read(text).map(Self).map_err(|reason| InvalidInput::new("phone", reason))
    }

    fn read(text: &str) -> Result<String, Cow<'static, str>> {
        let text = text.trim_matches(|char: char| char.is_whitespace() || is_invisible(char));
        if text.contains('@') {
            return Err("is a chat address; write only the number, with a leading +".into());
        }
        if text.contains(':') {
            return Err(
                "begins with a channel name; write only the number, with a leading +".into()
            );
        }
        if is_scientific(text) {
            return Err(ROUNDED.into());
        }
        let rest = text.strip_prefix('+');
        let number = digits(rest.unwrap_or(text));
        if rest.is_none() {
            return Err(match number {
                _ if text.is_empty() => "is empty",
                _ if text.starts_with("00") => {
                    "begins with 00; write the country code after a leading +"
                }
                Err(reason) if reason == DECIMAL => DECIMAL,
                _ => "has no leading +; write it with its country code, for example +34600111222",
            }
            .into());
        }
        let number = number?;
        if number.starts_with("+0") {
            return Err("has a zero after the +; no country code begins with zero".into());
        }
        if number.len() <= MIN_PHONE_DIGITS {
            return Err("has fewer than 7 digits".into());
        }
        Ok(number)
    }

    /// Returns the number as it is sent: `+` and digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns true for a number with an exponent, such as `3.46E+10`.
fn is_scientific(text: &str) -> bool {
    let (number, exponent) = text.split_once(['E', 'e']).unwrap_or_default();
    let exponent = exponent.trim_start_matches('+');
    let all = |text: &str, marks: &[char]| {
        !text.is_empty() && text.chars().all(|char| char.is_ascii_digit() || marks.contains(&char))
    };
    all(number, &['+', '.', ',']) && all(exponent, &[])
}

/// Returns `+` and the digits of one number. The text does not contain the `+` at its start.
fn digits(rest: &str) -> Result<String, Cow<'static, str>> {
    let mut digits = String::with_capacity(MAX_PHONE_DIGITS.saturating_add(1));
    digits.push('+');
    let mut between = Separators::default();
    // Digits before the last group, and before the first group that can begin a second number.
    let (mut group, mut second) = (0_usize, None);
    let mut groups = 1_usize;
    let (mut opened, mut closed) = (None, false);
    let mut dots = 0_u8;
    let mut after_dot = false;
    for char in rest.chars() {
        let count = digits.len().saturating_sub(1);
        match char {
            '0'..='9' => {
                if char == '0' && opened == Some(count) {
                    return Err(ZERO_ALONE.into());
                }
                if count >= MAX_PHONE_DIGITS {
                    return Err("has more than 15 digits".into());
                }
                if between.any {
                    let marks = between.marks;
                    if marks > 1 || (marks > 0 && count == 0) {
                        return Err(MISPLACED.into());
                    }
                    if count >= MIN_PAIR_DIGITS.1 {
                        if marks > 0 && between.spaces {
                            return Err(TWO_NUMBERS.into());
                        }
                        second = second.or(Some(count));
                    }
                    if group > 0 && count == group.saturating_add(1) && digits.ends_with('0') {
                        return Err(ZERO_ALONE.into());
                    }
                    if count > 0 {
                        groups = groups.saturating_add(1);
                    }
                    group = count;
                    after_dot = between.dots;
                    between = Separators::default();
                }
                digits.push(char);
            }
            ' ' | '\u{a0}' | '\u{202f}' => (between.any, between.spaces) = (true, true),
            '-' | '\u{2010}' | '\u{2011}' | '\u{2013}' | '.' => {
                let is_dot = char == '.';
                dots = dots.saturating_add(u8::from(is_dot));
                between.any = true;
                between.dots |= is_dot;
                between.marks = between.marks.saturating_add(1);
            }
            '(' if opened.is_none() && !closed && count <= MAX_DIGITS_BEFORE_PARENTHESIS => {
                opened = Some(count);
                between.any = true;
            }
            ')' if opened.is_some_and(|at| at < count) => {
                (opened, closed) = (None, true);
                between.any = true;
            }
            '(' | ')' => {
                return Err("has parentheses that are not one pair around an area code".into());
            }
            '+' | ',' | ';' | '/' => return Err(TWO_NUMBERS.into()),
            'a'..='z' | 'A'..='Z' | '#' | '*' => return Err(EXTENSION.into()),
            _ if is_invisible(char) => {
                return Err(["has an invisible character, ", &code_point(char), "; remove it"]
                    .concat()
                    .into());
            }
            // Digits of other scripts are not recognized, because the tables would make the
            // component larger.
            _ if !char.is_ascii() => {
                let why = "; write the digits as 0 to 9";
                return Err(["has a character outside ASCII, ", &code_point(char), why]
                    .concat()
                    .into());
            }
            _ => return Err("has a character that is neither a digit nor usual formatting".into()),
        }
    }
    let count = digits.len().saturating_sub(1);
    if opened.is_some() {
        return Err("has a parenthesis that is not closed".into());
    }
    if between.marks > 0 {
        return Err(MISPLACED.into());
    }
    let last = count.saturating_sub(group);
    let is_zero = || digits.bytes().skip(group.saturating_add(1)).all(|byte| byte == b'0');
    let (both, _, shortest) = MIN_PAIR_DIGITS;
    // The last group of a second number has six digits or more.
    let is_whole = group >= MIN_PHONE_DIGITS && last < shortest;
    if after_dot && dots == 1 && (last <= 2 || (groups == 2 && (is_whole || is_zero()))) {
        return Err(DECIMAL.into());
    }
    let is_pair = |at: usize| count >= both && count.saturating_sub(at) >= shortest;
    if second.is_some_and(is_pair) {
        return Err(TWO_NUMBERS.into());
    }
    if group > 0 && last == 1 {
        return Err(EXTENSION.into());
    }
    Ok(digits)
}

/// Returns a character as `U+200B`.
fn code_point(char: char) -> String {
    let code = u32::from(char);
    let mut text = String::from("U+");
    for shift in [16, 12, 8, 4, 0] {
        let rest = code.checked_shr(shift).unwrap_or(0);
        if rest > 0 || shift < 16 {
            let digit = char::from_digit(rest & 0xf, 16);
            text.extend(digit.map(|digit| digit.to_ascii_uppercase()));
        }
    }
    text
}

/// Returns true for direction marks and characters without width.
pub(crate) fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatted_number_is_normalized() {
        for text in [
            "+34600111222",
            "+34 600 111 222",
            "+34-600-111-222",
            "+34.600.111.222",
            "+34.600111222",
            "+34600.111222",
            "+(34) 600111222",
            "+34 (600) 111 222",
            "+34 ( 600 ) 111 222",
            "+34-(600)-111-222",
            "+34 - 600 111 222",
            "+34 600–111–222",
            "+34\u{a0}600\u{202f}111\u{2010}2\u{2011}22",
        ] {
            assert_eq!(Phone::parse(text).unwrap().as_str(), "+34600111222", "{text}");
        }
    }

    #[test]
    fn white_space_and_invisible_ends_are_removed() {
        for (before, after) in [
            ("\u{202a}", "\u{202c}"),
            ("\u{200e}", "\u{200e}"),
            ("\u{200f}", ""),
            ("\u{feff}", ""),
            ("\u{2066}", "\u{2069}"),
            ("\u{61c}", "\u{61c}"),
            ("\u{202e}", ""),
            ("\u{200b}", "\u{200d}"),
            ("", "\n"),
            (" \t", "\r\n"),
            ("\u{a0}\u{202f}\u{3000}", "\u{a0}\u{2009}"),
            (" \u{202a}\u{a0}", " \u{202c} "),
        ] {
            let text = [before, "+34 600 111 222", after].concat();
            assert_eq!(Phone::parse(&text).unwrap().as_str(), "+34600111222", "{text:?}");
        }
    }

    #[test]
    fn length_is_bounded_on_both_sides() {
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
    fn ambiguous_number_is_rejected_with_reason() {
        for (text, reason) in [
            ("", "empty"),
            ("\u{200e} ", "empty"),
            ("+", "fewer than 7"),
            ("600111222", "no leading +"),
            ("'+34600111222", "no leading +"),
            ("0034600111222", "begins with 00"),
            ("++34600111222", "two numbers"),
            ("+34600111222+", "two numbers"),
            ("+0034600111222", "zero after the +"),
            ("+34600FLOWERS", "letter"),
            ("+３４６００１１１２２２", "U+FF13"),
            ("+٣٤٦٠٠١١١٢٢٢", "U+0663"),
            ("+34600\n111222", "neither a digit"),
            ("+34600\t111222", "neither a digit"),
            ("+34600\u{0}111222", "neither a digit"),
            ("+34\u{202e}600111222", "U+202E"),
            ("+34\u{200b}600111222", "U+200B"),
            ("+\u{feff}34600111222", "U+FEFF"),
            ("+44 (0)20 7946 0958", "(0)"),
            ("+44 ( 0 )20 7946 0958", "(0)"),
            ("+44 (020) 7946 0958", "(0)"),
            ("+44 (-0)20 7946 0958", "(0)"),
            ("+44 (\u{a0}0)20 7946 0958", "(0)"),
            ("+44 20 (0) 7946 0958", "(0)"),
            ("+44 0 20 7946 0958", "a zero between separators"),
            ("+44\u{a0}0\u{a0}20 7946 0958", "a zero between separators"),
            ("+44-0-20-7946-0958", "a zero between separators"),
            ("+44.0.20.7946.0958", "a zero between separators"),
            ("+1 (212 555 0123", "not closed"),
            ("+1 212) 555 0123", "parentheses"),
            ("+1 ((212)) 555 0123", "parentheses"),
            ("+1 () 212 555 0123", "parentheses"),
            ("+1 (2)(12) 555 0123", "parentheses"),
            ("+1 212 555 0123 (5)", "parentheses"),
            ("+1 555 0100 (555 0101)", "parentheses"),
            ("34600111222@c.us", "chat address"),
            ("whatsapp:+34600111222", "channel"),
            ("tel:+34600111222", "channel"),
        ] {
            let error = Phone::parse(text).unwrap_err();
            assert_eq!(error.field, "phone");
            assert!(error.detail.contains(reason), "{text:?}: {}", error.detail);
        }
    }

    #[test]
    fn decimal_number_is_rejected() {
        for (text, reason) in [
            ("+34600111222.0", "decimal"),
            ("34600111222.0", "decimal"),
            ("3.46001E+10", "rounded"),
            ("+3,46e10", "rounded"),
            ("+34600111222.00", "decimal"),
            ("+34600111222.000", "decimal"),
            ("+34600111222.5", "decimal"),
            ("+34600111222.25", "decimal"),
            ("+34600111222.500", "decimal"),
            ("+15551234567.0505", "decimal"),
            ("+34 600 111 222.00", "decimal"),
            ("+34 600 111 222 .00", "two numbers"),
            ("+34600111222.", "dot or hyphen"),
            ("+34600111222-", "dot or hyphen"),
            ("+.34600111222", "dot or hyphen"),
            ("+-34600111222", "dot or hyphen"),
            ("+34600111222..12", "dot or hyphen"),
            ("+34--600111222", "dot or hyphen"),
            ("+34600111222,0", "two numbers"),
            ("+34.600.111.222,00", "two numbers"),
            ("+3.46E+10", "rounded"),
            ("+3.46001112220000E10", "rounded"),
        ] {
            let error = Phone::parse(text).unwrap_err();
            assert!(error.detail.contains(reason), "{text:?}: {}", error.detail);
        }
    }

    #[test]
    fn extension_or_second_number_is_rejected() {
        for (text, reason) in [
            ("+1 212 555 0123 5", "extension"),
            ("+1 212 555 0123-5", "extension"),
            ("+1.212.555.0123.5", "extension"),
            ("+49 30 901820-0", "extension"),
            ("+34 600 111 222\u{a0}5", "extension"),
            ("+1 212 555 0123 ext. 5", "extension"),
            ("+1 212 555 0123 x5", "extension"),
            ("+1 555 0100 x12", "extension"),
            ("+1 212 555 0123 #5", "extension"),
            ("+12125550123;ext=5", "two numbers"),
            ("+12125550123,5", "two numbers"),
            ("+1 (555) 010-0199 - 12", "two numbers"),
            ("+1 (555) 010-0199 -12", "two numbers"),
            ("+1 (555) 010-0199- 123", "two numbers"),
            ("+1 (555) 010-0199 – 1234", "two numbers"),
            ("+49 30 123456/57", "two numbers"),
            ("+34 600 111 222 / +34 600 111 223", "two numbers"),
            ("+34600111222 +34600111333", "two numbers"),
            ("+1234567 7654321", "two numbers"),
            ("+1234567-1234568", "two numbers"),
            ("+1234567.1234568", "two numbers"),
            ("+1234567 765-4321", "two numbers"),
            ("+1 555 0100 555 0101", "two numbers"),
            ("+1-555-0100-555-0101", "two numbers"),
            ("+298 123456 654321", "two numbers"),
        ] {
            let error = Phone::parse(text).unwrap_err();
            assert!(error.detail.contains(reason), "{text:?}: {}", error.detail);
        }
    }

    #[test]
    fn business_card_formats_keep_their_digits() {
        for (text, number) in [
            ("+34 600 111 222", "+34600111222"),        // Spain
            ("+44 20 7946 0958", "+442079460958"),      // United Kingdom
            ("+44 7911 123456", "+447911123456"),       // United Kingdom, mobile
            ("+49 30 901820-12", "+493090182012"),      // Germany, direct dial
            ("+49 1511 2345678", "+4915112345678"),     // Germany, mobile
            ("+49 89 1234–567", "+49891234567"),        // Germany, typeset
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
            ("+1-212-555-0123", "+12125550123"),        // United States
            ("+1.212.555.0123", "+12125550123"),        // United States
            ("+52 1 (55) 1234 5678", "+5215512345678"), // Mexico
            ("+54 9 (11) 1234-5678", "+5491112345678"), // Argentina
            ("+55 (11) 91234-5678", "+5511912345678"),  // Brazil
            ("+81-3-1234-5678", "+81312345678"),        // Japan
            ("+86 138 0013 8000", "+8613800138000"),    // China
            ("+91 98765 43210", "+919876543210"),       // India
            ("+91 - 98765 43210", "+919876543210"),     // India
            ("+33.1.23.45.67.89", "+33123456789"),      // France
            ("+44.2079460958", "+442079460958"),        // United Kingdom, in a domain registry
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
