//! `send --once` and `sent`: messages that are sent at most once, and the journal that remembers
//! them. What follows from an entry is the library's to say.

use std::convert::Infallible;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use messaging_host::once::wit::{
    EntryState, JournalEntry, OnceCreated, OnceError, Other, OutcomeUnknown, Resolution, Resolved,
};
use messaging_host::once::{self, json as view};
use messaging_host::{Once, wit};
use messaging_journal::{Journal, JournalError, Options};
use messaging_once_core::Key;
use messaging_postgres::{Password, journal as postgres};
use serde_json::json;

use super::exit::Exit;
use super::inbox::duration;
use super::setup::Session;
use super::show::{self, BOLD, DIM, GREEN, RED, RESET};
use super::signal::Stop;
use super::store::{self, Checked, Place};
use super::{Common, Failure, LogFormat, Target, calls, print, setup};

/// The setting that names the journal. Components do not read it.
pub const JOURNAL_SETTING: &str = "MESSAGING_ONCE_JOURNAL";
/// The setting that makes a missing journal an error. Components do not read it.
pub const EXISTING_SETTING: &str = "MESSAGING_ONCE_EXISTING_JOURNAL";
/// The name of the default journal in the state directory.
const DEFAULT_JOURNAL: &str = "journal.sqlite";
/// Timeout of a request to the journal.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Delay before a send that waits for another sender says so.
const NOTICE_AFTER: Duration = Duration::from_millis(250);

/// The location of the journal.
#[derive(Args)]
pub struct Located {
    /// Journal of the account: a file, or postgres://USER@HOST/DATABASE [journal.sqlite in the state directory]
    ///
    /// A file is on a local disk; its directory must exist. Several machines share a database. Its
    /// password is in MESSAGING_STORE_PASSWORD, or in the file that MESSAGING_STORE_PASSWORD_FILE
    /// names.
    #[arg(long, global = true, value_name = "FILE|URL", env = JOURNAL_SETTING, hide_env_values = true, value_parser = store::journal())]
    journal: Option<Place>,
    /// Trust these certificate authorities (PEM) for the PostgreSQL of --journal
    #[arg(long, global = true, value_name = "FILE")]
    journal_ca: Option<PathBuf>,
}

/// The location of the journal of a command that sends.
#[derive(Args)]
pub struct Sending {
    #[command(flatten)]
    located: Located,
    /// Fail if the journal does not exist; `sent init` creates one
    #[arg(long, env = EXISTING_SETTING, hide_env_values = true)]
    existing_journal: bool,
}

impl Located {
    fn authorities(&self) -> Option<&PathBuf> {
        self.journal_ca.as_ref()
    }

    /// The journal that is named, or the default one.
    fn place(&self) -> Result<Place, Failure> {
        match &self.journal {
            Some(place) => Ok(place.clone()),
            None => Place::by_default(DEFAULT_JOURNAL, "--journal", JOURNAL_SETTING),
        }
    }

    /// Opens the journal to write.
    async fn open(&self, create: bool) -> Result<Journal, Failure> {
        let opening = Opening { create, ..Opening::default() };
        open(&self.place()?, self.authorities(), opening).await
    }

    async fn open_to_read(&self) -> Result<Journal, Failure> {
        let opened = match self.place()?.checked("--journal", self.authorities())? {
            Checked::File(path) => Journal::open_to_read(path, TIMEOUT),
            Checked::Postgres(target, password) => {
                let options = of_database(password, self.authorities());
                postgres::open_to_read(&target, &options).await
            }
        };
        opened.map_err(|error| not_opened(&error))
    }

