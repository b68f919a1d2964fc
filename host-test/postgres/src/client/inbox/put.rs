//! Stores entries, and classifies them as new, duplicate, conflict or replay.
//!
//! ```text
//! first statement    inserts a batch, and returns the new keys; the other keys already exist
//! second statement   compares the content of existing keys, because a statement does not see
//!                    transactions that commit after it began
//! one by one         conflicts and replays
//! ```
//!
//! Rows are inserted in the order of keys, because two servers that store the same deliveries could
//! otherwise deadlock. A unique index contains the digest of the first event with a content. Of two
//! concurrent events with equal content, one therefore becomes the replay of the other.

use std::collections::BTreeMap;

use futures_util::future::BoxFuture;
use messaging_inbox::{Entry, MAX_CONFLICTS, Put, Replays, StoreError, Stored, TraceContext};
use sha2::{Digest, Sha256};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use crate::client::fault::Fault;
use crate::client::group::{Answers, Done, Request};
use crate::client::row::value;
use crate::client::session::{Parameter, Session, Transaction};

/// Maximum number of attempts to classify one entry while other transactions change its key.
const LOOKS: u32 = 5;

const INSERT: &str = "SELECT messaging_inbox.put($1, $2, $3, $4, $5, $6, $7)";

/// Reads the events under the keys that were not inserted. An event of another transaction may not
/// have reached the synchronous standby, so the commit of this statement waits for the standby.
/// `$3` is true if this batch has inserted nothing. Otherwise the commit of the insert has already
/// waited.
const COMPARE: &str = "SELECT new.n, e.copy, e.json = new.j, e.is_own,
        CASE WHEN $3 AND current_setting('synchronous_standby_names') <> ''
            THEN pg_logical_emit_message(true, 'messaging_inbox', '') END
    FROM unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS new (k, j, n)
    CROSS JOIN LATERAL (SELECT copy, json, replay_of IS NULL
            AND copy = min(copy) FILTER (WHERE replay_of IS NULL) OVER () AS is_own
        FROM messaging_inbox.events
        WHERE sha256(idempotency_key) = sha256(new.k) AND idempotency_key = new.k OFFSET 0) AS e";

const UNDER_KEY: &str = "SELECT copy, json = $2, replay_of IS NULL, state = 'quarantined'
    FROM messaging_inbox.events WHERE sha256(idempotency_key) = sha256($1) AND idempotency_key = $1
    ORDER BY copy FOR UPDATE";

const FIRST_OF_CONTENT: &str =
    "SELECT id, json = $2 FROM messaging_inbox.events WHERE digest = $1 FOR SHARE";

