//! PostgreSQL connections and transactions, with timeouts on the client and on the server. Safe
//! behind a pooler in transaction mode: no prepared statement, setting or lock outlives a
//! transaction.

use std::error::Error as _;
use std::future::{Future, poll_fn};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::{join, join3};
use messaging_inbox::StoreError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::AbortHandle;
use tokio_postgres::config::{SslMode, SslNegotiation};
use tokio_postgres::error::{DbError, Severity};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{
    AsyncMessage, CancelToken, Client, Config, Connection, NoTls, Notification, Row,
};

use crate::fault::Fault;
use crate::options::Options;
use crate::password::Password;
use crate::pool::ATTEMPTS;
use crate::schema::{self, Tables};
use crate::scram::Plain;
#[cfg(unix)]
use crate::scram::Watched;
use crate::target::{Encryption, Host, Target};
use crate::tls::Tls;

/// A statement parameter with an explicit type, so that no statement is prepared.
pub(crate) type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// Multiple of the statement timeout after which the server ends an idle transaction, and after
/// which a connection attempt to a single host fails.
const PATIENCE: u32 = 3;
/// Initial and maximum delay after a failed connection attempt.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Lock timeout for a request that is retried outside its batch.
const BRIEFLY: Duration = Duration::from_millis(30);
/// Number of cancel requests for an abandoned commit, and the wait after each.
const CANCELS: u32 = 4;
const UNTIL_ENDED: Duration = Duration::from_millis(500);

/// Opens connections to the first host that accepts them.
pub(crate) struct Connector {
    target: Target,
    /// Settings shared by all hosts.
    config: Config,
    password: Option<Password>,
    /// Index of the host to try first: the last that worked, or the next after the last that
    /// failed.
    next: AtomicUsize,
    tls: Option<Tls>,
    pub(crate) name: String,
    /// Timeout of a statement and of a connection attempt.
    pub(crate) limit: Duration,
    pub(crate) tables: &'static Tables,
    access: Access,
    /// Begins a transaction and sets its timeouts.
    begin: String,
    /// Begins a transaction with a short lock timeout.
    begin_briefly: String,
    /// Begins a read-only transaction, which a standby accepts too.
    begin_to_look: String,
    refused: Mutex<Option<Refused>>,
    /// The connector that must be connected before this connector opens a connection.
    after: Option<Arc<Connector>>,
    /// True while the connection that other connectors wait for is open.
    pub(crate) is_there: watch::Sender<bool>,
}

/// The last failed connection attempt.
struct Refused {
    at: Instant,
    pause: Duration,
    error: StoreError,
}

/// Access mode of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Write,
    /// Read-only on the primary, because a standby may lag.
    Look,
    Read,
}

impl Connector {
    /// The role of the connections.
    pub(crate) fn role(&self) -> &str {
        &self.target.user
    }

    /// Creates a connector. If `after` is set, connections are opened only while the connection of
    /// `after` [is open](Self::is_there). They can then not use up the database's connections
    /// before it.
    ///
    /// # Errors
    /// Returns `NotSetUp` if the file of certificate authorities is unusable.
    pub(crate) fn new(
        target: &Target,
        options: &Options,
        access: Access,
        tables: &'static Tables,
        after: Option<&Arc<Self>>,
    ) -> Result<Arc<Self>, StoreError> {
        let limit = options.timeout;
        let tls = Tls::new(options.authorities.as_ref()).map_err(|error| StoreError::NotSetUp {
            store: target.to_string(),
            detail: error.to_string(),
        })?;
        let mut config = Config::new();
        config
            .user(&target.user)
            .dbname(&target.database)
            .application_name(tables.schema.replace('_', "-"))
            .tcp_user_timeout(limit.saturating_mul(PATIENCE.saturating_mul(2)))
            .keepalives_idle(Duration::from_secs(10))
            .keepalives_interval(Duration::from_secs(5))
            .keepalives_retries(3);
        // With several hosts, each attempt must leave time for the next host. A host can have two
        // addresses.
        let tcp_limit = if target.hosts.len() > 1 { limit / 2 } else { limit };
        config.connect_timeout(tcp_limit);
        let encrypted = target.encryption == Encryption::Verified;
        let limit_ms = limit.as_millis().max(1);
        // Shorter than the statement timeout for two reasons: the error names the lock, and the
        // rest of the batch can still be stored one by one.
        let lock_ms = (limit_ms / 4).max(1);
        let mode = match access {
            Access::Write => "READ WRITE",
            Access::Look | Access::Read => "READ ONLY",
        };
        // This process can stop or crash between two statements of a transaction.
        let idle_ms = limit_ms.saturating_mul(PATIENCE.into());
        // A role may have disabled the warning about an unconfirmed commit. With another
        // `search_path`, a role that may create operators could run them with the rights of this
        // role.
        let begin = |mode: &str, lock_ms: u128| {
            format!(
                "BEGIN ISOLATION LEVEL READ COMMITTED {mode}; \
                SET LOCAL statement_timeout = {limit_ms}; SET LOCAL lock_timeout = {lock_ms}; \
                SET LOCAL idle_in_transaction_session_timeout = {idle_ms}; \
                SET LOCAL client_min_messages = warning; \
                SET LOCAL search_path = pg_catalog, pg_temp"
            )
        };
        Ok(Arc::new(Self {
            target: target.clone(),
            config,
            password: options.password.clone(),
            next: AtomicUsize::new(0),
            tls: encrypted.then_some(tls),
            name: target.to_string(),
            limit,
            tables,
            access,
            begin: begin(mode, lock_ms),
            begin_briefly: begin(mode, lock_ms.min(BRIEFLY.as_millis())),
            begin_to_look: begin("READ ONLY", lock_ms),
            refused: Mutex::new(None),
            after: after.cloned(),
            is_there: watch::Sender::new(false),
        }))
    }

