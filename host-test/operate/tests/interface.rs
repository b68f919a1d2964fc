//! Tests of both listeners over real sockets and a real inbox. The client checks each response
//! against `openapi.json`.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

mod client;
#[path = "interface/metrics.rs"]
mod metrics;
#[path = "interface/polls.rs"]
mod polls;

use std::collections::BTreeSet;
use std::time::Duration;

use client::{Listeners, OPERATOR, SENDER, UNKNOWN, WORKER};
use messaging_inbox::Retry;
use serde_json::{Value, json};

const LEASE: &str = "/v1/lease";
const GET: &str = "/v1/journal/get";
const SWAP: &str = "/v1/journal/swap";
const LIST: &str = "/v1/journal/list";

/// Sends requests of every operation, and records the status of each response. Every documented
/// status must occur.
#[tokio::test]
async fn answers_match_openapi_document() {
    let listeners = Listeners::start().await;
    let mut seen = BTreeSet::new();
    let mut ask = async |method: &str, path: &str, token: Option<&str>, body: &str| {
        let (operation, status, value) = listeners.ask(method, path, token, body).await;
        seen.extend(operation.map(|operation| format!("{operation} {status}")));
        if method == "GET" {
            let (operation, of_head, _) = listeners.ask("HEAD", path, token, body).await;
            assert!(of_head == status || path == "/readyz", "HEAD {path}: {of_head}");
            seen.extend(operation.map(|operation| format!("{operation} {of_head}")));
        }
        (status, value)
    };
    let (worker, operator) = (Some(WORKER), Some(OPERATOR));
    for number in 1..=6 {
        listeners.put(&format!("evt-{number}"), "message:in:new").await;
    }
    // Another event under an existing key.
    listeners.put_json("evt-1", "message:in:new", "{\"other\":1}").await;

    let (_, leased) = ask("POST", LEASE, worker, "{\"limit\":4,\"lease_ms\":60000}").await;
    let events = leased["events"].as_array().unwrap().clone();
    assert_eq!(events.len(), 4);
    assert_eq!(events[0]["payload"], "{}");
    let settle = |number: usize| {
        let event = &events[number];
        let path = |verb: &str| format!("/v1/events/{}/{verb}", event["id"]);
        (path("ack"), path("nack"), path("extend"), path("release"), event["lease"].clone())
    };
    let (ack, nack, extend, release, lease) = settle(0);
    let token = json!({ "lease": lease }).to_string();
    assert_eq!(ask("POST", &extend, worker, &token).await.1["state"], "leased");
    assert_eq!(ask("POST", &ack, worker, &token).await.1["state"], "done");
    assert_eq!(ask("POST", &ack, worker, &token).await.0, 200, "a repeated ack changes nothing");
    for verb in [&nack, &extend] {
        assert_eq!(ask("POST", verb, worker, &token).await.0, 409);
    }
    assert_eq!(ask("POST", &ack, worker, "{\"lease\":\"another\"}").await.0, 409);
    assert_eq!(ask("POST", &release, worker, "{\"lease\":\"another\"}").await.0, 409);

    let (_, nack, _, _, lease) = settle(1);
    let failed = json!({ "lease": lease, "error": "why", "dead_after": 1 }).to_string();
    assert_eq!(ask("POST", &nack, worker, &failed).await.1["state"], "dead");
    let (_, nack, _, _, lease) = settle(2);
    let failed = json!({ "lease": lease, "dead": true }).to_string();
    assert_eq!(ask("POST", &nack, worker, &failed).await.1["state"], "dead");
    let (.., given_back, lease) = settle(3);
    let token = json!({ "lease": lease }).to_string();
    assert_eq!(ask("POST", &given_back, worker, &token).await.1["state"], "pending");

    let (_, page) = ask("GET", "/v1/events?state=dead&limit=1&after=2", operator, "").await;
    assert_eq!((&page["events"][0]["id"], &page["events"][0]["text"]), (&json!(3), &json!("{}")));
    assert_eq!(ask("GET", "/v1/events?kind=message%3Ain%3Anew", worker, "").await.0, 200);
    let (_, shown) = ask("GET", "/v1/events/2", operator, "").await;
    assert_eq!((&shown["last_error"], &shown["state"]), (&json!("why"), &json!("dead")));
    let (_, shown) = ask("GET", "/v1/events/7", operator, "").await;
    assert_eq!((&shown["state"], &shown["first_id"]), (&json!("quarantined"), &json!(1)));
    assert_eq!(ask("GET", "/v1/events/7", worker, "").await.0, 200);

    assert_eq!(ask("POST", "/v1/events/2/requeue", operator, "").await.1["requeued"], 1);
    assert_eq!(ask("POST", "/v1/events/2/requeue", operator, "").await.1["requeued"], 0);
    assert_eq!(ask("POST", "/v1/requeue", operator, "{\"kind\":\"other\"}").await.1["requeued"], 0);
    assert_eq!(ask("POST", "/v1/requeue", operator, "{}").await.1["requeued"], 1);
    assert_eq!(ask("POST", "/v1/events/7/release", operator, "").await.1["state"], "pending");
    let (_, overview) = ask("GET", "/v1/overview", operator, "").await;
    assert_eq!(
        overview["counts"],
        json!({
            "pending": 6, "leased": 0, "done": 1, "quarantined": 0, "dead": 0
        })
    );
    assert_eq!(overview["flow"][0]["stored"], 6);
    assert_eq!(
        (&overview["flow"][0]["conflicts"], &overview["flow"][0]["dead"]),
        (&json!(1), &json!(2))
    );

    // Two sends are unknown. An operator resolves one of them.
    let (sends, resolve) = ("/v1/sends", "/v1/sends/resolve");
    listeners.unknown_sends(2).await;
    let (_, list) = ask("GET", sends, operator, "").await;
    let keys = |list: &Value| -> Vec<Value> {
        list["sends"].as_array().unwrap().iter().map(|send| send["key"].clone()).collect()
    };
    assert_eq!(keys(&list), UNKNOWN);
    let outcome = &list["sends"][0]["outcome"];
    assert_eq!(outcome["refusal"]["body"], "<b>gateway</b>");
    let decision = |key: &str, attempt: u32, id: Option<&str>| {
        let found = id.map_or(json!({ "not_created": true }), |id| json!({ "created": id }));
        let mut body = json!({
            "key": key, "attempt": attempt, "by": "Ada", "reason": "seen in the inbox"
        });
        body.as_object_mut().unwrap().extend(found.as_object().unwrap().clone());
        body.to_string()
    };
    let first = decision(UNKNOWN[0], 1, Some("msg-0042"));
    for _ in 0..2 {
        let (status, resolved) = ask("POST", resolve, operator, &first).await;
        assert_eq!((status, &resolved["state"]), (200, &json!("created")), "{resolved}");
        assert_eq!(resolved["id"], "msg-0042");
    }
    for (body, status, code) in [
        (decision(UNKNOWN[0], 1, None), 409, "not-unknown"),
        (decision(UNKNOWN[1], 2, None), 409, "other-attempt"),
        (decision("order-99", 1, None), 404, "not-found"),
        (decision("a key", 1, None), 400, "malformed"),
        (decision(UNKNOWN[1], 1, Some("")), 400, "malformed"),
    ] {
        let (answered, problem) = ask("POST", resolve, operator, &body).await;
        assert_eq!((answered, &problem["code"]), (status, &json!(code)), "{body}: {problem}");
    }
    let (_, list) = ask("GET", sends, operator, "").await;
    assert_eq!(keys(&list), UNKNOWN[1..]);
    assert_eq!((&list["counts"]["unknown"], &list["counts"]["created"]), (&json!(1), &json!(0)));

    // Senders can use the journal, but workers cannot.
    let sender = Some(SENDER);
    let swap = |key: &str, expected: Value, new: &str| {
        json!({ "key": key, "expected": expected, "new": new }).to_string()
    };
    let (_, page) = ask("POST", LIST, sender, "{}").await;
    assert_eq!(page["items"][1]["key"], UNKNOWN[1]);
    assert_eq!(page["next"], Value::Null);
    let (_, after) = ask("POST", LIST, sender, "{\"after\":\"order-17\"}").await;
    assert_eq!(after["items"].as_array().unwrap().len(), 1);
    let key = "{\"key\":\"a/../\\\"key\"}";
    assert_eq!(ask("POST", GET, sender, key).await.1, json!({ "text": null }));
    let fresh = swap("a/../\"key", Value::Null, "{\"é\":1}");
    assert_eq!(ask("POST", SWAP, sender, &fresh).await.1, json!({ "swapped": true }));
    // A repeated swap, as after a lost response.
    let stale = json!({ "swapped": false, "text": "{\"é\":1}" });
    assert_eq!(ask("POST", SWAP, sender, &fresh).await.1, stale);
    let second = swap("a/../\"key", json!("{\"é\":1}"), "2");
    assert_eq!(ask("POST", SWAP, sender, &second).await.1, json!({ "swapped": true }));
    assert_eq!(ask("POST", GET, sender, key).await.1, json!({ "text": "2" }));
    let other = swap("none", json!("1"), "2");
    let missing = json!({ "swapped": false, "text": null });
    assert_eq!(ask("POST", SWAP, sender, &other).await.1, missing);
    // The longest key and values.
    let long = "\"".repeat(64 * 1024);
    let longest = swap(&"\"".repeat(256), json!(long), &long);
    // The server accepts this size even if a client escapes each byte as six bytes.
    for body in [longest.replace("\\\"", "\\u0022"), longest] {
        assert_eq!(ask("POST", SWAP, sender, &body).await.1, missing);
    }
    let longer = swap("k", Value::Null, &"é".repeat(32 * 1024 + 1));
    let (status, problem) = ask("POST", SWAP, sender, &longer).await;
    assert_eq!((status, &problem["code"]), (422, &json!("rejected")));
    for path in [GET, SWAP, LIST] {
        for token in [worker, Some("sender")] {
            assert_eq!(ask("POST", path, token, "{}").await.0, 401, "{path}");
        }
        for body in ["", "[]", "{\"unknown\":1}", "{\"key\":7}", "{\"after\":null}"] {
            assert_eq!(ask("POST", path, sender, body).await.0, 400, "{path} {body}");
        }
        let large = format!("{{\"key\":\"{}\"}}", "x".repeat(776 * 1024));
        assert_eq!(ask("POST", path, sender, &large).await.0, 413, "{path}");
        assert_eq!(ask("GET", path, sender, "").await.0, 405, "{path}");
    }
    for body in ["{\"key\":\"\"}", "{\"key\":\"a b\"}", "{\"key\":\"é\"}"] {
        let (status, problem) = ask("POST", GET, sender, body).await;
        assert_eq!((status, &problem["field"]), (400, &json!("key")), "{body}");
    }
    let unexpected = "{\"key\":\"k\",\"new\":\"1\"}";
    assert_eq!(ask("POST", SWAP, sender, unexpected).await.1["field"], "expected");
    assert_eq!(ask("POST", LEASE, sender, "{}").await.0, 401);
    assert_eq!(ask("POST", "/v1/journal/forget", sender, "{}").await.0, 404);

    assert_eq!(ask("GET", "/metrics", operator, "").await.0, 200);
    for path in ["/livez", "/readyz"] {
        assert_eq!(ask("GET", path, None, "").await.0, 200);
    }

    // Requests with an invalid token.
    let id = "/v1/events/1";
    let posts = [
        (LEASE.to_string(), true),
        (format!("{id}/ack"), true),
        (format!("{id}/extend"), true),
        (format!("{id}/nack"), true),
        (format!("{id}/release"), true),
        (format!("{id}/release"), false),
        (format!("{id}/requeue"), false),
        ("/v1/requeue".to_string(), false),
        (resolve.to_string(), false),
    ];
    for (path, is_worker) in &posts {
        let none = if *is_worker { "worker" } else { "operator" };
        assert_eq!(ask("POST", path, Some(none), "{}").await.0, 401, "{path}");
    }
    for path in ["/v1/events", id, "/v1/overview", sends, "/metrics"] {
        assert_eq!(ask("GET", path, Some("operator"), "").await.0, 401, "{path}");
    }
    // Requests that `openapi.json` does not allow.
    for (path, is_worker) in &posts {
        let token = if *is_worker { worker } else { operator };
        for body in ["[]", "{\"unknown\":1}", "{\"lease\":7}"] {
            let (status, problem) = ask("POST", path, token, body).await;
            assert_eq!((status, &problem["code"]), (400, &json!("malformed")), "{path} {body}");
        }
        let large = format!("{{\"lease\":\"{}\"}}", "x".repeat(70_000));
        assert_eq!(ask("POST", path, token, &large).await.0, 413, "{path}");
        let (status, _) = ask("GET", path, token, "").await;
        assert_eq!(status, 405, "{path}");
    }
    for (path, field) in [
        ("/v1/events?state=lost", "state"),
        ("/v1/events?limit=0", "limit"),
        ("/v1/events?after=-1", "after"),
        ("/v1/events?stuck=1", "stuck"),
        ("/v1/events?x=1", "x"),
        ("/v1/events/0", "id"),
    ] {
        let (status, problem) = ask("GET", path, operator, "").await;
        assert_eq!((status, &problem["field"]), (400, &json!(field)), "{path}");
    }
    for (path, body) in [
        ("/v1/events/99/ack", "{\"lease\":\"x\"}"),
        ("/v1/events/99/nack", "{\"lease\":\"x\"}"),
        ("/v1/events/99/extend", "{\"lease\":\"x\"}"),
        ("/v1/events/99/release", "{\"lease\":\"x\"}"),
    ] {
        assert_eq!(ask("POST", path, worker, body).await.0, 404, "{path}");
    }
    for path in ["/v1/events/99/requeue", "/v1/events/99/release"] {
        assert_eq!(ask("POST", path, operator, "").await.0, 404, "{path}");
    }
    assert_eq!(ask("GET", "/v1/events/99", operator, "").await.0, 404);
    for path in ["/v1", "/v1/events/1/2/3", "/v2/events", "/favicon.ico"] {
        assert_eq!(listeners.ask("GET", path, operator, "").await.1, 404, "{path}");
    }

    // Requests while the inbox is unavailable.
    listeners.lose_the_file();
    for (path, is_worker) in &posts {
        let token = if *is_worker { worker } else { operator };
        let body = match path.as_str() {
            path if *is_worker && path != LEASE => "{\"lease\":\"x\"}".to_string(),
            path if path == resolve => decision(UNKNOWN[1], 1, None),
            _ => "{}".to_string(),
        };
        let (status, problem) = ask("POST", path, token, &body).await;
        assert_eq!((status, &problem["code"]), (503, &json!("unavailable")), "{path}");
        assert!(!problem["detail"].as_str().unwrap().contains('/'), "{problem}");
    }
    for path in ["/v1/events", id, "/v1/overview", sends] {
        assert_eq!(ask("GET", path, operator, "").await.0, 503, "{path}");
    }
    for (path, body) in [(GET, key), (SWAP, &*other), (LIST, "{}")] {
        let (status, problem) = ask("POST", path, sender, body).await;
        assert_eq!((status, &problem["code"]), (404, &json!("no-journal")), "{path}");
        assert!(!problem["detail"].as_str().unwrap().contains('/'), "{problem}");
    }
    listeners.journal_is_busy();
    for (path, body) in [(GET, key), (SWAP, &*other), (LIST, "{}")] {
        let (status, problem) = ask("POST", path, sender, body).await;
        assert_eq!((status, &problem["code"]), (503, &json!("unavailable")), "{path}");
    }
    // A health response is cached for 1 s.
    while ask("GET", "/readyz", None, "").await.0 != 503 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    let others = Listeners::without_a_journal().await;
    for (method, path, body) in [("GET", sends, String::new()), ("POST", resolve, first)] {
        let (operation, status, problem) = others.ask(method, path, operator, &body).await;
        assert_eq!((status, &problem["code"]), (404, &json!("no-journal")), "{path}");
        seen.extend(operation.map(|operation| format!("{operation} {status}")));
    }
    for (path, body) in [(GET, key), (SWAP, &*other), (LIST, "{}")] {
        let (operation, status, problem) = others.ask("POST", path, sender, body).await;
        assert_eq!((status, &problem["code"]), (404, &json!("no-journal")), "{path}");
        assert!(problem["detail"].as_str().unwrap().contains("MESSAGING_JOURNAL_TOKENS"));
        seen.extend(operation.map(|operation| format!("{operation} {status}")));
    }
    let (operation, status, _) = others.ask("HEAD", sends, operator, "").await;
    seen.extend(operation.map(|operation| format!("{operation} {status}")));
    let (_, _, overview) = others.ask("GET", "/v1/overview", operator, "").await;
    assert_eq!(overview["sends"], Value::Null);

    let documented = client::documented();
    assert_eq!(seen, documented, "left: statuses that occurred; right: documented statuses");
}

