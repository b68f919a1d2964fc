//! The SQLite store as the inbox of the webhook.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use messaging_host::webhook::wit as inbox;
use messaging_inbox::{Options, Store};

#[tokio::test]
async fn store_permanently_rejects_only_long_events() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("inbox.sqlite"), Options::default()).unwrap();
    let put = async |json: String| {
        let entry = inbox::Entry {
            idempotency_key: "k".into(),
            message_id: "m".into(),
            kind: "message:in:new".into(),
            json,
        };
        messaging_host::webhook::Inbox::put(&store, entry).await
    };
    let rejected = put("x".repeat(Store::MAX_BYTES)).await;
    let Err(inbox::InboxError::PermanentRejected(failure)) = &rejected else {
        panic!("{rejected:?}")
    };
    assert!(failure.detail.contains("send less"), "{}", failure.detail);
    // Too many events have this key. An operator can remove some, so the event source should retry.
    for number in 0..=16 {
        assert!(put(number.to_string()).await.is_ok(), "{number}");
    }
    let full = put("17".into()).await;
    let Err(inbox::InboxError::Unavailable(failure)) = &full else { panic!("{full:?}") };
    assert!(failure.detail.contains("16 quarantined events"), "{}", failure.detail);
}
