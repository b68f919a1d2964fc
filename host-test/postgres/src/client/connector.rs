//! Opens connections to the first host that accepts them.

use std::error::Error as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use messaging_inbox::StoreError;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio_postgres::config::{SslMode, SslNegotiation};
use tokio_postgres::{Config, NoTls, Notification};

use crate::client::fault::{ATTEMPTS, Fault};
#[cfg(unix)]
use crate::client::link::dial;
use crate::client::link::{Access, Link, TIMEOUT_FACTOR};
use crate::client::scram::Plain;
use crate::client::session::{Session, Unsolicited, spawn};
use crate::client::tables::{self, Tables};
use crate::client::tls::Tls;
use crate::options::Options;
use crate::password::Password;
use crate::target::{Encryption, Host, Target};

/// Initial and maximum delay after a failed connection attempt.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Opens connections to the first host that accepts them.
pub(crate) struct Connector {
    target: Target,
    /// Settings shared by all hosts.
    config: Config,
    password: Option<Password>,
    /// Index of the host to try first: the last host that worked, or the host after the last host
    /// that failed.
    next: AtomicUsize,
    pub(crate) link: Arc<Link>,
    pub(crate) tables: &'static Tables,
    refused: Mutex<Option<Refused>>,
    /// The connector that must be connected before this connector opens a connection.
    after: Option<Arc<Connector>>,
    /// True while the group commit of this connector has an open connection.
    pub(crate) is_there: watch::Sender<bool>,
}

/// The last failed connection attempt.
struct Refused {
    at: Instant,
    pause: Duration,
    error: StoreError,
}

impl Connector {
    /// Returns the name of the database for operators.
    pub(crate) fn name(&self) -> &str {
        &self.link.name
    }

    /// Creates a connector. If `after` is set, connections are opened only while the connection of
    /// `after` [is open](Self::is_there). The new connections could otherwise exhaust the
    /// connection limit of the database before the connection of `after` is open.
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
            .tcp_user_timeout(limit.saturating_mul(TIMEOUT_FACTOR.saturating_mul(2)))
            .keepalives_idle(Duration::from_secs(10))
            .keepalives_interval(Duration::from_secs(5))
            .keepalives_retries(3);
        // With several hosts, an attempt at one host may take `limit`. A host can have two
        // addresses, so each address gets half of this time.
        let tcp_limit = if target.hosts.len() > 1 { limit / 2 } else { limit };
        config.connect_timeout(tcp_limit);
        let encrypted = target.encryption == Encryption::Verified;
        Ok(Arc::new(Self {
            target: target.clone(),
            config,
            password: options.password.clone(),
            next: AtomicUsize::new(0),
            link: Arc::new(Link::new(target.to_string(), limit, access, encrypted.then_some(tls))),
            tables,
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
                let error = fault.of(&self.link.name);
                let mut refused = self.refused();
                let pause = refused
                    .as_ref()
                    .map_or(PAUSES.0, |refused| refused.pause.saturating_mul(2).min(PAUSES.1));
                *refused = Some(Refused { at: Instant::now(), pause, error: error.clone() });
                Err(error)
            }
        }
    }

    /// Waits until the group commit of this connector has an open connection, for at most half a
    /// statement timeout. If the last connection attempt failed, returns its error at once.
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
        match tokio::time::timeout(self.link.limit / 2, is_there.wait_for(|is_there| *is_there))
            .await
        {
            Ok(_) => Ok(()),
            Err(_) => Err(refused().unwrap_or_else(|| StoreError::Unavailable {
                store: self.link.name.clone(),
                detail: "connecting: the connection for storing is not open yet".to_string(),
            })),
        }
    }

    fn refused(&self) -> MutexGuard<'_, Option<Refused>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tries each host once, starting with the last host that worked. If the caller drops the
    /// future, the next call continues with the next host.
    async fn connect_now(
        self: &Arc<Self>,
        notices: Option<UnboundedSender<Notification>>,
    ) -> Result<Session, Fault> {
        let hosts = &self.target.hosts;
        let count = hosts.len();
        let timeout = match count {
            1 => self.link.limit.saturating_mul(TIMEOUT_FACTOR),
            _ => self.link.limit,
        };
        let first = self.next.load(Ordering::SeqCst);
        let mut failed = self.link.too_slow("connecting", timeout);
        for (at, host) in hosts.iter().enumerate().cycle().skip(first).take(count) {
            self.next.store(at.saturating_add(1), Ordering::SeqCst);
            let made = async {
                // Retries, because the server can close the connection before its first statement.
                for _ in 1..ATTEMPTS {
                    match self.connect_to(host, notices.clone()).await {
                        Err(fault) if fault.is_passing() => {}
                        made => return made,
                    }
                }
                self.connect_to(host, notices.clone()).await
            };
            match tokio::time::timeout(timeout, made).await {
                Ok(Ok(session)) => {
                    self.next.store(at, Ordering::SeqCst);
                    return Ok(session);
                }
                Ok(Err(fault)) => failed = fault,
                Err(_) => failed = self.link.too_slow("connecting", timeout),
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
                    "connecting without a password (set MESSAGING_STORE_PASSWORD or MESSAGING_STORE_PASSWORD_FILE)"
                }
                Some("server does not support TLS") => {
                    "connecting (set ssl = on in the server's configuration or, on a trusted network, sslmode=disable in the URL)"
                }
                _ => "connecting",
            };
            Fault::Sql { doing, error }
        };
        let unconfirmed = Arc::<AtomicBool>::default();
        let (alive, ended) = watch::channel(());
        let unsolicited =
            Unsolicited { unconfirmed: Arc::clone(&unconfirmed), notices, _alive: alive };
        let socket = (cfg!(unix) && self.link.tls.is_none() && host.is_socket())
            .then(|| Path::new(&host.name).join(format!(".s.PGSQL.{}", host.port)));
        let (client, driver) = match (&self.link.tls, &socket) {
            (Some(tls), _) => {
                config.ssl_mode(SslMode::Require);
                spawn(config.connect(tls.connector()).await.map_err(failed)?, unsolicited)
            }
            #[cfg(unix)]
            (None, Some(path)) => {
                let stream =
                    dial(path).await.map_err(|error| match Path::new(&host.name).exists() {
                        true => Fault::Unsure { doing: "connecting", detail: error.to_string() },
                        false => Fault::Store(StoreError::NotSetUp {
                            store: self.link.name.clone(),
                            detail: format!(
                                "no directory {}; set the host of the URL to the directory of the socket",
                                host.name
                            ),
                        }),
                    })?;
                config.ssl_mode(SslMode::Disable);
                spawn(config.connect_raw(stream, NoTls).await.map_err(failed)?, unsolicited)
            }
            _ => {
                // `Plain` replaces the TLS handshake and sends nothing.
                config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct);
                spawn(config.connect(Plain).await.map_err(failed)?, unsolicited)
            }
        };
        let link = Arc::clone(&self.link);
        let mut session = Session::new(link, client, driver, socket, unconfirmed, ended);
        if self.link.access != Access::Read {
            let found = tables::look(&mut session, self.tables).await?;
            if found.is_standby {
                let detail = "the server is a standby";
                return Err(Fault::Unsure { doing: "connecting", detail: detail.into() });
            }
            if self.link.access == Access::Write {
                found.is_safe(&self.link.name)?;
            }
        }
        Ok(session)
    }
}
