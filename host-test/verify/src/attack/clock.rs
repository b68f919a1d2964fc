//! The family "clock", as far as it can be tried from outside: a process that is stopped past a
//! deadline, and goes on. Wall clocks that jump need an injected clock: tests do that
//! (`inbox/tests/suite/clock.rs`, `guest/core`).

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::sender::{exchange, read_reply};
use super::{Attack, Ground, body, keys, request};

/// The name of the family.
pub(super) const FAMILY: &str = "clock";

/// Every attack of the family.
pub(super) fn attacks() -> Vec<Attack> {
    vec![Attack::on_process(
        FAMILY,
        "a receiver stopped past its deadline",
        "in the middle of a delivery's body",
        stopped_receiver,
    )]
}

async fn stopped_receiver(ground: Arc<Ground>) -> anyhow::Result<String> {
    const DEADLINE: Duration = Duration::from_secs(1);
    let deadline_ms = DEADLINE.as_millis().to_string();
    let settings = [("MESSAGING_WEBHOOK_DEADLINE_MS", deadline_ms.as_str())];
    let (mut serving, store) = ground.serve_store(&[], &settings).await?;
    let whole = request("/", "", "stopped", &body("m-1")).into_bytes();
    let (left, right) = whole.split_at_checked(whole.len().saturating_sub(20)).unwrap_or_default();
    let mut stream = TcpStream::connect(serving.address()).await?;
    stream.write_all(left).await?;
    // Another one's answer: what came before it is read by now.
    let deliver = async |key: &str| {
        let whole = request("/", "", key, &body("m-1"));
        exchange(serving.address(), whole.as_bytes()).await
    };
    ensure!(deliver("before").await?.status == 200, "it does not answer at first");
    serving.stop()?;
    // A busy machine may have been past the deadline before, and have answered.
    let _ = stream.write_all(right).await;
    tokio::time::sleep(DEADLINE * 2).await;
    serving.signal(Signal::CONT);
    let within = DEADLINE.saturating_add(ground.tolerance().slack);
    let reply = tokio::time::timeout(within, read_reply(&mut stream)).await;
    let reply = reply.ok().context("no answer after it went on")??;
    let status = reply.status;
    ensure!([200, 408].contains(&status), "answered {reply:?}");
    ensure!(deliver("after").await?.status == 200, "it does not answer afterwards");
    serving.kill().await;
    let kept = keys(&store).await?;
    // Answered 408, it may be there or not: its sender repeats it.
    let is_kept = kept.iter().any(|key| key == "stopped");
    ensure!(status == 408 || is_kept, "answered 200, and not in the store: {kept:?}");
    Ok(format!("answered {status} when it went on, and as it should in the store"))
}
