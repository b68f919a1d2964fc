//! Connections and transactions, with time limits on the server too. A pooler may run each transaction in
//! another server process, therefore no prepared statement, setting or lock outlives a transaction.

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
use crate::password::Password;
use crate::pool::ATTEMPTS;
use crate::schema::{self, Tables};
use crate::scram::Plain;
#[cfg(unix)]
use crate::scram::Watched;
use crate::target::{Encryption, Host, Target};
use crate::tls::Tls;

/// A parameter of a statement: its type is said, so that nothing has to be prepared.
pub(crate) type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// A server that stands still is given up by the database after so many times the limit of a statement,
/// and one that does not take a connection by its client.
const PATIENCE: u32 = 3;
/// Pauses after a connection that could not be made: the first and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Time for which one of many waits for what the others do not.
const BRIEFLY: Duration = Duration::from_millis(30);
/// Number of cancel requests for an abandoned commit, and the time between them.
const CANCELS: u32 = 4;
const UNTIL_ENDED: Duration = Duration::from_millis(500);

/// Makes connections.
pub(crate) struct Connector {
    target: Target,
    /// For every host.
    config: Config,
    password: Option<Password>,
    /// The host to begin with: the one that served last, or the one after those that were tried.
    next: AtomicUsize,
    tls: Option<Tls>,
    pub(crate) name: String,
    /// Time limit of a statement, and of making a connection.
    pub(crate) limit: Duration,
    pub(crate) tables: &'static Tables,
    access: Access,
    /// Statements that begin a transaction, with their time limits.
    begin: String,
    /// Begins a transaction that waits only briefly for a lock.
    begin_briefly: String,
    /// Begins a transaction that a standby accepts too.
    begin_to_look: String,
    refused: Mutex<Option<Refused>>,
    /// The one whose connection comes first.
    after: Option<Arc<Connector>>,
    /// Whether the connection that others come after is there.
    pub(crate) is_there: watch::Sender<bool>,
}

/// The last attempt, which failed.
struct Refused {
    at: Instant,
    pause: Duration,
    error: StoreError,
}

/// Whether a connection writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Write,
    /// Reads what was written, and so not on a standby, which lags.
    Look,
    Read,
}

impl Connector {
    /// The role that connects.
    pub(crate) fn role(&self) -> &str {
        &self.target.user
    }

    /// Connections that are made only while the one that `after` [keeps](Self::is_there) is there,
    /// so that they cannot use up those that the database has.
    ///
    /// # Errors
    /// The file of authorities cannot be used.
    pub(crate) fn new(
        target: &Target,
        password: Option<&Password>,
        authorities: Option<&PathBuf>,
        limit: Duration,
        access: Access,
        tables: &'static Tables,
        after: Option<&Arc<Self>>,
    ) -> Result<Arc<Self>, StoreError> {
        let tls = Tls::new(authorities).map_err(|error| StoreError::NotSetUp {
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
        // With several hosts, each has to leave time for the next: of its own one for two addresses.
        let tcp_limit = if target.hosts.len() > 1 { limit / 2 } else { limit };
        config.connect_timeout(tcp_limit);
        let encrypted = target.encryption == Encryption::Verified;
        let limit_ms = limit.as_millis().max(1);
        // Waiting for a lock ends before the statement does, so that its error says why.
        // And early enough that the others of a batch can be stored one by one in what is left.
        let lock_ms = (limit_ms / 4).max(1);
        let mode = match access {
            Access::Write => "READ WRITE",
            Access::Look | Access::Read => "READ ONLY",
        };
        // This process can stop, or be lost, before any statement of a transaction.
        let idle_ms = limit_ms.saturating_mul(PATIENCE.into());
        // A role may have turned off the warning about an unconfirmed commit. And a role that may create
        // operators in another schema would run them with the rights of this one.
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
            password: password.cloned(),
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

    /// Makes a connection. Where the last attempt has failed just now, its error is told again.
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

    /// Waits a moment for the connection that others come after.
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

    /// Tries each host, beginning with the last one that served. If its caller gives up, the next call
    /// continues with the next host.
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
                // The server can close it before its first statement.
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
                // `Plain` takes the place of a TLS handshake, and sends nothing.
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

    /// Asks the server to end what it does for a connection: its process would wait on, and each new
    /// connection would add one.
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

/// Connects to a socket.
#[cfg(unix)]
async fn dial(path: &Path) -> std::io::Result<Watched<tokio::net::UnixStream>> {
    tokio::net::UnixStream::connect(path).await.map(Watched::plain)
}

/// Receivers of messages that the server sends without being asked.
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

/// Returns true if the notice says that the wait of a COMMIT for the synchronous standby was canceled. The server
/// reports such a commit as done. Triggers can raise a warning with its SQLSTATE and text at the same moment, but
/// not with its place in the server's source. A server that hides the place is believed any warning.
fn is_unconfirmed(notice: &DbError) -> bool {
    match notice.routine() {
        Some(routine) => routine == "SyncRepWaitForLSN",
        None => notice.parsed_severity() == Some(Severity::Warning),
    }
}

/// A connection.
pub(crate) struct Session {
    client: Client,
    driver: AbortHandle,
    /// The socket that it is connected through.
    socket: Option<PathBuf>,
    /// Set if a commit was not confirmed by the synchronous standby.
    unconfirmed: Arc<AtomicBool>,
    ended: watch::Receiver<()>,
    connector: Arc<Connector>,
    /// No transaction is open, and no answer is awaited.
    is_clean: bool,
    /// A COMMIT is under way, which no time limit of the server ends while it waits for a standby.
    is_committing: AtomicBool,
    /// Its transactions do not wait long for what others hold.
    pub(crate) is_brief: bool,
    /// The place among others of its kind that it has until it has ended.
    pub(crate) place: Option<OwnedSemaphorePermit>,
}

/// Waits for the end of an abandoned transaction: time limits of the server end its statements. Only a COMMIT
/// has none. If it waits for a standby, it is canceled, because it would hold its locks. PgBouncer 1.18 can
/// crash on a cancel request (pgbouncer#801), so nothing else is canceled.
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
            // A request that arrived before its statement began is repeated.
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
    /// Whether it can be used for another transaction.
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

    /// Runs one statement in a transaction of its own, in one round trip.
    pub(crate) async fn once(
        &mut self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        let connector = Arc::clone(&self.connector);
        self.run(doing, connector.begin(self.is_brief), sql, parameters).await
    }

    /// Runs one statement that a standby accepts too.
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

    /// Begins a transaction, with its first statement in the same round trip.
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

    /// Ends a transaction, with an error if the synchronous standby did not confirm its commit.
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

    /// Waits, but not for ever: the server has limits of its own, all but for a commit.
    async fn in_time<T>(
        &self,
        doing: &'static str,
        work: impl Future<Output = Result<T, Fault>>,
    ) -> Result<T, Fault> {
        // A statement ends after its limit; a commit that waits for a standby has half of that, so
        // that a sender that gives up after two limits leaves nothing that waits.
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
                // So that its process has ended before another one takes its place.
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

/// A transaction that is open. Dropped before its end, the connection is closed, and the server
/// rolls back.
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

    /// Commits what has come to a result, and rolls back what has not.
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

    /// Takes back what it has done.
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