/// Inserts one event. Inserts nothing if its key and copy, or its digest, already exist.
const INSERT_ONE: &str = "INSERT INTO messaging_inbox.events
        (idempotency_key, message_id, kind, json, received_at_ms, traceparent, tracestate,
        digest, digest_after, copy, copy_token, state, replay_of)
    VALUES ($1, $2, $3, $4, messaging_inbox.now_ms(), $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT DO NOTHING RETURNING id";

/// Writes an empty message to the WAL. Its commit waits for the disk and the synchronous standby.
const CONFIRM: &str = "SELECT pg_logical_emit_message(true, 'messaging_inbox', '')";

/// An entry to store, with a digest of its content unless replays are allowed.
pub(crate) struct Storing {
    put: Put,
    digest: Option<[u8; 16]>,
}

impl Storing {
    pub(crate) fn new(put: Put) -> Self {
        let digest = match put.replays {
            Replays::Allowed => None,
            Replays::Noticed | Replays::Quarantined => {
                let whole = Sha256::digest(put.entry.json.as_bytes());
                whole.first_chunk().copied()
            }
        };
        Self { put, digest }
    }

    fn key(&self) -> &[u8] {
        self.put.entry.idempotency_key.as_bytes()
    }

    fn json(&self) -> &[u8] {
        self.put.entry.json.as_bytes()
    }

    fn parent(&self) -> Option<&[u8]> {
        self.put.trace.as_ref().map(|trace| trace.parent().as_bytes())
    }

    fn tracestate(&self) -> Option<&[u8]> {
        self.put.trace.as_ref().and_then(TraceContext::state).map(str::as_bytes)
    }

    fn digest(&self) -> Option<&[u8]> {
        self.digest.as_ref().map(<[u8; 16]>::as_slice)
    }
}

impl Request for Storing {
    type Answer = Stored;

    const FAILED: &'static str =
        "new events are not acknowledged, and the event source redelivers them";

    fn bytes(&self) -> usize {
        let Entry { idempotency_key, message_id, kind, json } = &self.put.entry;
        [idempotency_key, message_id, kind, json].iter().map(|text| text.len()).sum()
    }

    async fn run(session: &mut Session, requests: &[&Self]) -> Result<Answers<Self>, Fault> {
        // The first request of each key, in the order of keys.
        let mut firsts: BTreeMap<&[u8], usize> = BTreeMap::new();
        for (at, request) in requests.iter().enumerate() {
            firsts.entry(request.key()).or_insert(at);
        }
        let mut answers = vec![None; requests.len()];
        let which = firsts.values().filter_map(|at| requests.get(*at).copied());
        let columns = Columns::of(which);
        let rows = session.once("storing events", INSERT, &columns.parameters()).await?;
        let inserted: Vec<Vec<u8>> =
            rows.iter().map(|row| value(row, 0)).collect::<Result<_, _>>()?;
        for key in &inserted {
            let answer = firsts.get(key.as_slice()).and_then(|at| answers.get_mut(*at));
            if let Some(answer) = answer {
                *answer = Some(Ok(Stored::Stored));
            }
        }
        let mut news = !inserted.is_empty();
        let left: Vec<usize> =
            answers.iter().enumerate().filter(|(_, one)| one.is_none()).map(|(at, _)| at).collect();
        if !left.is_empty() {
            compare(session, requests, &left, inserted.is_empty(), &mut answers).await?;
        }
        let mut each = Vec::new();
        for (answer, request) in answers.into_iter().zip(requests) {
            let done = match answer {
                Some(answer) => Done::Answered(answer),
                None => {
                    // Uses the short lock timeout, because the rest of the batch waits for this
                    // request.
                    session.is_brief = true;
                    match one(session, request).await {
                        Ok(Some(stored)) => {
                            news |= match (&stored, request.put.replays) {
                                (Ok(Stored::Stored), _) => true,
                                (Ok(Stored::Replayed), replays) => replays != Replays::Quarantined,
                                _ => false,
                            };
                            Done::Answered(stored)
                        }
                        Ok(None) => Done::dropped(session),
                        // Entries of the batch that are already stored stay stored and are
                        // acknowledged.
                        Err(fault) if fault.is_of_one() => Done::Failed(fault),
                        Err(fault) => return Err(fault),
                    }
                }
            };
            each.push(done);
        }
        Ok(Answers { each, news })
    }
}

/// Inserts an event and rolls back. Then commits an empty WAL message, which must reach the disk
/// and the synchronous standby. [`GroupCommit::attempt`](crate::client::group::GroupCommit::attempt) runs
/// this function.
pub(crate) fn attempt(session: &mut Session) -> BoxFuture<'_, Result<(), Fault>> {
    const DOING: &str = "trying to store an event";
    Box::pin(async move {
        let entry = Entry {
            idempotency_key: format!("{:032x}", rand::random::<u128>()),
            message_id: String::new(),
            kind: String::new(),
            json: String::new(),
        };
        let event = Storing::new(Put { entry, trace: None, replays: Replays::Allowed });
        let columns = Columns::of([&event].into_iter());
        let (open, rows) = session.begin(DOING, INSERT, &columns.parameters()).await?;
        open.undo().await?;
        session.once(DOING, CONFIRM, &[]).await?;
        match (rows.is_empty(), Done::<()>::dropped(session)) {
            (true, Done::Failed(fault)) => Err(fault),
            _ => Ok(()),
        }
    })
}

/// The parameters of [`INSERT`] for a batch of events.
struct Columns<'a> {
    texts: [Vec<&'a [u8]>; 4],
    others: [Vec<Option<&'a [u8]>>; 3],
}

impl<'a> Columns<'a> {
    fn of(events: impl Iterator<Item = &'a Storing> + Clone) -> Self {
        let text = |of: fn(&Entry) -> &str| -> Vec<&'a [u8]> {
            events.clone().map(|one| of(&one.put.entry).as_bytes()).collect()
        };
        let other = |of: fn(&Storing) -> Option<&[u8]>| events.clone().map(of).collect();
        Self {
            texts: [
                text(|entry| &entry.idempotency_key),
                text(|entry| &entry.message_id),
                text(|entry| &entry.kind),
                text(|entry| &entry.json),
            ],
            others: [other(Storing::parent), other(Storing::tracestate), other(Storing::digest)],
        }
    }

    fn parameters(&self) -> Vec<Parameter<'_>> {
        let texts = self.texts.iter().map(|column| (column as _, Type::BYTEA_ARRAY));
        let others = self.others.iter().map(|column| (column as _, Type::BYTEA_ARRAY));
        texts.chain(others).collect()
    }
}

