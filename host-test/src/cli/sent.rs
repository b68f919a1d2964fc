//! `sent`: the journal of messages that are sent at most once. `messaging_host::once` interprets
//! its entries.

mod journal;
mod send;
mod view;

use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand};
use messaging_host::once;
use messaging_host::once::json::{entry as entry_json, state as state_name};
use messaging_host::once::wit::{EntryState, JournalEntry, OnceError, Other, Resolution, Resolved};
use messaging_journal::Journal;
use serde_json::json;

use super::exit::Exit;
use super::parse::some_time;
use super::show::{DIM, RESET};
use super::{Common, Failure, print, text};
use journal::Located;
pub use journal::{Opening, Sending, must_exist, not_opened, open};
pub use send::send;

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Sent {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    located: Located,
}

const AFTER_HELP: &str = "\
`send --once KEY` records the intent before the send, and the outcome after the send. The same
command is safe to repeat at any time: a key creates at most one message.

  messaging send --once order-17-shipped --phone \"+34 600 111 222\" --message \"...\"
  messaging sent list --state unknown
  messaging sent resolve order-17-shipped --created msg-0042 --by Ada --reason \"seen in the service\"

States of a key:
  sending      a sender holds the key
  unknown      the sender was lost, or the reply does not say whether the message exists; the key
               sends nothing until a person has looked at the service and runs `resolve`
  created      the message exists
  not-created  no message exists; the next `send --once` with the same message sends it
  forgotten    the outcome was discarded; the key never sends again

The journal holds keys, salted digests of the messages, times, and replies of the service, which can
repeat the phone number or the text. After the restore of a backup, messages that the backup lacks
can be sent again.";

/// Names of the states of a key in the interface.
const STATES: [&str; 5] = ["sending", "unknown", "created", "not-created", "forgotten"];

#[derive(Subcommand)]
enum Command {
    /// Create the journal unless it exists
    Init,
    /// List keys and their states, in key order (changes nothing)
    List {
        /// List only keys in this state
        #[arg(long, value_parser = STATES)]
        state: Option<String>,
        /// List keys after KEY, the last key of the previous page
        #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
        after: Option<String>,
        /// List at most N keys
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Show everything about one key (changes nothing)
    Show {
        /// The key
        #[arg(allow_hyphen_values = true)]
        key: String,
    },
    /// Record for good whether the message exists; check in the service first
    #[command(group = ArgGroup::new("found").required(true))]
    Resolve {
        /// The key
        #[arg(allow_hyphen_values = true)]
        key: String,
        /// The message exists, with this identifier in the service
        #[arg(long, value_name = "ID", group = "found", allow_hyphen_values = true)]
        created: Option<String>,
        /// No message exists; the next `send --once` with this key sends it
        #[arg(long, group = "found")]
        not_created: bool,
        /// Name of the person who looked for the message
        #[arg(long, value_name = "NAME")]
        by: String,
        /// How the outcome was verified
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// Number of the attempt, as `show` prints it; later attempts stay unresolved
        #[arg(long, value_name = "N", default_value_t = 1)]
        attempt: u32,
    },
    /// Discard the outcome of a key; the key never sends again
    #[command(group = ArgGroup::new("which").required(true))]
    Forget {
        /// The key
        #[arg(group = "which", allow_hyphen_values = true)]
        key: Option<String>,
        /// Discard outcomes older than DURATION, for example 90d; unknown ones stay
        #[arg(long, group = "which", value_name = "DURATION", value_parser = some_time)]
        older_than: Option<Duration>,
    },
    /// Write every entry as a line of JSON (changes nothing)
    Export,
}

impl Sent {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let reads = || self.located.open_to_read();
        let writes = || self.located.open();
        let failed = |error| failed(common, &error);
        match &self.command {
            Command::Init => self.located.create(common).await,
            Command::List { state, after, limit } => {
                list(common, &reads().await?, state.as_deref(), after.clone(), *limit).await
            }
            Command::Show { key } => {
                let entry = once::look_up(&reads().await?, key).await.map_err(failed)?;
                let entry = entry.ok_or_else(|| {
                    let detail = "the key was never used".into();
                    let other = Other { code: "no-entry".into(), detail, status: None };
                    failed(OnceError::PermanentOther(other))
                })?;
                match common.json {
                    true => print::json(&text::Opened(&entry_json(&entry))),
                    false => view::show_entry(&entry, &self.located.as_option()),
                }
                Ok(())
            }
            Command::Resolve { key, created, not_created: _, by, reason, attempt } => {
                let found = created.clone().map_or(Resolved::NotCreated, Resolved::Created);
                let (by, reason, attempt) = (by.clone(), reason.clone(), *attempt);
                let resolution = Resolution { attempt, found, by, reason };
                let journal = writes().await?;
                once::resolve(&journal, key, &resolution).await.map_err(failed)?;
                let entry = once::look_up(&journal, key).await.map_err(failed)?;
                match entry.filter(|entry| entry.attempts != attempt) {
                    Some(entry) => Err(attempted_since(&entry, attempt, &self.located.as_option())),
                    None => changed(common, &journal, key).await,
                }
            }
            Command::Forget { key: Some(key), .. } => {
                let journal = writes().await?;
                once::forget(&journal, key).await.map_err(failed)?;
                changed(common, &journal, key).await
            }
            Command::Forget { key: None, older_than } => {
                forget_older(common, &writes().await?, older_than.unwrap_or_default()).await
            }
            Command::Export => {
                let print = |entry: &JournalEntry| {
                    print::plain(&text::escaped_json(&entry_json(entry).to_string()))
                };
                let visit = |entries: Vec<_>| {
                    entries.iter().for_each(print);
                    true
                };
                all_were_read(&walk(common, &reads().await?, None, visit).await?)
            }
        }
    }
}

