//! `serve`: the webhook on a port, with a durable inbox, until it is told to stop.

use std::cell::Cell;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use messaging_components::{WEBHOOK_FILES, WEBHOOK_KEYVALUE, WEBHOOK_OPEN};
use messaging_host::forward::Forwarder;
use messaging_host::inbox::Buckets;
use messaging_host::serve::{self, Deliveries, Probe, Server, folder};
use messaging_host::webhook::{Webhook, WebhookConfig};
use messaging_host::{Host, Journal, Limits, once};
use messaging_inbox::{Replays, Store};
use messaging_operate::{Exporter, Sends, Sources};
#[cfg(feature = "verify")]
use messaging_verify::boundary::Boundary;
use messaging_webhook_core::Settings;
use messaging_webhook_core::settings::ALLOW_UNVERIFIED;
use serde_json::json;

use super::forward::{self, Forward};
use super::operate::{Listeners, Operate};
use super::otlp::Otlp;
use super::show::{BOLD, DIM, RESET};
use super::signal::Stop;
use super::store::{self, Access, Place, Reach};
use super::tls::Tls;
use super::{Common, Failure, inbox, origin, setup};

/// Receive the service's events over HTTP, and store each exactly once
///
/// A delivery is answered 200 once its event would survive a crash, and not before. Read
/// stored events with `inbox`, or forward them with --forward.
///
/// Settings are environment variables; a delivery needs each proof of origin that is set:
///   MESSAGING_WEBHOOK_PATH_SECRET         the last segment of the URL's path
///   MESSAGING_WEBHOOK_HEADER_SECRET       the value of a header ...
///   MESSAGING_WEBHOOK_HEADER              ... of this name [X-Webhook-Secret]
///   MESSAGING_WEBHOOK_SIGNATURE_SECRET    the key of an HMAC-SHA256, signed as ...
///   MESSAGING_WEBHOOK_SIGNED              ... this says [body]:
///     body, timestamp.body, key.timestamp.body   over these, in a header of its own
///     timestamped                                over timestamp.body, as t=...,v1=...
///     standard-webhooks                          webhook-id (the key), webhook-timestamp and
///                                                webhook-signature; the secret is whsec_BASE64
///   MESSAGING_WEBHOOK_SIGNATURE_HEADER    the signature's header [X-Signature]
///   MESSAGING_WEBHOOK_SIGNATURE_PREFIX    text before the signature [none]
///   MESSAGING_WEBHOOK_SIGNATURE_ENCODING  hex or base64 [hex]
///   MESSAGING_WEBHOOK_TIMESTAMP_HEADER    the timestamp's header, in Unix seconds [X-Timestamp]
///   MESSAGING_WEBHOOK_TIMESTAMP_TOLERANCE_SECONDS
///                                         maximum difference from the clock; 0: not compared
///                                         [300 with standard-webhooks, else 0]
///   MESSAGING_WEBHOOK_MAX_BODY_BYTES      largest body, in bytes [262144]
///   MESSAGING_WEBHOOK_DEADLINE_MS         time for a body to arrive, in milliseconds [10000]
/// Each ..._SECRET can have a second one, ..._SECRET_NEXT, which holds as well. To change a
/// secret: set the new one as NEXT and restart; let the sender use it; move it to SECRET, leave
/// NEXT out, and restart.
///
/// Limits of a proof: secrets in the path or a header, and signatures over body, timestamp.body
/// and timestamped, do not bind the idempotency key. Whoever has seen such a delivery can repeat
/// it under another key, as another event: that is noticed and logged while the first is kept,
/// and with --quarantine-replays waits for a decision.
///
/// Of further listeners; one token, or two while it is changed:
///   MESSAGING_WORKER_TOKENS             what workers of --workers send as Bearer
///   MESSAGING_OPERATOR_TOKENS           what operators, and Prometheus, of --operator send
///   MESSAGING_JOURNAL_TOKENS            what programs send that keep their journal at --workers
///
/// Of a store on PostgreSQL; else PGPASSWORD or PGPASSFILE. Never in the URL:
///   MESSAGING_STORE_PASSWORD            the password ...
///   MESSAGING_STORE_PASSWORD_FILE       ... or a file that holds it
///
/// Of events that are forwarded:
///   MESSAGING_FORWARD_HEADERS           headers to send, as lines of NAME: VALUE
///   MESSAGING_FORWARD_SECRET            signs as Standard Webhooks: whsec_BASE64, or two of
///                                       them, for a receiver that changes from one to the other
///
/// Of --otlp, by OpenTelemetry's names: OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME
/// [messaging-webhook], OTEL_RESOURCE_ATTRIBUTES, OTEL_METRIC_EXPORT_INTERVAL in ms [60000].
///
/// Without any proof of origin it listens on loopback addresses only, and refuses requests
/// whose Host is not a name of this machine or that have an Origin. Set a proof where a
/// proxy on this machine passes on requests from elsewhere.
///
/// Behind a proxy all connections come from one address: there, set
/// --max-connections-per-address to as many as --max-connections.
///
/// GET /livez tells whether it runs, GET /readyz whether the inbox accepts a write. With
/// RUST_LOG=info,messaging_host::serve=debug the log says why a delivery was answered 401.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Serve {
    /// Address and port to listen on
    #[arg(long, default_value = "127.0.0.1:8088", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// Store events in this SQLite file, created if it is missing; or, for several servers with
    /// one inbox, in a database: postgres://USER@HOST/DATABASE
    #[arg(long, default_value = store::DEFAULT, env = store::SETTING, hide_env_values = true, value_name = "FILE|URL", value_parser = store::place)]
    store: Place,
    #[command(flatten)]
    reach: Reach,
    /// Store events as files in this folder instead, written by the component
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["forward", "keyvalue"])]
    files: Option<PathBuf>,
    /// Store events through wasi:keyvalue, in the file or database of --store
    #[arg(long, conflicts_with = "forward")]
    keyvalue: bool,
    /// Quarantine an event that is kept under another key, where no signature binds the key
    #[arg(long, conflicts_with_all = ["files", "keyvalue"])]
    quarantine_replays: bool,
    #[command(flatten)]
    forward: Forward,
    #[command(flatten)]
    operate: Operate,
    #[command(flatten)]
    otlp: Otlp,
    #[command(flatten)]
    tls: Tls,
    /// Open connections; a further one replaces one that has proved nothing
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_connections: u16,
    /// Open connections from one address, or one network of IPv6 (/64)
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_connections_per_address: u16,
    /// Time for deliveries under way to finish after a signal to stop; the store is closed within
    /// 1s after it, 5s after the signal where that is later; a second signal stops at once
    #[arg(long, default_value = "4s", value_name = "DURATION", value_parser = inbox::duration)]
    stop_within: Duration,
    /// Age at which done events and their keys are forgotten, 7d or more; measured while
    /// this runs, whatever the clock says
    #[arg(long, default_value = "7d", value_name = "DURATION", value_parser = inbox::keep)]
    keep: Duration,
    /// Requests that an instance of the component answers before a new one replaces it; 1
    /// creates one for each request
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    requests_per_instance: u32,
    /// Kill this process at its Nth boundary point; with 0 only count them
    #[cfg(feature = "verify")]
    #[arg(long, hide = true, value_name = "N")]
    kill_at: Option<u64>,
    /// Delay of the first pruning
    #[cfg(feature = "verify")]
    #[arg(long, hide = true, value_name = "DURATION", value_parser = inbox::duration)]
    prune_first: Option<Duration>,
}

