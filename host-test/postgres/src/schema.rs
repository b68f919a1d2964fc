//! The tables: whether they are there, how they are made and brought up to date, and whether this
//! database keeps its word.

use std::sync::Arc;

use messaging_inbox::StoreError;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use crate::fault::Fault;
use crate::row::value;
use crate::session::{Connector, Session};

/// Tables of one kind, in a schema of the database's that nobody else uses.
#[derive(Debug)]
pub(crate) struct Tables {
    /// Name of the schema.
    pub(crate) schema: &'static str,
    /// One step for each version, the first one making version 1. A step that has been released is
    /// never changed. Servers of before go on while a step is made, and after it: so a step adds,
    /// and what it adds has a default. One that cannot raises `compatible_from`.
    pub(crate) steps: &'static [&'static str],
    /// The oldest version of the program that goes on with the last of them.
    pub(crate) compatible_from: i32,
    /// Of which one transaction at a time brings the tables up to date.
    pub(crate) lock: i64,
    /// Those whose rows are numbered, as `id`.
    pub(crate) numbered: &'static [&'static str],
    /// Unique indexes, without which something could be kept twice.
    pub(crate) unique: &'static [Unique],
}

/// A unique index.
#[derive(Debug)]
pub(crate) struct Unique {
    pub(crate) name: &'static str,
    pub(crate) table: &'static str,
    /// Columns and expressions that it is over, as the database writes them.
    pub(crate) over: &'static str,
    /// Condition of the rows that are in it, as the database writes it.
    pub(crate) of: Option<&'static str>,
}

impl Unique {
    /// The statement that makes it.
    fn make(&self, schema: &str) -> String {
        let Self { name, table, over, of } = self;
        let of = of.map(|rows| format!(" WHERE {rows}")).unwrap_or_default();
        format!("CREATE UNIQUE INDEX {name} ON {schema}.{table} ({over}){of}")
    }
}

impl Tables {
    /// The newest version known here.
    fn known(&self) -> i32 {
        i32::try_from(self.steps.len()).unwrap_or(i32::MAX)
    }
}

/// The oldest release that has all that is asked for.
const OLDEST_SERVER: i32 = 130_000;

/// The condition of every statement that is relied on: true where a commit is on the disk, and on the
/// synchronous standby, when it returns, and the tables are of a version that this program knows, not
/// emptied by a crash, and with their unique indexes. A pooler may have given the statement a session
/// with other settings than the last.
///
/// Takes the schema, the newest version known, the table, and the number of its indexes before them.
/// Their names are looked up by a query of their own, for otherwise they would be for each row of the
/// catalogue.
macro_rules! is_safe {
    ($schema:literal, $known:literal, $table:literal, $count:literal: $($index:literal),+) => {
        concat!(
            "(current_setting('synchronous_commit') IN ('on', 'remote_apply') \
             AND current_setting('fsync') = 'on' \
             AND (SELECT relpersistence = 'p' FROM pg_catalog.pg_class WHERE oid = '",
            $schema,
            ".",
            $table,
            "'::regclass) AND (SELECT count(*) = ",
            $count,
            " FROM pg_catalog.pg_index WHERE indisunique AND indisvalid AND indrelid = '",
            $schema,
            ".",
            $table,
            "'::regclass AND indexrelid = ANY ((SELECT ARRAY[NULL",
            $(", to_regclass('", $schema, ".", $index, "')",)+
            "]::regclass[])::oid[])) AND (SELECT compatible_from <= ",
            $known,
            " FROM ",
            $schema,
            ".version))"
        )
    };
}
pub(crate) use is_safe;

/// A column that waits, within its transaction, for the synchronous standby to have all that the
/// transaction read. Takes the schema.
macro_rules! confirmed {
    ($schema:literal) => {
        concat!(
            "(SELECT CASE WHEN current_setting('synchronous_standby_names') <> '' \
             THEN pg_logical_emit_message(true, '",
            $schema,
            "', '') END)"
        )
    };
}
pub(crate) use confirmed;

/// Condition of a database.
struct Look {
    server: i32,
    server_name: String,
    durable: Result<(), String>,
    torn_pages: bool,
    superuser: bool,
    has_schema: bool,
    has_version: bool,
    is_empty: bool,
}

