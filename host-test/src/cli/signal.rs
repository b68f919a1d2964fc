//! When a command that runs for long is asked to stop.

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
