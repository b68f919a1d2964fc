//! Hints between servers that there is something to lease. A connection of its own listens, and
//! tells the others after the commit: within it, all would commit one after the other. A hint can
//! be lost, by a pooler or a connection that broke; whoever waits also looks from time to time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_postgres::Notification;

use super::News;
use super::clock::DatabaseClock;
use crate::fault::Fault;
use crate::row::value;
use crate::session::{Connector, Session};

/// Shortest time between two hints to others: one stands for all that came meanwhile.
const BETWEEN: Duration = Duration::from_millis(20);
/// Interval of reading the database's clock, which also shows that the connection is alive.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// The pause before another connection is made.
const AGAIN: Duration = Duration::from_secs(1);

/// Listens and tells until it is aborted.
pub(crate) async fn run(connector: Arc<Connector>, news: News, clock: Arc<DatabaseClock>) {
    let mut is_first = true;
    loop {
        let (sender, heard) = unbounded_channel();
        if let Ok(session) = connector.connect(Some(sender)).await {
            if !is_first {
                // It may have missed one.
                news.hear();
            }
            is_first = false;
            if let Err(fault) = exchange(session, heard, &news, &clock).await {
                tracing::debug!(?fault, "no hints from other servers until it is connected again");
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn exchange(
    mut session: Session,
    mut heard: UnboundedReceiver<Notification>,
    news: &News,
    clock: &DatabaseClock,
) -> Result<(), Fault> {
    // Before it listens: with the process unknown, a hint of its own would pass for another's.
    let own = look(&mut session, clock).await?;
    session.execute("listening", "LISTEN messaging_inbox").await?;
    let mut looks = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            _ = looks.tick() => {
                look(&mut session, clock).await?;
            }
            notification = heard.recv() => match notification {
                Some(notification) if notification.process_id() == own => {}
                Some(_) => news.hear(),
                None => return Ok(()),
            },
            () = news.elsewhere.notified() => {
                session.execute("telling other servers", "NOTIFY messaging_inbox").await?;
                tokio::time::sleep(BETWEEN).await;
            }
        }
    }
}

/// Reads the database's clock; the server process of the connection is returned.
async fn look(session: &mut Session, clock: &DatabaseClock) -> Result<i32, Fault> {
    const NOW: &str = "SELECT messaging_inbox.now_ms(), pg_backend_pid()";
    let rows = session.once("reading its clock", NOW, &[]).await?;
    let row = rows
        .first()
        .ok_or_else(|| Fault::Unsure { doing: "reading its clock", detail: "no row".to_owned() })?;
    clock.learn(value(row, 0)?);
    value(row, 1)
}
