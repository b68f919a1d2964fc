//! The cases, as data, and a case that has begun: its service listens.
//!
//! A file holds a family of cases. In a case, `"$name"` stands for a value of the
//! variant of `each` that it is made for, and `{name}` in a string for the same as text;
//! `{"$repeat": [text, times]}` is a long string, `{"$count": [text, times]}` one with a
//! number from 0 on for each `{n}` in it, and `{"$concat": [...]}` joins strings.
//! `{base}` and `{elsewhere}` are the scripted service's address, and one that
//! nothing should ever be sent to; `{secure}`, `{numbered}` and `{unencrypted}` are the
//! former by name and by number over TLS, and without TLS.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use anyhow::Context;
use messaging_core::origin::Origin;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::judge::{Expected, Requests};
use messaging_simulator::faults::{Certificate, Chunking, Exchange, ScriptedServer};

/// The key that every case sets, and that nobody but the service may get to see.
pub const KEY: &str = "canary-key-4d1f0c8e";

const FILES: [&str; 6] = [
    include_str!("../../cases/conformance/sending.json"),
    include_str!("../../cases/conformance/unknown.json"),
    include_str!("../../cases/conformance/input.json"),
    include_str!("../../cases/conformance/settings.json"),
    include_str!("../../cases/conformance/listing.json"),
    include_str!("../../cases/conformance/events.json"),
];

/// Faults of services, proxies and networks. Their outcome can depend on the host, so these
/// cases are run on this host, and those that are portable against others on demand.
const FAULTS: [&str; 8] = [
    include_str!("../../cases/faults/connection.json"),
    include_str!("../../cases/faults/tls.json"),
    include_str!("../../cases/faults/framing.json"),
    include_str!("../../cases/faults/status.json"),
    include_str!("../../cases/faults/headers.json"),
    include_str!("../../cases/faults/body.json"),
    include_str!("../../cases/faults/time.json"),
    include_str!("../../cases/faults/caller.json"),
];

/// A promise, and a way to see whether it is kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Case {
    /// A sentence in snake case; unique.
    pub name: String,
    /// Name of its file.
    #[serde(default)]
    pub family: String,
    /// Whether it holds in any host, and not in this one alone.
    #[serde(default)]
    pub portable: bool,
    /// Whether it holds for any provider of the interface, and not for the plugin alone: it
    /// needs no knowledge of a service's paths, JSON and settings.
    #[serde(default)]
    pub neutral: bool,
    /// Whether it is a part of the suite.
    #[serde(default)]
    pub in_suite: bool,
    /// The reason, or the specification's section, in one sentence.
    pub why: String,
    /// Settings beside the base URL, the key, and a deadline; null takes one away.
    #[serde(default)]
    settings: Map<String, Value>,
    /// Whether the host lets the component reach the service.
    #[serde(default = "yes")]
    pub allowed: bool,
    /// The function that is called.
    pub call: Function,
    /// Its argument; what is left out has a sensible value.
    #[serde(default)]
    pub argument: Value,
    /// The service's script; null where there is no service at all.
    #[serde(default = "no_exchange")]
    service: Value,
    /// The certificate of a service that is reached over TLS, as `localhost`.
    #[serde(default)]
    pub tls: Option<Certificate>,
    /// Whether the service accepts no connection, and refuses none.
    #[serde(default)]
    pub black_hole: bool,
    /// The required outcome.
    pub expect: Expected,
    /// Another safe outcome, if less helpful: where a host cannot tell what happened.
    #[serde(default)]
    pub or: Option<Expected>,
    /// Requests that the service has to have received.
    pub requests: Requests,
}

/// A function of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "they are the WIT's")]
pub enum Function {
    SendMessage,
    ListTemplates,
    HandleEvent,
}

/// A file of cases that cannot be read. The files are a part of this crate: a test excludes it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SuiteError(String);

/// A case that has begun. It ends when it is dropped.
pub struct RunningCase {
    /// The component's whole environment.
    pub settings: BTreeMap<String, String>,
    /// The function's argument, whole.
    pub argument: Value,
    /// The origins that the host allows.
    pub allow: Vec<String>,
    /// Text of the service's error; the component may repeat it.
    pub said: String,
    /// The scripted service, which listens as long as this lives.
    pub peer: ScriptedServer,
}

