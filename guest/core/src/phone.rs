//! A recipient's number in international format (section 2.1), parsed once.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::error::InvalidInput;
use crate::limits::{MAX_PHONE_DIGITS, MIN_PHONE_DIGITS};

/// A `+` and 7 to 15 digits, the first of which is not zero (ITU-T E.164).
///
/// Lengths and prefixes of countries are not checked, because such tables become outdated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phone(String);

const TWO_NUMBERS: &str =
    "looks like two numbers; write one, without separators between its digits";
const SLASH: &str = "has a slash; remove it if it follows an area code, otherwise write one number";
const EXTENSION: &str = "has a letter or an extension; write only the digits";
const LAST_GROUP: &str = "ends with a short group that may be an extension; remove it, or write the number without separators";
const DECIMAL: &str = "ends like a decimal number; in a spreadsheet, format the column as text";
const ROUNDED: &str =
    "is a rounded number; in a spreadsheet, format the column as text and enter the number again";
const MISPLACED: &str = "has a dot or hyphen that is not between two groups of digits";
const ISOLATED_ZERO: &str = "contains (0) or a zero between separators; leave it out, or join it to the next digits if the country dials it";

/// Maximum number of digits before a parenthesis: a country code and a mobile prefix.
const MAX_DIGITS_BEFORE_PARENTHESIS: usize = 4;
/// A hyphen or dot next to a space, after at least this many digits, begins an extension or a
/// second number: `+1 555 010 0199 - 12`. After fewer digits, the hyphen or dot separates two
/// groups: `+44 20 7946 - 0958`.
const COMPLETE_DIGITS: usize = 10;
/// The minimum number of digits of a group that can be a complete number, and the maximum number of
/// digits of an extension after this group.
const COMPLETE_AND_EXTENSION: (usize, usize) = (8, 5);
/// Minimum numbers of digits in a text that looks like two phone numbers: in the text, in the first
/// number, in the second number.
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
    /// Parses a number and removes common formatting. At both ends: white space and invisible
    /// characters. Between groups of digits: spaces of any width, hyphens, en dashes, minus signs,
    /// dots, and one pair of parentheses around an area code.
    ///
    /// # Errors
    /// Returns `InvalidInput` with the reason if the text is not exactly one number. A number
    /// without `+` is rejected, because its country is unknown. A zero in parentheses or between
    /// separators is rejected, because some countries dial it and others do not. A last group is
    /// rejected if it has one digit, or is short and follows a long group, because it may be an
    /// extension or a decimal fraction.
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
                _ if text.contains('+') => "has characters before the +; remove them",
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

/// Returns `+` and the digits of one number. `rest` is the text without a `+` at its start.
fn digits(rest: &str) -> Result<String, Cow<'static, str>> {
    let mut digits = String::with_capacity(MAX_PHONE_DIGITS.saturating_add(1));
    digits.push('+');
    let mut between = Separators::default();
    // Numbers of digits before the last group, and before the first group that can begin a second
    // number.
    let (mut group, mut second) = (0_usize, None);
    // Number of digits in the group before the last group.
    let mut previous = 0_usize;
    let mut groups = 1_usize;
    let (mut opened, mut closed) = (None, false);
    let mut dots = 0_u8;
    let mut after_dot = false;
    for char in rest.chars() {
        let count = digits.len().saturating_sub(1);
        match char {
            '0'..='9' => {
                if char == '0' && opened == Some(count) {
                    return Err(ISOLATED_ZERO.into());
                }
                if count >= MAX_PHONE_DIGITS {
                    return Err("has more than 15 digits".into());
                }
                if between.any {
                    let marks = between.marks;
                    if marks > 1 || (marks > 0 && count == 0) {
                        return Err(MISPLACED.into());
                    }
                    if marks > 0 && between.spaces && count >= COMPLETE_DIGITS {
                        return Err(TWO_NUMBERS.into());
                    }
                    if count >= MIN_PAIR_DIGITS.1 {
                        second = second.or(Some(count));
                    }
                    if group > 0 && count == group.saturating_add(1) && digits.ends_with('0') {
                        return Err(ISOLATED_ZERO.into());
                    }
                    if count > 0 {
                        groups = groups.saturating_add(1);
                    }
                    previous = count.saturating_sub(group);
                    group = count;
                    after_dot = between.dots;
                    between = Separators::default();
                }
                digits.push(char);
            }
            ' ' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
                (between.any, between.spaces) = (true, true);
            }
            '-' | '\u{2010}'..='\u{2013}' | '\u{2212}' | '.' => {
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
            '/' => return Err(SLASH.into()),
            '+' | ',' | ';' => return Err(TWO_NUMBERS.into()),
            'a'..='z' | 'A'..='Z' | '#' | '*' => return Err(EXTENSION.into()),
            _ if is_invisible(char) => {
                return Err(["has an invisible character, ", &code_point(char), "; remove it"]
                    .concat()
                    .into());
            }
            // Digits of other scripts are not recognized, because the tables would make the
            // component larger.
            _ if !char.is_ascii() => {
                let why = "; use only digits 0 to 9, spaces and hyphens";
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
    // A last group of six digits or more may be the end of a second number.
    let is_whole = group >= MIN_PHONE_DIGITS && last < shortest;
    if after_dot && dots == 1 && (last <= 2 || (groups == 2 && (is_whole || is_zero()))) {
        return Err(DECIMAL.into());
    }
    let is_pair = |at: usize| count >= both && count.saturating_sub(at) >= shortest;
    if second.is_some_and(is_pair) {
        return Err(TWO_NUMBERS.into());
    }
    let (complete, extension) = COMPLETE_AND_EXTENSION;
    if group > 0 && (last == 1 || (previous >= complete && last <= extension)) {
        return Err(LAST_GROUP.into());
    }
    Ok(digits)
}

/// Returns the code point of a character, for example `U+200B`.
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
mod tests;
