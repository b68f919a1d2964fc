//! Figures of benchmarks: the medians of several rounds, and ratios to a named
//! alternative that took its turn in the same rounds. As a table, as JSON, as a chart.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// One thing that was measured, of one of those that are compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Figure {
    /// What was done, and how.
    pub group: String,
    /// What was measured, and its unit.
    pub measure: String,
    /// Who did it.
    pub name: String,
    /// The median over the rounds.
    pub median: f64,
    /// The same divided by that of the group's reference: the median of each round's
    /// ratio, the least, and the most.
    pub ratio: [f64; 3],
}

/// Samples that belong together: in each round everyone takes a turn.
pub struct Group {
    title: String,
    measure: &'static str,
    reference: &'static str,
    samples: Vec<(String, Vec<f64>)>,
}

impl Group {
    /// A group whose ratios are those to `reference`, one of the names to come.
    #[must_use]
    pub fn new(title: &str, measure: &'static str, reference: &'static str) -> Self {
        Self { title: title.to_string(), measure, reference, samples: Vec::new() }
    }

    /// Takes one round's sample of `name`.
    pub fn sample(&mut self, name: &str, value: f64) {
        match self.samples.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => self.samples.push((name.to_string(), vec![value])),
        }
    }

    /// The figures, in the order in which the names first came.
    #[must_use]
    pub fn figures(&self) -> Vec<Figure> {
        let reference = self.samples.iter().find(|(name, _)| name == self.reference);
        let base: &[f64] = reference.map_or(&[], |(_, values)| values);
        let figure = |(name, values): &(String, Vec<f64>)| {
            let ratios = sorted(values.iter().zip(base).map(|(value, base)| value / base));
            let end = |end: Option<&f64>| end.copied().unwrap_or(f64::NAN);
            Figure {
                group: self.title.clone(),
                measure: self.measure.to_string(),
                name: name.clone(),
                median: middle(&sorted(values.iter().copied())),
                ratio: [middle(&ratios), end(ratios.first()), end(ratios.last())],
            }
        };
        self.samples.iter().map(figure).collect()
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn middle(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// What this process holds in memory, where the system says it.
#[must_use]
pub fn resident_bytes() -> Option<u64> {
    memory_stats::memory_stats()?.physical_mem.try_into().ok()
}

/// How many rounds to make: as many as `BENCH_ROUNDS` says, or this many.
#[must_use]
pub fn rounds(usual: usize) -> usize {
    let asked = std::env::var("BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    asked.filter(|rounds| *rounds > 0).unwrap_or(usual)
}

/// What a benchmark does with its figures: a table, or JSON where `--json` asks for it.
pub fn report(figures: &[Figure]) {
    if std::env::args().any(|argument| argument == "--json") {
        println!("{:#}", serde_json::json!(figures));
    } else {
        print!("{}", table(figures));
    }
}

/// The figures as text.
#[must_use]
pub fn table(figures: &[Figure]) -> String {
    let mut text = String::new();
    for group in
        figures.chunk_by(|one, next| one.group == next.group && one.measure == next.measure)
    {
        let Some(first) = group.first() else { continue };
        let _ = writeln!(text, "\n{}: {}", first.group, first.measure);
        for Figure { name, median, ratio: [ratio, low, high], .. } in group {
            let digits = if *median < 100.0 { 2 } else { 0 };
            let _ = writeln!(
                text,
                "  {name:<44}{median:>12.digits$}{ratio:>9.2} x  ({low:.2} to {high:.2})"
            );
        }
    }
    text
}

/// The ratios as a chart in SVG: a bar for each, and a line from the least to the most of
/// the rounds.
#[must_use]
pub fn chart(figures: &[Figure]) -> String {
    const LEFT: f64 = 330.0;
    const WIDTH: f64 = 360.0;
    const ROW: f64 = 20.0;
    let mut rows = String::new();
    let mut y = 10.0;
    for group in
        figures.chunk_by(|one, next| one.group == next.group && one.measure == next.measure)
    {
        let Some(first) = group.first() else { continue };
        let most = group.iter().map(|figure| figure.ratio[2]).fold(1.0, f64::max);
        let x = |ratio: f64| LEFT + WIDTH * (ratio / most).clamp(0.0, 1.0);
        y += ROW;
        let title = escaped(&format!("{}: {}", first.group, first.measure));
        let _ = writeln!(rows, r#"<text x="10" y="{y:.0}" font-weight="bold">{title}</text>"#);
        for Figure { name, median, ratio: [ratio, low, high], .. } in group {
            y += ROW;
            let (name, middle, end) = (escaped(name), y - 4.0, x(*ratio));
            let digits = if *median < 100.0 { 2 } else { 0 };
            let _ = writeln!(
                rows,
                r##"<text x="20" y="{y:.0}">{name}</text>
<rect x="{LEFT:.0}" y="{:.0}" width="{:.1}" height="12" fill="#4878a8"/>
<path d="M{:.1} {middle:.0}H{:.1}" stroke="#202020" stroke-width="2"/>
<text x="{:.0}" y="{y:.0}">{ratio:.2} x ({median:.digits$})</text>"##,
                y - 11.0,
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
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="860" height="{height:.0}" font-family="sans-serif" font-size="13">
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

    fn figures() -> Vec<Figure> {
        let mut group = Group::new("calls & more", "CPU us", "native");
        for (native, ours) in [(10.0, 30.0), (20.0, 40.0), (10.0, 25.0)] {
            group.sample("native", native);
            group.sample("ours", ours);
        }
        group.figures()
    }

    #[test]
    fn a_ratio_is_that_of_the_same_round() {
        let figures = figures();
        assert_eq!((figures[0].median, figures[0].ratio), (10.0, [1.0, 1.0, 1.0]));
        assert_eq!((figures[1].median, figures[1].ratio), (30.0, [2.5, 2.0, 3.0]));
    }

    #[test]
    fn the_chart_is_well_formed_and_holds_every_figure() {
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
        assert!(table(&figures()).contains("ours"));
    }
}
