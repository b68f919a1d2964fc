//! Whether the store is known to be damaged, and the thread that looks for it.
//!
//! A store that was found damaged stays so until the process ends: nothing more is
//! acknowledged, whoever found it.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, InterruptHandle};
use tokio::sync::watch;

use super::error::StoreError;
use super::schema::Place;

/// Of a store's time, one part in so many is spent on looking for damage at most.
const SHARE: u32 = 200;

/// Knowledge of a store's damage. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Health(Arc<OnceLock<StoreError>>);

impl Health {
    /// Notes an error that says that the store is damaged; any other one changes nothing.
    pub(super) fn note(&self, error: &StoreError) {
        if matches!(error, StoreError::Damaged { .. }) {
            self.give_up(error);
        }
    }

    /// Nothing more is acknowledged, because of `error`.
    pub(super) fn give_up(&self, error: &StoreError) {
        if self.0.set(error.clone()).is_ok() {
            tracing::error!(%error, "the store is unusable: no more events are acknowledged");
        }
    }

    /// Looks whether the log is the file's, and gives up where it is not: another file, or an older
    /// copy of it, was put in its place while it is open.
    pub(super) fn check_log_belongs(
        &self,
        place: &Place,
        connection: &Connection,
    ) -> Result<(), StoreError> {
        place.log_belongs(connection).inspect_err(|error| {
            if matches!(error, StoreError::NotSetUp { .. }) {
                self.give_up(error);
            }
        })
    }

    /// # Errors
    /// What was found.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.0.get().map_or(Ok(()), |error| Err(error.clone()))
    }
}

/// The thread that looks from time to time. Dropped, it is told to end at once.
pub(super) struct Checker {
    // Never sent to: what is dropped with it ends the thread's wait.
    wait: Option<Sender<()>>,
    under_way: Arc<Mutex<Option<InterruptHandle>>>,
}

impl Checker {
    /// Looks `first` after now, and then every so often: `every`, or less often where a
    /// look takes long. `ended` is dropped with the thread.
    pub(super) fn start(
        place: Place,
        health: Health,
        (first, every): (Duration, Duration),
        ended: watch::Sender<()>,
    ) -> std::io::Result<Self> {
        let (wait, told) = channel();
        let under_way = Arc::new(Mutex::new(None));
        let handle = Arc::clone(&under_way);
        let run = move || {
            let mut pause = first;
            while told.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let started = Instant::now();
                look(&place, &health, &handle);
                pause = every.max(started.elapsed().saturating_mul(SHARE));
                if health.check().is_err() {
                    break;
                }
            }
            drop(ended);
        };
        thread::Builder::new().name("inbox-checker".into()).spawn(run)?;
        Ok(Self { wait: Some(wait), under_way })
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        self.wait = None;
        if let Some(handle) = &*self.under_way.lock().unwrap_or_else(PoisonError::into_inner) {
            handle.interrupt();
        }
    }
}

/// On a connection of its own, which finds what is on the disk and not what another one
/// has in memory.
fn look(place: &Place, health: &Health, under_way: &Mutex<Option<InterruptHandle>>) {
    let set = |handle| *under_way.lock().unwrap_or_else(PoisonError::into_inner) = handle;
    let found = place.check_log_and_keep().and_then(|()| place.reader()).and_then(|connection| {
        health.check_log_belongs(place, &connection)?;
        set(Some(connection.get_interrupt_handle()));
        let found = place.check(&connection);
        set(None);
        found
    });
    match found {
        Ok(()) => {}
        Err(error @ StoreError::Damaged { .. }) => health.note(&error),
        // Busy, moved, or told to end: no statement about the file.
        Err(error) => tracing::debug!(%error, "the store could not be checked"),
    }
}
