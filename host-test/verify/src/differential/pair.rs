//! Runs cases with a component and with the native core, and compares the results.

use std::borrow::Cow;
use std::sync::Arc;

use messaging_core::error::InvalidKey;
use messaging_core::secret::ApiKey;
use serde_json::{Value, json};

use super::case::{Call, Case, KEY, PROFILES, Profile, Settings};
use super::service::{Received, Scripted};
use messaging_conformance::native::Native;
use messaging_conformance::run::shown;
use messaging_host::Messaging;
use messaging_host::error::CallError;
use messaging_host::limits::Limit;
use messaging_host::outbound::{AllowList, Outbound};
use messaging_host::outcome;
use messaging_host::plugin::{Instance, Plugin, PluginConfig};

/// The result of one case.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Name of the function, and outcome of the component.
    pub outcome: String,
    /// Number of requests of the component.
    pub requests: u64,
    /// True if the component did not complete the call.
    pub trapped: bool,
    /// The difference; `None` if both results are equal and do not contain the API key.
    pub difference: Option<Difference>,
}

/// A case with a difference.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Seed that generates the case.
    pub seed: u64,
    /// Description of the difference.
    pub what: String,
}

/// The reused instances of one worker, one per profile.
pub struct Pair {
    plugin: Plugin,
    key: ApiKey,
    kept: [Option<Prepared>; PROFILES.len()],
}

struct Prepared {
    sides: Sides,
    instance: Instance,
}

impl Prepared {
    async fn of(usual: &Profile, plugin: &Plugin, key: &ApiKey) -> Result<Self, CallError> {
        let own = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        let mut variables: Vec<_> = usual.variables.iter().map(own).collect();
        let guard = usual.guarded.then(|| key.clone());
        if guard.is_none() {
            variables.push(("MESSAGING_API_KEY".into(), KEY.into()));
        }
        let sides = Sides::new(plugin, usual.allowed, |outbound| match &guard {
            // `PluginConfig::new` does not fail, because a profile contains no API key.
            Some(key) => PluginConfig::new(variables.clone(), Some(key.clone()), outbound.clone())
                .unwrap_or_else(|_| PluginConfig::open(Vec::new(), outbound)),
            None => PluginConfig::open(variables.clone(), outbound),
        });
        let instance = sides.plugin.instance().await?;
        Ok(Self { sides, instance })
    }
}

/// A component and the native core, with equal settings and equal services.
struct Sides {
    plugin: Plugin,
    native: Native,
    services: [Scripted; 2],
}

impl Pair {
    pub fn new(plugin: Plugin) -> Result<Self, InvalidKey> {
        let key = ApiKey::new(KEY.into())?;
        Ok(Self { plugin, key, kept: Default::default() })
    }

    /// Returns the largest memory of a reused instance in bytes.
    pub fn instance_bytes(&self) -> usize {
        let kept = self.kept.iter().flatten();
        kept.filter_map(|kept| kept.instance.memory_held()).max().unwrap_or(0)
    }

    /// Runs a case with the component and with the core.
    pub async fn run(&mut self, case: &Case) -> Compared {
        match &case.settings {
            Settings::Own(variables) => {
                let sides = Sides::new(&self.plugin, &["https://api.example"], |outbound| {
                    PluginConfig::open(variables.clone(), outbound)
                });
                match sides.plugin.instance().await {
                    Ok(mut instance) => sides.compare(case, &mut instance).await.0,
                    Err(error) => failed(&error),
                }
            }
            Settings::Profile(index) => {
                let Some(usual) = PROFILES.get(*index) else {
                    return failed(&CallError::Limit(Limit::Wall));
                };
                let kept = match self.kept.get_mut(*index).and_then(Option::take) {
                    Some(kept) => kept,
                    None => match Prepared::of(usual, &self.plugin, &self.key).await {
                        Ok(kept) => kept,
                        Err(error) => return failed(&error),
                    },
                };
                let Prepared { sides, mut instance } = kept;
                let (compared, alive) = sides.compare(case, &mut instance).await;
                if let Some(slot) = self.kept.get_mut(*index).filter(|_| alive) {
                    *slot = Some(Prepared { sides, instance });
                }
                compared
            }
        }
    }
}

