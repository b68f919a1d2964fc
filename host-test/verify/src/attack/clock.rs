//! Family `clock`: a process that is suspended past a deadline, and continues. Jumps of the wall
//! clock need an injected clock, so other tests cover them (`inbox/tests/suite/clock.rs`,
//! `guest/core`).

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use messaging_conformance::delivery::{body, exchange, read_reply, request};
use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{Attack, Fixture, keys};

/// Name of the family.
pub(super) const FAMILY: &str = "clock";

/// Returns all attacks of the family.
pub(super) fn attacks() -> Vec<Attack> {
    vec![Attack::on_process(
        FAMILY,
        "a receiver suspended past its deadline",
        "in the middle of a delivery's body",
        stopped_receiver,
    )]
}

async fn stopped_receiver(fixture: Arc<Fixture>) -> anyhow::Result<String> {
    const DEADLINE: Duration = Duration::from_secs(1);
    let deadline_ms = DEADLINE.as_millis().to_string();
    let settings = [("MESSAGING_WEBHOOK_DEADLINE_MS", deadline_ms.as_str())];
    let (mut serving, store) = fixture.serve_store(&[], &settings).await?;
    let whole = request("/", "", "stopped", &body("m-1")).into_bytes();
    let (left, right) = whole.split_at_checked(whole.len().saturating_sub(20)).unwrap_or_default();
    let mut stream = TcpStream::connect(serving.address()).await?;
    stream.write_all(left).await?;
    // A response to a second delivery shows that the server has read the earlier bytes.
    let deliver = async |key: &str| {
        let whole = request("/", "", key, &body("m-1"));
        exchange(serving.address(), whole.as_bytes()).await
    };
    ensure!(deliver("before").await?.status == 200, "no answer before the stop");
    serving.stop()?;
    // On a busy machine, the server may have reached the deadline before the stop, and answered.
    let _ = stream.write_all(right).await;
    tokio::time::sleep(DEADLINE * 2).await;
    serving.signal(Signal::CONT);
    let within = DEADLINE.saturating_add(fixture.options.slack);
    let reply = tokio::time::timeout(within, read_reply(&mut stream)).await;
    let reply = reply.ok().context("no answer after the process continued")??;
    let status = reply.status;
    ensure!([200, 408].contains(&status), "answered {reply:?}");
    ensure!(deliver("after").await?.status == 200, "no answer at the end");
    serving.kill().await;
    let kept = keys(&store).await?;
    // After status 408, the event may be stored or not, because the event source retries it.
    let is_kept = kept.iter().any(|key| key == "stopped");
    ensure!(status == 408 || is_kept, "answered 200, but not in the store: {kept:?}");
    Ok(format!("answered {status} after the process continued; the store is correct"))
}
