//! Settings, API key and connections of a component.

use std::sync::Arc;
use std::time::Duration;

use messaging_core::Settings;
use messaging_core::error::InvalidSettings;
use messaging_core::limits::{DEFAULT_ATTEMPTS, DEFAULT_DEADLINE_MS};
use messaging_core::secret::ApiKey;
use messaging_core::settings::deadline_ms;
use wasmtime::Store;
use wasmtime_wasi::WasiCtxBuilder;

use super::sans_io::Setting;
use crate::engine::Host;
use crate::outbound::Outbound;
use crate::state::{self, State};

const KEY_SETTING: &str = "MESSAGING_API_KEY";
const BASE_URL_SETTING: &str = "MESSAGING_BASE_URL";
const ATTEMPTS_SETTING: &str = "MESSAGING_MAX_ATTEMPTS";

/// Error for plugin settings that contain the API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("settings contain `MESSAGING_API_KEY`; pass the key as `key`")]
pub struct KeyInSettings;

/// Configuration of a plugin: settings, API key and allowed servers.
#[derive(Clone)]
pub struct PluginConfig {
    pub(super) environment: Arc<[Setting]>,
    outbound: Outbound,
}

impl PluginConfig {
    /// Creates a configuration from `MESSAGING_*` settings. The component gets a random placeholder
    /// for the API key. `outbound` replaces the placeholder only in the `Token` header of requests
    /// to the origin of the base URL.
    ///
    /// # Errors
    /// Returns `KeyInSettings` if `settings` contains `MESSAGING_API_KEY`, because the component
    /// could read the key there. Pass the API key as `key`.
    pub fn new(
        settings: Vec<(String, String)>,
        key: Option<ApiKey>,
        outbound: Outbound,
    ) -> Result<Self, KeyInSettings> {
        let mut environment = settings;
        if environment.iter().any(|(name, _)| name == KEY_SETTING) {
            return Err(KeyInSettings);
        }
        let mut outbound = outbound;
        if let Some(key) = key {
            let base = environment.iter().find(|(name, _)| name == BASE_URL_SETTING);
            let placeholder = outbound.hold_key(key, base.map(|(_, value)| value.as_str()));
            environment.push((KEY_SETTING.into(), placeholder));
        }
        Ok(Self::open(environment, outbound))
    }

    /// Creates a configuration that passes all variables to the component unchanged, including the
    /// API key. For components under test, and for hosts without secrets.
    #[must_use]
    pub fn open(environment: Vec<(String, String)>, outbound: Outbound) -> Self {
        let setting = |(name, value)| Setting { name, value };
        let environment = environment.into_iter().map(setting).collect();
        let mut config = Self { environment, outbound };
        let attempts = config.variable(ATTEMPTS_SETTING).and_then(|value| value.parse().ok());
        let attempts = attempts.unwrap_or(DEFAULT_ATTEMPTS);
        config.outbound.connect_before(config.deadline(), attempts);
        config
    }

    /// Disables the checks of `send-message` results against the requests of the call. For tests of
    /// the component's own results.
    #[must_use]
    pub fn without_call_checks(mut self) -> Self {
        self.outbound.disable_call_checks();
        self
    }

    /// Returns the outgoing connections.
    pub fn outbound(&self) -> &Outbound {
        &self.outbound
    }

    /// Returns the deadline of a call. Uses the default if the setting is invalid, because the
    /// component rejects an invalid setting before any request.
    pub(crate) fn deadline(&self) -> Duration {
        let deadline_ms = deadline_ms(self.variables()).unwrap_or(DEFAULT_DEADLINE_MS);
        Duration::from_millis(deadline_ms.into())
    }

    /// Creates a store for an instance of a plugin.
    pub(super) fn store(&self, host: &Host) -> Store<State> {
        self.store_with(host, WasiCtxBuilder::new())
    }

    /// Creates a store without WASI, for an instance without imports.
    pub(super) fn store_without_wasi(&self, host: &Host) -> Store<State> {
        state::store(host, None, self.outbound.clone())
    }

    /// Creates a store for an instance that needs more WASI features than a plugin.
    pub(crate) fn store_with(&self, host: &Host, mut wasi: WasiCtxBuilder) -> Store<State> {
        for Setting { name, value } in &*self.environment {
            wasi.env(name, value);
        }
        state::store(host, Some(wasi), self.outbound.clone())
    }

    /// Returns the environment of the component, including the placeholder for the API key.
    pub fn variables(&self) -> impl Iterator<Item = (String, String)> + use<'_> {
        self.environment.iter().map(|setting| (setting.name.clone(), setting.value.clone()))
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.environment.iter().find(|setting| setting.name == name).map(|one| &*one.value)
    }

    /// Returns the base URL of the service; `None` if it is not set.
    pub(crate) fn base_url(&self) -> Option<String> {
        self.variable(BASE_URL_SETTING).map(Into::into)
    }

    /// Parses the settings that the component gets, with the placeholder instead of the API key.
    ///
    /// # Errors
    /// Returns `InvalidSettings` if the component would reject a setting.
    pub fn settings(&self) -> Result<Settings, InvalidSettings> {
        Settings::from_variables(self.variables())
    }
}
