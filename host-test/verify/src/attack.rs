//! Attacks on the hosts of this crate, and on the process that receives events: what each
//! tried, how it ended, whether the promise held.
//!
//! ```text
//! budget     components that hold or spend more than they may
//! masking    services that hand the key back, in every form that they may choose
//! strangers  senders without a proof, beside one with it
//! fairness   events that hang, fail or wait, beside new ones
//! files      modes of the files of a store, under any umask
//! clock      a receiver that is stopped past its deadline
//! ```
//!
//! A family is a file below this one: a function that returns its [`Attack`]s, listed in
//! [`FAMILIES`]. An attack needs no more than a name and a future that tells how it ended;
//! what several need (hosts, the program, folders) is in the [`Ground`].
//!
//! An attack held if it ended as it has to, within its time, and if the same host answers
//! the next call. Those on a process start one of their own, and judge its times themselves.

mod beside;
mod budget;
#[cfg(unix)]
mod clock;
mod fairness;
#[cfg(unix)]
mod files;
mod grown;
mod masking;
mod peer;
mod sender;
#[cfg(target_os = "linux")]
pub mod strangers;

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
pub use beside::{Beside, MORE_BYTES, beside};
use budget::Hosts;
pub use sender::{
    Connection, PROOF, Reply, SECRET, body, exchange, kept_alive, read_reply, request, with_secret,
};

/// A family of attacks.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name, on the command line and in the report.
    pub name: &'static str,
    /// Its attacks.
    pub attacks: fn() -> Vec<Attack>,
}

/// Every family, in the order in which they are run.
pub const FAMILIES: &[Family] = &[
    Family { name: budget::FAMILY, attacks: budget::attacks },
    Family { name: masking::FAMILY, attacks: masking::attacks },
    #[cfg(target_os = "linux")]
    Family { name: strangers::FAMILY, attacks: strangers::attacks },
    Family { name: fairness::FAMILY, attacks: fairness::attacks },
    #[cfg(unix)]
    Family { name: files::FAMILY, attacks: files::attacks },
    #[cfg(unix)]
    Family { name: clock::FAMILY, attacks: clock::attacks },
];

/// Target of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The host of plugins for WASI 0.2.
    Plugin,
    /// The host of plugins for WASI 0.3.
    PluginP3,
    /// The host of webhooks.
    Webhook,
    /// A process that runs `serve`, or another command.
    Process,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plugin, Self::PluginP3, Self::Webhook, Self::Process];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plugin => "plugin",
            Self::PluginP3 => "plugin-p3",
            Self::Webhook => "webhook",
            Self::Process => "process",
        }
    }
}

/// One attack on one host.
#[derive(Clone)]
pub struct Attack {
    /// Family of the attack, for the report.
    pub family: &'static str,
    /// Description of the attack.
    pub name: String,
    /// Target of the attack.
    pub target: Target,
    /// Size of the attack, in figures.
    pub tries: String,
    run: Arc<dyn Fn(Arc<Ground>) -> Running + Send + Sync>,
}

type Running = Pin<Box<dyn Future<Output = AttackResult> + Send>>;

/// Result of an attack.
#[derive(Clone, Debug)]
pub struct AttackResult {
    /// The error, or what the component said.
    pub how: String,
    /// Whether that is how it has to end.
    pub as_expected: bool,
    /// The longest that it may take.
    pub within: Duration,
}

