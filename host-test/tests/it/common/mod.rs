//! Fixtures of every family of tests: a simulated service, and the plugin in its host.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses a part of it")]

pub mod cut_off;
pub mod wasi_state;

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use messaging_components::PLUGIN;
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use messaging_host::cache::Cache;
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig, wit};
use messaging_simulator::service::{Ledger, Options, Service};

pub const KEY: &str = "canary-key-3f9a71";

/// Says that a test, or a part of one, was not run here: also of a test that passes, whose
/// output is kept back.
pub fn not_run(why: impl Display) {
    let _ = writeln!(std::io::stderr(), "NOT RUN: {why}");
}

/// The host with what tests compiled before: compiling takes a hundred times as long as loading.
pub fn cached(host: Host) -> Host {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled");
    match Cache::open(&folder) {
        Ok(cache) => host.with_cache(cache),
        // Somebody else may write there or above.
        Err(_) => host,
    }
}

/// One compiled plugin for a whole test binary.
fn compiled() -> &'static Plugin {
    static PLUGIN_ONCE: OnceLock<Plugin> = OnceLock::new();
    PLUGIN_ONCE.get_or_init(|| {
        let limits = Limits { instances: 64, ..Limits::default() };
        Plugin::load(&cached(Host::new(limits).unwrap()), PLUGIN, config(&[], None)).unwrap()
    })
}

/// A sandbox that may reach its base URL, trusting public certificates.
pub fn config(settings: &[(&str, &str)], key: Option<&str>) -> PluginConfig {
    config_trusting(settings, key, Trust::Public)
}

pub fn config_trusting(settings: &[(&str, &str)], key: Option<&str>, trust: Trust) -> PluginConfig {
    let base = settings.iter().find(|(name, _)| *name == "MESSAGING_BASE_URL");
    let allow = base.and_then(|(_, url)| Origin::parse(url).ok());
    let allow = allow.as_ref().map(AllowList::of_origin).unwrap_or_default();
    let outbound = Outbound::new(allow, trust).unwrap();
    let own = settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    PluginConfig::new(own, key.map(|key| ApiKey::new(key.into()).unwrap()), outbound).unwrap()
}

/// The plugin with these settings.
pub fn plugin(settings: &[(&str, &str)], key: Option<&str>) -> Plugin {
    compiled().with_config(config(settings, key))
}

pub fn plugin_in(config: PluginConfig) -> Plugin {
    compiled().with_config(config)
}

/// A service and a plugin set up for it, with a deadline short enough for a test.
pub struct Setup {
    pub service: Service,
    pub plugin: Plugin,
}

pub async fn setup() -> Setup {
    setup_with(Options::new(KEY), &[("MESSAGING_DEADLINE_MS", "5000")]).await
}

pub async fn setup_with(options: Options, settings: &[(&str, &str)]) -> Setup {
    let service = Service::start(options).await.unwrap();
    let base = service.base_url();
    let mut all = vec![("MESSAGING_BASE_URL", base.as_str())];
    all.extend_from_slice(settings);
    let plugin = plugin(&all, Some(KEY));
    Setup { service, plugin }
}

impl Setup {
    pub async fn send(&self, phone: &str) -> Result<wit::CreatedMessage, wit::Error> {
        self.plugin.send_message(&message(phone)).await.unwrap()
    }

    pub fn ledger(&self) -> Ledger {
        self.service.ledger()
    }
}

pub fn message(phone: &str) -> wit::MessageRequest {
    wit::MessageRequest {
        phone: phone.into(),
        message: "Your order is ready".into(),
        device: None,
        fields: Vec::new(),
    }
}

pub fn query() -> wit::TemplateQuery {
    wit::TemplateQuery { status: None, parameters: vec![], every_page: None }
}

/// The folder of a dependency's sources.
pub fn source_of(package: &str, version: &str) -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let found = packages.iter().find(|one| {
        one["name"] == package && one["version"].as_str().unwrap().starts_with(version)
    });
    let manifest = PathBuf::from(found.unwrap()["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().to_path_buf()
}

/// Every file below a folder, and its text.
pub fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(folder).unwrap().to_path_buf(), text));
            }
        }
    }
    found.sort();
    found
}
