//! Setup of a plugin from environment variables and options.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use messaging_components::PLUGIN;
use messaging_core::error::InvalidSettings;
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use messaging_host::outbound::{
    ConnectCause, ConnectFailure, Connector, Names, Proxies, TrustError,
};
use messaging_host::{
    AllowList, CallResult, Host, Limits, LoadError, Messaging, Outbound, Plugin, PluginConfig, wit,
};
use messaging_net::read::bounded;
use messaging_simulator::service::{Options, Service};
use rustls::CertificateError;

use super::settings::variable;
use super::{Common, Failure, Target};

pub const KEY: &str = "MESSAGING_API_KEY";
const BASE_URL: &str = "MESSAGING_BASE_URL";

/// Difference between the deadlines of the host and the plugin. It lets the plugin end a call
/// before the host does.
const GRACE: Duration = Duration::from_secs(1);

/// A plugin, and the simulated service if `--simulated` is set.
pub struct Session {
    pub plugin: Plugin,
    /// The plugin's deadline for one call.
    pub deadline: Duration,
    /// True if `send_message` was called.
    has_begun: AtomicBool,
    /// The simulated service runs until the session is dropped.
    pub _simulated: Option<Service>,
}

impl Session {
    /// Returns true if `send_message` was called.
    pub fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }
}

impl Messaging for Session {
    async fn send_message(&self, request: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        self.has_begun.store(true, Ordering::Relaxed);
        let mut instance = self.plugin.instance().await?;
        let result = instance.send_message(request).await;
        explained(result, instance.connect_failure())
    }

    async fn list_templates(&self, query: &wit::TemplateQuery) -> CallResult<wit::TemplatePage> {
        let mut instance = self.plugin.instance().await?;
        let result = instance.list_templates(query).await;
        explained(result, instance.connect_failure())
    }

    async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        self.plugin.handle_event(delivery).await
    }

    fn service(&self) -> Option<String> {
        self.plugin.service()
    }
}

/// Adds details about a failed connection to the error of a call: address, reason and advice.
fn explained<T>(result: CallResult<T>, failure: Option<ConnectFailure>) -> CallResult<T> {
    let Some(failure) = failure else { return result };
    let advice = match failure.cause() {
        ConnectCause::PrivateAddress => "; --private-names permits private addresses",
        ConnectCause::Certificate(CertificateError::UnknownIssuer) => {
            "; set its authority with --ca-file"
        }
        ConnectCause::Certificate(CertificateError::Other(_)) => {
            "; trust its authority with --ca-file"
        }
        _ => "",
    };
    result.map(|ended| {
        ended.map_err(|mut error| {
            let detail = match &mut error {
                wit::Error::NotSent(not_sent) => &mut not_sent.detail,
                wit::Error::Unavailable(unavailable) => &mut unavailable.detail,
                wit::Error::PermanentDenied(denied) => &mut denied.detail,
                _ => return error,
            };
            *detail = format!("{failure} ({detail}){advice}");
            error
        })
    })
}

/// Sets up the plugin for one call.
pub async fn session(common: &Common, target: &Target) -> Result<Session, Failure> {
    let (settings, key, simulated) = settings(target).await?;
    let deadline = messaging_core::settings::deadline_ms(settings.iter().cloned());
    let deadline = Duration::from_millis(deadline.map_err(Failure::refused)?.into());
    let host = host(common, deadline.saturating_add(GRACE))?;
    let config = config(common, settings, key)?;
    let plugin = plugin(common, common.component.as_deref(), host, config)?;
    Ok(Session { plugin, deadline, has_begun: AtomicBool::new(false), _simulated: simulated })
}

/// The settings of a plugin, its API key, and the simulated service, if any.
pub type Settings = (Vec<(String, String)>, Option<ApiKey>, Option<Service>);

