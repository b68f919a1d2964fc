//! Attacks on the hosts of this crate: what each tried, how it ended, whether the host held.
//!
//! A family is a file below this one: a function that returns its [`Attack`]s, listed in
//! [`FAMILIES`]. An attack needs no more than a name and a future that tells how it ended;
//! what several need (hosts, a peer to talk to) is in the [`Ground`].
//!
//! An attack held if it ended as it has to, within its time, and if the same host answers
//! the next call.

mod beside;
mod budget;
mod grown;
mod peer;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use serde::{Serialize, Serializer};

pub use beside::{Beside, MORE_BYTES, beside};
pub use budget::Ground;

/// Time that an attack may take beyond its limit.
pub const SLACK: Duration = Duration::from_millis(250);

/// Every family, in the order in which they are run.
pub const FAMILIES: [fn() -> Vec<Attack>; 1] = [budget::attacks];

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
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plugin, Self::PluginP3, Self::Webhook];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plugin => "plugin",
            Self::PluginP3 => "plugin-p3",
            Self::Webhook => "webhook",
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

    async fn carry_out(&self, ground: &Arc<Ground>, slack: Duration) -> Outcome {
        let started = Instant::now();
        let ended = (self.run)(Arc::clone(ground)).await;
        let elapsed = started.elapsed();
        let next = ground.next_call_works(self.target).await;
        let in_time = elapsed <= ended.within.saturating_add(slack);
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

/// The attacks of all families on these targets.
#[must_use]
pub fn attacks(targets: &[Target]) -> Vec<Attack> {
    let all = FAMILIES.iter().flat_map(|family| family());
    all.filter(|attack| targets.contains(&attack.target)).collect()
}

/// Carries out attacks, so many at once. `progress` is told each outcome as it comes.
pub async fn run(
    ground: &Arc<Ground>,
    attacks: &[Attack],
    concurrency: usize,
    slack: Duration,
    progress: impl Fn(&Outcome),
) -> Vec<Outcome> {
    let outcomes = attacks.iter().map(|attack| attack.carry_out(ground, slack));
    let outcomes = futures_util::stream::iter(outcomes).buffered(concurrency.max(1));
    outcomes.inspect(progress).collect().await
}