    /// Creates the journal unless it exists.
    async fn create(&self, common: &Common) -> Result<(), Failure> {
        let place = self.place()?;
        let exists = match place.checked("--journal", self.authorities())? {
            Checked::File(path) => exists(path),
            Checked::Postgres(..) => self.open_to_read().await.is_ok(),
        };
        let opening = Opening { create: true, warns: true };
        let opened = opened(&place, self.authorities(), opening).await?;
        opened.map_err(|error| not_opened(&error))?.close().await;
        if common.json {
            let journal = place.to_string();
            calls::print_json(&json!({ "ok": { "journal": journal, "created": !exists } }));
        } else if exists {
            say!("the journal exists: {place}");
        } else {
            say!("{GREEN}created{RESET} the journal {place}");
        }
        Ok(())
    }
}

impl Sending {
    /// Opens the journal of a server that sends.
    pub async fn open(&self) -> Result<Journal, Failure> {
        open_to_send(self).await?.map_err(|error| not_opened(&error))
    }
}

/// Opens the journal to send. A missing one is created, unless it must exist.
async fn open_to_send(sending: &Sending) -> Result<Result<Journal, JournalError>, Failure> {
    let Sending { located, existing_journal } = sending;
    let place = located.place()?;
    let opening = Opening { create: !existing_journal, ..Opening::default() };
    let opened = opened_and_told(&place, located.authorities(), opening).await?;
    match opened {
        Err(error @ JournalError::NotSetUp { .. }) if *existing_journal => {
            Err(Failure::Usage(format!(
                "{error}. If no journal is there: create it with `messaging sent init`, correct --journal, or leave out --existing-journal ({EXISTING_SETTING})"
            )))
        }
        opened => Ok(opened),
    }
}

/// Options to open a journal to write.
#[derive(Default)]
pub struct Opening {
    /// Create a missing journal.
    pub create: bool,
    /// Log unwise settings of the database. Not for commands that loops repeat.
    pub warns: bool,
}

/// Opens the journal of an option `--journal` to write.
pub async fn open(
    place: &Place,
    authorities: Option<&PathBuf>,
    opening: Opening,
) -> Result<Journal, Failure> {
    opened_and_told(place, authorities, opening).await?.map_err(|error| not_opened(&error))
}

/// Opens a journal. Reports a file that it creates, because another journal may have been meant.
async fn opened_and_told(
    place: &Place,
    authorities: Option<&PathBuf>,
    opening: Opening,
) -> Result<Result<Journal, JournalError>, Failure> {
    let opened = opened(place, authorities, opening).await?;
    if opened.as_ref().is_ok_and(Journal::is_new) {
        complain!("created the journal {place}; it knows no keys yet");
    }
    Ok(opened)
}

async fn opened(
    place: &Place,
    authorities: Option<&PathBuf>,
    opening: Opening,
) -> Result<Result<Journal, JournalError>, Failure> {
    let Opening { create, warns } = opening;
    if create {
        place.create_state_directory("--journal", JOURNAL_SETTING)?;
    }
    Ok(match place.checked("--journal", authorities)? {
        Checked::File(path) => {
            Journal::open(path, Options { create, timeout: TIMEOUT, on_step: None })
        }
        Checked::Postgres(target, password) => {
            let own = of_database(password, authorities);
            let options = postgres::Options { create, warns, ..own };
            postgres::open(&target, options).await
        }
    })
}

/// Returns true if a journal has been written to the file.
fn exists(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.len() > 0)
}

/// The failure of a command, or of a server at its start, that cannot use a journal.
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
`send --once KEY` records the intent before it sends, and the outcome after it. The same command is
safe to repeat at any time: a key creates at most one message.

  messaging send --once order-17-shipped --phone \"+34 600 111 222\" --message \"...\"
  messaging sent list --state unknown
  messaging sent resolve order-17-shipped --created msg-0042 --by Ada --reason \"seen in the inbox\"

States of a key:
  sending      a sender holds the key
  unknown      the sender was lost, or the reply does not say whether the message exists; the key
               sends nothing until a person has looked at the service and runs `resolve`
  created      the message exists
  not-created  no message exists; the next `send --once` with the same message sends it
  forgotten    the outcome was discarded; the key never sends again

