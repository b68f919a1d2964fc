//! `inbox`: what the store keeps, and what a worker or a person does with it. How it is
//! kept is the library's.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use clap::{Args, Subcommand};
use host_test::store::{Event, Filter, Options, State, Store, StoreError};
use serde::{Serialize, Serializer};
use serde_json::json;
use serde_json::value::RawValue;

use super::calls::print_json;
use super::show::{self, BOLD, DIM, GREEN, RED, RESET};
use super::{Common, Failure};

/// The setting that names the store's file: of this program, not of a component.
pub const STORE_SETTING: &str = "MESSAGING_WEBHOOK_STORE";
/// The store's file where nothing names one.
pub const DEFAULT_STORE: &str = "messaging-inbox.sqlite";

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Inbox {
    #[command(subcommand)]
    command: Command,
    /// The store's file; it has to exist, and may be in use
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = STORE_SETTING,
        default_value = DEFAULT_STORE
    )]
    store: PathBuf,
}

const AFTER_HELP: &str = "\
An event is waiting, taken, done, or quarantined. A worker takes events under a lease,
processes them, and says done with the lease's token. A lease that runs out gives its event
to the next one who takes: process each idempotency key once, or so that twice is harmless.

  host-test inbox take --limit 10 --lease 60s --json
  host-test inbox done 17 --lease 2f6c...

An event that came under the key of another one is quarantined: look at both with `show`, then
let it go on with `requeue ID`, or leave it.";

#[derive(Subcommand)]
enum Command {
    /// List events, oldest first; only reads
    List {
        /// Only events in this state: waiting, taken, done or quarantined
        #[arg(long, conflicts_with = "quarantine")]
        state: Option<State>,
        /// Only events that are not done although they failed, or were taken 5 times
        #[arg(long)]
        stuck: bool,
        /// Only events under the key of another one; the same as --state quarantined
        #[arg(long)]
        quarantine: bool,
        /// Only events after this one: the last one of the page before
        #[arg(long, value_name = "ID", default_value_t = 0)]
        after: i64,
        /// At most this many
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: u32,
    },
    /// Show everything about one event; only reads
    Show {
        /// The event's number
        id: i64,
    },
    /// Take events to process them; with nothing to take, the output is empty
    Take {
        /// At most this many
        #[arg(long, value_name = "N", default_value_t = 1)]
        limit: u32,
        /// How long they are yours, for example 90s or 5m; then others can take them
        #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
        lease: Duration,
    },
    /// Say that a taken event has been processed; saying it twice is harmless
    Done {
        /// The event's number
        id: i64,
        /// The lease that it was taken under
        #[arg(long, value_name = "TOKEN")]
        lease: String,
    },
    /// Let an event be taken again, at once
    ///
    /// With its lease, the worker that holds it gives it back. Without, it is a person's
    /// decision, for any event: out of quarantine, stuck, held by somebody, or done. It
    /// then counts as never tried.
    Requeue {
        /// The event's number
        id: i64,
        /// The lease that it was taken under
        #[arg(long, value_name = "TOKEN")]
        lease: Option<String>,
    },
    /// Forget events that have been done for long; a repeated delivery of one is then new
    Prune {
        /// For how long; senders repeat for days
        #[arg(long, value_name = "DURATION", default_value = "7d", value_parser = duration)]
        older_than: Duration,
    },
    /// Write every event as a line of JSON; "json" holds it as a string, byte for byte
    Export,
}

/// A duration as people write it.
pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| format!("{error}; write 90s, 5m or 7d"))
}

