//! A worker for tests. Stops the processes in PIDS when it writes an intent, before Restate
//! replicates the intent. Reports its first intent as STILL_MS older than it is. Instead of calling
//! the plugin, it prints a line for each intent and each request.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context;
use messaging_host::{CallResult, Messaging, wit};
use restate_sdk::endpoint::Endpoint;
use restate_worker::message::{Message, Stopwatch};
use restate_worker::requests::{Moment, Requests};
use restate_worker::server;
use rustix::process::{Pid, Signal, kill_process};
use tokio::net::TcpListener;

const DEADLINE: Duration = Duration::from_millis(200);

/// A provider that creates every message and prints it.
struct Counting;

impl Messaging for Counting {
    async fn send_message(&self, request: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        println!("request: {}", request.message);
        Ok(Ok(wit::CreatedMessage { id: request.message.clone(), json: "{}".into() }))
    }
}

struct Disturbing {
    pids: Vec<Pid>,
    still: Duration,
    has_stood_still: AtomicBool,
}

impl Stopwatch for Disturbing {
    fn start(&self) -> Moment {
        for pid in &self.pids {
            // An error means that the process has ended, which is just as good.
            let _ = kill_process(*pid, Signal::STOP);
        }
        println!("intent");
        (Instant::now(), SystemTime::now())
    }

    fn elapsed(&self, since: Moment) -> Duration {
        match self.has_stood_still.swap(true, Ordering::Relaxed) {
            true => since.0.elapsed(),
            false => since.0.elapsed().saturating_add(self.still),
        }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let port = std::env::args().nth(1).context("usage: intent PORT")?;
    let still_ms = std::env::var("STILL_MS").unwrap_or_else(|_| "0".into());
    let pids = std::env::var("PIDS").unwrap_or_default();
    let pids = pids.split_whitespace().map(|pid| Pid::from_raw(pid.parse().ok()?));
    let disturbing = Disturbing {
        pids: pids.collect::<Option<_>>().context("PIDS")?,
        still: Duration::from_millis(still_ms.parse().context("STILL_MS")?),
        has_stood_still: AtomicBool::new(false),
    };
    let message = Message::new(Requests::new(Counting), DEADLINE, disturbing);
    let endpoint = Endpoint::builder().bind(message).build();
    let listener = TcpListener::bind(("127.0.0.1", port.parse().context("PORT")?)).await?;
    server::serve(listener, endpoint).await;
    Ok(())
}
