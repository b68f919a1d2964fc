//! Options of the inbox and the journal.

use std::path::PathBuf;
use std::time::Duration;

use messaging_inbox::{Clock, Replays};

use crate::password::Password;

/// Options for opening the inbox or the journal in a database.
#[derive(Clone)]
pub struct Options {
    /// Creates missing tables.
    pub create: bool,
    /// Logs unwise settings, such as a superuser role. False for a command that runs often.
    pub warns: bool,
    /// Timeout of a request, of a statement and of a connection attempt.
    pub timeout: Duration,
    /// Treatment of an event that arrives again under another key. Affects only the inbox.
    pub replays: Replays,
    /// The password. `None` if the database requires no password.
    pub password: Option<Password>,
    /// A PEM file of trusted certificate authorities. `None` trusts the authorities that browsers
    /// trust.
    pub authorities: Option<PathBuf>,
    /// Monotonic clock, in milliseconds since an arbitrary start. Only this clock determines the
    /// retention of keys. Affects only the inbox.
    pub monotonic: Clock,
}

impl Default for Options {
    fn default() -> Self {
        let usual = messaging_inbox::Options::default();
        Self {
            create: true,
            warns: false,
            timeout: usual.put_timeout,
            replays: usual.replays,
            password: None,
            authorities: None,
            monotonic: usual.monotonic,
        }
    }
}
