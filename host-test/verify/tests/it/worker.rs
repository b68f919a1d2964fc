//! Runs the suite over a pipe to a worker program. The suite must detect a worker that never sends,
//! and must report protocol errors. The tests for Node and Python run the suite on their own
//! workers.
#![cfg(target_os = "linux")] // The workers need `sed -u`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::process::Command;
use std::sync::Mutex;

use messaging_conformance::once::{Verdict, run};
use messaging_verify::worker::Worker;
use serde_json::Value;

/// Returns a command that answers each request with `line`, with the request's ID instead of `N`.
fn answering(line: &str) -> Vec<String> {
    let script = format!(r#"s/.*"id":\([0-9]*\).*/{}/"#, line.replace('N', r"\1"));
    ["sed", "-u", "-e", &script].map(Into::into).into()
}

const CREATED: &str =
    r#"{"id":N,"ok":{"id":"msg-0001","json":null,"replayed":false,"recorded":true}}"#;

async fn judged(command: Vec<String>, case: &str) -> Verdict {
    let command = command.into_iter().map(Into::into).collect();
    let worker = Worker { command, journal: "none".into() };
    let begun = Mutex::new(Vec::new());
    let begins =
        |before, all, name: &str| begun.lock().unwrap().push((before, all, name.to_string()));
    let mut verdicts = run(&worker, &[case.into()], begins).await.unwrap();
    assert_eq!(verdicts.len(), 1, "{verdicts:?}");
    assert_eq!(begun.into_inner().unwrap(), [(0, 1, verdicts[0].name.to_string())]);
    verdicts.remove(0)
}

#[tokio::test]
async fn lying_program_fails_suite() {
    for case in ["recorded_message", "concurrent", "stays_unknown", "invalid_request"] {
        let problem = judged(answering(CREATED), case).await.problem;
        let problem = problem.unwrap_or_else(|| panic!("{case} passes"));
        assert!(!problem.contains("worker"), "{case}: {problem}");
    }
}

#[tokio::test]
async fn invalid_answer_is_quoted() {
    for (line, said) in [
        (r#"{"id":N,"ok":{"id":"m"}}"#, "missing field `replayed`"),
        (
            r#"{"id":N,"ok":{"id":"m","json":null,"replayed":0,"recorded":true}}"#,
            "expected a boolean",
        ),
        (r#"{"id":N,"error":{"case":"permanent-perhaps","payload":null}}"#, "permanent-perhaps"),
        (r#"{"id":N,"trap":"out of memory"}"#, "out of memory"),
    ] {
        let problem = judged(answering(line), "stays_unknown").await.problem.unwrap();
        assert!(problem.contains(said), "{line}: {problem}");
    }
    let problem = judged(vec!["true".into()], "stays_unknown").await.problem.unwrap();
    assert!(problem.contains("the worker"), "{problem}");
}

#[test]
fn command_tests_and_kills_programs() {
    let verify = || Command::new(env!("CARGO_BIN_EXE_messaging-verify"));
    let output = verify()
        .args(["conform", "--json", "--case", "concurrent", "--worker"])
        .args(answering(CREATED))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["failed"], 1);
    // The worker claims success, but the ledger does not contain the message.
    let output = verify()
        .args(["ordinary", "--json", "--store", "sqlite", "--minutes", "0", "--kills", "3"])
        .args(["--sender", &answering(CREATED).join(" ")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let report = &report["campaigns"][0]["report"];
    assert!(report["counts"]["journal kills"].as_u64().unwrap() >= 3, "{report}");
    let examples = report["examples"].to_string();
    assert!(examples.contains("was answered") && examples.contains("msg-0001"), "{report}");
}
