//! Setup of a plugin from environment variables and options.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::Uri;
use messaging_components::PLUGIN;
use messaging_core::error::InvalidSettings;
use messaging_core::journal;
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use messaging_host::outbound::{ConnectCause, ConnectFailure};
use messaging_host::read::bounded;
use messaging_host::serve::is_local;
use messaging_host::{
    AllowList, CallResult, Host, Limits, LoadError, Messaging, Outbound, Plugin, PluginConfig, wit,
};
use messaging_simulator::service::{Options, Service};
use rustls::CertificateError;

use super::{CACHE_SETTING, Common, Failure, Target, calls, forward, mcp, operate, sent, store};

const KEY: &str = "MESSAGING_API_KEY";
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

/// Adds to the error of a call the host's details about a failed connection: address, reason and
/// advice.
fn explained<T>(result: CallResult<T>, failure: Option<ConnectFailure>) -> CallResult<T> {
    let Some(failure) = failure else { return result };
    let advice = match failure.cause() {
        ConnectCause::PrivateAddress => "; --private-names reaches it all the same",
        ConnectCause::Certificate(CertificateError::UnknownIssuer) => {
            "; --ca-file names the authority to trust"
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
    let deadline = Duration::from_millis(deadline.map_err(calls::refused)?.into());
    let host = host(common, deadline.saturating_add(GRACE))?;
    let config = config(common, settings, key)?;
    let plugin = plugin(common, common.component.as_deref(), host, config)?;
    Ok(Session { plugin, deadline, has_begun: AtomicBool::new(false), _simulated: simulated })
}

/// Rejects environment variables that are probably misspelled settings, because a misspelled secret
/// would have no effect. Ignores other unknown names: orchestrators set `MESSAGING_PORT` and more
/// for a service named `messaging`.
pub fn check_names() -> Result<(), Failure> {
    for (name, _) in std::env::vars_os() {
        if let Some(meant) = misspelt(&name) {
            return Err(Failure::Usage(format!(
                "unknown setting {:?}: did you mean {meant}? Correct the name, or unset it",
                name.display()
            )));
        }
        if let Some(setting) = name.to_str().and_then(unread_file) {
            return Err(Failure::Usage(format!(
                "{setting}_FILE is not a setting: put the value itself into {setting}"
            )));
        }
        if let Some((name, meant)) = name.to_str().and_then(|name| Some((name, abridged(name)?))) {
            tracing::warn!(
                name,
                meant,
                "not a setting, and without effect; a setting has a similar name"
            );
        }
    }
    Ok(())
}

/// Returns the setting whose value an unknown `NAME_FILE` points to, if the setting itself is
/// missing. Entrypoints of containers read such files, set the value, and leave the name.
fn unread_file(name: &str) -> Option<&str> {
    let is_own = |name: &str| all().any(|own| own == name);
    let setting = name.strip_suffix("_FILE").filter(|setting| is_own(setting) && !is_own(name))?;
    std::env::var_os(setting).is_none().then_some(setting)
}

/// Returns the setting that an unknown name probably means. The names differ only in case and
/// separators, or in up to two typing errors.
fn misspelt(name: &OsStr) -> Option<&'static str> {
    if name.to_str().is_some_and(|name| all().any(|own| own == name)) {
        return None;
    }
    let name = name.to_string_lossy().trim().to_ascii_uppercase().replace('-', "_");
    if is_injected(&name) {
        return None;
    }
    let errors = |own: &&str| strsim::damerau_levenshtein(own, &name);
    all().min_by_key(errors).filter(|own| errors(own) <= 2)
}

/// Returns the setting of which an unknown name omits words, such as `MESSAGING_JOURNAL`. Another
/// program may use the name.
fn abridged(name: &str) -> Option<&'static str> {
    let omits_words = |own: &&str| {
        let mut words = own.split('_');
        name.contains('_') && name.split('_').all(|word| words.any(|one| one == word))
    };
    let last = name.rsplit('_').next()?;
    let is_unknown = !is_injected(name) && all().all(|own| own != name);
    let near = all().filter(|_| is_unknown).filter(omits_words);
    near.min_by_key(|own| (!own.ends_with(last), own.len()))
}

/// Returns variables that are named like a secret of this program but are not settings.
pub fn unread_secrets() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_secret = |name: &String| {
        name.starts_with("MESSAGING_")
            && (name.ends_with("SECRET") || name.ends_with("SECRETS"))
            && all().all(|own| own != name)
            && abridged(name).is_none()
    };
    names.filter(is_secret).collect()
}

/// Returns true if a name has a form that Kubernetes sets for a Service, or Docker for a link.
fn is_injected(name: &str) -> bool {
    let ends = ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT", "_NAME"];
    let parts = ["_SERVICE_PORT_", "_PORT_", "_ENV_"];
    ends.iter().any(|end| name.ends_with(end)) || parts.iter().any(|part| name.contains(part))
}

