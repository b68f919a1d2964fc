//! Options and settings of the trace export. OpenTelemetry defines the names of the settings.

use clap::Args;
use messaging_net::headers::{HeaderError, SecretHeaders};
use messaging_server::otlp::Exporter;
use percent_encoding::percent_decode_str;

use super::parse::{http_url, is_open};
use super::settings::variable;
use super::setup::untrusted;
use super::{Common, Failure};

const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
const RESOURCE_ATTRIBUTES: &str = "OTEL_RESOURCE_ATTRIBUTES";

#[derive(Args)]
pub struct Otlp {
    /// Export traces to this OpenTelemetry collector (OTLP/HTTP, JSON)
    #[arg(long, value_name = "URL")]
    otlp: Option<String>,
}

impl Otlp {
    /// Starts the export if the option is set.
    pub fn exporter(&self, common: &Common) -> Result<Option<Exporter>, Failure> {
        let Some(endpoint) = &self.otlp else { return Ok(None) };
        let usage = |what: &str| Failure::Usage(format!("--otlp {what}"));
        let with_user = "contains a user or a password, which process lists show; set OTEL_EXPORTER_OTLP_HEADERS";
        let endpoint = http_url("--otlp", endpoint, with_user)?;
        if endpoint.query().is_some() {
            return Err(usage("has a query; remove it, because /v1/traces is added to the path"));
        }
        let headers = variable(HEADERS)?.unwrap_or_default();
        if !headers.is_empty() && is_open(&endpoint) {
            return Err(usage(&format!(
                "is http: to another machine, and the network could read {HEADERS}; use https:"
            )));
        }
        let headers = secret_headers(&headers)?;
        let attributes = variable(RESOURCE_ATTRIBUTES)?.unwrap_or_default();
        let mut resource = pairs(RESOURCE_ATTRIBUTES, &attributes)?;
        if let Some(name) = variable(SERVICE_NAME)? {
            resource.retain(|(known, _)| known != "service.name");
            resource.push(("service.name".into(), name));
        }
        if !resource.iter().any(|(name, _)| name == "service.name") {
            resource.push(("service.name".into(), "messaging-webhook".into()));
        }
        let exporter = Exporter::start(&endpoint, headers, resource, common.trust());
        exporter.map(Some).map_err(untrusted)
    }
}

fn secret_headers(text: &str) -> Result<SecretHeaders, Failure> {
    let mut headers = SecretHeaders::default();
    for (number, (name, value)) in (1..).zip(pairs(HEADERS, text)?) {
        headers.add(&name, &value).map_err(|error| {
            Failure::Usage(match error {
                HeaderError::NotAName => {
                    format!("{HEADERS} has an entry {number} that does not begin with the name of a header: NAME=VALUE")
                }
                error => format!("{HEADERS} {error}"),
            })
        })?;
    }
    Ok(headers)
}

/// Parses percent-encoded `NAME=VALUE,…` (W3C Baggage). Errors contain no value.
fn pairs(setting: &str, text: &str) -> Result<Vec<(String, String)>, Failure> {
    let wrong = || {
        Failure::Usage(format!(
            "{setting} is not a list NAME=VALUE,NAME=VALUE; write %2C for a comma in a value"
        ))
    };
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let decode = |text: &str| {
                let decoded = percent_decode_str(text.trim()).decode_utf8();
                decoded.map(|text| text.into_owned()).map_err(|_| wrong())
            };
            Ok((decode(name)?, decode(value)?))
        })
        .collect()
}