#[tokio::test]
async fn stuck_events_are_listed() {
    let listeners = Listeners::start().await;
    listeners.put("evt-1", "a").await;
    listeners.put("evt-2", "a").await;
    let event = listeners.store.lease(1, Duration::from_secs(60)).await.unwrap().remove(0);
    let pause = Retry::After(Duration::from_secs(60));
    listeners.store.nack(event.id, event.lease.unwrap(), "why", pause).await.unwrap();
    for (stuck, keys) in [("true", vec!["evt-1"]), ("false", vec!["evt-1", "evt-2"])] {
        let path = format!("/v1/events?stuck={stuck}");
        let (.., list) = listeners.ask("GET", &path, Some(OPERATOR), "").await;
        let listed = list["events"].as_array().unwrap().iter();
        assert_eq!(listed.map(|event| event["key"].as_str().unwrap()).collect::<Vec<_>>(), keys);
    }
}

/// The client checks each request against `openapi.json`.
#[tokio::test]
async fn request_is_accepted_at_its_path_only() {
    let listeners = Listeners::start().await;
    listeners.put("evt-1", "a").await;
    let (long, longer) = ("é".repeat(20_000), "é".repeat(20_001));
    let failed = |error: &str| json!({ "lease": "x", "error": error }).to_string();
    let (ack, nack) = ("/v1/events/1/ack", "/v1/events/1/nack");
    for (path, token, body, status) in [
        (LEASE, WORKER, "{\"limit\":1.0,\"lease_ms\":6e4}", 200),
        (LEASE, WORKER, "{\"limit\":1.5}", 400),
        (LEASE, WORKER, "{\"limit\":1e300}", 400),
        (LEASE, WORKER, "{\"limit\":null}", 400),
        (LEASE, WORKER, "{\"kinds\":null}", 400),
        (LEASE, WORKER, "", 400),
        (LEASE, WORKER, "null", 400),
        (ack, WORKER, "{\"lease\":\"\"}", 400),
        (ack, WORKER, "{\"lease\":null}", 400),
        (ack, WORKER, "", 400),
        (nack, WORKER, "{\"lease\":\"x\",\"dead\":null}", 400),
        (nack, WORKER, &failed(&long), 409),
        (nack, WORKER, &failed(&longer), 400),
        ("/v1/requeue", OPERATOR, "", 400),
        ("/v1/requeue", OPERATOR, "{\"since_ms\":null}", 400),
        ("/v1/requeue", OPERATOR, "{\"since_ms\":9223372036854775807}", 400),
        ("/v1/requeue", OPERATOR, "{\"since_ms\":0.0}", 200),
        ("/v1/events/1/requeue", OPERATOR, "{}", 200),
        ("/v1/events/1/requeue", OPERATOR, "", 200),
        ("/v1/events/1/release", OPERATOR, "null", 400),
        ("/v1/events/1/release", OPERATOR, "", 200),
    ] {
        let (_, answered, problem) = listeners.ask("POST", path, Some(token), body).await;
        assert_eq!(answered, status, "{path} {body}: {problem}");
    }
}

