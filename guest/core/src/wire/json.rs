//! Reading JSON that others wrote: only the fields that are asked for, each as
//! its raw text, so that nothing that the specification does not name is lost.
//!
//! Nothing here recurses into values, so depth costs nothing. A key that occurs
//! twice with the same value is one field; with two values it is [`Field::Conflicting`],
//! which every reader treats as unreadable.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// One field of an object.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a> {
    /// The key does not occur.
    Missing,
    /// The key's value.
    Value(&'a RawValue),
    /// The key occurs with more than one value.
    Conflicting,
}

/// Why a field is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable(pub &'static str);

/// The text of a body: UTF-8, without a byte order mark (which RFC 8259 section
/// 8.1 lets a reader ignore) and without white space around it.
///
/// # Errors
/// The body is not UTF-8, or holds nothing.
pub fn text(body: &[u8]) -> Result<&str, Unreadable> {
    let text = core::str::from_utf8(body).map_err(|_| Unreadable("is not UTF-8"))?;
    trim(text)
}

/// [`text`], for a body that is UTF-8 already.
///
/// # Errors
/// The body holds nothing.
pub fn trim(text: &str) -> Result<&str, Unreadable> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    if text.is_empty() { Err(Unreadable("is empty")) } else { Ok(text) }
}

/// The fields called `names` of the object in `text`, in that order.
///
/// # Errors
/// `text` is not one JSON object.
pub fn fields<'a, const N: usize>(
    text: &'a str,
    names: [&str; N],
) -> Result<[Field<'a>; N], Unreadable> {
    if !text.starts_with('{') {
        return Err(Unreadable(if text.starts_with('<') {
            "is HTML or XML, not JSON"
        } else {
            "is not a JSON object"
        }));
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let fields =
        json.deserialize_map(Fields(names)).map_err(|_| Unreadable("is not valid JSON"))?;
    json.end().map_err(|_| Unreadable("has further text after the JSON object"))?;
    Ok(fields)
}

/// The elements of the array in `raw`.
///
/// # Errors
/// `raw` is not an array.
pub fn elements(raw: &RawValue) -> Result<Vec<&RawValue>, Unreadable> {
    serde_json::from_str(raw.get()).map_err(|_| Unreadable("is not an array"))
}

impl<'a> Field<'a> {
    /// The value.
    ///
    /// # Errors
    /// The key is missing, or has more than one value.
    pub fn value(self) -> Result<&'a RawValue, Unreadable> {
        match self {
            Self::Missing => Err(Unreadable("is missing")),
            Self::Value(raw) => Ok(raw),
            Self::Conflicting => Err(Unreadable("is given more than once, with different values")),
        }
    }

    /// The value as a text.
    ///
    /// # Errors
    /// The field is missing, conflicting, or not a text that Unicode can hold.
    pub fn string(self) -> Result<String, Unreadable> {
        serde_json::from_str(self.value()?.get()).map_err(|_| Unreadable("is not a text"))
    }

    /// The value as a text that is not empty.
    ///
    /// # Errors
    /// As [`Field::string`], and for an empty text.
    pub fn non_empty_string(self) -> Result<String, Unreadable> {
        match self.string()? {
            text if text.is_empty() => Err(Unreadable("is empty")),
            text => Ok(text),
        }
    }

    /// The value as a count.
    ///
    /// # Errors
    /// The field is missing, conflicting, or not a whole number below 2^32.
    pub fn count(self) -> Result<u32, Unreadable> {
        serde_json::from_str(self.value()?.get())
            .map_err(|_| Unreadable("is not a whole number from 0 to 4294967295"))
    }
}

struct Fields<'n, const N: usize>([&'n str; N]);

impl<'de, const N: usize> Visitor<'de> for Fields<'_, N> {
    type Value = [Field<'de>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = [Field::Missing; N];
        while let Some(place) = map.next_key_seed(Place(&self.0))? {
            let Some(field) = place.and_then(|index| fields.get_mut(index)) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &RawValue = map.next_value()?;
            *field = match *field {
                Field::Missing => Field::Value(value),
                Field::Value(first) if first.get() == value.get() => Field::Value(first),
                _ => Field::Conflicting,
            };
        }
        Ok(fields)
    }
}

/// Reads a key as its index among the wanted names, without keeping it.
struct Place<'p>(&'p [&'p str]);

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Option<usize>;

    fn deserialize<D: serde::Deserializer<'de>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for Place<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| *name == key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    fn id(text: &str) -> Result<String, Unreadable> {
        let [id] = fields(super::text(text.as_bytes())?, ["id"])?;
        id.non_empty_string()
    }

    #[test]
    fn a_field_is_found_among_anything() {
        for text in [
            r#"{"id":"7"}"#,
            "\u{feff} \r\n{\"id\" : \"7\"}\n",
            r#"{"a":{"id":"8"},"id":"7","b":[1e400,"\ud800",-0.0,123456789012345678901234567890]}"#,
            r#"{"\u0069d":"7"}"#,
            r#"{"id":"7","id":"7"}"#,
        ] {
            assert_eq!(id(text).as_deref(), Ok("7"), "{text}");
        }
    }

    #[test]
    fn depth_and_width_cost_no_stack() {
        let depth = 1_000_000;
        let deep = format!("{{\"a\":{}{},\"id\":\"7\"}}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(id(&deep).as_deref(), Ok("7"));
        let wide: String = (0..100_000).map(|n| format!("\"k{n}\":null,")).collect();
        assert_eq!(id(&format!("{{{wide}\"id\":\"7\"}}")).as_deref(), Ok("7"));
    }

    #[test]
    fn what_is_not_one_object_with_one_text_is_unreadable() {
        for text in [
            "",
            " ",
            "null",
            "7",
            "\"id\"",
            "[]",
            "{",
            "{}",
            "{\"id\"}",
            "{\"id\":}",
            "{'id':'7'}",
            "{\"id\":7}",
            "{\"id\":null}",
            "{\"id\":\"\"}",
            "{\"id\":[\"7\"]}",
            "{\"id\":\"\\ud800\"}",
            "{\"id\":\"7\",\"id\":\"8\"}",
            "{\"id\":\"7\"}{\"id\":\"7\"}",
            "{\"id\":\"7\"} x",
            "<html>",
            "{\"id\":\"7\",}",
            "{\"id\":\"a\nb\"}",
        ] {
            assert!(id(text).is_err(), "{text}");
        }
        assert!(text(b"{\"id\":\"\xff\"}").is_err());
        assert!(text(b"{\"id\":\"\xc0\xaf\"}").is_err(), "overlong UTF-8");
    }

    #[test]
    fn counts_are_whole_and_bounded() {
        let count = |value: &str| {
            let text = format!("{{\"n\":{value}}}").to_string();
            let [n] = fields(&text, ["n"]).unwrap();
            n.count()
        };
        assert_eq!(count("0"), Ok(0));
        assert_eq!(count("4294967295"), Ok(u32::MAX));
        for bad in ["4294967296", "-1", "1.0", "1e2", "\"1\"", "null", "1e400", "true"] {
            assert!(count(bad).is_err(), "{bad}");
        }
    }
}
