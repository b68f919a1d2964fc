//! Tests of the pages: their commands parse, and their settings exist.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap::error::ErrorKind;

use super::{Arguments, settings};

/// Names in the pages that this program does not know: ignored names, a placeholder of test cases,
/// and settings of other programs.
const OTHERS: [&str; 6] = [
    "MESSAGING_SERVICE_HOST",
    "MESSAGING_PORT",
    "MESSAGING_JOURNAL",
    "MESSAGING_ORIGIN",
    "MESSAGING_WORKER_TOKEN",
    "MESSAGING_ONCE_BUCKET",
];

/// Returns the paths and texts of all pages and WIT files.
fn pages() -> Vec<(String, String)> {
    fn read(folder: &Path, pages: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            let is_built = ["target", "dist", "node_modules", "deps"].contains(&name.as_str());
            if name.starts_with('.') || is_built {
                continue;
            }
            if path.is_dir() {
                read(&path, pages);
            } else if name.ends_with(".md") || name.ends_with(".wit") {
                pages.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut pages = Vec::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut pages);
    pages
}

/// Splits a shell script into simple commands, and each command into words. Replaces words with
/// variables by `1`.
fn commands(script: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words) = (Vec::new(), Vec::new());
    let (mut word, mut quote) = (None::<String>, None);
    let mut characters = script.chars().peekable();
    while let Some(one) = characters.next() {
        match (quote, one) {
            (Some(end), one) if one == end => quote = None,
            (None, '\'' | '"') => {
                quote = Some(one);
                word.get_or_insert_default();
            }
            (None, '\\') => drop(characters.next()),
            (None, '#') if word.is_none() => {
                while characters.next_if(|next| *next != '\n').is_some() {}
            }
            (None, ' ' | '\n' | '|' | '&' | ';' | '(' | ')' | '<' | '>') => {
                words.extend(word.take());
                if one != ' ' {
                    commands.push(std::mem::take(&mut words));
                }
            }
            (_, one) => word.get_or_insert_default().push(one),
        }
    }
    words.extend(word);
    commands.push(words);
    for word in commands.iter_mut().flatten().filter(|word| word.contains('$')) {
        *word = "1".into();
    }
    commands
}

/// Returns the arguments of `messaging` in a simple command.
fn arguments(command: &[String]) -> Option<&[String]> {
    let is_prefix = |word: &&String| {
        let keywords = ["until", "while", "if", "do", "then", "!", "sudo", "exec"];
        keywords.contains(&word.as_str()) || word.contains('=')
    };
    let command = &command[command.iter().take_while(is_prefix).count()..];
    match command {
        [cargo, run, dashes, rest @ ..] if [cargo, run, dashes] == ["cargo", "run", "--"] => {
            Some(rest)
        }
        [program, rest @ ..] if program.rsplit('/').next() == Some("messaging") => Some(rest),
        _ => None,
    }
}

