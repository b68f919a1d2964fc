//! The fault suite. Runs every case against the plugin, the sans-I/O plugin and the native core,
//! once with replies as scripted and once with replies that arrive byte by byte. Each case of
//! `send-message` also runs through `send-once`, from each state of the idempotency key that allows
//! a send.

use std::time::Instant;

use futures_util::{Stream, StreamExt};

use super::case::{Case, Function};
use super::report::Verdict;
use super::run::{self, Subject};
use super::states::Before;
use messaging_host::outbound::Outbound;
use messaging_host::plugin::Plugin;
use messaging_simulator::faults::Chunking;

/// Number of concurrent cases. A case makes up to six calls at once. With more calls, a busy
/// machine reaches the timeouts of connections.
const CONCURRENCY: usize = 6;

/// Modes of a case. The last three apply only to `send-message`.
pub const MODES: [&str; 9] = [
    "component",
    "component, byte by byte",
    "sans-io",
    "sans-io, byte by byte",
    "native",
    "native, byte by byte",
    "once, a new key",
    "once, a key under which nothing was created",
    "once, a key resolved as not created",
];

/// The components under test.
#[derive(Clone)]
pub struct Components {
    /// The plugin that makes its requests itself.
    pub plugin: Plugin,
    /// The plugin without I/O, for which the host makes the requests.
    pub sans_io: Plugin,
}

/// The results of a case, one per mode.
#[derive(Debug)]
pub struct CaseRun {
    /// The case.
    pub case: &'static Case,
    /// Verdicts in the order of [`MODES`].
    pub verdicts: Vec<Verdict>,
}

impl CaseRun {
    /// Returns true if the case passed in every mode.
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(Verdict::passed)
    }
}

/// Runs cases concurrently, each in its own task, and yields each case when it ends.
pub fn run(
    cases: impl IntoIterator<Item = &'static Case>,
    components: &Components,
    outbound: &Outbound,
) -> impl Stream<Item = anyhow::Result<CaseRun>> {
    let one = |case| tokio::spawn(run_case(case, components.clone(), outbound.clone()));
    futures_util::stream::iter(cases)
        .map(one)
        .buffer_unordered(CONCURRENCY)
        .map(|ended| ended.map_err(anyhow::Error::from).flatten())
}

async fn run_case(
    case: &'static Case,
    components: Components,
    outbound: Outbound,
) -> anyhow::Result<CaseRun> {
    let started = Instant::now();
    let component = Subject::Component(&components.plugin, &[]);
    let sans_io = Subject::Component(&components.sans_io, &[]);
    let run = |subject, chunking| run::run(case, subject, &outbound, chunking);
    let verdicts = tokio::try_join!(
        run(component, Chunking::Whole),
        run(component, Chunking::Bytes),
        run(sans_io, Chunking::Whole),
        run(sans_io, Chunking::Bytes),
        run(Subject::Native, Chunking::Whole),
        run(Subject::Native, Chunking::Bytes),
    );
    let mut verdicts = verdicts.map(|(a, b, c, d, e, f)| vec![a, b, c, d, e, f])?;
    if case.call == Function::SendMessage {
        let once = |before| run(Subject::Once(&components.sans_io, before), Chunking::Whole);
        let once =
            tokio::try_join!(once(Before::New), once(Before::NotCreated), once(Before::FoundNone));
        verdicts.extend(once.map(<[Verdict; 3]>::from)?);
    }
    tracing::debug!(case = case.name, elapsed = ?started.elapsed());
    Ok(CaseRun { case, verdicts })
}
