//! A sender in another language that speaks the protocol of `conform --worker`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use futures_util::future::join_all;
use messaging_host::once::SendOnce;
use messaging_host::once::wit::{MessageRequest, OnceError};
use rand::Rng;
use tokio::process::Child;
use tokio::sync::Notify;

use super::super::record::{JOURNAL_KILLS, Record};
use super::keys::{Answer, Keys};
use super::{API_KEY, PHONE};
use crate::process;
use crate::worker::{Pipe, Worker};

/// Number of concurrent calls of a program.
const AT_ONCE: usize = 8;
/// Maximum time between the first answer of a program and its kill, in milliseconds.
const LONGEST_LIFE_MS: u64 = 1_500;
/// Delay between two calls of a task.
const PAUSE: Duration = Duration::from_millis(20);

/// A program and its journal.
#[derive(Clone)]
pub struct Program {
    pub command: Vec<OsString>,
    pub journal: OsString,
    pub base_url: String,
    pub deadline_ms: u32,
    pub keys: Arc<Keys>,
    pub record: Arc<Record>,
}

/// Keys of the current calls, with the number of calls of each.
#[derive(Default)]
struct UnderWay {
    keys: Mutex<BTreeMap<String, usize>>,
    has_answered: Notify,
}

impl UnderWay {
    fn add(&self, key: &str) {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = keys.entry(key.to_string()).or_default();
        *calls = calls.saturating_add(1);
    }

    fn remove(&self, key: &str) {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(calls) = keys.get_mut(key) {
            *calls = calls.saturating_sub(1);
        }
        keys.retain(|_, calls| *calls > 0);
        self.has_answered.notify_one();
    }

    fn into_keys(self) -> impl Iterator<Item = String> {
        self.keys.into_inner().unwrap_or_else(PoisonError::into_inner).into_keys()
    }
}

impl Program {
    /// Starts the program, calls it, and kills it, again and again.
    pub async fn run(self, ends: Arc<AtomicBool>) -> anyhow::Result<()> {
        while !ends.load(Ordering::SeqCst) {
            let (mut child, pipe) = self.start()?;
            let under_way = UnderWay::default();
            let life = async {
                under_way.has_answered.notified().await;
                let life = rand::rng().random_range(0..LONGEST_LIFE_MS);
                tokio::time::sleep(Duration::from_millis(life)).await;
            };
            let calls = (0..AT_ONCE).map(async |_| {
                loop {
                    let key = self.keys.take();
                    self.send(&pipe, &key, &under_way).await;
                    tokio::time::sleep(PAUSE).await;
                }
            });
            let has_ended = tokio::select! {
                _ = join_all(calls) => true,
                () = pipe.ended() => true,
                () = life => false,
            };
            let killed = process::kill_all(vec![&mut child]).await;
            for key in under_way.into_keys() {
                self.keys.disturb(&key);
            }
            if has_ended || killed == 0 {
                self.record.violation(format!("{:?} ended", self.command));
                tokio::time::sleep(Duration::from_secs(1)).await;
            } else {
                self.record.count(JOURNAL_KILLS);
                self.record.count("programs of --sender killed");
            }
        }
        Ok(())
    }

    /// Sends each key once. Kills the program only at the end.
    pub async fn send_again(&self, keys: &[String]) -> anyhow::Result<()> {
        let (mut child, pipe) = self.start()?;
        for some in keys.chunks(AT_ONCE) {
            let under_way = UnderWay::default();
            join_all(some.iter().map(|key| self.send(&pipe, key, &under_way))).await;
        }
        process::kill_all(vec![&mut child]).await;
        Ok(())
    }

    fn start(&self) -> anyhow::Result<(Child, Pipe)> {
        let worker = Worker { command: self.command.clone(), journal: self.journal.clone() };
        let mut command = worker.command(&self.base_url, API_KEY, self.deadline_ms)?;
        let mut child = command.spawn().context("the program of --sender does not start")?;
        let pipe = Pipe::of(&mut child)?;
        Ok((child, pipe))
    }

    async fn send(&self, pipe: &Pipe, key: &str, under_way: &UnderWay) {
        let begun = Instant::now();
        under_way.add(key);
        let answer = pipe.send_once(key, &MessageRequest::new(PHONE, key)).await;
        let answer = match answer {
            // The program has ended, or it has violated the protocol. The key stays in `under_way`.
            Err(error) => {
                tracing::error!(%error, key, command = ?self.command, "a sender did not answer");
                return;
            }
            Ok(Ok(created)) => Some(Answer::Created(created.id, created.recorded)),
            Ok(Err(OnceError::PermanentOutcomeUnknown(_))) => Some(Answer::Unknown),
            Ok(Err(_)) => None,
        };
        self.record.count("sends");
        match answer {
            Some(answer) => self.keys.answered(key, begun, answer, &self.record),
            None => self.record.count("sends to repeat"),
        }
        under_way.remove(key);
    }
}