/// Returns the plugin's settings from the environment, or the settings of a simulated service.
pub async fn settings(target: &Target) -> Result<Settings, Failure> {
    let mut settings = Vec::new();
    let mut key = None;
    for name in messaging_core::settings::NAMES {
        match variable(name)? {
            Some(value) if name == KEY => key = Some(value),
            Some(value) => settings.push((name.to_string(), value)),
            None => {}
        }
    }
    let mut simulated = None;
    if target.simulated {
        let own = format!("simulated-{:016x}", rand::random::<u64>());
        let service = Service::start(Options::new(&own)).await.map_err(|error| {
            Failure::Failed(format!("the simulated service could not be started: {error}"))
        })?;
        settings.retain(|(name, _)| name != BASE_URL);
        settings.push((BASE_URL.into(), service.base_url()));
        key = Some(own);
        simulated = Some(service);
    }
    let key = key.map(ApiKey::new).transpose().map_err(|invalid| {
        let (setting, detail) = (KEY.into(), invalid.reason().into());
        Failure::refused(InvalidSettings { setting, detail })
    })?;
    let quoted = key.as_ref().is_some_and(|key| key.reveal().starts_with(['"', '\'']));
    if quoted {
        tracing::warn!("{KEY} begins with a quotation mark: is that a part of the key?");
    }
    Ok((settings, key, simulated))
}

/// Creates a sandbox that may connect only to the origin of the base URL.
pub fn config(
    common: &Common,
    settings: Vec<(String, String)>,
    key: Option<ApiKey>,
) -> Result<PluginConfig, Failure> {
    let base = settings.iter().find(|(name, _)| name == BASE_URL);
    let origin = base.and_then(|(_, url)| Origin::parse(url).ok());
    // An invalid base URL permits no connection. The plugin reports the error.
    let allow = origin.as_ref().map(AllowList::of_origin).unwrap_or_default();
    let names = if common.private_names { Names::Any } else { Names::Public };
    let proxies = Proxies::from_environment();
    if let Some(url) = base.and_then(|(_, url)| url.parse().ok()) {
        proxies.check(&url).map_err(Failure::usage)?;
    }
    let connector = Connector::new(common.trust(), names).map_err(untrusted)?;
    let outbound = Outbound::connecting(allow, connector.through(proxies));
    PluginConfig::new(settings, key, outbound).map_err(Failure::usage)
}

/// Converts an error of --ca-file.
pub fn untrusted(error: TrustError) -> Failure {
    Failure::Usage(format!(
        "--ca-file: {error}; name a PEM file with the certificates of the authorities"
    ))
}

/// Creates the engine of a command. `wall` limits the time of a call.
///
/// # Errors
/// Returns [`Failure::Failed`] if the engine cannot be created on this machine.
pub fn host(common: &Common, wall: Duration) -> Result<Host, Failure> {
    let limits = Limits { wall, instances: 64, ..Limits::default() };
    let host = Host::new(limits).map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(common.cached(host))
}

/// Loads the component of a file, or the embedded plugin, in `host`. A component for WASI 0.3 gets
/// another host with the same limits.
///
/// # Errors
/// Returns [`Failure::Usage`] if the file cannot be read or is not a plugin.
pub fn plugin(
    common: &Common,
    file: Option<&Path>,
    host: Host,
    config: PluginConfig,
) -> Result<Plugin, Failure> {
    let (bytes, name) = component(file)?;
    let loaded = match Plugin::load(&host, &bytes, config.clone()) {
        Err(LoadError::Concurrent) => Host::concurrent(*host.limits())
            .and_then(|host| Plugin::load(&common.cached(host), &bytes, config)),
        loaded => loaded,
    };
    loaded.map_err(|error| match error {
        LoadError::Engine(_) => Failure::Failed(error.to_string()),
        _ => Failure::Usage(format!("{name}: {error}")),
    })
}

/// Returns the bytes and the name of the component in `file`, or of the embedded plugin.
///
/// # Errors
/// Returns [`Failure::Usage`] if the file cannot be read or is too large.
pub fn component(file: Option<&Path>) -> Result<(Vec<u8>, String), Failure> {
    let Some(file) = file else {
        return Ok((PLUGIN.to_vec(), "the embedded plugin".into()));
    };
    let name = file.display().to_string();
    let most = Limits::default().component_bytes;
    let limit = u64::try_from(most).unwrap_or(u64::MAX);
    match File::open(file).and_then(|file| bounded(file, limit)) {
        Ok(Some(bytes)) => Ok((bytes, name)),
        Ok(None) => Err(Failure::Usage(format!(
            "{name}: larger than {most} bytes, the limit for a component"
        ))),
        Err(error) => Err(Failure::Usage(format!("{name}: cannot be read: {error}"))),
    }
}
