//! When a command that runs for long is asked to stop.

/// Ctrl-C, and the signal that service managers stop a process with. From when it is
/// made on, neither ends the process by itself: make it before saying that the
/// process is ready.
pub struct Stop {
    #[cfg(unix)]
    signals: Option<[tokio::signal::unix::Signal; 2]>,
}

impl Stop {
    pub fn new() -> Self {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let interrupt = signal(SignalKind::interrupt());
            let terminate = signal(SignalKind::terminate());
            Self { signals: interrupt.ok().zip(terminate.ok()).map(Into::into) }
        }
        #[cfg(not(unix))]
        Self {}
    }

    /// Waits until one of them comes.
    pub async fn wait(self) {
        #[cfg(unix)]
        if let Some([mut interrupt, mut terminate]) = self.signals {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
        let _ = tokio::signal::ctrl_c().await;
    }
}
