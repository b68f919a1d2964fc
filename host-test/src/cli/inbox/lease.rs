//! Lease and release of many events.

use std::collections::HashSet;
use std::time::Duration;

use messaging_inbox::{Event, Kinds, Queue, Store, StoreError};

use crate::cli::show::{DIM, RED, RESET};
use crate::cli::text;

/// Leases up to `limit` events in batches, so that each request ends within the timeout.
pub async fn lease_events(
    store: &Store,
    kinds: &Kinds,
    limit: u32,
    lease: Duration,
) -> Result<Vec<Event>, StoreError> {
    const PIECE: u32 = 500;
    let mut events = Vec::new();
    let mut left = limit;
    while left > 0 {
        let piece = left.min(PIECE);
        match store.lease_from(Queue::Any, kinds.clone(), piece, lease).await {
            Ok(leased) => {
                let got = u32::try_from(leased.len()).unwrap_or(piece);
                // A short lease can expire during the loop, and its event is then leased again.
                // Only the newer lease is valid.
                let ids: HashSet<_> = leased.iter().map(|event| event.id).collect();
                let before = events.len();
                events.retain(|event: &Event| !ids.contains(&event.id));
                let again = events.len() < before;
                events.extend(leased);
                // Stops if no more events are due, if the batch has reached 8 MiB, or if an event
                // was leased again.
                left = if got < piece || again { 0 } else { left.saturating_sub(piece) };
            }
            Err(error) if events.is_empty() => return Err(error),
            Err(error) => {
                let (error, got) = (text::printable(&error.to_string()), events.len());
                complain!("{DIM}only {got} of up to {limit} events are leased: {error}{RESET}");
                left = 0;
            }
        }
    }
    Ok(events)
}

/// Releases events whose leases could not be printed, so that other workers can lease them.
pub async fn release_all(store: &Store, events: Vec<Event>, error: &str) {
    let mut left = Vec::new();
    for event in events {
        if let Err(error) = store.release(event.id, event.lease).await {
            left.push(format!("{}: {error}", event.id));
        }
    }
    let kept = match left.is_empty() {
        true => "the leased events are released".to_string(),
        false => format!("not released until their leases end: {}", left.join("; ")),
    };
    complain!("{RED}error:{RESET} standard output: {error}; {}", text::printable(&kept));
}
