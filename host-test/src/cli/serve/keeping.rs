//! Opening, pruning and closing of the store and the journal of `serve`.

use std::time::{Duration, Instant};

use messaging_host::{Journal, once};
use messaging_inbox::{Replays, Store};

use crate::cli::exit::Exit;
use crate::cli::signal::Stop;
use crate::cli::store::Location;
use crate::cli::{Failure, inbox};

/// Interval of pruning the store. Pruning also saves the age of the store: the time for which
/// servers have had the store open. A restart loses at most one minute of this time.
pub const PRUNE_EVERY: Duration = Duration::from_secs(60);
/// Interval of pruning the journal. Each pruning reads all keys.
pub const FORGET_EVERY: Duration = Duration::from_secs(3600);
/// Maximum time to wait for an unavailable store at the start.
const STORE_TIMEOUT: Duration = Duration::from_secs(60);
/// Delay between attempts to open an unavailable store.
const STORE_PAUSE: Duration = Duration::from_millis(500);

/// Opens the store, and creates a missing one if `create` is true.
pub async fn open(location: &Location, replays: Replays, create: bool) -> Result<Store, Failure> {
    let options =
        messaging_inbox::Options { replays, create, ..messaging_inbox::Options::default() };
    location.open_store(options).await.map_err(|error| match inbox::case(&error) {
        (_, Exit::Usage) => Failure::Usage(error.to_string()),
        (case, _) => Failure::Unusable { case, message: error.to_string() },
    })
}

/// Opens a store or a journal. If it is unavailable, retries for `STORE_TIMEOUT`.
pub async fn available<T>(mut open: impl AsyncFnMut() -> Result<T, Failure>) -> Result<T, Failure> {
    let begun = Instant::now();
    let mut has_warned = false;
    loop {
        match open().await {
            Err(Failure::Unusable { case: "unavailable", message })
                if begun.elapsed() < STORE_TIMEOUT =>
            {
                if !has_warned {
                    tracing::warn!(error = message, within = ?STORE_TIMEOUT, "waiting for the store or the journal");
                    has_warned = true;
                }
                tokio::time::sleep(STORE_PAUSE).await;
            }
            opened => return opened,
        }
    }
}

/// Does `work` after the delay `first`, then repeats it with the delay `every`.
pub async fn repeat(first: Duration, every: Duration, mut work: impl AsyncFnMut()) {
    tokio::time::sleep(first).await;
    loop {
        work().await;
        tokio::time::sleep(every).await;
    }
}

/// Deletes old done events.
pub async fn prune(store: &Store, keep: Duration) {
    match store.prune(keep).await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "pruned done events"),
        Err(error) => tracing::warn!(%error, "done events could not be pruned"),
    }
}

/// Forgets old outcomes.
pub async fn forget(retention: &mut once::Retention, journal: &dyn Journal, older_than: Duration) {
    let (keys, done) = retention.forget(journal, older_than).await;
    match done {
        Ok(()) if keys == 0 => tracing::debug!("no key is old enough to be forgotten"),
        Ok(()) => tracing::info!(keys, "forgot outcomes of old keys"),
        Err(error) => {
            let error = once::case(&error);
            tracing::warn!(
                error,
                forgotten = keys,
                "not all outcomes of old keys could be forgotten; retrying in 1 h"
            );
        }
    }
}

/// Closes the store, so that its main file contains all data.
pub async fn close(store: Store, within: Duration, stop: &mut Stop) {
    let why = tokio::select! {
        closed = tokio::time::timeout(within, store.close()) => match closed {
            Ok(()) => return,
            Err(_) => "closing takes too long",
        },
        signal = stop.wait() => signal,
    };
    tracing::warn!(why, "the store was not closed; if it is a file, keep its -wal file");
}
