//! Options and settings of `serve` for the listeners of workers and operators.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::FalseyValueParser;
use futures_util::future::join_all;
use messaging_core::webhook::settings::names;
use messaging_host::Journal;
use messaging_journal::JournalError;
use messaging_operate::{MAX_BODY_BYTES, Operator, Senders, Sources, Tokens, Workers};
use messaging_server::serve::{Options, Server, Service};
use tokio::sync::watch;

use super::parse::{self, address};
use super::settings::{
    self, FORWARD_SECRET, JOURNAL_TOKENS, METRICS_TOKENS, OPERATOR_TOKENS, WORKER_TOKENS, variable,
    variable_of,
};
use super::setup::KEY;
use super::store::{self, Location, StoreArgument};
use super::{Failure, listen, sent};

/// Minimum retention of outcomes, because senders may retry a call for hours.
const MIN_KEEP: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Args)]
pub struct Operate {
    /// Lease events to workers over HTTP at this address
    ///
    /// With MESSAGING_JOURNAL_TOKENS and --journal, senders can use the journal at this address.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    workers: Option<SocketAddr>,
    /// Serve operators at this address: a page, an HTTP interface, /metrics
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    operator: Option<SocketAddr>,
    /// Name of this environment on the page of --operator, for example production
    #[arg(long, value_name = "NAME", requires = "operator", value_parser = environment)]
    name: Option<String>,
    /// Journal of sends for --operator and --workers
    ///
    /// A file or postgres://USER@HOST/DATABASE. With --operator, operators can list sends with an
    /// unknown outcome, and resolve them. With --workers, programs that send can use the journal
    /// over HTTP.
    #[arg(long, value_name = "FILE|URL", value_parser = store::journal())]
    journal: Option<StoreArgument>,
    /// Fail if the journal does not exist; `sent init` creates one
    #[arg(long, env = settings::EXISTING_JOURNAL, hide_env_values = true, value_parser = FalseyValueParser::new())]
    existing_journal: bool,
    /// Trust these certificate authorities (PEM) for the PostgreSQL of --journal
    #[arg(long, value_name = "FILE", requires = "journal")]
    journal_ca: Option<PathBuf>,
    /// Forget outcomes older than DURATION, 1d or more [default: never]
    ///
    /// The key stays, and nothing is sent under it again. Unknown outcomes stay. The age counts
    /// from the time at which a running server first reads the outcome, so a wrong clock forgets
    /// nothing early.
    #[arg(long, value_name = "DURATION", requires = "journal", value_parser = keep)]
    journal_keep: Option<Duration>,
    /// Allow --workers and --operator without TLS on addresses other machines reach
    ///
    /// The network can then read tokens and events.
    #[arg(long)]
    listeners_http: bool,
}

/// Parses the retention of outcomes.
fn keep(text: &str) -> Result<Duration, String> {
    let advice = "too short; use 1d or more, and longer than callers retry";
    parse::at_least(text, MIN_KEEP, advice)
}

/// Parses the name of an environment.
fn environment(text: &str) -> Result<String, &'static str> {
    let is_shown = !text.trim().is_empty() && !text.contains(char::is_control);
    is_shown.then(|| text.into()).ok_or("is empty or has a control character; write a name")
}

/// The listeners of workers and operators that `serve` opens.
pub struct Plan {
    workers: Option<SocketAddr>,
    operator: Option<(SocketAddr, Tokens)>,
    /// Tokens that can only read the metrics.
    of_metrics: Option<Tokens>,
    name: Option<String>,
    /// Tokens of workers.
    of_workers: Option<Tokens>,
    /// Tokens of senders, which use the journal.
    of_senders: Option<Tokens>,
}

impl Operate {
    /// Opens the journal of --journal. Creates a missing journal if `create` is true and
    /// --existing-journal is not set.
    pub async fn journal(
        &self,
        create: bool,
    ) -> Result<Option<messaging_journal::Journal>, Failure> {
        let Some(argument) = &self.journal else { return Ok(None) };
        let opening = sent::Opening { create: create && !self.existing_journal, warns: true };
        let failure = |error| match error {
            JournalError::NotSetUp { .. } if self.existing_journal => sent::must_exist(&error),
            error => sent::not_opened(error),
        };
        sent::open(argument, self.journal_ca.as_ref(), opening, failure).await.map(Some)
    }

    /// Returns true if the journal must exist.
    pub fn needs_journal(&self) -> bool {
        self.existing_journal
    }

