//! Every test, command and code sample that the documents cite exists, and the stated sizes hold.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

use messaging_components::PLUGIN;

/// Appends all sources below `folder` to `text`.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !["target", "node_modules"].contains(&path.file_name().unwrap().to_str().unwrap()) {
                sources(&path, text);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn guarantees_name_existing_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut code = String::new();
    for folder in ["guest", "host-test"] {
        sources(&root.join(folder), &mut code);
    }
    let page = fs::read_to_string(root.join("host-test/verify/README.md")).unwrap();
    let table = page.split("## Guarantees").nth(1).unwrap();
    let rows: Vec<_> = table
        .lines()
        .skip_while(|line| !line.starts_with("|---"))
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        let named: Vec<_> = row.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "{row}");
        for name in named {
            let there = if let Some(file) = name.strip_prefix("tests/") {
                root.join("host-test/tests").join(file).exists()
            } else if let Some(command) = name.strip_prefix("cargo verify ") {
                root.join(format!("host-test/verify/src/cli/{command}.rs")).exists()
            } else {
                code.contains(&format!("fn {name}("))
            };
            assert!(there, "{name}: no such test or command, in {row}");
        }
    }
}

#[test]
fn readme_shows_example_as_compiled() {
    let readme = include_str!("../../../README.md");
    let example = include_str!("../../../examples/embed-rust/src/main.rs");
    let marker = "<!-- from examples/embed-rust/src/main.rs -->\n```rust\n";
    let (_, rest) = readme.split_once(marker).unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    assert!(example.ends_with(shown), "{shown}");
}

#[test]
fn page_of_suite_shows_case() {
    let page = include_str!("../../conformance/cases/README.md");
    let (_, rest) = page.split_once("```json\n").unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    let shown: serde_json::Value = serde_json::from_str(shown).unwrap();
    let file = include_str!("../../conformance/cases/conformance/sending.json");
    let file: serde_json::Value = serde_json::from_str(file).unwrap();
    assert!(file["cases"].as_array().unwrap().contains(&shown), "{shown}");
}

#[test]
fn pages_state_size_of_plugin() {
    let readme = include_str!("../../../README.md");
    for (page, before, after, unit) in [
        (readme, "one file of about ", " KB", 1_000),
        (include_str!("demo.txt"), "the embedded plugin, ", " bytes", 1),
        (include_str!("../../../guest/README.md"), "The plugin has ", " bytes", 1),
    ] {
        let (_, rest) = page.split_once(before).unwrap();
        let (size, _) = rest.split_once(after).unwrap();
        let bytes: usize = size.replace(',', "").parse::<usize>().unwrap() * unit;
        // Other compiler versions change the size, so a difference of 5 % is allowed.
        let most = PLUGIN.len() / 20;
        assert!(bytes.abs_diff(PLUGIN.len()) <= most, "stated: {size}; actual: {}", PLUGIN.len());
    }
}
