//! The README names the test that holds each guarantee: those tests are there.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

/// The sources below `folder`, as one text.
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
fn every_test_that_the_readme_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut code = String::new();
    for folder in ["guest", "host-test"] {
        sources(&root.join(folder), &mut code);
    }
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let table = readme.split("## Guarantees").nth(1).unwrap();
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
            let there = match name.strip_prefix("tests/") {
                Some(file) => root.join("host-test/tests").join(file).exists(),
                None if name.contains(' ') => true,
                None => code.contains(&format!("fn {name}(")),
            };
            assert!(there, "{name}: no such test, in {row}");
        }
    }
}