/// Returns every setting of this program and of its components.
fn all() -> impl Iterator<Item = &'static str> {
    messaging_webhook_core::settings::names()
        .chain(messaging_core::settings::NAMES)
        .chain(journal::NAMES)
        .chain([store::SETTING, sent::JOURNAL_SETTING, sent::EXISTING_SETTING, mcp::TOKENS])
        .chain([CACHE_SETTING])
        .chain(store::SETTINGS)
        .chain(forward::SETTINGS)
        .chain(operate::SETTINGS)
}

/// Returns the value of a variable, or `None` if it is not set.
pub fn variable(name: &str) -> Result<Option<String>, Failure> {
    let value = std::env::var_os(name).map(std::ffi::OsString::into_string).transpose();
    value.map_err(|_| Failure::Usage(format!("{name}: not UTF-8; correct its value")))
}

/// Returns the value of a variable that an option reads. Warns if it is set without the option.
pub fn variable_of(name: &str, option: &str, is_read: bool) -> Result<Option<String>, Failure> {
    let value = variable(name)?;
    if value.is_some() && !is_read {
        tracing::warn!("{name} is set, and has no effect without {option}");
    }
    Ok(value)
}

/// Parses the URL of an option. Errors omit the URL, because it can contain a secret. `with_user`
/// is the error for a URL with a user or a password, which process lists would show.
pub fn http_url(option: &str, url: &str, with_user: &str) -> Result<Uri, Failure> {
    let usage = |what: &str| Failure::Usage(format!("{option} {what}"));
    let uri: Uri = url.parse().map_err(|_| usage("is not a URL"))?;
    let Some(host) = uri.host().filter(|_| matches!(uri.scheme_str(), Some("http" | "https")))
    else {
        return Err(usage("is not an http or https URL"));
    };
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(usage(with_user));
    }
    // `Uri` accepts an invalid port, and returns no port for it.
    let written = uri.authority().and_then(|authority| authority.as_str().strip_prefix(host));
    if written.is_some_and(|port| !port.is_empty()) && uri.port_u16().unwrap_or(0) == 0 {
        return Err(usage("has an invalid port: give one from 1 to 65535"));
    }
    Ok(uri)
}

/// Returns true for `http:` to another machine, which reveals all data to the network.
pub fn is_open(uri: &Uri) -> bool {
    uri.scheme_str() == Some("http") && !uri.host().is_some_and(is_local)
}

/// Settings, API key, and the simulated service, if any.
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
        calls::refused(InvalidSettings { setting, detail })
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
    let outbound = match common.private_names {
        false => Outbound::new(allow, common.trust()),
        true => Outbound::with_private_names(allow, common.trust()),
    };
    let outbound = outbound.map_err(Failure::usage)?;
    PluginConfig::new(settings, key, outbound).map_err(Failure::usage)
}

/// Creates the engine of a command.
pub fn host(common: &Common, wall: Duration) -> Result<Host, Failure> {
    let limits = Limits { wall, instances: 64, ..Limits::default() };
    let host = Host::new(limits).map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(common.cached(host))
}

/// Loads the component of a file, or the embedded plugin, in `host`. A component for WASI 0.3 gets
/// another host with the same limits.
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

/// Returns the bytes and the name of a component.
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
            "{name}: larger than {most} bytes: no component for this host"
        ))),
        Err(error) => Err(Failure::Usage(format!("{name}: cannot be read: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_ignored() {
        for name in [
            "PATH",
            "MESSAGING_PORT",
            "MESSAGING_NAME",
            "MESSAGING_VERSION",
            "MESSAGING_WEBHOOK_SECRET",
            "MESSAGING_API_KEY_FILE",
            "messaging_image_tag",
            "MESSAGING_WEBHOOK_STORE_NAME",
            "MESSAGING_ONCE_ENV_MESSAGING_BASE_URL",
        ] {
            assert_eq!(misspelt(OsStr::new(name)), None, "{name}");
        }
        assert!(all().all(|name| misspelt(OsStr::new(name)).is_none()));
    }

    #[test]
    fn misspelt_settings_are_recognized() {
        for (name, meant) in [
            ("MESSAGING_DEADLIN_MS", "MESSAGING_DEADLINE_MS"),
            ("MESSAGING_WEBHOOK_PATHSECRET", "MESSAGING_WEBHOOK_PATH_SECRET"),
            ("MESSAGING_WEBHOOK_STOR", "MESSAGING_WEBHOOK_STORE"),
            ("MESSAGING_BASE_URI", "MESSAGING_BASE_URL"),
            ("MESSAGING_API-KEY", "MESSAGING_API_KEY"),
            ("messaging_base_url", "MESSAGING_BASE_URL"),
            (" MESSAGING_API_KEY", "MESSAGING_API_KEY"),
            ("MESAGING_API_KEY", "MESSAGING_API_KEY"),
            ("MESSAGING_WEBHOOK_HEADER_SERCET", "MESSAGING_WEBHOOK_HEADER_SECRET"),
        ] {
            assert_eq!(misspelt(OsStr::new(name)), Some(meant), "{name}");
        }
    }
}
