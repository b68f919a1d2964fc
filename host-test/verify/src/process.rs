//! Starts, signals and kills processes under test, also several at the same time. A process runs
//! `serve`, or reports its progress in lines.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::Context;
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::index;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::net::TcpSocket;
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::JoinHandle;

/// Timeout for a response of a process, long enough for a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);
/// Timeout of a campaign for the start or end of a process. It is long, because a busy machine can
/// leave a process without a processor for minutes.
pub(crate) const LONG_TIMEOUT: Duration = Duration::from_secs(900);

/// Waits for `happens`, at most [`LONG_TIMEOUT`]. `what` describes the failure for the error, for
/// example `the server does not end`.
pub(crate) async fn awaited<T>(
    what: impl FnOnce() -> String,
    happens: impl Future<Output = T>,
) -> anyhow::Result<T> {
    let happened = tokio::time::timeout(LONG_TIMEOUT, happens).await;
    happened.ok().with_context(|| format!("{} within {} s", what(), LONG_TIMEOUT.as_secs()))
}

/// Returns a command for `program` without inherited settings, with log level `error`. Dropping the
/// process kills it.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    only_own_settings(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    command
}

/// Removes inherited settings from a command, and sets its log level to `error`.
pub(crate) fn only_own_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("MESSAGING_")) {
            command.env_remove(name);
        }
    }
    command.env("RUST_LOG", "error");
}

/// A loopback address that stays reserved while its server is not running. Without the reservation,
/// the system could assign its port to another connection.
pub(crate) struct Address {
    address: SocketAddr,
    /// A bound socket that never listens. On Linux, a server that asks for this address can still
    /// listen on it, but the system does not choose its port for other sockets.
    _reserved: Option<TcpSocket>,
}

impl Address {
    /// Reserves a free port.
    ///
    /// # Errors
    /// Returns an error if no port is available.
    pub(crate) fn reserve() -> anyhow::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let address = socket.local_addr()?;
        Ok(Self { address, _reserved: cfg!(target_os = "linux").then_some(socket) })
    }

    pub(crate) fn get(&self) -> SocketAddr {
        self.address
    }
}

/// A process that runs `serve --json`. Dropping this value kills the process.
pub(crate) struct Serving {
    child: Child,
    /// Standard output, kept open because the process may write to it.
    _output: Lines<BufReader<ChildStdout>>,
    address: SocketAddr,
    /// The line of JSON with the URLs of the listeners.
    ready: Value,
}

impl Serving {
    /// Starts the process and waits until it listens.
    pub(crate) async fn start(mut command: Command) -> anyhow::Result<Self> {
        let mut child = command.spawn().context("the receiving process does not start")?;
        let output = child.stdout.take().context("the process has no output")?;
        let mut output = BufReader::new(output).lines();
        let not_up = || "the receiving process does not become ready".to_string();
        let Some(line) = awaited(not_up, output.next_line()).await?? else {
            let status = child.wait().await?;
            anyhow::bail!(
                "the process ended with {status} before it listened; check access to its store"
            );
        };
        let Ok(ready) = serde_json::from_str::<Value>(&line) else {
            let mut said = line;
            while let Some(line) = awaited(not_up, output.next_line()).await?? {
                said.push_str(line.trim());
            }
            anyhow::bail!("the process does not start: {said}");
        };
        let url = ready.get("url").and_then(Value::as_str).unwrap_or_default();
        let address = url.split('/').nth(2).and_then(|address| address.parse().ok());
        let address = address.with_context(|| format!("{line} contains no address"))?;
        Ok(Self { child, _output: output, address, ready })
    }

    /// Returns the address of the webhook.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of a listener, for example of `workers`.
    pub(crate) fn url(&self, listener: &str) -> Option<&str> {
        self.ready.get(listener)?.as_str()
    }

    /// Kills the process with SIGKILL and waits for its end.
    pub(crate) async fn kill(&mut self) {
        let _ = self.child.kill().await;
    }

