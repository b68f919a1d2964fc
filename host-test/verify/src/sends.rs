//! The crash campaign for sends: callers repeat every key until they are answered, the processes
//! that send are killed, and what was answered is compared with the service's ledger.
//!
//! ```text
//! messages of a key <= 1          nobody gets a message twice
//! answered created => it exists   nothing is made up, and it is that key's
//! created, noted => ever after    an answer is not taken back
//! every key is answered           created or unknown, whatever was killed
//! ```
//!
//! First a process is killed at every boundary point that a dry run counts, in turn: at each step
//! of the journal, and before and after the provider's call, or each call of the component to its
//! host. Then several processes that share the journal, and the keys, are killed at random moments;
//! with a database, that is too, its connections are cut, and its disk is filled.
//! SIGKILL ends a process, not the machine: what the disk itself may lose is not tested here.

mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use messaging_simulator::service::{self, Ledger, Service};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use serde::Serialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;
use tokio::task::JoinHandle;

#[cfg(unix)]
use crate::database::Faults;
use crate::kills::{Killed, Kills};
use crate::once::{Pipe, Worker};
use crate::process;
pub use worker::{Located, WorkerOptions, work};

/// Which program is killed, and where it keeps its journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JournalKind {
    /// The host's own, in SQLite, with the machine in the process.
    Sqlite,
    /// A folder, with everything in a component.
    Files,
    /// A program in any language, with the file of an SQLite database.
    Worker,
    /// The host's own, in PostgreSQL, with the machine in the process.
    #[cfg(unix)]
    Postgres,
}

/// Options of a campaign.
#[derive(Clone)]
pub struct Options {
    /// The program whose command `send-worker` is killed, and when.
    pub kills: Kills,
    /// The program that is killed instead, and its arguments; it has no boundary points.
    pub worker: Vec<OsString>,
    /// Where they keep their journal.
    pub journal: JournalKind,
    /// Processes that share the journal meanwhile.
    pub processes: usize,
}

/// Results of a campaign.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// Kills; the dry run is one send.
    #[serde(flatten)]
    pub killed: Killed,
    /// Faults of the database, at random moments as well.
    #[cfg(unix)]
    #[serde(flatten)]
    pub faults: Faults,
    /// Keys that were sent under.
    pub keys: usize,
    /// Answers to callers.
    pub answers: usize,
    /// Messages on the service's ledger.
    pub messages: usize,
    /// Keys that were answered `created`.
    pub created: usize,
    /// Keys that ended as unknown.
    pub unknown: usize,
    /// Those of them whose message exists.
    pub unknown_that_exist: usize,
    /// Keys with more than one message.
    pub twice: usize,
    /// Answers `created` without the message of that key.
    pub made_up: usize,
    /// Keys that were answered `created`, and later something else.
    pub taken_back: usize,
    /// Duration in seconds.
    pub seconds: f64,
}

impl Report {
    /// Whether every promise was kept.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.twice == 0 && self.made_up == 0 && self.taken_back == 0
    }
}

/// The account's key.
const KEY: &str = "crash-campaign-of-sends";
/// The longest time between two kills.
const LONGEST_PAUSE: Duration = Duration::from_millis(300);
/// Kills of processes for each fault of the database.
#[cfg(unix)]
const KILLS_TO_A_FAULT: u32 = 6;
/// Keys that a process is given at once.
const KEYS_AT_ONCE: usize = 64;
/// That for programs in other languages: they start for longer than they would send so few.
const KEYS_AT_ONCE_OF_WORKERS: usize = 512;
/// The most keys that a process is given where none is killed.
const KEYS_PER_PROCESS: usize = 1_000;
/// How long keys can wait for intents of processes that were killed.
const PATIENCE: Duration = Duration::from_secs(120);

/// Answer of a process about a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Created { id: String, recorded: bool },
    Unknown,
}

#[derive(Default)]
struct Answers {
    /// By key, in the order in which they came.
    all: BTreeMap<String, Vec<Answer>>,
    points: u64,
}