const LOOK: &str = "SELECT current_setting('server_version_num')::integer,
    current_setting('server_version'), current_setting('synchronous_commit'),
    current_setting('fsync'), current_setting('full_page_writes') = 'off',
    coalesce((SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user), false),
    to_regnamespace($1) IS NOT NULL,
    to_regclass($1 || '.version') IS NOT NULL,
    NOT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace($1)),
    (SELECT min(relname::text) FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace($1)
        AND relkind = 'r' AND relpersistence <> 'p'),
    ARRAY(SELECT name FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
            AS expected (name, of_table, over, of_rows)
        WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_index
            WHERE indisunique AND indisvalid AND indimmediate
                AND indexrelid = to_regclass($1 || '.' || name)
                AND indrelid = to_regclass($1 || '.' || of_table)
                AND pg_get_expr(indpred, indrelid) IS NOT DISTINCT FROM of_rows
                AND over = (SELECT string_agg(pg_get_indexdef(indexrelid, n, false), ', ' ORDER BY n)
                    FROM generate_series(1, indnkeyatts::integer) AS n)))";

async fn look(session: &mut Session, tables: &Tables) -> Result<Look, Fault> {
    let names: Vec<&str> = tables.unique.iter().map(|index| index.name).collect();
    let of_tables: Vec<&str> = tables.unique.iter().map(|index| index.table).collect();
    let over: Vec<&str> = tables.unique.iter().map(|index| index.over).collect();
    let of_rows: Vec<Option<&str>> = tables.unique.iter().map(|index| index.of).collect();
    let asked = [
        (&tables.schema as _, Type::TEXT),
        (&names as _, Type::TEXT_ARRAY),
        (&of_tables as _, Type::TEXT_ARRAY),
        (&over as _, Type::TEXT_ARRAY),
        (&of_rows as _, Type::TEXT_ARRAY),
    ];
    let rows = session.read("looking at it", LOOK, &asked).await?;
    let Some(row) = rows.first() else {
        return Err(Fault::Unsure { doing: "looking at it", detail: "no answer".into() });
    };
    let (commit, fsync): (&str, &str) = (value(row, 2)?, value(row, 3)?);
    let unlogged: Option<&str> = value(row, 9)?;
    let has_version = value(row, 7)?;
    // Before it is made, it has none.
    let missing: Vec<&str> = if has_version { value(row, 10)? } else { Vec::new() };
    let missing = tables.unique.iter().filter(|index| missing.contains(&index.name));
    let make: Vec<String> = missing.map(|index| index.make(tables.schema)).collect();
    Ok(Look {
        server: value(row, 0)?,
        server_name: value(row, 1)?,
        durable: match unlogged {
            None if make.is_empty() => durable(commit, fsync).map_err(ToString::to_string),
            None => Err(format!(
                "an index that keeps a key from being kept twice is missing, not valid, or another one, as where a restore could not make it, or another table has taken the place of its own; remove what is there twice, drop what has its name, and run {}",
                make.join("; ")
            )),
            Some(table) => Err(format!(
                "its table {table} is unlogged, so that a crash empties it; ALTER TABLE {}.{table} SET LOGGED",
                tables.schema
            )),
        },
        torn_pages: value(row, 4)?,
        superuser: value(row, 5)?,
        has_schema: value(row, 6)?,
        has_version,
        is_empty: value(row, 8)?,
    })
}

fn durable(commit: &str, fsync: &str) -> Result<(), &'static str> {
    if fsync != "on" {
        return Err("its fsync is off, so that a crash loses what was acknowledged; set it to on");
    }
    match commit {
        "on" | "remote_apply" => Ok(()),
        // Neither means less than `on` without a standby, and both do with one.
        "local" | "remote_write" => Err(
            "its synchronous_commit is local or remote_write, so that the end of one machine can lose what was acknowledged although there is a synchronous standby; set it to on for this role (ALTER ROLE … SET synchronous_commit = on)",
        ),
        _ => Err(
            "its synchronous_commit is off, so that a crash loses what was acknowledged; set it to on for this role (ALTER ROLE … SET synchronous_commit = on)",
        ),
    }
}

