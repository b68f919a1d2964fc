//! Reader for untrusted JSON. Returns only the requested members, each as its original text.
//!
//! serde_json validates the text. This module then scans the text without recursion, so deep
//! nesting needs no stack. The module builds no unused values. It does not use serde's data model,
//! because serde's error messages would be a seventh of the component's size.
//!
//! A key that occurs twice with equal values counts as one field. If the values differ, the field
//! is [`Field::Conflicting`], which is an error for every reader.

use alloc::borrow::Cow;
use alloc::string::String;
use core::slice::Iter;

use memchr::memchr;
use serde::de::IgnoredAny;

use crate::digits::whole_number;
pub use crate::error::Unreadable;

/// The text of a valid JSON value, without surrounding white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<'a>(&'a str);

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a> {
    /// The key does not occur.
    Missing,
    /// The key's value.
    Value(Json<'a>),
    /// The key occurs with different values.
    Conflicting,
}

impl<'a> Json<'a> {
    /// Parses a body in UTF-8. Ignores a byte order mark (RFC 8259 section 8.1).
    ///
    /// # Errors
    /// Returns `Unreadable` if the body is not exactly one JSON value.
    pub fn read(body: &'a [u8]) -> Result<Self, Unreadable> {
        Self::parse(core::str::from_utf8(body).map_err(|_| Unreadable("is not UTF-8"))?)
    }

    /// Parses a string. Ignores a byte order mark (RFC 8259 section 8.1).
    ///
    /// # Errors
    /// Returns `Unreadable` if `text` is not exactly one JSON value.
    pub fn parse(text: &'a str) -> Result<Self, Unreadable> {
        Self::value(text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// Parses a string without a byte order mark.
    ///
    /// # Errors
    /// Returns `Unreadable` if `text` is not exactly one JSON value.
    pub fn value(text: &'a str) -> Result<Self, Unreadable> {
        let text = text.trim_ascii();
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(IgnoredAny) => Ok(Self(text)),
            Err(_) if text.is_empty() => Err(Unreadable("is empty")),
            Err(_) if text.starts_with('<') => Err(Unreadable("is HTML or XML, not JSON")),
            Err(_) => Err(Unreadable("is not valid JSON")),
        }
    }

    /// Returns the original text of the value.
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// Returns the fields `names` of this object, in the order of `names`.
    ///
    /// # Errors
    /// Returns `Unreadable` if this value is not an object.
    pub fn fields<const N: usize>(self, names: [&str; N]) -> Result<[Field<'a>; N], Unreadable> {
        let mut fields = [Field::Missing; N];
        self.fill(&names, &mut fields)?;
        Ok(fields)
    }

    /// Implements [`Json::fields`] for any number of names, to avoid monomorphized copies.
    pub(super) fn fill(self, names: &[&str], fields: &mut [Field<'a>]) -> Result<(), Unreadable> {
        for (key, value) in self.entries()? {
            let key = key.text().ok();
            let index = names.iter().position(|name| key.as_deref() == Some(name));
            if let Some(field) = index.and_then(|index| fields.get_mut(index)) {
                *field = match *field {
                    Field::Missing => Field::Value(value),
                    Field::Value(first) if first == value => Field::Value(first),
                    _ => Field::Conflicting,
                };
            }
        }
        Ok(())
    }

    /// Returns the keys and values of this object, in their original order.
    ///
    /// # Errors
    /// Returns `Unreadable` if this value is not an object.
    pub fn entries(self) -> Result<impl Iterator<Item = (Self, Self)>, Unreadable> {
        let mut items = self.items(b'{').ok_or(Unreadable("is not a JSON object"))?;
        Ok(core::iter::from_fn(move || Some((items.next()?, items.next()?))))
    }

    /// Returns the elements of this array, in order.
    ///
    /// # Errors
    /// Returns `Unreadable` if this value is not an array.
    pub fn elements(self) -> Result<impl Iterator<Item = Self>, Unreadable> {
        self.items(b'[').ok_or(Unreadable("is not an array"))
    }

    fn items(self, open: u8) -> Option<Items<'a>> {
        self.within(open).map(Items)
    }

    /// Returns the text between the first and the last byte if the first byte is `open`. The last
    /// byte of a valid value is then the matching bracket or quotation mark.
    ///
    /// This module compares bytes, because all syntax characters of JSON are ASCII. Decoding all
    /// characters would take most of the processing time of an event.
    fn within(self, open: u8) -> Option<&'a str> {
        match self.0.as_bytes() {
            [first, inner @ .., _] if *first == open => {
                self.0.get(1..inner.len().saturating_add(1))
            }
            _ => None,
        }
    }

    /// Returns the decoded string.
    ///
    /// # Errors
    /// Returns `Unreadable` if this value is not a string, or contains an unpaired surrogate.
    pub fn string(self) -> Result<String, Unreadable> {
        self.text().map(Cow::into_owned)
    }

    /// Returns the decoded string, borrowed if it has no escapes.
    fn text(self) -> Result<Cow<'a, str>, Unreadable> {
        let wrong = Unreadable("is not a string");
        let mut rest = self.within(b'"').ok_or(wrong)?;
        let mut text = String::new();
        while let Some((plain, escaped)) = rest.find('\\').and_then(|at| rest.split_at_checked(at))
        {
            let (char, width) = escape(escaped).ok_or(wrong)?;
            text.reserve(rest.len());
            text.push_str(plain);
            text.push(char);
            rest = escaped.get(width..).unwrap_or_default();
        }
        if text.is_empty() {
            return Ok(Cow::Borrowed(rest));
        }
        text.push_str(rest);
        Ok(Cow::Owned(text))
    }

    /// Returns the original text of this number; `None` if the value is not a number.
    pub fn number(self) -> Option<&'a str> {
        let number = self.0.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        number.then_some(self.0)
    }

    /// Returns this number as a `u32`.
    ///
    /// # Errors
    /// Returns `Unreadable` if this value is not a whole number below 2^32.
    pub fn count(self) -> Result<u32, Unreadable> {
        // Accepts digits only, so signs, fractions and exponents are errors.
        whole_number(self.0).ok_or(Unreadable("is not a whole number from 0 to 4294967295"))
    }
}

