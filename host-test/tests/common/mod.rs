//! What every family of tests needs: a simulated service, and the plugin in its host.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses a part of it")]

use std::sync::OnceLock;

use host_test::outbound::Trust;
use host_test::service::{Ledger, Options, Service};
use host_test::{AllowList, Host, Limits, Outbound, PLUGIN, Plugin, Sandbox, wit};
use messaging_core::origin::Origin;
use messaging_core::secret::ApiKey;

pub const KEY: &str = "canary-key-3f9a71";

/// One compiled plugin for a whole test binary.
fn compiled() -> &'static Plugin {
    static PLUGIN_ONCE: OnceLock<Plugin> = OnceLock::new();
    PLUGIN_ONCE.get_or_init(|| {
        let limits = Limits { instances: 64, ..Limits::default() };
        Plugin::load(&Host::new(limits).unwrap(), PLUGIN, sandbox(&[], None)).unwrap()
    })
}

/// A sandbox that may reach its base URL, trusting public certificates.
pub fn sandbox(settings: &[(&str, &str)], key: Option<&str>) -> Sandbox {
    sandbox_trusting(settings, key, Trust::Public)
}

pub fn sandbox_trusting(settings: &[(&str, &str)], key: Option<&str>, trust: Trust) -> Sandbox {
    let base = settings.iter().find(|(name, _)| *name == "MESSAGING_BASE_URL");
    let allow = base.and_then(|(_, url)| Origin::parse(url).ok());
    let allow = allow.as_ref().map(AllowList::of_origin).unwrap_or_default();
    let outbound = Outbound::new(allow, trust).unwrap();
    let own = settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    Sandbox::new(own, key.map(|key| ApiKey::new(key.into()).unwrap()), outbound)
}

/// The plugin with these settings.
pub fn plugin(settings: &[(&str, &str)], key: Option<&str>) -> Plugin {
    compiled().with_sandbox(sandbox(settings, key))
}

pub fn plugin_in(sandbox: Sandbox) -> Plugin {
    compiled().with_sandbox(sandbox)
}

/// A service and a plugin set up for it, with a deadline short enough for a test.
pub struct Setup {
    pub service: Service,
    pub plugin: Plugin,
}

pub async fn setup() -> Setup {
    setup_with(Options::new(KEY), &[("MESSAGING_DEADLINE_MS", "5000")]).await
}

pub async fn setup_with(options: Options, settings: &[(&str, &str)]) -> Setup {
    let service = Service::start(options).await.unwrap();
    let base = service.base_url();
    let mut all = vec![("MESSAGING_BASE_URL", base.as_str())];
    all.extend_from_slice(settings);
    let plugin = plugin(&all, Some(KEY));
    Setup { service, plugin }
}

impl Setup {
    pub async fn send(&self, phone: &str) -> Result<wit::CreatedMessage, wit::Error> {
        self.plugin.send_message(&message(phone)).await.unwrap()
    }

    pub fn ledger(&self) -> Ledger {
        self.service.ledger()
    }
}

pub fn message(phone: &str) -> wit::MessageRequest {
    wit::MessageRequest { phone: phone.into(), message: "Your order is ready".into(), device: None }
}

pub fn query() -> wit::TemplateQuery {
    wit::TemplateQuery { status: None, parameters: vec![], every_page: None }
}