    /// Sends a signal to the process.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        signal_to(&self.child, signal);
    }

    /// Stops the process with SIGSTOP; SIGCONT resumes it. Waits until every thread has stopped,
    /// because a running thread could still read input.
    #[cfg(unix)]
    pub(crate) fn stop(&self) -> anyhow::Result<()> {
        use rustix::process::{Signal, WaitId, WaitIdOptions, waitid};

        let id = process_id(&self.child).context("the process has ended")?;
        self.signal(Signal::STOP);
        waitid(WaitId::Pid(id), WaitIdOptions::STOPPED).context("the process does not stop")?;
        Ok(())
    }

    /// Waits for the end of the process.
    pub(crate) async fn ended(&mut self) -> anyhow::Result<ExitStatus> {
        let not_ended = || "the receiving process does not end".to_string();
        Ok(awaited(not_ended, self.child.wait()).await??)
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }
}

/// A process that reports its progress in lines. Dropping this value kills the process.
pub(crate) struct LineProcess {
    child: Child,
    /// The task that reads the output; `None` after the output has ended.
    reader: Option<JoinHandle<()>>,
}

impl LineProcess {
    /// Calls `take` with each line of the output.
    ///
    /// # Errors
    /// Returns an error if the output is not piped.
    pub(crate) fn of_lines(
        mut child: Child,
        mut take: impl FnMut(&str) + Send + 'static,
    ) -> anyhow::Result<Self> {
        let output = child.stdout.take().context("the process has no output")?;
        let reader = tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                take(&line);
            }
        });
        Ok(Self { child, reader: Some(reader) })
    }

    /// Returns the process ID; `None` if the process has ended.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for the end of the process and of its output.
    pub(crate) async fn ended(&mut self) -> std::io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        if let Some(reader) = &mut self.reader {
            let _ = reader.await;
        }
        self.reader = None;
        Ok(status)
    }
}

/// Sends SIGKILL to all processes, then waits for their ends. Returns the number of processes that
/// SIGKILL ended. The other processes had ended earlier.
pub(crate) async fn kill_all(mut children: Vec<&mut Child>) -> u64 {
    children.iter_mut().for_each(|child| drop(child.start_kill()));
    let mut killed = 0_u64;
    for child in children {
        let ended = child.wait().await;
        killed = killed.saturating_add(ended.is_ok_and(was_killed).into());
    }
    killed
}

/// Returns true if SIGKILL ended the process. Outside of Unix, returns true after any failure.
pub(crate) fn was_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        status.signal() == Some(9)
    }
    #[cfg(not(unix))]
    {
        !status.success()
    }
}

/// Chooses at most `most` processes to kill at once: all in one of four cases, otherwise a random
/// number of at least one.
pub(crate) fn salvo(random: &mut StdRng, processes: usize, most: u64) -> Vec<usize> {
    let all = random.random_ratio(1, 4);
    let count = if all { processes } else { random.random_range(1..=processes.max(1)) };
    let most = usize::try_from(most).unwrap_or(usize::MAX).min(processes);
    index::sample(random, processes, count.min(most)).into_vec()
}

/// Sends a signal to a process, unless it has ended.
#[cfg(unix)]
pub(crate) fn signal_to(child: &Child, signal: rustix::process::Signal) {
    if let Some(id) = process_id(child) {
        let _ = rustix::process::kill_process(id, signal);
    }
}

/// Returns the process ID; `None` if the process has ended.
#[cfg(unix)]
fn process_id(child: &Child) -> Option<rustix::process::Pid> {
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    id.and_then(rustix::process::Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn salvo_kills_distinct_processes() {
        let mut random = StdRng::seed_from_u64(1);
        let mut sizes = [0; 6];
        for _ in 0..1_000 {
            let mut chosen = salvo(&mut random, 5, 100);
            chosen.sort_unstable();
            chosen.dedup();
            assert!(chosen.iter().all(|which| *which < 5));
            sizes[chosen.len()] += 1;
            assert_eq!(salvo(&mut random, 5, 1).len(), 1);
        }
        assert_eq!(sizes[0], 0);
        assert!(sizes[1..].iter().all(|count| *count > 100), "{sizes:?}");
        assert!(sizes[5] > 300, "{sizes:?}");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn ended_process_is_not_killed() {
        let start = |script: &str| {
            let mut command = command(Path::new("sh"));
            command.args(["-c", script]).spawn().unwrap()
        };
        let (mut lives, mut ended) = (start("exec sleep 60"), start("exit 0"));
        ended.wait().await.unwrap();
        assert_eq!(kill_all(vec![&mut lives, &mut ended]).await, 1);
    }
}