/// Makes sure that the tables are there and up to date, and that the database keeps its word.
/// Returns the connection that it was asked through.
pub(crate) async fn prepare(
    connector: &Arc<Connector>,
    tables: &Tables,
    create: bool,
) -> Result<Session, StoreError> {
    let schema = tables.schema;
    let mut session = connector.connect(None).await?;
    let not_set_up =
        |detail: String| StoreError::NotSetUp { store: connector.name.clone(), detail };
    let of = |fault: Fault| fault.of(&connector.name);
    let look = look(&mut session, tables).await.map_err(of)?;
    if look.server < OLDEST_SERVER {
        let name = look.server_name;
        return Err(not_set_up(format!("it is PostgreSQL {name}, and this needs 13 or newer")));
    }
    look.durable.map_err(not_set_up)?;
    if look.torn_pages {
        tracing::warn!(
            "its full_page_writes is off: unless its file system never tears a page, a loss of power can damage what was acknowledged"
        );
    }
    if look.superuser {
        tracing::warn!(
            "its role is a superuser: a role of its own, that owns the schema {schema}, is enough"
        );
    }
    if !look.has_version {
        if look.has_schema && !look.is_empty {
            return Err(StoreError::NotAStore {
                store: connector.name.clone(),
                detail: format!("its schema {schema} is another program's"),
            });
        }
        if !create {
            return Err(not_set_up(no_schema(schema)));
        }
    }
    if !look.has_version || version(&mut session, tables, connector).await?.0 < tables.known() {
        migrate(&mut session, tables, &connector.name).await.map_err(|fault| match fault.of(&connector.name) {
            StoreError::NotSetUp { store, detail } => StoreError::NotSetUp {
                store,
                detail: match look.has_version {
                    true => format!("{detail}; its owner starts the first server of a new version"),
                    false => format!(
                        "{detail}; make its schema: CREATE SCHEMA {schema} AUTHORIZATION the role of this program"
                    ),
                },
            },
            other => other,
        })?;
    }
    let (found, compatible_from) = version(&mut session, tables, connector).await?;
    known(connector, tables, found, compatible_from)?;
    number_on(&mut session, tables, connector).await?;
    Ok(session)
}

fn no_schema(schema: &str) -> String {
    format!(
        "it has no schema {schema}: nobody has written to it yet, or it is another database; who writes first makes it"
    )
}

/// Makes sure that the tables are there, and of a version that can be read.
pub(crate) async fn check(connector: &Arc<Connector>, tables: &Tables) -> Result<(), StoreError> {
    let mut session = connector.connect(None).await?;
    let look = look(&mut session, tables).await.map_err(|fault| fault.of(&connector.name))?;
    if !look.has_version {
        return Err(StoreError::NotSetUp {
            store: connector.name.clone(),
            detail: no_schema(tables.schema),
        });
    }
    let (found, compatible_from) = version(&mut session, tables, connector).await?;
    known(connector, tables, found, compatible_from)
}

/// Says why a statement that asked whether [it is safe](is_safe) was told that it is not, or why
/// every number that it tried was taken; nothing where neither holds now.
pub(crate) async fn unsafe_because(
    session: &mut Session,
    tables: &Tables,
    connector: &Arc<Connector>,
) -> Result<(), StoreError> {
    let look = look(session, tables).await.map_err(|fault| fault.of(&connector.name))?;
    look.durable
        .map_err(|why| StoreError::NotSetUp { store: connector.name.clone(), detail: why })?;
    let (found, compatible_from) = version(session, tables, connector).await?;
    known(connector, tables, found, compatible_from)?;
    number_on(session, tables, connector).await
}

/// The same, as the reason why nothing was done.
pub(crate) async fn why_unsafe(
    session: &mut Session,
    tables: &Tables,
    doing: &'static str,
) -> Fault {
    let connector = Arc::clone(session.connector());
    match unsafe_because(session, tables, &connector).await {
        Err(error) => error.into(),
        Ok(()) => Fault::Unsure { doing, detail: "its settings have just changed".to_string() },
    }
}