    /// Opens a connection. During the delay after a failed attempt, returns the error of that
    /// attempt.
    pub(crate) async fn connect(
        self: &Arc<Self>,
        notices: Option<UnboundedSender<Notification>>,
    ) -> Result<Session, StoreError> {
        if let Some(refused) = &*self.refused()
            && refused.at.elapsed() < refused.pause
        {
            return Err(refused.error.clone());
        }
        if let Some(after) = &self.after {
            after.is_soon_there().await?;
        }
        let made = self.connect_now(notices).await;
        match made {
            Ok(session) => {
                *self.refused() = None;
                Ok(session)
            }
            Err(fault) => {
                let error = fault.of(&self.name);
                let mut refused = self.refused();
                let pause = refused
                    .as_ref()
                    .map_or(PAUSES.0, |refused| refused.pause.saturating_mul(2).min(PAUSES.1));
                *refused = Some(Refused { at: Instant::now(), pause, error: error.clone() });
                Err(error)
            }
        }
    }

    /// Waits up to half the timeout for the connection that other connectors wait for.
    async fn is_soon_there(&self) -> Result<(), StoreError> {
        let mut is_there = self.is_there.subscribe();
        let refused = || self.refused().as_ref().map(|refused| refused.error.clone());
        let failed = match *is_there.borrow() {
            true => return Ok(()),
            false => refused(),
        };
        if let Some(error) = failed {
            return Err(error);
        }
        match tokio::time::timeout(self.limit / 2, is_there.wait_for(|is_there| *is_there)).await {
            Ok(_) => Ok(()),
            Err(_) => Err(refused().unwrap_or_else(|| StoreError::Unavailable {
                store: self.name.clone(),
                detail: "connecting: the connection for storing comes first".to_string(),
            })),
        }
    }

    fn refused(&self) -> MutexGuard<'_, Option<Refused>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tries each host once, starting with the last that worked. If the caller drops the future,
    /// the next call continues with the next host.
    async fn connect_now(
        self: &Arc<Self>,
        notices: Option<UnboundedSender<Notification>>,
    ) -> Result<Session, Fault> {
        let hosts = &self.target.hosts;
        let count = hosts.len();
        let patience = match count {
            1 => self.limit.saturating_mul(PATIENCE),
            _ => self.limit,
        };
        let first = self.next.load(Ordering::SeqCst);
        let mut failed = self.too_slow("connecting", patience);
        for (at, host) in hosts.iter().enumerate().cycle().skip(first).take(count) {
            self.next.store(at.saturating_add(1), Ordering::SeqCst);
            let made = async {
                // The server can close the connection before its first statement.
                for _ in 1..ATTEMPTS {
                    match self.connect_to(host, notices.clone()).await {
                        Err(fault) if fault.is_passing() => {}
                        made => return made,
                    }
                }
                self.connect_to(host, notices.clone()).await
            };
            match tokio::time::timeout(patience, made).await {
                Ok(Ok(session)) => {
                    self.next.store(at, Ordering::SeqCst);
                    return Ok(session);
                }
                Ok(Err(fault)) => failed = fault,
                Err(_) => failed = self.too_slow("connecting", patience),
            }
        }
        Err(failed)
    }