impl Answers {
    /// Takes a line, unless a kill has cut it short.
    fn take(&mut self, line: &str) {
        let words: Vec<_> = line.split(' ').collect();
        let (key, answer) = match words.as_slice() {
            ["created", key, id, recorded, "."] => {
                (key, Answer::Created { id: (*id).into(), recorded: *recorded == "true" })
            }
            ["unknown", key, "."] => (key, Answer::Unknown),
            ["points", count, "."] => {
                self.points = count.parse().unwrap_or_default();
                return;
            }
            _ => return,
        };
        self.all.entry((*key).to_string()).or_default().push(answer);
    }
}

type Shared = Arc<Mutex<Answers>>;

/// A process that sends.
struct Sender {
    child: Child,
    reader: JoinHandle<()>,
    /// Whether it has begun its work. A program in another language takes long to start, and would be
    /// killed before.
    is_up: Arc<AtomicBool>,
}

impl Sender {
    /// Starts it with these keys.
    async fn start(
        options: &Options,
        base_url: &str,
        keys: &[String],
        kill_at: Option<u64>,
        answers: &Shared,
    ) -> anyhow::Result<Self> {
        let answers = Arc::clone(answers);
        if options.journal == JournalKind::Worker {
            return Self::start_worker(options, base_url, keys, answers);
        }
        let mut command = process::command(&options.kills.program);
        command.args(["send-worker", "--base-url", base_url, "--api-key", KEY]);
        command.arg("--cache").arg(&options.kills.cache);
        match options.journal {
            JournalKind::Sqlite => {
                command.arg("--sqlite").arg(options.kills.folder.join("journal.sqlite"))
            }
            JournalKind::Files | JournalKind::Worker => {
                command.arg("--files").arg(options.kills.folder.join("journal"))
            }
            #[cfg(unix)]
            JournalKind::Postgres => {
                command.arg("--postgres").arg(options.kills.disk()?.url(&options.kills.folder)?)
            }
        };
        if let Some(kill_at) = kill_at {
            command.args(["--kill-at", &kill_at.to_string()]);
        }
        command.stdin(Stdio::piped());
        let mut child = command.spawn().context("the sending process does not start")?;
        let mut input = child.stdin.take().context("it has no input")?;
        let mut output = child.stdout.take().context("it has no output")?;
        let text = keys.join("\n") + "\n";
        // It may have been killed already.
        let _ = input.write_all(text.as_bytes()).await;
        drop(input);
        let reader = tokio::spawn(async move {
            let mut text = Vec::new();
            let _ = output.read_to_end(&mut text).await;
            let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            for line in String::from_utf8_lossy(&text).lines() {
                answers.take(line);
            }
        });
        Ok(Self { child, reader, is_up: Arc::new(true.into()) })
    }

    /// Starts a program in another language, and calls it as its callers would.
    fn start_worker(
        options: &Options,
        base_url: &str,
        keys: &[String],
        answers: Shared,
    ) -> anyhow::Result<Self> {
        let journal = options.kills.folder.join("journal.sqlite").into();
        let program = Worker { command: options.worker.clone(), journal };
        let deadline_ms = u32::try_from(worker::DEADLINE.as_millis())?;
        let mut command = program.command(base_url, KEY, deadline_ms)?;
        let mut child = command.spawn().context("the sending program does not start")?;
        let pipe = Pipe::of(&mut child)?;
        let keys = keys.to_vec();
        let is_up = Arc::new(AtomicBool::new(false));
        let up = Arc::clone(&is_up);
        let reader = tokio::spawn(async move {
            let answered = |line: &str| {
                up.store(true, Ordering::Relaxed);
                answers.lock().unwrap_or_else(PoisonError::into_inner).take(line);
            };
            tokio::select! {
                () = worker::send_all(&pipe, keys, answered) => {}
                () = pipe.ended() => {}
            }
        });
        Ok(Self { child, reader, is_up })
    }

    fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    /// Kills it, and takes what it has said.
    async fn kill(mut self) {
        let _ = self.child.kill().await;
        let _ = self.reader.await;
    }

