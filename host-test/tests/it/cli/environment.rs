//! Settings in the environment: unknown names, misspelled names, and files with secrets.

use super::{PHONE, command, output, run, service};
use crate::common::KEY;
use crate::process::{assert_fails, refused, stderr};

#[tokio::test(flavor = "multi_thread")]
async fn invalid_log_filter_is_reported() {
    let (_service, settings) = service().await;
    for (filter, is_reported) in
        [("messaging=verbos", true), ("messaging=debug", false), ("", false)]
    {
        let settings = [&settings[..], &[("RUST_LOG", filter)]].concat();
        let output = run(&PHONE, &settings, "").await;
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(stderr(&output).contains("RUST_LOG is ignored"), is_reported, "{output:?}");
    }
}

/// Tokio panics for such a value, as it does if the operating system allows no more threads.
#[test]
fn runtime_that_cannot_start_is_reported() {
    let settings = [("TOKIO_WORKER_THREADS", "0")];
    let error = refused(&["inbox", "list"], &settings, 1);
    assert!(error.starts_with("error: the runtime could not be started: "), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// Compose and systemd pass empty values for variables without a value.
#[tokio::test(flavor = "multi_thread")]
async fn empty_option_variables_count_as_unset() {
    let (_service, [url, key]) = service().await;
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.sqlite");
    let settings = [
        url,
        key,
        ("MESSAGING_ONCE_JOURNAL", journal.to_str().unwrap()),
        ("MESSAGING_ONCE_EXISTING_JOURNAL", ""),
        ("MESSAGING_CACHE", ""),
    ];
    let output = run(&[&PHONE[..], &["--once", "order-17"]].concat(), &settings, "").await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// Returns the variables that Kubernetes sets for a Service of this name, and that Docker sets for
/// a link.
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
        // A container's entrypoint script may set the value from the file, and keep the `_FILE`
        // variable.
        ("MESSAGING_DEADLINE_MS", "30000"),
        ("MESSAGING_DEADLINE_MS_FILE", "x"),
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
async fn abridged_setting_is_warning() {
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

#[tokio::test(flavor = "multi_thread")]
async fn journal_option_without_once_sends_nothing() {
    let (service, settings) = service().await;
    let journal = [settings[0], settings[1], ("MESSAGING_ONCE_JOURNAL", "other.sqlite")];
    for options in
        [&["--journal", "j.sqlite"][..], &["--journal=j.sqlite"], &["--existing-journal"]]
    {
        let arguments = [&PHONE[..], options].concat();
        for settings in [&settings[..], &journal] {
            let output = run(&arguments, settings, "").await;
            assert_fails(&output, 2, "without --once KEY");
        }
    }
    assert_eq!(service.ledger().requests.len(), 0);
    let with_text = ["send", "--phone", "+34600111222", "--message=--existing-journal"];
    assert_eq!(run(&with_text, &journal, "").await.status.code(), Some(0));
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

#[tokio::test(flavor = "multi_thread")]
async fn secret_is_read_from_its_file() {
    let (service, [url, key]) = service().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    let name = file.to_str().unwrap();
    let of_file = [url, ("MESSAGING_API_KEY_FILE", name)];
    for (mark, end) in [("", ""), ("", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n")] {
        std::fs::write(&file, format!("{mark}{KEY}{end}")).unwrap();
        let output = run(&PHONE, &of_file, "").await;
        assert!(output.status.success(), "{mark:?} {end:?}: {output:?}");
    }
    std::fs::write(&file, format!("{KEY}\n\n")).unwrap();
    assert_fails(&run(&PHONE, &of_file, "").await, 2, "line break");
    let both = [&of_file[..], &[key]].concat();
    assert_fails(&run(&PHONE, &both, "").await, 2, "are both set; unset one");
    std::fs::write(&file, vec![b'x'; 70_000]).unwrap();
    assert_fails(&run(&PHONE, &of_file, "").await, 2, "larger than 64 KiB");
    std::fs::remove_file(&file).unwrap();
    let missing = run(&PHONE, &of_file, "").await;
    assert_fails(&missing, 2, "MESSAGING_API_KEY_FILE: ");
    // The value is not shown, because some users set this variable to the secret itself.
    assert!(!stderr(&missing).contains(name), "{missing:?}");
    let other = [url, key, ("MESSAGING_MAX_ATTEMPTS_FILE", name)];
    assert_fails(&run(&PHONE, &other, "").await, 2, "put the value itself into");
    assert_eq!(service.ledger().requests.len(), 4);
}