impl Attack {
    /// An attack that `run` carries out.
    pub fn new<F>(
        family: &'static str,
        name: impl Into<String>,
        target: Target,
        tries: impl Into<String>,
        run: impl Fn(Arc<Ground>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = AttackResult> + Send + 'static,
    {
        let run = Arc::new(move |ground| Box::pin(run(ground)) as Running);
        Self { family, name: name.into(), target, tries: tries.into(), run }
    }

    /// An attack on a process, which `scenario` starts and judges: it tells what was seen, or
    /// which promise was broken.
    fn on_process<F>(
        family: &'static str,
        name: impl Into<String>,
        tries: impl Into<String>,
        scenario: impl Fn(Arc<Ground>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = anyhow::Result<String>> + Send + 'static,
    {
        Self::new(family, name, Target::Process, tries, move |ground| {
            let scenario = scenario(ground);
            async move { AttackResult::of(scenario.await) }
        })
    }

    async fn carry_out(&self, ground: &Arc<Ground>) -> Outcome {
        // Engines and compiling are no part of an attack.
        let ready = ground.prepare(self.target).await;
        let started = Instant::now();
        let ended = match ready {
            Ok(()) => (self.run)(Arc::clone(ground)).await,
            Err(error) => AttackResult::of(Err(error.context("it was not begun"))),
        };
        let elapsed = started.elapsed();
        let next = ground.next_call_works(self.target).await;
        let in_time = elapsed <= ended.within.saturating_add(ground.tolerance().slack);
        let how = match (&next, in_time) {
            (Err(error), _) => format!("{}; the next call: {error}", ended.how),
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
    /// The result of a scenario that judges its times itself.
    fn of(result: anyhow::Result<String>) -> Self {
        let as_expected = result.is_ok();
        let how = result.unwrap_or_else(|error| format!("{error:#}"));
        Self { how, as_expected, within: Duration::MAX }
    }
}

/// Addition to what is promised, for the machine that the attacks run on.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// Time that anything may take beyond its limit.
    pub slack: Duration,
    /// The largest ratio of two times that have to be the same.
    pub ratio: f64,
}

impl Tolerance {
    /// A machine that does nothing else.
    pub const STRICT: Self = Self { slack: Duration::from_millis(250), ratio: 1.2 };
    /// A machine that is busy with other work: what is wrong in kind is still found.
    pub const BUSY: Self = Self { slack: Duration::from_secs(10), ratio: 3.0 };
}

/// Options of the attacks.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits of the hosts of components.
    pub limits: Limits,
    /// Addition to what is promised.
    pub tolerance: Tolerance,
    /// The program whose commands are attacked.
    pub program: PathBuf,
    /// A folder of the attacks' own, for stores.
    pub folder: PathBuf,
    /// A folder for compiled components.
    pub compiled: PathBuf,
    /// Events that wait in the store of the family "fairness".
    pub backlog: u32,
}

/// Fixture of the attacks: hosts, made when the first attack needs them, and processes.
pub struct Ground {
    options: Options,
    hosts: OnceCell<Hosts>,
    folders: AtomicUsize,
}

impl Ground {
    /// A fixture with these options.
    #[must_use]
    pub fn new(options: Options) -> Arc<Self> {
        Arc::new(Self { options, hosts: OnceCell::new(), folders: AtomicUsize::new(0) })
    }

    /// Small limits, so that many attacks fit into a short time and little memory. The time
    /// is long beside the processor time: on a busy machine too, the latter ends first.
    #[must_use]
    pub fn limits() -> Limits {
        Hosts::limits()
    }

    /// The most connections that the components' peer has seen at once.
    #[must_use]
    pub fn most_connections(&self) -> usize {
        self.hosts.get().map_or(0, Hosts::most_connections)
    }

    fn tolerance(&self) -> Tolerance {
        self.options.tolerance
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

    /// Whether a host answers a call that asks for nothing bad.
    async fn next_call_works(&self, target: Target) -> anyhow::Result<()> {
        if target == Target::Process {
            return Ok(());
        }
        self.hosts().await?.next_call_works(target).await
    }

    /// A new folder.
    fn folder(&self) -> anyhow::Result<PathBuf> {
        let number = self.folders.fetch_add(1, Ordering::Relaxed);
        let folder = self.options.folder.join(number.to_string());
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(folder)
    }

    /// `serve` on a free port under a umask, the rest of its arguments still to come.
    #[cfg(unix)]
    fn command_under(&self, umask: &str) -> tokio::process::Command {
        let mut command = process::command(std::path::Path::new("sh"));
        command.args(["-c", r#"umask "$0" && exec "$@""#, umask]).arg(&self.options.program);
        command.args(["serve", "--json", "--listen", "127.0.0.1:0"]);
        command.stderr(std::process::Stdio::null());
        command
    }

    /// `serve` on a free port with these arguments and settings. The first one compiles the
    /// webhook for all.
    async fn serve(
        &self,
        arguments: &[&str],
        settings: &[(&str, &str)],
    ) -> anyhow::Result<Serving> {
        let mut command = process::command(&self.options.program);
        command.args(["serve", "--json", "--listen", "127.0.0.1:0"]).args(arguments);
        command.arg("--cache").arg(&self.options.compiled);
        // Complaints of an attacked process are no news.
        command.envs(settings.iter().copied()).stderr(std::process::Stdio::null());
        Serving::start(command).await
    }

    /// The same on a new store; the store's file as well.
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

/// The keys of all events in a store that nobody has open, in order.
async fn keys(file: &std::path::Path) -> anyhow::Result<Vec<String>> {
    let store = Store::open(file, StoreOptions::default())?;
    let events = store.list(Filter { limit: u32::MAX, ..Filter::default() }).await?;
    store.close().await;
    Ok(events.into_iter().map(|event| event.idempotency_key).collect())
}

/// Outcome of an attack.
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
    /// Size of the attack, in figures.
    pub tries: String,
    /// Its result.
    pub how: String,
    /// Duration.
    #[serde(serialize_with = "seconds", rename = "seconds")]
    pub elapsed: Duration,
    /// Whether the host held.
    pub held: bool,
}

fn seconds<S: Serializer>(elapsed: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(elapsed.as_secs_f64())
}

/// The attacks on these targets, of the family of this name or of all.
#[must_use]
pub fn attacks(family: Option<&str>, targets: &[Target]) -> Vec<Attack> {
    let asked = |one: &&Family| family.is_none_or(|name| one.name == name);
    let all = FAMILIES.iter().filter(asked).flat_map(|family| (family.attacks)());
    all.filter(|attack| targets.contains(&attack.target)).collect()
}

/// Carries out attacks, so many at once. `progress` is told each outcome as it comes.
pub async fn run(
    ground: &Arc<Ground>,
    attacks: &[Attack],
    concurrency: usize,
    progress: impl Fn(&Outcome),
) -> Vec<Outcome> {
    let outcomes = attacks.iter().map(|attack| attack.carry_out(ground));
    let outcomes = futures_util::stream::iter(outcomes).buffered(concurrency.max(1));
    outcomes.inspect(progress).collect().await
}