    /// Waits for its end.
    async fn ended(mut self) -> anyhow::Result<()> {
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        ended.ok().context("the sending process does not end")??;
        let _ = self.reader.await;
        Ok(())
    }

    fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }
}

/// A journal and a service are begun anew after so many random kills, so that what is looked
/// through after them stays short.
const KILLS_PER_ROUND: u32 = 250;

/// Runs a campaign. `progress` is told the number of kills so far, and of all.
///
/// # Errors
/// A process does not start or end, or a key is never answered: what a campaign is there to find
/// as much as a second message.
pub async fn run(options: &Options, mut progress: impl FnMut(u64, u64)) -> anyhow::Result<Report> {
    let started = Instant::now();
    let mut random = StdRng::seed_from_u64(options.kills.seed);
    let mut report = Report::default();
    let mut left = options.kills.random;
    let mut round = Round::start(options, "points").await?;
    if options.journal != JournalKind::Worker {
        report.killed.boundary_points = round.count().await?;
    }
    let (points, all) = options.kills.points(report.killed.boundary_points);
    for point in points {
        round.at_point(point).await?;
        report.killed.boundary_kills = report.killed.boundary_kills.saturating_add(1);
        progress(report.killed.all(), all);
    }
    loop {
        let kills = left.min(KILLS_PER_ROUND);
        round.at_random(kills, &mut random, &mut report, |done| progress(done, all)).await?;
        round.finish(&mut report).await?;
        left = left.saturating_sub(kills);
        if left == 0 {
            break;
        }
        round = Round::start(options, &format!("round-{left}")).await?;
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// A service, a journal, and the keys that are sent under.
struct Round {
    options: Options,
    service: Service,
    answers: Shared,
    keys: BTreeSet<String>,
}

impl Round {
    async fn start(options: &Options, name: &str) -> anyhow::Result<Self> {
        let mut options = options.clone();
        options.kills.folder.push(name);
        std::fs::create_dir_all(options.kills.folder.join("journal"))?;
        let latency = Duration::from_millis(5);
        let service = service::Options { latency, ..service::Options::new(KEY) };
        let service = Service::start(service).await?;
        Ok(Self { options, service, answers: Shared::default(), keys: BTreeSet::new() })
    }

    /// Starts a process with these keys.
    async fn sender(&self, keys: &[String], kill_at: Option<u64>) -> anyhow::Result<Sender> {
        let url = self.service.base_url();
        Sender::start(&self.options, &url, keys, kill_at, &self.answers).await
    }

    /// Counts the boundary points of a send.
    async fn count(&mut self) -> anyhow::Result<u64> {
        let key = "count".to_string();
        self.sender(std::slice::from_ref(&key), Some(0)).await?.ended().await?;
        self.keys.insert(key);
        match self.answers.lock().unwrap_or_else(PoisonError::into_inner).points {
            0 => bail!("the sending process counted no boundary points"),
            points => Ok(points),
        }
    }

    /// Kills a process at a boundary point.
    async fn at_point(&mut self, point: u64) -> anyhow::Result<()> {
        let key = format!("point-{point}");
        self.sender(std::slice::from_ref(&key), Some(point)).await?.ended().await?;
        self.keys.insert(key);
        Ok(())
    }

    /// Kills processes that share the journal at random moments.
    async fn at_random(
        &mut self,
        kills: u32,
        random: &mut StdRng,
        report: &mut Report,
        mut killed: impl FnMut(u64),
    ) -> anyhow::Result<()> {
        let processes = self.options.processes.max(1);
        let mut senders: Vec<Option<Sender>> = (0..processes).map(|_| None).collect();
        let (mut left, mut next) = (kills, 0_usize);
        let mut last = Instant::now();
        let keys_at_once = match self.options.journal {
            JournalKind::Worker => KEYS_AT_ONCE_OF_WORKERS,
            _ => KEYS_AT_ONCE,
        };
        // Keys that the processes work on now: all on the same, so that they meet.
        let mut window: Vec<String> = Vec::new();
        while left > 0 {
            if senders.iter_mut().any(|one| one.as_mut().is_none_or(Sender::has_ended)) {
                let open: BTreeSet<_> = self.unanswered().into_iter().collect();
                // Intents of killed processes wait for their time; they are asked for at the end too.
                window.retain(|key| open.contains(key) || random.random_ratio(1, 8));
                if window.iter().filter(|key| open.contains(*key)).count() > keys_at_once / 2 {
                    window.clear();
                }
                while window.len() < keys_at_once {
                    next = next.saturating_add(1);
                    let key = format!("key-{next}");
                    self.keys.insert(key.clone());
                    window.push(key);
                }
            }
            for sender in &mut senders {
                if sender.as_mut().is_none_or(Sender::has_ended) {
                    let mut own = window.clone();
                    own.shuffle(random);
                    *sender = Some(self.sender(&own, None).await?);
                }
            }
            tokio::time::sleep(LONGEST_PAUSE.mul_f64(random.random())).await;
            let chosen = random.random_range(0..senders.len());
            let chosen = senders.get_mut(chosen);
            if let Some(sender) = chosen.and_then(|sender| sender.take_if(|one| one.is_up())) {
                sender.kill().await;
                left = left.saturating_sub(1);
                last = Instant::now();
                report.killed.random_kills = report.killed.random_kills.saturating_add(1);
                killed(report.killed.all());
                #[cfg(unix)]
                if let Some(disk) = &self.options.kills.server
                    && random.random_ratio(1, KILLS_TO_A_FAULT)
                {
                    report.faults.make(disk, random).await?;
                }
            }
            if last.elapsed() > PATIENCE {
                bail!("no process answers");
            }
        }
        for sender in senders.into_iter().flatten() {
            sender.kill().await;
        }
        Ok(())
    }

    /// Kills nothing any more: every key is answered, and once more, as it will be ever after.
    async fn finish(self, report: &mut Report) -> anyhow::Result<()> {
        let begun = Instant::now();
        loop {
            let open = self.unanswered();
            if open.is_empty() {
                break;
            }
            if begun.elapsed() > PATIENCE {
                bail!("{} keys are never answered, the first one {:?}", open.len(), open.first());
            }
            self.ask(&open).await?;
        }
        let take = |answers: &Shared| {
            std::mem::take(&mut answers.lock().unwrap_or_else(PoisonError::into_inner).all)
        };
        let before = take(&self.answers);
        let keys: Vec<_> = self.keys.iter().cloned().collect();
        self.ask(&keys).await?;
        report.judge(&before, &take(&self.answers), &self.service.ledger());
        #[cfg(unix)]
        if let Some(disk) = &self.options.kills.server {
            disk.remove(&self.options.kills.folder)?;
        }
        std::fs::remove_dir_all(&self.options.kills.folder)?;
        Ok(())
    }

    /// Asks for each of these keys, some in each process, so that one that hangs is noticed.
    async fn ask(&self, keys: &[String]) -> anyhow::Result<()> {
        for some in keys.chunks(KEYS_PER_PROCESS) {
            self.sender(some, None).await?.ended().await?;
        }
        Ok(())
    }

    fn unanswered(&self) -> Vec<String> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        self.keys.iter().filter(|key| !answers.all.contains_key(*key)).cloned().collect()
    }
}

type ByKey = BTreeMap<String, Vec<Answer>>;

impl Report {
    /// Compares what callers were answered with the service's ledger. The text of each message
    /// is its key.
    fn judge(&mut self, answers: &ByKey, last: &ByKey, ledger: &Ledger) {
        let mut messages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for message in &ledger.messages {
            messages.entry(&message.message.message).or_default().push(&message.id);
        }
        let of = |key: &str| messages.get(key).map_or(&[][..], Vec::as_slice);
        self.messages = self.messages.saturating_add(ledger.messages.len());
        let twice = messages.values().filter(|ids| ids.len() > 1).count();
        self.twice = self.twice.saturating_add(twice);
        self.keys = self.keys.saturating_add(last.len());
        for (key, said) in answers {
            self.answers = self.answers.saturating_add(said.len());
            let ids: BTreeSet<_> = said
                .iter()
                .filter_map(|answer| match answer {
                    Answer::Created { id, .. } => Some(id.as_str()),
                    Answer::Unknown => None,
                })
                .collect();
            self.made_up =
                self.made_up.saturating_add(ids.iter().filter(|id| !of(key).contains(id)).count());
            self.created = self.created.saturating_add(usize::from(!ids.is_empty()));
            let noted =
                said.iter().find(|answer| matches!(answer, Answer::Created { recorded: true, .. }));
            let now = last.get(key).and_then(|said| said.last());
            let held = match (noted, now) {
                (Some(Answer::Created { id, .. }), Some(Answer::Created { id: now, .. })) => {
                    id == now && ids.len() == 1
                }
                (Some(_), _) => false,
                (None, now) => now.is_some(),
            };
            self.taken_back = self.taken_back.saturating_add(usize::from(!held));
        }
        for (key, said) in last {
            if said.last() == Some(&Answer::Unknown) {
                self.unknown = self.unknown.saturating_add(1);
                let exists = usize::from(!of(key).is_empty());
                self.unknown_that_exist = self.unknown_that_exist.saturating_add(exists);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use messaging_simulator::service::Message;
    use messaging_simulator::service::ledger::Accepted;

    fn judged(said: &[&str], last: &[&str], ledger: &[(&str, &str)]) -> Report {
        let read = |lines: &[&str]| {
            let mut answers = Answers::default();
            lines.iter().for_each(|line| answers.take(line));
            answers.all
        };
        let accepted = |(key, id): &(&str, &str)| Accepted {
            id: (*id).into(),
            message: Message { phone: "+1".into(), message: (*key).into(), device: None },
        };
        let messages = ledger.iter().map(accepted).collect();
        let mut report = Report::default();
        report.judge(&read(said), &read(last), &Ledger { messages, ..Ledger::default() });
        report
    }

    #[test]
    fn one_message_that_is_answered_as_it_is_ever_after_is_right() {
        let said = ["created k m1 true ."];
        let report = judged(&said, &said, &[("k", "m1")]);
        assert!(report.is_clean(), "{report:?}");
        assert_eq!((report.created, report.unknown), (1, 0));
        let report = judged(&["unknown k ."], &["unknown k ."], &[("k", "m1")]);
        assert!(report.is_clean(), "{report:?}");
        assert_eq!((report.unknown, report.unknown_that_exist), (1, 1));
    }

    #[test]
    fn a_second_message_is_found() {
        let said = ["created k m1 true ."];
        assert_eq!(judged(&said, &said, &[("k", "m1"), ("k", "m2")]).twice, 1);
    }

    #[test]
    fn an_answer_without_its_message_is_found() {
        let said = ["created k m1 true ."];
        assert_eq!(judged(&said, &said, &[]).made_up, 1);
        assert_eq!(judged(&said, &said, &[("other", "m1")]).made_up, 1);
    }

    #[test]
    fn an_answer_that_is_taken_back_is_found() {
        let said = ["created k m1 true ."];
        let ledger = [("k", "m1")];
        assert_eq!(judged(&said, &["unknown k ."], &ledger).taken_back, 1);
        assert_eq!(judged(&said, &["created k m2 true ."], &ledger).taken_back, 1);
        assert_eq!(judged(&said, &[], &ledger).taken_back, 1);
        // Not noted, and said so.
        let said = ["created k m1 false ."];
        assert_eq!(judged(&said, &["unknown k ."], &ledger).taken_back, 0);
    }

    #[test]
    fn a_line_that_a_kill_has_cut_short_is_no_answer() {
        let mut answers = Answers::default();
        for line in ["created k m1 true", "created k m1 tr", "unknown k", "unknown", ""] {
            answers.take(line);
        }
        assert!(answers.all.is_empty());
    }
}
