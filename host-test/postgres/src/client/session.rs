//! PostgreSQL connections and transactions, with timeouts on the client and on the server. Safe
//! behind a pooler in transaction mode: no prepared statement, setting or lock outlives a
//! transaction.

use std::future::{Future, poll_fn};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::{join, join3};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::AbortHandle;
use tokio_postgres::error::{DbError, Severity};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Connection, Notification, Row};

use crate::client::fault::Fault;
use crate::client::link::{Access, Link};

/// A statement parameter with an explicit type. Without the type, the statement would be prepared.
pub(crate) type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// Number of cancel requests for an abandoned commit.
const CANCELS: u32 = 4;
/// Time for a server process to end after a timeout or a cancel request.
const UNTIL_ENDED: Duration = Duration::from_millis(500);

/// Receivers of unsolicited messages from the server.
pub(crate) struct Unsolicited {
    pub(crate) unconfirmed: Arc<AtomicBool>,
    pub(crate) notices: Option<UnboundedSender<Notification>>,
    /// Dropped when the connection has ended.
    pub(crate) _alive: watch::Sender<()>,
}

/// Runs a connection in a task until it ends.
pub(crate) fn spawn<S, T>(
    (client, connection): (Client, Connection<S, T>),
    unsolicited: Unsolicited,
) -> (Client, AbortHandle)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    (client, tokio::spawn(drive(connection, unsolicited)).abort_handle())
}

async fn drive<S, T>(mut connection: Connection<S, T>, unsolicited: Unsolicited)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    // The client reports an error or the end of the connection to the pending requests.
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        match message {
            // The notice arrives before the reply to COMMIT.
            AsyncMessage::Notice(notice) if is_unconfirmed(&notice) => {
                tracing::warn!(code = notice.code().code(), "{}", notice.message().escape_debug());
                unsolicited.unconfirmed.store(true, Ordering::SeqCst);
            }
            AsyncMessage::Notification(notification) => {
                if let Some(notices) = &unsolicited.notices {
                    let _ = notices.send(notification);
                }
            }
            _ => {}
        }
    }
}

/// Returns true if the notice reports that COMMIT stopped waiting for the synchronous standby. The
/// server reports such a commit as successful. A trigger can raise a warning with the same SQLSTATE
/// and text, but not with the same routine name. If the server hides routine names, every warning
/// counts.
fn is_unconfirmed(notice: &DbError) -> bool {
    match notice.routine() {
        Some(routine) => routine == "SyncRepWaitForLSN",
        None => notice.parsed_severity() == Some(Severity::Warning),
    }
}

/// A connection to the database.
pub(crate) struct Session {
    client: Client,
    driver: AbortHandle,
    /// Path of the Unix socket, if the connection uses one.
    socket: Option<PathBuf>,
    /// Set if a commit was not confirmed by the synchronous standby.
    unconfirmed: Arc<AtomicBool>,
    ended: watch::Receiver<()>,
    pub(crate) link: Arc<Link>,
    /// True if no transaction is open and no response is pending.
    is_clean: bool,
    /// True while a COMMIT is pending. No server timeout ends a COMMIT that waits for a standby.
    is_committing: AtomicBool,
    /// If true, transactions use the short lock timeout.
    pub(crate) is_brief: bool,
    /// The connection slot of the pool. It stays occupied until the connection has ended.
    pub(crate) permit: Option<OwnedSemaphorePermit>,
}

/// Waits for the end of an abandoned transaction. Server timeouts end its statements, but not a
/// COMMIT that waits for a standby and holds locks. Only a COMMIT is canceled, because PgBouncer
/// 1.18 can crash on a cancel request (pgbouncer#801).
impl Drop for Session {
    fn drop(&mut self) {
        if self.is_clean || self.client.is_closed() {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return self.driver.abort() };
        let (token, link) = (self.client.cancel_token(), Arc::clone(&self.link));
        let (driver, mut ended) = (self.driver.clone(), self.ended.clone());
        let (socket, permit) = (self.socket.take(), self.permit.take());
        let waits_for_standby =
            link.access == Access::Write && self.is_committing.load(Ordering::SeqCst);
        runtime.spawn(async move {
            // The connection ends when all replies have arrived.
            let mut ends = pin!(async { while ended.changed().await.is_ok() {} });
            let timeout = link.limit.saturating_add(UNTIL_ENDED);
            let mut is_over = tokio::time::timeout(timeout, &mut ends).await.is_ok();
            // Repeats the cancel request, because the first request can arrive before the statement
            // begins.
            for _ in 0..CANCELS {
                if is_over || !waits_for_standby {
                    break;
                }
                link.cancel(&token, socket.as_deref()).await;
                is_over = tokio::time::timeout(UNTIL_ENDED, &mut ends).await.is_ok();
            }
            driver.abort();
            drop(permit);
        });
    }
}

impl Session {
    pub(crate) fn new(
        link: Arc<Link>,
        client: Client,
        driver: AbortHandle,
        socket: Option<PathBuf>,
        unconfirmed: Arc<AtomicBool>,
        ended: watch::Receiver<()>,
    ) -> Self {
        Self {
            client,
            driver,
            socket,
            unconfirmed,
            ended,
            link,
            is_clean: true,
            is_committing: AtomicBool::new(false),
            is_brief: false,
            permit: None,
        }
    }

    /// Returns true if another transaction can use the connection.
    pub(crate) fn is_usable(&self) -> bool {
        self.is_clean && !self.client.is_closed()
    }

    /// Waits until the connection has ended.
    pub(crate) async fn ended(&self) {
        let mut ended = self.ended.clone();
        while ended.changed().await.is_ok() {}
    }

