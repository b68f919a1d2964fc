//! The benchmark page shows the recorded figures, and the pages state the size of the built plugin.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use messaging_components::PLUGIN;
use messaging_verify::bench::{self, Figure};

/// Returns the tables of a Markdown text.
fn tables(text: &str) -> Vec<&str> {
    text.split("\n\n").map(str::trim).filter(|part| part.starts_with('|')).collect()
}

#[test]
fn page_shows_recorded_figures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let figures: Vec<Figure> = serde_json::from_str(&read("report.json")).unwrap();
    assert!(figures.len() > 50, "{}", figures.len());
    assert!(read("chart.svg") == bench::chart(&figures));
    let page = read("README.md");
    assert!(page.contains("](chart.svg)"));
    // Each group of tables has its own markers.
    let groups = page.split("<!-- the figures on record -->\n").skip(1);
    let groups = groups.map(|rest| rest.split_once("<!-- their end -->").unwrap().0);
    let shown = groups.collect::<String>();
    let recorded = bench::markdown(&figures);
    let (shown, recorded) = (tables(&shown), tables(&recorded));
    assert!(shown.len() > 5, "{shown:?}");
    for table in shown {
        assert!(recorded.contains(&table), "not in figures.md of `messaging bench`: {table}");
    }
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
        assert!(bytes.abs_diff(PLUGIN.len()) <= most, "{size}, and it has {}", PLUGIN.len());
    }
}
