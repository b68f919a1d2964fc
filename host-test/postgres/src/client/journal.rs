//! The journal on PostgreSQL, shared by any number of senders.
//!
//! Waiting swaps (compare-and-swap requests) share one statement. To avoid deadlocks, the statement
//! inserts rows in the order of keys. It then locks the rows of existing keys, also in the order of
//! keys. If an insert finds an existing key, a second statement reads the key's value, because the
//! first statement does not see transactions that commit after it began.
//!
//! A read waits until the value is on the disk and on the synchronous standby, because its caller
//! relies on the value.

use std::collections::BTreeMap;
use std::sync::Arc;

use messaging_inbox::StoreError;
use messaging_journal::{Backend, Journal, JournalError, PAGE_KEYS, Page, Reply, Swapped};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use crate::client::connector::Connector;
use crate::client::fault::Fault;
use crate::client::group::{Answers, Done, GroupCommit, Request, Shared};
use crate::client::link::Access;
use crate::client::pool::{Pool, on};
use crate::client::row::{some_text, text, value};
use crate::client::schema;
use crate::client::session::Session;
use crate::client::tables::{Tables, Unique, confirmed};
use crate::options::Options;
use crate::target::Target;

/// Number of connections for reads. All swaps share one further connection.
const READING: usize = 2;

static TABLES: Tables = Tables {
    schema: "messaging_journal",
    version: 1,
    create: include_str!("journal/schema.sql"),
    creators: "`messaging sent init` or `messaging send --once`",
    numbered: &[],
    unique: &[Unique {
        table: "entries",
        columns: "key",
        is_partial: false,
        create: "ALTER TABLE messaging_journal.entries ADD PRIMARY KEY (key)",
    }],
};

/// Returns a row for each request: its position, whether the swap succeeded, and the previous value
/// if the request expects a value.
const SWAP: &str = concat!(
    "WITH asked AS MATERIALIZED (
        SELECT k, e, t, n
        FROM unnest($1::bytea[], $2::bytea[], $3::bytea[]) WITH ORDINALITY AS asked (k, e, t, n)
    ), inserted AS (
        INSERT INTO messaging_journal.entries (key, value)
        SELECT k, t FROM asked WHERE e IS NULL ORDER BY n
        ON CONFLICT (key) DO NOTHING
        RETURNING key
    ), found AS MATERIALIZED (
        SELECT key, value FROM messaging_journal.entries
        WHERE key = ANY(ARRAY(SELECT k FROM asked WHERE e IS NOT NULL))
            AND (SELECT count(*) FROM inserted) >= 0
        ORDER BY key FOR UPDATE
    ), updated AS (
        UPDATE messaging_journal.entries AS entry SET value = asked.t
        FROM asked JOIN found ON found.key = asked.k AND found.value = asked.e
        WHERE entry.key = asked.k
        RETURNING entry.key
    )
    SELECT asked.n, inserted.key IS NOT NULL OR updated.key IS NOT NULL, found.value, ",
    confirmed!("messaging_journal"),
    " FROM asked
    LEFT JOIN inserted ON inserted.key = asked.k
    LEFT JOIN updated ON updated.key = asked.k
    LEFT JOIN found ON found.key = asked.k"
);

/// Returns a row for each key: its position and its value.
const LOOK: &str = concat!(
    "SELECT asked.n, entry.value, ",
    confirmed!("messaging_journal"),
    " FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (k, n)
    LEFT JOIN LATERAL
        (SELECT value FROM messaging_journal.entries WHERE key = asked.k OFFSET 0) AS entry ON true"
);

/// Reads the value of one key. A standby accepts the statement too.
const READ: &str = "SELECT value FROM messaging_journal.entries WHERE key = $1";

const LIST: &str =
    "SELECT key, value FROM messaging_journal.entries WHERE key > $1 ORDER BY key LIMIT $2";