type Found = Option<Result<Stored, StoreError>>;

/// Answers the requests whose entries are already stored with identical content.
async fn compare(
    session: &mut Session,
    requests: &[&Storing],
    which: &[usize],
    nothing_was_inserted: bool,
    answers: &mut [Found],
) -> Result<(), Fault> {
    let of = |of: fn(&Storing) -> &[u8]| -> Vec<&[u8]> {
        which.iter().filter_map(|at| requests.get(*at).map(|one| of(one))).collect()
    };
    let (keys, bodies) = (of(Storing::key), of(Storing::json));
    let rows = session
        .once(
            "comparing events",
            COMPARE,
            &[
                (&keys, Type::BYTEA_ARRAY),
                (&bodies, Type::BYTEA_ARRAY),
                (&nothing_was_inserted, Type::BOOL),
            ],
        )
        .await?;
    for row in &rows {
        let (ordinal, copy, same, is_own): (i64, i64, bool, bool) =
            (value(row, 0)?, value(row, 1)?, value(row, 2)?, value(row, 3)?);
        let at = usize::try_from(ordinal.saturating_sub(1)).ok().and_then(|at| which.get(at));
        let Some(answer) = at.and_then(|at| answers.get_mut(*at)).filter(|_| same) else {
            continue;
        };
        // An equal event with another copy number conflicts with the first event.
        let stored = if copy == 0 || is_own { Stored::Duplicate } else { Stored::Conflict };
        if !matches!(answer, Some(Ok(Stored::Duplicate))) {
            *answer = Some(Ok(stored));
        }
    }
    Ok(())
}

