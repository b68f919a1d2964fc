//! The inbox and the journal, and their connections.
//!
//! ```text
//! inbox      received events
//! journal    outcomes of sent messages
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
//! ```

mod connector;
mod fault;
mod group;
pub mod inbox;
pub mod journal;
mod link;
mod pool;
mod row;
mod schema;
mod scram;
mod session;
mod tables;
mod tls;