The journal holds keys, salted digests of the messages, times, and replies of the service. It holds
no phone numbers and no texts. An older copy of a journal sends messages again that it lacks.";

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
    /// Create the journal unless it exists
    Init,
    /// List keys and their states, in key order (read-only)
    List {
        /// List only keys in this state
        #[arg(long, value_enum)]
        state: Option<State>,
        /// List keys after this one: the last of the previous page
        #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
        after: Option<String>,
        /// List at most this many
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Show everything about one key (read-only)
    Show {
        /// The key
        #[arg(allow_hyphen_values = true)]
        key: String,
    },
    /// Record the outcome of an unknown key, after a look at the service
    #[command(group = ArgGroup::new("found").required(true))]
    Resolve {
        /// The key
        #[arg(allow_hyphen_values = true)]
        key: String,
        /// The message exists: its identifier in the service
        #[arg(long, value_name = "ID", group = "found", allow_hyphen_values = true)]
        created: Option<String>,
        /// No message exists; the next `send --once` with this key sends it
        #[arg(long, group = "found")]
        not_created: bool,
        /// Name of the person who looked
        #[arg(long, value_name = "NAME")]
        by: String,
        /// How the outcome was verified
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// Number of the attempt, from `show`; later attempts stay unresolved
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
        #[arg(long, group = "which", value_name = "DURATION", value_parser = duration)]
        older_than: Option<Duration>,
    },
    /// Write every entry as a line of JSON (read-only)
    Export,
}

