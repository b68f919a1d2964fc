//! `inbox`: lists, leases and changes events of a store. The `messaging-inbox` library implements
//! the operations.

mod copies;
mod lease;
mod view;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Subcommand};
use messaging_inbox::{DeadFilter, Event, Filter, Options, Retry, State, Store, StoreError};

use super::exit::Exit;
use super::parse::{duration, kinds, lease_time};
use super::show::{self, DIM, RED, RESET};
use super::store::{self, Location, Reach, StoreArgument};
use super::{Common, Failure, print, settings, text};
use lease::{lease_events, release_all};
use view::{print_change, print_event, print_leased, print_list, print_pruned, print_requeued};

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Inbox {
    #[command(subcommand)]
    command: Command,
    /// Store: a file, or postgres://USER@HOST/DATABASE [inbox.sqlite in the state directory]
    ///
    /// The store must exist, except for `restore`, and may be in use. The password of a database is
    /// in MESSAGING_STORE_PASSWORD.
    #[arg(
        long,
        global = true,
        value_name = "FILE|URL",
        env = settings::STORE,
        hide_env_values = true,
        value_parser = store::store()
    )]
    store: Option<StoreArgument>,
    #[command(flatten)]
    reach: Reach,
}

const AFTER_HELP: &str = "\
An event is pending, leased, done, quarantined, or dead. A worker leases events, processes them,
and acknowledges each with the lease's token. When a lease expires, the next worker gets its event:
process each delivery-key once, or make processing idempotent.

  messaging inbox lease --limit 10 --lease 60s --json
  messaging inbox ack 17 --lease 2f6c...

A dead event failed for good. No worker gets it until a person requeues it. `nack` with --dead or
--failures marks an event dead, and so does `serve --forward` after status 410, or after
--forward-attempts failures.

  messaging inbox list --dead
  messaging inbox requeue --dead --kind message:in:new --since 2h

A quarantined event has the key of another event or, with --quarantine-replays, the content of
another event. Compare the two events with `show`, then release the quarantined event with
`release ID`, or leave it. A further event of a key has its own delivery-key: KEY~COPY~TOKEN. A key
has at most 16 quarantined events; the next one is rejected, and its event source retries.

`list`, `show` and `export` change nothing, and need no write permission.

