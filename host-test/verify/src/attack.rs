//! Attacks on the hosts of components and on `serve`. The result of an attack says how the attack
//! ended, and whether the host held against it.
//!
//! ```text
//! budget           components that exceed their limits
//! masking          services that return the API key in any form
//! unauthenticated  peers without a proof of origin, next to an authenticated event source
//! fairness         events that hang, fail or wait, next to new events
//! files            modes of the files of a store, under any umask
//! clock            a receiver suspended past its deadline
//! ```
//!
//! Each family is a module with a function that returns its [`Attack`]s. [`FAMILIES`] lists these
//! functions. [`Attack::new`] creates an attack from a description and a function that carries it
//! out. [`Fixture`] contains shared resources: hosts, the program, directories.
//!
//! A host holds against an attack if the attack ends as expected and in time, and if the host
//! answers the next call. An attack on a process starts its own process and checks its own time
//! limits.

mod budget;
#[cfg(unix)]
mod clock;
mod fairness;
#[cfg(unix)]
mod files;
mod good_calls;
mod grown;
mod masking;
mod peer;
#[cfg(target_os = "linux")]
pub mod unauthenticated;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use futures_util::StreamExt;
use messaging_host::limits::Limits;
use messaging_inbox::{Filter, Options as StoreOptions, Store};
use serde::{Serialize, Serializer};
use tokio::sync::OnceCell;

use crate::process::{self, Serving};
use budget::Hosts;
pub use good_calls::{GoodCalls, MORE_BYTES, good_calls};

/// A family of attacks.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Name on the command line and in the report.
    pub name: &'static str,
    /// Returns the attacks of the family.
    pub attacks: fn() -> Vec<Attack>,
}

/// All families, in the order of a run.
pub const FAMILIES: &[Family] = &[
    Family { name: budget::FAMILY, attacks: budget::attacks },
    Family { name: masking::FAMILY, attacks: masking::attacks },
    #[cfg(target_os = "linux")]
    Family { name: unauthenticated::FAMILY, attacks: unauthenticated::attacks },
    Family { name: fairness::FAMILY, attacks: fairness::attacks },
    #[cfg(unix)]
    Family { name: files::FAMILY, attacks: files::attacks },
    #[cfg(unix)]
    Family { name: clock::FAMILY, attacks: clock::attacks },
];

/// The target of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The host of plugins for WASI 0.2.
    Plugin,
    /// The host of plugins for WASI 0.3.
    PluginP3,
    /// The host of webhooks.
    Webhook,
    /// A process that runs `serve` or another command.
    Process,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 4] = [Self::Plugin, Self::PluginP3, Self::Webhook, Self::Process];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plugin => "plugin",
            Self::PluginP3 => "plugin-p3",
            Self::Webhook => "webhook",
            Self::Process => "process",
        }
    }
}

/// An attack on one host.
#[derive(Clone)]
pub struct Attack {
    /// Family of the attack.
    pub family: &'static str,
    /// Description of the attack.
    pub name: String,
    /// Target of the attack.
    pub target: Target,
    /// Size of the attack.
    pub tries: String,
    run: Arc<dyn Fn(Arc<Fixture>) -> Running + Send + Sync>,
}

type Running = Pin<Box<dyn Future<Output = AttackResult> + Send>>;

/// The result of an attack.
#[derive(Clone, Debug)]
pub struct AttackResult {
    /// The error, or the answer of the component.
    pub how: String,
    /// True if the attack ended as expected.
    pub as_expected: bool,
    /// Maximum duration of the attack.
    pub within: Duration,
}

