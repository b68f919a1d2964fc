//! Conformance cases as data. A running case has a scripted service, which listens on loopback.
//!
//! A file contains one family of cases. A case can contain these forms:
//!
//! | form | value |
//! |---|---|
//! | `"$name"` | the value `name` of the current variant in `each` |
//! | `{name}` in a string | the value `name` as text |
//! | `{"$repeat": [text, times]}` | repeated text |
//! | `{"$count": [text, times]}` | repeated text with `{n}` replaced by 0, 1, … |
//! | `{"$concat": [...]}` | joined strings |
//!
//! A setting can also contain these forms, and a reply of the service can contain `{elsewhere}`:
//!
//! | form | URL |
//! |---|---|
//! | `{base}` | base URL of the scripted service |
//! | `{secure}`, `{numbered}` | the service over TLS, by host name and by IP address |
//! | `{unencrypted}` | the service without TLS |
//! | `{elsewhere}` | an origin that must not receive any request |

use std::collections::BTreeMap;
use std::sync::OnceLock;

use anyhow::Context;
use messaging_core::origin::Origin;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use messaging_simulator::faults::{Certificate, Chunking, Exchange, ScriptedServer};

/// API key of every case. Only the service may receive it.
pub const KEY: &str = "canary-key-4d1f0c8e";

const FILES: [&str; 6] = [
    include_str!("../cases/conformance/sending.json"),
    include_str!("../cases/conformance/unknown.json"),
    include_str!("../cases/conformance/input.json"),
    include_str!("../cases/conformance/settings.json"),
    include_str!("../cases/conformance/listing.json"),
    include_str!("../cases/conformance/events.json"),
];

/// Cases with faults of services, proxies and networks. The outcome of a fault can depend on the
/// host, so other hosts run only the portable cases.
const FAULTS: [&str; 8] = [
    include_str!("../cases/faults/connection.json"),
    include_str!("../cases/faults/tls.json"),
    include_str!("../cases/faults/framing.json"),
    include_str!("../cases/faults/status.json"),
    include_str!("../cases/faults/headers.json"),
    include_str!("../cases/faults/body.json"),
    include_str!("../cases/faults/time.json"),
    include_str!("../cases/faults/caller.json"),
];

/// Expected result of a call: `ok`, or the name of an `error` case and optionally its payload.
/// The values of `ok` and `payload` are patterns: an object may omit members, and
/// `{"$contains": text}` matches any string that contains `text`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Expected {
    #[serde(default)]
    pub(super) ok: Option<Value>,
    #[serde(default)]
    pub(super) error: Option<String>,
    #[serde(default)]
    pub(super) payload: Option<Value>,
}

/// Requests that the service must receive.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Requests {
    /// Number of requests.
    Count(usize),
    /// A pattern for each request, in order.
    Each(Vec<Pattern>),
}

/// A pattern of a request. Omitted members match every value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Pattern {
    #[serde(default)]
    pub(super) method: Option<String>,
    #[serde(default)]
    pub(super) target: Option<String>,
    /// Headers that must occur exactly once, with this value.
    #[serde(default)]
    pub(super) headers: BTreeMap<String, String>,
    /// Headers that must not occur.
    #[serde(default)]
    pub(super) without: Vec<String>,
    /// The complete body as JSON.
    #[serde(default)]
    pub(super) json: Option<Value>,
    /// The body as a string.
    #[serde(default)]
    pub(super) body: Option<String>,
}

impl Expected {
    /// Returns `ok`, or the name of the `error` case.
    pub fn name(&self) -> &str {
        self.error.as_deref().unwrap_or("ok")
    }
}

