//! The tables of a store, and the check of the database at the start of each connection.

use messaging_inbox::StoreError;
use tokio_postgres::types::Type;

use crate::CREATES_TABLES;
use crate::client::fault::Fault;
use crate::client::row::value;
use crate::client::session::Session;

/// The tables of an inbox or of a journal.
#[derive(Debug)]
pub(crate) struct Tables {
    /// Name of the schema.
    pub(crate) schema: &'static str,
    /// The version of the tables that this program creates and uses.
    pub(crate) version: i32,
    /// The statements that create the tables of the current version.
    pub(crate) create: &'static str,
    /// The commands that create the tables, for an error message.
    pub(crate) creators: &'static str,
    /// Tables whose `id` comes from a sequence.
    pub(crate) numbered: &'static [&'static str],
    /// Unique indexes. Without them, a key could be stored twice.
    pub(crate) unique: &'static [Unique],
}

/// A unique index.
#[derive(Debug)]
pub(crate) struct Unique {
    pub(crate) table: &'static str,
    /// Names of the columns, separated by commas. An indexed expression has the name of its
    /// function, as in the catalog.
    pub(crate) columns: &'static str,
    /// True if the index has a condition.
    pub(crate) is_partial: bool,
    /// The statement that creates the index.
    pub(crate) create: &'static str,
}

/// The oldest PostgreSQL release with every required feature.
const OLDEST_SERVER: i32 = 130_000;

/// A column that makes the commit wait until the synchronous standby has all data that the
/// transaction read. `$schema` is the name of the schema.
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

/// The result of [`look`].
pub(crate) struct Found {
    /// True if the server is a standby.
    pub(crate) is_standby: bool,
    pub(crate) has_schema: bool,
    pub(crate) has_tables: bool,
    pub(crate) is_empty: bool,
    /// A reason not to write, and its remedy.
    unsafe_because: Option<String>,
    /// The reason why the role cannot create a missing schema, and the remedy.
    not_creatable: Option<String>,
    /// Unwise settings that do not prevent writing.
    pub(crate) warnings: Vec<String>,
}

/// Compares indexes by catalog columns, because the printed definition depends on settings.
const LOOK: &str = "SELECT
    pg_is_in_recovery(),
    schema.oid IS NOT NULL,
    to_regclass($1 || '.version') IS NOT NULL,
    NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = schema.oid),
    current_setting('server_version_num')::integer,
    current_setting('fsync') = 'on',
    current_setting('synchronous_commit'),
    (SELECT min(rolname::text) FROM pg_roles WHERE NOT rolsuper
        AND NOT pg_has_role(oid, 'MEMBER')
        AND oid <> (SELECT datdba FROM pg_database WHERE datname = current_database())
        AND (oid = schema.nspowner OR oid IN (SELECT relowner FROM pg_class
            WHERE relnamespace = schema.oid AND relname = ANY($2 || '{version,age,tally}'::text[])
            UNION SELECT proowner FROM pg_proc WHERE pronamespace = schema.oid))),
    (SELECT min(relname::text) FROM pg_class
        WHERE relnamespace = schema.oid AND relname = ANY($2) AND relpersistence <> 'p'),
    ARRAY(SELECT n FROM unnest($2, $3, $4) WITH ORDINALITY AS wanted (tab, columns, is_partial, n)
        WHERE NOT EXISTS (SELECT FROM pg_index AS i
            WHERE indrelid = to_regclass($1 || '.' || tab)
                AND indisunique AND indisvalid AND indimmediate
                AND (indpred IS NOT NULL) = is_partial
                AND columns = (SELECT string_agg(coalesce(c.attname, x.attname)::text, ',' ORDER BY x.attnum)
                    FROM pg_attribute AS x LEFT JOIN pg_attribute AS c
                        ON c.attrelid = indrelid AND c.attnum = indkey[x.attnum - 1]
                    WHERE x.attrelid = indexrelid AND x.attnum <= indnkeyatts))),
    current_setting('full_page_writes') = 'on',
    coalesce((SELECT rolsuper FROM pg_roles WHERE rolname = current_user), false),
    current_setting('session_replication_role'),
    CASE WHEN schema.oid IS NULL AND NOT has_database_privilege(current_database(), 'CREATE')
        THEN current_user::text END
FROM (VALUES ($1)) AS asked (name) LEFT JOIN pg_namespace AS schema ON nspname = asked.name";

