//! Senders of the campaign: `send --once` from several directories with one journal.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use messaging_simulator::service::{Options as ServiceOptions, Service};
use rand::Rng;
use serde_json::Value;
use tokio::task::JoinHandle;

use super::Options;
use super::maintenance::Database;
use super::record::Record;
use crate::process;

const API_KEY: &str = "simulated-key";
/// Start of the notice of a sender that waits for another one.
const WAITING: &str = "waiting for another sender of this key";
/// Pause between two keys of one task.
const PAUSE: Duration = Duration::from_millis(400);

/// Tasks that send, and the simulated service.
pub struct Senders {
    service: Service,
    ends: Arc<AtomicBool>,
    tasks: Vec<JoinHandle<anyhow::Result<()>>>,
}

impl Senders {
    pub async fn start(
        options: &Options,
        database: &Database,
        record: &Arc<Record>,
    ) -> anyhow::Result<Self> {
        let service = Service::start(ServiceOptions::new(API_KEY)).await?;
        let mut init = process::command(&options.program);
        let init = init.args(["sent", "init", "--journal", &database.journal(false)]);
        let status = init.output().await?.status;
        anyhow::ensure!(status.success(), "sent init ended with {status}");
        let ends = Arc::new(AtomicBool::new(false));
        let mut tasks = Vec::new();
        for task in 0..2 {
            let sender = Sender {
                program: options.program.clone(),
                directories: (0..3)
                    .map(|number| options.directory.join(format!("directory-{number}")))
                    .collect(),
                journal: database.journal(task == 1),
                base_url: service.base_url(),
                record: Arc::clone(record),
            };
            tasks.push(tokio::spawn(sender.run(task, Arc::clone(&ends))));
        }
        Ok(Self { service, ends, tasks })
    }

    /// Ends the tasks, and compares the ledger with the keys.
    pub async fn stop(self, record: &Record) -> anyhow::Result<()> {
        self.ends.store(true, Ordering::SeqCst);
        for task in self.tasks {
            task.await??;
        }
        let mut messages = std::collections::BTreeMap::<String, u64>::new();
        for accepted in self.service.ledger().messages {
            let count = messages.entry(accepted.message.message).or_default();
            *count = count.saturating_add(1);
            record.count("messages created");
        }
        for (key, count) in messages.into_iter().filter(|(_, count)| *count > 1) {
            record.violation(format!("{key} created {count} messages"));
        }
        Ok(())
    }
}

struct Sender {
    program: PathBuf,
    directories: Vec<PathBuf>,
    journal: String,
    base_url: String,
    record: Arc<Record>,
}

impl Sender {
    /// Sends each key twice at once and a third time later, each from another directory.
    async fn run(self, task: u32, ends: Arc<AtomicBool>) -> anyhow::Result<()> {
        for directory in &self.directories {
            std::fs::create_dir_all(directory)?;
        }
        for number in 0_u64.. {
            if ends.load(Ordering::SeqCst) {
                break;
            }
            let key = format!("order-{task}-{number}");
            let killed = rand::rng().random_ratio(1, 20);
            if killed {
                let moment = Duration::from_millis(rand::rng().random_range(1..300));
                let _ = tokio::time::timeout(moment, self.send(&key, 0)).await;
                self.record.count("senders killed");
            } else {
                let both = tokio::join!(self.send(&key, 0), self.send(&key, 1));
                for answer in [both.0?, both.1?] {
                    self.judge(&key, &answer);
                }
                let third = self.send(&key, 2).await?;
                self.judge(&key, &third);
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    async fn send(&self, key: &str, directory: usize) -> anyhow::Result<std::process::Output> {
        let mut command = process::command(&self.program);
        command.args([
            "send",
            "--json",
            "--once",
            key,
            "--phone",
            "+34 600 111 222",
            "--message",
            key,
        ]);
        command.env("MESSAGING_ONCE_JOURNAL", &self.journal);
        command.env("MESSAGING_BASE_URL", &self.base_url).env("MESSAGING_API_KEY", API_KEY);
        command.env_remove("RUST_LOG").stderr(Stdio::piped());
        if let Some(directory) = self.directories.get(directory) {
            command.current_dir(directory);
        }
        Ok(command.output().await?)
    }

    /// Every sender of a key that no one killed has to report the message.
    fn judge(&self, key: &str, output: &std::process::Output) {
        self.record.count("sends");
        let said = String::from_utf8_lossy(&output.stdout);
        let created = serde_json::from_str::<Value>(&said)
            .ok()
            .and_then(|answer| Some(answer.get("ok")?.get("id")?.as_str()?.to_string()));
        let errors = String::from_utf8_lossy(&output.stderr);
        let has_warned = errors.lines().any(|line| !line.starts_with(WAITING));
        if !output.status.success() || created.is_none() || has_warned {
            let text = format!("send {key}: {}: {} {}", output.status, said.trim(), errors.trim());
            self.record.violation(text);
        }
    }
}