impl<'a> Field<'a> {
    /// Returns the field's value.
    ///
    /// # Errors
    /// Returns `Unreadable` if the key is missing or has different values.
    pub fn value(self) -> Result<Json<'a>, Unreadable> {
        match self {
            Self::Missing => Err(Unreadable("is missing")),
            Self::Value(value) => Ok(value),
            Self::Conflicting => Err(Unreadable("is given more than once, with different values")),
        }
    }

    /// Returns the field's value as a string.
    ///
    /// # Errors
    /// Returns `Unreadable` if the key is missing or has different values, or if the value is not a
    /// valid string.
    pub fn string(self) -> Result<String, Unreadable> {
        self.value()?.string()
    }

    /// Returns the field's value as a non-empty string, borrowed if it has no escapes.
    ///
    /// # Errors
    /// Returns `Unreadable` if the key is missing or has different values, or if the value is not a
    /// valid string or is empty.
    pub fn non_empty_text(self) -> Result<Cow<'a, str>, Unreadable> {
        match self.value()?.text()? {
            text if text.is_empty() => Err(Unreadable("is empty")),
            text => Ok(text),
        }
    }

    /// Returns the field's value as a `u32`.
    ///
    /// # Errors
    /// Returns `Unreadable` if the key is missing or repeated with another value, or if the value is
    /// not a whole number below 2^32.
    pub fn count(self) -> Result<u32, Unreadable> {
        self.value()?.count()
    }
}

/// The contents of an array or object without its brackets: elements, or keys and values in turn.
struct Items<'a>(&'a str);

impl<'a> Iterator for Items<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        let mut bytes = self.0.as_bytes();
        while let [byte, rest @ ..] = bytes
            && is_separator(*byte)
        {
            bytes = rest;
        }
        let text = self.0.get(self.0.len().saturating_sub(bytes.len())..)?;
        let (item, rest) = text.split_at_checked(extent(bytes))?;
        self.0 = rest;
        (!item.is_empty()).then_some(Json(item))
    }
}

