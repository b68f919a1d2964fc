//! Runs cases against a component in this host, or against the native core. [`Subject::Component`]
//! receives the API key itself, without a placeholder, because the suite judges how a component
//! protects the key.

use anyhow::{Context, bail};
use messaging_core::secret::ApiKey;
use serde_json::{Value, json};

use super::case::{Case, Function, RunningCase};
use super::report::Verdict;
use super::states::{self, Before};
use crate::native::Native;
use messaging_host::outbound::{AllowList, Outbound, Trust};
use messaging_host::outcome;
use messaging_host::{CallResult, KeyInSettings, Messaging};
use messaging_host::{Plugin, PluginConfig, wit};
use messaging_simulator::faults::{self, Chunking};

/// The implementation under test.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// A component with additional variables. A value `{NAME}` stands for the setting `NAME` of the
    /// case. If the case has no such setting, the variable is omitted.
    Component(&'a Plugin, &'a [(String, String)]),
    /// A component whose API key the host holds.
    Held(&'a Plugin),
    /// A component whose API key the host holds. `send-once` calls the component. `Before` is the
    /// state of the idempotency key at the start.
    Once(&'a Plugin, Before),
    /// The native core, on the connections of this host.
    Native,
}

/// Runs one case.
///
/// # Errors
/// Returns an error if the case cannot start on this machine.
pub async fn run(
    case: &Case,
    subject: Subject<'_>,
    outbound: &Outbound,
    chunking: Chunking,
) -> anyhow::Result<Verdict> {
    let running = case.begin(chunking).await?;
    let allow = AllowList::parse(running.allow.iter().map(String::as_str))?;
    let outbound = match case.tls {
        None => outbound.allowing(allow),
        Some(_) => Outbound::new(allow, Trust::Pem(faults::authority()?.to_string()))?,
    };
    let mut environment = Vec::from_iter(running.settings.clone());
    let result = match subject {
        Subject::Component(plugin, extra) => {
            environment.extend(filled(extra, &running));
            let config = PluginConfig::open(environment, outbound);
            // The other cases depend on this host, whose timers can be late. Then only its checks
            // know that nothing was sent.
            let config = if case.portable { config.without_call_checks() } else { config };
            let plugin = plugin.with_config(config);
            call(case.call, &plugin, &running).await?
        }
        Subject::Held(plugin) => {
            let plugin = plugin.with_config(holding(&running, environment, outbound)?);
            call(case.call, &plugin, &running).await?
        }
        Subject::Once(plugin, before) => {
            let plugin = plugin.with_config(holding(&running, environment, outbound)?);
            let request = message_request(&running.argument)?;
            let sent = states::send(before, plugin, request, &running).await;
            sent.unwrap_or_else(|error| json!({ "trap": format!("{before:?}: {error:#}") }))
        }
        Subject::Native => {
            call(case.call, &Native(PluginConfig::open(environment, outbound)), &running).await?
        }
    };
    Ok(case.judge(&running, &result))
}

/// Returns a configuration in which the host holds the API key. If the case has no valid key, the
/// component gets all settings.
fn holding(
    running: &RunningCase,
    environment: Vec<(String, String)>,
    outbound: Outbound,
) -> Result<PluginConfig, KeyInSettings> {
    let key = running.settings.get("MESSAGING_API_KEY").cloned().map(ApiKey::new);
    let Some(Ok(key)) = key else {
        return Ok(PluginConfig::open(environment, outbound).without_call_checks());
    };
    let mut settings = environment;
    settings.retain(|(name, _)| name != "MESSAGING_API_KEY");
    Ok(PluginConfig::new(settings, Some(key), outbound)?.without_call_checks())
}

/// Returns the additional variables of a component, with the settings of the case as values.
fn filled(extra: &[(String, String)], running: &RunningCase) -> Vec<(String, String)> {
    let one = |(name, value): &(String, String)| {
        let setting = value.strip_prefix('{').and_then(|value| value.strip_suffix('}'));
        let value = match setting {
            Some(setting) => running.settings.get(setting)?.clone(),
            None => value.clone(),
        };
        Some((name.clone(), value))
    };
    extra.iter().filter_map(one).collect()
}

async fn call(
    function: Function,
    provider: &impl Messaging,
    running: &RunningCase,
) -> anyhow::Result<Value> {
    let argument = &running.argument;
    Ok(match function {
        Function::SendMessage => {
            shown(provider.send_message(&message_request(argument)?).await, outcome::created)
        }
        Function::ListTemplates => {
            shown(provider.list_templates(&template_query(argument)?).await, outcome::page)
        }
        Function::HandleEvent => {
            let delivery = webhook_delivery(argument)?;
            let outcome = shown(provider.handle_event(&delivery).await, outcome::event);
            // A second call must return an equal result, because the function is pure.
            match shown(provider.handle_event(&delivery).await, outcome::event) == outcome {
                true => outcome,
                false => json!({ "trap": "two calls with one delivery had different outcomes" }),
            }
        }
    })
}

/// Converts the result of a call to JSON: `ok`, `error` or `trap`.
pub fn shown<T>(result: CallResult<T>, show: impl Fn(&T) -> Value) -> Value {
    match result {
        Ok(Ok(value)) => json!({ "ok": show(&value) }),
        Ok(Err(error)) => json!({ "error": outcome::error(&error) }),
        Err(error) => json!({ "trap": error.to_string() }),
    }
}

fn message_request(argument: &Value) -> anyhow::Result<wit::MessageRequest> {
    Ok(wit::MessageRequest {
        phone: text(argument, "phone")?,
        message: text(argument, "message")?,
        device: optional(argument, "device")?,
        fields: fields(argument)?,
    })
}

fn template_query(argument: &Value) -> anyhow::Result<wit::TemplateQuery> {
    let pair = |(name, value)| wit::QueryParameter { name, value };
    Ok(wit::TemplateQuery {
        status: optional(argument, "status")?,
        parameters: pairs(argument, "parameters")?.into_iter().map(pair).collect(),
        every_page: optional(argument, "every-page")?,
    })
}

fn webhook_delivery(argument: &Value) -> anyhow::Result<wit::WebhookDelivery> {
    let pair = |(name, value)| wit::Header { name, value };
    Ok(wit::WebhookDelivery {
        headers: pairs(argument, "headers")?.into_iter().map(pair).collect(),
        body: text(argument, "body")?,
    })
}

fn text(argument: &Value, name: &str) -> anyhow::Result<String> {
    optional(argument, name)?.with_context(|| format!("the case's {name} is missing"))
}

fn optional(argument: &Value, name: &str) -> anyhow::Result<Option<String>> {
    match argument.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => bail!("the case's {name} is not a string"),
    }
}

fn fields(argument: &Value) -> anyhow::Result<Vec<wit::Field>> {
    let list = argument.get("fields").and_then(Value::as_array);
    let list = list.context("the fields of the case are not a list")?;
    let field = |one| Ok(wit::Field { name: text(one, "name")?, json: text(one, "json")? });
    list.iter().map(field).collect()
}

fn pairs(argument: &Value, name: &str) -> anyhow::Result<Vec<(String, String)>> {
    let list = argument.get(name).and_then(Value::as_array);
    let list = list.with_context(|| format!("the member {name} of the case is not a list"))?;
    list.iter().map(|pair| Ok((text(pair, "name")?, text(pair, "value")?))).collect()
}
