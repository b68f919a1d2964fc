//! Checks that the benchmark page shows the recorded figures.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use messaging_verify::bench::{self, Figure};

/// Returns the tables of a Markdown text.
fn tables(text: &str) -> Vec<&str> {
    text.split("\n\n").map(str::trim).filter(|part| part.starts_with('|')).collect()
}

#[test]
fn page_shows_recorded_figures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches");
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    let figures: Vec<Figure> = serde_json::from_str(&read("report.json")).unwrap();
    assert!(figures.len() > 50, "{}", figures.len());
    let page = read("README.md");
    for (name, chart) in bench::charts(&figures) {
        assert!(read(name) == chart, "{name}");
        assert!(page.contains(&format!("]({name})")), "{name}");
    }
    // Each group of tables has its own markers.
    let groups = page.split("<!-- the figures on record -->\n").skip(1);
    let groups = groups.map(|rest| rest.split_once("<!-- their end -->").unwrap().0);
    let shown = groups.collect::<String>();
    let recorded = bench::markdown(&figures);
    let (shown, recorded) = (tables(&shown), tables(&recorded));
    assert!(shown.len() > 5, "{shown:?}");
    for table in shown {
        assert!(recorded.contains(&table), "not in figures.md of `cargo verify bench`: {table}");
    }
}
