//! Captures the log of a test.

use std::io::Write;
use std::sync::{Arc, Mutex, Once};

use tracing::subscriber::{DefaultGuard, set_default, set_global_default};

/// The log of this thread from [`start`](Self::start) to [`text`](Self::text).
pub struct Captured {
    bytes: Bytes,
    guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Captured {
    pub fn start() -> Self {
        // For the whole process, `tracing` caches whether a log line is enabled. Without a global
        // subscriber, another thread that reaches a line first would disable this line for all
        // threads.
        static GLOBAL: Once = Once::new();
        GLOBAL.call_once(|| set_global_default(tracing_subscriber::registry()).unwrap());
        let bytes = Bytes::default();
        let writer = bytes.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false);
        let guard = set_default(subscriber.with_writer(move || writer.clone()).finish());
        Self { bytes, guard }
    }

    /// Ends the capture, and returns the log.
    pub fn text(self) -> String {
        drop(self.guard);
        String::from_utf8(std::mem::take(&mut *self.bytes.0.lock().unwrap())).unwrap()
    }
}