/// Checks the settings and tables of a database.
pub(crate) async fn look(session: &mut Session, tables: &Tables) -> Result<Found, Fault> {
    const DOING: &str = "checking the database";
    let schema = tables.schema;
    let of_tables: Vec<&str> = tables.unique.iter().map(|index| index.table).collect();
    let columns: Vec<&str> = tables.unique.iter().map(|index| index.columns).collect();
    let is_partial: Vec<bool> = tables.unique.iter().map(|index| index.is_partial).collect();
    let asked = [
        (&schema as _, Type::TEXT),
        (&of_tables as _, Type::TEXT_ARRAY),
        (&columns as _, Type::TEXT_ARRAY),
        (&is_partial as _, Type::BOOL_ARRAY),
    ];
    let rows = session.look(DOING, LOOK, &asked).await?;
    let Some(row) = rows.first() else {
        return Err(Fault::Unsure { doing: DOING, detail: "no row".into() });
    };
    let has_tables = value(row, 2)?;
    let server: i32 = value(row, 4)?;
    let (fsync, commit): (bool, &str) = (value(row, 5)?, value(row, 6)?);
    let (owner, unlogged): (Option<&str>, Option<&str>) = (value(row, 7)?, value(row, 8)?);
    let (missing, replication): (Vec<i64>, &str) = (value(row, 9)?, value(row, 12)?);
    let role_without_schema: Option<&str> = value(row, 13)?;
    let unsafe_because = if server < OLDEST_SERVER {
        Some("PostgreSQL is too old; use version 13 or newer".to_string())
    } else if !fsync {
        Some("`fsync` is off: a crash loses acknowledged data; set it to on".to_string())
    } else if !["on", "remote_apply"].contains(&commit) {
        Some(format!(
            "`synchronous_commit` is {commit}: a crash or a failover loses acknowledged data; run ALTER ROLE … SET synchronous_commit = on"
        ))
    } else if replication == "replica" && tables.create.contains("CREATE TRIGGER") {
        Some("`session_replication_role` is replica: the triggers that count events do not run; run ALTER ROLE … RESET session_replication_role".to_string())
    } else if let Some(owner) = owner {
        Some(format!(
            "the schema {schema}, or a table or function of it, belongs to role {owner}, whose functions would run with the rights of the connecting role; change the owner, or make the connecting role a member of {owner}"
        ))
    } else if let Some(table) = unlogged {
        Some(format!(
            "the table {table} is unlogged: a crash empties it; run ALTER TABLE {schema}.{table} SET LOGGED"
        ))
    } else if has_tables && !missing.is_empty() {
        let missing = (1..).zip(tables.unique).filter(|(number, _)| missing.contains(number));
        let create: Vec<&str> = missing.map(|(_, index)| index.create).collect();
        Some(format!(
            "a unique index is missing or invalid: a key could be stored twice; remove duplicates, then run {}",
            create.join("; ")
        ))
    } else {
        None
    };
    let not_creatable = role_without_schema.map(|role| {
        let role = role.replace('"', "\"\"");
        format!("the schema {schema} does not exist, and the role may not create it; as an administrator of the database, run: CREATE SCHEMA {schema} AUTHORIZATION \"{role}\"")
    });
    let mut warnings = Vec::new();
    if !value::<bool>(row, 10)? {
        warnings.push("`full_page_writes` is off: a power failure can damage acknowledged data; set it to on, unless the file system never tears a page".to_string());
    }
    if value(row, 11)? {
        warnings.push(format!("the role is a superuser; use a role that owns only {schema}"));
    }
    Ok(Found {
        is_standby: value(row, 0)?,
        has_schema: value(row, 1)?,
        has_tables,
        is_empty: value(row, 3)?,
        unsafe_because,
        not_creatable,
        warnings,
    })
}

impl Found {
    /// Returns an error if the server is too old, if the setup of the database could lose a
    /// commit, store a key twice, or run functions of another role, or if the role cannot create
    /// the schema.
    pub(crate) fn is_safe(&self, store: &str) -> Result<(), StoreError> {
        match self.unsafe_because.as_ref().or(self.not_creatable.as_ref()) {
            Some(detail) => Err(not_set_up(store, detail.clone())),
            None => Ok(()),
        }
    }

    pub(crate) fn no_tables(&self, tables: &Tables, store: &str) -> StoreError {
        let Tables { schema, creators, .. } = tables;
        let detail = match &self.unsafe_because {
            Some(detail) => format!("no tables in the schema {schema}, and {detail}"),
            None => format!("no tables in the schema {schema}: {creators} {CREATES_TABLES}"),
        };
        not_set_up(store, detail)
    }
}

pub(crate) fn not_set_up(store: &str, detail: String) -> StoreError {
    StoreError::NotSetUp { store: store.to_string(), detail }
}
