//! The cases in `deadline_cases.json`, which the packages for Node and Python must pass too.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use messaging_core::error::InvalidSettings;
use messaging_core::settings::deadline_ms;
use serde_json::Value;

const NAME: &str = "MESSAGING_DEADLINE_MS";

fn read(text: &str) -> Result<u32, InvalidSettings> {
    deadline_ms([(NAME.to_string(), text.to_string())])
}

#[test]
fn deadlines_are_read_as_listed() {
    let all: Value = serde_json::from_str(include_str!("deadline_cases.json")).unwrap();
    for (text, expected) in all["valid"].as_object().unwrap() {
        assert_eq!(read(text).map(u64::from).ok(), expected.as_u64(), "{text}");
    }
    let invalid = all["invalid"].as_array().unwrap();
    assert!(invalid.len() > 15, "{invalid:?}");
    for text in invalid {
        assert_eq!(read(text.as_str().unwrap()).unwrap_err().setting, NAME, "{text}");
    }
}
