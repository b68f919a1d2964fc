//! A pool of connections for single requests. Connections are opened on demand and reused.

use std::sync::{Arc, Mutex, PoisonError};

use messaging_inbox::StoreError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::Row;

use crate::client::connector::Connector;
use crate::client::fault::{ATTEMPTS, Fault};
use crate::client::session::{Parameter, Session};

/// Runs work on a connection of a pool, and retries it after a conflict with another transaction.
macro_rules! on {
    ($pool:expr, $session:ident => $work:expr) => {{
        let mut taken = $pool.take().await?;
        loop {
            let done = match taken.session() {
                Ok($session) => $work.await,
                Err(fault) => Err(fault),
            };
            if !taken.tries_again(&done).await {
                break done.map_err(|fault| taken.error(fault));
            }
        }
    }};
}
pub(crate) use on;

/// Connections that share a [`Connector`].
pub(crate) struct Pool {
    connector: Arc<Connector>,
    idle: Mutex<Vec<Session>>,
    permits: Arc<Semaphore>,
}

impl Pool {
    pub(crate) fn new(connector: Arc<Connector>, most: usize) -> Self {
        Self { connector, idle: Mutex::default(), permits: Arc::new(Semaphore::new(most)) }
    }

    pub(crate) fn connector(&self) -> &Arc<Connector> {
        &self.connector
    }

    /// Runs one read-only statement in its own transaction. `of` converts the rows.
    pub(crate) async fn read<T>(
        &self,
        doing: &'static str,
        sql: &str,
        parameters: &[Parameter<'_>],
        of: impl FnOnce(&[Row]) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let rows = on!(self, session => session.once(doing, sql, parameters))?;
        of(&rows).map_err(|fault| fault.of(self.connector.name()))
    }

    /// Returns a connection. Waits until a connection slot is free.
    pub(crate) async fn take(&self) -> Result<Taken<'_>, StoreError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| {
            StoreError::Unavailable {
                store: self.connector.name().to_string(),
                detail: "it is closed".to_string(),
            }
        })?;
        let session = match self.kept() {
            Some(session) => session,
            None => self.connector.connect(None).await?,
        };
        Ok(Taken { pool: self, session: Some(session), attempt: 0, permit: Some(permit) })
    }

    fn kept(&self) -> Option<Session> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(Session::is_usable);
        idle.pop()
    }
}

/// A connection in use. If dropped during a transaction, the connection is closed and occupies its
/// slot until it has ended.
pub(crate) struct Taken<'a> {
    pool: &'a Pool,
    session: Option<Session>,
    attempt: u32,
    permit: Option<OwnedSemaphorePermit>,
}

impl Taken<'_> {
    /// Returns the connection, or an error if it is lost.
    pub(crate) fn session(&mut self) -> Result<&mut Session, Fault> {
        self.session.as_mut().ok_or_else(|| Fault::Unsure {
            doing: "connecting",
            detail: "the connection is gone".to_string(),
        })
    }

    /// Returns true if the work must be retried. Replaces a lost connection.
    pub(crate) async fn tries_again<T>(&mut self, done: &Result<T, Fault>) -> bool {
        self.attempt = self.attempt.saturating_add(1);
        let passing = matches!(done, Err(fault) if fault.is_passing());
        if !passing || self.attempt >= ATTEMPTS {
            return false;
        }
        if !self.session.as_ref().is_some_and(Session::is_usable) {
            self.session = self.pool.connector.connect(None).await.ok();
        }
        self.session.is_some()
    }

    pub(crate) fn error(&self, fault: Fault) -> StoreError {
        fault.of(self.pool.connector.name())
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let Some(mut session) = self.session.take() else { return };
        if !session.is_usable() {
            session.permit = self.permit.take();
        } else {
            self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
        }
    }
}