/// Sets the sequences of numbers on that are behind their tables, as parts of a copy leave them:
/// each number that they give would be taken.
async fn number_on(
    session: &mut Session,
    tables: &Tables,
    connector: &Connector,
) -> Result<(), StoreError> {
    const DOING: &str = "looking at its sequences";
    let schema = tables.schema;
    for table in tables.numbered {
        let sequence = format!("pg_get_serial_sequence('{schema}.{table}', 'id')");
        // A role that may not see how far it is, is told nothing by it.
        let behind = format!(
            "SELECT has_sequence_privilege({sequence}, 'SELECT, USAGE')
                AND max(id) > coalesce(pg_sequence_last_value({sequence}::regclass), 0)
            FROM {schema}.{table}"
        );
        let is_behind = |rows: &[Row]| {
            let behind = rows.first().map(|row| value::<Option<bool>>(row, 0)).transpose();
            behind.map(|behind| behind.flatten() == Some(true))
        };
        let set_on = async {
            if !is_behind(&session.read(DOING, &behind, &[]).await?)? {
                return Ok(false);
            }
            // Who inserts has the table until its end, and asks for its number after that.
            let lock = format!("LOCK TABLE {schema}.{table} IN SHARE ROW EXCLUSIVE MODE");
            let (open, _) = session.begin("setting its sequences on", &lock, &[]).await?;
            let set = async {
                if is_behind(&open.query(&behind, &[]).await?)? {
                    let set = format!("SELECT setval({sequence}, max(id)) FROM {schema}.{table}");
                    open.query(&set, &[]).await?;
                }
                Ok(true)
            };
            let set = set.await;
            open.finish(set).await
        };
        match set_on.await.map_err(|fault: Fault| fault.of(&connector.name)) {
            Ok(false) => {}
            Ok(true) => tracing::warn!(
                "the numbers of {schema}.{table} were behind its rows, as where a part of a copy was restored; they go on after the last"
            ),
            Err(StoreError::NotSetUp { store, detail }) => {
                let detail = format!(
                    "the numbers of {schema}.{table} are behind its rows, as where a part of a copy was restored; as its owner: SELECT setval({sequence}, max(id)) FROM {schema}.{table} ({detail})"
                );
                return Err(StoreError::NotSetUp { store, detail });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn known(
    connector: &Connector,
    tables: &Tables,
    found: i32,
    compatible_from: i32,
) -> Result<(), StoreError> {
    if compatible_from <= tables.known() {
        return Ok(());
    }
    Err(StoreError::NewerSchema {
        store: connector.name.clone(),
        found: found.into(),
        known: tables.known().into(),
    })
}

async fn version(
    session: &mut Session,
    tables: &Tables,
    connector: &Connector,
) -> Result<(i32, i32), StoreError> {
    let sql = format!("SELECT version, compatible_from FROM {}.version", tables.schema);
    let read = async {
        let rows = session.read("reading its version", &sql, &[]).await?;
        let row = rows.first().ok_or_else(|| StoreError::NotSetUp {
            store: connector.name.clone(),
            detail: format!("its table {}.version is empty; restore a backup", tables.schema),
        })?;
        Ok((value(row, 0)?, value(row, 1)?))
    };
    read.await.map_err(|fault: Fault| fault.of(&connector.name))
}

/// In one transaction, and one process at a time. It takes the locks of its steps, which wait no
/// longer than any statement does: the servers of before go on.
async fn migrate(session: &mut Session, tables: &Tables, store: &str) -> Result<(), Fault> {
    const DOING: &str = "bringing it up to date";
    const TAKE_LOCK: &str = "SELECT pg_advisory_xact_lock($1)";
    // The tables themselves: what this session remembers of names may be of before the lock.
    const SCHEMA: &str = "SELECT count(DISTINCT n.oid) = 0, count(c.oid) = 0
        FROM pg_catalog.pg_namespace AS n
        LEFT JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = 'version'
        WHERE n.nspname = $1";
    let schema = tables.schema;
    let (open, _) = session.begin(DOING, TAKE_LOCK, &[(&tables.lock, Type::INT8)]).await?;
    let steps = async {
        // Looked at again: another process may have done it meanwhile.
        let rows = open.query(SCHEMA, &[(&schema as _, Type::TEXT)]).await?;
        let Some(row) = rows.first() else { return Ok(()) };
        if value(row, 0)? {
            open.execute(&format!("CREATE SCHEMA {schema}")).await?;
        }
        let mut found = 0;
        if !value::<bool>(row, 1)? {
            let found_sql = format!("SELECT version FROM {schema}.version");
            let rows = open.query(&found_sql, &[]).await?;
            found = rows.first().map(|row| value::<i32>(row, 0)).transpose()?.unwrap_or(0);
        }
        for step in tables.steps.iter().skip(usize::try_from(found).unwrap_or(0)) {
            open.execute(step).await?;
        }
        if found == 0 {
            // Whoever meant another one would send, or keep, what that has again.
            tracing::warn!(store, "made a new {schema}, which has nothing yet");
        }
        let (known, compatible_from) = (tables.known(), tables.compatible_from);
        if found < known {
            let note = format!(
                "UPDATE {schema}.version
                SET version = {known}, compatible_from = {compatible_from}"
            );
            open.execute(&note).await?;
        }
        Ok(())
    };
    let done = steps.await;
    open.finish(done).await
}
