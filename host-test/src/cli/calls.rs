//! `send`, `templates` and `event`: each calls the plugin once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args};
use messaging_core::Call;
use messaging_core::wire::{Method, Request};
use messaging_host::{CallError, CallResult, Messaging, outcome, wit};
use messaging_net::read::bounded;
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::exit::Exit;
use super::show::{self, BOLD, DIM, GREEN, RED, RESET};
use super::signal::Stop;
use super::{Common, Failure, Target, print, sent, setup, text};

/// Maximum size of an input file in bytes, far above the limits of events and messages.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Maximum width of a column in characters. A longer value is shown in full, and shifts the rest of
/// its line.
const MAX_COLUMN_CHARS: usize = 40;

#[derive(Args)]
#[command(group = ArgGroup::new("text").required(true))]
pub struct Send {
    /// Recipient's phone number with country code, for example "+34 600 111 222"
    #[arg(long, allow_hyphen_values = true)]
    phone: String,
    /// Text of the message; use --message=TEXT for a leading hyphen
    #[arg(long, group = "text")]
    message: Option<String>,
    /// Send the text of this file; `-` reads standard input
    ///
    /// The text is sent unchanged, including a final line break.
    #[arg(long, value_name = "FILE", group = "text")]
    message_file: Option<PathBuf>,
    /// Identifier of the sender number, for accounts with several numbers
    #[arg(long, allow_hyphen_values = true)]
    device: Option<String>,
    /// Add a member with a JSON value to the request; repeatable
    ///
    /// For example 'template={"id":7}' or 'reference="A-1"'.
    #[arg(long = "field", value_name = "NAME=JSON", value_parser = field)]
    fields: Vec<(String, String)>,
    /// Show the exact request without the API key; send nothing
    #[arg(long)]
    dry_run: bool,
    /// Send at most one message under this key, even on retries
    ///
    /// A key is 1 to 256 characters of visible ASCII. It names the reason for the message, for
    /// example order-17-shipped. `messaging sent --help` describes keys.
    #[arg(long, value_name = "KEY", allow_hyphen_values = true, conflicts_with_all = ["dry_run", "simulated"])]
    once: Option<String>,
    #[command(flatten)]
    journal: sent::Sending,
    #[command(flatten)]
    target: Target,
}

#[derive(Args)]
pub struct Templates {
    /// List only templates with this status, for example approved
    #[arg(long)]
    status: Option<String>,
    /// Add a query parameter; repeatable
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair)]
    parameters: Vec<(String, String)>,
    /// Fetch all pages; NAME is the service's query parameter for pages
    #[arg(long, value_name = "NAME")]
    every_page: Option<String>,
    #[command(flatten)]
    target: Target,
}

#[derive(Args)]
pub struct Event {
    /// Header of the delivery; repeatable
    #[arg(long = "header", value_name = "NAME=VALUE", value_parser = pair)]
    headers: Vec<(String, String)>,
    /// File with the body; - reads standard input
    #[arg(value_name = "FILE")]
    body: PathBuf,
}

/// Parses a field. The error shows how to quote a string, because missing quotes are the most
/// likely mistake.
fn field(text: &str) -> Result<(String, String), String> {
    let (name, json) = text.split_once('=').ok_or("has no =; write NAME=JSON")?;
    match serde_json::from_str::<IgnoredAny>(json) {
        Ok(_) => Ok((name.to_string(), json.to_string())),
        Err(_) => {
            Err("has no valid JSON after the =; a string needs quotes: NAME='\"TEXT\"'".into())
        }
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.to_string(), value.to_string())),
        None => Err("has no =; write NAME=VALUE".into()),
    }
}

