//! `send --once` and `sent`: messages that are sent at most once, and the journal that remembers
//! them. What follows from an entry is the library's to say.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use messaging_host::once::wit::{
    EntryState, JournalEntry, MessageRequest, OnceCreated, OnceError, Other, OutcomeUnknown,
    Resolution, Resolved,
};
use messaging_host::once::{self, json as view};
use messaging_host::{Once, wit};
use messaging_journal::{Journal, JournalError, Options, Step};
use messaging_postgres::{Password, journal as postgres};
use serde_json::json;

use super::inbox::duration;
use super::show::{self, BOLD, DIM, GREEN, RED, RESET};
use super::signal::Stop;
use super::store::{self, Checked, Place};
use super::{Common, Failure, Target, calls, print, setup};

/// The setting that names the journal: of this program, not of a component.
pub const JOURNAL_SETTING: &str = "MESSAGING_ONCE_JOURNAL";
/// The journal where nothing names one.
pub const DEFAULT_JOURNAL: &str = "messaging-journal.sqlite";
/// Time that a command waits for another process' transaction.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the journal is.
#[derive(Args)]
pub struct Located {
    /// The journal, one for each account of the service: a file on a local disk, or, for several
    /// machines, a database: postgres://USER@HOST/DATABASE; its password is in
    /// MESSAGING_STORE_PASSWORD or the file that MESSAGING_STORE_PASSWORD_FILE names
    #[arg(long, global = true, value_name = "FILE|URL", env = JOURNAL_SETTING, hide_env_values = true, default_value = DEFAULT_JOURNAL, value_parser = store::place)]
    journal: Place,
    /// Certificate authorities to trust for the PostgreSQL of --journal, as PEM, in place of the
    /// public ones
    #[arg(long, global = true, value_name = "FILE")]
    journal_ca: Option<PathBuf>,
}

impl Located {
    fn authorities(&self) -> Option<&PathBuf> {
        self.journal_ca.as_ref()
    }

    /// Opens the journal to write.
    pub async fn open(&self, create: bool) -> Result<Journal, Failure> {
        open(&self.journal, self.authorities(), create, None).await
    }

    /// Opens the journal to send. Its failures have the names that they have while it sends, and their
    /// exit code: there may be a message under this key. What this command was given is wrong as
    /// anywhere.
    async fn open_to_send(&self) -> Result<Journal, Failure> {
        let opened = opened(&self.journal, self.authorities(), true, None).await?;
        opened.map_err(|error| unusable(&error))
    }

    async fn open_to_read(&self) -> Result<Journal, Failure> {
        let opened = match self.journal.checked("--journal", self.authorities())? {
            Checked::File(path) => Journal::open_to_read(path, PATIENCE),
            Checked::Postgres(target, password) => {
                let options = of_database(password, self.authorities());
                postgres::open_to_read(&target, &options).await
            }
        };
        opened.map_err(|error| not_opened(&error))
    }
}

/// Opens the journal of an option `--journal` to write. `on_step` is told its steps.
pub async fn open(
    place: &Place,
    authorities: Option<&PathBuf>,
    create: bool,
    on_step: Option<Step>,
) -> Result<Journal, Failure> {
    opened(place, authorities, create, on_step).await?.map_err(|error| not_opened(&error))
}

async fn opened(
    place: &Place,
    authorities: Option<&PathBuf>,
    create: bool,
    on_step: Option<Step>,
) -> Result<Result<Journal, JournalError>, Failure> {
    let opened = match place.checked("--journal", authorities)? {
        Checked::File(path) => {
            let is_there = std::fs::metadata(path).is_ok_and(|found| found.len() > 0);
            let options = Options { create, timeout: PATIENCE, on_step };
            let opened = Journal::open(path, options);
            if opened.is_ok() && !is_there {
                let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
                // Whoever meant another one would send what that knows again.
                complain!("made a new journal, {}, which knows of no key yet", path.display());
            }
            opened
        }
        Checked::Postgres(target, password) => {
            let options =
                postgres::Options { create, on_step, ..of_database(password, authorities) };
            postgres::open(&target, options).await
        }
    };
    Ok(opened)
}