    async fn connect_to(
        self: &Arc<Self>,
        host: &Host,
        notices: Option<UnboundedSender<Notification>>,
    ) -> Result<Session, Fault> {
        let mut config = self.config.clone();
        config.host(&host.name).port(host.port);
        let password = self.password.as_ref().and_then(|password| password.of_host(host));
        if let Some(password) = &password {
            config.password(password);
        }
        let failed = |error: tokio_postgres::Error| {
            let source = error.source().map(ToString::to_string);
            let doing = match source.as_deref() {
                Some("password missing") => {
                    "connecting without a password (MESSAGING_STORE_PASSWORD or MESSAGING_STORE_PASSWORD_FILE gives one)"
                }
                Some("server does not support TLS") => {
                    "connecting (set ssl = on there, or write sslmode=disable where nobody is on the way)"
                }
                _ => "connecting",
            };
            Fault::Sql { doing, error }
        };
        let unconfirmed = Arc::<AtomicBool>::default();
        let (alive, ended) = watch::channel(());
        let heard = Heard { unconfirmed: Arc::clone(&unconfirmed), notices, _alive: alive };
        let socket = (cfg!(unix) && self.tls.is_none() && host.is_socket())
            .then(|| Path::new(&host.name).join(format!(".s.PGSQL.{}", host.port)));
        let (client, driver) = match (&self.tls, &socket) {
            (Some(tls), _) => {
                config.ssl_mode(SslMode::Require);
                spawn(config.connect(tls.connector()).await.map_err(failed)?, heard)
            }
            #[cfg(unix)]
            (None, Some(path)) => {
                let stream =
                    dial(path).await.map_err(|error| match Path::new(&host.name).exists() {
                        true => Fault::Unsure { doing: "connecting", detail: error.to_string() },
                        false => Fault::Store(StoreError::NotSetUp {
                            store: self.name.clone(),
                            detail: format!("no directory {}; name that of the socket", host.name),
                        }),
                    })?;
                config.ssl_mode(SslMode::Disable);
                spawn(config.connect_raw(stream, NoTls).await.map_err(failed)?, heard)
            }
            _ => {
                // `Plain` replaces the TLS handshake and sends nothing.
                config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct);
                spawn(config.connect(Plain).await.map_err(failed)?, heard)
            }
        };
        let connector = Arc::clone(self);
        let mut session = Session {
            client,
            driver,
            socket,
            unconfirmed,
            ended,
            connector,
            is_clean: true,
            is_committing: AtomicBool::new(false),
            is_brief: false,
            place: None,
        };
        if self.access != Access::Read {
            let found = schema::look(&mut session, self.tables).await?;
            if found.is_standby {
                let detail = "the server is a standby";
                return Err(Fault::Unsure { doing: "connecting", detail: detail.into() });
            }
            if self.access == Access::Write {
                found.is_safe(&self.name)?;
            }
        }
        Ok(session)
    }

    /// Asks the server to cancel the running statement of a connection. Without it, the server
    /// process would continue to wait, and each new connection would add another process.
    async fn cancel(&self, token: &CancelToken, socket: Option<&Path>) {
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

    fn begin(&self, is_brief: bool) -> &str {
        if is_brief { &self.begin_briefly } else { &self.begin }
    }

    fn too_slow(&self, doing: &'static str, patience: Duration) -> Fault {
        Fault::Unsure { doing, detail: format!("no answer within {} ms", patience.as_millis()) }
    }
}

/// Connects to a Unix socket.
#[cfg(unix)]
async fn dial(path: &Path) -> std::io::Result<Watched<tokio::net::UnixStream>> {
    tokio::net::UnixStream::connect(path).await.map(Watched::plain)
}

/// Receivers of unsolicited messages from the server.
struct Heard {
    unconfirmed: Arc<AtomicBool>,
    notices: Option<UnboundedSender<Notification>>,
    /// Dropped when the connection has ended.
    _alive: watch::Sender<()>,
}

fn spawn<S, T>(
    (client, connection): (Client, Connection<S, T>),
    heard: Heard,
) -> (Client, AbortHandle)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    (client, tokio::spawn(drive(connection, heard)).abort_handle())
}

