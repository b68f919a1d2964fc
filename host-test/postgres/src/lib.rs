//! The inbox and the journal on PostgreSQL, for any number of servers: a database that others run
//! already keeps what `messaging_inbox::Store` and `messaging_journal::Journal` promise.
//!
//! ```text
//! inbox     events that were received; journal: what became of messages that were sent
//! target    the database that a URL names; password, tls: how it is reached
//! session   connections, and transactions with time limits; pool: for requests one by one
//! schema    tables, and the check of each connection; scram: passwords without TLS
//! group     group commit
//! row       values of a row
//! server    a private server, for tests and campaigns (feature `server`)
//! fault     errors, by what their caller should do next
//! ```
//!
//! Each has a schema of its own, so that a program that receives needs no right to what is sent,
//! nor the other way round; one database can have both.
//!
//! A write is acknowledged after its COMMIT has returned, which waits for the disk and for the synchronous
//! standby. A connection that is lost before that acknowledges nothing, although the write may be kept.

mod fault;
mod group;
pub mod inbox;
pub mod journal;
mod password;
mod pool;
mod row;
mod schema;
mod scram;
#[cfg(all(unix, feature = "server"))]
pub mod server;
mod session;
mod target;
mod tls;

pub use password::{PASSWORD, PASSWORD_FILE, Password, PasswordError};
pub use target::{Target, TargetError};
pub use tls::TrustError;
