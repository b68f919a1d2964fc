//! Parsers for the parts of a request: path, query and JSON body.

use std::ops::RangeInclusive;
use std::time::Duration;

use http::Uri;
use messaging_server::json;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::problem::Problem;

/// Returns the segments of a path.
pub fn segments(uri: &Uri) -> Vec<&str> {
    uri.path().split('/').skip(1).collect()
}

/// Parses the ID of an event in a path.
pub fn id(segment: &str) -> Result<i64, Problem> {
    let is_plain = segment.bytes().all(|byte| byte.is_ascii_digit()) && !segment.starts_with('0');
    let id = segment.parse::<i64>().ok().filter(|_| is_plain);
    id.ok_or_else(|| Problem::malformed("id", "is not the ID of an event: a number from 1"))
}

/// Named values of a request. Each value can be taken once. [`end`](Self::end) rejects the rest.
pub struct Fields {
    values: Map<String, Value>,
    /// True for a query, where numbers are strings.
    of_query: bool,
}

impl Fields {
    /// Parses a body that may be empty.
    pub fn of_optional_body(body: &[u8]) -> Result<Self, Problem> {
        if body.is_empty() {
            return Ok(Self { values: Map::new(), of_query: false });
        }
        Self::of_body(body)
    }

    /// Parses a body that must be a JSON object.
    pub fn of_body(body: &[u8]) -> Result<Self, Problem> {
        let wrong =
            |why: String| Problem::malformed("", format!("the body is not a JSON object: {why}"));
        match json::parse(body).map_err(wrong)? {
            Value::Object(values) => Ok(Self { values, of_query: false }),
            _ => Err(wrong("it is another JSON value".into())),
        }
    }

    /// Parses a query. Numbers remain strings until [`integer`](Self::integer) takes them.
    pub fn of_query(uri: &Uri) -> Result<Self, Problem> {
        let mut values = Map::new();
        let pairs = uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
        for pair in pairs {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let decode = |text: &str| {
                let text = text.replace('+', " ");
                let decoded = percent_decode_str(&text).decode_utf8().map(|text| text.into_owned());
                decoded.map_err(|_| Problem::malformed(name, "is not UTF-8"))
            };
            if values.insert(decode(name)?, Value::String(decode(value)?)).is_some() {
                return Err(Problem::malformed(name, "occurs twice"));
            }
        }
        Ok(Self { values, of_query: true })
    }

