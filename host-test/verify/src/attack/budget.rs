//! Family `budget`: components that exceed their limits, in wasm or through the host, at their
//! start or in a call.

use std::fmt::Write;
use std::path::Path;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Empty};
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;

use super::peer::Peer;
use super::{Attack, AttackResult, Target, grown};
use messaging_components::{HOSTILE, HOSTILE_P3, PLUGIN, PLUGIN_P3};
use messaging_host::cache::Cache;
use messaging_host::error::{CallError, LoadError};
use messaging_host::limits::{Limit, Limits};
use messaging_host::outbound::{AllowList, Outbound, Trust};
use messaging_host::plugin::{CONCURRENT_INTERFACE, INTERFACE};
use messaging_host::webhook::WebhookConfig;
use messaging_host::{Host, Plugin, PluginConfig, Webhook, wit};

/// Name of the family.
pub(super) const FAMILY: &str = "budget";

use Target::{Plugin as P2, PluginP3 as P3, Webhook as WH};

/// The way in which a component misbehaves.
#[derive(Clone, Copy)]
enum How {
    /// A call with this command.
    Called(&'static str),
    /// This command at the start of the component.
    Starts(&'static str),
    /// An additional inner component with this text.
    Has(fn() -> String),
    /// These bytes as the file of the component.
    Is(fn() -> Vec<u8>),
}

use How::{Called, Has, Is, Starts};

/// The expected outcome of an attack.
#[derive(Clone, Copy)]
enum Expectation {
    /// One of these limits ends the call.
    Reaches(&'static [Limit]),
    /// The load or the call fails with one of these error texts of the engine.
    Because(&'static [&'static str]),
    /// The component traps.
    Traps,
    /// The component reports this error of the host.
    Says(&'static str),
    /// The component cannot be loaded.
    Refused,
    /// The component cannot be loaded, because it imports an interface that the host lacks.
    Lacks,
}

use Expectation::{Because, Lacks, Reaches, Refused, Says, Traps};

const ALL: &[Target] = &[P2, P3, WH];
const OLD: &[Target] = &[P2, WH];
const PLUGINS: &[Target] = &[P2, P3];

/// Name, size, misbehavior, targets and expected outcome of an attack.
type Row = (&'static str, &'static str, How, &'static [Target], Expectation);

const HELD: Expectation = Reaches(&[Limit::Memory, Limit::Resources]);
/// The engine's error for too many handles in the tables of a component.
const HANDLES: Expectation = Because(&["store handle limit exceeded"]);
/// The engine's error for a start function that waits. WASI 0.3 allows waiting only in a call.
const BLOCKED: Expectation = Because(&["cannot block a synchronous task"]);
/// The engine's error for too many bytes in one call between component and host.
const CROSSED: Expectation = Because(&["too much data is being copied"]);
/// The engine's errors for too many core instances. The engine checks the number during the setup
/// of a pool, or during instantiation.
const MADE: Expectation = Because(&["core module instances", "instance count too high"]);
const SENT: Expectation = Reaches(&[Limit::Requests, Limit::Resources, Limit::Memory, Limit::Wall]);

const ROWS: &[Row] = &[
    ("compute", "without end", Called("spin"), ALL, Reaches(&[Limit::Cpu])),
    ("allocate", "1 MiB without end", Called("allocate"), ALL, Reaches(&[Limit::Memory])),
    ("recurse", "without end", Called("recurse"), ALL, Traps),
    ("wait", "90 s", Called("wait"), ALL, Reaches(&[Limit::Wall])),
    ("headers of the largest size", "kept without end", Called("fields"), ALL, HELD),
    (
        "headers above the maximum size",
        "1.2 MB",
        Called("large-fields"),
        OLD,
        Reaches(&[Limit::Headers]),
    ),
    ("host resources", "kept without end", Called("handles"), ALL, HELD),
    ("methods and authorities", "1 MiB, kept without end", Called("methods"), ALL, HELD),
    (
        "headers above the maximum size",
        "1.2 MB",
        Called("large-fields"),
        &[P3],
        Says("SizeExceeded"),
    ),
    ("bodies that are never sent", "kept without end", Called("bodies"), OLD, HELD),
    ("bodies that are never sent", "kept without end", Called("bodies"), &[P3], HANDLES),
    ("streams", "kept without end", Called("streams"), &[P3], HANDLES),
    ("a value", "5 MiB in one value", Called("cross"), ALL, CROSSED),
    ("a result", "5 MB", Called("say 5000000"), PLUGINS, CROSSED),
    ("an answer", "70,000 bytes", Called("say 70000"), &[WH], Because(&["it returned no answer"])),
    ("clock subscriptions", "90 s, kept without end", Called("clocks"), OLD, HELD),
    ("clock subscriptions", "90 s, kept without end", Called("clocks"), &[P3], HANDLES),
    (
        "clock subscriptions",
        "dropped, without end",
        Called("clocks-over"),
        OLD,
        Reaches(&[Limit::Cpu]),
    ),
    ("waiting for many events", "1,000 at once", Called("poll"), OLD, Reaches(&[Limit::Cpu])),
    ("random bytes", "60 MB at once", Called("random"), OLD, Reaches(&[Limit::Random])),
    ("random bytes", "1,000 without end", Called("random-over"), OLD, Reaches(&[Limit::Random])),
    ("random bytes", "an import", Is(|| importing(RANDOM_03)), &[P3], Lacks),
    ("log lines", "1,000 bytes without end", Called("log-on"), OLD, Reaches(&[Limit::Cpu])),
    ("log lines", "1 byte without end", Called("log-letters"), OLD, Reaches(&[Limit::Cpu])),
    ("log lines", "an import", Is(|| importing(OUTPUT_03)), &[P3], Lacks),
    ("copies of headers", "without end", Called("headers-over"), ALL, Reaches(&[Limit::Cpu])),
    ("requests at once", "without end", Called("responses {peer}/silent"), ALL, SENT),
    ("requests", "without end", Called("requests {peer}/quick"), ALL, SENT),
    ("replies that are never read", "without end", Called("unread {peer}/quick"), ALL, SENT),
    (
        "a reply without end",
        "16 KiB chunks",
        Called("requests {peer}/endless"),
        PLUGINS,
        Reaches(&[Limit::Transfer]),
    ),
    (
        "an upload without end",
        "4 KiB writes",
        Called("upload {peer}/sink"),
        PLUGINS,
        Reaches(&[Limit::Transfer]),
    ),
    ("a start function", "computes", Starts("spin"), ALL, Reaches(&[Limit::Cpu])),
    ("a start function", "waits 90 s", Starts("wait"), OLD, Reaches(&[Limit::Wall])),
    ("a start function", "waits 90 s", Starts("wait"), &[P3], BLOCKED),
    ("a start function", "allocates", Starts("allocate"), ALL, Reaches(&[Limit::Memory])),
    ("a start function", "keeps headers", Starts("fields"), ALL, HELD),
    ("a start function", "calls out", Starts("requests {peer}/quick"), OLD, SENT),
    ("a start function", "calls out", Starts("requests {peer}/quick"), &[P3], BLOCKED),
    ("a start function", "calls out without end", Starts("begin {peer}/quick"), &[P3], SENT),
    ("memories", "3 of 6 MiB", Has(|| memories(3)), ALL, Reaches(&[Limit::Memory])),
    ("memories", "12 of 6 MiB", Has(|| memories(12)), ALL, Refused),
    ("tables", "6 of 5,000", Has(|| tables(6)), ALL, Reaches(&[Limit::Tables])),
    ("tables", "100 of 5,000", Has(|| tables(100)), ALL, Refused),
    ("core instances", "40", Has(|| instances(40)), ALL, MADE),
    ("core instances", "900", Has(|| instances(900)), ALL, MADE),
    ("core instances", "1,000", Has(|| instances(1_000)), ALL, Refused),
    ("a large file", "3 MB", Is(|| vec![0; 3 * 1024 * 1024]), ALL, Refused),
    ("nested components", "10^9 instances", Has(nested), ALL, Refused),
    ("functions", "6,000", Has(functions), ALL, Refused),
    ("files", "an import", Is(|| importing(FILES)), &[P2], Lacks),
    ("files", "an import", Is(|| importing(FILES_03)), &[P3], Lacks),
    ("sockets", "an import", Is(|| importing(SOCKETS)), OLD, Lacks),
    ("sockets", "an import", Is(|| importing(SOCKETS_03)), &[P3], Lacks),
    ("names", "an import", Is(|| importing(NAMES)), OLD, Lacks),
    ("names", "an import", Is(|| importing(NAMES_03)), &[P3], Lacks),
];

/// An interface and one of its items. A host with the interface has the item.
type Import = (&'static str, &'static str);

const FILES: Import = ("wasi:filesystem/preopens@0.2.0", GET_DIRECTORIES);
const FILES_03: Import = ("wasi:filesystem/preopens@0.3.0", GET_DIRECTORIES);
const GET_DIRECTORIES: &str = r#"(export "get-directories" (func))"#;
const SOCKETS: Import = ("wasi:sockets/tcp@0.2.0", TCP_SOCKET);
const SOCKETS_03: Import = ("wasi:sockets/types@0.3.0", TCP_SOCKET);
const TCP_SOCKET: &str = r#"(export "tcp-socket" (type (sub resource)))"#;
const NAMES: Import = ("wasi:sockets/ip-name-lookup@0.2.0", RESOLVE);
const NAMES_03: Import = ("wasi:sockets/ip-name-lookup@0.3.0", RESOLVE);
const RESOLVE: &str = r#"(export "resolve-addresses" (func))"#;
const RANDOM_03: Import = ("wasi:random/random@0.3.0", r#"(export "get-random-bytes" (func))"#);
const OUTPUT_03: Import = ("wasi:cli/stdout@0.3.0", r#"(export "write-via-stream" (func))"#);

/// Returns all attacks of the family.
pub fn attacks() -> Vec<Attack> {
    let of_row = |&(name, tries, how, targets, ending): &Row| {
        targets.iter().map(move |&target| {
            Attack::new(FAMILY, name, target, tries, move |fixture| async move {
                match fixture.hosts().await {
                    Ok(hosts) => hosts.attack(target, how, ending).await,
                    Err(error) => AttackResult::of(Err(error)),
                }
            })
        })
    };
    ROWS.iter().flat_map(of_row).collect()
}

/// Returns a component with `count` core instances. Each fills a memory of 6 MiB.
fn memories(count: u32) -> String {
    let module = r#"(core module $m (memory 96)
        (func $fill (memory.fill (i32.const 0) (i32.const 1) (i32.const 6291456)))
        (start $fill))"#;
    component(module, count)
}

fn tables(count: u32) -> String {
    component("(core module $m (table 5000 funcref))", count)
}

fn instances(count: u32) -> String {
    component("(core module $m)", count)
}

/// Returns nine nested components. Each instantiates the next inner component ten times.
fn nested() -> String {
    let mut text = "(component $c (core module $m) (core instance (instantiate $m)))".to_string();
    for _ in 0..9 {
        let ten = "(instance (instantiate $c))".repeat(10);
        text = format!("(component $c {text} {ten})");
    }
    text
}

fn functions() -> String {
    format!("(component (core module {}))", "(func)".repeat(6_000))
}

fn component(module: &str, instances: u32) -> String {
    let mut text = format!("(component {module}");
    for _ in 0..instances {
        text.push_str("(core instance (instantiate $m))");
    }
    text.push(')');
    text
}

/// Returns a component with one import and the exports of a plugin and a webhook. The version of
/// the import selects the plugin's interface.
fn importing((interface, item): Import) -> Vec<u8> {
    let mut text = format!(
        r#"(component (import "{interface}" (instance {item}))
            (core module $m (func (export "f"))) (core instance $c (instantiate $m))
            (func $f (canon lift (core func $c "f")))
            (instance $i (export "send-message" (func $f)) (export "list-templates" (func $f))
                (export "handle-event" (func $f)))"#
    );
    let plugin = if interface.ends_with("@0.3.0") { CONCURRENT_INTERFACE } else { INTERFACE };
    for export in [plugin, "wasi:http/incoming-handler@0.2.0"] {
        let _ = write!(text, r#"(export "{export}" (instance $i))"#);
    }
    text.push(')');
    wat::parse_str(text).unwrap_or_default()
}

/// A host for each version of WASI, with hostile components, the real plugin, and a peer for
/// requests.
pub(super) struct Hosts {
    old: Host,
    new: Host,
    peer: Peer,
    outbound: Outbound,
    pub(super) plugin: Plugin,
    pub(super) plugin_p3: Plugin,
    webhook: Webhook,
    /// The plugin of this repository.
    pub(super) real: Plugin,
    pub(super) real_p3: Plugin,
}

/// The outcome of an attempt on a host.
enum Attempt {
    Said(String),
    Failed(CallError),
    Refused(LoadError),
}

impl Hosts {
    /// Creates hosts with these limits. `compiled` is the directory for compiled components; `None`
    /// disables the cache.
    pub async fn new(limits: Limits, compiled: Option<&Path>) -> anyhow::Result<Self> {
        let peer = Peer::start().await?;
        let cache = compiled.map(Cache::open).transpose()?;
        let cached = |host: Host| match &cache {
            Some(cache) => host.with_cache(cache.clone()),
            None => host,
        };
        let old = cached(Host::new(limits)?);
        let new = cached(Host::concurrent(limits)?);
        let outbound = Outbound::new(AllowList::parse([peer.url().as_str()])?, Trust::Public)?;
        let config = PluginConfig::open(Vec::new(), outbound.clone());
        let plugin = Plugin::load(&old, HOSTILE, config.clone())?;
        let plugin_p3 = Plugin::load(&new, HOSTILE_P3, config.clone())?;
        let real = Plugin::load(&old, PLUGIN, config.clone())?;
        let real_p3 = Plugin::load(&new, PLUGIN_P3, config)?;
        let webhook = Webhook::load(&old, HOSTILE, WebhookConfig::default())?;
        Ok(Self { old, new, peer, outbound, plugin, plugin_p3, webhook, real, real_p3 })
    }

    /// Returns the maximum number of concurrent connections at the peer.
    pub fn most_connections(&self) -> usize {
        self.peer.most_concurrent()
    }

    /// Makes a harmless call. Returns an error if the host does not answer it.
    pub async fn next_call_works(&self, target: Target) -> anyhow::Result<()> {
        match self.attempt(target, Called("environment")).await {
            Attempt::Said(_) => Ok(()),
            Attempt::Failed(error) => Err(error.into()),
            Attempt::Refused(error) => Err(error.into()),
        }
    }

    async fn attack(&self, target: Target, how: How, ending: Expectation) -> AttackResult {
        let attempt = self.attempt(target, how).await;
        let gives = |reasons: &[&str], error: &dyn std::error::Error| {
            let text = error.to_string();
            reasons.iter().any(|reason| text.contains(reason))
        };
        let as_expected = match (ending, &attempt) {
            (Reaches(limits), Attempt::Failed(CallError::Limit(limit))) => limits.contains(limit),
            (Because(reasons), Attempt::Failed(error @ CallError::Trap(_))) => {
                gives(reasons, error)
            }
            (Because(reasons), Attempt::Refused(error)) => gives(reasons, error),
            (Lacks, Attempt::Refused(error @ LoadError::MissingImport(_))) => {
                // Another error, such as a wrong type, would mean that the host has the import.
                gives(&["implementation is missing"], error)
            }
            (Says(word), Attempt::Said(text)) => text.contains(word),
            (Refused, Attempt::Refused(_)) | (Traps, Attempt::Failed(CallError::Trap(_))) => true,
            _ => false,
        };
        let how = match attempt {
            Attempt::Said(text) => format!("the component answered: {text}"),
            Attempt::Failed(error) => error.to_string(),
            Attempt::Refused(error) => error.to_string(),
        };
        AttackResult { how, as_expected, within: self.old.limits().wall }
    }

    async fn attempt(&self, target: Target, how: How) -> Attempt {
        match self.try_it(target, how).await {
            Ok(Ok(said)) => Attempt::Said(said),
            Ok(Err(error)) => Attempt::Failed(error),
            Err(error) => Attempt::Refused(error),
        }
    }

    async fn try_it(
        &self,
        target: Target,
        how: How,
    ) -> Result<Result<String, CallError>, LoadError> {
        let fill = |text: &str| text.replace("{peer}", &self.peer.url());
        let (command, start) = match how {
            Called(command) => (fill(command), None),
            Starts(command) => (String::new(), Some(fill(command))),
            Has(_) | Is(_) => (String::new(), None),
        };
        let base = if target == P3 { HOSTILE_P3 } else { HOSTILE };
        let bytes = match how {
            Has(inner) => {
                let unfit = |error: anyhow::Error| LoadError::NotAComponent(error.to_string());
                Some(grown::with(base, &inner()).map_err(unfit)?)
            }
            Is(bytes) => Some(bytes()),
            Called(_) | Starts(_) => None,
        };
        let environment: Vec<_> =
            start.into_iter().map(|start| ("HOSTILE_START".to_string(), start)).collect();
        let config = PluginConfig::open(environment.clone(), self.outbound.clone());
        let request = wit::MessageRequest::new("", &command);
        let said = |result: Result<wit::CreatedMessage, wit::Error>| match result {
            Ok(created) => created.json,
            Err(error) => format!("{error:?}"),
        };
        Ok(match target {
            P2 | P3 => {
                let (host, loaded) = match target {
                    P3 => (&self.new, &self.plugin_p3),
                    _ => (&self.old, &self.plugin),
                };
                let plugin = match bytes {
                    Some(bytes) => Plugin::load(host, &bytes, config)?,
                    None => loaded.with_config(config),
                };
                plugin.send_message(&request).await.map(said)
            }
            WH | Target::Process => {
                let config = WebhookConfig { environment, ..WebhookConfig::default() };
                let webhook = match bytes {
                    Some(bytes) => Webhook::load(&self.old, &bytes, config)?,
                    None => self.webhook.with_config(reused(config)),
                };
                if let Called(_) = how {
                    // Attacks an instance that has already answered, as in `serve`.
                    let _ = deliver(&webhook, "environment").await;
                }
                deliver(&webhook, &request.message).await
            }
        })
    }
}

/// Lets an instance answer many requests, as in `serve`.
fn reused(config: WebhookConfig) -> WebhookConfig {
    WebhookConfig { requests_per_instance: 1_000, ..config }
}

async fn deliver(webhook: &Webhook, command: &str) -> Result<String, CallError> {
    let request = Request::post("http://localhost/").header("x-command", command);
    let request = request.body(Empty::<Bytes>::new());
    let request = request.map_err(|error| CallError::Trap(error.to_string()))?;
    let response = webhook.handle(Scheme::Http, request).await?;
    let body = response.into_body().collect().await;
    let bytes = body.map(|body| body.to_bytes()).unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
