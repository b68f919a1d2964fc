//! `demo`: runs the main functions end to end on real sockets, and checks the results against the
//! ledger of the simulated service.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use messaging_components::{PLUGIN, WEBHOOK_OPEN};
use messaging_core::secret::ApiKey;
use messaging_core::webhook::settings::{ALLOW_UNVERIFIED, DEFAULT_BODY_BYTES};
use messaging_host::webhook::{Webhook, WebhookConfig};
use messaging_host::wit::{Error, MessageRequest, Template, TemplateQuery};
use messaging_host::{Host, Plugin, PluginConfig, outcome};
use messaging_inbox::{Filter, Store};
use messaging_server::serve::{Deliveries, Options as ServeOptions, Server};
use messaging_simulator::service::{Delivery, DeliveryError, Event, Options, Service};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::exit::Exit;
use super::folder;
use super::show::{self, BOLD, DIM, GREEN, RED, RESET};
use super::{Common, Failure, print, serve, setup, text};

const CUSTOMER: &str = "+34 600 111 222";
/// Phone numbers that cause faults of the simulated service; `service::script` defines them.
const LOSES_THE_REPLY: &str = "+99900002000";
const LIMITS_THE_RATE: &str = "+99900000429";

pub async fn run(common: &Common) -> Result<(), Failure> {
    let started = Instant::now();
    let mut demo = Demo::start(common).await?;
    demo.introduce(started);
    demo.send("A message", None, "msg-0001").await;
    demo.send("From a chosen sender number", Some("7"), "msg-0002").await;
    demo.templates().await;
    demo.event().await;
    demo.restart().await;
    demo.refused_input().await;
    demo.wrong_key().await?;
    demo.lost_reply().await;
    demo.rate_limit().await;
    demo.webhook.stop().await;
    demo.finish(started)
}

struct Demo<'a> {
    common: &'a Common,
    service: Service,
    webhook: Receiving,
    plugin: Plugin,
    key: String,
    steps: Vec<(String, bool, String)>,
}

impl<'a> Demo<'a> {
    async fn start(common: &'a Common) -> Result<Self, Failure> {
        let host = common.cached(serve::host(DEFAULT_BODY_BYTES)?);
        let webhook = Receiving::start(&host).await?;
        let nothing = setup::config(common, Vec::new(), None)?;
        let bare = setup::plugin(common, common.component.as_deref(), host, nothing)?;
        let key = format!("demo-key-{:016x}", rand::random::<u64>());
        let options = Options { webhook: Some(webhook.url()), ..Options::new(&key) };
        let service = Service::start(options).await.map_err(failed)?;
        let plugin = bare.with_config(config(common, &service, &key)?);
        Ok(Self { common, service, webhook, plugin, key, steps: Vec::new() })
    }

    fn introduce(&self, started: Instant) {
        if self.common.json {
            return;
        }
        let component = match &self.common.component {
            Some(file) => file.display().to_string(),
            None => format!("the embedded plugin, {} bytes", PLUGIN.len()),
        };
        say!("{BOLD}messaging plugin{RESET}  {}", text::printable(&component));
        say!(
            "{DIM}loaded in {} ms; a fresh instance for every call{RESET}",
            started.elapsed().as_millis()
        );
        say!("{DIM}simulated service on {}{RESET}", self.service.base_url());
        say!(
            "{DIM}the component gets a placeholder instead of the API key; only this host has the key{RESET}\n"
        );
    }

    /// Records a step. `right` is true if the outcome is as expected.
    fn step(&mut self, title: &str, right: bool, outcome: String) {
        // An outcome must never contain the API key.
        let right = right && !outcome.contains(&self.key);
        if !self.common.json {
            say!("{} {BOLD}{title}{RESET}", show::mark(right));
            for line in outcome.lines() {
                say!("    {}", text::printable(line));
            }
        }
        self.steps.push((title.to_string(), right, outcome));
    }

    async fn send(&mut self, title: &str, device: Option<&str>, expected: &str) {
        let request = MessageRequest {
            phone: CUSTOMER.into(),
            message: "Your order is ready for pickup.".into(),
            device: device.map(Into::into),
            fields: Vec::new(),
        };
        let (right, outcome) = match self.plugin.send_message(&request).await {
            Ok(Ok(created)) => (created.id == expected, format!("created {}", created.id)),
            other => (false, format!("{other:?}")),
        };
        let device = device.map(|device| format!(" from device {device}")).unwrap_or_default();
        self.step(title, right, format!("to {CUSTOMER}{device}\n{outcome}"));
    }

