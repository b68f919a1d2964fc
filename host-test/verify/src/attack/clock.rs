//! The family "clock", as far as it can be tried from outside: processes that are stopped past a
//! deadline, and go on. Wall clocks that jump need an injected clock: tests do that
//! (`inbox/tests/suite/clock.rs`, `guest/core`).

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use messaging_simulator::service::script::Answer;
use messaging_simulator::service::{Options, Service};
use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::sender::{exchange, read_reply};
use super::{Attack, Ground, body, keys, request};
use crate::process::{TIMEOUT, command, signal_to, stop};

/// The name of the family.
pub(super) const FAMILY: &str = "clock";

const KEY: &str = "clock-canary-key";

/// Every attack of the family.
pub(super) fn attacks() -> Vec<Attack> {
    vec![
        Attack::on_process(
            FAMILY,
            "a sender stopped past its deadline",
            "in the pause before its second request",
            stopped_sender,
        ),
        Attack::on_process(
            FAMILY,
            "a receiver stopped past its deadline",
            "in the middle of a delivery's body",
            stopped_receiver,
        ),
    ]
}

/// `send` to a service that refuses the first request and asks for a pause. Once it runs through,
/// and once it is stopped in the pause until its deadline has passed.
async fn stopped_sender(ground: Arc<Ground>) -> anyhow::Result<String> {
    const DEADLINE: Duration = Duration::from_secs(4);
    for (stops, posts, created) in [(false, 2, 1), (true, 1, 0)] {
        let service = Service::start(Options::new(KEY)).await?;
        service.script(Answer::reply(false, 429, &[("Retry-After", "1")], "{}"));
        let mut send = command(&ground.options.program);
        send.args(["send", "--json", "--phone", "+34600111222", "--message", "Ready"]);
        send.arg("--cache").arg(&ground.options.compiled);
        send.env("MESSAGING_BASE_URL", service.base_url()).env("MESSAGING_API_KEY", KEY);
        send.env("MESSAGING_DEADLINE_MS", DEADLINE.as_millis().to_string());
        let mut sending = send.stderr(std::process::Stdio::null()).spawn()?;
        let first = async {
            while service.ledger().posts() == 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, first).await.ok().context("no request comes")?;
        if stops {
            stop(&sending)?;
            tokio::time::sleep(DEADLINE).await;
            signal_to(&sending, Signal::CONT);
        }
        let ended = tokio::time::timeout(TIMEOUT, sending.wait()).await;
        let status = ended.ok().context("the command does not end")??;
        let ledger = service.ledger();
        let seen = (ledger.posts(), ledger.created);
        ensure!(seen == (posts, created), "stopped: {stops}: {seen:?} requests and messages");
        ensure!(status.success() != stops, "stopped: {stops}: it ended with {status}");
    }
    Ok("no request after the deadline; without the stop a second one creates the message".into())
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