fn failed(error: &CallError) -> Compared {
    Compared {
        outcome: "no instance".into(),
        requests: 0,
        trapped: true,
        difference: Some(Difference { seed: 0, what: error.to_string() }),
    }
}

impl Sides {
    fn new(plugin: &Plugin, allowed: &[&str], config: impl Fn(Outbound) -> PluginConfig) -> Self {
        let services = [Scripted::default(), Scripted::default()];
        let [own, native] = services.clone().map(|service| {
            let allow = AllowList::parse(allowed.iter().copied()).unwrap_or_default();
            config(Outbound::over(allow, Arc::new(service)))
        });
        Self {
            plugin: plugin.with_config(own.without_call_checks()),
            native: Native(native),
            services,
        }
    }

    /// Runs a case with the component and with the core. Also returns true if the instance can be
    /// reused.
    async fn compare(&self, case: &Case, instance: &mut Instance) -> (Compared, bool) {
        let [service, natives] = &self.services;
        service.play(&case.answers);
        natives.play(&case.answers);
        // Makes both calls at the same time, because some calls wait.
        let (ours, theirs) =
            tokio::join!(component(&case.call, instance), native(&case.call, &self.native));
        let (ledger, expected) = (service.ledger(), natives.ledger());
        let trapped = ours.get("trap").is_some();
        let difference = differs(&ours, &theirs, &ledger, &expected)
            .or_else(|| case.holds_the_key().then(|| gives_away(&ours)).flatten());
        let compared = Compared {
            outcome: format!("{} {}", case.call.name(), end_of(&ours)),
            requests: u64::try_from(ledger.len()).unwrap_or(u64::MAX),
            trapped,
            difference: difference.map(|what| Difference { seed: 0, what }),
        };
        (compared, !trapped)
    }
}

async fn component(call: &Call, instance: &mut Instance) -> Value {
    match call {
        Call::Send(request) => shown(instance.send_message(request).await, outcome::created),
        Call::List(query) => shown(instance.list_templates(query).await, outcome::page),
        Call::Event(delivery) => shown(instance.handle_event(delivery).await, outcome::event),
    }
}

async fn native(call: &Call, native: &Native) -> Value {
    match call {
        Call::Send(request) => shown(native.send_message(request).await, outcome::created),
        Call::List(query) => shown(native.list_templates(query).await, outcome::page),
        Call::Event(delivery) => shown(native.handle_event(delivery).await, outcome::event),
    }
}

fn differs(
    ours: &Value,
    theirs: &Value,
    ledger: &[Received],
    expected: &[Received],
) -> Option<String> {
    if compared(ours) != compared(theirs) {
        return Some(format!("the component: {ours}\nthe core:      {theirs}"));
    }
    if ledger != expected {
        return Some(format!("the component sent: {ledger:?}\nthe core sent: {expected:?}"));
    }
    None
}

/// Returns the part of an outcome that must be equal. The host decides how much of a body it reads
/// before it denies a request, so the stage of the denial can differ.
fn compared(result: &Value) -> Cow<'_, Value> {
    let denied = result.pointer("/error/case").is_some_and(|case| case == "permanent-denied");
    let detail = result.pointer("/error/payload").and_then(Value::as_str).filter(|_| denied);
    match detail.and_then(|detail| detail.split_once(" while ")) {
        Some((code, _)) => Cow::Owned(json!({ "denied": code })),
        None => Cow::Borrowed(result),
    }
}

/// Returns a problem if an outcome contains the API key or its placeholder.
fn gives_away(ours: &Value) -> Option<String> {
    let text = ours.to_string();
    let shows = text.contains(KEY) || text.contains("placeholder-");
    shows.then(|| format!("the outcome reveals the key: {text}"))
}

fn end_of(result: &Value) -> &str {
    match result.get("error") {
        Some(error) => error.get("case").and_then(Value::as_str).unwrap_or("error"),
        None if result.get("ok").is_some() => "ok",
        None => "trap",
    }
}

impl Call {
    fn name(&self) -> &'static str {
        match self {
            Self::Send(_) => "send-message",
            Self::List(_) => "list-templates",
            Self::Event(_) => "handle-event",
        }
    }
}
