//! The catalogue of faults: every case, held against the component and against the core
//! without one, by a service that writes as it likes and by one that writes one byte
//! after the other.

use std::fmt::Write;
use std::time::Instant;

use futures_util::{Stream, StreamExt};

use super::case::Case;
use super::report::{Verdict, base};
use super::run::{self, Subject};
use messaging_host::outbound::Outbound;
use messaging_host::plugin::Plugin;
use messaging_simulator::faults::Chunking;

/// Number of cases under way at once: most of their time they wait.
const AT_ONCE: usize = 16;

/// The ways in which each row is run.
pub const MODES: [&str; 4] =
    ["component", "component, byte by byte", "native", "native, byte by byte"];

/// A row of the catalogue, and what came of it in each way.
#[derive(Debug)]
pub struct Row {
    /// The promise.
    pub case: &'static Case,
    /// As [`WAYS`].
    pub verdicts: [Verdict; MODES.len()],
}

impl Row {
    /// Whether it held in every way.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(Verdict::passed)
    }
}

/// Runs rows; which of them ends first comes first.
pub fn run<'a>(
    rows: impl IntoIterator<Item = &'static Case> + 'a,
    plugin: &'a Plugin,
    outbound: &'a Outbound,
) -> impl Stream<Item = anyhow::Result<Row>> + 'a {
    let one = move |case: &'static Case| async move {
        let started = Instant::now();
        let component = Subject::Component(plugin, &[]);
        let run = |subject, chunking| run::run(case, subject, outbound, chunking);
        let verdicts = tokio::try_join!(
            run(component, Chunking::Whole),
            run(component, Chunking::Bytes),
            run(Subject::Native, Chunking::Whole),
            run(Subject::Native, Chunking::Bytes),
        );
        let verdicts = verdicts.map(|(a, b, c, d)| [a, b, c, d])?;
        tracing::debug!(row = case.name, elapsed = ?started.elapsed());
        Ok(Row { case, verdicts })
    };
    futures_util::stream::iter(rows).map(one).buffer_unordered(AT_ONCE)
}

/// The catalogue as a document in Markdown.
#[must_use]
pub fn document(rows: &[Case]) -> String {
    let mut text = String::from(
        "# The catalogue of faults\n\n\
        Made by `cargo verify faults --document`; a test compares it with the rows. A line can stand for\n\
        several rows, which differ in a value. Every row is run against the component and against the core\n\
        without one, by a service that writes as it likes and by one that writes one byte after the other, and\n\
        every row looks at what the service received.\n",
    );
    for family in rows.chunk_by(|one, next| one.family == next.family) {
        let name = family.first().map_or("", |case| case.family.as_str());
        let _ = write!(text, "\n## {name}\n\n| row | outcome | why |\n|---|---|---|\n");
        for rows in family.chunk_by(|one, next| base(&one.name) == base(&next.name)) {
            let Some(first) = rows.first() else { continue };
            let name = base(&first.name).replace('_', " ");
            let count = if rows.len() > 1 { format!(" ({})", rows.len()) } else { String::new() };
            let mut outcomes: Vec<_> = rows.iter().map(|case| case.expect.name()).collect();
            outcomes.dedup();
            let _ = writeln!(text, "| {name}{count} | {} | {} |", outcomes.join(", "), first.why);
        }
    }
    text
}