    /// Returns the location of --journal.
    pub fn journal_location(&self) -> Result<Option<(&StoreArgument, Location)>, Failure> {
        let Some(argument) = &self.journal else { return Ok(None) };
        Ok(Some((argument, argument.checked("--journal", self.journal_ca.as_ref())?)))
    }

    /// Checks that the journal and the store are not the same file.
    pub fn journal_is_not(&self, store: &StoreArgument) -> Result<(), Failure> {
        match &self.journal {
            Some(journal) if journal.is_file_of(store) => Err(Failure::Usage(format!(
                "--journal and --store name the same file, {store}: name two files"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the names and URLs of the listeners that the options ask for.
    pub fn urls(&self, scheme: &str) -> Vec<(&'static str, String)> {
        let asked = [("workers", self.workers), ("operator", self.operator)];
        let url = |address| format!("{scheme}://{address}/");
        asked.into_iter().filter_map(|(name, asked)| Some((name, url(asked?)))).collect()
    }

    /// Returns the age at which outcomes are forgotten.
    pub fn journal_keep(&self) -> Option<Duration> {
        self.journal_keep
    }

    /// Checks addresses and tokens before a listener is opened. `listen` is the address of the
    /// webhook.
    pub fn plan(&self, listen: SocketAddr, has_tls: bool) -> Result<Plan, Failure> {
        let asked = [
            ("--listen", Some(listen)),
            ("--workers", self.workers),
            ("--operator", self.operator),
        ];
        let asked = asked.into_iter().filter_map(|(option, address)| Some((option, address?)));
        addresses_differ(&asked.filter(|(_, address)| address.port() != 0).collect::<Vec<_>>())?;
        let in_clear = !has_tls && !self.listeners_http;
        let checked = |option: &str, address: Option<SocketAddr>, setting: &str| {
            let tokens = tokens(setting, option, address.is_some())?;
            if let Some(address) = address {
                not_in_clear(option, address, in_clear, "--listeners-http")?;
            }
            Ok::<_, Failure>(tokens)
        };
        if self.listeners_http && self.workers.is_none() && self.operator.is_none() {
            return Err(Failure::Usage(
                "--listeners-http has no effect without --workers or --operator; remove it".into(),
            ));
        }
        let of_workers = checked("--workers", self.workers, WORKER_TOKENS)?;
        let of_operators = checked("--operator", self.operator, OPERATOR_TOKENS)?;
        let of_metrics = tokens(METRICS_TOKENS, "--operator", self.operator.is_some())?;
        let keeps_one = self.workers.is_some() && self.journal.is_some();
        let of_senders = tokens(JOURNAL_TOKENS, "--workers and --journal", keeps_one)?;
        if self.workers.is_some() && of_workers.is_none() && of_senders.is_none() {
            return Err(no_token("--workers", WORKER_TOKENS));
        }
        if self.journal.is_some() && self.operator.is_none() && of_senders.is_none() {
            return Err(Failure::Usage(format!(
                "--journal has no effect without --operator, or --workers and {JOURNAL_TOKENS}"
            )));
        }
        tokens_differ(&[
            (WORKER_TOKENS, &of_workers),
            (OPERATOR_TOKENS, &of_operators),
            (JOURNAL_TOKENS, &of_senders),
            (METRICS_TOKENS, &of_metrics),
        ])?;
        let operator = self.operator.map(|address| {
            let tokens = of_operators.ok_or_else(|| no_token("--operator", OPERATOR_TOKENS))?;
            Ok::<_, Failure>((address, tokens))
        });
        let name = self.name.clone();
        let (workers, operator) = (self.workers, operator.transpose()?);
        Ok(Plan { workers, operator, of_metrics, name, of_workers, of_senders })
    }
}

/// Rejects an address that two options share.
fn addresses_differ(options: &[(&str, SocketAddr)]) -> Result<(), Failure> {
    match first_pair(options, |(_, one), (_, other)| one == other) {
        None => Ok(()),
        Some(((one, address), (other, _))) => Err(Failure::Usage(format!(
            "{one} and {other} have the same address {address}; choose different ports"
        ))),
    }
}

/// Rejects a token that two settings share.
fn tokens_differ(settings: &[(&str, &Option<Tokens>)]) -> Result<(), Failure> {
    let share = |one: &Option<Tokens>, other: &Option<Tokens>| {
        one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one.share_one_with(other))
    };
    match first_pair(settings, |(_, one), (_, other)| share(one, other)) {
        None => Ok(()),
        Some(((one, _), (other, _))) => Err(Failure::Usage(format!(
            "{one} and {other} share a token, which would have the rights of both; set different tokens"
        ))),
    }
}

/// Returns the first pair of items that match each other.
fn first_pair<T>(items: &[T], matches: impl Fn(&T, &T) -> bool) -> Option<(&T, &T)> {
    items.iter().enumerate().find_map(|(index, one)| {
        let mut others = items.iter().skip(index.saturating_add(1));
        Some((one, others.find(|other| matches(one, other))?))
    })
}

/// Returns the tokens of a setting; `None` if the setting or its option is missing. A secret of the
/// webhook or of forwarding is not a valid token, because event sources or receivers know it. The
/// API key is not a valid token, because each client would know it.
pub fn tokens(setting: &str, option: &str, is_read: bool) -> Result<Option<Tokens>, Failure> {
    let text = variable_of(setting, option, is_read)?.filter(|_| is_read);
    if let Some(text) = &text {
        let secrets = names().filter(|name| name.contains("_SECRET"));
        let secrets = secrets.chain([FORWARD_SECRET, KEY]);
        for name in secrets {
            let secrets = match variable(name) {
                // Only a command that sends needs a readable key.
                Err(_) if name == KEY => continue,
                secrets => secrets?.unwrap_or_default(),
            };
            let is_shared = |token: &str| {
                secrets
                    .split_ascii_whitespace()
                    .any(|secret| token == secret || Some(token) == secret.strip_prefix("whsec_"))
            };
            if text.split_ascii_whitespace().any(is_shared) {
                return Err(Failure::Usage(format!(
                    "{setting} and {name} share a value, which another party would know; set another token"
                )));
            }
        }
    }
    let parsed = text.as_deref().map(Tokens::parse).transpose();
    parsed.map_err(|error| Failure::Usage(format!("{setting} {error}")))
}

/// Rejects a listener that would reveal tokens and messages to the network.
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
        "{option} {address} can be reached from other machines without encryption; add --tls-cert and --tls-key, listen on 127.0.0.1 behind a proxy with TLS, or add {allowed_by}"
    )))
}