impl Sent {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let reads = || self.located.open_to_read();
        let writes = || self.located.open(false);
        match &self.command {
            Command::Init => self.located.create(common).await,
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
    let (key, last) = (show::word(&entry.key), entry.attempts);
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
        let last = entries.last().filter(|_| more).map(|entry| show::word(&entry.key));
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
        let (key, attempt) = (show::word(&entry.key), entry.attempts);
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
    sending: &Sending,
    request: wit::MessageRequest,
) -> Result<(), Failure> {
    // An invalid key must not create a journal.
    if let Err(invalid) = Key::new(key) {
        let (field, detail) = ("key".to_string(), invalid.to_string());
        let error = OnceError::PermanentInvalidInput(once::wit::InvalidInput { field, detail });
        return Err(report(common, &error));
    }
    let session = setup::session(common, target).await?;
    if common.component.is_none() {
        // Invalid settings must not create a journal.
        session.plugin.config().settings().map_err(calls::refused)?;
    }
    let deadline = session.deadline;
    let journal = open_to_send(sending).await?.map_err(|error| unusable(&error))?;
    let once = Once::new(session, Arc::new(journal), deadline);
    let mut stop = Stop::new();
    let result = tokio::select! {
        biased;
        result = once.send_once(key, &request) => result,
        _ = stop.wait() => {
            let key = show::word(key);
            complain!("interrupted; repeat the command with --once {key}: it sends no second message");
            return Err(Failure::Reported(Exit::Interrupted));
        }
        never = report_wait(common, &once, key, deadline) => match never {},
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

/// Reports once if the send waits for another sender of its key.
async fn report_wait(
    common: &Common,
    once: &Once<Session>,
    key: &str,
    deadline: Duration,
) -> Infallible {
    let waits_until = SystemTime::now().checked_add(deadline);
    while !once.provider().has_begun() {
        tokio::time::sleep(NOTICE_AFTER).await;
        let entry = match once::look_up(once.journal(), key).await {
            Ok(Some(entry)) if entry.state == EntryState::Sending => entry,
            _ => continue,
        };
        if once.provider().has_begun() {
            break;
        }
        let gives_up = humantime::parse_rfc3339_weak(&entry.gives_up).ok();
        let until = gives_up.into_iter().chain(waits_until).min().unwrap_or(UNIX_EPOCH);
        let until = humantime::format_rfc3339_seconds(until).to_string();
        match common.log_format {
            LogFormat::Json => tracing::warn!(until, "waiting for another sender of this key"),
            LogFormat::Text => {
                let time = until.get(11..19).unwrap_or(&until);
                complain!("waiting for another sender of this key, until {time} UTC");
            }
        }
        break;
    }
    std::future::pending().await
}

fn show_created(common: &Common, key: &str, created: &OnceCreated) {
    let id = show::printable(&created.id);
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
        let (id, key) = (show::word(&created.id), show::word(key));
        complain!(
            "{RED}not recorded:{RESET} the journal did not accept the outcome. When it responds again, run: messaging sent resolve {key} --created {id} --by NAME --reason TEXT"
        );
    }
}

/// Shows an error of a send, and returns its exit code.
fn report(common: &Common, error: &OnceError) -> Failure {
    show_error(common, error, advice(error));
    Failure::Reported(Exit::of_case(once::case(error)))
}

/// Shows an error of a command on the journal, which sends nothing, and returns its exit code.
fn operate(common: &Common, error: &OnceError) -> Failure {
    show_error(common, error, advice_on_journal(error));
    Failure::Reported(Exit::of_case(once::case(error)))
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
        OnceError::ExecutionFailed => "read the engine's log, and repeat the command",
        OnceError::PermanentInvalidInput(_) => {
            "nothing was sent; correct the value, and repeat the command with the same key"
        }
        OnceError::PermanentInvalidSettings(_) => "correct the setting; nothing was sent",
        OnceError::PermanentUnauthorized(_) => "check MESSAGING_API_KEY; nothing was created",
        OnceError::PermanentRefused(_) => {
            "read the service's reason; nothing was created. A changed message needs a new key"
        }
        OnceError::PermanentOutcomeUnknown(_) => {
            "the message may exist: look into the service's inbox, then run `sent resolve`; this key sends nothing until then"
        }
        OnceError::PermanentDenied(_) => "allow this destination in the host",
        OnceError::PermanentKeyReused(_) => {
            "nothing was sent now; `sent show` has the state of this key. Use another key only for another message"
        }
        OnceError::PermanentKeyForgotten(_) => {
            "nothing was sent now; the message may exist. Use another key only to send it again"
        }
        OnceError::PermanentNotRecorded(_) => {
            "nothing was created; when the journal responds again, run `sent resolve --not-created`"
        }
        OnceError::PermanentJournal(_) => "repair the journal; nothing was sent",
        OnceError::RateLimited(_) => "wait, then repeat the command",
        OnceError::NotSent(_) => "repeat the command: no request reached the service",
        OnceError::Unavailable(_) => "repeat the command: nothing was sent",
        OnceError::Busy(_) => "repeat the command: it sends no second message",
        OnceError::PermanentOther(_) => "nothing was sent; `sent show` shows the key",
    }
}

/// Returns advice for an operator of the journal.
fn advice_on_journal(error: &OnceError) -> &'static str {
    match error {
        OnceError::PermanentInvalidInput(_) => "correct the value",
        OnceError::PermanentOutcomeUnknown(_) => {
            "look into the service's inbox, then `sent resolve`; an unknown outcome cannot be forgotten"
        }
        OnceError::PermanentKeyForgotten(_) => {
            "nothing is left to resolve: this key never sends again"
        }
        OnceError::PermanentJournal(_) => "repair the journal, then repeat the command",
        OnceError::Busy(_) => "repeat the command when its sender has given up",
        OnceError::Unavailable(_) => "repeat the command",
        OnceError::PermanentOther(other) => match other.code.as_str() {
            "no-entry" => "`sent list` shows the keys that were used",
            "other-attempt" => {
                "`sent show` shows the last attempt; if it is unknown and you looked for it, name it with --attempt"
            }
            _ => "`sent show` shows the key",
        },
        _ => advice(error),
    }
}

/// The failure of a send that cannot use its journal; nothing was sent.
fn unusable(error: &JournalError) -> Failure {
    let case = match error {
        JournalError::Unavailable { .. } => "unavailable",
        _ => "permanent-journal",
    };
    Failure::Unusable { case, message: error.to_string() }
}
