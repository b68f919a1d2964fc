//! The server of a connection: timeouts, the start of a transaction, and cancel requests.

use std::path::Path;
use std::time::Duration;

use tokio_postgres::{CancelToken, NoTls};

use crate::client::fault::Fault;
use crate::client::scram::Plain;
#[cfg(unix)]
use crate::client::scram::Watched;
use crate::client::tls::Tls;

/// Factor for the statement timeout. The product is the time after which the server ends an idle
/// transaction. The product is also the connect timeout if the URL has one host. The TCP user
/// timeout is twice the product.
pub(crate) const TIMEOUT_FACTOR: u32 = 3;

/// Lock timeout for a request that is retried outside its batch.
const BRIEFLY: Duration = Duration::from_millis(30);

/// Access mode of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Write,
    /// Read-only on the primary, because a standby may lag.
    Look,
    Read,
}

/// The server of a connection.
pub(crate) struct Link {
    /// Name of the database for operators, without a password.
    pub(crate) name: String,
    /// Timeout of a statement and of a connection attempt.
    pub(crate) limit: Duration,
    pub(crate) access: Access,
    pub(crate) tls: Option<Tls>,
    /// SQL that begins a transaction and sets its timeouts.
    begin: String,
    /// SQL that begins a transaction with a short lock timeout.
    begin_briefly: String,
    /// SQL that begins a read-only transaction, which a standby accepts too.
    pub(crate) begin_to_look: String,
}

impl Link {
    pub(crate) fn new(name: String, limit: Duration, access: Access, tls: Option<Tls>) -> Self {
        let limit_ms = limit.as_millis().max(1);
        // Shorter than the statement timeout for two reasons: the error names the lock, and the
        // rest of the batch can still be stored one by one.
        let lock_ms = (limit_ms / 4).max(1);
        let mode = match access {
            Access::Write => "READ WRITE",
            Access::Look | Access::Read => "READ ONLY",
        };
        // Limits an idle transaction, because this process can stop or crash between two
        // statements.
        let idle_ms = limit_ms.saturating_mul(TIMEOUT_FACTOR.into());
        // Enables the warning about an unconfirmed commit, which a setting of the role may have
        // disabled. Sets `search_path`, because other roles could otherwise define operators that
        // run with the rights of this role.
        let begin = |mode: &str, lock_ms: u128| {
            // Disables `jit`, because the server would compile each statement for up to a second if
            // the role has `enable_seqscan = off` or the table is large.
            format!(
                "BEGIN ISOLATION LEVEL READ COMMITTED {mode}; \
                SET LOCAL statement_timeout = {limit_ms}; SET LOCAL lock_timeout = {lock_ms}; \
                SET LOCAL idle_in_transaction_session_timeout = {idle_ms}; \
                SET LOCAL client_min_messages = warning; SET LOCAL jit = off; \
                SET LOCAL search_path = pg_catalog, pg_temp"
            )
        };
        Self {
            begin: begin(mode, lock_ms),
            begin_briefly: begin(mode, lock_ms.min(BRIEFLY.as_millis())),
            begin_to_look: begin("READ ONLY", lock_ms),
            name,
            limit,
            access,
            tls,
        }
    }

    /// Asks the server to cancel the running statement of a connection. Without the cancel request,
    /// the server process would continue to wait, and each new connection would add another
    /// process.
    pub(crate) async fn cancel(&self, token: &CancelToken, socket: Option<&Path>) {
        let asked = async {
            match (&self.tls, socket) {
                (Some(tls), _) => token.cancel_query(tls.connector()).await,
                #[cfg(unix)]
                (None, Some(path)) => match dial(path).await {
                    Ok(stream) => token.cancel_query_raw(stream, NoTls).await,
                    Err(_) => Ok(()),
                },
                _ => token.cancel_query(Plain).await,
            }
        };
        let _ = tokio::time::timeout(self.limit, asked).await;
    }

    /// Returns the statements that begin a transaction.
    pub(crate) fn begin(&self, is_brief: bool) -> &str {
        if is_brief { &self.begin_briefly } else { &self.begin }
    }

    pub(crate) fn too_slow(&self, doing: &'static str, timeout: Duration) -> Fault {
        Fault::Unsure { doing, detail: format!("no answer within {} ms", timeout.as_millis()) }
    }
}

/// Connects to a Unix socket.
#[cfg(unix)]
pub(crate) async fn dial(path: &Path) -> std::io::Result<Watched<tokio::net::UnixStream>> {
    tokio::net::UnixStream::connect(path).await.map(Watched::plain)
}
