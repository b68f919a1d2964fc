//! The simulated service in a separate process, so that its CPU time is not counted for the caller.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use messaging_host::outbound::Trust;
use messaging_host::{AllowList, ApiKey, Origin, Outbound, PluginConfig};
use serde_json::Value;

/// The API key that the service accepts.
pub const KEY: &str = "bench-key";

/// The process of a simulated service.
pub struct Service {
    child: Child,
    /// Base URL of the service.
    pub base: String,
}

impl Service {
    /// Starts the service. Each answer is delayed by `latency_ms`.
    pub fn start(latency_ms: u32) -> Self {
        let mut child = Command::new(messaging_verify::program::messaging().unwrap())
            .args(["service", "--json", "--listen", "127.0.0.1:0", "--key", KEY, "--forget"])
            .args(["--latency-ms", &latency_ms.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let mut text = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        while !text.ends_with("}\n") {
            assert!(lines.read_line(&mut text).unwrap() > 0, "the service printed no address");
        }
        let started: Value = serde_json::from_str(&text).unwrap();
        // Keeps the pipe open until the service exits.
        std::thread::spawn(move || lines.read_to_string(&mut String::new()));
        Self { child, base: started["base-url"].as_str().unwrap().to_string() }
    }
}

/// Returns a plugin configuration for a service.
pub fn config(base: &str) -> PluginConfig {
    let origin = Origin::parse(base).unwrap();
    let outbound = Outbound::new(AllowList::of_origin(&origin), Trust::Public).unwrap();
    let settings = vec![("MESSAGING_BASE_URL".to_string(), base.to_string())];
    PluginConfig::new(settings, Some(ApiKey::new(KEY.into()).unwrap()), outbound).unwrap()
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
