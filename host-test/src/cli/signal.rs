//! When a command that runs for long is asked to stop.

use std::time::Duration;

/// For how long the last line is tried to be written.
const TIME_TO_SAY: Duration = Duration::from_secs(1);

/// Ctrl-C, the signal that service managers stop a process with, and that of a terminal
/// that goes away. From when it is made on, none ends the process by itself: make it
/// before saying that the process is ready.
pub struct Stop {
    #[cfg(unix)]
    signals: Option<[tokio::signal::unix::Signal; 3]>,
}

impl Stop {
    pub fn new() -> Self {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
            let [interrupt, terminate, hangup] = kinds.map(|kind| signal(kind).ok());
            let signals = interrupt.zip(terminate).zip(hangup);
            Self { signals: signals.map(|((one, two), three)| [one, two, three]) }
        }
        #[cfg(not(unix))]
        Self {}
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

    /// Waits until one of them comes, or comes again; says which.
    pub async fn wait(&mut self) -> &'static str {
        #[cfg(unix)]
        if let Some([interrupt, terminate, hangup]) = &mut self.signals {
            return tokio::select! {
                _ = interrupt.recv() => "SIGINT",
                _ = terminate.recv() => "SIGTERM",
                _ = hangup.recv() => "SIGHUP",
            };
        }
        let _ = tokio::signal::ctrl_c().await;
        "ctrl-C"
    }
}
