//! Tests of `list-templates`, `handle-event` and large replies for each kind of component.
//! `conformance/cases` contains the cases of the conformance and fault suites.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::Duration;

use crate::common::{KEY, Kind, query};
use crate::for_each_kind;
use messaging_host::Limits;
use messaging_host::wit::{self, IncompleteReason};
use messaging_simulator::service::script::Reply;
use messaging_simulator::service::{Answer, Options};

for_each_kind!(
    read_is_repeated_until_it_works,
    huge_listing_never_traps,
    endless_listing_ends_at_cap,
    the_largest_replies_never_trap,
    one_byte_chunks_are_read,
    deeply_nested_event_is_read,
);

async fn read_is_repeated_until_it_works(kind: Kind) {
    let setup = kind.setup().await;
    setup.service.script(Answer::lost(Reply::Close));
    setup.service.script(Answer::reply(false, 503, &[("retry-after", "0")], ""));
    let page = setup.plugin.list_templates(&query()).await.unwrap().unwrap();
    assert_eq!(page.templates.len(), 3);
    assert_eq!(setup.ledger().requests.len(), 3);
}

async fn huge_listing_never_traps(kind: Kind) {
    // `N` becomes a different number in each template. A listing with identical templates is
    // reported as incomplete.
    let one = r#"{"name":"","status":"","language":""}"#;
    let more = r#"{"name":"\u0000","status":"s","language":"l"}"#;
    let own = r#"{"name":"N","status":"","language":""}"#;
    for (template, count, cap) in [
        (one, 20_000, "1048576"),
        (one, 107_000, "4194304"),
        (more, 90_000, "4194304"),
        (own, 90_000, "4194304"),
    ] {
        let setup = kind.setup_with(Options::new(KEY), &[("MESSAGING_MAX_REPLY_BYTES", cap)]).await;
        let data: Vec<_> = (0..count).map(|n| template.replace('N', &format!("{n:x}"))).collect();
        let data = data.join(",");
        let body = format!(r#"{{"data":[{data}],"total":{count},"page":0,"size":{count}}}"#);
        setup.service.script(Answer::reply(false, 200, &[], &body));
        let page = setup.plugin.list_templates(&query()).await.unwrap().unwrap();
        assert_eq!((page.templates.len(), page.incomplete.is_none()), (count, template == own));
    }
}

/// The longest listing that the plugin follows, with the templates that need the most memory.
async fn endless_listing_ends_at_cap(kind: Kind) {
    let template = r#"{"name":"n","status":"s","language":"l"}"#;
    let cap = [("MESSAGING_MAX_REPLY_BYTES", "4194304"), ("MESSAGING_DEADLINE_MS", "30000")];
    let setup = kind.setup_with(Options::new(KEY), &cap).await;
    let count = 95_000;
    let data = vec![template; count].join(",");
    for page in 0..4 {
        // One unique template per page, because a repeated page would end the listing.
        let own = template.replace("\"n\"", &format!("\"n{page}\""));
        let body = format!(r#"{{"data":[{own},{data}],"total":4000000,"page":{page},"size":1}}"#);
        setup.service.script(Answer::reply(false, 200, &[], &body));
    }
    let every = wit::TemplateQuery { every_page: Some("page".into()), ..query() };
    let page = setup.plugin.list_templates(&every).await.unwrap().unwrap();
    assert_eq!(page.incomplete, Some(IncompleteReason::CapReached));
    // The plugin stops at the page that exceeds the limit of 16 MiB. One of these pages is below
    // the limit, and two pages exceed it.
    assert_eq!(page.templates.len(), 2 * (count + 1));
    assert_eq!(setup.ledger().requests.len(), 2);
}

/// Replies of the maximum size with content that is expensive to parse.
async fn the_largest_replies_never_trap(kind: Kind) {
    let cap = [("MESSAGING_MAX_REPLY_BYTES", "4194304")];
    let setup = kind.setup_with(Options::new(KEY), &cap).await;
    let size = 4_194_000;
    let escapes = "\\n".repeat(size / 2 - 20);
    let key = "c".repeat(size);
    for (status, body) in [
        (201, format!(r#"{{"id":"m","x":"{escapes}"}}"#)),
        (201, format!(r#"{{"id":"{}"}}"#, "x".repeat(size - 100))),
        (201, "[".repeat(size)),
        (400, "[".repeat(size)),
        (400, format!(r#"{{"message":"{escapes}"}}"#)),
        (400, format!(r#"{{"errors":[{}]}}"#, vec!["\"\""; size / 3 - 10].join(","))),
        (400, key),
        (400, "\u{fffd}".repeat(size / 3)),
    ] {
        setup.service.script(Answer::reply(true, status, &[], &body));
        let result = setup.plugin.send_message(&crate::common::message("+34600111222")).await;
        assert!(result.is_ok(), "{status} {body:.40}: {result:?}");
    }
}

/// A service may send a body in chunks of one byte.
async fn one_byte_chunks_are_read(kind: Kind) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let body = format!(r#"{{"id":"m-1","x":"{}"}}"#, "x".repeat(1_000_000));
    let chunks: String = body.chars().map(|byte| format!("1\r\n{byte}\r\n")).collect();
    let service = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = vec![0; 10_000];
        while !request.windows(4).any(|end| end == b"up.\"") {
            assert_ne!(connection.read(&mut request).await.unwrap(), 0);
        }
        let head = "HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n";
        connection.write_all(format!("{head}{chunks}0\r\n\r\n").as_bytes()).await.unwrap();
        connection.shutdown().await.unwrap();
    });
    // A busy machine may need more than the default deadline.
    let limits = Limits { instances: 2, wall: Duration::from_secs(301), ..Limits::default() };
    let settings = [("MESSAGING_BASE_URL", base.as_str()), ("MESSAGING_DEADLINE_MS", "300000")];
    let config = crate::common::config(&settings, Some(KEY));
    let plugin = kind.load(limits, config);
    let message = wit::MessageRequest {
        message: "It can be picked up.".into(),
        ..crate::common::message("+34600111222")
    };
    let created = plugin.send_message(&message).await.unwrap().unwrap();
    assert_eq!((created.id.as_str(), created.json.len()), ("m-1", body.len()));
    service.await.unwrap();
}

fn delivery(key: &str, body: &str) -> wit::WebhookDelivery {
    let header = |name: &str, value: &str| wit::Header { name: name.into(), value: value.into() };
    wit::WebhookDelivery {
        headers: vec![
            header("Content-Type", "application/json; charset=utf-8"),
            header("X-IDEMPOTENCY-KEY", key),
        ],
        body: body.into(),
    }
}

async fn deeply_nested_event_is_read(kind: Kind) {
    let plugin = kind.plugin(&[], None);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let body =
        format!(r#"{{"id":"m1","object":"message","event":"message:in:new","from":{deep}}}"#);
    let event = plugin.handle_event(&delivery("evt-1", &body)).await.unwrap().unwrap();
    assert_eq!(event.json, body);
}
