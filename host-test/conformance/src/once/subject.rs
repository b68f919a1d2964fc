//! Implementations under test.

use std::path::PathBuf;
use std::sync::Arc;

use messaging_host::inspect::{Inspection, Interface};
use messaging_host::once::{self, OnceConfig, SendOnce};
use messaging_host::outbound::Trust;
use messaging_host::{AllowList, ApiKey, Host, Journal, LoadError, Origin, Outbound, PluginConfig};

use super::{DEADLINE_MS, KEY};

/// A factory of implementations that share one journal.
pub trait Subject: Sync {
    /// The implementation under test.
    type Once: SendOnce;

    /// Creates an implementation whose provider uses this base URL, [`KEY`] and [`DEADLINE_MS`].
    ///
    /// # Errors
    /// Returns an error if the implementation cannot be set up.
    fn with_base_url(&self, base_url: &str) -> anyhow::Result<Self::Once>;
}

/// Access to a journal over HTTP.
#[derive(Clone, Debug)]
pub struct OverHttp {
    /// Base URL of the journal server.
    pub url: String,
}

impl OverHttp {
    /// Token of the senders. A constant suffices, because the servers of tests listen only on
    /// loopback.
    pub const TOKEN: &str = "once-suite-token-9d02";

    /// Returns the settings of a component that uses this journal.
    pub fn settings(&self) -> [(String, String); 2] {
        [("MESSAGING_JOURNAL_URL", &*self.url), ("MESSAGING_JOURNAL_TOKEN", Self::TOKEN)]
            .map(|(name, value)| (name.to_string(), value.to_string()))
    }
}

/// A component that contains the plugin and exports the interface `once`, and the location of its
/// journal.
pub struct Component {
    /// The loaded component.
    pub plugin: once::Component,
    /// The journal; `None` if the component does not import one.
    pub journal: Option<Arc<dyn Journal>>,
    /// Directory of the journal; `None` if the component does not store the journal in files.
    pub folder: Option<PathBuf>,
    /// Access to the journal server; `None` if the component does not use HTTP for its journal.
    pub over_http: Option<OverHttp>,
}

impl Component {
    /// Loads a component.
    ///
    /// # Errors
    /// Returns an error if `bytes` is not a component that exports `once`.
    pub fn load(host: &Host, bytes: &[u8]) -> Result<Self, LoadError> {
        let outbound = Outbound::new(AllowList::deny_all(), Trust::Public)
            .map_err(|error| LoadError::Engine(error.to_string()))?;
        let config = OnceConfig::new(PluginConfig::open(Vec::new(), outbound));
        let plugin = once::Component::load(host, bytes, config)?;
        Ok(Self { plugin, journal: None, folder: None, over_http: None })
    }

    /// Returns true if the component needs a journal server, because it imports neither a journal
    /// nor a file system.
    pub fn asks_a_server(bytes: &[u8]) -> bool {
        const OWN_STORES: [&str; 2] =
            ["messaging:integration/journal@0.2.0", "wasi:filesystem/preopens@0.2.0"];
        let is_own_store = |import: &Interface| OWN_STORES.contains(&&*import.name);
        Inspection::of(bytes).is_ok_and(|inspection| !inspection.imports.iter().any(is_own_store))
    }
}

impl Subject for Component {
    type Once = once::Component;

    fn with_base_url(&self, base_url: &str) -> anyhow::Result<Self::Once> {
        Ok(self.plugin.with_config(OnceConfig {
            journal: self.journal.clone(),
            folder: self.folder.clone(),
            ..OnceConfig::new(config_with(base_url, self.over_http.as_ref())?)
        }))
    }
}

/// Returns the configuration of a provider in the suite. With an invalid base URL, the provider can
/// reach no origin.
///
/// # Errors
/// Returns an error if the trusted certificates cannot be loaded.
pub fn config(base_url: &str) -> anyhow::Result<PluginConfig> {
    config_with(base_url, None)
}

fn config_with(base_url: &str, journal: Option<&OverHttp>) -> anyhow::Result<PluginConfig> {
    let urls = [Some(base_url), journal.map(|journal| &*journal.url)];
    let allowed: Vec<_> = urls.iter().flatten().flat_map(|url| Origin::parse(url)).collect();
    let mut settings = vec![
        ("MESSAGING_BASE_URL".to_string(), base_url.to_string()),
        ("MESSAGING_DEADLINE_MS".to_string(), DEADLINE_MS.to_string()),
    ];
    settings.extend(journal.into_iter().flat_map(OverHttp::settings));
    let outbound = Outbound::new(AllowList::of_origins(&allowed), Trust::Public)?;
    Ok(PluginConfig::new(settings, Some(ApiKey::new(KEY.to_string())?), outbound)?)
}
