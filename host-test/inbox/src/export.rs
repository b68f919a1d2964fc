//! The export of all events as JSON lines.

use std::sync::Arc;

use serde_json::json;

use super::PAGE;
use super::backend::Reads;
use super::error::StoreError;
use super::model::{Event, Filter};
use super::trace::TraceContext;

/// An export of events, each as one line of JSON. A returned line has no line break.
///
/// Reads page by page, so an export of any length never blocks the writer. A line shows the event
/// at the time when its page was read. Events that arrive during the export may be included.
///
/// The member `json` is a string with the exact bytes of the event. The inbox compares these bytes
/// to tell apart events with the same idempotency key.
pub struct Export {
    reads: Arc<dyn Reads>,
    page: std::vec::IntoIter<Event>,
    after_id: i64,
    /// Maximum number of events on a page. Reduced after a page could not be read, and raised after
    /// a page was read.
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
                Ok(page) => {
                    // Grows slowly, because a large page may exceed the timeout again.
                    self.page_size =
                        (self.page_size.saturating_add(self.page_size / 8 + 1)).min(PAGE);
                    self.page = page.into_iter();
                }
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
        "attempted-at-ms": event.attempted_at_ms,
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::super::backend::Reply;
    use super::super::model::Summary;
    use super::super::{Entry, Options, Store};
    use super::*;

    /// A store of 1,000 copies of an event. The first read of a page fails.
    struct FailsOnce(Arc<dyn Reads>, AtomicU32);

    impl Reads for FailsOnce {
        fn list(&self, filter: Filter) -> Reply<'_, Vec<Event>> {
            if self.1.fetch_add(1, Ordering::Relaxed) == 0 {
                return Box::pin(async { Err(StoreError::NotFound { id: 0 }) });
            }
            Box::pin(async move {
                let event = self.0.get(1).await?;
                let ids = (filter.after_id..1_000).take(usize::try_from(filter.limit).unwrap());
                Ok(ids.map(|id| Event { id: id + 1, ..event.clone().unwrap() }).collect())
            })
        }

        fn get(&self, id: i64) -> Reply<'_, Option<Event>> {
            self.0.get(id)
        }

        fn first_under(&self, key: String) -> Reply<'_, Option<i64>> {
            self.0.first_under(key)
        }

        fn summary(&self) -> Reply<'_, Summary> {
            self.0.summary()
        }

        fn check(&self) -> Reply<'_, ()> {
            self.0.check()
        }
    }

    #[tokio::test]
    async fn export_page_grows_after_failure() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("inbox.sqlite"), Options::default()).unwrap();
        let [idempotency_key, message_id, kind, json] = ["a", "b", "c", "{}"].map(String::from);
        store.put(Entry { idempotency_key, message_id, kind, json }).await.unwrap();
        let reads = Arc::new(FailsOnce(Arc::clone(&store.reads), AtomicU32::new(0)));
        let mut export = Export::new(Arc::clone(&reads) as Arc<dyn Reads>);
        let mut lines = 0;
        while let Some(line) = export.next().await {
            line.unwrap();
            lines += 1;
        }
        assert_eq!(lines, 1_000);
        assert!(reads.1.load(Ordering::Relaxed) < 20, "{}", reads.1.load(Ordering::Relaxed));
    }
}
