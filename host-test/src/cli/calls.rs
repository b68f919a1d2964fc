//! `send`, `templates`, `event`: one call of the plugin each.

use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use host_test::{CallError, outcome, wit};
use messaging_core::Settings;
use messaging_core::message::Outgoing;
use messaging_core::send::SendMessage;
use messaging_core::wire::{Method, Request};
use serde_json::{Value, json};

use super::show::{self, BOLD, DIM, GREEN, RED, RESET};
use super::{Common, Failure, Target, setup};

/// The largest event file that is read: far more than the plugin accepts.
const MAX_EVENT_FILE_BYTES: u64 = 16 * 1024 * 1024;

#[derive(Args)]
pub struct Send {
    /// The recipient with its country code, for example "+34 600 111 222"
    #[arg(long, allow_hyphen_values = true)]
    phone: String,
    /// The text
    #[arg(long, allow_hyphen_values = true)]
    message: String,
    /// The sender number's device, where the account has several
    #[arg(long, allow_hyphen_values = true)]
    device: Option<String>,
    /// Show the exact request, with the key hidden, and send nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    target: Target,
}

#[derive(Args)]
pub struct Templates {
    /// Only templates with this status, for example approved
    #[arg(long)]
    status: Option<String>,
    /// A further query parameter; can be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair)]
    parameters: Vec<(String, String)>,
    /// Follow all pages, with the query parameter of this name
    #[arg(long, value_name = "NAME")]
    every_page: Option<String>,
    #[command(flatten)]
    target: Target,
}

#[derive(Args)]
pub struct Event {
    /// A header of the delivery; can be given several times
    #[arg(long = "header", value_name = "NAME=VALUE", value_parser = pair)]
    headers: Vec<(String, String)>,
    /// The file with the body; - reads standard input
    #[arg(value_name = "FILE")]
    body: PathBuf,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.to_string(), value.to_string())),
        None => Err("has no =; write NAME=VALUE".into()),
    }
}

impl Send {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        if self.dry_run {
            return self.show_request(common).await;
        }
        let session = setup::session(common, &self.target).await?;
        let request =
            wit::MessageRequest { phone: self.phone, message: self.message, device: self.device };
        let result = session.send_message(&request).await;
        report(common, result, outcome::created, |created| {
            anstream::println!("{GREEN}created{RESET} {}", show::printable(&created.id));
            anstream::println!(
                "{DIM}Created is all that is known. Whether it arrives is for the service to say.{RESET}"
            );
        })
    }

    /// The request as the core builds it, without a component or a connection.
    async fn show_request(self, common: &Common) -> Result<(), Failure> {
        let (mut variables, key, _simulated) = setup::settings(&self.target).await?;
        variables.extend(key.map(|key| ("MESSAGING_API_KEY".into(), key.reveal().to_string())));
        let settings = Settings::from_variables(variables)
            .map_err(|error| Failure::Usage(format!("{} {}", error.setting, error.reason)))?;
        let max_bytes = settings.max_message_bytes;
        let message = Outgoing::new(&self.phone, self.message, self.device, max_bytes)
            .map_err(|error| Failure::Usage(format!("{} {}", error.field, error.reason)))?;
        let call = SendMessage::new(&settings, &message, 0)
            .map_err(|error| Failure::Usage(format!("{error:?}")))?;
        show_request(common, call.request(), settings.key.reveal());
        Ok(())
    }
}

fn show_request(common: &Common, request: &Request, key: &str) {
    let method = match request.method() {
        Method::Get => "GET",
        Method::Post => "POST",
    };
    let body = String::from_utf8_lossy(request.body());
    let header = |(name, value): (&'static str, Vec<u8>)| {
        let value = if value == key.as_bytes() {
            "[redacted]".into()
        } else {
            String::from_utf8_lossy(&value).into_owned()
        };
        (name, value)
    };
    let headers: Vec<_> = request.headers().into_iter().map(header).collect();
    let (scheme, authority) = (request.scheme().as_str(), request.authority());
    if common.json {
        let headers: serde_json::Map<String, Value> =
            headers.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let url = format!("{scheme}://{authority}{}", request.path());
        let body: Value = serde_json::from_str(&body).unwrap_or_default();
        print_json(
            &json!({ "dry-run": { "method": method, "url": url, "headers": headers, "body": body } }),
        );
        return;
    }
    anstream::println!("{BOLD}{method} {} HTTP/1.1{RESET}", request.path());
    anstream::println!("host: {authority}    {DIM}({scheme}){RESET}");
    for (name, value) in headers {
        anstream::println!("{name}: {value}");
    }
    anstream::println!("\n{}", show::printable(&body));
    anstream::eprintln!("{DIM}dry run: nothing was sent{RESET}");
}

