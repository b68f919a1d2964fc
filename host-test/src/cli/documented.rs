//! Tests of the documentation pages: their commands parse, and their settings exist.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod limits;

use std::fs;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory};

use super::{Arguments, settings};

/// Variables in the pages that are not settings of this program: variables that it ignores, a
/// placeholder of test cases, and settings of other programs.
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

/// Splits a shell script into simple commands, and each command into words. Replaces each word that
/// contains a variable with `1`.
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

/// Returns the arguments of `messaging` in a simple command; `None` for another program.
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

/// The pages about this program. In other pages, an option can belong to another program.
const OWN_PAGES: [&str; 10] = [
    "/host-test/README.md",
    "/docs/http-api.md",
    "/docs/operating.md",
    "/docs/postgres.md",
    "/docs/processing.md",
    "/docs/receiving.md",
    "/docs/send-once.md",
    "/docs/sending.md",
    "/docs/verification.md",
    "/mcp/README.md",
];

/// Returns the code spans of a page, but not its code blocks.
fn code_spans(text: &str) -> Vec<String> {
    let prose: String = text.split("\n```").step_by(2).collect();
    prose.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")).collect()
}

/// Returns the complete command: each subcommand also has the global options.
fn built() -> Command {
    let mut command = Arguments::command();
    command.build();
    command
}

fn has_option(command: &Command, option: &str) -> bool {
    command.get_arguments().any(|own| own.get_long() == Some(option))
        || command.get_subcommands().any(|own| has_option(own, option))
}

/// Returns the first word that the command does not know: a subcommand, or the name of an option.
fn unknown_word<'a>(words: &[&'a str], mut command: &Command) -> Option<&'a str> {
    let mut is_named = false;
    for word in words {
        if let Some(option) = word.strip_prefix("--") {
            is_named = true;
            let option = option.split(['=', '|']).next().unwrap_or_default();
            if !command.get_arguments().any(|own| own.get_long() == Some(option)) {
                return Some(word);
            }
        } else if !is_named {
            match command.find_subcommand(word) {
                Some(inner) => command = inner,
                None if command.has_subcommands() => return Some(word),
                None => is_named = true,
            }
        }
    }
    None
}