/// Interval of pruning, and delay of the first: not while the senders that waited for the start
/// all come at once.
const PRUNE_EVERY: Duration = Duration::from_secs(3600);
const PRUNE_FIRST: Duration = Duration::from_secs(60);

/// A store is closed with a copy within its file, and a sync: it gets the time for that where
/// deliveries get none.
const SHORTEST_STOP: Duration = Duration::from_secs(4);
/// Time for it after that of deliveries, or where it was asked to stop at once.
const LAST_CLOSE: Duration = Duration::from_secs(1);

/// Advice where no proof of origin is set.
const SET_A_PROOF: &str = "set MESSAGING_WEBHOOK_PATH_SECRET, MESSAGING_WEBHOOK_HEADER_SECRET or MESSAGING_WEBHOOK_SIGNATURE_SECRET";

/// No campaign kills this process.
#[cfg(not(feature = "verify"))]
enum Boundary {}

#[cfg(not(feature = "verify"))]
impl Boundary {
    fn pass(&self) {
        match *self {}
    }

    fn passed(&self) -> u64 {
        match *self {}
    }
}

impl Serve {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        // Whatever can be wrong with the settings, before anything is opened or made.
        let (environment, settings) = self.environment()?;
        let replays = origin::replays(&settings.proofs, self.quarantine_replays)?;
        let tls = self.tls.config()?;
        let exporter = self.otlp.exporter(common)?;
        let spans = exporter.as_ref().map(Exporter::spans);
        let forwarding = self.forward.options(common)?;
        let forwarding =
            forwarding.map(|options| forward::Options { spans: spans.clone(), ..options });
        let plan = self.operate.plan(tls.is_some())?;
        let access = self.store.access(&self.reach)?;
        only_for_its_owner();
        let boundary = self.boundary();
        let kept = self.operate.journal(&plan, boundary.as_ref().map(steps)).await?;
        let journal = kept.clone().map(|journal| Arc::new(journal) as Arc<dyn Journal>);
        let store = match self.files {
            Some(_) => None,
            None => Some(open(&access, boundary.as_ref(), replays).await?),
        };
        let config = WebhookConfig {
            environment,
            inbox: store.clone().map(|store| Arc::new(store) as Arc<_>),
            buckets: Buckets(store.clone().filter(|_| self.keyvalue)),
            folder: self.files.clone(),
            requests_per_instance: self.requests_per_instance,
            at_host_call: boundary.clone().map(|boundary| {
                let pass = move || boundary.pass();
                Arc::new(pass) as Arc<dyn Fn() + Send + Sync>
            }),
        };
        let host = common.cached(host()?);
        let webhook = self.webhook(&host, common, config)?;
        self.has_its_inbox(&webhook)?;
        let options = serve::Options {
            tls,
            max_connections: self.max_connections.into(),
            max_connections_per_address: self.max_connections_per_address.into(),
            max_body_bytes: settings.max_body_bytes,
            body_timeout: Duration::from_millis(settings.deadline_ms.into()),
            stop_timeout: self.stop_within,
            local_names_only: !settings.proofs.are_set(),
            probe: self.probe(store.as_ref()),
            ..serve::Options::new(self.listen)
        };
        let mut stop = Stop::except_hangup(options.tls.clone());
        let scheme = if options.tls.is_some() { "https" } else { "http" };
        let deliveries = Deliveries::new(webhook).proofs(settings.proofs.clone()).spans(spans);
        let server = Server::start(deliveries, options.clone())
            .await
            .map_err(|error| Failure::Failed(format!("{}: cannot listen: {error}", self.listen)))?;
        let target = forwarding.as_ref().map(forward::shown);
        let forwarder = match (forwarding, &store) {
            (Some(options), Some(store)) => Some(forward::start(store, options)?),
            _ => None,
        };
        let forgotten = journal.clone().zip(self.operate.journal_keep());
        let listeners = match &store {
            Some(store) => {
                let sources = Sources {
                    store: store.clone(),
                    deliveries: server.counts(),
                    host,
                    forward: forwarder.as_ref().map(Forwarder::tally),
                    sends: journal.clone().map(Sends::start),
                };
                let listeners = plan.start(&sources, journal, &options).await?;
                Some((listeners, exporter.map(|exporter| exporter.start(sources))))
            }
            None => None,
        };
        let (listeners, telemetry) = listeners.unzip();
        let telemetry = telemetry.flatten();
        // Its probe has the store, which is closed when nobody has it any more.
        drop(options);
        let first = self.prune_first();
        let pruning = [
            store.clone().map(|store| {
                let keep = self.keep;
                tokio::spawn(repeat(first, async move || prune(&store, keep).await))
            }),
            forgotten.map(|(journal, age)| {
                let mut retention = once::Retention::default();
                tokio::spawn(repeat(first, async move || {
                    forget(&mut retention, &*journal, age).await;
                }))
            }),
        ];

