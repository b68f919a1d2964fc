//! Shared fixtures: a simulated service, and the plugin in its host.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses a part of it")]

pub mod cut_off;
pub mod log;
pub mod wasi_state;

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use messaging_components::{PLUGIN, PLUGIN_P3, PLUGIN_SANS_IO};
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use messaging_host::cache::Cache;
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, Host, Limits, Outbound, Plugin, PluginConfig, wit};
use messaging_simulator::service::{Ledger, Options, Service};

pub const KEY: &str = "canary-key-3f9a71";

/// Reports that a test, or part of it, did not run. Writes to standard error directly, because the
/// test harness captures the output of passing tests.
pub fn not_run(why: impl Display) {
    let _ = writeln!(std::io::stderr(), "NOT RUN: {why}");
}

/// Returns the host with a shared compile cache. Compiling takes about 100 times as long as
/// loading.
pub fn cached(host: Host) -> Host {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled");
    match Cache::open(&folder) {
        Ok(cache) => host.with_cache(cache),
        // The cache rejects a directory that other users can change.
        Err(_) => host,
    }
}

/// Kinds of plugin components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    P2,
    P3,
    SansIo,
}

impl Kind {
    pub const ALL: [Self; 3] = [Self::P2, Self::P3, Self::SansIo];

    /// Returns the plugin of this kind from this repository.
    pub fn component(self) -> &'static [u8] {
        match self {
            Self::P2 => PLUGIN,
            Self::P3 => PLUGIN_P3,
            Self::SansIo => PLUGIN_SANS_IO,
        }
    }

    /// Returns a host for this kind's version of WASI.
    pub fn host(self, limits: Limits) -> Host {
        let host = if self == Self::P3 { Host::concurrent(limits) } else { Host::new(limits) };
        cached(host.unwrap())
    }

    pub fn load(self, limits: Limits, config: PluginConfig) -> Plugin {
        Plugin::load(&self.host(limits), self.component(), config).unwrap()
    }

    /// Returns a plugin with this configuration. Each kind is compiled once per test binary.
    pub fn with_config(self, own: PluginConfig) -> Plugin {
        static PLUGINS: [OnceLock<Plugin>; 3] = [const { OnceLock::new() }; 3];
        let limits = Limits { instances: 64, ..Limits::default() };
        let load = || self.load(limits, config(&[], None));
        PLUGINS[self as usize].get_or_init(load).with_config(own)
    }

    pub fn plugin(self, settings: &[(&str, &str)], key: Option<&str>) -> Plugin {
        self.with_config(config(settings, key))
    }

    pub async fn setup(self) -> Setup {
        self.setup_with(Options::new(KEY), &[("MESSAGING_DEADLINE_MS", "5000")]).await
    }

    pub async fn setup_with(self, options: Options, settings: &[(&str, &str)]) -> Setup {
        let service = Service::start(options).await.unwrap();
        let base = service.base_url();
        let all = [&[("MESSAGING_BASE_URL", base.as_str())], settings].concat();
        let plugin = self.plugin(&all, Some(KEY));
        Setup { service, plugin }
    }
}

/// Generates a test for each [`Kind`] from each of these functions.
#[macro_export]
macro_rules! for_each_kind {
    ($($test:ident),+ $(,)?) => {
        $crate::for_each_kind!(p2 P2: $($test)+);
        $crate::for_each_kind!(p3 P3: $($test)+);
        $crate::for_each_kind!(sans_io SansIo: $($test)+);
    };
    ($module:ident $kind:ident: $($test:ident)+) => {
        mod $module {
            $(#[tokio::test]
            async fn $test() {
                super::$test($crate::common::Kind::$kind).await;
            })+
        }
    };
}

/// Returns a configuration that allows the base URL and trusts public certificates.
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

/// Returns the plugin with these settings.
pub fn plugin(settings: &[(&str, &str)], key: Option<&str>) -> Plugin {
    Kind::P2.plugin(settings, key)
}

/// A service and a plugin for it, with a short deadline.
pub struct Setup {
    pub service: Service,
    pub plugin: Plugin,
}

pub async fn setup() -> Setup {
    Kind::P2.setup().await
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
    wit::MessageRequest::new(phone, "Your order is ready")
}

pub fn query() -> wit::TemplateQuery {
    wit::TemplateQuery { status: None, parameters: vec![], every_page: None }
}

/// Returns the source directory of a dependency.
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

/// Returns every file below a directory, with its content.
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