#[test]
fn commands_and_options_in_text_exist() {
    let command = built();
    let mut count = 0;
    for (page, text) in pages().into_iter().filter(|(page, _)| page.ends_with(".md")) {
        let is_own = OWN_PAGES.iter().any(|own| page.ends_with(own));
        for span in code_spans(&text) {
            let words: Vec<_> = span.split_whitespace().collect();
            let unknown = match words[..] {
                ["messaging", ref words @ ..] => unknown_word(words, &command),
                [first, _, ..] if command.find_subcommand(first).is_some() => {
                    unknown_word(&words, &command)
                }
                [first, ..] if is_own && first.starts_with("--") => {
                    let option = first.trim_start_matches("--").split('=').next().unwrap();
                    (!has_option(&command, option)).then_some(first)
                }
                _ => continue,
            };
            assert_eq!(unknown, None, "{page}: {span}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn each_command_is_in_pages() {
    let command = built();
    let table = include_str!("../../README.md").split("## Exit codes").next().unwrap();
    let mut shown: Vec<_> = rows(table)
        .flat_map(|row| row[0].split('`').step_by(2).map(first_word).collect::<Vec<_>>())
        .collect();
    let names = |command: &Command| {
        let names = command.get_subcommands().map(|own| own.get_name().to_string());
        names.filter(|name| name != "help").collect::<Vec<_>>()
    };
    let mut own = names(&command);
    shown.sort_unstable();
    own.sort_unstable();
    assert_eq!(shown, own);

    let text: String = pages().into_iter().map(|(_, text)| text).collect();
    for outer in command.get_subcommands().filter(|own| own.get_name() != "help") {
        for inner in names(outer) {
            let full = format!("{} {inner}", outer.get_name());
            assert!(text.contains(&full) || text.contains(&format!("`{inner}`")), "{full}");
        }
    }
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().into()
}

#[test]
fn settings_of_pages_exist() {
    for (page, text) in pages() {
        for (at, _) in text.match_indices("MESSAGING_") {
            let is_part =
                |one: &char| one.is_ascii_uppercase() || one.is_ascii_digit() || *one == '_';
            let name: String = text[at..].chars().take_while(is_part).collect();
            let is_known = settings::all().any(|own| own == name || name == format!("{own}_FILE"));
            // A page may name only the common prefix of several settings.
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

#[test]
fn plugin_settings_are_in_help_and_packages() {
    let read = |path: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
    };
    let texts = [
        ("help", Arguments::command().render_long_help().to_string()),
        ("Node", read("examples/node/src/arguments.js")),
        ("Python", read("examples/python/src/messaging_plugin/settings.py")),
    ];
    for name in messaging_core::settings::NAMES {
        for (place, text) in &texts {
            assert!(text.contains(name), "{place}: {name}");
        }
    }
}

/// Returns the cells of each table row whose first cell begins with a code span.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = text.lines().filter_map(|line| line.trim_start_matches("/// ").strip_prefix("| `"));
    rows.map(|row| {
        row.trim_end_matches(" |").split(" | ").map(|cell| cell.trim_matches('`')).collect()
    })
}

#[test]
fn defaults_in_pages_are_in_code() {
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

/// Returns the name and the default of each option that has a default.
fn option_defaults(command: &Command) -> Vec<(String, String)> {
    let own = command.get_arguments().filter_map(|option| {
        let default = option.get_default_values().first()?.to_str()?;
        Some((option.get_long()?.to_string(), default.to_string()))
    });
    own.chain(command.get_subcommands().flat_map(option_defaults)).collect()
}

/// Pages show a default as "`--keep` (7 days)" or as "15 s (`--idle-timeout`)".
#[test]
fn option_defaults_in_pages_are_in_code() {
    let defaults = option_defaults(&built());
    let mut count = 0;
    for (page, text) in pages() {
        for line in text.lines() {
            let before =
                line.split("`--").zip(line.split("`--").skip(1)).filter_map(|(before, option)| {
                    let shown = before.strip_suffix(" (")?.rsplit(['|', ';']).next()?;
                    Some((option.split_once('`')?.0, shown))
                });
            let after = line.split("`--").skip(1).filter_map(|option| {
                let (name, shown) = option.split_once("` (")?;
                Some((name, shown.split_once(')')?.0))
            });
            for (name, shown) in before.chain(after) {
                let shown = shown.trim().replace(" days", "d").replace(' ', "");
                if shown.starts_with(|first: char| first.is_ascii_digit()) {
                    let is_default =
                        |(own, default): &(String, String)| own == name && *default == shown;
                    assert!(defaults.iter().any(is_default), "{page}: --{name} {shown}");
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 6, "{count}");
}

/// `wit/README.md` and `wit/worlds.wit` list the settings of the plugin.
#[test]
fn settings_of_page_and_wit_are_equal() {
    let settings = |text: &str| -> Vec<(String, String)> {
        let plugin = rows(text).filter(|row| row[0].starts_with("MESSAGING_") && row.len() == 3);
        plugin.map(|row| (row[0].to_string(), row[2].to_string())).collect()
    };
    let page = settings(include_str!("../../../wit/README.md"));
    let wit = include_str!("../../../wit/worlds.wit");
    let plugin = wit.split("world plugin {").next().unwrap();
    assert!(page.len() > 7, "{page:?}");
    assert_eq!(page, settings(plugin));
}

#[test]
fn metrics_of_page_are_in_code() {
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
        let known: Vec<_> = pages.iter().flat_map(|(variant, _)| cases(variant)).collect();
        for row in rows(page).filter(|row| row[0].starts_with("permanent-")) {
            let case = row[0].split('`').next().unwrap();
            assert!(known.iter().any(|known| known == case), "no such case: {case}");
        }
    }
}