/// Opens the journal in a database and creates missing tables. Requires a tokio runtime with time
/// and I/O enabled, on which the connections run.
///
/// # Errors
/// - Returns [`JournalError::NotSetUp`] if the database, its tables or its settings are unsuitable.
/// - Returns [`JournalError::Unavailable`] if the database does not respond.
pub async fn open(target: &Target, options: Options) -> Result<Journal, JournalError> {
    if options.warns && target.is_remote_cleartext() {
        tracing::warn!(
            "connection to another machine without TLS (sslmode=disable): anyone on the network can read the keys"
        );
    }
    let connector =
        Connector::new(target, &options, Access::Write, &TABLES, None).map_err(of_store)?;
    let session =
        schema::prepare(&connector, options.create, options.warns).await.map_err(of_store)?;
    let shared = Shared { connector: Arc::clone(&connector), committed: Arc::new(|_| {}) };
    let swaps = GroupCommit::start(&shared, Some(session));
    let writing = Writing { swaps, pool: Pool::new(connector, READING) };
    Ok(Journal::over(Arc::new(writing), options.timeout))
}

/// Opens the journal in a database for reading. The server can be a standby, and the role needs no
/// right to write. A standby may lag, so do not use this journal to send.
///
/// # Errors
/// Returns the errors of [`open`].
pub async fn open_to_read(target: &Target, options: &Options) -> Result<Journal, JournalError> {
    let connector =
        Connector::new(target, options, Access::Read, &TABLES, None).map_err(of_store)?;
    schema::check(&connector).await.map_err(of_store)?;
    let reading = Reading(Pool::new(connector, READING));
    Ok(Journal::over(Arc::new(reading), options.timeout))
}

fn of_store(error: StoreError) -> JournalError {
    match error {
        StoreError::NotSetUp { store: journal, detail }
        | StoreError::NotAStore { store: journal, detail }
        | StoreError::Damaged { store: journal, detail } => {
            JournalError::NotSetUp { journal, detail }
        }
        StoreError::OtherSchema { store: journal, found, known } => {
            let detail = format!(
                "its tables have version {found}, but this program supports version {known}; use the program version that created them"
            );
            JournalError::NotSetUp { journal, detail }
        }
        StoreError::Unavailable { store: journal, detail } => {
            JournalError::Unavailable { journal, detail }
        }
        other => JournalError::Refused { detail: other.to_string() },
    }
}

/// A journal that is open for writing.
struct Writing {
    swaps: GroupCommit<Swap>,
    pool: Pool,
}

/// A journal that is open for reading.
struct Reading(Pool);

fn answer<'a, T>(asked: impl Future<Output = Result<T, StoreError>> + Send + 'a) -> Reply<'a, T> {
    Box::pin(async move { asked.await.map_err(of_store) })
}

impl Backend for Writing {
    fn name(&self) -> String {
        self.pool.connector().name().to_string()
    }

    fn get(&self, key: String) -> Reply<'_, Option<String>> {
        answer(async move {
            let values = on!(self.pool, session => look(session, &[key.as_bytes()]))?;
            Ok(values.into_iter().next().flatten())
        })
    }

    fn swap(&self, key: String, expected: Option<String>, new: String) -> Reply<'_, Swapped> {
        answer(self.swaps.ask(self.pool.connector().name(), Swap { key, expected, new }))
    }

    fn list(&self, after: String) -> Reply<'_, Page> {
        answer(list(&self.pool, after))
    }
}

impl Backend for Reading {
    fn name(&self) -> String {
        self.0.connector().name().to_string()
    }

    fn get(&self, key: String) -> Reply<'_, Option<String>> {
        answer(async move {
            let of = |rows: &[Row]| rows.first().map(|row| text(row, 0)).transpose();
            self.0.read("reading a value", READ, &[(&key.as_bytes() as _, Type::BYTEA)], of).await
        })
    }

    fn swap(&self, _: String, _: Option<String>, _: String) -> Reply<'_, Swapped> {
        let (journal, detail) = (self.name(), "it is open only for reading".into());
        Box::pin(async { Err(JournalError::NotSetUp { journal, detail }) })
    }

    fn list(&self, after: String) -> Reply<'_, Page> {
        answer(list(&self.0, after))
    }
}

async fn list(pool: &Pool, after: String) -> Result<Page, StoreError> {
    let (after, most) = (after.as_bytes(), i64::from(PAGE_KEYS));
    let page = [(&after as _, Type::BYTEA), (&most as _, Type::INT8)];
    let of = |rows: &[Row]| rows.iter().map(|row| Ok((text(row, 0)?, text(row, 1)?))).collect();
    pool.read("listing keys", LIST, &page, of).await.map(Page::of)
}