impl Templates {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let session = setup::session(common, &self.target).await?;
        let parameter = |(name, value)| wit::QueryParameter { name, value };
        let query = wit::TemplateQuery {
            status: self.status,
            parameters: self.parameters.into_iter().map(parameter).collect(),
            every_page: self.every_page,
        };
        let result = session.list_templates(&query).await;
        report(common, result, outcome::page, show_page)
    }
}

pub fn show_page(page: &wit::TemplatePage) {
    let width = |text: fn(&wit::Template) -> &str| {
        page.templates.iter().map(|one| text(one).chars().count()).max().unwrap_or(0)
    };
    let (name, language) = (width(|one| &one.name), width(|one| &one.language));
    for template in &page.templates {
        let [own_name, own_language, status] =
            [&template.name, &template.language, &template.status]
                .map(|text| show::printable(text));
        anstream::println!("  {own_name:name$}  {own_language:language$}  {status}");
    }
    let held = page.templates.len();
    match page.incomplete_reason {
        None => anstream::println!("{GREEN}all {held} templates{RESET}"),
        Some(reason) => {
            let (total, name) = (page.total, outcome::incomplete_reason(reason));
            anstream::println!("{RED}{held} of {total} templates{RESET}: {name}");
            anstream::println!("{DIM}{}{RESET}", show::incomplete_advice(reason));
        }
    }
}

impl Event {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let name = self.body.display().to_string();
        let mut bytes = Vec::new();
        let read = if name == "-" {
            std::io::stdin().take(MAX_EVENT_FILE_BYTES).read_to_end(&mut bytes)
        } else {
            std::fs::File::open(&self.body)
                .and_then(|file| file.take(MAX_EVENT_FILE_BYTES).read_to_end(&mut bytes))
        };
        read.map_err(|error| Failure::Usage(format!("{name}: cannot be read: {error}")))?;
        let body = String::from_utf8(bytes)
            .map_err(|_| Failure::Usage(format!("{name}: is not UTF-8, which JSON has to be")))?;
        // Handling an event is pure: no settings, no key, nothing to reach.
        let host = setup::host(common, Duration::from_secs(10))?;
        let plugin = setup::plugin(common, host, setup::sandbox(common, Vec::new(), None)?)?;
        let header = |(name, value)| wit::Header { name, value };
        let headers = self.headers.into_iter().map(header).collect();
        let result = plugin.handle_event(&wit::WebhookDelivery { headers, body }).await;
        report(common, result, outcome::event, |event| {
            let field = |name: &str, value: &str| {
                anstream::println!("  {name:<16} {}", show::printable(value));
            };
            anstream::println!("{GREEN}valid event{RESET}");
            field("idempotency-key", &event.idempotency_key);
            field("message-id", &event.message_id);
            field("kind", show::kind_text(&event.kind));
            field("json", &event.json);
        })
    }
}

/// Shows how a call ended, and turns it into an exit code.
pub fn report<T>(
    common: &Common,
    result: Result<Result<T, wit::Error>, CallError>,
    to_json: impl Fn(&T) -> Value,
    show: impl Fn(&T),
) -> Result<(), Failure> {
    match result {
        Ok(Ok(value)) => {
            if common.json {
                print_json(&json!({ "ok": show::opened(to_json(&value)) }));
            } else {
                show(&value);
            }
            Ok(())
        }
        Ok(Err(error)) => {
            if common.json {
                print_json(&json!({ "error": outcome::error(&error) }));
            } else {
                anstream::eprintln!(
                    "{RED}{}{RESET}: {}",
                    outcome::case(&error),
                    show::error_text(&error)
                );
                anstream::eprintln!("{DIM}{}{RESET}", show::advice(&error));
            }
            Err(match error {
                wit::Error::PermanentInvalidInput(_) | wit::Error::PermanentInvalidSettings(_) => {
                    Failure::ReportedUsage
                }
                _ => Failure::Reported,
            })
        }
        Err(error) => {
            let text = format!("{error}; whether something was sent is unknown");
            if common.json {
                print_json(&json!({ "error": { "case": "host", "payload": { "detail": text } } }));
                return Err(Failure::Reported);
            }
            Err(Failure::Failed(text))
        }
    }
}

/// JSON for a script: no colours, one document.
pub fn print_json(value: &Value) {
    use std::io::Write;
    // A reader that has gone away is no failure of the command.
    let _ = writeln!(std::io::stdout(), "{value:#}");
}