impl Case {
    /// Returns every case of the conformance suite, in its order.
    ///
    /// # Errors
    /// A file of the suite is malformed, which a test excludes.
    pub fn all() -> Result<&'static [Self], SuiteError> {
        static ALL: OnceLock<Result<Vec<Case>, SuiteError>> = OnceLock::new();
        ALL.get_or_init(|| read(&FILES, &[])).as_deref().map_err(Clone::clone)
    }

    /// Returns the fault suite: every case of the conformance suite, and those that only
    /// this host has to pass.
    ///
    /// # Errors
    /// A file of the fault suite is malformed, which a test excludes.
    pub fn faults() -> Result<&'static [Self], SuiteError> {
        static ALL: OnceLock<Result<Vec<Case>, SuiteError>> = OnceLock::new();
        ALL.get_or_init(|| read(&FILES, &FAULTS)).as_deref().map_err(Clone::clone)
    }

    /// Starts the service that the case is about.
    ///
    /// # Errors
    /// The case is malformed, or no port is to be had.
    pub async fn begin(&self, chunking: Chunking) -> anyhow::Result<RunningCase> {
        let name = || self.name.clone();
        let service = expand(self.service.clone());
        let said = service.to_string();
        let script: Option<Vec<Exchange>> = serde_json::from_value(service).with_context(name)?;
        let peer = match self.black_hole {
            false => ScriptedServer::start(script, self.tls, chunking).await,
            true => ScriptedServer::black_hole(chunking).await,
        };
        let peer = peer.with_context(name)?;
        let elsewhere = format!("http://{}", peer.elsewhere());
        // By name: certificates are for one.
        let secure = format!("https://localhost:{}", peer.address().port());
        let unencrypted = format!("http://{}", peer.address());
        let numbered = format!("https://{}", peer.address());
        let base = if self.tls.is_some() { &secure } else { &unencrypted }.clone();
        let filled = |text: &str| {
            let text = text.replace("{base}", &base).replace("{secure}", &secure);
            let text = text.replace("{numbered}", &numbered).replace("{unencrypted}", &unencrypted);
            text.replace("{elsewhere}", &elsewhere)
        };
        let mut settings = BTreeMap::from([
            ("MESSAGING_BASE_URL".to_string(), base.clone()),
            ("MESSAGING_API_KEY".to_string(), KEY.to_string()),
            // Long enough for a machine that is busy with other things.
            ("MESSAGING_DEADLINE_MS".to_string(), "20000".to_string()),
        ]);
        for (name, value) in &self.settings {
            match expand(value.clone()) {
                Value::Null => settings.remove(name),
                value => settings.insert(name.clone(), filled(&plain(&value))),
            };
        }
        let origin = settings.get("MESSAGING_BASE_URL").and_then(|url| Origin::parse(url).ok());
        let origin = origin.map(|one| format!("{}://{}", one.scheme().as_str(), one.authority()));
        Ok(RunningCase {
            // A base URL that cannot be read has none; then nothing is reached anyway.
            allow: self.allowed.then(|| origin.unwrap_or(base)).into_iter().collect(),
            settings,
            argument: self.call.whole(expand(self.argument.clone())),
            said,
            peer,
        })
    }
}

impl Function {
    /// The argument with every field.
    fn whole(self, given: Value) -> Value {
        let mut whole = match self {
            Self::SendMessage => json!({
                "phone": "+34600111222",
                "message": "Your order is ready.",
                "device": null,
                "fields": [],
            }),
            Self::ListTemplates => json!({ "status": null, "parameters": [], "every-page": null }),
            Self::HandleEvent => json!({
                "headers": [
                    { "name": "X-Idempotency-Key", "value": "evt-1" },
                    { "name": "Content-Type", "value": "application/json" },
                ],
                "body": r#"{"id":"msg-1","object":"message","event":"message:in:new"}"#,
            }),
        };
        if let (Value::Object(whole), Value::Object(given)) = (&mut whole, given) {
            whole.extend(given);
        }
        whole
    }
}

#[derive(Deserialize)]
struct File {
    family: String,
    /// Default of its cases.
    #[serde(default)]
    portable: bool,
    cases: Vec<Map<String, Value>>,
}

