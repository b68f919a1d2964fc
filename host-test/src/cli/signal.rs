//! Signals that stop a long-running command, and limits on its open files and file sizes.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Signals within this time count as one request to stop, because the program `timeout` sends its
/// signal twice: to the process, and to the process group.
const TOGETHER: Duration = Duration::from_millis(500);

/// Timeout for writing the last line.
const TIME_TO_SAY: Duration = Duration::from_secs(1);

/// The signals that stop the process: Ctrl-C, SIGTERM of service managers, and SIGHUP of a closed
/// terminal. While this value exists, a signal does not end the process at once; the process stops
/// itself. Create the value before the process reports that it is ready.
///
/// Ctrl-C and SIGHUP stay ignored if they were ignored when the process started, as with `nohup` or
/// `&` of a shell. Only Linux reports ignored signals. Other systems are treated as if no signal
/// was ignored.
pub struct Stop {
    #[cfg(unix)]
    signals: [Option<tokio::signal::unix::Signal>; 3],
    /// Time of the last request to stop.
    heard: Option<Instant>,
}

impl Default for Stop {
    fn default() -> Self {
        Self::new()
    }
}

impl Stop {
    /// Listens to the signals from now on. Requires a tokio runtime.
    pub fn new() -> Self {
        #[cfg(unix)]
        {
            use rustix::process::Signal;
            let ignored = ignored();
            let heard = |signal: Signal| !ignored.contains(&signal) || signal == Signal::TERM;
            let signals = [Signal::INT, Signal::TERM, Signal::HUP].map(|signal| {
                let kind = tokio::signal::unix::SignalKind::from_raw(signal.as_raw());
                heard(signal).then(|| tokio::signal::unix::signal(kind).ok()).flatten()
            });
            Self { signals, heard: None }
        }
        #[cfg(not(unix))]
        Self { heard: None }
    }

    /// Creates a [`Stop`]. With `tls`, SIGHUP reloads the certificate. Without `tls`, SIGHUP stops
    /// the process if it runs in a terminal, because the terminal was closed; otherwise SIGHUP is
    /// ignored.
    pub fn except_hangup(tls: Option<messaging_server::serve::Tls>) -> Self {
        let stop = Self::new();
        if tls.is_none() && std::io::stdin().is_terminal() {
            return stop;
        }
        #[cfg(unix)]
        let stop = {
            let Self { signals: [interrupt, terminate, hangup], heard } = stop;
            if let Some(mut hangup) = hangup {
                tokio::spawn(async move {
                    while hangup.recv().await.is_some() {
                        match tls.clone() {
                            Some(tls) => {
                                drop(tokio::task::spawn_blocking(move || tls.reload()).await)
                            }
                            None => tracing::info!("SIGHUP ignored: no certificate to reload"),
                        }
                    }
                });
            }
            Self { signals: [interrupt, terminate, None], heard }
        };
        #[cfg(not(unix))]
        drop(tls);
        stop
    }

    /// Ends the process with exit code 130 at the next signal, after printing `last` to standard
    /// error. For operations that cannot be canceled otherwise, such as blocked output.
    pub fn end_at_once(mut self, last: String) {
        tokio::spawn(async move {
            self.wait().await;
            let (said, saying) = std::sync::mpsc::channel();
            std::thread::spawn(move || {
                complain!("interrupted: {last}");
                let _ = said.send(());
            });
            // Writing to standard error can block.
            let _ = saying.recv_timeout(TIME_TO_SAY);
            std::process::exit(130);
        });
    }

    /// Waits for a signal, and returns its name. Ignores signals within 500 ms of the last returned
    /// signal.
    pub async fn wait(&mut self) -> &'static str {
        loop {
            let signal = self.next().await;
            if self.heard.is_none_or(|heard| heard.elapsed() > TOGETHER) {
                self.heard = Some(Instant::now());
                return signal;
            }
        }
    }

    async fn next(&mut self) -> &'static str {
        #[cfg(unix)]
        {
            let [interrupt, terminate, hangup] = &mut self.signals;
            tokio::select! {
                () = next(interrupt) => "SIGINT",
                () = next(terminate) => "SIGTERM",
                () = next(hangup) => "SIGHUP",
            }
        }
        #[cfg(not(unix))]
        {
            let _ = tokio::signal::ctrl_c().await;
            "ctrl-C"
        }
    }
}

#[cfg(unix)]
async fn next(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Turns SIGXFSZ into a write error, as on a full disk, so that a file at its size limit does not
/// end the process. Raises the limit of open files to its maximum, because each connection is an
/// open file. Requires a tokio runtime.
pub fn outlive_file_limits() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};
        use tokio::signal::unix::{SignalKind, signal};
        // A signal with a listener no longer ends the process.
        let _ = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()));
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    }
}

/// Returns the number of files that this process may open; `None` if it is not limited.
pub fn max_open_files() -> Option<u64> {
    #[cfg(unix)]
    {
        rustix::process::getrlimit(rustix::process::Resource::Nofile).current
    }
    #[cfg(not(unix))]
    {
        None
    }
}

/// Returns the signals that this process ignores.
#[cfg(unix)]
fn ignored() -> Vec<rustix::process::Signal> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    of_status(&status)
}

/// Returns the ignored signals from the status file of a Linux process. The lowest bit of `SigIgn`
/// is signal 1.
#[cfg(unix)]
fn of_status(status: &str) -> Vec<rustix::process::Signal> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let is_set = |raw: &i32| mask.checked_shr(raw.unsigned_abs() - 1).unwrap_or(0) & 1 == 1;
    (1..=31).filter(is_set).filter_map(rustix::process::Signal::from_named_raw).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::process::Signal;

    #[test]
    fn ignored_signals_are_read_from_proc() {
        let status = "Name:\tx\nSigBlk:\t0000000000000003\nSigIgn:\t0000000000001001\n";
        assert_eq!(of_status(status), [Signal::HUP, Signal::PIPE]);
        for unknown in ["", "SigIgn:\tx", "SigIgn:"] {
            assert!(of_status(unknown).is_empty());
        }
    }
}