        let url = format!("{scheme}://{}/", server.address());
        let urls = listeners.as_ref().map(|listeners| listeners.urls(scheme)).unwrap_or_default();
        self.announce(common, &url, &urls, &settings, target.as_deref());
        let signal = stop.wait().await;
        let asked = Instant::now();
        let asked_again = self.stop(signal, &mut stop, server, listeners, forwarder).await;
        for pruning in pruning.into_iter().flatten() {
            pruning.abort();
            let _ = pruning.await;
        }
        if let Some(telemetry) = telemetry {
            telemetry.stop().await;
        }
        if let Some(store) = store {
            let within = if asked_again {
                LAST_CLOSE
            } else {
                let whole = self.stop_within.max(SHORTEST_STOP).saturating_add(LAST_CLOSE);
                whole.saturating_sub(asked.elapsed())
            };
            close(store, within, &mut stop).await;
        }
        if let Some(journal) = kept {
            let _ = tokio::time::timeout(LAST_CLOSE, journal.close()).await;
        }
        tracing::info!("stopped");
        if let Some(boundary) = boundary {
            print_line(&json!({ "boundary-points": boundary.passed() }));
        }
        Ok(())
    }

    /// Ends in good order, but within a time; at once where it is asked again: says
    /// whether it was.
    async fn stop(
        &self,
        signal: &'static str,
        stop: &mut Stop,
        server: Server,
        listeners: Option<Listeners>,
        forwarder: Option<Forwarder>,
    ) -> bool {
        let (deliveries, within) = (server.counts().under_way(), self.stop_within);
        tracing::info!(
            signal,
            deliveries,
            forwarding = forwarder.is_some(),
            ?within,
            "stopping after the deliveries under way; a second signal stops at once"
        );
        let forwarding = Cell::new(forwarder.is_some());
        let served = async {
            let unanswered = server.stop().await;
            if unanswered > 0 {
                tracing::warn!(unanswered, "deliveries were cut off; the sender will repeat them");
            }
        };
        let listened = async {
            if let Some(listeners) = listeners {
                listeners.stop().await;
            }
        };
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
                    "stopped at once: deliveries under way were cut off; the sender will repeat them"
                );
                true
            }
        };
        if forwarding.get() {
            tracing::warn!("the forwarder was cut off; undelivered events stay in the inbox");
        }
        asked_again
    }

    /// Tries a write where events are kept.
    fn probe(&self, store: Option<&Store>) -> Option<Probe> {
        if let Some(store) = store.cloned() {
            return Some(Arc::new(move || {
                let store = store.clone();
                Box::pin(async move { Ok(store.probe().await?) })
            }));
        }
        let folder = self.files.clone()?;
        Some(Arc::new(move || {
            let folder = folder.clone();
            Box::pin(async move {
                Ok(tokio::task::spawn_blocking(move || folder::probe(&folder)).await??)
            })
        }))
    }

    /// The component's environment, checked before anything is opened.
    fn environment(&self) -> Result<(Vec<(String, String)>, Settings), Failure> {
        let mut environment = Vec::new();
        for (name, value) in std::env::vars_os() {
            let Some(name) = setup::setting(&name)? else { continue };
            setup::known(name)?;
            // The plugin's may stand beside them.
            if !name.starts_with("MESSAGING_WEBHOOK_") {
                continue;
            }
            let Some(value) = value.to_str() else {
                return Err(Failure::Usage(format!("{name} is not UTF-8")));
            };
            if name != store::SETTING {
                environment.push((name.to_string(), value.to_string()));
            }
        }
        let settings = Settings::from_variables(environment.iter().cloned())
            .map_err(|error| Failure::Usage(format!("{} {}", error.setting, error.detail)))?;
        origin::warn_of_unread_secret(&settings.proofs, &environment);
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
                    "{ALLOW_UNVERIFIED} is false, and no proof of origin is set: no delivery could be taken; {SET_A_PROOF}"
                )));
            }
            environment.retain(|(name, _)| name != ALLOW_UNVERIFIED);
            environment.push((ALLOW_UNVERIFIED.to_string(), "true".to_string()));
        }
        Ok((environment, settings))
    }

    /// The points at which a campaign kills this process, where it was asked to.
    #[cfg(feature = "verify")]
    fn boundary(&self) -> Option<Arc<Boundary>> {
        self.kill_at.map(|at| Arc::new(Boundary::new(at)))
    }

    #[cfg(not(feature = "verify"))]
    fn boundary(&self) -> Option<Arc<Boundary>> {
        None
    }

    /// Delay of the first pruning.
    #[cfg(feature = "verify")]
    fn prune_first(&self) -> Duration {
        self.prune_first.unwrap_or(PRUNE_FIRST)
    }

    #[cfg(not(feature = "verify"))]
    fn prune_first(&self) -> Duration {
        PRUNE_FIRST
    }

    fn webhook(
        &self,
        host: &Host,
        common: &Common,
        config: WebhookConfig,
    ) -> Result<Webhook, Failure> {
        if let Some(folder) = &self.files
            && let Err(error) = folder::make(folder)
        {
            return Err(Failure::Failed(format!("{}: {error}", folder.display())));
        }
        let failed = |error: messaging_host::LoadError| Failure::Failed(error.to_string());
        match &common.component {
            Some(file) => {
                let (bytes, name) = setup::component(Some(file))?;
                Webhook::load(host, &bytes, config)
                    .map_err(|error| Failure::Usage(format!("{name}: {error}")))
            }
            None => Webhook::load(host, self.embedded(), config).map_err(failed),
        }
    }

    /// Refuses a component that would have nowhere to store an event.
    fn has_its_inbox(&self, webhook: &Webhook) -> Result<(), Failure> {
        let places = [
            ("messaging:integration/inbox", self.files.is_none(), "leave --files out"),
            ("wasi:keyvalue/store", self.keyvalue, "add --keyvalue"),
            ("wasi:filesystem/preopens", self.files.is_some(), "add --files FOLDER"),
        ];
        let imported: Vec<_> =
            places.into_iter().filter(|(interface, ..)| webhook.imports(interface)).collect();
        match imported.first() {
            Some((interface, _, advice)) if !imported.iter().any(|(_, is_given, _)| *is_given) => {
                Err(Failure::Usage(format!(
                    "the component stores events through {interface}, which it is not given; {advice}"
                )))
            }
            _ => Ok(()),
        }
    }

    fn embedded(&self) -> &'static [u8] {
        match (&self.files, self.keyvalue) {
            (Some(_), _) => WEBHOOK_FILES,
            (None, true) => WEBHOOK_KEYVALUE,
            (None, false) => WEBHOOK_OPEN,
        }
    }

    fn announce(
        &self,
        common: &Common,
        url: &str,
        others: &[(&str, Option<String>)],
        settings: &Settings,
        target: Option<&str>,
    ) {
        let others = others.iter().filter_map(|(name, url)| Some((*name, url.as_deref()?)));
        if common.json {
            let mut line = json!({ "url": url, "verified": settings.proofs.are_set() });
            if let Some(line) = line.as_object_mut() {
                line.extend(others.map(|(name, url)| (name.to_string(), url.into())));
            }
            print_line(&line);
            return;
        }
        let segment = if settings.proofs.path.is_some() { "<path secret>" } else { "" };
        say!("{BOLD}webhook{RESET} on {url}{segment}");
        match &self.files {
            Some(folder) => say!("events are stored in {}", folder.display()),
            None => say!("events are stored in {}", self.store),
        }
        for (name, url) in others {
            say!("{BOLD}{name}{RESET} on {url}");
        }
        if !settings.proofs.are_set() {
            say!(
                "deliveries are not verified, and only this machine can make them: set a proof of origin before a proxy passes on others"
            );
        }
        if settings.proofs.are_set() {
            say!("a delivery needs {}", origin::shown(&settings.proofs));
        }
        if let Some(target) = target {
            say!("{target}");
        }
        say!("\n{DIM}Ctrl-C stops it after the deliveries under way; a second one at once.{RESET}");
    }
}