impl Inbox {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let options = Options { create: false, ..Options::default() };
        // To open is short here: the one who made the store has set it up.
        let store = match Store::open(&self.store, options) {
            Ok(store) => store,
            Err(error) => return Err(failed(common, &error)),
        };
        let result = match self.command {
            Command::List { state, stuck, quarantine, after, limit } => {
                let state = if quarantine { Some(State::Quarantined) } else { state };
                let filter = Filter { state, stuck, after_id: after, limit };
                list(common, &store, filter).await
            }
            Command::Show { id } => store.get(id).await.map(|event| print_event(common, &event)),
            Command::Take { limit, lease } => {
                store.take(limit, lease).await.map(|events| print_taken(common, &events))
            }
            Command::Done { id, lease } => {
                store.done(id, lease).await.map(|()| print_change(common, id, State::Done))
            }
            Command::Requeue { id, lease } => {
                store.requeue(id, lease).await.map(|()| print_change(common, id, State::Waiting))
            }
            Command::Prune { older_than } => {
                store.prune(older_than).await.map(|count| print_pruned(common, count))
            }
            Command::Export => return export(common, store).await,
        };
        store.close().await;
        result.map_err(|error| failed(common, &error))
    }
}

async fn list(common: &Common, store: &Store, filter: Filter) -> Result<(), StoreError> {
    let events = store.list(filter).await?;
    if common.json {
        print(&events.iter().map(Shown::of).collect::<Vec<_>>());
        return Ok(());
    }
    for event in &events {
        anstream::println!("{}", summary(event));
    }
    let counts = store.counts().await?;
    let (waiting, taken) = (counts.waiting, counts.taken);
    let (done, quarantined) = (counts.done, counts.quarantined);
    anstream::println!(
        "{DIM}{} listed; in all {waiting} waiting, {taken} taken, {done} done, {quarantined} quarantined{RESET}",
        events.len()
    );
    Ok(())
}

fn summary(event: &Event) -> String {
    let colour = match event.state {
        State::Done => GREEN,
        State::Quarantined => RED,
        State::Waiting | State::Taken => BOLD,
    };
    let [key, kind] = [&event.idempotency_key, &event.kind].map(|text| show::printable(text));
    let mut line = format!(
        "{:>8}  {colour}{:<11}{RESET}  {}  {key}  {kind}",
        event.id,
        event.state.as_str(),
        time(event.received_at_ms)
    );
    if event.attempts > 0 {
        line.push_str(&format!("  {DIM}taken {} times{RESET}", event.attempts));
    }
    if let (Some(error), true) = (&event.last_error, event.is_stuck()) {
        line.push_str(&format!("  {RED}{}{RESET}", show::printable(error)));
    }
    line
}

fn time(ms: i64) -> String {
    let since = Duration::from_millis(u64::try_from(ms).unwrap_or(0));
    match UNIX_EPOCH.checked_add(since) {
        // Beyond the year 9999 it has no such text.
        Some(time) if ms < 253_402_300_800_000 => {
            humantime::format_rfc3339_millis(time).to_string()
        }
        _ => format!("{ms} ms"),
    }
}

fn print_event(common: &Common, event: &Event) {
    if common.json {
        return print(&Shown::of(event));
    }
    anstream::println!("{}", summary(event));
    let field = |name: &str, value: &str| {
        anstream::println!("  {name:<16} {}", show::printable(value));
    };
    field("idempotency-key", &event.idempotency_key);
    if event.copy > 0 {
        field("copy", &format!("{}: another event came under this key before", event.copy));
    }
    field("message-id", &event.message_id);
    field("kind", &event.kind);
    field("received", &time(event.received_at_ms));
    field("attempts", &event.attempts.to_string());
    match event.state {
        State::Taken => field("leased until", &time(event.due_ms)),
        State::Waiting if event.due_ms > 0 => field("not before", &time(event.due_ms)),
        State::Waiting | State::Done | State::Quarantined => {}
    }
    if let Some(error) = &event.last_error {
        field("last error", error);
    }
    if let Some(done) = event.done_at_ms {
        field("done", &time(done));
    }
    field("json", &event.json);
}

fn print_taken(common: &Common, events: &[Event]) {
    if common.json {
        return print(&events.iter().map(Shown::of).collect::<Vec<_>>());
    }
    // One line each, with tabs between: a shell reads them in turn. The JSON comes last,
    // its line breaks written as \n.
    for event in events {
        let lease = event.lease.as_deref().unwrap_or_default();
        let [key, kind, json] =
            [&event.idempotency_key, &event.kind, &event.json].map(|text| show::printable(text));
        anstream::println!("{}\t{lease}\t{key}\t{kind}\t{json}", event.id);
    }
}

