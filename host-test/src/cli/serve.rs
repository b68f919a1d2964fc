//! `serve`: the webhook on a port, with a durable inbox. Runs until a signal arrives.

mod announce;
mod check;
mod help;
mod keeping;
mod webhook;

use std::cell::Cell;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use messaging_core::webhook::Settings;
use messaging_core::webhook::keyvalue::BUCKET_SETTING;
use messaging_core::webhook::settings::ALLOW_UNVERIFIED;
use messaging_host::webhook::WebhookConfig;
use messaging_host::{Journal, once};
use messaging_inbox::Store;
use messaging_operate::{Sends, Sources};
use messaging_server::forward::Forwarder;
use messaging_server::otlp::Exporter;
use messaging_server::serve::{self, Deliveries, Probe, Server};

use super::forward::{self, Forward};
use super::listen::listen;
use super::operate::{Listeners, Operate};
use super::otlp::Otlp;
use super::parse::{self, address};
use super::signal::{self, Stop};
use super::store::{self, Reach, StoreArgument};
use super::tls::Tls;
use super::{Common, Failure, origin, settings};
use announce::announce;
use help::long_about;
use keeping::{FORGET_EVERY, PRUNE_EVERY, available, close, forget, open, prune, repeat};
pub use webhook::host;
use webhook::webhook;

/// Receive the service's events over HTTP, and store each exactly once
#[derive(Args)]
#[command(long_about = long_about())]
pub struct Serve {
    /// Address and port to listen on
    #[arg(long, default_value = "127.0.0.1:8088", value_name = "ADDRESS:PORT", value_parser = address)]
    listen: SocketAddr,
    /// Store events in this file, or in postgres://USER@HOST/DATABASE [inbox.sqlite in the state directory]
    ///
    /// A missing file is created; its directory must exist. Several servers can share a database.
    #[arg(long, env = settings::STORE, hide_env_values = true, value_name = "FILE|URL", value_parser = store::store())]
    store: Option<StoreArgument>,
    #[command(flatten)]
    reach: Reach,
    /// Quarantine replays: events that are already stored under another key
    ///
    /// An error if a signature covers the key, because no replay is then possible.
    #[arg(long)]
    quarantine_replays: bool,
    #[command(flatten)]
    forward: Forward,
    #[command(flatten)]
    operate: Operate,
    #[command(flatten)]
    otlp: Otlp,
    #[command(flatten)]
    tls: Tls,
    /// Maximum open connections; above it, unauthenticated connections are evicted first
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_connections: u16,
    /// Time that a connection may wait for its next request
    ///
    /// Set a longer time than a proxy in front keeps idle connections.
    #[arg(long, default_value = "15s", value_name = "DURATION", value_parser = idle)]
    idle_timeout: Duration,
    /// Time for open deliveries to finish after a signal to stop
    ///
    /// The store then has 1s to close, or until 5s after the signal if that is later. Another
    /// signal, 500ms later or more, stops at once.
    #[arg(long, default_value = "4s", value_name = "DURATION", value_parser = parse::duration)]
    stop_within: Duration,
    /// Delete done events and their keys at this age, 7d or more
    ///
    /// The age is measured while `serve` runs, and does not depend on the clock.
    #[arg(long, default_value = "7d", value_name = "DURATION", value_parser = parse::keep)]
    keep: Duration,
    /// Requests that an instance of the component answers before its replacement
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    requests_per_instance: u32,
    /// Check settings, stores, certificate and component; start nothing
    ///
    /// Creates no store and no table.
    #[arg(long)]
    check: bool,
    // A start is followed by redeliveries, which have priority. Tests set a shorter delay.
    /// Delay of the first pruning
    #[arg(long, hide = true, default_value = "1m", value_name = "DURATION", value_parser = parse::duration)]
    prune_first: Duration,
}

/// Parses the timeout of an idle connection.
fn idle(text: &str) -> Result<Duration, String> {
    parse::at_least(text, Duration::from_secs(1), "is shorter than 1s; write 15s or 2m")
}

/// Minimum time from the signal to the deadline of the store, without `LAST_CLOSE`. It applies if
/// `--stop-within` is shorter, because closing the store includes a checkpoint and a sync.
const SHORTEST_STOP: Duration = Duration::from_secs(4);
/// Additional time for closing the store after the deliveries, or after a second signal.
const LAST_CLOSE: Duration = Duration::from_secs(1);

/// Maximum open files of a listener for connections that it rejects.
const REJECTED_CONNECTIONS: u64 = 64;
/// Maximum open files of the forwarder for its requests.
const FORWARDED_REQUESTS: u64 = 264;
/// Maximum open files of the rest of the process.
const OTHER_FILES: u64 = 64;