    /// Takes an integer in a range.
    pub fn integer(
        &mut self,
        name: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, Problem> {
        let Some(value) = self.values.remove(name) else { return Ok(None) };
        let number = match &value {
            Value::String(text) if self.of_query => text.parse().ok(),
            value => value.as_i64().or_else(|| whole(value.as_f64()?)),
        };
        let within = number.filter(|number| range.contains(number));
        let (first, last) = (range.start(), range.end());
        let detail = || format!("is not a whole number from {first} to {last}");
        within.map(Some).ok_or_else(|| Problem::malformed(name, detail()))
    }

    /// Takes a duration in milliseconds in a range.
    pub fn millis(
        &mut self,
        name: &str,
        range: RangeInclusive<i64>,
        default: i64,
    ) -> Result<Duration, Problem> {
        let ms = self.integer(name, range)?.unwrap_or(default);
        Ok(Duration::from_millis(u64::try_from(ms).unwrap_or(0)))
    }

    /// Takes a string of at most `most` characters.
    pub fn string(&mut self, name: &str, most: usize) -> Result<Option<String>, Problem> {
        match self.values.remove(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.chars().nth(most).is_none() => Ok(Some(text)),
            Some(_) => {
                let detail = format!("is not a string of at most {most} characters");
                Err(Problem::malformed(name, detail))
            }
        }
    }

    /// Takes a string or null. A missing member is an error, because it could be mistaken for null.
    pub fn nullable(&mut self, name: &str, most: usize) -> Result<Option<String>, Problem> {
        match self.values.get(name) {
            None => Err(Problem::malformed(name, "is missing; send a string or null")),
            Some(Value::Null) => {
                self.values.remove(name);
                Ok(None)
            }
            Some(_) => self.string(name, most),
        }
    }

    /// Takes a list of 1 to `most` strings.
    pub fn strings(&mut self, name: &str, most: usize) -> Result<Option<Vec<String>>, Problem> {
        let Some(value) = self.values.remove(name) else { return Ok(None) };
        let text = |value: &Value| value.as_str().map(str::to_string);
        let all: Option<Vec<_>> = value.as_array().and_then(|all| all.iter().map(text).collect());
        let within = all.filter(|all| !all.is_empty() && all.len() <= most);
        let detail = || format!("is not a list of 1 to {most} strings");
        within.map(Some).ok_or_else(|| Problem::malformed(name, detail()))
    }

    /// Takes a boolean; in a query, the text `true` or `false`. Returns false for a missing value.
    pub fn boolean(&mut self, name: &str) -> Result<bool, Problem> {
        match self.values.remove(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(value),
            Some(Value::String(text)) if self.of_query && text == "true" => Ok(true),
            Some(Value::String(text)) if self.of_query && text == "false" => Ok(false),
            Some(_) => Err(Problem::malformed(name, "is not true or false")),
        }
    }

    /// Rejects remaining values, because a misspelled name would be ignored otherwise.
    pub fn end(self) -> Result<(), Problem> {
        match self.values.keys().next() {
            None => Ok(()),
            Some(name) => Err(Problem::malformed(name, "is an unknown parameter")),
        }
    }
}

/// Converts a number such as `1.0` or `1e0`, which JSON Schema treats as an integer.
fn whole(number: f64) -> Option<i64> {
    /// Largest integer up to which `f64` stores every integer exactly.
    const EXACT: f64 = 9_007_199_254_740_991.0;
    #[allow(clippy::cast_possible_truncation, reason = "the number is an integer within the range")]
    let whole = || number as i64;
    (number.fract() == 0.0 && number.abs() <= EXACT).then(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(result: Result<impl Sized, Problem>) -> String {
        result.err().map_or_else(|| "none".to_string(), |problem| problem.field)
    }

    #[test]
    fn body_members_are_all_read() {
        let body = br#"{"a":3,"b":"text","c":["x"],"d":true,"e":1.0}"#;
        let mut fields = Fields::of_body(body).unwrap();
        assert_eq!(fields.integer("a", 1..=3), Ok(Some(3)));
        assert_eq!(fields.string("b", 4), Ok(Some("text".into())));
        assert_eq!(fields.strings("c", 1), Ok(Some(vec!["x".into()])));
        assert_eq!(fields.boolean("d"), Ok(true));
        assert_eq!(fields.integer("e", 1..=1), Ok(Some(1)));
        assert_eq!(fields.integer("f", 1..=1), Ok(None));
        assert_eq!(fields.end(), Ok(()));
        assert_eq!(field(Fields::of_body(b"{\"x\":1}").unwrap().end()), "x");
    }

    #[test]
    fn invalid_request_part_is_named() {
        let of = |body: &str| Fields::of_body(body.as_bytes()).unwrap();
        for value in ["0", "4", "1.5", "\"x\"", "\"3\"", "[1]", "null", "1e300", "0.0"] {
            let body = format!("{{\"a\":{value}}}");
            assert_eq!(field(of(&body).integer("a", 1..=3)), "a", "{body}");
        }
        for body in ["{\"a\":1}", "{\"a\":\"12345\"}", "{\"a\":null}"] {
            assert_eq!(field(of(body).string("a", 4)), "a", "{body}");
        }
        for body in ["{\"a\":[]}", "{\"a\":[1]}", "{\"a\":\"x\"}", "{\"a\":[\"x\",\"y\"]}"] {
            assert_eq!(field(of(body).strings("a", 1)), "a", "{body}");
        }
        for body in ["{}", "{\"a\":1}", "{\"a\":\"12345\"}"] {
            assert_eq!(field(of(body).nullable("a", 4)), "a", "{body}");
        }
        assert_eq!(of("{\"a\":null}").nullable("a", 4), Ok(None));
        assert_eq!(of("{\"a\":\"\"}").nullable("a", 4), Ok(Some(String::new())));
        assert_eq!(of("{\"a\":\"éééé\"}").string("a", 4), Ok(Some("éééé".into())));
        for body in ["{\"a\":1}", "{\"a\":null}"] {
            assert_eq!(field(of(body).boolean("a")), "a", "{body}");
        }
        assert_eq!(Fields::of_optional_body(b"").unwrap().end(), Ok(()));
        for body in ["", " ", "[", "[]", "1", "{\"a\":1}x", "\u{0}", "{\"a\":1,\"\\u0061\":1}"] {
            assert_eq!(field(Fields::of_body(body.as_bytes())), "", "{body}");
        }
        let of = |query: &str| Fields::of_query(&format!("/?{query}").parse().unwrap());
        let mut fields = of("kind=message%3Ain%3Anew&limit=7&a=true&b=false&c=1").unwrap();
        assert_eq!((fields.boolean("a"), fields.boolean("b")), (Ok(true), Ok(false)));
        assert_eq!(field(fields.boolean("c")), "c");
        assert_eq!(fields.string("kind", 99), Ok(Some("message:in:new".into())));
        assert_eq!(fields.integer("limit", 1..=9), Ok(Some(7)));
        assert_eq!((field(of("a=1&a=2")), field(of("a=%ff"))), ("a".into(), "a".into()));
        for wrong in ["0", "-1", "x", "", "1.5", "9223372036854775808", "+1", "01", " 1"] {
            assert_eq!(field(id(wrong)), "id", "{wrong}");
        }
    }
}