fn read(suite: &[&str], faults: &[&str]) -> Result<Vec<Case>, SuiteError> {
    let mut all = Vec::new();
    for file in suite {
        read_file(file, true, &mut all)?;
    }
    for file in faults {
        read_file(file, false, &mut all)?;
    }
    Ok(all)
}

fn read_file(text: &str, in_suite: bool, all: &mut Vec<Case>) -> Result<(), SuiteError> {
    let file: File = serde_json::from_str(text).map_err(|error| SuiteError(error.to_string()))?;
    for mut template in file.cases {
        template.insert("family".into(), file.family.clone().into());
        template.entry("portable").or_insert_with(|| file.portable.into());
        template.insert("in-suite".into(), in_suite.into());
        let each = template.shift_remove("each").unwrap_or_else(|| json!([{}]));
        let malformed = |what: &str| SuiteError(what.into());
        let Value::Array(each) = each else { return Err(malformed("`each` is not an array")) };
        for values in each {
            let Value::Object(values) = values else {
                return Err(malformed("a variant of `each` is not an object"));
            };
            let mut case = fill(Value::Object(template.clone()), &values);
            if let (Some(name), Some(own)) = (case.get_mut("name"), values.get("as")) {
                *name = format!("{}.{}", plain(name), plain(own)).into();
            }
            let name = case.get("name").map(plain).unwrap_or_default();
            let case = serde_json::from_value(case)
                .map_err(|error| SuiteError(format!("{name}: {error}")))?;
            all.push(case);
        }
    }
    Ok(())
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToString::to_string)
}

/// Replaces the names of a variant's values by the values.
fn fill(value: Value, variant: &Map<String, Value>) -> Value {
    match value {
        Value::String(text) => match text.strip_prefix('$').and_then(|name| variant.get(name)) {
            Some(value) => value.clone(),
            None => {
                let replace = |text: String, (name, value): (&String, &Value)| {
                    text.replace(&format!("{{{name}}}"), &plain(value))
                };
                Value::String(variant.iter().fold(text, replace))
            }
        },
        Value::Array(elements) => {
            elements.into_iter().map(|element| fill(element, variant)).collect()
        }
        Value::Object(fields) => {
            let named = |name: String| plain(&fill(Value::String(name), variant));
            fields.into_iter().map(|(name, value)| (named(name), fill(value, variant))).collect()
        }
        other => other,
    }
}

/// Makes the long texts.
pub(super) fn expand(value: Value) -> Value {
    let Value::Object(fields) = value else {
        return match value {
            Value::Array(elements) => elements.into_iter().map(expand).collect(),
            other => other,
        };
    };
    let one = |name: &str| fields.get(name).filter(|_| fields.len() == 1);
    if let Some(Value::Array(repeated)) = one("$repeat")
        && let [Value::String(text), times] = repeated.as_slice()
    {
        let times = times.as_u64().and_then(|times| usize::try_from(times).ok());
        return text.repeat(times.unwrap_or(0)).into();
    }
    if let Some(Value::Array(counted)) = one("$count")
        && let [Value::String(text), times] = counted.as_slice()
    {
        let numbers = 0..times.as_u64().unwrap_or(0);
        return numbers.map(|n| text.replace("{n}", &n.to_string())).collect::<String>().into();
    }
    if let Some(Value::Array(parts)) = one("$concat") {
        return parts.iter().map(|part| plain(&expand(part.clone()))).collect::<String>().into();
    }
    fields.into_iter().map(|(name, value)| (name, expand(value))).collect()
}

fn yes() -> bool {
    true
}

fn no_exchange() -> Value {
    json!([])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_can_be_read_and_has_a_name_of_its_own() {
        let all = Case::faults().unwrap();
        let names: std::collections::BTreeSet<_> = all.iter().map(|case| &case.name).collect();
        assert_eq!(names.len(), all.len());
        for case in all {
            assert!(!case.why.is_empty() && !case.family.is_empty(), "{}", case.name);
        }
    }

    #[tokio::test]
    async fn every_case_can_begin() {
        for case in Case::faults().unwrap() {
            case.begin(Chunking::Whole).await.unwrap();
        }
    }
}
