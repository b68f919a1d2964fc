//! Database errors, and their conversion to errors of the store. Only this module interprets
//! SQLSTATE codes.

use std::error::Error as _;
use std::fmt;
use std::io;

use messaging_inbox::StoreError;
use tokio_postgres::error::{DbError, Severity, SqlState};

/// Maximum number of attempts of a transaction that conflicts with another transaction.
pub(crate) const ATTEMPTS: u32 = 5;

/// The reason for the failure of a statement or a transaction.
pub(crate) enum Fault {
    /// An error of the database or of the connection.
    Sql { doing: &'static str, error: tokio_postgres::Error },
    /// No response in time, or an unreliable response.
    Unsure { doing: &'static str, detail: String },
    /// A rejected request, or another error that is already a `StoreError`.
    Store(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Fault {
    /// Returns a function that adds the name of the operation to an error.
    pub(crate) fn sql(doing: &'static str) -> impl Fn(tokio_postgres::Error) -> Self {
        move |error| Self::Sql { doing, error }
    }

    /// Returns true if an immediate retry can succeed: another transaction interfered, or the
    /// server closed an idle connection before it read the statement.
    pub(crate) fn is_passing(&self) -> bool {
        self.has_code(&[
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::IDLE_SESSION_TIMEOUT,
        ])
    }

    /// Returns true if another process may have created the tables at the same time.
    pub(crate) fn is_of_a_race(&self) -> bool {
        self.is_passing()
            || self.is_of_a_lock()
            || self.has_code(&[
                SqlState::DUPLICATE_SCHEMA,
                SqlState::DUPLICATE_TABLE,
                SqlState::UNIQUE_VIOLATION,
            ])
    }

    fn has_code(&self, codes: &[SqlState]) -> bool {
        let Self::Sql { error, .. } = self else { return false };
        error.code().is_some_and(|code| codes.contains(code))
    }

    /// Returns true if [the row](Self::is_of_a_row) or [a lock](Self::is_of_a_lock) of a single
    /// request can be the cause.
    pub(crate) fn is_of_one(&self) -> bool {
        self.is_of_a_row() || self.is_of_a_lock()
    }

    /// Returns true if the table rejects this row but may accept other rows. The cause is a value,
    /// a constraint, a trigger or a policy.
    pub(crate) fn is_of_a_row(&self) -> bool {
        let Self::Sql { error, .. } = self else { return false };
        error.as_db_error().is_some_and(|error| matches!(kind(error), Kind::Value | Kind::Row))
    }

    /// Returns true if another transaction holds a lock on the row or the table.
    pub(crate) fn is_of_a_lock(&self) -> bool {
        self.has_code(&[SqlState::LOCK_NOT_AVAILABLE])
    }

    /// Returns true if the connection is usable after a rollback.
    pub(crate) fn keeps_connection_usable(&self) -> bool {
        match self {
            Self::Sql { error, .. } => error.as_db_error().is_some_and(|error| {
                // After a fatal error or a shutdown (57P), the server has closed the connection or
                // is about to close it.
                !matches!(error.parsed_severity(), Some(Severity::Fatal | Severity::Panic) | None)
                    && !error.code().code().starts_with("57P")
                    // A pooler keeps connections to a primary that became a standby.
                    && !is_of_standby(error)
            }),
            Self::Unsure { .. } => false,
            Self::Store(_) => true,
        }
    }

    /// Converts the fault to an error that names `store`.
    pub(crate) fn of(self, store: &str) -> StoreError {
        let store = store.to_string();
        match self {
            Self::Store(error) => error,
            Self::Unsure { doing, detail } => {
                StoreError::Unavailable { store, detail: format!("{doing}: {detail}") }
            }
            Self::Sql { doing, error } => match error.as_db_error() {
                Some(error) => of_database(store, doing, error),
                None => of_connection(store, doing, &error),
            },
        }
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sql { doing, error } => match error.as_db_error() {
                Some(error) => write!(f, "{doing}: {} ({})", error.message(), error.code().code()),
                None => write!(f, "{doing}: {error}"),
            },
            Self::Unsure { doing, detail } => write!(f, "{doing}: {detail}"),
            Self::Store(error) => write!(f, "{error}"),
        }
    }
}

/// The meaning of a database error for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Temporary: a retry can succeed.
    Passing,
    /// An administrator must change the setup.
    SetUp,
    /// The database is damaged.
    Damage,
    /// The table rejects this row because of a constraint, trigger or policy that an administrator
    /// added.
    Row,
    /// This value can never be stored.
    Value,
}

/// Returns true if a value is too long for an index.
fn is_of_index(error: &DbError) -> bool {
    error.routine().is_some_and(|routine| {
        routine.starts_with("index_form_tuple") || routine == "_bt_check_third_page"
    })
}

/// Returns true if the server is a standby or became one: it rejects a write, or a transaction that
/// may write (a standby reports `SET TRANSACTION READ WRITE` as "not supported").
fn is_of_standby(error: &DbError) -> bool {
    match error.code().code() {
        "25006" => true,
        // Compares the routine, because the message can be in another language.
        "0A000" => error.routine() == Some("call_bool_check_hook"),
        _ => false,
    }
}

fn kind(error: &DbError) -> Kind {
    let code = error.code().code();
    match code {
        // Damaged data or index files.
        "XX001" | "XX002" => Kind::Damage,
        // The next connection finds the primary.
        _ if is_of_standby(error) => Kind::Passing,
        // Checks the routine too, because the code also means that transaction numbers are about to
        // wrap around.
        "54000" if is_of_index(error) => Kind::Value,
        // The cause is a row-level security policy, or a missing privilege on the table.
        "42501" => Kind::Row,
        // The cause is a pooler in statement mode, which supports no transactions.
        "08P01" if error.message().contains("statement pooling mode") => Kind::SetUp,
        _ => match code.get(..2).unwrap_or_default() {
            // The cause is a missing database, schema, table, column, function, index or role, or a
            // table with rules.
            "0A" | "28" | "3D" | "3F" | "42" => Kind::SetUp,
            // The cause is the connection, a pooler, another transaction or the machine.
            "00" | "08" | "24" | "25" | "26" | "34" | "3B" | "40" | "53" | "54" | "55" | "57"
            | "58" | "F0" | "HV" | "XX" => Kind::Passing,
            // Stored values violate no rule of these tables. The cause is an added constraint, an
            // added trigger, which can raise any code, or a sequence without a next value.
            _ => Kind::Row,
        },
    }
}

fn of_database(store: String, doing: &str, error: &DbError) -> StoreError {
    // Omits the error's detail and hint, because they can contain values.
    let code = error.code().code();
    let detail = format!("{doing}: {} ({code})", error.message());
    match kind(error) {
        Kind::Passing => StoreError::Unavailable { store, detail },
        Kind::SetUp => StoreError::NotSetUp { store, detail },
        Kind::Row => {
            let remedy = match code {
                "42501" => {
                    "give the role of this program the missing privilege, or change the row-level policy"
                }
                "2200H" => {
                    "restart the sequence after the highest id of its table; only its owner can do this"
                }
                _ => {
                    "change the constraint, trigger or policy of its tables that rejects the event"
                }
            };
            StoreError::NotSetUp { store, detail: format!("{detail}; {remedy}") }
        }
        Kind::Damage => StoreError::Damaged { store, detail },
        Kind::Value => StoreError::Refused { detail },
    }
}

fn of_connection(store: String, doing: &str, error: &tokio_postgres::Error) -> StoreError {
    let mut detail = format!("{doing}: {error}");
    let mut set_up = !error.is_closed();
    let mut source = error.source();
    while let Some(error) = source {
        // Appends the inner error unless the outer message already ends with it.
        let text = error.to_string();
        if !detail.ends_with(&text) {
            detail = format!("{detail}: {text}");
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            // These errors are permanent, because a retry changes neither a certificate nor the
            // authentication method.
            let certificate = error.get_ref().and_then(|inner| inner.downcast_ref());
            set_up = error.kind() == io::ErrorKind::PermissionDenied
                || matches!(
                    certificate,
                    Some(
                        rustls::Error::InvalidCertificate(_)
                            | rustls::Error::NoCertificatesPresented
                    )
                );
        }
        source = error.source();
    }
    match set_up {
        true => StoreError::NotSetUp { store, detail },
        false => StoreError::Unavailable { store, detail },
    }
}
