//! A process that sends: takes keys from standard input, and repeats each until it is answered.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream;
use messaging_components::{PLUGIN, PLUGIN_ONCE_FILES, PLUGIN_ONCE_HTTP};
use messaging_host::once::wit::{MessageRequest, OnceError};
use messaging_host::once::{self, OnceConfig, SendOnce};
use messaging_host::outbound::Trust;
use messaging_host::{
    AllowList, ApiKey, CallResult, Host, Messaging, Once, Origin, Outbound, Plugin, PluginConfig,
    wit,
};
use messaging_journal::{Journal, Step};
#[cfg(unix)]
use messaging_postgres::journal as postgres;

use crate::boundary::Boundary;
use crate::once::OverHttp;
use crate::process::UP;

/// Calls at once.
const AT_ONCE: usize = 8;
/// The provider's deadline: short, so that intents of killed processes are over soon.
pub(super) const DEADLINE: Duration = Duration::from_millis(1_000);
/// Pause of a caller before it repeats.
const PAUSE: Duration = Duration::from_millis(20);

/// Options of a process that sends.
pub struct WorkerOptions {
    /// The service.
    pub base_url: String,
    /// The account's key.
    pub api_key: String,
    /// Where it keeps its journal.
    pub journal: Located,
    /// The boundary point at which the process kills itself; 0 counts them.
    pub kill_at: Option<u64>,
}

/// Where a process keeps its journal.
pub enum Located {
    /// In this file of SQLite.
    Sqlite(PathBuf),
    /// In this folder.
    Files(PathBuf),
    /// On this server.
    Http(OverHttp),
    /// In this database.
    #[cfg(unix)]
    Postgres(messaging_postgres::Target),
}

/// Sends under each key of standard input until it is answered. Prints that it begins, `up .`, and
/// the answers: `created KEY ID RECORDED .` or `unknown KEY .`, a line for each.
///
/// # Errors
/// The plugin or the journal cannot be used.
pub async fn work(options: WorkerOptions, host: Host) -> anyhow::Result<()> {
    let boundary = Arc::new(Boundary::new(options.kill_at.unwrap_or(u64::MAX)));
    let mut allowed = vec![Origin::parse(&options.base_url)?];
    let mut settings = vec![
        ("MESSAGING_BASE_URL".to_string(), options.base_url),
        ("MESSAGING_DEADLINE_MS".to_string(), DEADLINE.as_millis().to_string()),
    ];
    if let Located::Http(journal) = &options.journal {
        allowed.push(Origin::parse(&journal.url)?);
        settings.extend(journal.settings());
    }
    let outbound = Outbound::new(AllowList::of_origins(&allowed), Trust::Public)?;
    let config = PluginConfig::new(settings, Some(ApiKey::new(options.api_key)?), outbound)?;
    let passed = Arc::clone(&boundary);
    let in_component = async |component: &[u8], folder: Option<PathBuf>| {
        let config = OnceConfig {
            folder,
            at_host_call: Some(Arc::new(move || passed.pass())),
            ..OnceConfig::new(config.clone())
        };
        let once = once::Plugin::load(&host, component, config)?;
        print(UP);
        send_all(&once, keys(), print).await;
        anyhow::Ok(None)
    };
    let stepping = Arc::clone(&boundary);
    let on_step: Option<Step> = Some(Arc::new(move |_| stepping.pass()));
    let journal = match options.journal {
        Located::Sqlite(file) => {
            let timeout = Duration::from_secs(5);
            let options = messaging_journal::Options { create: true, timeout, on_step };
            Some(Journal::open(file, options)?)
        }
        #[cfg(unix)]
        Located::Postgres(target) => {
            let options = postgres::Options { on_step, ..postgres::Options::default() };
            Some(postgres::open(&target, options).await?)
        }
        Located::Files(folder) => in_component(PLUGIN_ONCE_FILES, Some(folder)).await?,
        Located::Http(_) => in_component(PLUGIN_ONCE_HTTP, None).await?,
    };
    if let Some(journal) = journal {
        let provider = Counted(Plugin::load(&host, PLUGIN, config)?, Arc::clone(&boundary));
        print(UP);
        send_all(&Once::new(provider, Arc::new(journal), DEADLINE), keys(), print).await;
    }
    if options.kill_at == Some(0) {
        print(&format!("points {} .", boundary.passed()));
    }
    Ok(())
}

fn keys() -> Vec<String> {
    let keys = std::io::stdin().lock().lines().map_while(Result::ok);
    keys.filter(|key| !key.is_empty()).collect()
}

/// Sends under each key until it is answered, and hands over each answer as a line.
pub(super) async fn send_all(
    once: &impl SendOnce,
    keys: Vec<String>,
    answered: impl Fn(&str) + Sync,
) {
    let answered = &answered;
    stream::iter(keys).for_each_concurrent(AT_ONCE, |key| send(once, key, answered)).await;
}

/// Repeats a key until it is answered, as whoever calls it would.
async fn send(once: &impl SendOnce, key: String, answered: &(impl Fn(&str) + Sync)) {
    let request = MessageRequest::new("+34600111222", &key);
    loop {
        match once.send_once(&key, &request).await {
            Ok(Ok(created)) => {
                answered(&format!("created {key} {} {} .", created.id, created.recorded));
                return;
            }
            Ok(Err(OnceError::PermanentOutcomeUnknown(_))) => {
                answered(&format!("unknown {key} ."));
                return;
            }
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Prints a line whole; a kill may cut it short.
fn print(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

/// A provider whose calls begin and end at boundary points.
struct Counted(Plugin, Arc<Boundary>);

impl Messaging for Counted {
    async fn send_message(&self, request: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        self.1.pass();
        let result = self.0.send_message(request).await;
        self.1.pass();
        result
    }

    async fn list_templates(&self, query: &wit::TemplateQuery) -> CallResult<wit::TemplatePage> {
        self.0.list_templates(query).await
    }

    async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        self.0.handle_event(delivery).await
    }
}
