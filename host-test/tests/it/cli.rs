//! The command line in interactive use and in scripts: output, exit codes, and messages for invalid
//! input.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::common::{KEY, Kind};
use crate::process::{assert_fails, json, program, stderr, stdout};
use messaging_simulator::service::script::Reply;
use messaging_simulator::service::{Answer, Options, Service};

/// Returns the program with these arguments and settings, and no other environment variables.
fn command(arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = program(arguments, settings);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with standard input.
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
        assert!(!text.contains(KEY), "the key was shown: {text}");
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
    assert!(text.contains(body), "byte for byte: {text}");
    let sent = [&PHONE[..], &["--field", "device=7"]].concat();
    assert!(run(&sent, &settings, "").await.status.success());
    let ledger = service.ledger();
    let received = &ledger.requests[0].body;
    assert!(received.ends_with(r#","device":7}"#), "{received}");
    for (field, place) in [("device", "NAME=JSON"), ("phone=1", "fields[0].name"), ("a=x", "NAME=")]
    {
        let output = run(&[&PHONE[..], &["--field", field]].concat(), &settings, "").await;
        assert_fails(&output, 2, place);
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
    assert_eq!(json(&report)["checks"][3]["ok"], false, "the key");
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

/// Each error is checked as text on standard error and as JSON on standard output.
#[tokio::test(flavor = "multi_thread")]
async fn each_mistake_has_line_code_and_json() {
    let (service, [url, key]) = service().await;
    let folder = tempfile::tempdir().unwrap();
    let text_file = folder.path().join("text.wasm");
    std::fs::write(&text_file, "not wasm").unwrap();
    let text_file = text_file.to_str().unwrap();
    let empty = folder.path().join("empty.wasm");
    std::fs::write(&empty, wat::parse_str("(component)").unwrap()).unwrap();
    let empty = empty.to_str().unwrap();
    let with = |more: &[&'static str]| [&PHONE[..], more].concat();
    let component = |file| [&["--component", file], &PHONE[..]].concat();
    let set = |name: &'static str, value: &'static str| vec![url, key, (name, value)];
    let (empty_key, wrong) = (("MESSAGING_API_KEY", ""), ("MESSAGING_API_KEY", "wrong"));
    let closed = ("MESSAGING_BASE_URL", "http://127.0.0.1:1");
    let no_url = vec![("MESSAGING_BASE_URL", "api.example"), key];
    let (quoted_url, quoted_key) = (format!("\"{}\"", url.1), format!("\"{KEY}\""));
    let quoted_url = vec![("MESSAGING_BASE_URL", &*quoted_url), key];
    let quoted_key = vec![url, ("MESSAGING_API_KEY", &*quoted_key)];
    let broken_key = format!("{KEY}\n");
    let broken_key = vec![url, ("MESSAGING_API_KEY", &*broken_key)];
    let listen = service.address().to_string();
    let bad = ["send", "--phone", "600", "--message", "x"];
    let (usage, settings, input) =
        ("usage", "permanent-invalid-settings", "permanent-invalid-input");
    for (arguments, variables, code, case, said) in [
        (vec!["sned"], vec![], 2, usage, "unrecognized subcommand"),
        (vec!["send"], vec![], 2, usage, "--phone"),
        (with(&["--bogus"]), vec![], 2, usage, "--bogus"),
        (PHONE.to_vec(), vec![], 2, settings, "MESSAGING_BASE_URL is not set"),
        (PHONE.to_vec(), vec![url], 2, settings, "MESSAGING_API_KEY is not set"),
        (PHONE.to_vec(), vec![url, empty_key], 2, settings, "MESSAGING_API_KEY is empty"),
        (PHONE.to_vec(), set("MESSAGING_DEADLIN_MS", "5"), 2, usage, "MESSAGING_DEADLIN_MS"),
        (PHONE.to_vec(), set("MESSAGING_DEADLINE_MS", "5s"), 2, settings, "whole number"),
        (PHONE.to_vec(), no_url.clone(), 2, settings, "https://"),
        (with(&["--dry-run"]), vec![url], 2, settings, "MESSAGING_API_KEY is not set"),
        (with(&["--dry-run"]), no_url, 2, settings, "https://"),
        (bad.to_vec(), vec![url, key], 2, input, "no leading +"),
        ([&bad[..], &["--dry-run"]].concat(), vec![url, key], 2, input, "no leading +"),
        (vec!["templates", "--param", "x"], vec![url, key], 2, usage, "NAME=VALUE"),
        (vec!["event", "/does/not/exist"], vec![], 2, usage, "/does/not/exist"),
        (component("/does/not/exist"), vec![url, key], 2, usage, "/does/not/exist"),
        (component(text_file), vec![url, key], 2, usage, "not a WebAssembly component"),
        (component(empty), vec![url, key], 2, usage, "not a messaging plugin"),
        (vec!["inspect", text_file], vec![], 2, usage, "not a WebAssembly component"),
        (vec!["--ca-file", text_file, "check"], vec![url, key], 2, usage, "no certificate"),
        (PHONE.to_vec(), vec![url, wrong], 1, "permanent-unauthorized", "permanent-unauthorized"),
        (PHONE.to_vec(), vec![closed, key], 75, "not-sent", "not-sent"),
        (PHONE.to_vec(), quoted_url, 2, settings, "quotation mark"),
        (PHONE.to_vec(), quoted_key, 1, "permanent-unauthorized", "quotation mark"),
        (PHONE.to_vec(), broken_key, 2, settings, "line break"),
        (vec!["service", "--listen", &listen], vec![], 1, "failed", &listen),
        (vec!["serve", "--listen", "localhost:8088"], vec![], 2, usage, "127.0.0.1:8088"),
        (vec!["inbox", "show", "evt-1"], vec![], 2, usage, "`messaging inbox list` prints them"),
        (vec!["sent", "list", "--journal", ""], vec![], 2, usage, "MESSAGING_ONCE_JOURNAL"),
    ] {
        let output = run(&arguments, &variables, "").await;
        assert_fails(&output, code, said);
        assert!(stdout(&output).is_empty(), "{arguments:?}: {output:?}");
        let output = run(&[&arguments[..], &["--json"]].concat(), &variables, "").await;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        let report = json(&output);
        assert_eq!(report["error"]["case"], case, "{arguments:?}: {report}");
        assert!(report["error"]["payload"].is_object(), "{arguments:?}: {report}");
    }
    assert!(service.ledger().messages.is_empty());
    assert_eq!(service.ledger().requests.len(), 4, "only the wrong keys were tried");
    let output = run(&["event", "--json", "-"], &[], "\u{fffd}").await;
    assert_eq!(json(&output)["error"]["case"], input);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_json_reports_line_and_column() {
    let headers =
        ["--header", "X-Idempotency-Key=evt-1", "--header", "Content-Type=application/json"];
    let arguments = [&["event"], &headers[..], &["-"]].concat();
    let output = run(&arguments, &[], "{\"id\":\"m\",\n\"object\" \"message\"}").await;
    assert_fails(&output, 2, "line 2 column 10");
    let report = json(&run(&[&arguments[..], &["--json"]].concat(), &[], "{").await);
    let detail = report["error"]["payload"]["detail"].as_str().unwrap();
    assert!(detail.contains("line 1 column 1"), "{detail}");
    // Valid JSON with an invalid value is reported by path, without line and column.
    let report = json(&run(&[&arguments[..], &["--json"]].concat(), &[], "[]").await);
    assert!(!report["error"]["payload"]["detail"].as_str().unwrap().contains("line"), "{report}");
}

/// Returns a full disk as an output stream.
#[cfg(target_os = "linux")]
fn full() -> Stdio {
    std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn unprinted_outcome_is_on_standard_error() {
    let (service, settings) = service().await;
    let send = async |more: &[&'static str]| {
        let mut command = command(&[&PHONE[..], more].concat(), &settings);
        command.stdout(full());
        let output = output(command).await;
        (output.status.code(), stderr(&output))
    };
    for (more, id) in [(&[][..], "msg-0001"), (&["--json"], "msg-0002")] {
        let (code, said) = send(more).await;
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(&format!("created {id}")), "{said}");
        assert!(said.contains("could be printed"), "{said}");
    }
    assert_eq!(service.ledger().messages.len(), 2, "each was sent once");
    service.script(Answer::lost(Reply::Close));
    let (code, said) = send(&["--json"]).await;
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("permanent-outcome-unknown"), "{said}");
    assert!(said.contains("the message may exist"), "{said}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn failed_write_is_a_failure() {
    let wrong = ["send", "--phone", "600", "--message", "x", "--simulated"];
    for arguments in [
        &["demo"][..],
        &["demo", "--json"],
        &["templates", "--simulated"],
        &["check", "--simulated"],
        &["inspect"],
        &["inspect", "--json"],
        &["conform", "--list"],
        &["send", "--simulated", "--phone", "+34600111222", "--message", "x", "--dry-run"],
        &["--help"],
    ] {
        let mut command = command(arguments, &[]);
        command.stdout(full());
        let output = output(command).await;
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        assert!(!stderr(&output).contains("panicked"), "{arguments:?}: {output:?}");
    }
    // Without a working output stream, the exit code still reports the failure.
    for (arguments, code) in [(&["inspect"][..], 1), (&wrong, 2), (&["sned"], 2)] {
        let mut command = command(arguments, &[]);
        command.stdout(full()).stderr(full());
        assert_eq!(output(command).await.status.code(), Some(code), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn unwritable_log_changes_no_result() {
    let (service, settings) = service().await;
    for format in ["text", "json"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        for nobody in [full(), writer.into()] {
            let arguments = [&PHONE[..], &["--log-format", format]].concat();
            // Sets the variables after `command` has removed RUST_LOG.
            let mut command = command(&arguments, &[]);
            command.envs(settings).env("RUST_LOG", "trace").stderr(nobody);
            let output = output(command).await;
            assert_eq!(output.status.code(), Some(0), "{format}: {output:?}");
            assert!(stdout(&output).starts_with("created msg-"), "{format}: {output:?}");
        }
    }
    assert_eq!(service.ledger().messages.len(), 4, "each was sent once");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn interrupt_while_printing_reports_identifier() {
    use std::io::Read;
    let (service, settings) = service().await;
    let long = format!(r#"{{"id":"{{id}}","more":"{}"}}"#, "x".repeat(500_000));
    service.script(Answer::reply(true, 201, &[], &long));
    let mut command = command(&[&PHONE[..], &["--json"]].concat(), &settings);
    let mut child = command.stdin(Stdio::null()).spawn().unwrap();
    // Reads only the first byte. The rest does not fit into the pipe.
    let mut output = child.stdout.take().unwrap();
    let begun = tokio::task::spawn_blocking(move || {
        output.read_exact(&mut [0]).unwrap();
        output
    });
    let _unread = begun.await.unwrap();
    kill(&child, rustix::process::Signal::INT);
    let mut ended = None;
    for _ in 0..3000 {
        ended = child.try_wait().unwrap();
        if ended.is_some() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    child.kill().unwrap();
    assert_eq!(ended.and_then(|status| status.code()), Some(130));
    let output = child.wait_with_output().unwrap();
    assert!(stderr(&output).contains("created msg-0001; do not send it again"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn long_template_name_widens_one_line() {
    let (service, settings) = service().await;
    let long = "n".repeat(70_000);
    let template = |name: &str| format!(r#"{{"name":"{name}","status":"s","language":"{name}"}}"#);
    let list = format!(
        r#"{{"data":[{},{}],"total":2,"page":0,"size":2}}"#,
        template(&long),
        template("b\u{2028}\u{61c}")
    );
    service.script(Answer::reply(false, 200, &[], &list));
    let output = run(&["templates"], &settings, "").await;
    assert!(output.status.success(), "{:?} {}", output.status, stderr(&output));
    let text = stdout(&output);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].contains(&long), "the name can be read whole");
    assert!(lines[1].starts_with("  b\\u{2028}\\u{61c} ") && lines[1].len() < 120, "{}", lines[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn json_of_service_is_unchanged() {
    let (service, settings) = service().await;
    let send = [&PHONE[..], &["--json"]].concat();
    let deep = format!(r#"{{"id":"m","deep":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    for sent in [
        r#"{"id":"m"}"#,
        r#"{"id":"m","long":12345678901234567890123,"price":1.10,"again":1,"again":2}"#,
        r#"{"id":"m","large":1e999}"#,
        r#"{"id":"m","half":"\ud800"}"#,
        "{\"id\":\"m\", \"c1\":\"\u{9b}31m\"}",
        deep.as_str(),
    ] {
        service.script(Answer::reply(true, 201, &[], sent));
        let output = run(&send, &settings, "").await;
        assert!(output.status.success(), "{output:?}");
        assert!(stdout(&output).contains(&format!("\"json\": {sent}\n")), "{output:?}");
    }
    let template = r#"{"name":"a","status":"b","language":"c","n":1.10,"n":1e999}"#;
    let list = format!(r#"{{"data":[{template}],"total":1,"page":0,"size":1}}"#);
    service.script(Answer::reply(false, 200, &[], &list));
    let output = run(&["templates", "--json"], &settings, "").await;
    assert!(stdout(&output).contains(&format!("\"json\": {template}\n")), "{output:?}");
    let event = r#"{"id":"m","object":"message","event":"x","n":1e999,"n":1.10}"#;
    let headers =
        ["--header", "X-Idempotency-Key=evt-1", "--header", "Content-Type=application/json"];
    let arguments = [&["event", "--json"], &headers[..], &["-"]].concat();
    let output = run(&arguments, &[], event).await;
    assert!(stdout(&output).contains(&format!("\"json\": {event}\n")), "{output:?}");
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

#[tokio::test(flavor = "multi_thread")]
async fn refusal_shows_response_and_meaning() {
    let (service, settings) = service().await;
    let page = format!("<html>\n<h1>Not\tfound</h1>{}</html>", "x".repeat(5_000));
    for (status, body, parts, absent) in [
        (
            422,
            r#"{"code":"E7","message":"no such number"}"#,
            vec!["status 422 (E7): no such number", "correct the request"],
            "BASE_URL",
        ),
        (
            400,
            r#"{"detail":[{"loc":["body","phone"],"msg":"bad"}]}"#,
            vec!["phone: bad", "correct the request"],
            "BASE_URL",
        ),
        (
            404,
            &page,
            vec!["status 404: <html> <h1>Not found</h1>xxx", "xxx...", "check MESSAGING_BASE_URL"],
            "correct the request",
        ),
        (
            418,
            r#"{"teapot":true}"#,
            vec![r#"status 418: {"teapot":true}"#, "the service's reason"],
            "correct the request",
        ),
        (413, "", vec!["status 413\n", "shorten the message"], "correct the request"),
        (
            500,
            r#"{"message":"look here"}"#,
            vec!["status 500", "look here", "may exist"],
            "correct",
        ),
    ] {
        service.script(Answer::reply(false, status, &[], body));
        let output = run(&PHONE, &settings, "").await;
        let said = stderr(&output);
        let code = if status == 500 { 3 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(!said.contains(absent) && said.len() < 600, "{said}");
    }
}

/// Returns the variables that Kubernetes sets for a Service of this name, and Docker for a link.
fn injected(service: &str) -> Vec<(String, &'static str)> {
    let prefix = format!("MESSAGING{}", service.to_uppercase().replace('-', "_"));
    let mut variables = Vec::new();
    for (end, value) in [
        ("SERVICE_HOST", "10.96.7.1"),
        ("SERVICE_PORT", "8088"),
        ("SERVICE_PORT_HTTP", "8088"),
        ("SERVICE_PORT_METRICS", "9090"),
        ("PORT", "tcp://10.96.7.1:8088"),
        ("PORT_8088_TCP", "tcp://10.96.7.1:8088"),
        ("PORT_8088_TCP_PROTO", "tcp"),
        ("PORT_8088_TCP_PORT", "8088"),
        ("PORT_8088_TCP_ADDR", "10.96.7.1"),
        ("PORT_53_UDP", "udp://10.96.7.1:53"),
        ("PORT_53_UDP_ADDR", "10.96.7.1"),
        ("NAME", "/web/messaging"),
        ("ENV_PATH", "/usr/bin"),
        ("ENV_MESSAGING_API_KEY", "x"),
        ("IMAGE", "registry.example/messaging"),
        ("VERSION", "0.2.0"),
    ] {
        variables.push((format!("{prefix}_{end}"), value));
        variables.push((format!("{prefix}_{end}").to_lowercase(), value));
    }
    variables
}

#[tokio::test(flavor = "multi_thread")]
async fn orchestrator_variables_are_ignored_by_each_command() {
    let (_service, [url, key]) = service().await;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (journal, store) = (path("journal.sqlite"), path("inbox.sqlite"));
    let names = ["", "-webhook", "-store", "-worker", "-operator", "-mcp", "-once", "-journal"];
    let injected: Vec<_> = names.into_iter().flat_map(injected).collect();
    let own = [
        url,
        key,
        ("MESSAGING_ONCE_JOURNAL", &journal),
        ("MESSAGING_WEBHOOK_STORE", &store),
        ("MESSAGING_WEBHOOK_HEADER_SECRET", "0123456789abcdef"),
        // An entrypoint that reads the file sets the value and may leave the `_FILE` variable.
        ("MESSAGING_WEBHOOK_HEADER_SECRET_FILE", "x"),
    ];
    let others = injected.iter().map(|(name, value)| (name.as_str(), *value));
    let settings: Vec<_> = own.into_iter().chain(others).collect();
    let serving = crate::process::Serving::start(&[], &settings);
    drop(serving);
    let once = [&PHONE[..], &["--once", "order-17"]].concat();
    for arguments in [
        &PHONE[..],
        &once,
        &["sent", "init"],
        &["sent", "list"],
        &["templates"],
        &["check"],
        &["mcp"],
        &["inbox", "list"],
        &["inbox", "lease"],
        &["inspect"],
    ] {
        let output = run(arguments, &settings, "").await;
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn abridged_setting_is_a_warning() {
    let output = run(&["templates", "--simulated"], &[("MESSAGING_JOURNAL", "canary")], "").await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = stderr(&output);
    assert!(said.contains("MESSAGING_ONCE_JOURNAL") && !said.contains("canary"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn misspelt_setting_is_rejected_by_each_command() {
    for (name, meant) in [
        ("MESSAGING_BASE_ULR", "MESSAGING_BASE_URL"),
        ("messaging_api_key", "MESSAGING_API_KEY"),
        ("MESSAGING_WEBHOOK_HEADERSECRET", "MESSAGING_WEBHOOK_HEADER_SECRET"),
        ("MESSAGING_OPERATOR_TOKEN", "MESSAGING_OPERATOR_TOKENS"),
    ] {
        for arguments in [
            &PHONE[..],
            &["templates"],
            &["check"],
            &["mcp"],
            &["serve"],
            &["sent", "list"],
            &["inbox", "list"],
        ] {
            let output = run(arguments, &[(name, "canary-value-of-a-setting")], "").await;
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
            let said = stderr(&output);
            assert!(said.contains(name) && said.contains(meant), "{arguments:?}: {said}");
            assert!(said.contains("did you mean") && !said.contains("canary"), "{said}");
        }
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn setting_that_is_not_utf8_is_named() {
    use std::os::unix::ffi::OsStringExt;
    let once = [&PHONE[..], &["--once", "order-17"]].concat();
    for (name, arguments) in [
        ("MESSAGING_API_KEY", &PHONE[..]),
        ("MESSAGING_DEADLINE_MS", &["templates"]),
        ("MESSAGING_ONCE_JOURNAL", &once),
        ("MESSAGING_ONCE_JOURNAL", &["sent", "list"]),
        ("MESSAGING_WEBHOOK_STORE", &["inbox", "list"]),
        ("MESSAGING_WEBHOOK_PATH_SECRET", &["serve"]),
        ("MESSAGING_FORWARD_SECRET", &["serve"]),
        ("MESSAGING_MCP_TOKENS", &["mcp"]),
    ] {
        let settings = [("MESSAGING_BASE_URL", "http://127.0.0.1:9"), ("MESSAGING_API_KEY", KEY)];
        let mut command = command(arguments, &settings);
        command.env(name, std::ffi::OsString::from_vec(b"/tmp/\xff".to_vec()));
        let output = output(command).await;
        assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
        assert!(stderr(&output).contains(name), "{name}: {output:?}");
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
        ("conform", "--table puts their reports side by side"),
        ("attack", "strangers  senders"),
    ] {
        let output = run(&[command, "--help"], &[], "").await;
        assert!(stdout(&output).contains(said), "{command}");
    }
}

/// Address space too small for an instance pool. The host falls back to instances on demand.
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

/// Replaces values that differ between runs: ports, times and the size of the component.
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
