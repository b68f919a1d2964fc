//! Connections to the database, and transactions on them: with time limits on the server's side
//! too, and in a way that a pooler may hand each transaction to another server process. Nothing
//! of a session is relied on: no prepared statement, no setting, no lock.

use std::future::{Future, poll_fn};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::{join, join3};
use messaging_inbox::StoreError;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, NoTls, Notification, Row};

use crate::fault::Fault;
use crate::password::Password;
use crate::target::{Encryption, Target};
use crate::tls::Tls;

/// A parameter of a statement: its type is said, so that nothing has to be prepared.
pub(crate) type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

/// A server that does not answer is given up after so many times the limit of a statement.
const PATIENCE: u32 = 3;
/// Pauses after a connection that could not be made: the first and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Makes connections.
pub(crate) struct Connector {
    config: Config,
    tls: Option<Tls>,
    pub(crate) name: String,
    /// Time limit of a statement, and of making a connection.
    pub(crate) limit: Duration,
    begin: String,
    refused: Mutex<Option<Refused>>,
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
    Read,
}

impl Connector {
    /// # Errors
    /// The file of authorities cannot be used.
    pub(crate) fn new(
        target: &Target,
        password: Option<&Password>,
        authorities: Option<&PathBuf>,
        limit: Duration,
        access: Access,
        program: &str,
    ) -> Result<Arc<Self>, StoreError> {
        let tls = Tls::new(authorities).map_err(|error| StoreError::NotSetUp {
            store: target.to_string(),
            detail: error.to_string(),
        })?;
        let mut config = Config::new();
        config
            .user(&target.user)
            .dbname(&target.database)
            .application_name(program)
            .connect_timeout(limit)
            .tcp_user_timeout(limit.saturating_mul(PATIENCE.saturating_mul(2)))
            .keepalives_idle(Duration::from_secs(10))
            .keepalives_interval(Duration::from_secs(5))
            .keepalives_retries(3);
        for host in &target.hosts {
            config.host(&host.name).port(host.port);
        }
        if let Some(password) = password {
            config.password(password.bytes());
        }
        if access == Access::Write {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let encrypted = target.encryption == Encryption::Verified;
        config.ssl_mode(if encrypted { SslMode::Require } else { SslMode::Disable });
        let limit_ms = limit.as_millis().max(1);
        // Waiting for a lock ends before the statement does, so that its error says why.
        let lock_ms = (limit_ms.saturating_mul(3) / 4).max(1);
        let mode = match access {
            Access::Write => "READ WRITE",
            Access::Read => "READ ONLY",
        };
        let begin = format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED {mode}; \
            SET LOCAL statement_timeout = {limit_ms}; SET LOCAL lock_timeout = {lock_ms}"
        );
        Ok(Arc::new(Self {
            config,
            tls: encrypted.then_some(tls),
            name: target.to_string(),
            limit,
            begin,
            refused: Mutex::new(None),
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
        // Beyond the limit for each address: of the handshake and the proof of the password.
        let patience = self.limit.saturating_mul(PATIENCE);
        let made = tokio::time::timeout(patience, self.connect_now(notices)).await;
        let made = made.unwrap_or_else(|_| {
            Err(Fault::Unsure {
                doing: "connecting",
                detail: format!("no answer within {} ms", patience.as_millis()),
            })
        });
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

    fn refused(&self) -> MutexGuard<'_, Option<Refused>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn connect_now(
        self: &Arc<Self>,
        notices: Option<UnboundedSender<Notification>>,
    ) -> Result<Session, Fault> {
        let failed = Fault::sql("connecting");
        let warnings = Arc::<AtomicU64>::default();
        let heard = Heard { warnings: Arc::clone(&warnings), notices };
        let (client, driver) = match &self.tls {
            Some(tls) => {
                let (client, connection) =
                    self.config.connect(tls.clone()).await.map_err(failed)?;
                (client, tokio::spawn(drive(connection, heard)).abort_handle())
            }
            None => {
                let (client, connection) = self.config.connect(NoTls).await.map_err(failed)?;
                (client, tokio::spawn(drive(connection, heard)).abort_handle())
            }
        };
        Ok(Session { client, driver, warnings, connector: Arc::clone(self), is_clean: true })
    }

    fn too_slow(&self, doing: &'static str, patience: Duration) -> Fault {
        Fault::Unsure { doing, detail: format!("no answer within {} ms", patience.as_millis()) }
    }
}

/// Where what the server says by itself goes.
struct Heard {
    warnings: Arc<AtomicU64>,
    notices: Option<UnboundedSender<Notification>>,
}

async fn drive<S, T>(mut connection: tokio_postgres::Connection<S, T>, heard: Heard)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    // An error or the end is told to whoever waits for an answer.
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        match message {
            // It comes before the answer to the statement that it warns of.
            AsyncMessage::Notice(notice) if notice.severity() == "WARNING" => {
                tracing::warn!(code = notice.code().code(), "{}", notice.message());
                heard.warnings.fetch_add(1, Ordering::SeqCst);
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

/// A connection.
pub(crate) struct Session {
    client: Client,
    driver: AbortHandle,
    warnings: Arc<AtomicU64>,
    connector: Arc<Connector>,
    /// No transaction is open, and no answer is awaited.
    is_clean: bool,
}

impl Drop for Session {
    fn drop(&mut self) {
        // Else it ends by itself, with a word to the server.
        if !self.is_clean {
            self.driver.abort();
        }
    }
}

impl Session {
    /// Whether it can be used for another transaction.
    pub(crate) fn is_usable(&self) -> bool {
        self.is_clean && !self.client.is_closed()
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
        let warned = self.start();
        let all = async {
            let (begun, rows, committed) = join3(
                self.execute(doing, &self.connector.begin),
                self.query(doing, sql, parameters),
                self.execute(doing, "COMMIT"),
            )
            .await;
            // After an error the server has rolled back at the word COMMIT.
            begun?;
            let rows = rows?;
            committed?;
            Ok(rows)
        };
        let done = self.in_time(doing, all).await;
        self.end(doing, warned, done)
    }

    /// Begins a transaction, with its first statement in the same round trip.
    pub(crate) async fn begin(
        &mut self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<(Transaction<'_>, Vec<Row>), Fault> {
        let warned = self.start();
        let both = async {
            let (begun, rows) = join(
                self.execute(doing, &self.connector.begin),
                self.query(doing, sql, parameters),
            )
            .await;
            begun?;
            rows
        };
        let rows = self.in_time(doing, both).await;
        let transaction = Transaction { session: self, doing, warned };
        match rows {
            Ok(rows) => Ok((transaction, rows)),
            Err(fault) => Err(transaction.roll_back(fault).await),
        }
    }

    fn start(&mut self) -> u64 {
        self.is_clean = false;
        self.warnings.load(Ordering::SeqCst)
    }

    /// Ends what left the connection clean. A commit that a standby has not confirmed, because
    /// somebody ended the wait for it, is reported as done, with a warning: who asked is not told
    /// that it is kept.
    fn end<T>(
        &mut self,
        doing: &'static str,
        warned: u64,
        done: Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.is_clean = match &done {
            Ok(_) => true,
            Err(fault) => fault.leaves_the_connection(),
        };
        if done.is_ok() && self.warnings.load(Ordering::SeqCst) != warned {
            let detail = "the database warned, and may not keep it".to_string();
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
        let patience = self.connector.limit.saturating_mul(PATIENCE);
        match tokio::time::timeout(patience, work).await {
            Ok(done) => done,
            Err(_) => {
                self.cancel().await;
                Err(self.connector.too_slow(doing, patience))
            }
        }
    }

    /// Asks the server to end what it does for this connection: its process would wait on, and
    /// each new connection would add one.
    async fn cancel(&self) {
        let token = self.client.cancel_token();
        let asked = async {
            match &self.connector.tls {
                Some(tls) => token.cancel_query(tls.clone()).await,
                None => token.cancel_query(NoTls).await,
            }
        };
        let _ = tokio::time::timeout(self.connector.limit, asked).await;
    }
}

/// A transaction that is open. Dropped before its end, the connection is closed, and the server
/// rolls back.
pub(crate) struct Transaction<'a> {
    session: &'a mut Session,
    doing: &'static str,
    warned: u64,
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
                let done = self.execute("COMMIT").await.map(|()| result);
                let Self { session, doing, warned } = self;
                session.end(doing, warned, done)
            }
            Err(fault) => Err(self.roll_back(fault).await),
        }
    }

    async fn roll_back(self, fault: Fault) -> Fault {
        if fault.leaves_the_connection() {
            self.session.is_clean = self.execute("ROLLBACK").await.is_ok();
        }
        fault
    }
}
