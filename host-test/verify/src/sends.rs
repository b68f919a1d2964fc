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
//! host. The same is done to the service, whose ledger is a file, and to a server that keeps the
//! journal. Then several processes that share the journal, and the keys, are killed at random moments,
//! one, some or all of them at once; so are the service, the journal's server, and a database, whose
//! connections are cut and whose disk is filled.
//! SIGKILL ends a process, not the machine: what the disk itself may lose is not tested here.

mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use messaging_simulator::service::ledger::{Accepted, read_messages};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use serde::Serialize;
use tokio::io::AsyncWriteExt;

#[cfg(unix)]
use crate::database::Faults;
use crate::kills::{Killed, Kills};
use crate::once::{OverHttp, Pipe, Server, Worker};
use crate::process::{self, PATIENCE, Restarted, Talking, awaited};
pub use worker::{Located, WorkerOptions, work};

/// Which program is killed, and where it keeps its journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JournalKind {
    /// The host's own, in SQLite, with the machine in the process.
    Sqlite,
    /// A folder, with everything in a component.
    Files,
    /// A server, which is killed as well, with everything else in a component.
    Http,
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
    /// Kills of the service.
    pub service: Killed,
    /// Kills of the server that keeps the journal, where there is one.
    pub server: Killed,
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
    /// The first of those three, each with the round in which it was found.
    pub examples: Vec<String>,
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
/// The longest time for which processes that are at work are left alone.
const LONGEST_LIFE: Duration = Duration::from_millis(100);
/// Of so many salvos one kills processes that may not be at work yet.
const SALVOS_TO_AN_EARLY_ONE: u32 = 8;
/// Of so many salvos one meets a fault of the database.
#[cfg(unix)]
const SALVOS_TO_A_FAULT: u32 = 4;
/// Of so many salvos one is followed by the end of the service, and one by that of the journal's
/// server.
const SALVOS_TO_A_PEER: u32 = 4;
/// Delay of each answer of the service.
const LATENCY_MS: u32 = 5;
/// Keys that a process is given at once.
const KEYS_AT_ONCE: usize = 64;
/// That for programs in other languages: they start for longer than they would send so few.
const KEYS_AT_ONCE_OF_WORKERS: usize = 512;
/// The most keys that a process is given where none is killed.
const KEYS_PER_PROCESS: usize = 1_000;
/// Processes at once where none is killed, and that are killed at points, each with a key of its own.
const AT_ONCE: usize = 2;
/// Number of examples that are kept.
const EXAMPLES: usize = 20;

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

fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process that sends, with these keys.
async fn start(
    options: &Options,
    base_url: &str,
    keys: &[String],
    kill_at: Option<u64>,
    server: Option<&OverHttp>,
    answers: &Shared,
) -> anyhow::Result<Talking> {
    let answers = Arc::clone(answers);
    if options.journal == JournalKind::Worker {
        return start_worker(options, base_url, keys, answers);
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
        JournalKind::Http => {
            command.arg("--http").arg(&server.context("the journal has no server")?.url)
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
    let text = keys.join("\n") + "\n";
    let sender = Talking::of_lines(child, move |line| lock(&answers).take(line))?;
    // It may have been killed already.
    let _ = input.write_all(text.as_bytes()).await;
    Ok(sender)
}

/// Starts a program in another language, and calls it as its callers would.
fn start_worker(
    options: &Options,
    base_url: &str,
    keys: &[String],
    answers: Shared,
) -> anyhow::Result<Talking> {
    let journal = options.kills.folder.join("journal.sqlite").into();
    let program = Worker { command: options.worker.clone(), journal };
    let deadline_ms = u32::try_from(worker::DEADLINE.as_millis())?;
    let mut command = program.command(base_url, KEY, deadline_ms)?;
    let mut child = command.spawn().context("the sending program does not start")?;
    let pipe = Pipe::of(&mut child)?;
    let keys = keys.to_vec();
    Ok(Talking::new(child, |at_work| async move {
        let answered = |line: &str| {
            at_work.send_replace(true);
            lock(&answers).take(line);
        };
        tokio::select! {
            () = worker::send_all(&pipe, keys, answered) => {}
            () = pipe.ended() => {}
        }
    }))
}

/// A journal and a service are begun anew after so many random kills: what is looked through after
/// them stays short, and their end, which waits for the last intents, comes seldom.
const KILLS_PER_ROUND: u32 = 1_000;

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
    round.keys.extend(points.iter().map(|point| point_key(*point)));
    let mut tried =
        stream::iter(points).map(|point| round.at_point(point)).buffer_unordered(AT_ONCE);
    while let Some(killed) = tried.try_next().await? {
        report.killed.boundary_kills = report.killed.boundary_kills.saturating_add(killed.into());
        progress(report.killed.all(), all);
    }
    drop(tried);
    report.service = round.peer_at_points(Peer::Service).await?;
    if round.server.is_some() {
        report.server = round.peer_at_points(Peer::JournalServer).await?;
    }
    for number in 1.. {
        let kills = left.min(KILLS_PER_ROUND);
        let done = round.run(kills, &mut random, &mut report, |done| progress(done, all));
        done.await?;
        left = left.saturating_sub(kills);
        if left == 0 {
            break;
        }
        round = Round::start(options, &format!("round {number}")).await?;
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// The key of a process that is killed at a point.
fn point_key(point: u64) -> String {
    format!("point-{point}")
}

/// A process that senders talk to.
#[derive(Clone, Copy, Debug)]
enum Peer {
    Service,
    JournalServer,
}

/// A service, a journal, and the keys that are sent under.
struct Round {
    name: String,
    options: Options,
    service: Restarted,
    /// The service's.
    ledger: PathBuf,
    /// Keeps the journal, where that is a process of its own.
    server: Option<Server>,
    answers: Shared,
    keys: BTreeSet<String>,
}

impl Round {
    async fn start(options: &Options, name: &str) -> anyhow::Result<Self> {
        let mut options = options.clone();
        options.kills.folder.push(name.replace(' ', "-"));
        std::fs::create_dir_all(options.kills.folder.join("journal"))?;
        let ledger = options.kills.folder.join("ledger.jsonl");
        let (program, file) = (options.kills.program.clone(), ledger.clone());
        let service = move |address: &str| {
            let mut command = process::command(&program);
            command.args(["service-worker", "--listen", address, "--key", KEY]);
            command.args(["--latency-ms", &LATENCY_MS.to_string(), "--ledger"]).arg(&file);
            command
        };
        let service = Restarted::start("url", service).await?;
        let server = match options.journal {
            JournalKind::Http => {
                let Kills { program, folder, cache, .. } = &options.kills;
                Some(Server::start(program, folder, Some(cache.as_path())).await?)
            }
            _ => None,
        };
        let (name, answers, keys) = (name.to_string(), Shared::default(), BTreeSet::new());
        Ok(Self { name, options, service, ledger, server, answers, keys })
    }

    /// Kills processes, and then none any more.
    async fn run(
        mut self,
        kills: u32,
        random: &mut StdRng,
        report: &mut Report,
        killed: impl FnMut(u64),
    ) -> anyhow::Result<()> {
        let name = self.name.clone();
        self.at_random(kills, random, report, killed).await.with_context(|| name.clone())?;
        self.finish(report).await.context(name)
    }

    /// Starts a process with these keys.
    async fn sender(&self, keys: &[String], kill_at: Option<u64>) -> anyhow::Result<Talking> {
        let url = self.service.url();
        let server = self.server.as_ref().map(Server::journal);
        start(&self.options, url, keys, kill_at, server, &self.answers).await
    }

    /// Sends under a key.
    async fn send(&mut self, key: String, kill_at: Option<u64>) -> anyhow::Result<()> {
        self.until_ended(std::slice::from_ref(&key), kill_at).await?;
        self.keys.insert(key);
        Ok(())
    }

    /// Counts the boundary points of a send.
    async fn count(&mut self) -> anyhow::Result<u64> {
        self.send("count".into(), Some(0)).await?;
        match lock(&self.answers).points {
            0 => bail!("the sending process counted no boundary points"),
            points => Ok(points),
        }
    }

    /// Has a process kill itself at a boundary point. False: it did not come to that point.
    async fn at_point(&self, point: u64) -> anyhow::Result<bool> {
        let status = self.until_ended(&[point_key(point)], Some(point)).await?;
        Ok(process::was_killed(status))
    }

    fn peer(&mut self, peer: Peer) -> anyhow::Result<&mut Restarted> {
        match peer {
            Peer::Service => Ok(&mut self.service),
            Peer::JournalServer => {
                Ok(self.server.as_mut().context("the journal has no server")?.process())
            }
        }
    }

    /// Has a peer kill itself at each boundary point that it passes in a send.
    async fn peer_at_points(&mut self, peer: Peer) -> anyhow::Result<Killed> {
        self.peer(peer)?.kill_at(0).await?;
        self.send(format!("{peer:?}-count"), None).await?;
        let boundary_points = self.peer(peer)?.counted().await?;
        let mut killed = Killed { boundary_points, ..Killed::default() };
        for point in self.options.kills.points(boundary_points).0 {
            let key = format!("{peer:?}-{point}");
            let listens = self.peer(peer)?.kill_at(point).await?;
            let mut sender = self.sender(std::slice::from_ref(&key), None).await?;
            let process = self.peer(peer)?;
            let was_killed = !listens
                || tokio::select! {
                    was_killed = process.ended() => was_killed?,
                    _ = sender.ended() => false,
                };
            process.restart().await?;
            self.keys.insert(key);
            let not_ended = || "the sender of a peer that was killed does not end".to_string();
            awaited(not_ended, sender.ended()).await??;
            killed.boundary_kills = killed.boundary_kills.saturating_add(was_killed.into());
        }
        Ok(killed)
    }

    /// Starts a process with these keys, and waits until it has ended.
    async fn until_ended(
        &self,
        keys: &[String],
        kill_at: Option<u64>,
    ) -> anyhow::Result<ExitStatus> {
        let mut sender = self.sender(keys, kill_at).await?;
        let not_ended = || {
            let answers = lock(&self.answers);
            let open = keys.iter().filter(|key| !answers.all.contains_key(*key));
            let open: Vec<_> = open.map(String::as_str).collect();
            format!(
                "a sending process with {} keys, of which {} were never answered (the first: {:?}), does not end",
                keys.len(),
                open.len(),
                open.first()
            )
        };
        Ok(awaited(not_ended, sender.ended()).await??)
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
        let mut senders: Vec<Talking> = Vec::new();
        let (mut left, mut next) = (u64::from(kills), 0_usize);
        let mut last = Instant::now();
        let keys_at_once = match self.options.journal {
            JournalKind::Worker => KEYS_AT_ONCE_OF_WORKERS,
            _ => KEYS_AT_ONCE,
        };
        // Keys that the processes work on now: all on the same, so that they meet.
        let mut window: Vec<String> = Vec::new();
        while left > 0 {
            let mut living = Vec::new();
            for mut sender in senders.drain(..) {
                if sender.has_ended() {
                    // All that it has said is taken by then.
                    sender.ended().await?;
                } else {
                    living.push(sender);
                }
            }
            senders = living;
            if senders.len() < processes {
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
            while senders.len() < processes {
                let mut own = window.clone();
                own.shuffle(random);
                senders.push(self.sender(&own, None).await?);
            }
            let chosen = process::salvo(random, processes, left);
            if !random.random_ratio(1, SALVOS_TO_AN_EARLY_ONE) {
                for which in &chosen {
                    let Some(sender) = senders.get_mut(*which) else { continue };
                    awaited(|| "a sending process does not begin".into(), sender.up()).await?;
                }
            }
            tokio::time::sleep(LONGEST_LIFE.mul_f64(random.random())).await;
            let all = senders.iter_mut().enumerate();
            let aimed = all.filter_map(|(which, sender)| {
                match chosen.contains(&which) && !sender.has_ended() {
                    true => Some(sender.child()),
                    false => None,
                }
            });
            let ended = process::kill_all(aimed.collect()).await;
            if ended > 0 {
                left = left.saturating_sub(ended);
                last = Instant::now();
                report.killed.random_kills = report.killed.random_kills.saturating_add(ended);
                killed(report.killed.all());
            }
            if random.random_ratio(1, SALVOS_TO_A_PEER) {
                self.service.restart().await?;
                report.service.random_kills = report.service.random_kills.saturating_add(1);
            }
            if let Some(server) = &mut self.server
                && random.random_ratio(1, SALVOS_TO_A_PEER)
            {
                server.process().restart().await?;
                report.server.random_kills = report.server.random_kills.saturating_add(1);
            }
            #[cfg(unix)]
            if let Some(disk) = &self.options.kills.server
                && random.random_ratio(1, SALVOS_TO_A_FAULT)
            {
                report.faults.make(disk, random).await?;
            }
            ensure!(
                last.elapsed() < PATIENCE,
                "no process lived until it was killed within {} s",
                PATIENCE.as_secs()
            );
        }
        process::kill_all(senders.iter_mut().map(Talking::child).collect()).await;
        for sender in &mut senders {
            sender.ended().await?;
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
            ensure!(
                begun.elapsed() < PATIENCE,
                "{} keys are not answered within {} s of the last kill, the first one {:?}",
                open.len(),
                PATIENCE.as_secs(),
                open.first()
            );
            self.ask(&open).await?;
        }
        let take = |answers: &Shared| std::mem::take(&mut lock(answers).all);
        let before = take(&self.answers);
        let keys: Vec<_> = self.keys.iter().cloned().collect();
        self.ask(&keys).await?;
        report.judge(&self.name, &before, &take(&self.answers), &read_messages(&self.ledger)?);
        #[cfg(unix)]
        if let Some(disk) = &self.options.kills.server {
            disk.remove(&self.options.kills.folder)?;
        }
        std::fs::remove_dir_all(&self.options.kills.folder)?;
        Ok(())
    }

    /// Asks for each of these keys, some in each process, so that one that hangs is noticed.
    async fn ask(&self, keys: &[String]) -> anyhow::Result<()> {
        let asked = stream::iter(keys.chunks(KEYS_PER_PROCESS));
        let asked = asked.map(|some| self.until_ended(some, None)).buffer_unordered(AT_ONCE);
        asked.try_for_each(|_| async { Ok(()) }).await
    }

    fn unanswered(&self) -> Vec<String> {
        let answers = lock(&self.answers);
        self.keys.iter().filter(|key| !answers.all.contains_key(*key)).cloned().collect()
    }
}

type ByKey = BTreeMap<String, Vec<Answer>>;

impl Report {
    /// Compares what callers were answered with the service's ledger. The text of each message
    /// is its key.
    fn judge(&mut self, round: &str, answers: &ByKey, last: &ByKey, ledger: &[Accepted]) {
        let mut messages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for message in ledger {
            messages.entry(&message.message.message).or_default().push(&message.id);
        }
        let of = |key: &str| messages.get(key).map_or(&[][..], Vec::as_slice);
        self.messages = self.messages.saturating_add(ledger.len());
        for (key, ids) in messages.iter().filter(|(_, ids)| ids.len() > 1) {
            self.twice = self.twice.saturating_add(1);
            self.example(format!("{round}: {key} has {} messages", ids.len()));
        }
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
            for id in ids.iter().filter(|id| !of(key).contains(id)) {
                self.made_up = self.made_up.saturating_add(1);
                self.example(format!("{round}: {key} was answered {id}, which is not its message"));
            }
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
            if !held {
                self.taken_back = self.taken_back.saturating_add(1);
                self.example(format!("{round}: {key} was answered {said:?}, and last {now:?}"));
            }
        }
        for (key, said) in last {
            if said.last() == Some(&Answer::Unknown) {
                self.unknown = self.unknown.saturating_add(1);
                let exists = usize::from(!of(key).is_empty());
                self.unknown_that_exist = self.unknown_that_exist.saturating_add(exists);
            }
        }
    }

    fn example(&mut self, example: String) {
        if self.examples.len() < EXAMPLES {
            self.examples.push(example);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use messaging_simulator::service::Message;

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
        let ledger: Vec<_> = ledger.iter().map(accepted).collect();
        let mut report = Report::default();
        report.judge("round 1", &read(said), &read(last), &ledger);
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
        let report = judged(&said, &said, &[("k", "m1"), ("k", "m2")]);
        assert_eq!(report.twice, 1);
        assert_eq!(report.examples, ["round 1: k has 2 messages"]);
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
