//! The command line in interactive use and in scripts: output, exit codes, and messages for invalid
//! input.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod environment;
mod mistakes;
mod output;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::common::{KEY, Kind};
use crate::process::{assert_fails, json, program, stderr, stdout};
use messaging_simulator::service::script::Reply;
use messaging_simulator::service::{Answer, Options, Service};

/// Returns a command with these arguments and settings, without the user's settings.
fn command(arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = program(arguments, settings);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with this text as standard input.
async fn run(arguments: &[&str], settings: &[(&str, &str)], input: &str) -> Output {
    let mut command = command(arguments, settings);
    let input = input.to_string();
    // The simulated service of a test runs on the threads of that test, so they must not block.
    let output = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    });
    let output = output.await.unwrap();
    for text in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(text);
        assert!(!text.contains(KEY), "the API key was shown: {text}");
        assert!(!text.contains('\u{1b}'), "colors outside a terminal: {text}");
    }
    output
}

/// Base URL and API key of a service.
type Settings = [(&'static str, &'static str); 2];

/// Starts a service and returns the settings for it.
async fn service() -> (Service, Settings) {
    let service = Service::start(Options::new(KEY)).await.unwrap();
    let base = service.base_url().leak();
    (service, [("MESSAGING_BASE_URL", base), ("MESSAGING_API_KEY", KEY)])
}

