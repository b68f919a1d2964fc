//! Comments name their subject: none of ours opens with "What". Functions open with a verb,
//! fields and types with a noun.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};

/// Kinds of sources that have comments of ours.
const KINDS: [&str; 9] = ["rs", "js", "ts", "py", "sh", "wit", "toml", "yaml", "dict"];

/// Collects the sources below `folder`, but for dependencies and build output.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_str().unwrap();
            let made = ["target", "node_modules", "deps", "corpus", "generated", "cjs", "build"];
            let others = made.contains(&name);
            // A hidden folder is a tool's, as Python's `.venv`.
            if !others && !name.starts_with('.') {
                sources(&path, files);
            }
        } else if path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known)) {
            files.push(path);
        }
    }
}

/// Returns the marker and the text of a line that is a comment.
fn comment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    ["///", "//!", "//", "/**", "#", "\"\"\""]
        .into_iter()
        .find_map(|marker| Some((marker, line.strip_prefix(marker)?.trim_start())))
}

/// Returns the numbers of the lines that open a comment, or a paragraph of one, with "What".
fn riddles(source: &str) -> Vec<usize> {
    let mut before = None;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        let this = comment(line);
        let goes_on = before.is_some_and(|(marker, text): (&str, &str)| {
            this.is_some_and(|(own, _)| own == marker) && !text.is_empty()
        });
        let what = this.and_then(|(_, text)| text.strip_prefix("What"));
        if !goes_on && what.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)) {
            found.push(number);
        }
        before = this;
    }
    found
}

#[test]
fn no_comment_opens_with_what() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["guest", "host-test", "examples"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "{files:?}");
    let found: Vec<_> = files
        .iter()
        .flat_map(|file| {
            let name = file.display();
            riddles(&fs::read_to_string(file).unwrap())
                .into_iter()
                .map(move |number| format!("{name}:{number}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "open with a verb or the field's noun: {found:#?}");
}

#[test]
fn the_beginnings_of_comments_are_found() {
    let source = "//! Owns it.\n//!\n//! What.\nfn a() {} // What\n/// Whatever\n    /// What it is\n\
        // It is\n// What comes next.\n//\n// What's new";
    assert_eq!(riddles(source), [3, 10]);
    assert_eq!(riddles("/// What it is\nfn a() {}\n// What"), [1, 3]);
}
