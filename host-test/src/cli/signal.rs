//! Waits for the signals that ask a long-running command to stop.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Signals that come within this time are one request: `timeout` sends its signal to the process, and again to its
/// process group.
const TOGETHER: Duration = Duration::from_millis(500);

/// For how long the last line is tried to be written.
const TIME_TO_SAY: Duration = Duration::from_secs(1);

/// Ctrl-C, the signal that service managers stop a process with, and that of a terminal
/// that goes away. From when it is made on, none ends the process by itself: make it
/// before saying that the process is ready.
///
/// Of Ctrl-C and the terminal's, what the process was started to ignore stays ignored:
/// that is what `nohup` is, and a shell's `&`. Where the system does not say (it does on
/// Linux), nothing was.
pub struct Stop {
    #[cfg(unix)]
    signals: [Option<tokio::signal::unix::Signal>; 3],
    /// Time of the last request to stop.
    heard: Option<Instant>,
}

impl Stop {
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

    /// As [`new`](Self::new), but SIGHUP does not stop the process: it reads the certificate of `tls`
    /// again. Without one, SIGHUP stops a process that was started in a terminal, which has been closed.
    pub fn except_hangup(tls: Option<messaging_host::serve::Tls>) -> Self {
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

    /// Ends the process as soon as one of them comes, with exit code 130, after `last` was
    /// said on standard error: for what cannot be given up any other way.
    pub fn end_at_once(mut self, last: String) {
        tokio::spawn(async move {
            self.wait().await;
            let (said, saying) = std::sync::mpsc::channel();
            std::thread::spawn(move || {
                complain!("interrupted: {last}");
                let _ = said.send(());
            });
            // Nobody may read standard error either.
            let _ = saying.recv_timeout(TIME_TO_SAY);
            std::process::exit(130);
        });
    }

    /// Waits until one of them comes, or comes again after [`TOGETHER`]; says which.
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

/// Lets a write to a file that may not grow any more fail, as on a full disk, instead of
/// ending the process. Needs a tokio runtime.
pub fn outlive_file_limits() {
    #[cfg(unix)]
    {
        use rustix::process::Signal;
        use tokio::signal::unix::{SignalKind, signal};
        // A signal that is listened to once ends the process no more.
        let _ = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()));
    }
}

/// The signals that this process ignores.
#[cfg(unix)]
fn ignored() -> Vec<rustix::process::Signal> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    of_status(&status)
}

/// As Linux writes it: the bits of a number, the lowest for signal 1.
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
    fn what_is_ignored_is_read_from_what_linux_says() {
        let status = "Name:\tx\nSigBlk:\t0000000000000003\nSigIgn:\t0000000000001001\n";
        assert_eq!(of_status(status), [Signal::HUP, Signal::PIPE]);
        for unknown in ["", "SigIgn:\tx", "SigIgn:"] {
            assert!(of_status(unknown).is_empty());
        }
    }
}