/// Forgets old outcomes. Prints their number even if the operation fails.
async fn forget_older(
    common: &Common,
    journal: &Journal,
    older_than: Duration,
) -> Result<(), Failure> {
    let (keys, done) = once::forget_all_older(journal, older_than).await;
    match done {
        Ok(()) if common.json => print::json(&json!({ "ok": { "forgotten": keys } })),
        Ok(()) => say!("outcomes forgotten: {keys}; the keys stay"),
        Err(error) => {
            complain!("outcomes forgotten: {keys}, but not all; repeat the command to continue");
            return Err(failed(common, &error));
        }
    }
    Ok(())
}

/// Prints the current entry of a key.
async fn changed(
    common: &Common,
    journal: &dyn messaging_host::Journal,
    key: &str,
) -> Result<(), Failure> {
    match once::look_up(journal, key).await.map_err(|error| failed(common, &error))? {
        Some(entry) if common.json => {
            print::json(&text::Opened(&json!({ "ok": entry_json(&entry) })));
        }
        Some(entry) => say!("{}", view::line(&entry)),
        None => {}
    }
    Ok(())
}

/// Returns the failure of `resolve` if `attempt` was resolved before, and the key has later
/// attempts. The later attempts do not change.
fn attempted_since(entry: &JournalEntry, attempt: u32, journal: &str) -> Failure {
    let (key, last) = (text::word(&entry.key), entry.attempts);
    Failure::Failed(format!(
        "nothing was changed: attempt {attempt} was resolved before, and the key has had {last} attempts; {}",
        match entry.state {
            EntryState::Unknown => format!(
                "look for the message of the last attempt, then: messaging sent resolve {key}{journal} --attempt {last} ..."
            ),
            _ => "the last attempt needs no resolution".into(),
        }
    ))
}

/// Reads pages of entries until `visit` returns false. Returns the unreadable keys.
async fn walk(
    common: &Common,
    journal: &Journal,
    mut after: Option<String>,
    mut visit: impl FnMut(Vec<JournalEntry>) -> bool,
) -> Result<Vec<String>, Failure> {
    let mut unreadable = Vec::new();
    loop {
        let page = once::list_entries(journal, after).await;
        let page = page.map_err(|error| failed(common, &error))?;
        unreadable.extend(page.unreadable);
        after = page.next;
        if !visit(page.entries) || after.is_none() {
            return Ok(unreadable);
        }
    }
}

async fn list(
    common: &Common,
    journal: &Journal,
    state: Option<&str>,
    after: Option<String>,
    limit: u32,
) -> Result<(), Failure> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut entries = Vec::new();
    let fits = |entry: &JournalEntry| state.is_none_or(|state| state == state_name(entry.state));
    let visit = |page: Vec<JournalEntry>| {
        entries.extend(page.into_iter().filter(fits));
        entries.len() <= most
    };
    let unreadable = walk(common, journal, after, visit).await?;
    let more = entries.len() > most;
    entries.truncate(most);
    if common.json {
        let entries: Vec<_> = entries.iter().map(entry_json).collect();
        let json = json!({ "entries": entries, "unreadable": unreadable, "more": more });
        print::json(&text::Opened(&json));
        // The printed object lists the unreadable keys, so no error object is printed.
        return match unreadable.is_empty() {
            true => Ok(()),
            false => Err(Failure::Reported(Exit::Failed)),
        };
    }
    for entry in &entries {
        say!("{}", view::line(entry));
    }
    let last = entries.last().filter(|_| more).map(|entry| text::word(&entry.key));
    let rest = last.map(|key| format!("; more with --after {key}")).unwrap_or_default();
    say!("{DIM}{} listed{rest}{RESET}", entries.len());
    all_were_read(&unreadable)
}
/// Reports unreadable entries, so that an incomplete list is not mistaken for a complete list.
fn all_were_read(unreadable: &[String]) -> Result<(), Failure> {
    let Some(first) = unreadable.first() else { return Ok(()) };
    Err(Failure::Failed(format!(
        "{} entries cannot be read and are left out, the first under the key {}: another version wrote them, or the journal is damaged",
        unreadable.len(),
        text::printable(first)
    )))
}

/// Prints an error with advice for an operator of the journal, and returns the failure.
fn failed(common: &Common, error: &OnceError) -> Failure {
    view::failed(common, error, view::advice_on_journal(error))
}
