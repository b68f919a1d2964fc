//! The export of all events as JSON lines.

use std::sync::Arc;

use serde_json::json;

use super::PAGE;
use super::backend::Reads;
use super::error::StoreError;
use super::model::{Event, Filter};
use super::trace::TraceContext;

/// An export of events, each as one line of JSON without its line break.
///
/// Reads page by page, so an export of any length never blocks the writer. A line shows the event
/// at the time when its page was read. Events that arrive during the export may be included.
///
/// The member `json` holds the event as a string, because its exact bytes distinguish it from other
/// events under its key.
pub struct Export {
    reads: Arc<dyn Reads>,
    page: std::vec::IntoIter<Event>,
    after_id: i64,
    /// Maximum number of events on a page. Reduced after a page could not be read.
    page_size: u32,
    ended: bool,
}

impl Export {
    pub(super) fn new(reads: Arc<dyn Reads>) -> Self {
        Self { reads, page: Vec::new().into_iter(), after_id: 0, page_size: PAGE, ended: false }
    }

    /// Returns the next line; `None` at the end. After an error the export ends, and may be
    /// incomplete.
    pub async fn next(&mut self) -> Option<Result<String, StoreError>> {
        loop {
            if let Some(event) = self.page.next() {
                self.after_id = event.id;
                return Some(Ok(line(&event)));
            }
            if self.ended {
                return None;
            }
            let filter =
                Filter { after_id: self.after_id, limit: self.page_size, ..Filter::default() };
            match self.reads.list(filter).await {
                Ok(page) if page.is_empty() => {
                    self.ended = true;
                    // A damaged index can hide events without an error.
                    return self.reads.check().await.err().map(Err);
                }
                Ok(page) => self.page = page.into_iter(),
                // A smaller page may succeed: many large events can exceed the timeout, and events
                // before a damaged one are readable.
                Err(_) if self.page_size > 1 => self.page_size = (self.page_size / 4).max(1),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

fn line(event: &Event) -> String {
    json!({
        "id": event.id,
        "idempotency-key": event.idempotency_key,
        "delivery-key": event.delivery_key(),
        "copy": event.copy,
        "replay-of": event.replay_of,
        "message-id": event.message_id,
        "kind": event.kind,
        "received-at-ms": event.received_at_ms,
        "state": event.state.as_str(),
        "lease": event.lease,
        "due-ms": event.due_ms,
        "attempts": event.attempts,
        "failures": event.failures,
        "last-error": event.last_error,
        "done-at-ms": event.done_at_ms,
        "dead-at-ms": event.dead_at_ms,
        "traceparent": event.trace.as_ref().map(TraceContext::parent),
        "tracestate": event.trace.as_ref().and_then(TraceContext::state),
        "json": event.json,
    })
    .to_string()
}
