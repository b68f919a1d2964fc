//! Creation and version of the tables.

use std::sync::Arc;
use std::time::Duration;

use messaging_inbox::StoreError;

use crate::client::connector::Connector;
use crate::client::fault::{ATTEMPTS, Fault};
use crate::client::row::value;
use crate::client::session::Session;
use crate::client::tables::{Tables, look, not_set_up};

/// Delay before another attempt to create tables while another process creates them.
const PAUSE: Duration = Duration::from_millis(50);

/// Opens a database for writing. Creates missing tables if `create` is true. Returns the
/// connection. If `warns` is true, unwise settings are logged.
pub(crate) async fn prepare(
    connector: &Arc<Connector>,
    create: bool,
    warns: bool,
) -> Result<Session, StoreError> {
    let (tables, store) = (connector.tables, connector.name());
    let of = |fault: Fault| fault.of(store);
    let mut session = connector.connect(None).await?;
    let mut found = look(&mut session, tables).await.map_err(of)?;
    if warns {
        found.warnings.iter().for_each(|warning| tracing::warn!(store, "{warning}"));
    }
    let mut attempt = 1;
    while !found.has_tables {
        if found.has_schema && !found.is_empty {
            let detail = format!("the schema {} belongs to another program", tables.schema);
            return Err(StoreError::NotAStore { store: store.to_string(), detail });
        }
        if !create {
            return Err(found.no_tables(tables, store));
        }
        match make(&mut session, tables, found.has_schema).await {
            // Warns, because a sender with the wrong database sends again under keys that the right
            // database has.
            Ok(()) => {
                tracing::warn!(store, "created the schema {}; it is empty", tables.schema);
            }
            Err(fault) if attempt < ATTEMPTS && fault.is_of_a_race() => {
                attempt = attempt.saturating_add(1);
                tokio::time::sleep(PAUSE).await;
            }
            Err(fault) => return Err(of(fault)),
        }
        found = look(&mut session, tables).await.map_err(of)?;
        found.is_safe(store)?;
    }
    check_version(&mut session, tables, store).await?;
    advance_sequences(&mut session, tables).await.map_err(of)?;
    Ok(session)
}

/// Returns an error if the tables are missing or of another version.
pub(crate) async fn check(connector: &Arc<Connector>) -> Result<(), StoreError> {
    let (tables, store) = (connector.tables, connector.name());
    let mut session = connector.connect(None).await?;
    let found = look(&mut session, tables).await.map_err(|fault| fault.of(store))?;
    if !found.has_tables {
        return Err(found.no_tables(tables, store));
    }
    check_version(&mut session, tables, store).await
}

async fn check_version(
    session: &mut Session,
    tables: &Tables,
    store: &str,
) -> Result<(), StoreError> {
    let sql = format!("SELECT version FROM {}.version", tables.schema);
    let read = async {
        let rows = session.once("reading the version", &sql, &[]).await?;
        rows.first().map(|row| value::<i32>(row, 0)).transpose()
    };
    match read.await.map_err(|fault: Fault| fault.of(store))? {
        Some(found) if found == tables.version => Ok(()),
        Some(found) => Err(StoreError::OtherSchema {
            store: store.to_string(),
            found: found.into(),
            known: tables.version.into(),
        }),
        None => {
            let detail = format!("the table {}.version is empty; restore a backup", tables.schema);
            Err(not_set_up(store, detail))
        }
    }
}

/// Creates the tables in one transaction. A concurrent process waits for at most the lock timeout
/// and fails with [a race](Fault::is_of_a_race). The transaction takes no explicit lock, because
/// other roles could hold that lock.
async fn make(session: &mut Session, tables: &Tables, has_schema: bool) -> Result<(), Fault> {
    const DOING: &str = "creating the tables";
    let schema = match has_schema {
        true => "SELECT 1".to_string(),
        false => format!("CREATE SCHEMA {}", tables.schema),
    };
    let (open, _) = session.begin(DOING, &schema, &[]).await?;
    let made = open.execute(tables.create).await;
    open.finish(made).await
}

/// Advances sequences that are behind their tables, for example after a partial restore. Skips a
/// sequence if the role has no privilege on it.
async fn advance_sequences(session: &mut Session, tables: &Tables) -> Result<(), Fault> {
    for table in tables.numbered {
        let table = format!("{}.{table}", tables.schema);
        let advance = format!(
            "SELECT setval(sequence, last) FROM
                (SELECT pg_get_serial_sequence('{table}', 'id')::regclass AS sequence) AS its,
                (SELECT max(id) AS last FROM {table}) AS rows
            WHERE has_sequence_privilege(sequence, 'UPDATE') AND has_sequence_privilege(sequence, 'USAGE')
                AND last > coalesce(pg_sequence_last_value(sequence), 0)"
        );
        if !session.once("advancing a sequence", &advance, &[]).await?.is_empty() {
            tracing::warn!(
                table,
                "a sequence was behind its table, as after a partial restore; it was advanced"
            );
        }
    }
    Ok(())
}