/// Returns the error for a listener without tokens.
pub fn no_token(option: &str, setting: &str) -> Failure {
    Failure::Usage(format!(
        "{option} needs {setting}: the token of clients (Authorization: Bearer), for example the output of `openssl rand -hex 32`"
    ))
}

/// The running listeners with their names.
pub struct Listeners {
    servers: Vec<(&'static str, Server)>,
    stopping: watch::Sender<bool>,
}

impl Plan {
    /// Returns the number of listeners, including the listener of the webhook.
    pub fn listeners(&self) -> u64 {
        let others = [self.workers.is_some(), self.operator.is_some()];
        others.into_iter().map(u64::from).sum::<u64>().saturating_add(1)
    }

    /// Opens the listeners, with the connection limits of the webhook.
    pub async fn start(
        self,
        sources: &Sources,
        journal: Option<Arc<dyn Journal>>,
        options: &Options,
    ) -> Result<Listeners, Failure> {
        let (stopping, stopped) = watch::channel(false);
        let mut servers = Vec::new();
        if let Some(address) = self.workers {
            let senders = journal.zip(self.of_senders);
            let senders = senders.map(|(journal, tokens)| Senders::new(journal, tokens));
            let workers = Workers::new(sources.store.clone(), self.of_workers, stopped)
                .senders(senders)
                .connections(options.max_connections);
            let most = workers.max_body_bytes();
            servers.push(("workers", listen(workers, address, most, options).await?));
        }
        if let Some((address, tokens)) = self.operator {
            let operator = Operator::start(sources.clone(), tokens)
                .metrics_tokens(self.of_metrics)
                .named(self.name);
            servers.push(("operator", listen(operator, address, MAX_BODY_BYTES, options).await?));
        }
        Ok(Listeners { servers, stopping })
    }
}

async fn listen(
    service: impl Service,
    address: SocketAddr,
    max_body_bytes: usize,
    options: &Options,
) -> Result<Server, Failure> {
    let options = Options {
        address,
        max_body_bytes,
        local_names_only: false,
        // A worker that closes its half of a connection is gone, and must not receive events.
        half_close: false,
        ..options.clone()
    };
    listen::listen(service, options).await
}

impl Listeners {
    /// Returns the names and URLs of the listeners.
    pub fn urls(&self, scheme: &str) -> Vec<(&'static str, String)> {
        let url = |server: &Server| format!("{scheme}://{}/", server.address());
        self.servers.iter().map(|(name, server)| (*name, url(server))).collect()
    }

    /// Ends long polls, finishes active requests, and closes the listeners.
    pub async fn stop(self) {
        let _ = self.stopping.send(true);
        join_all(self.servers.into_iter().map(|(_, server)| server.stop())).await;
    }
}
