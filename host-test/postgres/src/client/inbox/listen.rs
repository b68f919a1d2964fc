//! Hints between servers that an event is available to lease. A separate connection listens, and
//! notifies after the commit of an event, because a NOTIFY inside its transaction would serialize
//! all commits. A pooler or a lost connection can drop a hint. Therefore waiting workers also poll.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_postgres::Notification;

use super::News;
use super::clock::DatabaseClock;
use crate::client::connector::Connector;
use crate::client::fault::Fault;
use crate::client::row::value;
use crate::client::session::Session;

/// Minimum interval between two hints. A hint covers all events since the last hint.
const BETWEEN: Duration = Duration::from_millis(20);
/// Interval for reading the database's clock. Each read also checks that the connection is alive.
const LOOK_EVERY: Duration = Duration::from_secs(15);
/// Delay before a new connection is opened.
const AGAIN: Duration = Duration::from_secs(1);

/// Listens and notifies until the task is aborted.
pub(crate) async fn run(connector: Arc<Connector>, news: News, clock: Arc<DatabaseClock>) {
    let mut is_first = true;
    loop {
        let (sender, heard) = unbounded_channel();
        if let Ok(session) = connector.connect(Some(sender)).await {
            if !is_first {
                // A hint may have been missed during the outage.
                news.hear();
            }
            is_first = false;
            if let Err(fault) = exchange(session, heard, &news, &clock).await {
                tracing::debug!(
                    ?fault,
                    "no notifications from other servers until the connection is open again"
                );
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
    // Reads the process ID of this connection before listening, to recognize its own hints.
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
                session.execute("notifying other servers", "NOTIFY messaging_inbox").await?;
                tokio::time::sleep(BETWEEN).await;
            }
        }
    }
}

/// Reads the database's clock, and returns the process ID of the connection on the server.
async fn look(session: &mut Session, clock: &DatabaseClock) -> Result<i32, Fault> {
    const NOW: &str = "SELECT messaging_inbox.now_ms(), pg_backend_pid()";
    let rows = session.once("reading its clock", NOW, &[]).await?;
    let row = rows
        .first()
        .ok_or_else(|| Fault::Unsure { doing: "reading its clock", detail: "no row".to_owned() })?;
    clock.learn(value(row, 0)?);
    value(row, 1)
}
