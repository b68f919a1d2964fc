//! From environment and flags to a plugin that can be called.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use http::Uri;
use messaging_components::PLUGIN;
use messaging_core::error::InvalidSettings;
use messaging_core::journal;
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;
use messaging_host::outbound::{ConnectCause, ConnectFailure, Trust};
use messaging_host::read::bounded;
use messaging_host::serve::is_local;
use messaging_host::{
    AllowList, CallResult, Host, Limits, LoadError, Messaging, Outbound, Plugin, PluginConfig, wit,
};
use messaging_simulator::service::{Options, Service};
use rustls::CertificateError;

use super::{Common, Failure, Target, calls, forward, mcp, operate, sent, store};

const KEY: &str = "MESSAGING_API_KEY";
const BASE_URL: &str = "MESSAGING_BASE_URL";

/// Time between the plugin's deadline and the host's, so that the plugin ends a call itself.
const GRACE: Duration = Duration::from_secs(1);

/// A plugin, and the simulated service where one was asked for.
pub struct Session {
    pub plugin: Plugin,
    /// The plugin's own, for one call.
    pub deadline: Duration,
    /// Kept running until the call is over.
    pub _simulated: Option<Service>,
}

impl Session {
    /// `send-message`, in a fresh instance.
    pub async fn send_message(
        &self,
        request: &wit::MessageRequest,
    ) -> CallResult<wit::CreatedMessage> {
        let mut instance = self.plugin.instance().await?;
        let result = instance.send_message(request).await;
        explained(result, instance.connect_failure())
    }

    /// `list-templates`, in a fresh instance.
    pub async fn list_templates(
        &self,
        query: &wit::TemplateQuery,
    ) -> CallResult<wit::TemplatePage> {
        let mut instance = self.plugin.instance().await?;
        let result = instance.list_templates(query).await;
        explained(result, instance.connect_failure())
    }
}

impl Messaging for Session {
    async fn send_message(&self, request: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        Self::send_message(self, request).await
    }

    async fn list_templates(&self, query: &wit::TemplateQuery) -> CallResult<wit::TemplatePage> {
        Self::list_templates(self, query).await
    }

    async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        self.plugin.handle_event(delivery).await
    }

    fn service(&self) -> Option<String> {
        self.plugin.service()
    }
}

/// The result, with what the host knows of a connection that failed before what the
/// component was told: where to, why, and what to do.
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
    session_with(common, settings(target).await?)
}

/// Likewise, with settings that were read before.
pub fn session_with(common: &Common, given: Settings) -> Result<Session, Failure> {
    let (settings, key, simulated) = given;
    let deadline = messaging_core::settings::deadline_ms(settings.iter().cloned());
    let deadline = Duration::from_millis(deadline.map_err(super::calls::refused)?.into());
    let host = host(common, deadline.saturating_add(GRACE))?;
    let plugin = plugin(common, host, config(common, settings, key)?)?;
    Ok(Session { plugin, deadline, _simulated: simulated })
}

/// The name of a variable if it is a setting. One that is not UTF-8, or begins as a setting but for
/// spaces, hyphens and small letters, is none that anybody meant: it would be as if it were not set.
pub fn setting(name: &OsStr) -> Result<Option<&str>, Failure> {
    const PREFIX: &str = "MESSAGING_";
    let meant = name.to_string_lossy().trim().to_ascii_uppercase().replace('-', "_");
    if !meant.starts_with(PREFIX) {
        return Ok(None);
    }
    let own = name.to_str().filter(|name| name.starts_with(PREFIX));
    own.map(Some).ok_or_else(|| no_setting(&format!("{:?}", name.display()), &meant))
}

/// Refuses a name that nothing here reads: a misspelt secret would let everybody in.
pub fn known(name: &str) -> Result<(), Failure> {
    if all().any(|own| own == name) { Ok(()) } else { Err(no_setting(name, name)) }
}

/// Every setting of this program and of its components.
fn all() -> impl Iterator<Item = &'static str> {
    messaging_webhook_core::settings::names()
        .chain(messaging_core::settings::NAMES)
        .chain(journal::NAMES)
        .chain([store::SETTING, sent::JOURNAL_SETTING, mcp::TOKENS])
        .chain(store::SETTINGS)
        .chain(forward::SETTINGS)
        .chain(operate::SETTINGS)
}

