//! `inbox`: lists the events of a store, and leases and settles them for a worker or a
//! person. How they are kept is the library's.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use clap::{Args, Subcommand};
use messaging_inbox::{
    Bucket, Event, Filter, NameError, Options, ReadStore, State, Store, StoreError,
};
use serde::{Serialize, Serializer};
use serde_json::json;
use serde_json::value::RawValue;

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
        default_value = DEFAULT_STORE,
        value_parser = store_file
    )]
    store: PathBuf,
}

const AFTER_HELP: &str = "\
An event is pending, leased, done, or quarantined. A worker leases events, processes them, and
acknowledges each with the lease's token. When a lease runs out, its event goes to the next
worker that asks: process each delivery-key once, or so that twice is harmless.

  messaging inbox lease --limit 10 --lease 60s --json
  messaging inbox ack 17 --lease 2f6c...

An event that came under the key of another one is quarantined: look at both with `show`, then
release it with `release ID`, or leave it. Its delivery-key is its own: KEY~COPY~TOKEN. Of one
key 16 such events are kept; a further one is refused, and its sender tries again.

`list`, `show` and `export` change nothing, and need no right to write.";

#[derive(Subcommand)]
enum Command {
    /// List events, oldest first; only reads
    List {
        /// Only events in this state: pending, leased, done or quarantined
        #[arg(long, conflicts_with = "quarantine")]
        state: Option<State>,
        /// Only events that are not done although they failed, or were leased 5 times
        #[arg(long)]
        stuck: bool,
        /// Only events under the key of another one; the same as --state quarantined
        #[arg(long)]
        quarantine: bool,
        /// Only events after this one: the last one of the page before
        #[arg(long, value_name = "ID", default_value_t = 0)]
        after: i64,
        /// At most this many
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Show everything about one event; only reads
    Show {
        /// Number of the event, as `list` prints it
        id: i64,
    },
    /// Lease events to process them; with nothing to lease, the output is empty
    Lease {
        /// At most this many
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        /// Length of the lease, for example 90s or 5m; then others can lease them
        #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = some_time)]
        lease: Duration,
    },
    /// Extend the lease of an event: it then ends so long after now
    Extend {
        /// Number of the event, as `list` prints it
        id: i64,
        /// Token of the lease, as `lease` printed it
        #[arg(long, value_name = "TOKEN")]
        lease: String,
        /// Length of the lease, counted from now
        #[arg(long, value_name = "DURATION", value_parser = some_time)]
        by: Duration,
    },
    /// Acknowledge a leased event as processed; twice is harmless
    Ack {
        /// Number of the event, as `list` prints it
        id: i64,
        /// Token of the lease, as `lease` printed it
        #[arg(long, value_name = "TOKEN")]
        lease: String,
    },
    /// Release an event: it can be leased again at once
    ///
    /// With --lease, a worker gives its event back. Without, a person decides, for any
    /// event: quarantined, stuck, leased by a worker, or done. It then counts as never
    /// tried.
    Release {
        /// Number of the event, as `list` prints it
        id: i64,
        /// Token of the lease, as `lease` printed it
        #[arg(long, value_name = "TOKEN")]
        lease: Option<String>,
    },
    /// Forget events that have been done for long; a repeated delivery of one is then new
    ///
    /// The age is measured by the processes that have the store open, so that a clock that
    /// jumps makes nothing forgotten; time in which no process has it open does not count.
    /// `serve` prunes by itself.
    Prune {
        /// Least age of the events to forget; senders repeat for days. 0s forgets all that are done
        #[arg(long, value_name = "DURATION", default_value = "7d", value_parser = duration)]
        older_than: Duration,
        /// Measure the age by this machine's clock instead; check that the clock is right
        #[arg(long)]
        by_clock: bool,
    },
    /// Write every event as a line of JSON; "json" has it as a string, byte for byte
    Export,
}

/// A duration as people write it.
pub fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| format!("{error}; write 90s, 5m or 7d"))
}

/// A duration in which something can be done.
fn some_time(text: &str) -> Result<Duration, String> {
    let found = duration(text)?;
    if found < Duration::from_millis(1) {
        return Err("is shorter than 1ms; write 90s, 5m or 7d".into());
    }
    Ok(found)
}

/// Parses the retention of keys: at least what `inbox.wit` promises senders.
pub fn keep(text: &str) -> Result<Duration, String> {
    let found = duration(text)?;
    if found < Store::RETENTION {
        return Err("is shorter than 7d: senders repeat for days, and a repeated event whose key is forgotten counts as new; use `inbox prune` to forget earlier".into());
    }
    Ok(found)
}

/// The name of a store's file.
pub fn store_file(text: &str) -> Result<PathBuf, NameError> {
    Store::check_name(text).map(|()| PathBuf::from(text))
}

/// Reason why a command of `inbox` failed.
enum Problem {
    Store(StoreError),
    /// The result could not be written to standard output.
    Output(String),
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Output(format!("standard output: {error}"))
    }
}