/// Returns the values of `keys`, in order.
async fn look(session: &mut Session, keys: &[&[u8]]) -> Result<Vec<Option<String>>, Fault> {
    let rows = session.once("reading values", LOOK, &[(&keys, Type::BYTEA_ARRAY)]).await?;
    let mut texts = Vec::new();
    for row in &rows {
        let ordinal: i64 = value(row, 0)?;
        texts.push((ordinal, some_text(row, 1)?));
    }
    texts.sort_unstable_by_key(|(ordinal, _)| *ordinal);
    Ok(texts.into_iter().map(|(_, text)| text).collect())
}

/// A waiting swap.
struct Swap {
    key: String,
    expected: Option<String>,
    new: String,
}

impl Request for Swap {
    type Answer = Swapped;

    const FAILED: &'static str =
        "the outcome of swaps is unknown; their callers read the entries again";

    fn bytes(&self) -> usize {
        let expected = self.expected.as_ref().map_or(0, String::len);
        self.key.len().saturating_add(self.new.len()).saturating_add(expected)
    }

    /// Runs the first swap of each key. Further swaps of a key run in later transactions.
    async fn run(session: &mut Session, requests: &[&Self]) -> Result<Answers<Self>, Fault> {
        const DOING: &str = "changing values";
        let mut firsts: BTreeMap<&[u8], usize> = BTreeMap::new();
        for (at, request) in requests.iter().enumerate() {
            firsts.entry(request.key.as_bytes()).or_insert(at);
        }
        let asked: Vec<(usize, &Self)> = firsts
            .into_values()
            .filter_map(|at| requests.get(at).map(|request| (at, *request)))
            .collect();
        let keys: Vec<&[u8]> = asked.iter().map(|(_, one)| one.key.as_bytes()).collect();
        let expected: Vec<Option<&[u8]>> =
            asked.iter().map(|(_, one)| one.expected.as_deref().map(str::as_bytes)).collect();
        let new: Vec<&[u8]> = asked.iter().map(|(_, one)| one.new.as_bytes()).collect();
        let columns = [
            (&keys as _, Type::BYTEA_ARRAY),
            (&expected as _, Type::BYTEA_ARRAY),
            (&new as _, Type::BYTEA_ARRAY),
        ];
        let rows = session.once(DOING, SWAP, &columns).await?;
        // The swap is committed. A later error must not report it as failed.
        let unsure = |fault: Fault| Fault::Unsure { doing: DOING, detail: format!("{fault:?}") };
        let mut each: Vec<_> = requests.iter().map(|_| Done::Later).collect();
        let mut occupied = Vec::new();
        for row in &rows {
            let (ordinal, swapped, found): (i64, bool, _) =
                (|| Ok((value(row, 0)?, value(row, 1)?, some_text(row, 2)?)))().map_err(unsure)?;
            let asked =
                usize::try_from(ordinal.saturating_sub(1)).ok().and_then(|at| asked.get(at));
            let Some(&(at, request)) = asked else { continue };
            let done = match (swapped, &request.expected) {
                (true, _) => Done::Answered(Ok(Swapped::Swapped)),
                // The row was locked and had the expected value, but the update did not change it.
                (false, Some(_)) if found == request.expected => Done::dropped(session),
                (false, Some(_)) => Done::Answered(Ok(Swapped::Stale(found))),
                (false, None) => {
                    occupied.push((at, request.key.as_bytes()));
                    continue;
                }
            };
            if let Some(entry) = each.get_mut(at) {
                *entry = done;
            }
        }
        if !occupied.is_empty() {
            let keys: Vec<&[u8]> = occupied.iter().map(|(_, key)| *key).collect();
            let texts = look(session, &keys).await.map_err(unsure)?;
            for ((at, _), text) in occupied.into_iter().zip(texts) {
                let done = match text {
                    Some(text) => Done::Answered(Ok(Swapped::Stale(Some(text)))),
                    // The row was deleted, or the insert was ignored.
                    None => Done::dropped(session),
                };
                if let Some(entry) = each.get_mut(at) {
                    *entry = done;
                }
            }
        }
        Ok(Answers { each, news: false })
    }
}
