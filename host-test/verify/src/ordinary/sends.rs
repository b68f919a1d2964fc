//! Senders of the campaign: `send --once`, and programs in other languages, with one journal. The
//! campaign checks these promises:
//!
//! ```text
//! key         at most one message
//! created     names a message of its key, and is never taken back
//! unknown     only if a sender of the key was killed, or the database failed
//! end         each key is created or unknown
//! ```

mod keys;
mod program;

use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use messaging_simulator::service::{Options as ServiceOptions, Service};
use rand::Rng;
use serde_json::Value;
use tokio::task::JoinHandle;

use self::keys::{Answer, Keys};
use super::Options;
use super::maintenance::Database;
use super::record::{JOURNAL_KILLS, Record};
use crate::process::{self, was_killed};

const API_KEY: &str = "simulated-key";
/// Recipient of all messages.
const PHONE: &str = "+34600111222";
/// Start of the notice that a sender prints while it waits for another sender.
const WAITING: &str = "waiting for another sender of this key";
/// Deadline of a send in a campaign of kills. The intent of a killed sender expires after this
/// time.
const DEADLINE_MS: u32 = 3_000;
/// Deadline of a program of `--sender` in other campaigns: the default of every host.
const ORDINARY_DEADLINE_MS: u32 = 30_000;
/// Maximum time without progress while senders retry the remaining keys.
const STUCK: Duration = Duration::from_secs(120);
/// Number of keys that are sent again at the end.
const ASKED_AGAIN: usize = 300;
/// Number of concurrent senders after the last kill.
const AT_ONCE: usize = 8;

/// Tasks that send, and the simulated service.
pub struct Senders {
    service: Service,
    sender: Sender,
    programs: Vec<program::Program>,
    ends: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<anyhow::Result<()>>>,
}

impl Senders {
    pub async fn start(
        options: &Options,
        database: &Database,
        record: &Arc<Record>,
    ) -> anyhow::Result<Self> {
        let kills = options.kills > 0;
        let latency = Duration::from_millis(if kills { 10 } else { 0 });
        let service = Service::start(ServiceOptions { latency, ..ServiceOptions::new(API_KEY) });
        let service = service.await?;
        let mut init = process::command(&options.program);
        let init = init.args(["sent", "init", "--journal", &database.journal(false)]);
        let status = init.output().await?.status;
        anyhow::ensure!(status.success(), "sent init ended with {status}");
        let directories = (0..3).map(|number| format!("directory-{number}"));
        let directories: Vec<_> = directories.map(|name| options.directory.join(name)).collect();
        for directory in &directories {
            std::fs::create_dir_all(directory)?;
        }
        let sender = Sender {
            program: options.program.clone(),
            directories,
            journal: database.journal(false),
            base_url: service.base_url(),
            kills,
            typical_ms: Arc::new(AtomicU64::new(100)),
            keys: Arc::default(),
            record: Arc::clone(record),
        };
        let programs = options.senders.iter().map(|command| program::Program {
            command: command.iter().map(Into::into).collect(),
            journal: database.journal(false).into(),
            base_url: service.base_url(),
            deadline_ms: if kills { DEADLINE_MS } else { ORDINARY_DEADLINE_MS },
            keys: Arc::clone(&sender.keys),
            record: Arc::clone(record),
        });
        let programs: Vec<_> = programs.collect();
        let ends = Arc::new(AtomicBool::new(false));
        let mut tasks = Vec::new();
        for task in 0..if kills { 6 } else { 2 } {
            let journal = database.journal(task % 2 == 1);
            let sender = Sender { journal, ..sender.clone() };
            tasks.push(tokio::spawn(sender.run(Arc::clone(&ends))));
        }
        for program in &programs {
            tasks.push(tokio::spawn(program.clone().run(Arc::clone(&ends))));
        }
        Ok(Self { service, sender, programs, ends, tasks })
    }

    /// Ends the tasks, retries each unanswered key, and compares the ledger with the answers.
    pub async fn stop(self, record: &Record) -> anyhow::Result<()> {
        self.ends.store(true, Ordering::SeqCst);
        for task in self.tasks {
            task.await??;
        }
        let (keys, sender) = (&self.sender.keys, &Sender { kills: false, ..self.sender.clone() });
        let (mut left, mut since) = (usize::MAX, Instant::now());
        loop {
            let open = keys.open();
            if open.len() < left {
                (left, since) = (open.len(), Instant::now());
            }
            if open.is_empty() {
                break;
            }
            if since.elapsed() > STUCK {
                record.violation(format!("{left} keys are stuck, such as {:?}", open.first()));
                break;
            }
            sender.send_all(open).await?;
        }
        let again = keys.sample(ASKED_AGAIN);
        for program in &self.programs {
            program.send_again(&again).await?;
        }
        sender.send_all(again).await?;
        keys.judge(&self.service.ledger().messages, record);
        Ok(())
    }
}