/// A rule of the interface, and the call that tests the rule.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Case {
    /// Unique name: a sentence in snake case.
    pub name: String,
    /// Name of the family, which is one file of cases.
    #[serde(default)]
    pub family: String,
    /// True if the case holds in every host, not only in this one.
    #[serde(default)]
    pub portable: bool,
    /// True if the case holds for every provider of the interface, not only for the plugin. Such a
    /// case must not depend on a service's paths, JSON or settings.
    #[serde(default)]
    pub neutral: bool,
    /// True if the case is part of the conformance suite.
    #[serde(default)]
    pub in_suite: bool,
    /// The reason for the expected result: one sentence, or a section of the specification.
    pub why: String,
    /// Settings in addition to the base URL, the API key and a deadline. `null` removes a setting.
    #[serde(default)]
    settings: Map<String, Value>,
    /// True if the host allows requests to the service.
    #[serde(default = "yes")]
    pub allowed: bool,
    /// The function to call.
    pub call: Function,
    /// Argument of the function. Omitted members have default values.
    #[serde(default)]
    pub argument: Value,
    /// Script of the service; `null` if no service listens.
    #[serde(default = "no_exchange")]
    service: Value,
    /// Certificate of a service that is reached over TLS as `localhost`.
    #[serde(default)]
    pub tls: Option<Certificate>,
    /// True if the service neither accepts nor refuses connections.
    #[serde(default)]
    pub black_hole: bool,
    /// Expected outcome.
    pub expect: Expected,
    /// Alternative outcome, safe but less helpful, for a host that cannot tell what happened.
    #[serde(default)]
    pub or: Option<Expected>,
    /// Requests that the service must receive.
    pub requests: Requests,
}

/// A function of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the WIT documents them")]
pub enum Function {
    SendMessage,
    ListTemplates,
    HandleEvent,
}

/// An error for a malformed file of cases. The files are compiled in, and a test reads all of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SuiteError(String);

/// A running case. Dropping it ends the case.
pub struct RunningCase {
    /// All environment variables of the component.
    pub settings: BTreeMap<String, String>,
    /// Complete argument of the function.
    pub argument: Value,
    /// Origins that the host allows.
    pub allow: Vec<String>,
    /// Script of the service as text. An outcome may quote it.
    pub said: String,
    /// The scripted service, which listens until it is dropped.
    pub peer: ScriptedServer,
}

impl Case {
    /// Returns the cases of the conformance suite, in order.
    ///
    /// # Errors
    /// Returns an error if a compiled-in file of cases is malformed. A test reads every file.
    pub fn all() -> Result<&'static [Self], SuiteError> {
        static ALL: OnceLock<Result<Vec<Case>, SuiteError>> = OnceLock::new();
        ALL.get_or_init(|| read(&FILES, &[])).as_deref().map_err(Clone::clone)
    }

    /// Returns the cases of the fault suite: the conformance suite, then the cases with faults,
    /// which only this host must pass.
    ///
    /// # Errors
    /// Returns an error if a compiled-in file of cases is malformed. A test reads every file.
    pub fn faults() -> Result<&'static [Self], SuiteError> {
        static ALL: OnceLock<Result<Vec<Case>, SuiteError>> = OnceLock::new();
        ALL.get_or_init(|| read(&FILES, &FAULTS)).as_deref().map_err(Clone::clone)
    }

    /// Starts the service of the case.
    ///
    /// # Errors
    /// Returns an error if the case is malformed, or if no port is available.
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
        // Uses a host name, because the certificate is issued for that name.
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
            // Long enough for a busy machine.
            ("MESSAGING_DEADLINE_MS".to_string(), "60000".to_string()),
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
            // An invalid base URL has no origin. The list then contains the URL of the service,
            // although no request can follow.
            allow: self.allowed.then(|| origin.unwrap_or(base)).into_iter().collect(),
            settings,
            argument: self.call.whole(expand(self.argument.clone())),
            said,
            peer,
        })
    }
}

impl Function {
    /// Returns the argument with default values for omitted members.
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
    /// Default of `portable` for the cases of the file.
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

/// Replaces `$name` and `{name}` with the values of a variant.
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

/// Expands `$repeat`, `$count` and `$concat`.
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
    fn cases_are_readable_with_unique_names() {
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
