//! Messages for invalid input and rejected requests.

use super::{PHONE, run, service};
use crate::common::KEY;
use crate::process::{assert_fails, json, stderr, stdout};
use messaging_simulator::service::Answer;

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
    let of_wasi_03 = folder.path().join("wasi-0.3.wasm");
    std::fs::write(&of_wasi_03, messaging_components::WEBHOOK_WASMCLOUD).unwrap();
    let of_wasi_03 = of_wasi_03.to_str().unwrap();
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
        (
            vec!["send", "--phone", "+34600111222", "--message", "--dry-run"],
            vec![url, key],
            2,
            usage,
            "--message",
        ),
        (vec!["inbox", "lease", "--lease", "13h"], vec![], 2, usage, "12h"),
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
        (component(of_wasi_03), vec![url, key], 2, usage, "not a messaging plugin"),
        (vec!["inspect", text_file], vec![], 2, usage, "not a WebAssembly component"),
        (vec!["--ca-file", text_file, "check"], vec![url, key], 2, usage, "name a PEM file"),
        (PHONE.to_vec(), vec![url, wrong], 1, "permanent-unauthorized", "permanent-unauthorized"),
        (PHONE.to_vec(), vec![closed, key], 75, "not-sent", "not-sent"),
        (PHONE.to_vec(), quoted_url, 2, settings, "quotation mark"),
        (PHONE.to_vec(), quoted_key, 1, "permanent-unauthorized", "quotation mark"),
        (PHONE.to_vec(), broken_key, 2, settings, "line break"),
        (vec!["service", "--listen", &listen], vec![], 1, "failed", "another address or port"),
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
    assert_eq!(
        service.ledger().requests.len(),
        4,
        "only calls with a wrong API key reached the service"
    );
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

/// `run` checks that the output has no escape character.
#[tokio::test]
async fn rejected_argument_cannot_control_terminal() {
    for arguments in [&["completions", "a\u{1b}[31m\u{202e}"], &["inbox\u{202e}", "list"]] {
        let output = run(arguments, &[], "").await;
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(r"\u{202e}") && !said.contains(['\u{1b}', '\u{202e}']), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn journal_without_once_sends_nothing() {
    let (service, settings) = service().await;
    let arguments = [&PHONE[..], &["--journal", "journal.sqlite"]].concat();
    assert_fails(&run(&arguments, &settings, "").await, 2, "without --once KEY");
    assert_eq!(service.ledger().requests.len(), 0);
}