#[derive(Clone)]
struct Sender {
    program: PathBuf,
    directories: Vec<PathBuf>,
    journal: String,
    base_url: String,
    /// True if most attempts are killed; false if only a few are.
    kills: bool,
    /// Typical duration of a send in milliseconds.
    typical_ms: Arc<AtomicU64>,
    keys: Arc<Keys>,
    record: Arc<Record>,
}

impl Sender {
    /// Sends each key twice at the same time, and again after an answer. Each of the three sends
    /// runs in its own directory.
    async fn run(self, ends: Arc<AtomicBool>) -> anyhow::Result<()> {
        let pause = Duration::from_millis(if self.kills { 20 } else { 400 });
        while !ends.load(Ordering::SeqCst) {
            let key = self.keys.take();
            let one_of = if self.kills { (3, 4) } else { (1, 40) };
            let both = tokio::join!(self.send(&key, 0, one_of), self.send(&key, 1, one_of));
            both.0.and(both.1)?;
            if self.keys.is_answered(&key) {
                self.send(&key, 2, one_of).await?;
            }
            tokio::time::sleep(pause).await;
        }
        Ok(())
    }

    /// Sends each key once, without kills.
    async fn send_all(&self, keys: Vec<String>) -> anyhow::Result<()> {
        let sends = stream::iter(keys).map(async |key| self.send(&key, 2, (0, 1)).await);
        let sent: Vec<_> = sends.buffer_unordered(AT_ONCE).collect().await;
        sent.into_iter().collect()
    }

    /// Sends once. `killed` is the ratio of senders that are killed at a random moment.
    async fn send(&self, key: &str, directory: usize, killed: (u32, u32)) -> anyhow::Result<()> {
        let mut command = process::command(&self.program);
        command.args(["send", "--json", "--once", key, "--phone", PHONE, "--message", key]);
        command.env("MESSAGING_ONCE_JOURNAL", &self.journal);
        command.env("MESSAGING_BASE_URL", &self.base_url).env("MESSAGING_API_KEY", API_KEY);
        command.env_remove("RUST_LOG").stderr(Stdio::piped());
        if self.kills {
            command.env("MESSAGING_DEADLINE_MS", DEADLINE_MS.to_string());
        }
        if let Some(directory) = self.directories.get(directory) {
            command.current_dir(directory);
        }
        let moment = self.moment(killed);
        let begun = Instant::now();
        let child = command.spawn()?;
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let id = id.and_then(rustix::process::Pid::from_raw);
        let mut ended = std::pin::pin!(child.wait_with_output());
        let output = match tokio::time::timeout(moment, &mut ended).await {
            Ok(output) => output?,
            Err(_) => {
                if let Some(id) = id {
                    let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
                }
                ended.await?
            }
        };
        if was_killed(output.status) {
            self.keys.disturb(key);
            self.record.count(JOURNAL_KILLS);
        }
        if self.record.has_failed(begun) {
            self.keys.disturb(key);
        }
        self.judge(key, begun, &output);
        Ok(())
    }

    /// Returns the delay before a sender is killed, about the duration of a send. `Duration::MAX`
    /// means never.
    fn moment(&self, (killed, of): (u32, u32)) -> Duration {
        let typical = self.typical_ms.load(Ordering::SeqCst);
        let mut random = rand::rng();
        if !random.random_ratio(killed, of) {
            return Duration::MAX;
        }
        Duration::from_millis(random.random_range(1..=typical.saturating_mul(5) / 4))
    }

    /// Records the answer of a sender. A killed sender may have answered before the kill.
    fn judge(&self, key: &str, begun: Instant, output: &Output) {
        self.record.count("sends");
        let said = String::from_utf8_lossy(&output.stdout);
        let answer = serde_json::from_str::<Value>(&said).unwrap_or_default();
        let created = answer.get("ok").and_then(|ok| {
            let is_recorded = ok.get("recorded").and_then(Value::as_bool).unwrap_or(true);
            Some(Answer::Created(ok.get("id")?.as_str()?.to_string(), is_recorded))
        });
        let is_disturbed = self.keys.is_disturbed(key);
        let errors = String::from_utf8_lossy(&output.stderr);
        let has_warned = errors.lines().any(|line| !line.starts_with(WAITING));
        let text = || format!("send {key}: {}: {} {}", output.status, said.trim(), errors.trim());
        match (output.status.code(), created) {
            (Some(0) | None, Some(created)) => {
                self.keys.answered(key, begun, created, &self.record);
                if has_warned && !is_disturbed {
                    self.record.violation(text());
                }
                let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                let typical = self.typical_ms.load(Ordering::SeqCst);
                let typical = typical.saturating_mul(7).saturating_add(took.min(2_000)) / 8;
                self.typical_ms.store(typical.max(10), Ordering::SeqCst);
            }
            (Some(3), _) => self.keys.answered(key, begun, Answer::Unknown, &self.record),
            (Some(75), _) if self.kills || is_disturbed => self.record.count("sends to repeat"),
            (Some(75), _) => self.record.refused(begun, text()),
            (Some(_), _) => self.record.violation(text()),
            (None, None) => {}
        }
    }
}
