//! The inbox and the journal on PostgreSQL. Any number of servers can share one database.
//! Implements `messaging_inbox::Store` and `messaging_journal::Journal`.
//!
//! ```text
//! inbox      received events
//! journal    outcomes of sent messages
//! options    options of the inbox and the journal
//! target     the URL of a database
//! password   the password and its sources
//! tls        TLS to a database
//! scram      refusal to send a password without TLS and without SCRAM
//! connector  opens connections
//! link       the server of a connection, with timeouts
//! session    a connection and its transactions
//! pool       connections for single requests
//! group      group commit
//! tables     the tables, and the check of the database by each connection
//! schema     creation and version of the tables
//! row        values of a row
//! fault      errors of the database, as errors of the store
//! server     a private server for tests and campaigns (feature `server`)
//! pooler     PgBouncer in front of this server (feature `server`)
//! ```
//!
//! The inbox and the journal have separate schemas. The role of a receiver needs no rights on the
//! journal, and the role of a sender needs no rights on the inbox. One database can hold both
//! schemas.
//!
//! A write is acknowledged after COMMIT has returned. COMMIT waits for the disk and for the
//! synchronous standby. If the connection is lost earlier, the write is not acknowledged, although
//! it may be durable.

mod connector;
mod fault;
mod group;
pub mod inbox;
pub mod journal;
mod link;
mod options;
mod password;
mod pool;
#[cfg(all(unix, feature = "server"))]
mod pooler;
mod row;
mod schema;
mod scram;
#[cfg(all(unix, feature = "server"))]
pub mod server;
mod session;
mod tables;
mod target;
mod tls;

pub use options::Options;
pub use password::{PASSWORD, PASSWORD_FILE, Password, PasswordError};
pub use tables::CREATES_TABLES;
pub use target::{Target, TargetError};
pub use tls::TrustError;
