//! A private server of PostgreSQL with the tables of a journal.

use messaging_postgres::journal;
use messaging_postgres::server::Server;

/// Starts a server with the tables of a journal, which ends when it is dropped; with the URL of its
/// database.
///
/// # Errors
/// The machine has no PostgreSQL, or it does not start.
pub async fn with_journal() -> anyhow::Result<(Server, String)> {
    let server = Server::start(&[])?;
    let url = server.url("postgres");
    drop(journal::open(&url.parse()?, journal::Options::default()).await?);
    Ok((server, url))
}
