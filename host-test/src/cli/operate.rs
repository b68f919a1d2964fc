//! Options of `serve` that open further listeners, for workers and for operators, and their
//! settings.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use messaging_host::Journal;
use messaging_host::serve::{Options, Server, Service};
use messaging_operate::{MAX_BODY_BYTES, Operator, Sources, Tokens, Workers};
use tokio::sync::watch;

use super::setup::variable;
use super::store::{self, Place};
use super::{Failure, sent};

/// Settings of the listeners: environment variables of this program, not of a component.
pub const SETTINGS: [&str; 2] = [WORKER_TOKENS, OPERATOR_TOKENS];
const WORKER_TOKENS: &str = "MESSAGING_WORKER_TOKENS";
const OPERATOR_TOKENS: &str = "MESSAGING_OPERATOR_TOKENS";

#[derive(Args)]
pub struct Operate {
    /// Hand out events over HTTP here, to workers on other machines
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with_all = ["files", "keyvalue"])]
    workers: Option<SocketAddr>,
    /// Show operators the inbox here: a page, an interface, /metrics for Prometheus
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with_all = ["files", "keyvalue"])]
    operator: Option<SocketAddr>,
    /// Show operators this journal's unknown sends, and let them say what became of them; the
    /// journal of `send --once`, which has to be there
    #[arg(long, value_name = "FILE|URL", requires = "operator", value_parser = store::place)]
    journal: Option<Place>,
    /// Certificate authorities to trust for the PostgreSQL of --journal, as PEM, in place of the
    /// public ones
    #[arg(long, value_name = "FILE", requires = "journal")]
    journal_ca: Option<PathBuf>,
    /// Allow --workers and --operator without TLS on addresses that other machines reach, where
    /// everybody on the way can read tokens and events
    #[arg(long)]
    listeners_http: bool,
}

/// Listeners to open.
#[derive(Default)]
pub struct Plan {
    workers: Option<(SocketAddr, Tokens)>,
    operator: Option<(SocketAddr, Tokens)>,
}

impl Operate {
    /// Opens the journal of --journal. The setting of `send --once` names none here: a receiver
    /// does not change with what its environment has for senders.
    pub async fn journal(&self) -> Result<Option<Arc<dyn Journal>>, Failure> {
        let Some(place) = &self.journal else { return Ok(None) };
        Ok(Some(Arc::new(sent::open(place, self.journal_ca.as_ref(), false).await?)))
    }

    /// Checks addresses and tokens, before anything is opened.
    pub fn plan(&self, has_tls: bool) -> Result<Plan, Failure> {
        let plan = |option: &str, address: Option<SocketAddr>, setting: &str| {
            let tokens = tokens(setting, option, address.is_some())?;
            let Some(address) = address else { return Ok(None) };
            let in_clear = !has_tls && !self.listeners_http;
            not_in_clear(option, address, in_clear, "--listeners-http")?;
            Ok(Some((address, tokens.ok_or_else(|| no_token(option, setting))?)))
        };
        if self.listeners_http && self.workers.is_none() && self.operator.is_none() {
            return Err(Failure::Usage(
                "--listeners-http has no effect without --workers or --operator; leave it out"
                    .into(),
            ));
        }
        let workers = plan("--workers", self.workers, WORKER_TOKENS)?;
        let operator = plan("--operator", self.operator, OPERATOR_TOKENS)?;
        if let (Some((_, of_workers)), Some((_, of_operators))) = (&workers, &operator)
            && of_workers.share_one_with(of_operators)
        {
            return Err(Failure::Usage(format!(
                "{WORKER_TOKENS} and {OPERATOR_TOKENS} share a token, so that a worker could decide as an operator does: set others"
            )));
        }
        Ok(Plan { workers, operator })
    }
}

/// The tokens of a setting, where it is set.
pub fn tokens(setting: &str, option: &str, is_read: bool) -> Result<Option<Tokens>, Failure> {
    let text = variable(setting, option, is_read)?.filter(|_| is_read);
    let parsed = text.as_deref().map(Tokens::parse).transpose();
    parsed.map_err(|error| Failure::Usage(format!("{setting} {error}")))
}

/// Refuses a listener that would show tokens, and what they are for, to the network.
pub fn not_in_clear(
    option: &str,
    address: SocketAddr,
    is_in_clear: bool,
    allowed_by: &str,
) -> Result<(), Failure> {
    if address.ip().is_loopback() || !is_in_clear {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{option} {address} can be reached from other machines, and would show tokens and messages to the network: add --tls-cert and --tls-key, listen on 127.0.0.1 behind a proxy with TLS, or add {allowed_by}"
    )))
}

/// The error of a listener without tokens.
pub fn no_token(option: &str, setting: &str) -> Failure {
    Failure::Usage(format!(
        "{option} needs {setting}: a token that clients send as Authorization: Bearer, for example that of `openssl rand -hex 32`"
    ))
}

/// Listeners that are open.
pub struct Listeners {
    workers: Option<Server>,
    operator: Option<Server>,
    stopping: watch::Sender<bool>,
}

impl Plan {
    /// Opens the listeners, with the limits of the webhook's.
    pub async fn start(self, sources: &Sources, options: &Options) -> Result<Listeners, Failure> {
        let (stopping, stopped) = watch::channel(false);
        let mut listeners = Listeners { workers: None, operator: None, stopping };
        if let Some((address, tokens)) = self.workers {
            let workers = Workers::new(sources.store.clone(), tokens, stopped);
            let workers =
                workers.connections(options.max_connections, options.max_connections_per_address);
            listeners.workers = Some(listen(workers, address, options).await?);
        }
        if let Some((address, tokens)) = self.operator {
            let operator = Operator::start(sources.clone(), tokens);
            listeners.operator = Some(listen(operator, address, options).await?);
        }
        Ok(listeners)
    }
}

async fn listen(
    service: impl Service,
    address: SocketAddr,
    options: &Options,
) -> Result<Server, Failure> {
    let options = Options {
        address,
        max_body_bytes: MAX_BODY_BYTES,
        local_names_only: false,
        // A worker that has gone is not given events.
        half_close: false,
        ..options.clone()
    };
    let started = Server::start(service, options).await;
    started.map_err(|error| Failure::Failed(format!("{address}: cannot listen: {error}")))
}

impl Listeners {
    /// The URLs that they listen on, for workers and for operators.
    pub fn urls(&self, scheme: &str) -> [(&'static str, Option<String>); 2] {
        let url = |server: &Option<Server>| {
            server.as_ref().map(|server| format!("{scheme}://{}/", server.address()))
        };
        [("workers", url(&self.workers)), ("operator", url(&self.operator))]
    }

    /// Ends long polls, answers what is under way, and closes.
    pub async fn stop(self) {
        let _ = self.stopping.send(true);
        let stop = async |server: Option<Server>| match server {
            Some(server) => server.stop().await,
            None => 0,
        };
        tokio::join!(stop(self.workers), stop(self.operator));
    }
}
