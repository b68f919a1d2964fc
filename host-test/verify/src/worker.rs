//! A worker: a program in any language that implements `send-once` over standard input and output.
//! `conform` tests a worker, and `ordinary` kills it.
//!
//! The program reads one JSON request per line and writes one JSON response per line, in any order.
//! The program ends at the end of its input. Requests, responses and possible results:
//!
//! ```text
//! {"id":1,"function":"send-once","key":"k","request":{"phone":"…","message":"…","device":null,"fields":[{"name":"…","json":"…"}]}}
//! {"id":1,"ok":{"id":"msg-1","json":"…","replayed":false,"recorded":true}}
//! {"id":2,"function":"look-up","key":"k"}                       null, or an entry
//! {"id":3,"function":"list-entries","after":null}               {"entries":[…],"unreadable":[…],"next":null}
//! {"id":4,"function":"resolve","key":"k","resolution":{"attempt":1,"found":{"created":"msg-1"},"by":"…","reason":"…"}}
//! {"id":5,"function":"forget","key":"k"}                        null
//! {"id":5,"error":{"case":"permanent-outcome-unknown","payload":{…}}}
//! ```
//!
//! Members have the names of the WIT. `found` is `{"created": ID}` or `"not-created"`. An entry has
//! each resolution as `{attempt, found, by, reason, at}`. If a call ends without a result or an
//! error, the response is `{"id", "trap": TEXT}`.
//!
//! The environment has `MESSAGING_BASE_URL`, `MESSAGING_API_KEY`, `MESSAGING_DEADLINE_MS`, and
//! `MESSAGING_ONCE_JOURNAL`: a new file, or the value of `--journal`.

mod answer;

use std::collections::HashMap;
use std::ffi::OsString;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use messaging_conformance::once::{DEADLINE_MS, KEY, Subject};
use messaging_host::CallError;
use messaging_host::once::{Called, SendOnce, wit};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{Notify, oneshot};

use self::answer::Answer;
use crate::process;

/// Environment variable for the journal: an SQLite file, or another location that the worker knows.
/// The program `messaging` reads the variable too.
const JOURNAL: &str = "MESSAGING_ONCE_JOURNAL";
/// Timeout for a response, including the start of the program.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A worker program that can be started.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// Location of the journal, passed to the program unchanged.
    pub journal: OsString,
}

impl Worker {
    /// Returns the command that starts the program, with its environment, input and output.
    ///
    /// # Errors
    /// Returns an error if `command` is empty.
    pub fn command(&self, base_url: &str, key: &str, deadline_ms: u32) -> anyhow::Result<Command> {
        let (program, arguments) = self.command.split_first().context("no program is named")?;
        let mut command = process::command(program.as_ref());
        command
            .args(arguments)
            .env("MESSAGING_BASE_URL", base_url)
            .env("MESSAGING_API_KEY", key)
            .env("MESSAGING_DEADLINE_MS", deadline_ms.to_string())
            .env(JOURNAL, &self.journal)
            .stdin(Stdio::piped());
        Ok(command)
    }
}

impl Subject for Worker {
    type Once = Pipe;

    fn with_base_url(&self, base_url: &str) -> anyhow::Result<Pipe> {
        let mut command = self.command(base_url, KEY, DEADLINE_MS)?;
        let mut child = command.spawn().with_context(|| {
            format!("{} does not start", command.as_std().get_program().display())
        })?;
        let pipe = Pipe::of(&mut child)?;
        Ok(Pipe { child: Some(child), ..pipe })
    }
}

/// Standard input and output of a running worker.
pub struct Pipe {
    input: tokio::sync::Mutex<ChildStdin>,
    waiting: Arc<Waiting>,
    /// The process to kill on drop; `None` if the caller owns it.
    #[expect(dead_code, reason = "its drop kills the process")]
    child: Option<Child>,
}

#[derive(Default)]
struct Waiting {
    calls: Mutex<Calls>,
    ended: Notify,
}

#[derive(Default)]
struct Calls {
    last: u64,
    /// Pending calls by ID; `None` after the output has ended.
    open: Option<HashMap<u64, oneshot::Sender<Answer>>>,
}

