//! Dead letters: how an event becomes one, how it is requeued, and what an operator sees of the
//! store meanwhile; workers of certain kinds; traces.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use messaging_inbox::{DeadFilter, Entry, Options, Retry, State, Store};
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_secs(60);

/// A store, and its clock.
struct Fixture {
    folder: TempDir,
    store: Store,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let now_ms = Arc::new(AtomicI64::new(1_000));
        let store = open(&folder, &now_ms);
        Self { folder, store }
    }

    async fn put(&self, key: &str, kind: &str) {
        self.store.put(entry(key, kind)).await.unwrap();
    }

    /// Leases whatever is due, and buries it.
    async fn bury_all(&self, why: &str) -> usize {
        let events = self.store.lease(1_000, MINUTE).await.unwrap();
        for event in &events {
            let lease = event.lease.clone().unwrap();
            let state = self.store.nack(event.id, lease, why, Retry::Never).await.unwrap();
            assert_eq!(state, State::Dead);
        }
        events.len()
    }
}

fn open(folder: &TempDir, now_ms: &Arc<AtomicI64>) -> Store {
    let now_ms = Arc::clone(now_ms);
    let clock = Arc::new(move || now_ms.load(Ordering::SeqCst));
    let options = Options { clock, ..Options::default() };
    Store::open(folder.path().join("inbox.sqlite"), options).unwrap()
}

fn entry(key: &str, kind: &str) -> Entry {
    Entry {
        idempotency_key: key.into(),
        message_id: "m".into(),
        kind: kind.into(),
        json: "{}".into(),
    }
}

/// A thousand dead events, requeued by a process that ends after each of its first commits.
#[tokio::test(flavor = "multi_thread")]
async fn a_requeue_that_is_cut_off_goes_on_where_it_stopped() {
    let fixture = Fixture::new();
    for number in 0..1_000 {
        fixture.put(&format!("{number}"), "k").await;
    }
    assert_eq!(fixture.bury_all("no").await, 1_000);
    let path = fixture.folder.path().join("inbox.sqlite");
    let mut left = 1_000;
    let mut rounds = 0;
    while left > 0 {
        let commits = Arc::new(AtomicI64::new(0));
        let counter = Arc::clone(&commits);
        let store = Store::open(
            &path,
            Options {
                put_timeout: Duration::from_millis(300),
                on_step: Some(Arc::new(move |step| {
                    // From the second commit on it hangs, as seen from who waits.
                    if step == "before-commit" && counter.fetch_add(1, Ordering::SeqCst) > 0 {
                        std::thread::sleep(Duration::from_millis(600));
                    }
                })),
                ..Options::default()
            },
        )
        .unwrap();
        let requeued = store.requeue_dead(DeadFilter::default()).await;
        store.close().await;
        let now = fixture.store.counts().await.unwrap();
        // Small transactions: none of them holds the writer for all.
        assert!(left - now.dead <= 400, "{left} and {now:?}");
        assert!(now.dead < left, "{requeued:?}");
        assert_eq!(now.pending, 1_000 - now.dead);
        left = now.dead;
        rounds += 1;
        // Others work meanwhile: what they did stays done.
        let leased = fixture.store.lease(1, MINUTE).await.unwrap();
        fixture.store.ack(leased[0].id, leased[0].lease.clone().unwrap()).await.unwrap();
        fixture.store.release(leased[0].id, None).await.unwrap();
    }
    assert!(rounds > 2, "{rounds}");
}