/// A journal that a command, or a server at its start, cannot use.
fn not_opened(error: &JournalError) -> Failure {
    match error {
        JournalError::Unavailable { .. } => unusable(error),
        _ => Failure::Usage(error.to_string()),
    }
}

fn of_database(password: Option<Password>, authorities: Option<&PathBuf>) -> postgres::Options {
    let authorities = authorities.cloned();
    postgres::Options { password, authorities, ..postgres::Options::default() }
}

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Sent {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    located: Located,
}

const AFTER_HELP: &str = "\
`send --once KEY` notes in the journal what is to be sent before it is sent, and what became of
it. The same command can be repeated at any time: under one key at most one message is created.

  messaging send --once order-17-shipped --phone \"+34 600 111 222\" --message \"...\"
  messaging sent list --state unknown
  messaging sent resolve order-17-shipped --created msg-0042 --by Ada --reason \"seen in the inbox\"

A key is sending, unknown, created, not-created, or forgotten. Unknown: the sender was lost, or
the service's answer does not say; nobody sends under it until a person has looked at the service
and says so with `resolve`. Not-created: the next `send --once` with the same message sends.

The journal holds keys, salted digests of the messages, times, and what the service said; no
numbers and no texts. To restore an older copy of it sends again what it does not know.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum State {
    Sending,
    Unknown,
    Created,
    NotCreated,
    Forgotten,
}

impl State {
    fn is(self, state: EntryState) -> bool {
        let own = match self {
            Self::Sending => EntryState::Sending,
            Self::Unknown => EntryState::Unknown,
            Self::Created => EntryState::Created,
            Self::NotCreated => EntryState::NotCreated,
            Self::Forgotten => EntryState::Forgotten,
        };
        own == state
    }
}

#[derive(Subcommand)]
enum Command {
    /// List keys and what became of them, in the order of the keys; only reads
    List {
        /// Only keys in this state
        #[arg(long, value_enum)]
        state: Option<State>,
        /// Only keys after this one: the last one of the page before
        #[arg(long, value_name = "KEY")]
        after: Option<String>,
        /// At most this many
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Show everything about one key; only reads
    Show {
        /// The key
        key: String,
    },
    /// Say what became of a key whose outcome is unknown, after a look at the service
    #[command(group = ArgGroup::new("found").required(true))]
    Resolve {
        /// The key
        key: String,
        /// The message exists: its identifier in the service
        #[arg(long, value_name = "ID", group = "found")]
        created: Option<String>,
        /// There is no message, and the service is no longer at work on it: the next `send --once` with this
        /// key sends one
        #[arg(long, group = "found")]
        not_created: bool,
        /// Who has looked
        #[arg(long, value_name = "NAME")]
        by: String,
        /// How, or why it is believed
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// The attempt that was looked for, as `show` counts them; a later one is not resolved
        #[arg(long, value_name = "N", default_value_t = 1)]
        attempt: u32,
    },
    /// Forget what became of a key: identifier, reply, digest. The key stays, and nothing is ever
    /// sent under it again
    #[command(group = ArgGroup::new("which").required(true))]
    Forget {
        /// The key
        #[arg(group = "which")]
        key: Option<String>,
        /// All keys that were created or not created so long ago, for example 90d; those that are
        /// unknown stay. Interrupted, the same command goes on
        #[arg(long, group = "which", value_name = "DURATION", value_parser = duration)]
        older_than: Option<Duration>,
    },
    /// Write every entry as a line of JSON; "json" has the reply as a string, byte for byte
    Export,
}

impl Sent {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let reads = || self.located.open_to_read();
        let writes = || self.located.open(false);
        match &self.command {
            Command::List { state, after, limit } => {
                list(common, &reads().await?, *state, after.clone(), *limit).await
            }
            Command::Show { key } => match once::look_up(&reads().await?, key).await {
                Ok(Some(entry)) => {
                    if common.json {
                        calls::print_json(&show::Opened(&view::entry(&entry)));
                    } else {
                        show_entry(&entry);
                    }
                    Ok(())
                }
                Ok(None) => {
                    let detail = "the key was never used".into();
                    let other = Other { code: "no-entry".into(), detail, status: None };
                    Err(operate(common, &OnceError::PermanentOther(other)))
                }
                Err(error) => Err(operate(common, &error)),
            },
            Command::Resolve { key, created, not_created: _, by, reason, attempt } => {
                let found = created.clone().map_or(Resolved::NotCreated, Resolved::Created);
                let (by, reason, attempt) = (by.clone(), reason.clone(), *attempt);
                let resolution = Resolution { attempt, found, by, reason };
                let journal = writes().await?;
                once::resolve(&journal, key, &resolution)
                    .await
                    .map_err(|error| operate(common, &error))?;
                match changed(common, &journal, key).await? {
                    Some(entry) if entry.attempts != attempt => {
                        Err(attempted_since(&entry, attempt))
                    }
                    _ => Ok(()),
                }
            }
            Command::Forget { key: Some(key), .. } => {
                let journal = writes().await?;
                once::forget(&journal, key).await.map_err(|error| operate(common, &error))?;
                changed(common, &journal, key).await.map(drop)
            }
            Command::Forget { key: None, older_than } => {
                forget_older(common, &writes().await?, older_than.unwrap_or_default()).await
            }
            Command::Export => export(common, &reads().await?).await,
        }
    }
}

