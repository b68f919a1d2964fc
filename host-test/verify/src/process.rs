//! Processes that are judged: started, signalled, killed, several at once. `serve`, and those that
//! say in lines how far they have come.

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

/// Time for a process to answer, on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);
/// Time after which a campaign gives up on what has to happen, as a process that comes up or ends.
/// Long: a machine can leave a process without a processor for minutes, which is no finding.
pub(crate) const PATIENCE: Duration = Duration::from_secs(900);

/// Waits for what has to happen; the error says `what` was waited for.
pub(crate) async fn awaited<T>(
    what: impl FnOnce() -> String,
    happens: impl Future<Output = T>,
) -> anyhow::Result<T> {
    let happened = tokio::time::timeout(PATIENCE, happens).await;
    happened.ok().with_context(|| format!("{} within {} s", what(), PATIENCE.as_secs()))
}

/// The program without any settings of whoever runs it, killed when it is dropped. It logs
/// errors alone.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    only_own_settings(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    command
}

/// Takes from a process the settings of whoever starts it.
pub(crate) fn only_own_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("MESSAGING_")) {
            command.env_remove(name);
        }
    }
    command.env("RUST_LOG", "error");
}

/// An address of this machine, which nobody else is given while the process that listens there is
/// away: a port that is free can be any connection's.
pub(crate) struct Address {
    address: SocketAddr,
    /// Bound, and never listens: on Linux that leaves the address to who listens, and to nobody else.
    _reserved: Option<TcpSocket>,
}

impl Address {
    /// # Errors
    /// There is none.
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

/// A process that runs `serve --json`. It is killed when it is dropped.
pub(crate) struct Serving {
    child: Child,
    /// Kept open, because a process may write to it.
    _output: Lines<BufReader<ChildStdout>>,
    address: SocketAddr,
    /// The line that says where it listens.
    ready: Value,
}

impl Serving {
    /// Starts it, and waits until it listens.
    pub(crate) async fn start(mut command: Command) -> anyhow::Result<Self> {
        let mut child = command.spawn().context("the receiving process does not start")?;
        let output = child.stdout.take().context("the process has no output")?;
        let mut output = BufReader::new(output).lines();
        let not_up = || "the receiving process does not come up".to_string();
        let Some(line) = awaited(not_up, output.next_line()).await?? else {
            let status = child.wait().await?;
            anyhow::bail!(
                "the process ended before it listened, with {status}: it does not open its store"
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
        let address = address.with_context(|| format!("{line} names no address"))?;
        Ok(Self { child, _output: output, address, ready })
    }

    /// Returns where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of a further listener.
    pub(crate) fn url(&self, listener: &str) -> Option<&str> {
        self.ready.get(listener)?.as_str()
    }

    /// Kills it with SIGKILL, and waits until it is gone.
    pub(crate) async fn kill(&mut self) {
        let _ = self.child.kill().await;
    }

    /// Sends it a signal.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        signal_to(&self.child, signal);
    }

    /// Stops it, until it gets SIGCONT. Waits until each of its threads has stopped: one that goes
    /// on for a moment may take what is sent next.
    #[cfg(unix)]
    pub(crate) fn stop(&self) -> anyhow::Result<()> {
        use rustix::process::{Signal, WaitId, WaitIdOptions, waitid};

        let id = process_id(&self.child).context("the process has ended")?;
        self.signal(Signal::STOP);
        waitid(WaitId::Pid(id), WaitIdOptions::STOPPED).context("the process does not stop")?;
        Ok(())
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> anyhow::Result<ExitStatus> {
        let not_ended = || "the receiving process does not end".to_string();
        Ok(awaited(not_ended, self.child.wait()).await??)
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }
}

/// A process that says in lines what it has done. It is killed when it is dropped.
pub(crate) struct Talking {
    child: Child,
    /// `None` once all that it says was taken.
    reader: Option<JoinHandle<()>>,
}

impl Talking {
    /// Hands over each line of its output.
    ///
    /// # Errors
    /// It has no output.
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

    /// Returns the process ID, unless the process has ended.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for its end, and for the end of what it says.
    pub(crate) async fn ended(&mut self) -> std::io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        if let Some(reader) = &mut self.reader {
            let _ = reader.await;
        }
        self.reader = None;
        Ok(status)
    }
}

/// Kills processes with SIGKILL, all before the first is waited for. Returns the number of those
/// that were ended by it: one can have ended before.
pub(crate) async fn kill_all(mut children: Vec<&mut Child>) -> u64 {
    children.iter_mut().for_each(|child| drop(child.start_kill()));
    let mut killed = 0_u64;
    for child in children {
        let ended = child.wait().await;
        killed = killed.saturating_add(ended.is_ok_and(was_killed).into());
    }
    killed
}

/// Whether SIGKILL has ended it.
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

/// Chooses which of so many processes are killed at once, `most` of them at most: all in one of four
/// cases, else any number.
pub(crate) fn salvo(random: &mut StdRng, processes: usize, most: u64) -> Vec<usize> {
    let all = random.random_ratio(1, 4);
    let count = if all { processes } else { random.random_range(1..=processes.max(1)) };
    let most = usize::try_from(most).unwrap_or(usize::MAX).min(processes);
    index::sample(random, processes, count.min(most)).into_vec()
}

/// Sends a signal to a process that has not ended.
#[cfg(unix)]
pub(crate) fn signal_to(child: &Child, signal: rustix::process::Signal) {
    if let Some(id) = process_id(child) {
        let _ = rustix::process::kill_process(id, signal);
    }
}

/// Returns the process ID, unless the process has ended.
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
    fn a_salvo_takes_one_some_or_all_each_once_and_never_too_many() {
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
    async fn who_has_ended_before_is_not_counted_as_killed() {
        let start = |script: &str| {
            let mut command = command(Path::new("sh"));
            command.args(["-c", script]).spawn().unwrap()
        };
        let (mut lives, mut ended) = (start("exec sleep 60"), start("exit 0"));
        ended.wait().await.unwrap();
        assert_eq!(kill_all(vec![&mut lives, &mut ended]).await, 1);
    }
}
