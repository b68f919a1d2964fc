//! A minimal Rust host: loads the plugin file and sends one message.
//!
//! ```text
//! embed-rust PLUGIN.wasm PHONE TEXT
//! ```
//!
//! Reads the base URL and the API key from the environment. The component receives a placeholder
//! instead of the API key and can connect only to the origin of the base URL. The host ends a call
//! that exceeds its limits.

use anyhow::{Context, bail};
use messaging_host::{
    AllowList, ApiKey, Host, Limits, Origin, Outbound, Plugin, PluginConfig, Trust, wit,
};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, phone, message] = arguments.as_slice() else {
        bail!("usage: embed-rust PLUGIN.wasm PHONE TEXT");
    };
    let base_url = std::env::var("MESSAGING_BASE_URL").context("MESSAGING_BASE_URL")?;
    let key = std::env::var("MESSAGING_API_KEY").context("MESSAGING_API_KEY")?;
    let component = std::fs::read(file).with_context(|| file.clone())?;

    let allowed = AllowList::of_origin(&Origin::parse(&base_url)?);
    let outbound = Outbound::new(allowed, Trust::Public)?;
    let settings = vec![("MESSAGING_BASE_URL".to_string(), base_url)];
    let key = ApiKey::new(key)?;
    let config = PluginConfig::new(settings, Some(key), outbound)?;
    let plugin = Plugin::load(&Host::new(Limits::default())?, &component, config)?;

    let request = wit::MessageRequest::new(phone, message);
    // If a trap or a limit ends the call here, the message may exist.
    match plugin.send_message(&request).await? {
        Ok(created) => println!("created {}", created.id),
        // Retry only after `RateLimited` and `NotSent`: no message was created.
        Err(error) => bail!("{error:?}"),
    }
    Ok(())
}
