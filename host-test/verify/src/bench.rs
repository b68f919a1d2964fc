//! Results of benchmarks: medians of several rounds, and ratios to a reference in the same rounds.
//! The output is a table, JSON or charts.

mod chart;
mod measure;
mod table;

pub use chart::charts;
pub use measure::Measure;
use serde::{Deserialize, Serialize};
pub use table::{markdown, table};

/// One measured value of one implementation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Figure {
    /// Operation and subject.
    pub group: String,
    /// Measure with its unit.
    pub measure: Measure,
    /// Name of the implementation.
    pub name: String,
    /// Median of all rounds.
    pub median: f64,
    /// Ratio to the reference of the group in the same round: median, minimum and maximum of all
    /// rounds.
    pub ratio: [f64; 3],
}

impl Figure {
    /// Returns true if both figures have an equal group, measure and name.
    pub fn is_of(&self, other: &Self) -> bool {
        self.group == other.group && self.measure == other.measure && self.name == other.name
    }

    /// Returns how many times worse this ratio is than `recorded`. Uses the best round, because a
    /// busy machine slows down single rounds, but a regression slows down all of them.
    pub fn worse_than(&self, recorded: &Self) -> f64 {
        let [_, least, most] = self.ratio;
        let [usual, ..] = recorded.ratio;
        if self.measure.is_rate() { usual / most } else { least / usual }
    }

    /// Adds the rounds of another run: keeps the lower minimum and the higher maximum of the
    /// ratios.
    pub fn take_the_rounds_of(&mut self, others: &[Self]) {
        if let Some(other) = others.iter().find(|other| self.is_of(other)) {
            let [_, least, most] = &mut self.ratio;
            *least = least.min(other.ratio[1]);
            *most = most.max(other.ratio[2]);
        }
    }

    /// Returns true for a percentile. Percentiles need many rounds, so they are printed, but not
    /// compared.
    pub fn is_percentile(&self) -> bool {
        self.measure.is_percentile()
    }
}

/// Splits figures into comparable slices of one group and one measure.
fn compared(figures: &[Figure]) -> impl Iterator<Item = &[Figure]> {
    figures.chunk_by(|one, next| one.group == next.group && one.measure == next.measure)
}

/// Samples to compare. Each round has one sample of every implementation.
pub struct Group {
    title: String,
    measure: Measure,
    reference: &'static str,
    samples: Vec<(String, Vec<f64>)>,
}

impl Group {
    /// Creates a group with ratios to `reference`, the name of an implementation.
    pub fn new(title: &str, measure: Measure, reference: &'static str) -> Self {
        Self { title: title.to_string(), measure, reference, samples: Vec::new() }
    }

    /// Adds the sample of `name` in one round.
    pub fn sample(&mut self, name: &str, value: f64) {
        match self.samples.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => self.samples.push((name.to_string(), vec![value])),
        }
    }

    /// Returns the figures, in the order of the first samples.
    pub fn figures(&self) -> Vec<Figure> {
        let reference = self.samples.iter().find(|(name, _)| name == self.reference);
        let base: &[f64] = reference.map_or(&[], |(_, values)| values);
        let figure = |(name, values): &(String, Vec<f64>)| {
            let ratios = values.iter().zip(base).map(|(value, base)| value / base);
            let ratios = sorted(ratios.filter(|ratio| ratio.is_finite()));
            let end = |end: Option<&f64>| end.copied().unwrap_or(f64::NAN);
            Figure {
                group: self.title.clone(),
                measure: self.measure,
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

/// Returns the resident memory of this process in bytes; `None` if the system does not report it.
pub fn resident_bytes() -> Option<u64> {
    memory_stats::memory_stats()?.physical_mem.try_into().ok()
}

/// Returns the number of rounds: `BENCH_ROUNDS` if it is a positive number, otherwise `usual`.
pub fn rounds(usual: usize) -> usize {
    let asked = std::env::var("BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    asked.filter(|rounds| *rounds > 0).unwrap_or(usual)
}

/// Prints the figures of a benchmark as a table, or as JSON if the arguments contain `--json`.
pub fn report(figures: &[Figure]) {
    if std::env::args().any(|argument| argument == "--json") {
        println!("{:#}", serde_json::json!(figures));
    } else {
        print!("{}", table(figures));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn figures() -> Vec<Figure> {
        let mut group = Group::new("calls & more", Measure::CpuMicrosPerCall, "native");
        for (native, ours) in [(10.0, 30.0), (20.0, 40.0), (10.0, 25.0)] {
            group.sample("native", native);
            group.sample("ours", ours);
        }
        group.figures()
    }

    #[test]
    fn ratio_is_that_of_same_round() {
        let figures = figures();
        assert_eq!((figures[0].median, figures[0].ratio), (10.0, [1.0, 1.0, 1.0]));
        assert_eq!((figures[1].median, figures[1].ratio), (30.0, [2.5, 2.0, 3.0]));
    }

    #[test]
    fn regression_needs_every_round() {
        let figures = figures();
        let mut slower = figures[1].clone();
        slower.ratio = [6.0, 5.0, 9.0];
        assert!(slower.is_of(&figures[1]) && !slower.is_of(&figures[0]));
        assert_eq!(slower.worse_than(&figures[1]), 2.0);
        slower.measure = Measure::CallsPerSecond;
        slower.ratio = [0.5, 0.4, 1.25];
        assert_eq!(slower.worse_than(&figures[1]), 2.0, "a lower rate is worse");
        (slower.measure, slower.ratio) = (figures[1].measure, [6.0, 5.0, 9.0]);
        slower.take_the_rounds_of(&figures);
        assert_eq!(slower.worse_than(&figures[1]), 0.8, "the other run had a better round");
    }
}
