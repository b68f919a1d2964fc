//! The inbox and the journal on PostgreSQL, for any number of servers: a database that others run
//! already keeps what `messaging_inbox::Store` and `messaging_journal::Journal` promise.
//!
//! ```text
//! inbox     events that were received; journal: what became of messages that were sent
//! target    the database that a URL names; password, tls: how it is reached
//! session   connections, and transactions with time limits; pool: for requests one by one
//! schema    the tables, their versions, and whether this database keeps its word
//! lane      group commit
//! row       values of a row
//! server    a private server, for tests and campaigns (feature `server`)
//! fault     errors, by what their caller should do next
//! ```
//!
//! Each has a schema of its own, so that a program that receives needs no right to what is sent,
//! nor the other way round; one database can have both.
//!
//! Whatever is acknowledged is so once COMMIT has returned, from a session in which a commit is on
//! the disk by then, and on the synchronous standby where there is one. A connection that is lost
//! meanwhile acknowledges nothing: what was written may be kept.

mod fault;
pub mod inbox;
pub mod journal;
mod lane;
mod password;
mod pool;
mod row;
mod schema;
#[cfg(all(unix, feature = "server"))]
pub mod server;
mod session;
mod target;
mod tls;

pub use password::{PASSWORD, PASSWORD_FILE, Password, PasswordError};
pub use target::{Target, TargetError};
pub use tls::TrustError;