impl Attack {
    /// Creates an attack that `run` carries out.
    pub fn new<F>(
        family: &'static str,
        name: impl Into<String>,
        target: Target,
        tries: impl Into<String>,
        run: impl Fn(Arc<Fixture>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = AttackResult> + Send + 'static,
    {
        let run = Arc::new(move |fixture| Box::pin(run(fixture)) as Running);
        Self { family, name: name.into(), target, tries: tries.into(), run }
    }

    /// Creates an attack on a process. `scenario` starts and judges the process. It returns an
    /// observation, or an error that names the broken promise.
    fn on_process<F>(
        family: &'static str,
        name: impl Into<String>,
        tries: impl Into<String>,
        scenario: impl Fn(Arc<Fixture>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = anyhow::Result<String>> + Send + 'static,
    {
        Self::new(family, name, Target::Process, tries, move |fixture| {
            let scenario = scenario(fixture);
            async move { AttackResult::of(scenario.await) }
        })
    }

    async fn carry_out(&self, fixture: &Arc<Fixture>) -> Outcome {
        // The time for engines and for compilation does not count.
        let ready = fixture.prepare(self.target).await;
        let started = Instant::now();
        let ended = match ready {
            Ok(()) => (self.run)(Arc::clone(fixture)).await,
            Err(error) => AttackResult::of(Err(error.context("the attack did not start"))),
        };
        let elapsed = started.elapsed();
        let next = fixture.next_call_works(self.target).await;
        let in_time = elapsed <= ended.within.saturating_add(fixture.options.slack);
        let how = match (&next, in_time) {
            (Err(error), _) => format!("{}; the next call failed: {error}", ended.how),
            (_, false) => format!("{}; late, after {elapsed:?}", ended.how),
            _ => ended.how,
        };
        Outcome {
            family: self.family,
            name: self.name.clone(),
            target: self.target,
            tries: self.tries.clone(),
            how,
            elapsed,
            held: ended.as_expected && in_time && next.is_ok(),
        }
    }
}

impl AttackResult {
    /// Converts the result of a scenario that checks its own time limits.
    fn of(result: anyhow::Result<String>) -> Self {
        let as_expected = result.is_ok();
        let how = result.unwrap_or_else(|error| format!("{error:#}"));
        Self { how, as_expected, within: Duration::MAX }
    }
}

/// The options of the attacks.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits of the component hosts.
    pub limits: Limits,
    /// Additional time for every limit: 250 ms on an idle machine.
    pub slack: Duration,
    /// The program under attack.
    pub program: PathBuf,
    /// Directory for the stores of the attacks.
    pub folder: PathBuf,
    /// Directory for compiled components.
    pub compiled: PathBuf,
}

/// The shared resources of the attacks. Hosts are created when the first attack needs them.
pub struct Fixture {
    options: Options,
    hosts: OnceCell<Hosts>,
    folders: AtomicUsize,
}

impl Fixture {
    /// Creates shared resources with these options.
    pub fn new(options: Options) -> Arc<Self> {
        Arc::new(Self { options, hosts: OnceCell::new(), folders: AtomicUsize::new(0) })
    }

    /// Returns small limits, because many attacks must fit into a short time and little memory. A
    /// busy component reaches the limit of processor time long before the limit of wall time.
    pub fn limits() -> Limits {
        Limits {
            memory_bytes: 8 * 1024 * 1024,
            cpu: Duration::from_millis(400),
            wall: Duration::from_secs(5),
            requests: 200,
            transfer_bytes: 8 * 1024 * 1024,
            crossing_bytes: 4 * 1024 * 1024,
            instances: 64,
            parts: 4,
            // These limits are low, because this process also creates the rejected components, and
            // the measured memory must be the memory of the hosts.
            component_bytes: 2 * 1024 * 1024,
            component_functions: 5_000,
            ..Limits::default()
        }
    }

    /// Returns the maximum number of concurrent connections at the components' peer.
    pub fn most_connections(&self) -> usize {
        self.hosts.get().map_or(0, Hosts::most_connections)
    }

    async fn hosts(&self) -> anyhow::Result<&Hosts> {
        self.hosts
            .get_or_try_init(|| Hosts::new(self.options.limits, Some(&self.options.compiled)))
            .await
    }

    async fn prepare(&self, target: Target) -> anyhow::Result<()> {
        if target != Target::Process {
            self.hosts().await?;
        }
        Ok(())
    }

    /// Makes a harmless call. Returns an error if the host does not answer it.
    async fn next_call_works(&self, target: Target) -> anyhow::Result<()> {
        if target == Target::Process {
            return Ok(());
        }
        self.hosts().await?.next_call_works(target).await
    }

    /// Creates a new directory.
    fn folder(&self) -> anyhow::Result<PathBuf> {
        let number = self.folders.fetch_add(1, Ordering::Relaxed);
        let folder = self.options.folder.join(number.to_string());
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(folder)
    }

    /// Returns a command that runs `serve` on a free port under a umask. The caller adds further
    /// arguments.
    #[cfg(unix)]
    fn command_under(&self, umask: &str) -> tokio::process::Command {
        let mut command = process::command(std::path::Path::new("sh"));
        command.args(["-c", r#"umask "$0" && exec "$@""#, umask]).arg(&self.options.program);
        command.args(["serve", "--json", "--listen", "127.0.0.1:0"]);
        command.stderr(std::process::Stdio::null());
        command
    }

    /// Runs `serve` on a free port with these arguments and settings. The first call compiles the
    /// webhook for all later calls.
    async fn serve(
        &self,
        arguments: &[&str],
        settings: &[(&str, &str)],
    ) -> anyhow::Result<Serving> {
        let mut command = process::command(&self.options.program);
        command.args(["serve", "--json", "--listen", "127.0.0.1:0"]).args(arguments);
        command.arg("--cache").arg(&self.options.compiled);
        // A process under attack is expected to log errors, so its log is discarded.
        command.envs(settings.iter().copied()).stderr(std::process::Stdio::null());
        Serving::start(command).await
    }

    /// Runs `serve` on a new store. Also returns the path of the store.
    async fn serve_store(
        &self,
        arguments: &[&str],
        settings: &[(&str, &str)],
    ) -> anyhow::Result<(Serving, PathBuf)> {
        let file = self.folder()?.join("inbox.sqlite");
        let name = file.to_str().context("the folder's name is not UTF-8")?;
        let all = [&["--store", name], arguments].concat();
        Ok((self.serve(&all, settings).await?, file))
    }
}

/// Returns the keys of all events in a store, in order. No process may have the store open.
async fn keys(file: &std::path::Path) -> anyhow::Result<Vec<String>> {
    let store = Store::open(file, StoreOptions::default())?;
    let events = store.list(Filter { limit: u32::MAX, ..Filter::default() }).await?;
    store.close().await;
    Ok(events.into_iter().map(|event| event.idempotency_key).collect())
}

/// The outcome of an attack.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// Family of the attack.
    pub family: &'static str,
    /// Description of the attack.
    pub name: String,
    /// Target of the attack.
    #[serde(rename = "host")]
    pub target: Target,
    /// Size of the attack.
    pub tries: String,
    /// The error, or the answer of the component.
    pub how: String,
    /// Duration of the attack.
    #[serde(serialize_with = "seconds", rename = "seconds")]
    pub elapsed: Duration,
    /// True if the attack ended as expected and in time, and the host answered the next call.
    pub held: bool,
}

fn seconds<S: Serializer>(elapsed: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(elapsed.as_secs_f64())
}

/// Returns the attacks on these targets, of one family or of all.
pub fn attacks(family: Option<&str>, targets: &[Target]) -> Vec<Attack> {
    let asked = |one: &&Family| family.is_none_or(|name| one.name == name);
    let all = FAMILIES.iter().filter(asked).flat_map(|family| (family.attacks)());
    all.filter(|attack| targets.contains(&attack.target)).collect()
}

/// Carries out attacks, at most `concurrency` at a time. Calls `progress` with each outcome.
pub async fn run(
    fixture: &Arc<Fixture>,
    attacks: &[Attack],
    concurrency: usize,
    progress: impl Fn(&Outcome),
) -> Vec<Outcome> {
    let outcomes = attacks.iter().map(|attack| attack.carry_out(fixture));
    let outcomes = futures_util::stream::iter(outcomes).buffered(concurrency.max(1));
    outcomes.inspect(progress).collect().await
}
