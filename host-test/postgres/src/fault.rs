//! Errors of the database as the store's. Which of its codes means what is decided here and
//! nowhere else.

use std::error::Error as _;
use std::fmt;
use std::io;

use messaging_inbox::StoreError;
use tokio_postgres::error::{DbError, Severity, SqlState};

/// Reason why a statement, or a transaction, came to nothing.
pub(crate) enum Fault {
    /// The database's, or the connection's.
    Sql { doing: &'static str, error: tokio_postgres::Error },
    /// No answer in time, or one that may not be believed.
    Unsure { doing: &'static str, detail: String },
    /// The request's own, or known to be the store's.
    Store(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Fault {
    /// Returns a function that notes the operation.
    pub(crate) fn sql(doing: &'static str) -> impl Fn(tokio_postgres::Error) -> Self {
        move |error| Self::Sql { doing, error }
    }

    /// Returns true if the same can be tried again at once: another transaction was in the way, or the server
    /// closed an idle connection before it read the statement.
    pub(crate) fn is_passing(&self) -> bool {
        self.has_code(&[
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::IDLE_SESSION_TIMEOUT,
        ])
    }

    /// Returns true if another process was creating the same tables.
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

    /// Whether one request of many can be the reason: [its row](Self::is_of_a_row), or
    /// [a lock](Self::is_of_a_lock).
    pub(crate) fn is_of_one(&self) -> bool {
        self.is_of_a_row() || self.is_of_a_lock()
    }

    /// Whether its table does not take a row, and may take others: for its value, or by a
    /// constraint, a trigger, a policy.
    pub(crate) fn is_of_a_row(&self) -> bool {
        let Self::Sql { error, .. } = self else { return false };
        error.as_db_error().is_some_and(|error| matches!(kind(error), Kind::Value | Kind::Row))
    }

    /// Returns true if another transaction holds a row or a table.
    pub(crate) fn is_of_a_lock(&self) -> bool {
        self.has_code(&[SqlState::LOCK_NOT_AVAILABLE])
    }

    /// Returns true if the connection is usable after a rollback.
    pub(crate) fn keeps_connection_usable(&self) -> bool {
        match self {
            Self::Sql { error, .. } => error.as_db_error().is_some_and(|error| {
                // With the others the server has ended the connection, or is about to.
                !matches!(error.parsed_severity(), Some(Severity::Fatal | Severity::Panic) | None)
                    && !error.code().code().starts_with("57P")
            }),
            Self::Unsure { .. } => false,
            Self::Store(_) => true,
        }
    }

    /// The store's error.
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
            Self::Sql { doing, error } => write!(f, "{doing}: {error}"),
            Self::Unsure { doing, detail } => write!(f, "{doing}: {detail}"),
            Self::Store(error) => write!(f, "{error}"),
        }
    }
}

/// Consequence of an error of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Try again.
    Passing,
    /// A person sets something up.
    SetUp,
    /// It is damaged.
    Damage,
    /// Its table does not take this row, for a reason that others have put there.
    Row,
    /// This value, or an amount of them, will never do.
    Value,
}

fn kind(error: &DbError) -> Kind {
    let code = error.code().code();
    match code {
        // Its files.
        "XX001" | "XX002" => Kind::Damage,
        // A standby, or one that became one: the other one is found at the next connection.
        "25006" => Kind::Passing,
        // A policy, or no right to the table.
        "42501" => Kind::Row,
        // A pooler's, which hands out statements and not transactions.
        "08P01" if error.message().contains("statement pooling mode") => Kind::SetUp,
        // Too large for an index, or a row.
        "54000" => Kind::Value,
        _ => match code.get(..2).unwrap_or_default() {
            // No such database, schema, table, column, function, index or role; a table with rules.
            "0A" | "28" | "3D" | "3F" | "42" => Kind::SetUp,
            // The connection, a pooler, another transaction, the machine.
            "00" | "08" | "24" | "25" | "26" | "34" | "3B" | "40" | "53" | "55" | "57" | "58"
            | "F0" | "HV" | "XX" => Kind::Passing,
            // Nothing that is stored here breaks a rule of these tables. So it is one that was added,
            // or the number that a sequence has no more of; triggers have codes of their own.
            _ => Kind::Row,
        },
    }
}

fn of_database(store: String, doing: &str, error: &DbError) -> StoreError {
    // Not its detail and hint: they can repeat values.
    let code = error.code().code();
    let detail = format!("{doing}: {} ({code})", error.message());
    match kind(error) {
        Kind::Passing => StoreError::Unavailable { store, detail },
        Kind::SetUp => StoreError::NotSetUp { store, detail },
        Kind::Row => {
            let remedy = match code {
                "42501" => "give its role the right, or change the policy",
                "2200H" => "restart the sequence, as its owner, behind the last number",
                _ => "change the constraint, trigger or policy of its tables that refuses it",
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
        // It stands in the text of the outer one already, or it is the reason.
        let text = error.to_string();
        if !detail.ends_with(&text) {
            detail = format!("{detail}: {text}");
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            // A retry changes neither a certificate nor the way of asking for a password.
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