impl Inbox {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        self.carry_out(common).await.map_err(|problem| match problem {
            Problem::Store(error) => failed(common, &error),
            Problem::Output(text) => Failure::Failed(text),
        })
    }

    async fn carry_out(self, common: &Common) -> Result<(), Problem> {
        let reads = ReadStore::open(&self.store)?;
        let buckets = reads.buckets().await?;
        say_buckets(&buckets);
        match self.command {
            Command::List { state, stuck, quarantine, after, limit } => {
                let state = if quarantine { Some(State::Quarantined) } else { state };
                let filter = Filter { state, stuck, kind: None, after_id: after, limit };
                list(common, &reads, filter).await
            }
            Command::Show { id } => Ok(print_event(common, &reads.get(id).await?)?),
            Command::Export => {
                export(reads).await?;
                if buckets.is_empty() {
                    return Ok(());
                }
                Err(Problem::Output(
                    "not all was exported: the store contains values of `serve --keyvalue` as well"
                        .into(),
                ))
            }
            writes => {
                drop(reads);
                let options = Options { create: false, ..Options::default() };
                // To open is short here: the one who made the store has set it up.
                let store = Store::open(&self.store, options)?;
                let result = writes.change(common, &store).await;
                store.close().await;
                result
            }
        }
    }
}

impl Command {
    async fn change(self, common: &Common, store: &Store) -> Result<(), Problem> {
        match self {
            Self::List { .. } | Self::Show { .. } | Self::Export => Ok(()),
            Self::Lease { limit, lease } => {
                let events = lease_events(store, limit, lease).await?;
                match print_leased(common, &events) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(give_back(store, events, &error).await),
                }
            }
            Self::Extend { id, lease, by } => {
                store.extend(id, lease, by).await?;
                Ok(print_change(common, id, State::Leased)?)
            }
            Self::Ack { id, lease } => {
                store.ack(id, lease).await?;
                Ok(print_change(common, id, State::Done)?)
            }
            Self::Release { id, lease } => {
                store.release(id, lease).await?;
                Ok(print_change(common, id, State::Pending)?)
            }
            Self::Prune { older_than, by_clock } => {
                let count = if by_clock {
                    store.prune_by_clock(older_than).await?
                } else {
                    store.prune(older_than).await?
                };
                Ok(print_pruned(common, count)?)
            }
        }
    }
}

/// Leases in pieces, each of which is answered in time.
async fn lease_events(
    store: &Store,
    limit: u32,
    lease: Duration,
) -> Result<Vec<Event>, StoreError> {
    const PIECE: u32 = 500;
    let mut events = Vec::new();
    let mut left = limit;
    while left > 0 {
        let piece = left.min(PIECE);
        match store.lease(piece, lease).await {
            Ok(leased) => {
                let got = u32::try_from(leased.len()).unwrap_or(piece);
                // A short lease has run out meanwhile: only the newer one is good.
                let ids: HashSet<_> = leased.iter().map(|event| event.id).collect();
                let before = events.len();
                events.retain(|event: &Event| !ids.contains(&event.id));
                let again = events.len() < before;
                events.extend(leased);
                // No more are due; what comes next may be what was leased first.
                left = if got < piece || again { 0 } else { left.saturating_sub(piece) };
            }
            Err(error) if events.is_empty() => return Err(error),
            Err(error) => {
                let (error, got) = (show::printable(&error.to_string()), events.len());
                complain!("{DIM}only {got} of up to {limit} events are leased: {error}{RESET}");
                left = 0;
            }
        }
    }
    Ok(events)
}

/// Nobody knows the leases of what could not be printed: others may have it at once.
async fn give_back(store: &Store, events: Vec<Event>, error: &io::Error) -> Problem {
    let mut left = Vec::new();
    for event in events {
        if let Err(error) = store.release(event.id, event.lease).await {
            left.push(format!("{}: {error}", event.id));
        }
    }
    Problem::Output(if left.is_empty() {
        format!("standard output: {error}; the leased events are given back")
    } else {
        let left = left.join("; ");
        format!("standard output: {error}; not given back until their leases end: {left}")
    })
}

async fn list(common: &Common, store: &ReadStore, filter: Filter) -> Result<(), Problem> {
    let events = store.list(filter).await?;
    let counts = store.counts().await?;
    if common.json {
        print(&events.iter().map(EventView::of).collect::<Vec<_>>())?;
    } else {
        let mut out = anstream::stdout().lock();
        for event in &events {
            writeln!(out, "{}", summary(event))?;
        }
        let (pending, leased) = (counts.pending, counts.leased);
        let (done, quarantined) = (counts.done, counts.quarantined);
        writeln!(
            out,
            "{DIM}{} listed; in all {pending} pending, {leased} leased, {done} done, {quarantined} quarantined{RESET}",
            events.len()
        )?;
        out.flush()?;
    }
    Ok(())
}

/// Says which values of another kind of inbox the store holds: they are none of the events
/// that a command of `inbox` is about.
fn say_buckets(buckets: &[Bucket]) {
    for bucket in buckets {
        let (values, name) = (bucket.values, show::printable(&bucket.name));
        let s = if values == 1 { "" } else { "s" };
        complain!(
            "{DIM}the bucket {name} contains {values} value{s} of `serve --keyvalue`, which are not events: no command of `inbox` lists, leases or exports them{RESET}"
        );
    }
}

