//! The simulated service for benchmarks: its CPU time is not the caller's.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use messaging_host::outbound::Trust;
use messaging_host::{AllowList, ApiKey, Origin, Outbound, PluginConfig};
use serde_json::Value;

/// The key that it accepts.
pub const KEY: &str = "bench-key";

/// The simulated service in a process of its own.
pub struct Service {
    child: Child,
    /// Its base URL.
    pub base: String,
}

impl Service {
    /// Starts it; each of its answers takes so long.
    pub fn start(latency_ms: u32) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_messaging"))
            .args(["service", "--json", "--listen", "127.0.0.1:0", "--key", KEY, "--forget"])
            .args(["--latency-ms", &latency_ms.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let mut text = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        while !text.ends_with("}\n") {
            assert!(lines.read_line(&mut text).unwrap() > 0, "the service said nothing");
        }
        let started: Value = serde_json::from_str(&text).unwrap();
        // Its pipe stays open, unread: it says nothing more.
        std::thread::spawn(move || lines.read_to_string(&mut String::new()));
        Self { child, base: started["base-url"].as_str().unwrap().to_string() }
    }
}

/// A plugin's configuration for a service.
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