/// Returns true for white space, commas and colons.
fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':')
}

/// Returns the length in bytes of the value at the start of `text`. The value ends at a separator
/// or at the end of `text`.
fn extent(text: &[u8]) -> usize {
    let mut depth: usize = 0;
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        rest = match byte {
            byte if depth == 0 && is_separator(*byte) => break,
            b'"' => after_text(after),
            _ => after,
        };
        match byte {
            b'[' | b'{' => depth = depth.saturating_add(1),
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len().saturating_sub(rest.len())
}

/// Returns the bytes after a JSON string. `rest` starts after the opening quotation mark.
fn after_text(mut rest: &[u8]) -> &[u8] {
    let quote = |rest: &[u8]| memchr(b'"', rest);
    while let Some((inner, [_, after @ ..])) = quote(rest).and_then(|at| rest.split_at_checked(at))
    {
        rest = after;
        let backslashes = inner.iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes % 2 == 0 {
            break;
        }
    }
    rest
}

/// Decodes the escape at the start of `text` (RFC 8259 section 7). Returns the character and the
/// length of the escape in bytes.
fn escape(text: &str) -> Option<(char, usize)> {
    let mut rest = text.as_bytes().iter();
    let char = match character(&mut rest, 1).ok()? {
        Character::Plain(byte) => char::from(byte),
        Character::Escaped(char) => char,
    };
    Some((char, text.len().saturating_sub(rest.len())))
}

/// A decoded character, or one byte of a character.
pub(crate) enum Character {
    /// An ASCII character, or a byte of an unescaped non-ASCII character.
    Plain(u8),
    /// A non-ASCII character from an escape.
    Escaped(char),
}

/// Reason why a character cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The bytes end within the character.
    Early,
    /// The escape is invalid.
    Wrong,
}

/// Decodes the next character of a string with `depth` layers of JSON escapes. 0 is for raw bytes, 1
/// for a JSON string, 2 for JSON within a JSON string.
pub(crate) fn character(bytes: &mut Iter<'_, u8>, depth: usize) -> Result<Character, End> {
    let Some(depth) = depth.checked_sub(1) else {
        return bytes.next().map(|byte| Character::Plain(*byte)).ok_or(End::Early);
    };
    let first = character(bytes, depth)?;
    if !matches!(first, Character::Plain(b'\\')) {
        return Ok(first);
    }
    let mut next = || match character(bytes, depth)? {
        Character::Plain(byte) => Ok(byte),
        Character::Escaped(_) => Err(End::Wrong),
    };
    Ok(Character::Plain(match next()? {
        b'u' => {
            let mut code = unit(&mut next)?;
            // A character outside the basic multilingual plane consists of two UTF-16 units.
            if code & 0xfc00 == 0xd800 {
                let escape = [next()?, next()?];
                let low = unit(&mut next)?;
                if escape != *b"\\u" || low & 0xfc00 != 0xdc00 {
                    return Err(End::Wrong);
                }
                code = ((code & 0x3ff) << 10 | (low & 0x3ff)).wrapping_add(0x1_0000);
            }
            match u8::try_from(code) {
                Ok(byte) if byte.is_ascii() => byte,
                _ => {
                    return char::from_u32(code).map(Character::Escaped).ok_or(End::Wrong);
                }
            }
        }
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 0x8,
        b'f' => 0xc,
        byte @ (b'"' | b'\\' | b'/') => byte,
        _ => return Err(End::Wrong),
    }))
}

/// Reads a UTF-16 unit from four hexadecimal digits.
fn unit(next: &mut impl FnMut() -> Result<u8, End>) -> Result<u32, End> {
    let mut unit = 0;
    for _ in 0..4 {
        unit = unit << 4 | char::from(next()?).to_digit(16).ok_or(End::Wrong)?;
    }
    Ok(unit)
}

#[cfg(test)]
mod tests;
