//! A worker of the campaign with several servers: a process that leases events and acknowledges
//! them, as whoever uses the library.

use std::io::{self, Write};
use std::time::Duration;

use futures_util::future::join_all;
use messaging_inbox::{Store, StoreError};
use messaging_postgres::{Target, inbox as postgres};

use crate::process::UP;

/// The lease on an event, of a forwarder's as well: short, so that nobody waits for long for those
/// of a process that was killed.
pub(super) const LEASE: Duration = Duration::from_secs(3);
/// Events that are leased at once.
const AT_ONCE: u32 = 16;
/// Pause after a database that was away, or had nothing.
const PAUSE: Duration = Duration::from_millis(50);

/// Leases events and acknowledges them, until it is killed or nobody listens any more. Prints how
/// many: `COUNT .`, a line for each lot.
///
/// # Errors
/// Nobody listens.
pub async fn work(target: &Target) -> io::Result<()> {
    say(UP)?;
    loop {
        if let Ok(store) = postgres::open(target, postgres::Options::default()).await {
            while let Ok(worked) = work_on(&store).await {
                say(&format!("{worked} ."))?;
                if worked == 0 {
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        say("0 .")?;
        tokio::time::sleep(PAUSE).await;
    }
}

async fn work_on(store: &Store) -> Result<usize, StoreError> {
    let events = store.lease(AT_ONCE, LEASE).await?;
    let acked =
        events.into_iter().map(|event| store.ack(event.id, event.lease.unwrap_or_default()));
    let mut worked = 0_usize;
    for acked in join_all(acked).await {
        match acked {
            Ok(()) => worked = worked.saturating_add(1),
            // The lease ran out while the database was away.
            Err(StoreError::LeaseLost { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(worked)
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