/// Forgets what became of old keys, and says of how many, also where it comes to no end.
async fn forget_older(
    common: &Common,
    journal: &Journal,
    older_than: Duration,
) -> Result<(), Failure> {
    let (keys, done) = once::forget_all_older(journal, older_than).await;
    match done {
        Ok(()) if common.json => calls::print_json(&json!({ "ok": { "forgotten": keys } })),
        Ok(()) => say!("{keys} forgotten; the keys stay"),
        Err(error) => {
            complain!("{keys} forgotten, and not all; the same command goes on");
            return Err(operate(common, &error));
        }
    }
    Ok(())
}

/// Shows a key as it is now, and returns it.
async fn changed(
    common: &Common,
    journal: &dyn messaging_host::Journal,
    key: &str,
) -> Result<Option<JournalEntry>, Failure> {
    let entry = once::look_up(journal, key).await.map_err(|error| operate(common, &error))?;
    match &entry {
        Some(entry) if common.json => {
            calls::print_json(&show::Opened(&json!({ "ok": view::entry(entry) })));
        }
        Some(entry) => say!("{}", line(entry)),
        None => {}
    }
    Ok(entry)
}

/// A decision that was made before about an attempt that was not the last: the last one is as it was.
fn attempted_since(entry: &JournalEntry, attempt: u32) -> Failure {
    let (key, last) = (show::printable(&entry.key), entry.attempts);
    Failure::Failed(format!(
        "nothing was changed: this was decided before, about attempt {attempt}, and the key has had {last} attempts; {}",
        match entry.state {
            EntryState::Unknown => format!(
                "look for the last one, then: messaging sent resolve {key} --attempt {last} ..."
            ),
            _ => "the last one needs no decision".into(),
        }
    ))
}

async fn list(
    common: &Common,
    journal: &Journal,
    state: Option<State>,
    mut after: Option<String>,
    limit: u32,
) -> Result<(), Failure> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let (mut entries, mut unreadable) = (Vec::new(), Vec::new());
    loop {
        let page = once::list_entries(journal, after).await;
        let page = page.map_err(|error| operate(common, &error))?;
        unreadable.extend(page.unreadable);
        let fits = |entry: &JournalEntry| state.is_none_or(|state| state.is(entry.state));
        entries.extend(page.entries.into_iter().filter(fits));
        after = page.next;
        if after.is_none() || entries.len() > most {
            break;
        }
    }
    let more = entries.len() > most;
    entries.truncate(most);
    if common.json {
        let entries: Vec<_> = entries.iter().map(view::entry).collect();
        let json = json!({ "entries": entries, "unreadable": unreadable, "more": more });
        calls::print_json(&show::Opened(&json));
    } else {
        for entry in &entries {
            say!("{}", line(entry));
        }
        let last = entries.last().filter(|_| more).map(|entry| show::printable(&entry.key));
        let rest = last.map(|key| format!("; more with --after {key}")).unwrap_or_default();
        say!("{DIM}{} listed{rest}{RESET}", entries.len());
    }
    all_were_read(&unreadable)
}