/// Makes all files of this process from now on readable by their owner alone.
fn only_for_its_owner() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// On one line, for a script that waits for it.
fn print_line(value: &serde_json::Value) {
    say!("{value}");
}

/// An engine for requests that are short: a component that waits for longer than a
/// sender does has failed.
pub fn host() -> Result<Host, Failure> {
    let limits =
        Limits { wall: Duration::from_secs(30), instances: 96, parts: 3, ..Limits::default() };
    Host::new(limits).map_err(|error| Failure::Failed(error.to_string()))
}

/// The steps of a store or a journal as boundary points.
fn steps(boundary: &Arc<Boundary>) -> Arc<dyn Fn(&'static str) + Send + Sync> {
    let boundary = Arc::clone(boundary);
    Arc::new(move |_| boundary.pass())
}

async fn open(
    access: &Access,
    boundary: Option<&Arc<Boundary>>,
    replays: Replays,
) -> Result<Store, Failure> {
    let on_step = boundary.map(steps);
    let options =
        messaging_inbox::Options { on_step, replays, ..messaging_inbox::Options::default() };
    access.open(options).await.map_err(|error| Failure::Failed(error.to_string()))
}

/// Does something at intervals, for as long as the webhook runs.
async fn repeat(first: Duration, mut work: impl AsyncFnMut()) {
    tokio::time::sleep(first).await;
    loop {
        work().await;
        tokio::time::sleep(PRUNE_EVERY).await;
    }
}

/// Forgets old events.
async fn prune(store: &Store, keep: Duration) {
    match store.prune(keep).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "pruned done events"),
        Err(error) => tracing::warn!(%error, "done events could not be pruned"),
    }
}

/// Forgets outcomes of old keys.
async fn forget(retention: &mut once::Retention, journal: &dyn Journal, older_than: Duration) {
    let (keys, done) = retention.forget(journal, older_than).await;
    match done {
        Ok(()) if keys == 0 => tracing::debug!("no key is old enough to be forgotten"),
        Ok(()) => tracing::info!(keys, "forgot what became of old keys"),
        Err(error) => {
            let error = once::case(&error);
            tracing::warn!(error, keys, "could not forget all old keys");
        }
    }
}

/// Waits until all that is kept stands in the store's own file.
async fn close(store: Store, within: Duration, stop: &mut Stop) {
    let why = tokio::select! {
        closed = tokio::time::timeout(within, store.close()) => match closed {
            Ok(()) => return,
            Err(_) => "it takes too long",
        },
        signal = stop.wait() => signal,
    };
    tracing::warn!(
        why,
        "the store was not closed; where it is a file, keep its log (-wal) beside it"
    );
}