impl Send {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let message = match (&self.message, &self.message_file) {
            (_, Some(file)) => read(file)?,
            (message, None) => message.clone().unwrap_or_default(),
        };
        let field = |(name, json)| wit::Field { name, json };
        let request = wit::MessageRequest {
            phone: self.phone,
            message,
            device: self.device,
            fields: self.fields.into_iter().map(field).collect(),
        };
        if self.dry_run {
            return dry_run(common, &self.target, request).await;
        }
        if let Some(key) = &self.once {
            return sent::send(common, &self.target, key, &self.journal, request).await;
        }
        if let Some(option) = self.journal.named() {
            return Err(Failure::Usage(format!(
                "{option} has no effect without --once KEY: add --once, or leave out {option}"
            )));
        }
        let session = setup::session(common, &self.target).await?;
        let mut stop = Stop::new();
        let result = tokio::select! {
            biased;
            result = session.send_message(&request) => result,
            _ = stop.wait() => {
                stop.end_at_once(show::advice(&interrupted()).into());
                report_error(common, &interrupted());
                return Err(Failure::Reported(Exit::Interrupted));
            }
        };
        let id = result.as_ref().ok().and_then(|result| result.as_ref().ok());
        let id = id.map(|created| text::printable(&created.id));
        // The output can block if its reader stops reading. A signal must then end the process.
        stop.end_at_once(match (&id, &result) {
            (Some(id), _) => format!("created {id}; do not send it again"),
            (None, Ok(Err(error))) => {
                format!("{}: {}", outcome::case(error), show::advice(error))
            }
            (None, Err(error)) if error.is_not_sent() => "nothing was sent".into(),
            (None, _) => show::MAY_EXIST.into(),
        });
        let reported = report(common, result, true, outcome::created, |created| {
            say!(
                "{GREEN}created{RESET} {}\n{DIM}{}{RESET}",
                text::printable(&created.id),
                show::CREATED
            );
        });
        // The exit code says only that output was lost. Without this line, a caller could retry,
        // and create a second message.
        if let (Some(id), Some(_)) = (id, print::failure()) {
            complain!("{GREEN}created{RESET} {id}; do not send it again");
        }
        reported
    }
}

/// Shows the request that the core builds, without a component or a connection.
async fn dry_run(
    common: &Common,
    target: &Target,
    request: wit::MessageRequest,
) -> Result<(), Failure> {
    let (mut variables, key, _simulated) = setup::settings(target).await?;
    variables.extend(key.map(|key| ("MESSAGING_API_KEY".into(), key.reveal().to_string())));
    let call = Call::send_message(variables, request.into(), 0).map_err(Failure::refused)?;
    show_request(common, call.machine.request(), call.settings.key.reveal());
    Ok(())
}

/// Returns the error for an interrupted send.
fn interrupted() -> wit::Error {
    wit::Error::PermanentOutcomeUnknown(wit::OutcomeUnknown {
        stage: wit::Stage::SendingRequest,
        detail: "interrupted before an answer arrived".into(),
        status: None,
        refusal: None,
    })
}

/// Reads a file as a string. `-` is standard input.
fn read(file: &Path) -> Result<String, Failure> {
    let name = file.display();
    let read = if file.as_os_str() == "-" {
        bounded(std::io::stdin(), MAX_FILE_BYTES)
    } else {
        std::fs::File::open(file).and_then(|file| bounded(file, MAX_FILE_BYTES))
    };
    let read = read.map_err(|error| Failure::Usage(format!("{name}: cannot be read: {error}")))?;
    let bytes = read.ok_or_else(|| Failure::Usage(format!("{name}: is larger than 16 MiB")))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::Usage(format!("{name}: is not UTF-8 at byte {at}"))
    })
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
        return print::json(&DryRun {
            dry_run: RequestView { method, url, headers, body: raw(&body) },
        });
    }
    say!("{BOLD}{method} {} HTTP/1.1{RESET}", request.path());
    say!("host: {authority}    {DIM}({scheme}){RESET}");
    for (name, value) in headers {
        say!("{name}: {value}");
    }
    say!("\n{}", text::printable(&body));
    complain!("{DIM}dry run: nothing was sent{RESET}");
}

/// Parses JSON without changing a byte, so that numbers of any length stay exact.
fn raw(body: &str) -> Option<&RawValue> {
    serde_json::from_str(body).ok()
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct DryRun<'a> {
    dry_run: RequestView<'a>,
}

#[derive(Serialize)]
struct RequestView<'a> {
    method: &'static str,
    url: String,
    headers: serde_json::Map<String, Value>,
    body: Option<&'a RawValue>,
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
        report(common, result, false, outcome::page, show_page)
    }
}