/// Says which entries were left out, so that nobody takes a part for the whole.
fn all_were_read(unreadable: &[String]) -> Result<(), Failure> {
    let Some(first) = unreadable.first() else { return Ok(()) };
    Err(Failure::Failed(format!(
        "{} entries are left out, which cannot be read, the first one under the key {}: another version wrote them, or the journal is damaged",
        unreadable.len(),
        show::printable(first)
    )))
}

async fn export(common: &Common, journal: &Journal) -> Result<(), Failure> {
    let (mut after, mut unreadable) = (None, Vec::new());
    loop {
        let page = once::list_entries(journal, after).await;
        let page = page.map_err(|error| operate(common, &error))?;
        unreadable.extend(page.unreadable);
        for entry in &page.entries {
            print::plain(&view::entry(entry).to_string());
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    all_were_read(&unreadable)
}

/// An entry on one line.
fn line(entry: &JournalEntry) -> String {
    let colour = match entry.state {
        EntryState::Created => GREEN,
        EntryState::Unknown => RED,
        EntryState::Sending | EntryState::NotCreated => BOLD,
        EntryState::Forgotten => DIM,
    };
    let (state, key) = (view::state(entry.state), show::printable(&entry.key));
    let mut line = format!("{colour}{state:<11}{RESET}  {}  {key}", entry.began);
    if let Some(id) = &entry.id {
        let _ = write!(line, "  {}", show::printable(id));
    }
    if let Some(error) = &entry.error {
        let _ = write!(line, "  {DIM}{}{RESET}", show::printable(error));
    }
    if let Some(outcome) = &entry.outcome {
        let _ = write!(line, "  {RED}{}{RESET}", said(outcome));
    }
    if !entry.also_created.is_empty() {
        let also = entry.also_created.join(", ");
        let _ = write!(line, "  {RED}also created: {}{RESET}", show::printable(&also));
    }
    line
}

fn show_entry(entry: &JournalEntry) {
    say!("{}", line(entry));
    let field = |name: &str, value: &str| say!("  {name:<12} {}", show::printable(value));
    field("attempts", &entry.attempts.to_string());
    field("gives up", &entry.gives_up);
    if let Some(ended) = &entry.ended {
        field("ended", ended);
    }
    if let Some(json) = &entry.json {
        field("json", json);
    }
    for made in &entry.resolutions {
        let found = match &made.resolution.found {
            Resolved::Created(id) => format!("created {id}"),
            Resolved::NotCreated => "not created".into(),
        };
        let (by, reason) = (&made.resolution.by, &made.resolution.reason);
        let attempt = made.resolution.attempt;
        field("resolved", &format!("{} attempt {attempt}: {found}, by {by}: {reason}", made.at));
    }
    if entry.state == EntryState::Unknown {
        let (key, attempt) = (show::printable(&entry.key), entry.attempts);
        say!(
            "{DIM}Look into the service's inbox, then: messaging sent resolve {key} --attempt {attempt} --by NAME --reason TEXT, with --created ID or --not-created{RESET}"
        );
    }
}

/// Describes an unknown outcome, in one line.
fn said(outcome: &OutcomeUnknown) -> String {
    let text = match &outcome.refusal {
        Some(refusal) => {
            let words = refusal.message.as_ref().unwrap_or(&refusal.body);
            let words: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
            let words: String = words.chars().take(200).collect();
            format!("{}; the service said: status {}: {words}", outcome.detail, refusal.status)
        }
        None => outcome.detail.clone(),
    };
    show::printable(&text)
}

/// `send --once`: sends one message, unless the key has one.
pub async fn send(
    common: &Common,
    target: &Target,
    key: &str,
    located: &Located,
    request: wit::MessageRequest,
) -> Result<(), Failure> {
    let session = setup::session(common, target).await?;
    let deadline = session.deadline;
    let journal = located.open_to_send().await?;
    let once = Once::new(session, Arc::new(journal), deadline);
    let field = |field: wit::Field| once::wit::Field { name: field.name, json: field.json };
    let request = MessageRequest {
        phone: request.phone,
        message: request.message,
        device: request.device,
        fields: request.fields.into_iter().map(field).collect(),
    };
    let mut stop = Stop::new();
    let result = tokio::select! {
        biased;
        result = once.send_once(key, &request) => result,
        _ = stop.wait() => {
            let key = show::printable(key);
            complain!("interrupted; the same command, repeated with --once {key}, sends no second message and says what is known");
            return Err(Failure::Interrupted);
        }
    };
    match result {
        Ok(created) => {
            stop.end_at_once(format!("created {}", show::printable(&created.id)));
            show_created(common, key, &created);
            Ok(())
        }
        Err(error) => {
            stop.end_at_once(format!("{}: {}", once::case(&error), advice(&error)));
            Err(report(common, &error))
        }
    }
}

fn show_created(common: &Common, key: &str, created: &OnceCreated) {
    let (id, key) = (show::printable(&created.id), show::printable(key));
    if common.json {
        calls::print_json(&show::Opened(&json!({ "ok": view::created(created) })));
    } else {
        say!("{GREEN}created{RESET} {id}");
        match created.replayed {
            true => {
                say!("{DIM}An earlier call with this key created it; nothing was sent now.{RESET}")
            }
            false => say!(
                "{DIM}Created is all that is known. Whether it arrives is for the service to say.{RESET}"
            ),
        }
    }
    if !created.recorded {
        complain!(
            "{RED}not noted:{RESET} the journal did not take it, so this key is unknown to later calls. When it answers again: messaging sent resolve {key} --created {id} --by NAME --reason TEXT"
        );
    }
}

/// Shows an error of a send, and what it is for the exit code.
fn report(common: &Common, error: &OnceError) -> Failure {
    show_error(common, error, advice(error));
    match error {
        OnceError::PermanentInvalidInput(_) | OnceError::PermanentInvalidSettings(_) => {
            Failure::ReportedUsage
        }
        _ => Failure::Reported,
    }
}

/// The same of a command on the journal, which sends nothing.
fn operate(common: &Common, error: &OnceError) -> Failure {
    show_error(common, error, advice_on_journal(error));
    match error {
        OnceError::PermanentInvalidInput(_) => Failure::ReportedUsage,
        _ => Failure::Reported,
    }
}

fn show_error(common: &Common, error: &OnceError, advice: &str) {
    if common.json {
        calls::print_json(&json!({ "error": view::error(error) }));
    }
    if !common.json || print::failure().is_some() {
        complain!("{RED}{}{RESET}: {}", once::case(error), text(error));
        complain!("{DIM}{advice}{RESET}");
    }
}

/// Describes an error, in one line.
fn text(error: &OnceError) -> String {
    let refused = |status: u16, message: Option<&String>, body: &str| {
        let words: String = message.map_or(body, String::as_str).chars().take(200).collect();
        format!("status {status}: {words}")
    };
    let text = match error {
        OnceError::ExecutionFailed => "the engine could not run it".into(),
        OnceError::PermanentInvalidInput(invalid) => {
            format!("{} {}", invalid.field, invalid.detail)
        }
        OnceError::PermanentInvalidSettings(invalid) => {
            format!("{} {}", invalid.setting, invalid.detail)
        }
        OnceError::PermanentUnauthorized(said) | OnceError::PermanentRefused(said) => {
            refused(said.status, said.message.as_ref(), &said.body)
        }
        OnceError::PermanentOutcomeUnknown(outcome) => said(outcome),
        OnceError::PermanentDenied(denied) => denied.detail.clone(),
        OnceError::PermanentKeyReused(failure)
        | OnceError::PermanentKeyForgotten(failure)
        | OnceError::PermanentJournal(failure) => failure.detail.clone(),
        OnceError::PermanentNotRecorded(said) => format!("{}: {}", said.error, said.detail),
        OnceError::RateLimited(limit) => {
            let said = &limit.refusal;
            refused(said.status, said.message.as_ref(), &said.body)
        }
        OnceError::NotSent(not_sent) => not_sent.detail.clone(),
        OnceError::Unavailable(unavailable) => unavailable.detail.clone(),
        OnceError::Busy(busy) => match busy.retry_after_ms {
            Some(ms) => format!("{}, for {ms} ms at most", busy.detail),
            None => busy.detail.clone(),
        },
        OnceError::PermanentOther(other) => format!("{}: {}", other.code, other.detail),
    };
    show::printable(&text)
}

/// Returns advice for the caller.
fn advice(error: &OnceError) -> &'static str {
    match error {
        OnceError::ExecutionFailed => "look at the engine's log, and call again",
        OnceError::PermanentInvalidInput(_) => {
            "correct the value, and use another key for what was corrected; nothing was sent"
        }
        OnceError::PermanentInvalidSettings(_) => "correct the setting; nothing was sent",
        OnceError::PermanentUnauthorized(_) => "check MESSAGING_API_KEY; nothing was created",
        OnceError::PermanentRefused(_) => "look at what the service says; nothing was created",
        OnceError::PermanentOutcomeUnknown(_) => {
            "look into the service's inbox, then `sent resolve`; to repeat the command sends nothing"
        }
        OnceError::PermanentDenied(_) => "allow this destination in the host",
        OnceError::PermanentKeyReused(_) => {
            "nothing was sent now; this key stands for another request, whose message may exist: `sent show`. Only what is another message takes another key"
        }
        OnceError::PermanentKeyForgotten(_) => {
            "nothing was sent now; there may be a message: another key only where it is to be sent again"
        }
        OnceError::PermanentNotRecorded(_) => {
            "nothing was created; when the journal answers again, `sent resolve --not-created`"
        }
        OnceError::PermanentJournal(_) => "mend the journal; nothing was sent",
        OnceError::RateLimited(_) => "wait, then repeat the command",
        OnceError::NotSent(_) => "repeat the command: no request reached the service",
        OnceError::Unavailable(_) => "repeat the command: nothing was sent",
        OnceError::Busy(_) => "repeat the command: it sends no second message",
        OnceError::PermanentOther(_) => "`sent show` says what is known; nothing was sent",
    }
}

/// Returns advice for who looks into the journal or decides about a key.
fn advice_on_journal(error: &OnceError) -> &'static str {
    match error {
        OnceError::PermanentInvalidInput(_) => "correct the value",
        OnceError::PermanentOutcomeUnknown(_) => {
            "look into the service's inbox, then `sent resolve`; what is unknown cannot be forgotten"
        }
        OnceError::PermanentKeyForgotten(_) => {
            "nothing is left to decide: no message is ever sent under this key again"
        }
        OnceError::PermanentJournal(_) => "mend the journal, then repeat the command",
        OnceError::Busy(_) => "repeat the command when its sender has given up",
        OnceError::Unavailable(_) => "repeat the command",
        OnceError::PermanentOther(other) => match other.code.as_str() {
            "no-entry" => "`sent list` shows the keys that were used",
            "other-attempt" => {
                "`sent show` says what is known of the last attempt; where that is unknown, and was looked for, name it with --attempt"
            }
            _ => "`sent show` says what is known",
        },
        _ => advice(error),
    }
}

/// A journal that cannot be used: nothing was sent.
fn unusable(error: &JournalError) -> Failure {
    let case = match error {
        JournalError::Unavailable { .. } => "unavailable",
        _ => "permanent-journal",
    };
    Failure::Journal { case, message: error.to_string() }
}