impl Pipe {
    /// Takes the standard input and output of a process.
    ///
    /// # Errors
    /// Returns an error if the input or the output is not piped.
    pub fn of(child: &mut Child) -> anyhow::Result<Self> {
        let input = child.stdin.take().context("the worker has no input")?;
        let output = child.stdout.take().context("the worker has no output")?;
        let calls = Calls { last: 0, open: Some(HashMap::new()) };
        let waiting = Arc::new(Waiting { calls: Mutex::new(calls), ended: Notify::new() });
        tokio::spawn(read(output, Arc::clone(&waiting)));
        Ok(Self { input: tokio::sync::Mutex::new(input), waiting, child: None })
    }

    /// Waits until the worker's output ends.
    pub async fn ended(&self) {
        let ended = self.waiting.ended.notified();
        if self.waiting.calls().open.is_some() {
            ended.await;
        }
    }

    async fn call<T: answer::Read>(&self, mut request: Value) -> Called<T> {
        let lost = |detail: &str| CallError::Trap(format!("the worker {detail}"));
        let (sender, answer) = oneshot::channel();
        let id = self.waiting.begin(sender).ok_or_else(|| lost("has ended"))?;
        if let Value::Object(members) = &mut request {
            members.insert("id".into(), id.into());
        }
        let line = format!("{request}\n");
        let asked = async {
            // Ignores a write error, because the end of the output fails this call.
            let _ = self.input.lock().await.write_all(line.as_bytes()).await;
            answer.await.map_err(|_| lost("ended without an answer"))
        };
        let answer = tokio::time::timeout(TIMEOUT, asked).await;
        let answer = answer.map_err(|_| lost("does not answer"))??;
        answer.read().map_err(|error| lost(&format!("failed: {error:#}")))
    }
}

impl Waiting {
    fn calls(&self) -> std::sync::MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, sender: oneshot::Sender<Answer>) -> Option<u64> {
        let mut calls = self.calls();
        let id = calls.last.saturating_add(1);
        calls.open.as_mut()?.insert(id, sender);
        calls.last = id;
        Some(id)
    }
}

/// Passes each line of output to its waiting call, until the output ends.
async fn read(output: ChildStdout, waiting: Arc<Waiting>) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        match Answer::parse(&line) {
            Ok((id, answer)) => {
                let sender = waiting.calls().open.as_mut().and_then(|open| open.remove(&id));
                if let Some(sender) = sender {
                    let _ = sender.send(answer);
                }
            }
            // A kill can cut off a line. The call that waits for this line fails when the output
            // ends.
            Err(error) => tracing::error!(line, %error, "invalid line of a worker"),
        }
    }
    waiting.calls().open = None;
    waiting.ended.notify_waiters();
}

impl SendOnce for Pipe {
    async fn send_once(
        &self,
        key: &str,
        request: &wit::MessageRequest,
    ) -> Called<wit::OnceCreated> {
        let field = |field: &wit::Field| json!({ "name": field.name, "json": field.json });
        let request = json!({
            "phone": request.phone,
            "message": request.message,
            "device": request.device,
            "fields": request.fields.iter().map(field).collect::<Vec<_>>(),
        });
        self.call(json!({ "function": "send-once", "key": key, "request": request })).await
    }

    async fn look_up(&self, key: &str) -> Called<Option<wit::JournalEntry>> {
        self.call(json!({ "function": "look-up", "key": key })).await
    }

    async fn list_entries(&self, after: Option<String>) -> Called<wit::EntryPage> {
        self.call(json!({ "function": "list-entries", "after": after })).await
    }

    async fn resolve(&self, key: &str, resolution: &wit::Resolution) -> Called<()> {
        let wit::Resolution { attempt, found, by, reason } = resolution;
        let found = match found {
            wit::Resolved::Created(id) => json!({ "created": id }),
            wit::Resolved::NotCreated => json!("not-created"),
        };
        let resolution = json!({ "attempt": attempt, "found": found, "by": by, "reason": reason });
        self.call(json!({ "function": "resolve", "key": key, "resolution": resolution })).await
    }

    async fn forget(&self, key: &str) -> Called<()> {
        self.call(json!({ "function": "forget", "key": key })).await
    }
}