fn print_change(common: &Common, id: i64, state: State) {
    if common.json {
        return print_json(&json!({ "ok": { "id": id, "state": state.as_str() } }));
    }
    anstream::println!("{GREEN}{state}{RESET} {id}");
}

fn print_pruned(common: &Common, count: u64) {
    if common.json {
        return print_json(&json!({ "ok": { "pruned": count } }));
    }
    anstream::println!("{GREEN}pruned{RESET} {count} done events");
}

async fn export(common: &Common, store: Store) -> Result<(), Failure> {
    let lines = store.export();
    let written = tokio::task::spawn_blocking(move || {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        for line in lines {
            // A reader that has gone away wants no more, and what it has is not whole.
            let written = line.map(|line| writeln!(out, "{line}"))?;
            if let Err(error) = written {
                return Ok(Err(error));
            }
        }
        Ok(out.flush())
    });
    let written = written.await;
    store.close().await;
    match written {
        Ok(Ok(Ok(()))) => Ok(()),
        Ok(Ok(Err(error))) => Err(Failure::Failed(format!("not all was exported: {error}"))),
        Ok(Err(error)) => Err(failed(common, &error)),
        Err(error) => Err(Failure::Failed(format!("not all was exported: {error}"))),
    }
}

/// An event as JSON. What was received is in it as it was written, numbers of any
/// length included.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Shown<'a> {
    id: i64,
    lease: Option<&'a str>,
    idempotency_key: &'a str,
    message_id: &'a str,
    kind: &'a str,
    json: Json<'a>,
    state: &'static str,
    copy: i64,
    attempts: i64,
    due_ms: i64,
    received_at_ms: i64,
    done_at_ms: Option<i64>,
    last_error: Option<&'a str>,
}

/// As the value that it is, or as a string where it is none.
struct Json<'a>(&'a str);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(self.0) {
            Ok(value) => value.serialize(serializer),
            Err(_) => self.0.serialize(serializer),
        }
    }
}

impl<'a> Shown<'a> {
    fn of(event: &'a Event) -> Self {
        Self {
            id: event.id,
            lease: event.lease.as_deref(),
            idempotency_key: &event.idempotency_key,
            message_id: &event.message_id,
            kind: &event.kind,
            json: Json(&event.json),
            state: event.state.as_str(),
            copy: event.copy,
            attempts: event.attempts,
            due_ms: event.due_ms,
            received_at_ms: event.received_at_ms,
            done_at_ms: event.done_at_ms,
            last_error: event.last_error.as_deref(),
        }
    }
}

fn print(value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string_pretty(value) {
        // A reader that has gone away is no failure of the command.
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}

/// Reports a store's error, with the exit code that it has.
fn failed(common: &Common, error: &StoreError) -> Failure {
    let (case, usage, advice) = match error {
        StoreError::NotSetUp { .. } => (
            "not-set-up",
            true,
            "name the file that the webhook writes, with --store or MESSAGING_WEBHOOK_STORE",
        ),
        StoreError::NotAStore { .. } => ("not-a-store", true, ""),
        StoreError::NewerSchema { .. } => ("newer-schema", true, ""),
        StoreError::Refused { .. } => ("refused", true, ""),
        StoreError::Unavailable { .. } => ("unavailable", false, ""),
        StoreError::Damaged { .. } => ("damaged", false, ""),
        StoreError::NotFound { .. } => ("not-found", false, "`inbox list` shows what there is"),
        StoreError::LeaseLost { .. } => {
            ("lease-lost", false, "drop it: another worker has it, or it is done")
        }
    };
    if common.json {
        print_json(
            &json!({ "error": { "case": case, "payload": { "detail": error.to_string() } } }),
        );
    } else {
        anstream::eprintln!("{RED}error:{RESET} {}", show::printable(&error.to_string()));
        if !advice.is_empty() {
            anstream::eprintln!("{DIM}{advice}{RESET}");
        }
    }
    if usage { Failure::ReportedUsage } else { Failure::Reported }
}
