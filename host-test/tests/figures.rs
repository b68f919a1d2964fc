//! The figures that the README shows are those on record.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use host_test::bench::{self, Figure};

#[test]
fn the_readme_shows_the_figures_and_the_chart_on_record() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let report = read("host-test/benches/report.json");
    let figures: Vec<Figure> = serde_json::from_str(&report).unwrap();
    assert!(figures.len() > 50, "{}", figures.len());
    assert!(read("host-test/benches/chart.svg") == bench::chart(&figures));
    let readme = read("README.md");
    assert!(readme.contains("](host-test/benches/chart.svg)"));
    let (_, rest) = readme.split_once("<!-- the figures on record -->\n").unwrap();
    let (shown, _) = rest.split_once("<!-- their end -->").unwrap();
    assert_eq!(shown, bench::markdown(&figures), "`host-test bench` writes it as figures.md");
}