pub fn show_page(page: &wit::TemplatePage) {
    let width = |text: fn(&wit::Template) -> &str| {
        let widths = page.templates.iter().map(|one| text::printable(text(one)).chars().count());
        widths.max().unwrap_or(0).min(MAX_COLUMN_CHARS)
    };
    let (name_width, language_width) = (width(|one| &one.name), width(|one| &one.language));
    for template in &page.templates {
        let [name, language, status] = [&template.name, &template.language, &template.status]
            .map(|text| text::printable(text));
        say!("  {name:name_width$}  {language:language_width$}  {status}");
    }
    let held = page.templates.len();
    match page.incomplete {
        None => say!("{GREEN}all {held} templates{RESET}"),
        Some(reason) => {
            let (total, name) = (page.total, outcome::incomplete_reason(reason));
            say!("{RED}{held} of {total} templates{RESET}: {name}");
            say!("{DIM}{}{RESET}", show::incomplete_advice(reason));
        }
    }
}

impl Event {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let body = read(&self.body)?;
        // Handling an event needs no settings, key or connection.
        let host = setup::host(common, Duration::from_secs(10))?;
        let config = setup::config(common, Vec::new(), None)?;
        let plugin = setup::plugin(common, common.component.as_deref(), host, config)?;
        let header = |(name, value)| wit::Header { name, value };
        let headers = self.headers.into_iter().map(header).collect();
        let delivery = wit::WebhookDelivery { headers, body };
        let mut result = plugin.handle_event(&delivery).await;
        if let Ok(Err(wit::Error::PermanentInvalidInput(invalid))) = &mut result {
            let error = json_error(&delivery.body).filter(|_| invalid.field == "$");
            invalid.detail.extend(error.map(|error| format!(" ({error})")));
        }
        report(common, result, false, outcome::event, |event| {
            let field = |name: &str, value: &str| {
                say!("  {name:<16} {}", text::printable(value));
            };
            say!("{GREEN}valid event{RESET}");
            field("idempotency-key", &event.idempotency_key);
            field("message-id", &event.message_id);
            field("kind", &event.kind);
            field("json", &event.json);
        })
    }
}

/// Returns the position and the reason of the first JSON error.
fn json_error(body: &str) -> Option<String> {
    // The plugin ignores a byte order mark too.
    let body = body.strip_prefix('\u{feff}').unwrap_or(body);
    serde_json::from_str::<IgnoredAny>(body).err().map(|error| error.to_string())
}

/// Prints the result of a call, and returns the failure. `sends` is true for a call that can create
/// a message despite an error.
fn report<T>(
    common: &Common,
    result: CallResult<T>,
    sends: bool,
    to_json: impl Fn(&T) -> Value,
    show: impl Fn(&T),
) -> Result<(), Failure> {
    match result {
        Ok(Ok(value)) => {
            if common.json {
                print::json(&text::Opened(&json!({ "ok": to_json(&value) })));
            } else {
                show(&value);
            }
            Ok(())
        }
        Ok(Err(error)) => {
            show_plugin_error(common, &error);
            let exit = if sends { Exit::of_send } else { Exit::of_case };
            Err(Failure::Reported(exit(outcome::case(&error))))
        }
        Err(error) => {
            let (exit, consequence) = match (&error, sends) {
                // No instance was created, so no request was sent.
                (CallError::Busy(_), _) => (Exit::Retry, "nothing was sent"),
                (CallError::NotSetUp(_), _) => (Exit::Failed, "nothing was sent"),
                (_, true) => (Exit::Unknown, show::MAY_EXIST),
                (_, false) => (Exit::Failed, "no message was sent"),
            };
            Err(Failure::Host { exit, message: format!("{error}; {consequence}") })
        }
    }
}

/// Prints an error of the plugin, and returns the matching exit code.
pub fn report_error(common: &Common, error: &wit::Error) -> Failure {
    show_plugin_error(common, error);
    Failure::Reported(Exit::of_case(outcome::case(error)))
}

fn show_plugin_error(common: &Common, error: &wit::Error) {
    let (text, advice) = (show::error_text(error), show::advice(error));
    show::show_error(common, &outcome::error(error), &text, advice);
}