/// Runs a command whose output streams are already configured.
async fn output(mut command: Command) -> Output {
    command.stdin(Stdio::null());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[cfg(unix)]
fn kill(child: &std::process::Child, signal: rustix::process::Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
}

const PHONE: [&str; 5] = ["send", "--phone", "+34 600 111 222", "--message", "Your order is ready"];

#[tokio::test(flavor = "multi_thread")]
async fn demo_fails_with_broken_component() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hostile.wasm");
    std::fs::write(&file, messaging_components::HOSTILE).unwrap();
    let output = run(&["--component", file.to_str().unwrap()], &[], "").await;
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("NOT as promised"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn component_of_each_kind_sends_and_shows_identifier() {
    let (service, settings) = service().await;
    let output = run(&PHONE, &settings, "").await;
    assert!(output.status.success(), "{output:?}");
    assert!(stdout(&output).starts_with("created msg-0001\n"), "{output:?}");
    let arguments = [&PHONE[..], &["--device", "7", "--json"]].concat();
    let output = run(&arguments, &settings, "").await;
    assert_eq!(json(&output)["ok"]["id"], "msg-0002");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plugin.wasm");
    for kind in Kind::ALL {
        std::fs::write(&file, kind.component()).unwrap();
        let component = ["--component", file.to_str().unwrap()];
        let output = run(&[&component, &PHONE[..]].concat(), &settings, "").await;
        assert!(output.status.success(), "{kind:?}: {output:?}");
    }
    assert_eq!(service.ledger().messages.len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn dry_run_shows_request_and_sends_nothing() {
    let (service, [_, key]) = service().await;
    let base = format!("{}/prefix/", service.base_url());
    let settings = [("MESSAGING_BASE_URL", base.as_str()), key];
    let arguments = [&PHONE[..], &["--dry-run"]].concat();
    let output = run(&arguments, &settings, "").await;
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    for part in [
        "POST /prefix/v1/messages HTTP/1.1",
        "token: [redacted]",
        "content-length: 56",
        r#"{"phone":"+34600111222","message":"Your order is ready"}"#,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let report = json(&run(&[&arguments[..], &["--json"]].concat(), &settings, "").await);
    assert_eq!(report["dry-run"]["headers"]["token"], "[redacted]");
    assert!(service.ledger().requests.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn further_fields_are_sent_as_they_are_given() {
    let (service, settings) = service().await;
    let fields = ["--field", "template={\"id\": 1e400, \"a=b\":[]}", "--field", "device=7"];
    let body = r#"{"phone":"+34600111222","message":"Your order is ready","template":{"id": 1e400, "a=b":[]},"device":7}"#;
    let dry = [&PHONE[..], &fields, &["--dry-run"]].concat();
    let text = stdout(&run(&dry, &settings, "").await);
    assert!(text.contains(body), "{text}");
    let text = stdout(&run(&[&dry[..], &["--json"]].concat(), &settings, "").await);
    assert!(text.contains(body), "the JSON was changed: {text}");
    let sent = [&PHONE[..], &["--field", "device=7"]].concat();
    assert!(run(&sent, &settings, "").await.status.success());
    let ledger = service.ledger();
    let received = &ledger.requests[0].body;
    assert!(received.ends_with(r#","device":7}"#), "{received}");
    for (field, named) in [("device", "NAME=JSON"), ("phone=1", "fields[0].name"), ("a=x", "NAME=")]
    {
        let output = run(&[&PHONE[..], &["--field", field]].concat(), &settings, "").await;
        assert_fails(&output, 2, named);
    }
    assert_eq!(service.ledger().requests.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn templates_are_listed_for_people_and_scripts() {
    let (_service, settings) = service().await;
    let arguments = ["templates", "--status", "approved", "--every-page", "page"];
    let text = stdout(&run(&arguments, &settings, "").await);
    assert!(text.contains("order_ready") && text.contains("all 7 templates"), "{text}");
    let report = json(&run(&["templates", "--param", "x=1", "--json"], &settings, "").await);
    assert_eq!(report["ok"]["incomplete"], "pages-not-followed");
    let simulated = run(&["templates", "--simulated"], &[], "").await;
    assert!(simulated.status.success(), "{simulated:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn event_is_read_from_file_or_stdin() {
    let body = r#"{"id":"m1","object":"message","event":"message:in:new"}"#;
    let headers =
        ["--header", "X-Idempotency-Key=evt-1", "--header", "Content-Type=application/json"];
    let output = run(&[&["event"], &headers[..], &["-"]].concat(), &[], body).await;
    assert!(output.status.success() && stdout(&output).contains("message:in:new"), "{output:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.json");
    std::fs::write(&file, body).unwrap();
    let file = file.to_str().unwrap();
    let output = run(&[&["event", "--json"], &headers[..], &[file]].concat(), &[], "").await;
    assert_eq!(json(&output)["ok"]["idempotency-key"], "evt-1");
    let output = run(&["event", "--json", file], &[], "").await;
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(json(&output)["error"]["case"], "permanent-invalid-input");
}

#[tokio::test(flavor = "multi_thread")]
async fn check_reports_working_and_failing_parts() {
    let (service, good) = service().await;
    let output = run(&["check"], &good, "").await;
    assert!(output.status.success() && stdout(&output).contains("accepted"), "{output:?}");
    let wrong = [good[0], ("MESSAGING_API_KEY", "another")];
    let report = run(&["check", "--json"], &wrong, "").await;
    assert_eq!(report.status.code(), Some(1));
    assert_eq!(json(&report)["checks"][3]["ok"], false, "the API key");
    let away = [
        ("MESSAGING_BASE_URL", "http://127.0.0.1:1"),
        ("MESSAGING_API_KEY", KEY),
        ("MESSAGING_MAX_ATTEMPTS", "1"),
    ];
    let report = run(&["check", "--json"], &away, "").await;
    assert_eq!(report.status.code(), Some(75));
    assert_eq!(json(&report)["checks"][2]["check"], "reachability");
    assert_eq!(json(&report)["checks"][2]["ok"], false);
    assert_eq!(run(&["check"], &[], "").await.status.code(), Some(2));
    assert!(service.ledger().messages.is_empty(), "check only reads");
}

#[tokio::test(flavor = "multi_thread")]
async fn inspect_shows_rights_of_component() {
    let output = run(&["inspect"], &[], "").await;
    let text = stdout(&output);
    assert!(text.contains("send-message, list-templates, handle-event"), "{text}");
    assert!(text.contains("wasi:http/outgoing-handler@0.2.0"), "{text}");
    let report = json(&run(&["inspect", "--json"], &[], "").await);
    assert_eq!(report["imports"].as_array().unwrap().len(), 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn message_is_read_from_file_or_stdin() {
    let (service, settings) = service().await;
    let long = "ñ\n".repeat(100_000);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("message.txt");
    std::fs::write(&file, &long).unwrap();
    let send = ["send", "--phone", "+34600111222", "--message-file"];
    let output = run(&[&send[..], &[file.to_str().unwrap()]].concat(), &settings, "").await;
    assert!(output.status.success(), "{output:?}");
    let output = run(&[&send[..], &["-"]].concat(), &settings, "Hello\n").await;
    assert!(output.status.success(), "{output:?}");
    let texts: Vec<_> =
        service.ledger().messages.into_iter().map(|one| one.message.message).collect();
    assert_eq!(texts, [long, "Hello\n".into()]);
    std::fs::write(&file, b"ab\xff").unwrap();
    for (arguments, said) in [
        (vec![file.to_str().unwrap()], "is not UTF-8 at byte 2"),
        (vec!["/does/not/exist"], "/does/not/exist"),
        (vec!["-", "--message", "x"], "cannot be used with"),
    ] {
        let output = run(&[&send[..], &arguments].concat(), &settings, "").await;
        assert_fails(&output, 2, said);
    }
    assert_eq!(service.ledger().posts(), 2);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn interrupted_send_may_have_created_message() {
    for (signal, more) in
        [(rustix::process::Signal::INT, &[][..]), (rustix::process::Signal::TERM, &["--json"])]
    {
        let (service, settings) = service().await;
        service.script(Answer::lost(Reply::Silence));
        let mut command = command(&[&PHONE[..], more].concat(), &settings);
        let child = command.stdin(Stdio::null()).spawn().unwrap();
        while service.ledger().requests.is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        kill(&child, signal);
        let output = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap());
        let output = output.await.unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        if more.is_empty() {
            assert!(stderr(&output).contains("the message may exist"), "{output:?}");
        } else {
            assert_eq!(json(&output)["error"]["case"], "permanent-outcome-unknown");
        }
        assert_eq!(service.ledger().messages.len(), 1);
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn retry_loop_stops_at_unknown_outcome() {
    let (service, [url, key]) = service().await;
    for _ in 0..2 {
        service.script(Answer::reply(false, 429, &[], ""));
    }
    let binary = env!("CARGO_BIN_EXE_messaging");
    let script = format!(
        "until '{binary}' send --phone +99900002000 --message x; do [ $? = 75 ] || break; done"
    );
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]);
    let settings = [url, key, ("MESSAGING_MAX_ATTEMPTS", "1")];
    crate::process::set(&mut shell, &settings);
    tokio::task::spawn_blocking(move || shell.output().unwrap()).await.unwrap();
    let ledger = service.ledger();
    assert_eq!((ledger.requests.len(), ledger.messages.len()), (3, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn simulated_events_reach_https_webhook() {
    let tls = crate::process::tls::Tls::new();
    let settings = [
        ("MESSAGING_WEBHOOK_HEADER_SECRET", "header-secret-0123456789"),
        ("MESSAGING_WEBHOOK_HEADER", "x-proof"),
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", "signature-secret-0123456789"),
        ("MESSAGING_WEBHOOK_SIGNED", "timestamp.body"),
        ("MESSAGING_WEBHOOK_SIGNATURE_HEADER", "x-hub-signature"),
        ("MESSAGING_WEBHOOK_SIGNATURE_PREFIX", "sha256="),
    ];
    let serving = tls.serve(&settings);
    let url = format!("https://localhost:{}/", serving.address.port());
    let certificate = tls.path("cert.pem");
    let service = ["service", "--json", "--listen", "127.0.0.1:0", "--webhook", &url];
    let trusted = ["--ca-file", certificate.to_str().unwrap()];
    let proofs = ["--sign", "timestamp.body", "--header-secret"];
    for (more, status, said) in [
        ([&trusted[..], &proofs].concat(), 200, "acknowledged"),
        (trusted.to_vec(), 400, "status 401"),
        (proofs.to_vec(), 400, "--ca-file"),
    ] {
        let mut command = command(&[&service[..], &more].concat(), &settings);
        let mut child = command.stdin(Stdio::null()).spawn().unwrap();
        let mut ready = String::new();
        let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
        while !ready.ends_with("}\n") {
            std::io::BufRead::read_line(&mut output, &mut ready).unwrap();
        }
        let ready: serde_json::Value = serde_json::from_str(&ready).unwrap();
        let address = ready["base-url"].as_str().unwrap().trim_start_matches("http://");
        let request = format!(
            "POST /_simulator/events HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        let reply = crate::process::exchange(address.parse().unwrap(), request.as_bytes()).await;
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(reply.status, status, "{more:?}: {reply:?}");
        assert!(reply.body.contains(said), "{more:?}: {reply:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn help_of_command_has_documentation_of_its_arguments() {
    // A doc comment on the variant of a command would replace the documentation of its arguments.
    for (command, said) in [
        ("service", "+99900002000"),
        ("serve", "MESSAGING_WEBHOOK_SIGNATURE_SECRET"),
        ("mcp", "send_message"),
        ("mcp", "list_templates"),
        ("mcp", "look_up_message"),
        ("mcp", "`messaging sent resolve`"),
        ("mcp", "MESSAGING_MCP_TOKENS"),
    ] {
        let output = run(&[command, "--help"], &[], "").await;
        assert!(stdout(&output).contains(said), "{command}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn completions_and_manual_have_each_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell], &[], "").await;
        assert!(output.status.success(), "{shell}: {output:?}");
        for part in ["inbox", "requeue", "--operator"] {
            assert!(stdout(&output).contains(part.trim_start_matches('-')), "{shell}: {part}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man/man1");
    let output = run(&["manual", pages.to_str().unwrap()], &[], "").await;
    assert!(output.status.success(), "{output:?}");
    let page = std::fs::read_to_string(pages.join("messaging-inbox-ack.1")).unwrap();
    assert!(page.contains("Acknowledge a leased event") && page.contains("Exit codes"), "{page}");
    assert!(pages.join("messaging.1").exists());
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert_fails(&run(&["manual", file.to_str().unwrap()], &[], "").await, 1, "can write to");
}

/// The address space is too small for a pool of instances, so the host creates instances on demand.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn demo_runs_with_little_address_space() {
    let binary = env!("CARGO_BIN_EXE_messaging");
    let limited = format!("ulimit -v 4000000 && exec '{binary}' demo --json");
    let output = Command::new("bash").args(["-c", &limited]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("creating instances on demand"), "{said}");
    let report = json(&output);
    assert_eq!(report["ok"], true);
    assert_eq!(report["steps"].as_array().unwrap().len(), 9);
    assert_eq!(report["ledger"]["messages"].as_array().unwrap().len(), 3);
}

/// Removes the digits that differ between runs: in ports, times and the size of the component.
fn steady(text: &str) -> String {
    let mut clean = String::new();
    for line in text.trim().lines() {
        let varies = ["embedded plugin", "loaded in", "simulated service on", "as promised"];
        let digits = varies.iter().any(|part| line.contains(part));
        let own: String = line.chars().filter(|char| !(digits && char.is_ascii_digit())).collect();
        clean.push_str(own.trim_end());
        clean.push('\n');
    }
    clean
}

#[tokio::test(flavor = "multi_thread")]
async fn demo_transcript_is_current() {
    let mut real = String::new();
    for arguments in [&[][..], &["demo"]] {
        let output = run(arguments, &[], "").await;
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        real = steady(&stdout(&output));
        assert_eq!(steady(include_str!("demo.txt")), real);
    }
    // The README shows some of these lines, in this order.
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("<!-- transcript, shortened -->\n```text\n").unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    let mut lines = real.lines();
    for line in shown.lines() {
        assert!(lines.any(|one| one == line), "{line}");
    }
}