#[tokio::test]
async fn page_is_static_and_isolated() {
    let listeners = Listeners::start().await;
    let scripts = ["page", "kit", "dialog", "flow", "list", "event", "sends"];
    let scripts = scripts.map(|name| (format!("/{name}.js"), "text/javascript"));
    let files = [("/".to_string(), "text/html"), ("/page.css".to_string(), "text/css")];
    for (path, kind) in files.into_iter().chain(scripts) {
        let response = listeners.get(&path).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(listeners.ask("POST", &path, None, "").await.1, 405, "{path}");
        let header = |name: &str| response.headers()[name].to_str().unwrap().to_string();
        assert!(header("content-type").starts_with(kind), "{path}");
        let policy = header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn invalid_http_has_problem_answer() {
    let listeners = Listeners::start().await;
    for (headers, status, code) in [
        ("Content-Length: 1\r\nTransfer-Encoding: chunked", 400, "malformed"),
        ("Content-Length: 1\r\nContent-Length: 2", 400, "malformed"),
        ("Transfer-Encoding: gzip, chunked", 400, "malformed"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400, "malformed"),
        ("Content-Length: 18446744073709551615", 413, "too-large"),
        ("Content-Length: 18446744073709551616", 413, "too-large"),
    ] {
        let head = format!("POST /v1/lease HTTP/1.1\r\nHost: a\r\n{headers}\r\n\r\n");
        let answer = listeners.raw(&head).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{headers}: {answer:?}");
        assert!(answer.contains(&format!("\"code\":\"{code}\"")), "{answer}");
        assert!(answer.to_lowercase().contains("\nconnection: close\r"), "{answer}");
    }
}

/// Connections without authentication are evicted first. The page's files need no token, so a
/// request for them must not mark its connection as authenticated.
#[tokio::test]
async fn page_needs_no_token() {
    let listeners = Listeners::start().await;
    for (path, token, proved) in [
        ("/", None, false),
        ("/page.js", Some("another-token-0123456789"), false),
        ("/v1/overview", None, false),
        ("/nothing", Some(OPERATOR), true),
        ("/v1/overview", Some(OPERATOR), true),
    ] {
        assert_eq!(listeners.proves(path, token).await, proved, "{path} {token:?}");
    }
}
