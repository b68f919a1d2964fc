//! A minimal Rust host: loads the plugin file from the current directory, and sends one message.
//!
//! Reads the base URL and the API key from the environment. The component receives a placeholder
//! instead of the API key and can connect only to the origin of the base URL. The host ends a call
//! that exceeds its limits.

use messaging_host::{
    AllowList, ApiKey, Host, Limits, Origin, Outbound, Plugin, PluginConfig, Trust, wit,
};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let base_url = std::env::var("MESSAGING_BASE_URL")?;
    let key = ApiKey::new(std::env::var("MESSAGING_API_KEY")?)?;
    let component = std::fs::read("messaging_plugin.wasm")?;

    let allowed = AllowList::of_origin(&Origin::parse(&base_url)?);
    let outbound = Outbound::new(allowed, Trust::Public)?;
    let settings = vec![("MESSAGING_BASE_URL".to_string(), base_url)];
    let config = PluginConfig::new(settings, Some(key), outbound)?;
    let plugin = Plugin::load(&Host::new(Limits::default())?, &component, config)?;

    let request = wit::MessageRequest::new("+34 600 111 222", "Your order is ready");
    // If a trap or a limit ends the call here, the message may exist.
    match plugin.send_message(&request).await? {
        Ok(created) => println!("created {}", created.id),
        // Retry only after `RateLimited` and `NotSent`: no message was created.
        Err(error) => anyhow::bail!("{error:?}"),
    }
    Ok(())
}
