//! `inbox list`: selection, order and pages.

use serde_json::{Value, json};

use super::Fixture;
use crate::process::{self, stderr, stdout};

fn ids(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(|event| event["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn list_begins_with_newest_if_asked() {
    let fixture = Fixture::with(&[("a", "{}"), ("b", "{}"), ("c", "{}")]).await;
    assert_eq!(ids(&fixture.json(&["list"])), [1, 2, 3]);
    assert_eq!(ids(&fixture.json(&["list", "--newest"])), [3, 2, 1]);
    assert_eq!(ids(&fixture.json(&["list", "--newest", "--limit", "2"])), [3, 2]);
    assert_eq!(ids(&fixture.json(&["list", "--newest", "--after", "2"])), [1]);
}

#[tokio::test]
async fn list_finds_events_by_key_and_kind() {
    let fixture = Fixture::with(&[("-a", "{}"), ("b", "{}"), ("-a", r#"{"other":1}"#)]).await;
    assert_eq!(ids(&fixture.json(&["list", "--key", "-a"])), [1, 3]);
    assert_eq!(ids(&fixture.json(&["list", "--key", "-a", "--quarantine"])), [3]);
    let newest = ["list", "--key", "-a", "--newest", "--kind", "message:in:new"];
    assert_eq!(ids(&fixture.json(&newest)), [3, 1]);
    assert_eq!(fixture.json(&["list", "--key", "b", "--kind", "other"]), json!([]));
    assert_eq!(fixture.json(&["list", "--key", "c"]), json!([]));
}

#[tokio::test]
async fn incomplete_list_names_its_next_page() {
    let fixture = Fixture::with(&[("a", "{}"), ("b", "{}"), ("c", "{}")]).await;
    for json in [&[][..], &["--json"]] {
        let list = |more: &[&str]| fixture.run(&[&["list", "--limit", "2"], more, json].concat());
        for (arguments, after) in [(&[][..], "--after 2\n"), (&["--newest"], "--after 2\n")] {
            let first = list(arguments);
            assert!(stderr(&first).ends_with(after), "{first:?}");
            let last = list(&[arguments, &["--after", "2"]].concat());
            assert_eq!(stderr(&last), "", "{arguments:?}");
        }
    }
    let whole = fixture.run(&["list", "--limit", "3"]);
    assert!(stdout(&whole).contains("3 listed") && stderr(&whole).is_empty(), "{whole:?}");
    assert_eq!(
        process::json(&fixture.run(&["list", "--json", "--limit", "4294967295"]))
            .as_array()
            .unwrap()
            .len(),
        3
    );
}
