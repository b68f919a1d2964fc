//! Tests of long polls.

use messaging_inbox::{Retry, State};

use super::*;

#[tokio::test]
async fn long_poll_ends_for_each_reason() {
    let listeners = Listeners::start().await;
    let lease = |body: &'static str| listeners.ask("POST", LEASE, Some(WORKER), body);
    let count = |answer: (Option<String>, u16, Value)| answer.2["events"].as_array().unwrap().len();
    assert_eq!(count(lease("{\"wait_ms\":100}").await), 0);

    let (waited, ()) = tokio::join!(lease("{\"wait_ms\":30000}"), async {
        listeners.put("evt-1", "a").await;
    });
    assert_eq!(waited.2["events"][0]["key"], "evt-1");

    // An event of another kind does not end the wait.
    let only = "{\"wait_ms\":300,\"kinds\":[\"b\"]}";
    let (waited, ()) = tokio::join!(lease(only), async { listeners.put("evt-2", "a").await });
    assert_eq!(count(waited), 0);

    let event = listeners.store.lease(1, Duration::from_secs(60)).await.unwrap().remove(0);
    let pause = Retry::After(Duration::from_millis(200));
    let state = listeners.store.nack(event.id, event.lease.unwrap(), "why", pause).await.unwrap();
    assert_eq!(state, State::Pending);
    assert_eq!(lease("{\"wait_ms\":30000}").await.2["events"][0]["failures"], 1);

    let (waited, ()) = tokio::join!(lease("{\"wait_ms\":30000}"), async {
        listeners.stop_long_polls();
    });
    assert_eq!(count(waited), 0);
}

#[tokio::test]
async fn poll_beyond_idle_limit_is_answered() {
    let listeners = Listeners::with_head_timeout(Duration::from_millis(100)).await;
    let (_, status, leased) =
        listeners.ask("POST", LEASE, Some(WORKER), "{\"wait_ms\":1000}").await;
    assert_eq!((status, &leased["events"]), (200, &json!([])));
}

/// A disconnected worker must not lease an event, because the next worker would have to wait for
/// the end of that lease.
#[tokio::test]
async fn disconnected_worker_gets_no_event() {
    let listeners = Listeners::start().await;
    let poll = listeners.ask("POST", LEASE, Some(WORKER), "{\"wait_ms\":30000}");
    // Sends the request, then closes the connection.
    let cut = tokio::time::timeout(Duration::from_millis(300), poll).await;
    assert!(cut.is_err());
    listeners.under_way(0).await;
    listeners.put("evt-1", "a").await;
    let (.., answer) = listeners.ask("POST", LEASE, Some(WORKER), "{}").await;
    assert_eq!(answer["events"][0]["attempts"], 1);
}

#[tokio::test]
async fn excess_polls_wait_other_requests_continue() {
    let listeners = Listeners::with_connections(2).await;
    let poll = |wait: u32| {
        let body = format!("{{\"wait_ms\":{wait}}}");
        let listeners = &listeners;
        async move { listeners.ask("POST", LEASE, Some(WORKER), &body).await }
    };
    let others = async {
        listeners.under_way(1).await;
        // The first poll may not wait yet, but it starts to wait before the second poll, which is
        // rejected.
        let (_, status, problem) = poll(30_000).await;
        assert_eq!((status, &problem["code"]), (503, &json!("too-many-polls")));
        assert_eq!(poll(0).await.1, 200);
        assert_eq!(listeners.ask("GET", "/v1/events", Some(WORKER), "").await.1, 200);
        listeners.put("evt-1", "a").await;
    };
    let ((_, status, leased), ()) = tokio::join!(poll(30_000), others);
    assert_eq!((status, &leased["events"][0]["key"]), (200, &json!("evt-1")));
    assert_eq!(poll(50).await.1, 200, "another poll is accepted");
}
