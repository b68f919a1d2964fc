//! Output of commands: full disks, closed pipes, hidden characters, and JSON of the service.

use std::process::Stdio;

use super::{PHONE, command, output, run, service};
use crate::process::{stderr, stdout};
use messaging_simulator::service::Answer;
use messaging_simulator::service::script::Reply;

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
    assert_eq!(service.ledger().messages.len(), 2, "each message was sent once");
    service.script(Answer::lost(Reply::Close));
    let (code, said) = send(&["--json"]).await;
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("permanent-outcome-unknown"), "{said}");
    assert!(said.contains("the message may exist"), "{said}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn failed_write_is_failure() {
    let wrong = ["send", "--phone", "600", "--message", "x", "--simulated"];
    for arguments in [
        &["demo"][..],
        &["demo", "--json"],
        &["templates", "--simulated"],
        &["check", "--simulated"],
        &["inspect"],
        &["inspect", "--json"],
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

/// A reader such as `head -1` closes the output after its first read. A second write would then fail,
/// and the exit code would report a failure of a call that created a message.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn result_of_send_is_one_write() {
    let (_service, settings) = service().await;
    let journal = tempfile::tempdir().unwrap();
    for options in [&[][..], &["--json"], &["--once", "order-17"], &["--once", "order-17"]] {
        // Each write is a datagram.
        let (reader, writer) = std::os::unix::net::UnixDatagram::pair().unwrap();
        reader.set_nonblocking(true).unwrap();
        let mut command = command(&[&PHONE[..], options].concat(), &settings);
        if options.contains(&"--once") {
            command.env("MESSAGING_ONCE_JOURNAL", journal.path().join("journal.sqlite"));
        }
        command.stdout(std::os::fd::OwnedFd::from(writer));
        let status = output(command).await.status;
        let mut bytes = [0; 4_096];
        let length = reader.recv(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes[..length]);
        assert!(status.success() && text.contains("msg-"), "{options:?}: {text}");
        assert!(reader.recv(&mut bytes).is_err(), "{options:?} wrote twice");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn unwritable_log_changes_no_result() {
    let (service, settings) = service().await;
    for format in ["text", "json"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        for unwritable in [full(), writer.into()] {
            let arguments = [&PHONE[..], &["--log-format", format]].concat();
            // Sets the variables after `command` has removed RUST_LOG.
            let mut command = command(&arguments, &[]);
            command.envs(settings).env("RUST_LOG", "trace").stderr(unwritable);
            let output = output(command).await;
            assert_eq!(output.status.code(), Some(0), "{format}: {output:?}");
            assert!(stdout(&output).starts_with("created msg-"), "{format}: {output:?}");
        }
    }
    assert_eq!(service.ledger().messages.len(), 4, "each message was sent once");
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
    super::kill(&child, rustix::process::Signal::INT);
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
    assert!(lines[0].contains(&long), "the name was shortened");
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
        deep.as_str(),
    ] {
        service.script(Answer::reply(true, 201, &[], sent));
        let output = run(&send, &settings, "").await;
        assert!(output.status.success(), "{output:?}");
        assert!(stdout(&output).contains(&format!("\"json\": {sent}\n")), "{output:?}");
    }
    // Only hidden characters are escaped, which does not change the value.
    let hidden = "{\"id\":\"m\", \"c1\":\"\u{9b}31m\u{202e}\u{200b}\u{ad}\u{feff}\"}";
    service.script(Answer::reply(true, 201, &[], hidden));
    let output = run(&send, &settings, "").await;
    let escaped = r#""json": {"id":"m", "c1":"\u009b31m\u202e\u200b\u00ad\ufeff"}"#;
    assert!(stdout(&output).contains(escaped), "{output:?}");
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