/// Advice if no proof of origin is set.
const SET_A_PROOF: &str = "set MESSAGING_WEBHOOK_PATH_SECRET, MESSAGING_WEBHOOK_HEADER_SECRET or MESSAGING_WEBHOOK_SIGNATURE_SECRET";

impl Serve {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        // Checks all settings before a store or a listener is opened.
        let (environment, settings) = self.environment()?;
        let replays = origin::replays(&settings.proofs, self.quarantine_replays)?;
        let tls = self.tls.config()?;
        let exporter = self.otlp.exporter(common)?;
        let spans = exporter.as_ref().map(Exporter::spans);
        let forwarding = self.forward.options(common)?;
        let forwarding =
            forwarding.map(|options| forward::Options { spans: spans.clone(), ..options });
        if forwarding.as_ref().is_some_and(|options| forward::is_at(&options.url, self.listen)) {
            return Err(Failure::Usage(
                "--forward names the address of --listen, so each event would return to its own inbox; name the receiver".into(),
            ));
        }
        let plan = self.operate.plan(self.listen, tls.is_some())?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        let argument = Reach::argument(self.store.as_ref())?;
        self.operate.journal_is_not(&argument)?;
        self.warn_of_file_limit(plan.listeners(), forwarding.is_some());
        if self.check {
            let shown = forwarding.as_ref().map(forward::shown);
            let target = shown.as_deref();
            return self
                .only_check(common, environment, &settings, &argument, scheme, target)
                .await;
        }
        argument.create_state_directory("--store", settings::STORE)?;
        let location = self.reach.location(&argument)?;
        only_for_its_owner();
        // Installs signal handlers before the wait for the stores, because the kernel ignores
        // SIGTERM to process 1 without a handler.
        let mut stop = Stop::except_hangup(tls.clone());
        let opening = async {
            let journal = available(async || self.operate.journal(true).await).await?;
            let store = available(async || open(&location, replays, true).await).await?;
            Ok::<_, Failure>((journal, store))
        };
        let (kept, store) = tokio::select! {
            opened = opening => opened?,
            signal = stop.wait() => {
                tracing::info!(signal, "stopped before the start");
                return Ok(());
            }
        };
        let journal = kept.clone().map(|journal| Arc::new(journal) as Arc<dyn Journal>);
        let config = WebhookConfig {
            environment,
            inbox: Some(Arc::new(store.clone())),
            requests_per_instance: self.requests_per_instance,
            ..WebhookConfig::default()
        };
        let host = common.cached(host(settings.max_body_bytes)?);
        let webhook = webhook(&host, common, config)?;
        let options = serve::Options {
            tls,
            max_connections: self.max_connections.into(),
            max_body_bytes: settings.max_body_bytes,
            body_timeout: Duration::from_millis(settings.deadline_ms.into()),
            stop_timeout: self.stop_within,
            head_timeout: self.idle_timeout,
            local_names_only: !settings.proofs.are_set(),
            probe: Some(probe(&store)),
            ..serve::Options::new(self.listen)
        };
        let deliveries = Deliveries::new(webhook).proofs(settings.proofs.clone()).spans(spans);
        let server = listen(deliveries, options.clone()).await?;
        let target = forwarding.as_ref().map(forward::shown);
        let forwarder = forwarding.map(|options| forward::start(&store, options)).transpose()?;
        let forgotten = journal.clone().zip(self.operate.journal_keep());
        let sources = Sources {
            store: store.clone(),
            deliveries: server.counts(),
            host,
            forward: forwarder.as_ref().map(Forwarder::tally),
            sends: journal.clone().map(Sends::start),
        };
        let listeners = plan.start(&sources, journal, &options).await?;
        // These values hold the store, which closes after its last holder is dropped.
        drop((options, sources));
        let (first, pruned, keep) = (self.prune_first, store.clone(), self.keep);
        let pruning = [
            Some(tokio::spawn(repeat(first, PRUNE_EVERY, async move || {
                prune(&pruned, keep).await;
            }))),
            forgotten.map(|(journal, age)| {
                let mut retention = once::Retention::default();
                tokio::spawn(repeat(first, FORGET_EVERY, async move || {
                    forget(&mut retention, &*journal, age).await;
                }))
            }),
        ];