    pub(crate) async fn query(
        &self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        self.client.query_typed(sql, parameters).await.map_err(Fault::sql(doing))
    }

    /// Runs a statement outside of a transaction.
    pub(crate) async fn execute(&self, doing: &'static str, sql: &str) -> Result<(), Fault> {
        self.client.batch_execute(sql).await.map_err(Fault::sql(doing))
    }

    /// Runs one statement in its own transaction, in one round trip.
    pub(crate) async fn once(
        &mut self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        let link = Arc::clone(&self.link);
        self.run(doing, link.begin(self.is_brief), sql, parameters).await
    }

    /// Runs one read-only statement in its own transaction. A standby accepts the statement too.
    pub(crate) async fn look(
        &mut self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        let link = Arc::clone(&self.link);
        self.run(doing, &link.begin_to_look, sql, parameters).await
    }

    async fn run(
        &mut self,
        doing: &'static str,
        begin: &str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        self.start();
        let query = async {
            let rows = self.query(doing, sql, parameters).await;
            self.is_committing.store(rows.is_ok(), Ordering::SeqCst);
            rows
        };
        let all = async {
            let (begun, rows, committed) =
                join3(self.execute(doing, begin), query, self.execute(doing, "COMMIT")).await;
            // After an error, COMMIT rolls back.
            begun?;
            let rows = rows?;
            committed?;
            Ok(rows)
        };
        let done = self.in_time(doing, all).await;
        self.end(doing, done)
    }

    /// Begins a transaction and runs its first statement in one round trip.
    pub(crate) async fn begin(
        &mut self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<(Transaction<'_>, Vec<Row>), Fault> {
        self.start();
        let begin = self.link.begin(self.is_brief);
        let both = async {
            let (begun, rows) =
                join(self.execute(doing, begin), self.query(doing, sql, parameters)).await;
            begun?;
            rows
        };
        let rows = self.in_time(doing, both).await;
        let transaction = Transaction { session: self, doing };
        match rows {
            Ok(rows) => Ok((transaction, rows)),
            Err(fault) => Err(transaction.roll_back(fault).await),
        }
    }

    fn start(&mut self) {
        self.is_clean = false;
        self.is_committing.store(false, Ordering::SeqCst);
        self.unconfirmed.store(false, Ordering::SeqCst);
    }

    /// Processes the result of a finished transaction: records whether the connection can be used
    /// again, and returns the result. Returns an error if the synchronous standby did not confirm
    /// its commit.
    fn end<T>(&mut self, doing: &'static str, done: Result<T, Fault>) -> Result<T, Fault> {
        self.is_clean = match &done {
            Ok(_) => true,
            Err(fault) => fault.keeps_connection_usable(),
        };
        if done.is_ok() && self.unconfirmed.load(Ordering::SeqCst) {
            let detail = "no synchronous standby confirmed the commit".to_string();
            return Err(Fault::Unsure { doing, detail });
        }
        done
    }

    /// Applies a client timeout, because no server timeout covers COMMIT.
    async fn in_time<T>(
        &self,
        doing: &'static str,
        work: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        // A statement takes at most one timeout, and a commit that waits for a standby gets half of
        // a timeout. A sender that gives up after two timeouts therefore leaves no waiting process.
        let timeout = self.link.limit.saturating_mul(3) / 2;
        let mut work = pin!(work);
        match tokio::time::timeout(timeout, &mut work).await {
            Ok(done) => done,
            Err(_) => {
                if self.link.access == Access::Write && self.is_committing.load(Ordering::SeqCst) {
                    let token = self.client.cancel_token();
                    self.link.cancel(&token, self.socket.as_deref()).await;
                }
                // Waits until the server process has ended, before another connection replaces it.
                let _ = tokio::time::timeout(UNTIL_ENDED, work).await;
                Err(match self.link.access {
                    Access::Write => Fault::Unsure {
                        doing,
                        detail: format!(
                            "no answer within {} ms; a synchronous standby may be unavailable",
                            timeout.as_millis()
                        ),
                    },
                    _ => self.link.too_slow(doing, timeout),
                })
            }
        }
    }
}

/// An open transaction. Dropping it closes the connection, and the server rolls back.
pub(crate) struct Transaction<'a> {
    session: &'a mut Session,
    doing: &'static str,
}

impl Transaction<'_> {
    pub(crate) async fn query(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        self.session.in_time(self.doing, self.session.query(self.doing, sql, parameters)).await
    }

    pub(crate) async fn execute(&self, sql: &str) -> Result<(), Fault> {
        self.session.in_time(self.doing, self.session.execute(self.doing, sql)).await
    }

    /// Commits if `worked` is `Ok`, otherwise rolls back.
    pub(crate) async fn finish<T>(self, worked: Result<T, Fault>) -> Result<T, Fault> {
        match worked {
            Ok(result) => {
                self.session.is_committing.store(true, Ordering::SeqCst);
                let committed = self.execute("COMMIT").await;
                let Self { session, doing } = self;
                session.end(doing, committed.map(|()| result))
            }
            Err(fault) => Err(self.roll_back(fault).await),
        }
    }

    /// Rolls the transaction back.
    pub(crate) async fn undo(self) -> Result<(), Fault> {
        let undone = self.execute("ROLLBACK").await;
        let Self { session, doing } = self;
        session.end(doing, undone)
    }

    async fn roll_back(self, fault: Fault) -> Fault {
        if fault.keeps_connection_usable() {
            self.session.is_clean = self.execute("ROLLBACK").await.is_ok();
        }
        fault
    }
}
