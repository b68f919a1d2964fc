//! The export: every event as a line of JSON.

use std::sync::Arc;

use serde_json::json;

use super::PAGE;
use super::backend::Reads;
use super::error::StoreError;
use super::model::{Event, Filter};
use super::trace::TraceContext;

/// Every event as one line of JSON, without its line break.
///
/// It reads page by page, so that an export of any length never holds up the writer;
/// a line shows its event as it was when its page was read. Events that arrive
/// meanwhile may be among them. The event itself is in `json` as a string, byte for
/// byte, because these bytes are what tells it from another one under its key.
pub struct Export {
    reads: Arc<dyn Reads>,
    page: std::vec::IntoIter<Event>,
    after_id: i64,
    /// Events of a page, fewer where a page could not be read.
    page_size: u32,
    ended: bool,
}

impl Export {
    pub(super) fn new(reads: Arc<dyn Reads>) -> Self {
        Self { reads, page: Vec::new().into_iter(), after_id: 0, page_size: PAGE, ended: false }
    }

    /// Returns the next line; none at the end. An error is the last one, and says why what came
    /// before it may not be all.
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
                    // A damaged index leads past an event without a word.
                    return self.reads.check().await.err().map(Err);
                }
                Ok(page) => self.page = page.into_iter(),
                // Many whole events can take longer than a request may; and what comes before one
                // that is damaged can be read.
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
