//! The inbox and the journal on PostgreSQL. Any number of servers can share one database.
//! Implements `messaging_inbox::Store` and `messaging_journal::Journal`.
//!
//! ```text
//! options    options of the inbox and the journal
//! target     the URL of a database
//! password   the password and its sources
//! client     the inbox, the journal and their connections (feature `client`)
//! absent     errors in place of them without this feature
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

#![cfg_attr(not(feature = "client"), allow(dead_code, reason = "only the client uses it"))]

#[cfg(not(feature = "client"))]
mod absent;
#[cfg(feature = "client")]
mod client;
mod options;
mod password;
#[cfg(all(unix, feature = "server"))]
mod pooler;
#[cfg(all(unix, feature = "server"))]
pub mod server;
mod target;

#[cfg(not(feature = "client"))]
pub use absent::{inbox, journal};
#[cfg(feature = "client")]
pub use client::{inbox, journal};
pub use options::Options;
pub use password::{PASSWORD, PASSWORD_FILE, Password, PasswordError};
pub use target::{Target, TargetError};

/// Last part of the error text if missing tables can be created.
pub const CREATES_TABLES: &str = "creates them; or name another database";
