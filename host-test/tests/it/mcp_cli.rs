//! The command `mcp`: help, invalid settings, and one call over each transport.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::KEY;
use crate::process::{exchange, program, refused, stderr};
use messaging_simulator::service::{Options, Service};
use serde_json::{Value, json};

const TOKEN: (&str, &str) = ("MESSAGING_MCP_TOKENS", "a-token-of-this-test-0001");

fn send() -> String {
    let arguments =
        json!({ "idempotency_key": "order-17", "phone": "+34600111222", "message": "your parcel" });
    let params = json!({ "name": "send_message", "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

#[test]
fn wrong_settings_end_program_at_start() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let (url, key) = (("MESSAGING_BASE_URL", "http://127.0.0.1:9"), ("MESSAGING_API_KEY", KEY));
    let journal = ("MESSAGING_ONCE_JOURNAL", journal.to_str().unwrap());
    for (arguments, settings, said) in [
        (&["mcp"][..], &[journal][..], "MESSAGING_BASE_URL"),
        (&["mcp"], &[journal, url], "MESSAGING_API_KEY"),
        (&["mcp"], &[url, key, ("MESSAGING_ONCE_JOURNAL", "/no/such/folder/x")], "/no/such/folder"),
        (&["mcp", "--listen", "0.0.0.0:0"], &[journal, url, key, TOKEN], "--plain-http"),
        (&["mcp", "--listen", "0.0.0.0:0", "--plain-http"], &[journal, url, key], TOKEN.0),
        (&["mcp", "--listen", "127.0.0.1:0"], &[journal, url, key, (TOKEN.0, "short")], TOKEN.0),
        (&["mcp", "--host", "mcp.example"], &[journal, url, key], "--listen"),
    ] {
        let text = refused(arguments, settings, 2);
        assert!(text.contains(said), "{arguments:?}: {text}");
        assert!(!text.contains(KEY) && !text.contains("short"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_transports_share_one_journal() {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let base = service.base_url();
    let settings = [
        ("MESSAGING_BASE_URL", base.as_str()),
        ("MESSAGING_API_KEY", KEY),
        ("MESSAGING_ONCE_JOURNAL", journal.to_str().unwrap()),
        TOKEN,
        // Even at this level, phone numbers and texts are not logged.
        ("RUST_LOG", "trace"),
    ];
    let mut command = program(&["mcp"], &settings);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let served = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().unwrap();
        writeln!(child.stdin.take().unwrap(), "{}", send()).unwrap();
        child.wait_with_output().unwrap()
    });
    let served = served.await.unwrap();
    assert_eq!(served.status.code(), Some(0), "{served:?}");
    let answer: Value = serde_json::from_slice(&served.stdout).unwrap();
    assert_eq!(answer["result"]["structuredContent"]["message_id"], "msg-0001", "{answer}");
    let log = stderr(&served);
    assert!(log.contains("order-17") && log.contains("created"), "{log}");
    assert!(!log.contains(KEY) && !log.contains("600111222") && !log.contains("parcel"), "{log}");

    let mut command = program(&["mcp", "--listen", "127.0.0.1:0", "--json"], &settings);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut ready = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    let ready: Value = serde_json::from_str(&ready).unwrap();
    let url: http::Uri = ready["url"].as_str().unwrap().parse().unwrap();
    let address = url.authority().unwrap();
    let ask = async |token: &str| {
        let body = send();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        exchange(address.as_str().parse().unwrap(), (head + &body).as_bytes()).await
    };
    assert_eq!(ask("a-token-of-another-test-0001").await.status, 401);
    let reply = ask(TOKEN.1).await;
    let answer: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(answer["result"]["structuredContent"]["replayed"], true, "{answer}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(service.ledger().posts(), 1);
}

#[cfg(unix)]
#[test]
fn silent_client_does_not_block_stop() {
    use std::io::Read;

    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let settings = [
        ("MESSAGING_BASE_URL", "http://127.0.0.1:9"),
        ("MESSAGING_API_KEY", KEY),
        ("MESSAGING_ONCE_JOURNAL", journal.to_str().unwrap()),
    ];
    let mut command = program(&["mcp"], &settings);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // The answers to these requests do not fit into the pipe.
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    for _ in 0..200 {
        writeln!(input, "{request}").unwrap();
    }
    let mut answers = child.stdout.take().unwrap();
    answers.read_exact(&mut [0]).unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let stop = |child: &std::process::Child| {
        let id = rustix::process::Pid::from_child(child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    };
    stop(&child);
    let mut line = String::new();
    while !line.contains("stopping") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "the program logged no stop");
    }
    // A signal within 500 ms of the first signal would not count as a second signal.
    std::thread::sleep(std::time::Duration::from_millis(600));
    stop(&child);
    // If the program did not stop, this wait would never return.
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop((input, answers));
}