    async fn templates(&mut self) {
        let query = TemplateQuery {
            status: Some("approved".into()),
            parameters: Vec::new(),
            every_page: Some("page".into()),
        };
        let before = self.service.ledger().requests.len();
        let (right, outcome) = match self.plugin.list_templates(&query).await {
            Ok(Ok(page)) => {
                let pages = self.service.ledger().requests.len().saturating_sub(before);
                let name = |one: &Template| format!("{} ({})", one.name, one.language);
                let names: Vec<_> = page.templates.iter().map(name).collect();
                let approved = page.templates.iter().all(|one| one.status == "approved");
                let right = page.incomplete.is_none() && approved && names.len() == 7 && pages == 3;
                let (held, total, names) = (names.len(), page.total, names.join(", "));
                (right, format!("{held} of {total}, in {pages} pages\n{names}"))
            }
            other => (false, format!("{other:?}")),
        };
        self.step("The approved templates, over every page", right, outcome);
    }

    async fn event(&mut self) {
        let delivered = self.service.deliver(&event(), 1).await;
        let kept = self.kept().await;
        let statuses = statuses(delivered);
        let right = statuses == [200, 200] && is_the_event(&kept);
        let outcome = format!(
            "{}, kept under its key evt-1\n{}, a duplicate: nothing new",
            text(statuses.first()),
            text(statuses.get(1)),
        );
        self.step("An inbound event, and its redelivery", right, outcome);
    }

    async fn restart(&mut self) {
        let address = self.webhook.address;
        let restarted = self.webhook.restart().await.is_ok() && self.webhook.address == address;
        let statuses = statuses(self.service.deliver(&event(), 0).await);
        let kept = self.kept().await;
        let right = restarted && statuses == [200] && is_the_event(&kept);
        let lines: Vec<_> = kept
            .iter()
            .map(|event| format!("{} {} {}", event.idempotency_key, event.kind, event.state))
            .collect();
        let outcome = format!(
            "{}, a duplicate: nothing new\nin the inbox: {}",
            text(statuses.first()),
            lines.join(", ")
        );
        self.step("The webhook restarts, and the event arrives again", right, outcome);
    }

    /// Returns the events in the inbox.
    async fn kept(&self) -> Vec<messaging_inbox::Event> {
        let Some(store) = &self.webhook.store else { return Vec::new() };
        store.list(Filter::default()).await.unwrap_or_default()
    }

    async fn refused_input(&mut self) {
        let before = self.service.ledger().requests.len();
        let (right, outcome) = failed_send(&self.plugin, "600 111 222", |error| {
            matches!(error, Error::PermanentInvalidInput(_))
        })
        .await;
        let right = right && self.service.ledger().requests.len() == before;
        self.step(
            "A phone number without a country code",
            right,
            format!("{outcome}\nno request was made"),
        );
    }

    async fn wrong_key(&mut self) -> Result<(), Failure> {
        let config = config(self.common, &self.service, "another-key")?;
        let (right, outcome) = failed_send(&self.plugin.with_config(config), CUSTOMER, |error| {
            matches!(error, Error::PermanentUnauthorized(_))
        })
        .await;
        self.step("An API key that the service does not know", right, outcome);
        Ok(())
    }

    async fn lost_reply(&mut self) {
        let before = self.service.ledger();
        let (right, outcome) = failed_send(&self.plugin, LOSES_THE_REPLY, |error| {
            matches!(error, Error::PermanentOutcomeUnknown(_))
        })
        .await;
        let after = self.service.ledger();
        let posts = after.posts().saturating_sub(before.posts());
        let created = after.messages.len().saturating_sub(before.messages.len());
        let right = right && posts == 1 && created == 1;
        let outcome = format!(
            "{outcome}\nthe service got {posts} request and created {created} message: never a second one"
        );
        self.step("A connection that breaks before the reply", right, outcome);
    }

    async fn rate_limit(&mut self) {
        let (right, outcome) = failed_send(&self.plugin, LIMITS_THE_RATE, |error| match error {
            Error::RateLimited(limit) => {
                limit.retry_after_ms.is_some_and(|ms| (60_000..61_000).contains(&ms))
            }
            _ => false,
        })
        .await;
        self.step("A service that is too busy", right, outcome);
    }

    fn finish(self, started: Instant) -> Result<(), Failure> {
        let ledger = self.service.ledger();
        let recipients: Vec<_> =
            ledger.messages.iter().map(|one| one.message.phone.as_str()).collect();
        let devices: Vec<_> =
            ledger.messages.iter().map(|one| one.message.device.clone()).collect();
        let as_expected = recipients == ["+34600111222", "+34600111222", LOSES_THE_REPLY]
            && devices == [None, Some(json!("7")), None]
            && ledger.posts() == 5
            && ledger.requests.iter().filter(|request| !request.authorized).count() == 1;
        let right = as_expected && self.steps.iter().all(|(_, right, _)| *right);
        if self.common.json {
            let steps: Vec<Value> = self
                .steps
                .iter()
                .map(|(title, right, outcome)| json!({ "step": title, "ok": right, "outcome": outcome }))
                .collect();
            print::json(&json!({ "ok": right, "steps": steps, "ledger": ledger }));
        } else {
            show_ledger(&ledger, as_expected);
            let (color, word) =
                if right { (GREEN, "as promised") } else { (RED, "NOT as promised") };
            say!("\n{color}{word}{RESET} {DIM}in {} ms{RESET}", started.elapsed().as_millis());
        }
        if right { Ok(()) } else { Err(Failure::Reported(Exit::Failed)) }
    }
}

