//! Tests of the JSON reader.

use super::*;
use alloc::format;
use alloc::string::ToString;

fn id(text: &str) -> Result<String, Unreadable> {
    let [id] = Json::parse(text)?.fields(["id"])?;
    id.non_empty_text().map(Cow::into_owned)
}

#[test]
fn field_is_found_among_other_members() {
    for text in [
        r#"{"id":"7"}"#,
        "\u{feff} \r\n{\"id\" : \"7\"}\n",
        r#"{"a":{"id":"8"},"id":"7","b":[1e400,"\ud800",-0.0,123456789012345678901234567890]}"#,
        r#"{"\u0069d":"7","i\u0064\"":"8"}"#,
        r#"{"id":"7","id":"7"}"#,
        r#"{"a":"\",\"id\":\"8\",","b":"\\","id":"7"}"#,
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
fn object_with_one_string_is_readable() {
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
    assert!(Json::read(b"{\"id\":\"\xff\"}").is_err());
    assert!(Json::read(b"{\"id\":\"\xc0\xaf\"}").is_err(), "overlong UTF-8");
}

#[test]
fn every_escape_is_decoded() {
    let json = Json::parse(r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#).unwrap();
    assert_eq!(json.string().as_deref(), Ok("\"\\/\u{8}\u{c}\n\r\té😀"));
}

#[test]
fn body_that_is_not_json_is_described() {
    for (body, reason) in [
        ("", "is empty"),
        (" \u{feff}", "is not valid JSON"),
        ("\u{feff} \n", "is empty"),
        (" <html>", "is HTML or XML, not JSON"),
        ("{<", "is not valid JSON"),
    ] {
        assert_eq!(Json::parse(body), Err(Unreadable(reason)), "{body:?}");
    }
    assert_eq!(Json::read(b"\xff"), Err(Unreadable("is not UTF-8")));
}

#[test]
fn counts_are_whole_and_bounded() {
    let count = |value: &str| {
        let text = format!("{{\"n\":{value}}}").to_string();
        let [n] = Json::parse(&text).unwrap().fields(["n"]).unwrap();
        n.count()
    };
    assert_eq!(count("0"), Ok(0));
    assert_eq!(count("4294967295"), Ok(u32::MAX));
    for bad in ["4294967296", "-0", "-1", "1.0", "1e2", "\"1\"", "null", "1e400", "true"] {
        assert!(count(bad).is_err(), "{bad}");
    }
}
