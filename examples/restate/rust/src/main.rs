//! Serves the handlers to Restate.
//!
//! ```text
//! MESSAGING_BASE_URL=… MESSAGING_API_KEY=… [MESSAGING_DEADLINE_MS=…] restate-worker PLUGIN.wasm [PORT]
//! ```
//!
//! After SIGTERM, the worker starts no request. It exits when all requests in flight have a result.

use std::time::Duration;

use anyhow::Context;
use messaging_core::settings::deadline_ms;
use messaging_host::cache::Cache;
use messaging_host::{
    AllowList, ApiKey, Host, Limits, Origin, Outbound, Plugin, PluginConfig, Trust,
};
use restate_sdk::endpoint::Endpoint;
use restate_worker::customer::{Customer, Events};
use restate_worker::message::{Message, SystemClock};
use restate_worker::order::Order;
use restate_worker::requests::Requests;
use restate_worker::server;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing::Level;

/// Difference between the deadlines of the plugin and the host, so that the plugin ends a call
/// first.
const GRACE: Duration = Duration::from_secs(1);

/// Time for the last results to reach Restate.
const FAREWELL: Duration = Duration::from_millis(500);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_max_level(Level::WARN).with_writer(std::io::stderr).init();
    let mut arguments = std::env::args().skip(1);
    let component = arguments.next().context("usage: restate-worker PLUGIN.wasm [PORT]")?;
    let component = std::fs::read(&component).with_context(|| component.clone())?;
    let port = arguments.next().unwrap_or_else(|| "9080".into());
    // The default of 30 s is below Restate's `inactivity-timeout` of 1 min.
    let deadline_ms = deadline_ms(std::env::vars())
        .map_err(|error| anyhow::anyhow!("{} {}", error.setting, error.detail))?;
    let deadline = Duration::from_millis(deadline_ms.into());

    let requests = Requests::new(plugin(&component, deadline, deadline_ms.to_string())?);
    let endpoint = Endpoint::builder()
        .bind(Message::new(requests.clone(), deadline, SystemClock))
        .bind(Order)
        .bind(Customer)
        .bind(Events)
        .build();

    // Listens for Restate's servers. Other clients on this host can call the handlers too. To
    // reject their requests, use the SDK's `identity_key`, which needs the feature `aws_lc_rs` or
    // `rust_crypto`.
    let listener = TcpListener::bind(("127.0.0.1", port.parse().context("PORT")?)).await?;
    println!("http://{}", listener.local_addr()?);
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::spawn(server::serve(listener, endpoint));
    terminate.recv().await;
    requests.close().await;
    tokio::time::sleep(FAREWELL).await;
    Ok(())
}

/// Loads the plugin with settings from the environment.
fn plugin(component: &[u8], deadline: Duration, deadline_ms: String) -> anyhow::Result<Plugin> {
    let base_url = std::env::var("MESSAGING_BASE_URL").context("MESSAGING_BASE_URL")?;
    let key = std::env::var("MESSAGING_API_KEY").context("MESSAGING_API_KEY")?;
    let allowed = AllowList::of_origin(&Origin::parse(&base_url)?);
    let outbound = Outbound::new(allowed, Trust::Public)?;
    let settings = vec![
        ("MESSAGING_BASE_URL".to_string(), base_url),
        ("MESSAGING_DEADLINE_MS".to_string(), deadline_ms),
    ];
    let config = PluginConfig::new(settings, Some(ApiKey::new(key)?), outbound)?;
    let host = Host::new(Limits { wall: deadline.saturating_add(GRACE), ..Limits::default() })?;
    // With a cache, a killed worker restarts without compiling the plugin again.
    let host = match Cache::usual_folder().as_deref().map(Cache::open) {
        Some(Ok(cache)) => host.with_cache(cache),
        Some(Err(_)) | None => host,
    };
    Ok(Plugin::load(&host, component, config)?)
}