fn summary(event: &Event) -> String {
    let colour = match event.state {
        State::Done => GREEN,
        State::Quarantined | State::Dead => RED,
        State::Pending | State::Leased => BOLD,
    };
    let [key, kind] = [&event.idempotency_key, &event.kind].map(|text| show::printable(text));
    let mut line = format!(
        "{:>8}  {colour}{:<11}{RESET}  {}  {key}  {kind}",
        event.id,
        event.state.as_str(),
        time(event.received_at_ms)
    );
    if event.attempts > 0 {
        line.push_str(&format!("  {DIM}leased {} times{RESET}", event.attempts));
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

fn print_event(common: &Common, event: &Event) -> io::Result<()> {
    if common.json {
        return print(&EventView::of(event));
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", summary(event))?;
    let mut field =
        |name: &str, value: &str| writeln!(out, "  {name:<16} {}", show::printable(value));
    field("idempotency-key", &event.idempotency_key)?;
    if event.copy > 0 {
        field("copy", &format!("{}: another event came under this key before", event.copy))?;
        field("delivery-key", &event.delivery_key())?;
    }
    field("message-id", &event.message_id)?;
    field("kind", &event.kind)?;
    field("received", &time(event.received_at_ms))?;
    field("attempts", &event.attempts.to_string())?;
    match event.state {
        State::Leased => field("leased until", &time(event.due_ms))?,
        State::Pending if event.due_ms > 0 => field("not before", &time(event.due_ms))?,
        State::Pending | State::Done | State::Quarantined | State::Dead => {}
    }
    if let Some(error) = &event.last_error {
        field("last error", error)?;
    }
    if let Some(done) = event.done_at_ms {
        field("done", &time(done))?;
    }
    field("json", &event.json)?;
    out.flush()
}

fn print_leased(common: &Common, events: &[Event]) -> io::Result<()> {
    if common.json {
        return print(&events.iter().map(EventView::of).collect::<Vec<_>>());
    }
    // One line each, with tabs between: a shell reads them in turn. The JSON comes last,
    // its line breaks written as \n.
    let mut out = io::stdout().lock();
    for event in events {
        let lease = event.lease.as_deref().unwrap_or_default();
        let [key, kind, json] =
            [&*event.delivery_key(), &event.kind, &event.json].map(show::printable);
        writeln!(out, "{}\t{lease}\t{key}\t{kind}\t{json}", event.id)?;
    }
    out.flush()
}

fn print_change(common: &Common, id: i64, state: State) -> io::Result<()> {
    if common.json {
        return print(&json!({ "ok": { "id": id, "state": state.as_str() } }));
    }
    writeln!(anstream::stdout(), "{GREEN}{state}{RESET} {id}")
}

fn print_pruned(common: &Common, count: u64) -> io::Result<()> {
    if common.json {
        return print(&json!({ "ok": { "pruned": count } }));
    }
    writeln!(anstream::stdout(), "{GREEN}pruned{RESET} {count} done events")
}

async fn export(store: ReadStore) -> Result<(), Problem> {
    let lines = store.export();
    let written = tokio::task::spawn_blocking(move || {
        let mut out = io::BufWriter::new(io::stdout().lock());
        for line in lines {
            // A reader that has gone away wants no more, and what it has is not whole.
            writeln!(out, "{}", line?)?;
        }
        Ok(out.flush()?)
    });
    let written = written.await.unwrap_or_else(|error| Err(Problem::Output(error.to_string())));
    written.map_err(|problem| match problem {
        Problem::Output(text) => Problem::Output(format!("not all was exported: {text}")),
        Problem::Store(error) => Problem::Store(error),
    })
}

/// An event as JSON. What was received is in it as it was written, numbers of any
/// length included.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct EventView<'a> {
    id: i64,
    lease: Option<&'a str>,
    idempotency_key: &'a str,
    delivery_key: Cow<'a, str>,
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

impl<'a> EventView<'a> {
    fn of(event: &'a Event) -> Self {
        Self {
            id: event.id,
            lease: event.lease.as_deref(),
            idempotency_key: &event.idempotency_key,
            delivery_key: event.delivery_key(),
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

fn print(value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
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
        StoreError::TooManyCopies { .. } => ("too-many-copies", false, ""),
        StoreError::Unavailable { .. } => ("unavailable", false, ""),
        StoreError::Damaged { .. } => ("damaged", false, ""),
        StoreError::NotFound { .. } => ("not-found", false, "`inbox list` shows all events"),
        StoreError::LeaseLost { .. } => (
            "lease-lost",
            false,
            "drop this event: its lease is over, so it is done, or left to another worker",
        ),
    };
    if common.json {
        let detail = error.to_string();
        // The exit code says it as well.
        let _ = print(&json!({ "error": { "case": case, "payload": { "detail": detail } } }));
    } else {
        complain!("{RED}error:{RESET} {}", show::printable(&error.to_string()));
        if !advice.is_empty() {
            complain!("{DIM}{advice}{RESET}");
        }
    }
    if usage { Failure::ReportedUsage } else { Failure::Reported }
}