/// Classifies and stores one entry that was neither inserted nor found with identical content.
/// Returns `None` if no attempt succeeds, for example because the database ignores the write.
async fn one(
    session: &mut Session,
    storing: &Storing,
) -> Result<Option<Result<Stored, StoreError>>, Fault> {
    for _ in 0..LOOKS {
        let (key, json) = (storing.key(), storing.json());
        let parameters = [(&key as _, Type::BYTEA), (&json as _, Type::BYTEA)];
        let looked = match session.begin("storing an event", UNDER_KEY, &parameters).await {
            Ok((open, rows)) => {
                let found = match rows.as_slice() {
                    [] => content(&open, storing).await,
                    rows => conflict(&open, storing, rows).await,
                };
                open.finish(found).await
            }
            Err(fault) => Err(fault),
        };
        match looked {
            Ok(Outcome::Is(stored)) => return Ok(Some(stored)),
            Ok(Outcome::LookAgain) => {}
            Err(fault) if fault.is_passing() => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(None)
}

enum Outcome {
    Is(Result<Stored, StoreError>),
    /// Another transaction changed the key first.
    LookAgain,
}

/// Classifies an entry whose key exists, and stores it if no row of the key has its content. `rows`
/// are the locked rows of the key. A stored entry is a conflict, unless all `rows` are replays and
/// the entry is not a replay.
async fn conflict(
    open: &Transaction<'_>,
    storing: &Storing,
    rows: &[Row],
) -> Result<Outcome, Fault> {
    let mut last_copy = 0;
    let mut own: usize = 0;
    let mut quarantined: usize = 0;
    for row in rows {
        let (copy, same, is_own, is_quarantined): (i64, bool, bool, bool) =
            (value(row, 0)?, value(row, 1)?, value(row, 2)?, value(row, 3)?);
        own = own.saturating_add(is_own.into());
        quarantined = quarantined.saturating_add((is_own && is_quarantined).into());
        if same {
            let is_first = copy == 0 || (is_own && own == 1);
            let stored = if is_first { Stored::Duplicate } else { Stored::Conflict };
            return Ok(Outcome::Is(Ok(stored)));
        }
        last_copy = copy;
    }
    let first = first_of_content(open, storing).await?;
    let replay_of = first.and_then(|(first, same)| same.then_some(first));
    if quarantined >= MAX_CONFLICTS && replay_of.is_none() {
        let key = storing.put.entry.idempotency_key.clone();
        return Ok(Outcome::Is(Err(StoreError::TooManyCopies { key, limit: MAX_CONFLICTS })));
    }
    let token = format!("{:032x}", rand::random::<u128>());
    let (state, stored) = match replay_of {
        None if own == 0 => ("pending", Stored::Stored),
        _ => ("quarantined", Stored::Conflict),
    };
    // Only the first event of a content has the digest. A digest collision is not expected.
    let (digest, digest_after) = match first {
        None => (storing.digest(), None),
        Some((_, true)) => (None, storing.digest()),
        Some((_, false)) => (None, None),
    };
    let copy = last_copy.saturating_add(1);
    let row = New { copy, copy_token: Some(token), state, digest, digest_after, replay_of };
    Ok(match row.insert(open, storing).await? {
        Some(_) => Outcome::Is(Ok(stored)),
        None => Outcome::LookAgain,
    })
}

/// Returns the ID of the first event with the digest of this entry, and true if the event and the
/// entry have equal content.
async fn first_of_content(
    open: &Transaction<'_>,
    storing: &Storing,
) -> Result<Option<(i64, bool)>, Fault> {
    let Some(digest) = storing.digest() else { return Ok(None) };
    let parameters = [(&digest as _, Type::BYTEA), (&storing.json() as _, Type::BYTEA)];
    let rows = open.query(FIRST_OF_CONTENT, &parameters).await?;
    rows.first().map(|row| Ok((value(row, 0)?, value(row, 1)?))).transpose()
}

/// Stores an entry whose key has no row. Another key has its content, or the event of its key was
/// pruned after the insert.
async fn content(open: &Transaction<'_>, storing: &Storing) -> Result<Outcome, Fault> {
    let first = first_of_content(open, storing).await?;
    let quarantines = storing.put.replays == Replays::Quarantined;
    let (row, stored): (_, _) = match first {
        None => (New { digest: storing.digest(), ..New::default() }, Stored::Stored),
        Some((first, true)) => {
            let row = New {
                digest_after: storing.digest(),
                replay_of: Some(first),
                state: if quarantines { "quarantined" } else { "pending" },
                ..New::default()
            };
            (row, Stored::Replayed)
        }
        // A digest collision, which is not expected.
        Some((_, false)) => (New::default(), Stored::Stored),
    };
    Ok(match row.insert(open, storing).await? {
        Some(_) => Outcome::Is(Ok(stored)),
        None => Outcome::LookAgain,
    })
}

/// The columns of a new row in addition to its entry.
struct New<'a> {
    copy: i64,
    copy_token: Option<String>,
    state: &'static str,
    digest: Option<&'a [u8]>,
    digest_after: Option<&'a [u8]>,
    replay_of: Option<i64>,
}

impl Default for New<'_> {
    fn default() -> Self {
        Self {
            copy: 0,
            copy_token: None,
            state: "pending",
            digest: None,
            digest_after: None,
            replay_of: None,
        }
    }
}

impl New<'_> {
    async fn insert(
        &self,
        open: &Transaction<'_>,
        storing: &Storing,
    ) -> Result<Option<i64>, Fault> {
        let Entry { message_id, kind, .. } = &storing.put.entry;
        let token = self.copy_token.as_deref().map(str::as_bytes);
        let (parent, state) = (storing.parent(), storing.tracestate());
        let rows = open
            .query(
                INSERT_ONE,
                &[
                    (&storing.key(), Type::BYTEA),
                    (&message_id.as_bytes(), Type::BYTEA),
                    (&kind.as_bytes(), Type::BYTEA),
                    (&storing.json(), Type::BYTEA),
                    (&parent, Type::BYTEA),
                    (&state, Type::BYTEA),
                    (&self.digest, Type::BYTEA),
                    (&self.digest_after, Type::BYTEA),
                    (&self.copy, Type::INT8),
                    (&token, Type::BYTEA),
                    (&self.state, Type::TEXT),
                    (&self.replay_of, Type::INT8),
                ],
            )
            .await?;
        rows.first().map(|row| value(row, 0)).transpose()
    }
}