#[test]
fn commands_of_pages_parse() {
    let mut count = 0;
    for (page, text) in pages() {
        for block in text.split("\n```sh").skip(1) {
            let script = block.split_once('\n').unwrap().1.split("\n```").next().unwrap();
            for command in commands(script) {
                let Some(arguments) = arguments(&command) else { continue };
                let words = ["messaging"].into_iter().chain(arguments.iter().map(String::as_str));
                if let Err(error) = Arguments::command().try_get_matches_from(words) {
                    let kinds = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
                    assert!(kinds.contains(&error.kind()), "{page}: {command:?}: {error}");
                }
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn settings_of_pages_exist() {
    for (page, text) in pages() {
        for (at, _) in text.match_indices("MESSAGING_") {
            let is_part =
                |one: &char| one.is_ascii_uppercase() || one.is_ascii_digit() || *one == '_';
            let name: String = text[at..].chars().take_while(is_part).collect();
            let is_known = settings::all().any(|own| own == name || name == format!("{own}_FILE"));
            // A table of settings names their prefix.
            let is_prefix =
                name.ends_with('_') && settings::all().any(|own| own.starts_with(&name));
            assert!(is_known || is_prefix || OTHERS.contains(&name.as_str()), "{page}: {name}");
        }
    }
}

#[test]
fn settings_are_in_pages() {
    let pages: String = pages().into_iter().map(|(_, text)| text).collect();
    for setting in settings::all().filter(|name| !name.ends_with("_FILE")) {
        let short = setting.trim_start_matches("MESSAGING_WEBHOOK_");
        let is_named = pages.contains(setting) || pages.contains(&format!("`{short}`"));
        assert!(is_named, "{setting}");
    }
}

/// Returns the cells of the table rows of a text whose first cell begins with a name in code.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = text.lines().filter_map(|line| line.trim_start_matches("/// ").strip_prefix("| `"));
    rows.map(|row| {
        row.trim_end_matches(" |").split(" | ").map(|cell| cell.trim_matches('`')).collect()
    })
}

#[test]
fn defaults_in_pages_are_in_the_code() {
    use messaging_core::limits;
    use messaging_core::webhook::settings::DEFAULT_BODY_BYTES;
    let defaults = [
        ("MESSAGING_DEADLINE_MS", limits::DEFAULT_DEADLINE_MS.to_string()),
        ("MESSAGING_MAX_ATTEMPTS", limits::DEFAULT_ATTEMPTS.to_string()),
        ("MESSAGING_MAX_REPLY_BYTES", limits::DEFAULT_REPLY_BYTES.to_string()),
        ("MESSAGING_WEBHOOK_MAX_BODY_BYTES", DEFAULT_BODY_BYTES.to_string()),
    ];
    let mut count = 0;
    for (page, text) in pages() {
        for row in rows(&text) {
            let (Some(name), Some(shown)) = (row.first(), row.get(2)) else { continue };
            let is = |full: &str| {
                *name == full
                    || full.strip_prefix("MESSAGING_WEBHOOK_").is_some_and(|short| *name == short)
            };
            if let Some((_, default)) = defaults.iter().find(|(full, _)| is(full)) {
                assert_eq!(shown, default, "{page}: {name}");
                count += 1;
            }
        }
    }
    assert!(count >= 8, "{count}");
}

#[test]
fn metrics_of_page_are_in_the_code() {
    let page = include_str!("../../docs/http-api.md");
    let is_name = |name: &str| name.starts_with("messaging_") || name.starts_with("process_");
    let bare = |name: &str| name.split('{').next().unwrap().trim_end_matches("_total").to_string();
    let mut shown: Vec<_> =
        rows(page).map(|row| bare(row[0])).filter(|name| is_name(name)).collect();
    let code = include_str!("../../operate/src/metrics.rs").split("#[cfg(test)]").next().unwrap();
    let mut own: Vec<_> =
        code.split('"').skip(1).step_by(2).map(bare).filter(|name| is_name(name)).collect();
    shown.sort_unstable();
    own.sort_unstable();
    own.dedup();
    assert_eq!(shown, own);
}

#[test]
fn error_tables_have_each_case() {
    let types = include_str!("../../../wit/types.wit");
    let cases = |variant: &str| {
        let body = types.split(&format!("variant {variant} {{")).nth(1).unwrap();
        let body = body.split("\n    }").next().unwrap();
        let lines =
            body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        lines.map(|line| line.split(['(', ',']).next().unwrap().to_string()).collect::<Vec<_>>()
    };
    let pages = [
        ("error", include_str!("../../../wit/README.md")),
        ("once-error", include_str!("../../docs/send-once.md")),
    ];
    for (variant, page) in pages {
        for case in cases(variant) {
            let short = case.trim_start_matches("permanent");
            let is_named =
                page.contains(&format!("`{case}`")) || page.contains(&format!("`{short}`"));
            assert!(is_named, "{variant}: {case}");
        }
    }
}
