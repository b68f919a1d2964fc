//! Strict JSON parser for untrusted input. It rejects duplicate members, because parsers disagree
//! about their meaning. It rejects numbers that cannot be stored exactly. Both rules apply at every
//! depth.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Parses JSON. Rejects duplicate members, and numbers that cannot be stored exactly.
///
/// # Errors
/// Returns a message for logs and operators that names the syntax error, the duplicate member, or
/// the number that cannot be stored exactly.
pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    let Strict(value) = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    match numbers(bytes).find(|number| !is_exact(number)) {
        None => Ok(value),
        Some(number) => {
            let shown: String = number.chars().take(40).collect();
            Err(format!("the number {shown} cannot be stored exactly; write it as a string"))
        }
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Read).map(Strict)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some((name, Strict(value))) = object.next_entry::<String, Strict>()? {
            if members.contains_key(&name) {
                return Err(de::Error::custom(format_args!("the member {name:?} occurs twice")));
            }
            members.insert(name, value);
        }
        Ok(members.into())
    }
}

/// Returns the numbers in a JSON document as they are written.
fn numbers(text: &[u8]) -> impl Iterator<Item = &str> {
    // An unescaped quote starts or ends a string.
    let (mut is_string, mut is_escaped) = (false, false);
    let tokens = text.split(move |byte| {
        let was_string = is_string;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            _ => {}
        }
        was_string || !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
    });
    // Skips the `e` of `true` and `false`.
    let is_number = |token: &&[u8]| matches!(token, [b'-' | b'0'..=b'9', ..]);
    tokens.filter(is_number).filter_map(|token| std::str::from_utf8(token).ok())
}

/// Returns true if a number keeps its value when it is parsed and written again.
fn is_exact(number: &str) -> bool {
    let read = number.parse::<Number>().ok().map(|number| number.to_string());
    let written = decimal(number);
    written.is_some() && read.as_deref().and_then(decimal) == written
}

/// Returns the significant digits of a number and its power of ten, which are equal for all
/// notations of one value. `None` if the power does not fit in `i64`.
fn decimal(number: &str) -> Option<(String, i64)> {
    let (mantissa, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_end_matches('0');
    let behind = i64::try_from(fraction.len()).ok()?;
    let zeros = i64::try_from(all.len().saturating_sub(digits.len())).ok()?;
    let power = power.parse::<i64>().ok()?.checked_sub(behind)?.checked_add(zeros)?;
    match digits.trim_start_matches('0') {
        "" => Some((String::new(), 0)),
        digits => Some((format!("{sign}{digits}"), power)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unambiguous_json_equals_serde_json() {
        for text in [
            r#"{"a":[1,-2,1.5,1e2,-0,0.0,1.50,1E+2,18446744073709551615,-1e300,5e-324],"b":null}"#,
            r#"{"a":{"x":true},"b":{"x":false},"c":"0.10000000000000000000001 \" 1e999 \\"}"#,
            r#"[{"a":1},{"a":1}]"#,
            "\"e\"",
            "0",
        ] {
            let expected: Value = serde_json::from_str(text).unwrap();
            assert_eq!(parse(text.as_bytes()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn duplicate_member_is_named_at_any_depth() {
        for text in [
            r#"{"phone":1,"phone":1}"#,
            r#"{"a":{"phone":1,"b":2,"phone":3}}"#,
            r#"[[{"phone":1,"ph\u006fne":2}]]"#,
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(r#"the member "phone" occurs twice"#), "{text}: {error}");
        }
    }

    #[test]
    fn number_that_would_change_is_named() {
        for number in [
            "18446744073709551616",
            "-9223372036854775809",
            "0.1000000000000000055511151231257827",
            "9007199254740993.0",
            "1e-400",
            "1e-99999999999999999999",
        ] {
            let error = parse(format!(r#"{{"a":[{number}],"b":"x"}}"#).as_bytes()).unwrap_err();
            assert!(error.contains(&format!("the number {number} ")), "{error}");
        }
        assert!(parse(b"1e999").is_err());
    }

    #[test]
    fn deep_nesting_is_rejected_with_message() {
        let error = parse("[".repeat(100_000).as_bytes()).unwrap_err();
        assert!(error.contains("recursion"), "{error}");
    }
}