With --json an error is {\"error\": {\"case\": NAME, \"payload\": ...}}. Cases:
  not-set-up       the store is missing, not writable, or wrongly configured
  not-a-store      the file or database holds something else
  other-schema     another version of this program wrote the store
  refused          the store rejects this value
  unavailable      the store did not respond in time; retry
  damaged          the store is corrupted; restore a backup
  not-found        no event has this number
  lease-lost       the lease expired, or its token is wrong; drop the event
  too-many-copies  the key already has 16 quarantined events";

#[derive(Subcommand)]
enum Command {
    /// List events, oldest first (read-only)
    ///
    /// If more events match than --limit, standard error names the --after of the next page.
    List {
        /// List only events in this state
        #[arg(long, conflicts_with_all = ["quarantine", "dead"], value_parser = states())]
        state: Option<State>,
        /// List only pending or leased events with a failure or 5 leases
        ///
        /// A lease counts if it ended without a result. An event that only waits for an unreachable
        /// receiver is not listed.
        #[arg(long, conflicts_with_all = ["quarantine", "dead"])]
        stuck: bool,
        /// List only quarantined events, which wait for a decision
        #[arg(long, conflicts_with = "dead")]
        quarantine: bool,
        /// List only events that failed for good
        #[arg(long)]
        dead: bool,
        /// List only events of this kind
        #[arg(long, value_name = "KIND")]
        kind: Option<String>,
        /// List only events under this idempotency key or delivery-key
        #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
        key: Option<String>,
        /// List the newest events first
        #[arg(long)]
        newest: bool,
        /// List events after ID, the last event of the previous page
        #[arg(long, value_name = "ID", default_value_t = 0)]
        after: i64,
        /// List at most N events
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Show everything about one event (read-only)
    Show {
        /// Number of the event, as `list` prints it
        #[arg(value_parser = number)]
        id: i64,
    },
    /// Lease events to process them
    ///
    /// Without pending events the output is empty, and with --json an empty list. Stops below
    /// --limit when the leased events reach 8 MiB.
    Lease {
        /// Lease at most N events
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
        /// Duration of the lease, for example 90s or 5m
        #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = lease_time)]
        lease: Duration,
        /// Lease only events of this kind; repeatable
        #[arg(long, value_name = "KIND")]
        kind: Vec<String>,
    },
    /// Extend an event's lease to DURATION from now
    Extend {
        #[command(flatten)]
        leased: Leased,
        /// Duration of the lease from now
        #[arg(long, value_name = "DURATION", value_parser = lease_time)]
        by: Duration,
    },
    /// Acknowledge a leased event as processed; safe to repeat
    Ack(Leased),
    /// Report that a leased event failed; safe to repeat
    ///
    /// The event can be leased again after a delay, unless this failure makes it dead.
    Nack {
        #[command(flatten)]
        leased: Leased,
        /// Reason, stored with the event
        #[arg(long, value_name = "TEXT", default_value = "failed")]
        error: String,
        /// Delay until the event can be leased again
        #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
        pause: Duration,
        /// Mark the event dead after N failures
        #[arg(long, value_name = "N")]
        failures: Option<NonZeroU32>,
        /// Mark the event dead
        #[arg(long, conflicts_with_all = ["failures", "pause"])]
        dead: bool,
    },
    /// Make dead events pending again, with a fresh count of attempts
    ///
    /// Events in other states do not change, and the command is safe to repeat. It works in small
    /// steps, and does not delay deliveries.
    #[command(group = ArgGroup::new("which").required(true).args(["ids", "dead"]))]
    Requeue {
        /// Numbers of events, as `list --dead` prints them
        #[arg(value_name = "ID", value_parser = number)]
        ids: Vec<i64>,
        /// Requeue all dead events
        #[arg(long, conflicts_with = "ids")]
        dead: bool,
        /// Requeue only events of this kind
        #[arg(long, value_name = "KIND", conflicts_with = "ids")]
        kind: Option<String>,
        /// Requeue events that died since TIME: 2h (ago), or RFC 3339 UTC
        #[arg(long, value_name = "TIME", conflicts_with = "ids", value_parser = moment)]
        since: Option<i64>,
        /// Requeue events that died at TIME or earlier
        #[arg(long, value_name = "TIME", conflicts_with = "ids", value_parser = moment)]
        until: Option<i64>,
    },
    /// Release an event: it can be leased again at once
    ///
    /// With --lease a worker returns its event. Without --lease an operator releases an event in
    /// any state, and its count of attempts starts again.
    Release {
        /// Number of the event, as `list` prints it
        #[arg(value_parser = number)]
        id: i64,
        /// Token of the lease, as `lease` printed it
        #[arg(long, value_name = "TOKEN")]
        lease: Option<String>,
    },
    /// Delete old done events; a redelivery of a deleted event is new
    ///
    /// `serve` prunes automatically. The age is measured while `serve` runs, so a wrong clock
    /// deletes nothing early. Events can stay 3 hours longer than --older-than; --by-clock is
    /// exact. A done event stays while another event with its key is not done.
    Prune {
        /// Minimum age of the events; 0s is any age
        #[arg(long, value_name = "DURATION", default_value = "7d", value_parser = duration)]
        older_than: Duration,
        /// Measure the age by this machine's clock, which must be right
        #[arg(long)]
        by_clock: bool,
    },
    /// Write every event as a line of JSON (read-only)
    ///
    /// The member "json" is a string with the event's bytes.
    Export,
    /// Copy the store, which may be in use, to a new file
    ///
    /// The backup is checked and durable, and has every event that was answered 200 before the
    /// command. An existing file is not replaced. For PostgreSQL use its tools.
    Backup {
        /// The new file; its directory must exist
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Create the store from a backup
    ///
    /// The store must not exist: stop all processes that use it, and move its files away, with -wal
    /// and -shm. Events that were processed after the backup are processed again.
    Restore {
        /// The backup
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// An event under a lease.
#[derive(Args)]
struct Leased {
    /// Number of the event, as `list` prints it
    #[arg(value_parser = number)]
    id: i64,
    /// Token of the lease, as `lease` printed it
    #[arg(long, value_name = "TOKEN")]
    lease: String,
}

/// Timeout of a command on a locked store, for example during `VACUUM`. Longer than the timeout of
/// a delivery, because no event source waits for a command.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Returns the parser of a state. Help and completions list the states.
fn states() -> impl TypedValueParser<Value = State> {
    PossibleValuesParser::new(State::ALL.map(State::as_str)).try_map(|name| name.parse::<State>())
}

/// Parses the ID of an event.
fn number(text: &str) -> Result<i64, &'static str> {
    text.parse().map_err(|_| "not the number of an event; `messaging inbox list` prints them")
}

/// Parses a time as milliseconds since 1970. The text is a duration before now, or an RFC 3339
/// time.
fn moment(text: &str) -> Result<i64, String> {
    let moment = match humantime::parse_duration(text) {
        Ok(ago) => SystemTime::now().checked_sub(ago),
        Err(_) => humantime::parse_rfc3339_weak(text).ok(),
    };
    let since = moment.and_then(|moment| moment.duration_since(UNIX_EPOCH).ok());
    let ms = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    ms.ok_or_else(|| "is not a time; write 2h for two hours ago, or 2026-01-31T12:00:00Z".into())
}

impl Inbox {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let argument = Reach::argument(self.store.as_ref())?;
        let location = self.reach.location(&argument)?;
        match &self.command {
            Command::Backup { file } => return copies::backup(common, &location, file),
            Command::Restore { file } => {
                return copies::restore(common, &argument, &location, file);
            }
            _ => {}
        }
        let done = self.carry_out(common, &location).await;
        done.map_err(|error| failed(common, &error, advice(&location, &error)))
    }

    async fn carry_out(self, common: &Common, location: &Location) -> Result<(), StoreError> {
        let reads = location.open_store_to_read().await?;
        match self.command {
            Command::List { state, stuck, quarantine, dead, kind, key, newest, after, limit } => {
                let state = match (quarantine, dead) {
                    (true, _) => Some(State::Quarantined),
                    (_, true) => Some(State::Dead),
                    _ => state,
                };
                let key = key.map(|key| Event::source_key(&key).to_string());
                // Reads one event more than the list prints: its presence means that more match.
                let page = limit.saturating_add(1);
                let filter =
                    Filter { state, stuck, kind, key, newest, after_id: after, limit: page };
                // Omits the payload, which can have megabytes and is not printed in a line.
                let without = |event| Event { json: String::new(), ..event };
                let events = match common.json {
                    true => reads.list(filter).await?,
                    false => reads.list_map(filter, without).await?,
                };
                print_list(common, events, limit, reads.counts().await?);
            }
            Command::Show { id } => print_event(common, &reads.get(id).await?),
            Command::Export => {
                let mut lines = reads.export();
                // Stops if the reader has closed standard output.
                while let Some(line) = lines.next().await
                    && print::failure().is_none()
                {
                    print::plain(&text::escaped_json(&line?));
                }
            }
            writes => {
                drop(reads);
                let options = Options { create: false, put_timeout: TIMEOUT, ..Options::default() };
                // Opening is fast, because the tables of an existing store are already created.
                let store = location.open_store(options).await?;
                let result = writes.change(common, &store).await;
                store.close().await;
                result?;
            }
        }
        Ok(())
    }
}

impl Command {
    async fn change(self, common: &Common, store: &Store) -> Result<(), StoreError> {
        match self {
            Self::List { .. }
            | Self::Show { .. }
            | Self::Export
            | Self::Backup { .. }
            | Self::Restore { .. } => {}
            Self::Lease { limit, lease, kind } => {
                let events = lease_events(store, &kinds(&kind), limit, lease).await?;
                print_leased(common, &events);
                if let Some(error) = print::failure() {
                    release_all(store, events, &error).await;
                }
            }
            Self::Extend { leased: Leased { id, lease }, by } => {
                store.extend(id, lease, by).await?;
                print_change(common, id, State::Leased);
            }
            Self::Ack(Leased { id, lease }) => {
                store.ack(id, lease).await?;
                print_change(common, id, State::Done);
            }
            Self::Nack { leased: Leased { id, lease }, error, pause, failures, dead } => {
                let retry = match (dead, failures) {
                    (true, _) => Retry::Never,
                    (false, Some(failures)) => Retry::UpTo { failures, pause },
                    (false, None) => Retry::After(pause),
                };
                let state = store.nack(id, lease, error, retry).await?;
                print_change(common, id, state);
            }
            Self::Requeue { ids, dead, kind, since, until } => {
                if dead {
                    let filter = DeadFilter { kind, since_ms: since, until_ms: until };
                    let count = store.requeue_dead(filter).await?;
                    print_requeued(common, count, &[]);
                    return Ok(());
                }
                // An unknown number is reported before any event changes.
                for id in &ids {
                    store.get(*id).await?;
                }
                let (mut count, mut unchanged) = (0_u64, Vec::new());
                for id in ids {
                    match store.requeue(id).await? {
                        true => count = count.saturating_add(1),
                        false => unchanged.push(id),
                    }
                }
                print_requeued(common, count, &unchanged);
            }
            Self::Release { id, lease } => {
                store.release(id, lease).await?;
                print_change(common, id, State::Pending);
            }
            Self::Prune { older_than, by_clock } => {
                let count = match by_clock {
                    true => store.prune_by_clock(older_than).await?,
                    false => store.prune(older_than).await?,
                };
                print_pruned(common, count, by_clock || older_than.is_zero());
            }
        }
        Ok(())
    }
}

/// Returns the case and the exit code of a store error.
pub fn case(error: &StoreError) -> (&'static str, Exit) {
    match error {
        StoreError::NotSetUp { .. } => ("not-set-up", Exit::Usage),
        StoreError::NotAStore { .. } => ("not-a-store", Exit::Usage),
        StoreError::OtherSchema { .. } => ("other-schema", Exit::Usage),
        StoreError::Refused { .. } => ("refused", Exit::Usage),
        StoreError::Unavailable { .. } => ("unavailable", Exit::Retry),
        StoreError::TooManyCopies { .. } => ("too-many-copies", Exit::Failed),
        StoreError::Damaged { .. } => ("damaged", Exit::Failed),
        StoreError::NotFound { .. } => ("not-found", Exit::Failed),
        StoreError::LeaseLost { .. } => ("lease-lost", Exit::Failed),
    }
}

/// Returns advice about a store error.
fn advice(location: &Location, error: &StoreError) -> &'static str {
    match (error, location) {
        (StoreError::NotSetUp { .. }, Location::File(_)) => {
            "name the store that the webhook writes, with --store or MESSAGING_WEBHOOK_STORE"
        }
        (StoreError::NotFound { .. }, _) => "`inbox list` shows all events",
        (StoreError::LeaseLost { .. }, _) => {
            "drop this event: the lease expired, or its token is wrong; the event is done or dead, or another worker gets it"
        }
        _ => "",
    }
}

/// Prints a store error, and returns the matching exit code.
fn failed(common: &Common, error: &StoreError, advice: &str) -> Failure {
    let (case, exit) = case(error);
    if common.json {
        print::json(&show::own_error(case, &error.to_string()));
    } else {
        complain!("{RED}error:{RESET} {}", text::printable(&error.to_string()));
        if !advice.is_empty() {
            complain!("{DIM}{advice}{RESET}");
        }
    }
    Failure::Reported(exit)
}