        let url = format!("{scheme}://{}/", server.address());
        let urls = listeners.urls(scheme);
        announce(common, &argument, &url, &urls, &settings, target.as_deref(), None);
        if scheme == "http" && !self.listen.ip().is_loopback() {
            tracing::info!(address = %server.address(), "deliveries are not encrypted; use --tls-cert, or a proxy with TLS");
        }
        let signal = stop.wait().await;
        let asked = Instant::now();
        let asked_again = self.stop(signal, &mut stop, server, listeners, forwarder).await;
        for pruning in pruning.into_iter().flatten() {
            pruning.abort();
            let _ = pruning.await;
        }
        if let Some(exporter) = exporter {
            exporter.stop().await;
        }
        let within = if asked_again {
            LAST_CLOSE
        } else {
            let whole = self.stop_within.max(SHORTEST_STOP).saturating_add(LAST_CLOSE);
            whole.saturating_sub(asked.elapsed())
        };
        close(store, within, &mut stop).await;
        if let Some(journal) = kept {
            let _ = tokio::time::timeout(LAST_CLOSE, journal.close()).await;
        }
        tracing::info!("stopped");
        Ok(())
    }

    /// Warns if the process may not open as many files as its connections need.
    fn warn_of_file_limit(&self, listeners: u64, forwards: bool) {
        let Some(limit) = signal::max_open_files() else { return };
        let connections = u64::from(self.max_connections).saturating_add(REJECTED_CONNECTIONS);
        let forwarded = if forwards { FORWARDED_REQUESTS } else { 0 };
        let need = connections
            .saturating_mul(listeners)
            .saturating_add(forwarded)
            .saturating_add(OTHER_FILES);
        if limit < need {
            tracing::warn!(
                limit,
                need,
                "too few open files allowed for --max-connections: raise the hard limit (`ulimit -Hn`, LimitNOFILE), or lower --max-connections"
            );
        }
    }

    /// Shuts down gracefully within the time limit, or immediately after a second signal. Returns
    /// true after a second signal.
    async fn stop(
        &self,
        signal: &'static str,
        stop: &mut Stop,
        server: Server,
        listeners: Listeners,
        forwarder: Option<Forwarder>,
    ) -> bool {
        let (deliveries, within) = (server.counts().under_way(), self.stop_within);
        tracing::info!(
            signal,
            deliveries,
            forwarding = forwarder.is_some(),
            ?within,
            "stopping after the open deliveries; a second signal stops at once"
        );
        let forwarding = Cell::new(forwarder.is_some());
        let served = async {
            let unanswered = server.stop().await;
            if unanswered > 0 {
                tracing::warn!(
                    unanswered,
                    "deliveries were cut off; the event source redelivers them"
                );
            }
        };
        let listened = listeners.stop();
        let forwarded = async {
            if let Some(forwarder) = forwarder {
                forwarder.stop().await;
                forwarding.set(false);
            }
        };
        let all = async { tokio::join!(served, listened, tokio::time::timeout(within, forwarded)) };
        let asked_again = tokio::select! {
            _ = all => false,
            signal = stop.wait() => {
                tracing::warn!(
                    signal,
                    "stopped at once: active deliveries were cut off; the event source redelivers them"
                );
                true
            }
        };
        if forwarding.get() {
            tracing::warn!("the forwarder was cut off; undelivered events stay in the inbox");
        }
        asked_again
    }

    /// Returns the environment of the component, and the settings parsed from the environment.
    fn environment(&self) -> Result<(Vec<(String, String)>, Settings), Failure> {
        let mut environment = origin::variables()?;
        let settings = Settings::from_variables(environment.iter().cloned())
            .map_err(|error| Failure::Usage(format!("{} {}", error.setting, error.detail)))?;
        origin::warn_of_unread_secret(&settings.proofs, &environment);
        if environment.iter().any(|(name, _)| name == BUCKET_SETTING) {
            tracing::warn!(
                "{BUCKET_SETTING} is set, and has no effect: `serve` stores events in --store"
            );
        }
        if !settings.proofs.are_set() {
            if !self.listen.ip().is_loopback() {
                return Err(Failure::Usage(format!(
                    "{} can be reached from other machines, and no proof of origin is set: anyone could deliver events; {SET_A_PROOF}, or listen on 127.0.0.1",
                    self.listen
                )));
            }
            if environment.iter().any(|(name, _)| name == ALLOW_UNVERIFIED)
                && !settings.allow_unverified
            {
                return Err(Failure::Usage(format!(
                    "{ALLOW_UNVERIFIED} is false, and no proof of origin is set: every delivery would be rejected; {SET_A_PROOF}"
                )));
            }
            for name in settings::unread_secrets() {
                complain!(
                    "{name} is not a setting and has no effect; see `messaging serve --help`"
                );
            }
            environment.retain(|(name, _)| name != ALLOW_UNVERIFIED);
            environment.push((ALLOW_UNVERIFIED.to_string(), "true".to_string()));
        }
        Ok((environment, settings))
    }
}

/// Returns a readiness check that tries a write to the store.
fn probe(store: &Store) -> Probe {
    let store = store.clone();
    Arc::new(move || {
        let store = store.clone();
        Box::pin(async move { Ok(store.probe().await?) })
    })
}

/// Makes new files of this process accessible only to their owner.
pub fn only_for_its_owner() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}