/// Returns the event that the service delivers.
fn event() -> Event {
    Event {
        key: "evt-1".into(),
        body: json!({
            "id": "msg-in-1", "object": "message", "event": "message:in:new",
            "from": "+34600111222", "message": "When can I pick it up?",
        }),
    }
}

fn is_the_event(kept: &[messaging_inbox::Event]) -> bool {
    let sent = event().body.to_string();
    matches!(kept, [one] if one.idempotency_key == "evt-1"
        && one.message_id == "msg-in-1"
        && one.kind == "message:in:new"
        && one.json == sent)
}

fn statuses(delivered: Result<Delivery, DeliveryError>) -> Vec<u16> {
    let attempts = delivered.map(|delivery| delivery.attempts).unwrap_or_default();
    attempts.into_iter().map(|attempt| attempt.status.unwrap_or(0)).collect()
}

fn text(status: Option<&u16>) -> String {
    status.map_or_else(|| "no answer".to_string(), u16::to_string)
}

/// The webhook on a port, with its inbox in a file.
struct Receiving {
    server: Option<Server>,
    store: Option<Store>,
    webhook: Webhook,
    address: SocketAddr,
    folder: TempDir,
}

impl Receiving {
    async fn start(host: &Host) -> Result<Self, Failure> {
        let webhook = Webhook::load(host, WEBHOOK_OPEN, WebhookConfig::default())
            .map_err(|error| Failure::Failed(error.to_string()))?;
        let folder = folder::temporary().map_err(failed)?;
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut this = Self { server: None, store: None, webhook, address, folder };
        this.restart().await?;
        Ok(this)
    }

    /// Stops the server and closes the store, before the directory of the store is removed.
    async fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop().await;
        }
        // Drops the webhook's handle of the store, because the store closes only after its last
        // handle is dropped.
        self.webhook = self.webhook.with_config(WebhookConfig::default());
        if let Some(store) = self.store.take() {
            store.close().await;
        }
    }

    /// Starts the server, or stops it and starts it again with the same port and inbox file.
    async fn restart(&mut self) -> Result<(), Failure> {
        self.stop().await;
        let file = self.folder.path().join("inbox.sqlite");
        let store = Store::open(&file, messaging_inbox::Options::default())
            .map_err(|error| Failure::Failed(error.to_string()))?;
        self.webhook = self.webhook.with_config(WebhookConfig {
            environment: vec![(ALLOW_UNVERIFIED.into(), "true".into())],
            inbox: Some(Arc::new(store.clone())),
            ..WebhookConfig::default()
        });
        let options = ServeOptions::new(self.address);
        let server =
            Server::start(Deliveries::new(self.webhook.clone()), options).await.map_err(failed)?;
        self.address = server.address();
        self.server = Some(server);
        self.store = Some(store);
        Ok(())
    }

    fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

fn failed(error: std::io::Error) -> Failure {
    Failure::Failed(format!("the demo could not be set up: {error}"))
}

fn show_ledger(ledger: &messaging_simulator::service::Ledger, as_expected: bool) {
    say!("\n{} {BOLD}The service's own ledger{RESET}", show::mark(as_expected));
    for message in &ledger.messages {
        let device = message.message.device.as_ref().map(|device| format!("  device {device}"));
        let text =
            format!("{}  {:<13}{}", message.id, message.message.phone, device.unwrap_or_default());
        say!("    {}", text::printable(&text));
    }
    let (requests, messages) = (ledger.requests.len(), ledger.messages.len());
    say!("    {requests} requests received, {messages} messages created");
}

/// Sends a message that must fail. Returns true if the send failed as expected, and the error.
async fn failed_send(
    plugin: &Plugin,
    phone: &str,
    is_expected: fn(&Error) -> bool,
) -> (bool, String) {
    match plugin.send_message(&MessageRequest::new(phone, "Hello")).await {
        Ok(Err(error)) => {
            let (text, advice) = (show::error_text(&error), show::advice(&error));
            (is_expected(&error), format!("{}: {text}\n{advice}", outcome::case(&error)))
        }
        other => (false, format!("{other:?}")),
    }
}

fn config(common: &Common, service: &Service, key: &str) -> Result<PluginConfig, Failure> {
    let settings = vec![
        ("MESSAGING_BASE_URL".to_string(), service.base_url()),
        ("MESSAGING_DEADLINE_MS".to_string(), "3000".to_string()),
    ];
    let key = ApiKey::new(key.into()).map_err(Failure::usage)?;
    setup::config(common, settings, Some(key))
}
