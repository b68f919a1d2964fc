//! Benchmark results as text, for a terminal or a document.

use std::fmt::Write;

use super::{Figure, compared};

/// Returns the figures as text for a terminal.
pub fn table(figures: &[Figure]) -> String {
    let mut text = String::new();
    for group in compared(figures) {
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

/// Returns the figures as Markdown tables: one table per group, one column per measure.
pub fn markdown(figures: &[Figure]) -> String {
    let mut text = String::new();
    for group in figures.chunk_by(|one, next| one.group == next.group) {
        let measures: Vec<&[Figure]> = compared(group).collect();
        let Some(names) = measures.first() else { continue };
        let Some(first) = names.first() else { continue };
        let _ = write!(text, "\n| {} |", first.group);
        for measure in measures.iter().filter_map(|figures| figures.first()) {
            let _ = write!(text, " {} |", measure.measure);
        }
        let _ = writeln!(text, "\n|---|{}", "---|".repeat(measures.len()));
        for (row, figure) in names.iter().enumerate() {
            let _ = write!(text, "| {} |", figure.name);
            for figure in measures.iter().filter_map(|figures| figures.get(row)) {
                let _ = write!(text, " {} ({:.2} x) |", number(figure.median), figure.ratio[0]);
            }
            text.push('\n');
        }
    }
    text
}

/// Formats a number with at most two decimals, fewer for larger numbers, and groups its digits.
fn number(value: f64) -> String {
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    let text = format!("{value:.digits$}");
    let whole = text.split('.').next().unwrap_or_default().len();
    let mut grouped = String::new();
    for (at, char) in text.chars().enumerate() {
        if at > 0 && at < whole && (whole - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(char);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Measure;
    use crate::bench::tests::figures;

    #[test]
    fn document_has_table_for_each_group() {
        assert!(table(&figures()).contains("ours"));
        let rate = figures().into_iter().map(|figure| Figure {
            measure: Measure::CallsPerSecond,
            median: figure.median * 123.4,
            ..figure
        });
        let both: Vec<Figure> = figures().into_iter().chain(rate).collect();
        let expected = "
| calls & more | CPU us a call | calls a second |
|---|---|---|
| native | 10.0 (1.00 x) | 1,234 (1.00 x) |
| ours | 30.0 (2.50 x) | 3,702 (2.50 x) |
";
        assert_eq!(markdown(&both), expected);
        let numbers = [0.765, 12.34, 123.4, 1234.0, 1234567.0].map(number);
        assert_eq!(numbers, ["0.77", "12.3", "123", "1,234", "1,234,567"]);
    }
}