/// The error for what is shown, with the setting that was meant where one differs by no more than a
/// slip of the hand: any other would be a guess.
fn no_setting(shown: &str, meant: &str) -> Failure {
    let slips = |own: &&str| strsim::damerau_levenshtein(own, meant);
    let nearest = all().min_by_key(slips).filter(|own| slips(own) <= 2);
    let advice = nearest.map_or_else(
        || "`messaging --help` and `messaging serve --help` list them".to_string(),
        |nearest| format!("did you mean {nearest}?"),
    );
    Failure::Usage(format!("{shown} is not a setting; {advice}"))
}

/// The value of a variable that this program reads itself, if it is set. Set without the option
/// that reads it, it has no effect, and a warning says so.
pub fn variable(name: &str, option: &str, is_read: bool) -> Result<Option<String>, Failure> {
    let value = std::env::var_os(name).map(std::ffi::OsString::into_string).transpose();
    let value = value.map_err(|_| Failure::Usage(format!("{name} is not UTF-8")))?;
    if value.is_some() && !is_read {
        tracing::warn!("{name} is set, and has no effect without {option}");
    }
    Ok(value)
}

/// Parses the URL of an option. Errors leave the URL out: it can contain a secret. `with_user` is the
/// error for one with a user or a password, which every list of processes shows.
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
    // A port that is none is kept in the text alone.
    let written = uri.authority().and_then(|authority| authority.as_str().strip_prefix(host));
    if written.is_some_and(|port| !port.is_empty()) && uri.port_u16().unwrap_or(0) == 0 {
        return Err(usage("has an invalid port: give one from 1 to 65535"));
    }
    Ok(uri)
}

/// Whether it is `http:` to another machine, which shows the network all that is sent.
pub fn is_open(uri: &Uri) -> bool {
    uri.scheme_str() == Some("http") && !uri.host().is_some_and(is_local)
}

/// Settings, key, and the simulated service that they are for.
pub type Settings = (Vec<(String, String)>, Option<ApiKey>, Option<Service>);

/// The settings from the environment, or those of a simulated service.
pub async fn settings(target: &Target) -> Result<Settings, Failure> {
    let mut settings = Vec::new();
    let mut key = None;
    for (name, value) in std::env::vars_os() {
        let Some(name) = setting(&name)? else { continue };
        // Of this program or of a journal, and nothing of the plugin's; secrets of `serve` among
        // them.
        let own = [sent::JOURNAL_SETTING, mcp::TOKENS];
        let own =
            [&own[..], &forward::SETTINGS, &operate::SETTINGS, &store::SETTINGS, &journal::NAMES];
        if own.iter().any(|settings| settings.contains(&name)) {
            continue;
        }
        let Some(value) = value.to_str().map(ToString::to_string) else {
            return Err(Failure::Usage(format!("{name} is not UTF-8")));
        };
        match name {
            KEY => key = Some(value),
            _ => settings.push((name.to_string(), value)),
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

/// A sandbox that may reach the base URL's origin, and nothing else.
pub fn config(
    common: &Common,
    settings: Vec<(String, String)>,
    key: Option<ApiKey>,
) -> Result<PluginConfig, Failure> {
    let base = settings.iter().find(|(name, _)| name == BASE_URL);
    let origin = base.and_then(|(_, url)| Origin::parse(url).ok());
    // A base URL that cannot be read allows nothing; the plugin says what is wrong.
    let allow = origin.as_ref().map(AllowList::of_origin).unwrap_or_default();
    let trust = common.ca_file.clone().map_or(Trust::Public, Trust::File);
    let outbound = match common.private_names {
        false => Outbound::new(allow, trust),
        true => Outbound::with_private_names(allow, trust),
    };
    let outbound = outbound.map_err(Failure::usage)?;
    PluginConfig::new(settings, key, outbound).map_err(Failure::usage)
}

/// An engine for one process's calls.
pub fn host(common: &Common, wall: Duration) -> Result<Host, Failure> {
    let limits = Limits { wall, instances: 64, ..Limits::default() };
    let host = Host::new(limits).map_err(|error| Failure::Failed(error.to_string()))?;
    Ok(common.cached(host))
}

/// The component of `--component`, or the embedded one.
pub fn plugin(common: &Common, host: Host, config: PluginConfig) -> Result<Plugin, Failure> {
    let (bytes, name) = component(common.component.as_deref())?;
    Plugin::load(&host, &bytes, config).map_err(|error| match error {
        LoadError::Engine(_) => Failure::Failed(error.to_string()),
        _ => Failure::Usage(format!("{name}: {error}")),
    })
}

/// A component's bytes and its name.
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