async fn drive<S, T>(mut connection: Connection<S, T>, heard: Heard)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    // An error or the end is reported to the pending requests.
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        match message {
            // It arrives before the reply to COMMIT.
            AsyncMessage::Notice(notice) if is_unconfirmed(&notice) => {
                tracing::warn!(code = notice.code().code(), "{}", notice.message());
                heard.unconfirmed.store(true, Ordering::SeqCst);
            }
            AsyncMessage::Notification(notification) => {
                if let Some(notices) = &heard.notices {
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
    connector: Arc<Connector>,
    /// True if no transaction is open and no response is pending.
    is_clean: bool,
    /// True while a COMMIT is pending. No timeout of the server ends its wait for a standby.
    is_committing: AtomicBool,
    /// If true, transactions use the short lock timeout.
    pub(crate) is_brief: bool,
    /// The connection slot of the pool. It stays occupied until the connection has ended.
    pub(crate) place: Option<OwnedSemaphorePermit>,
}

/// Waits for the end of an abandoned transaction, because server timeouts end its statements. They
/// do not end a COMMIT that waits for a standby and holds locks, so only a COMMIT is canceled.
/// PgBouncer 1.18 can crash on a cancel request (pgbouncer#801).
impl Drop for Session {
    fn drop(&mut self) {
        if self.is_clean || self.client.is_closed() {
            return;
        }
        let Ok(runtime) = Handle::try_current() else { return self.driver.abort() };
        let (token, connector) = (self.client.cancel_token(), Arc::clone(&self.connector));
        let (driver, mut ended) = (self.driver.clone(), self.ended.clone());
        let (socket, place) = (self.socket.take(), self.place.take());
        let waits_for_standby =
            connector.access == Access::Write && self.is_committing.load(Ordering::SeqCst);
        runtime.spawn(async move {
            // The connection ends when all replies have arrived.
            let mut ends = pin!(async { while ended.changed().await.is_ok() {} });
            let patience = connector.limit.saturating_add(UNTIL_ENDED);
            let mut is_over = tokio::time::timeout(patience, &mut ends).await.is_ok();
            // Repeats the cancel request, because the first can arrive before the statement begins.
            for _ in 0..CANCELS {
                if is_over || !waits_for_standby {
                    break;
                }
                connector.cancel(&token, socket.as_deref()).await;
                is_over = tokio::time::timeout(UNTIL_ENDED, &mut ends).await.is_ok();
            }
            driver.abort();
            drop(place);
        });
    }
}

impl Session {
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
        let connector = Arc::clone(&self.connector);
        self.run(doing, connector.begin(self.is_brief), sql, parameters).await
    }

    /// Runs one read-only statement in its own transaction. A standby accepts it too.
    pub(crate) async fn look(
        &mut self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        let connector = Arc::clone(&self.connector);
        self.run(doing, &connector.begin_to_look, sql, parameters).await
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
        let begin = self.connector.begin(self.is_brief);
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

    pub(crate) fn connector(&self) -> &Arc<Connector> {
        &self.connector
    }

    /// Ends a transaction. Returns an error if the synchronous standby did not confirm its commit.
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

    /// Applies a client timeout. No server timeout covers COMMIT.
    async fn in_time<T>(
        &self,
        doing: &'static str,
        work: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        // A statement takes at most one timeout, and a commit that waits for a standby half of
        // that. A sender that gives up after two timeouts therefore leaves no waiting process.
        let patience = self.connector.limit.saturating_mul(3) / 2;
        let mut work = pin!(work);
        match tokio::time::timeout(patience, &mut work).await {
            Ok(done) => done,
            Err(_) => {
                if self.connector.access == Access::Write
                    && self.is_committing.load(Ordering::SeqCst)
                {
                    let token = self.client.cancel_token();
                    self.connector.cancel(&token, self.socket.as_deref()).await;
                }
                // Waits until the server process has ended, before another connection replaces it.
                let _ = tokio::time::timeout(UNTIL_ENDED, work).await;
                Err(match self.connector.access {
                    Access::Write => Fault::Unsure {
                        doing,
                        detail: format!(
                            "no answer within {} ms, as where a synchronous standby is away",
                            patience.as_millis()
                        ),
                    },
                    _ => self.connector.too_slow(doing, patience),
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

    /// Rolls back.
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
