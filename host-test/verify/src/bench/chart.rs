//! Charts of benchmark results.

use std::fmt::Write;

use super::{Figure, Measure, compared};

/// File names of the charts, and the beginnings of the titles of their groups.
const CHARTS: [(&str, &[&str]); 2] = [
    ("sending.svg", &["loopback, 32 at once", "a service that takes 20 ms, 256 at once"]),
    ("receiving.svg", &["events on "]),
];

/// Returns the charts about sending and receiving, with their file names.
pub fn charts(figures: &[Figure]) -> impl Iterator<Item = (&'static str, String)> {
    CHARTS.into_iter().map(|(name, titles)| {
        let drawn = |figure: &&Figure| {
            titles.iter().any(|title| figure.group.starts_with(title))
                && figure.measure != Measure::P99Millis
        };
        (name, chart(&figures.iter().filter(drawn).cloned().collect::<Vec<_>>()))
    })
}

/// Returns the ratios as an SVG chart: a bar for the median, and a line from the minimum to the
/// maximum.
fn chart(figures: &[Figure]) -> String {
    const LEFT: f64 = 330.0;
    const WIDTH: f64 = 360.0;
    const ROW: f64 = 17.0;
    let mut rows = String::new();
    let mut y = 10.0;
    for group in compared(figures) {
        let Some(first) = group.first() else { continue };
        let most = group.iter().map(|figure| figure.ratio[2]).fold(1.0, f64::max);
        let x = |ratio: f64| LEFT + WIDTH * (ratio / most).clamp(0.0, 1.0);
        y += ROW;
        let better = if first.measure.is_rate() { "more is better" } else { "less is better" };
        let title = escaped(&format!("{}: {} ({better})", first.group, first.measure));
        let _ = writeln!(rows, r#"<text x="10" y="{y:.0}" font-weight="bold">{title}</text>"#);
        for Figure { name, median, ratio: [ratio, low, high], .. } in group {
            y += ROW;
            let (name, middle, end) = (escaped(name), y - 4.0, x(*ratio));
            let digits = if *median < 100.0 { 2 } else { 0 };
            let _ = writeln!(
                rows,
                r##"<text x="20" y="{y:.0}">{name}</text>
<rect x="{LEFT:.0}" y="{:.0}" width="{:.1}" height="11" fill="#4878a8"/>
<path d="M{:.1} {middle:.0}H{:.1}" stroke="#202020" stroke-width="2"/>
<text x="{:.0}" y="{y:.0}">{ratio:.2} x ({median:.digits$})</text>"##,
                y - 10.0,
                end - LEFT,
                x(*low),
                x(*high),
                LEFT + WIDTH + 10.0,
            );
        }
        let one = x(1.0);
        let top = y - ROW * group.len() as f64 + 6.0;
        let _ = writeln!(
            rows,
            r##"<path d="M{one:.1} {top:.0}V{:.0}" stroke="#b04030" stroke-dasharray="3"/>"##,
            y + 3.0
        );
        y += 8.0;
    }
    let height = y + 14.0;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="860" height="{height:.0}" font-family="sans-serif" font-size="12">
<rect width="860" height="{height:.0}" fill="#ffffff"/>
{rows}</svg>
"##
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tests::figures;

    #[test]
    fn chart_is_valid_and_complete() {
        let chart = chart(&figures());
        let mut reader = quick_xml::Reader::from_str(&chart);
        let mut bars = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Empty(tag) if tag.name().as_ref() == "rect" => bars += 1,
                quick_xml::events::Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(bars, 3, "a background and two bars");
        assert!(chart.contains("calls &amp; more") && chart.contains("2.50 x"));
    }

    #[test]
    fn chart_has_only_groups_of_its_subject() {
        let figures = ["events on SQLite", "loopback, 32 at once", "other"]
            .map(|group| Figure { group: group.into(), ..figures()[1].clone() });
        let charts =
            charts(&figures).map(|(name, chart)| (name, chart.matches("font-weight").count()));
        assert_eq!(charts.collect::<Vec<_>>(), [("sending.svg", 1), ("receiving.svg", 1)]);
    }
}
