//! The commands `send --once` and `sent`, in interactive use and in scripts.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod locations;

use std::process::{Command, Output};

use crate::common::KEY;
use crate::process::{Serving, assert_fails, json, program, stderr, stdout};
use messaging_simulator::service::{Options, Service};
use serde_json::Value;
use tempfile::TempDir;

/// A service, and a directory for the journal.
struct World {
    service: Service,
    folder: TempDir,
}

impl World {
    async fn new() -> Self {
        let service = Service::start(Options::new(KEY)).await.unwrap();
        Self { service, folder: tempfile::tempdir().unwrap() }
    }

    /// Returns a command with these arguments, and with the settings of the service and the
    /// journal.
    fn command(&self, arguments: &[&str]) -> Command {
        let journal = self.folder.path().join("journal.sqlite");
        let settings = [
            ("MESSAGING_BASE_URL", &*self.service.base_url()),
            ("MESSAGING_API_KEY", KEY),
            ("MESSAGING_DEADLINE_MS", "2000"),
            ("MESSAGING_ONCE_JOURNAL", journal.to_str().unwrap()),
        ];
        program(arguments, &settings)
    }

    async fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(arguments);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        for text in [&output.stdout, &output.stderr] {
            assert!(!String::from_utf8_lossy(text).contains(KEY), "the API key was shown");
        }
        output
    }

    async fn send(&self, key: &str, phone: &str, text: &str) -> Output {
        self.run(&["send", "--once", key, "--phone", phone, "--message", text]).await
    }
}

const CUSTOMER: &str = "+34600111222";
/// A test number: the service creates the message and closes the connection without a reply.
const CLOSES: &str = "+99900002000";

#[tokio::test(flavor = "multi_thread")]
async fn repeated_command_sends_one_message() {
    let world = World::new().await;
    let first = world.send("order-17", CUSTOMER, "ready").await;
    assert!(first.status.success(), "{first:?}");
    assert!(stdout(&first).starts_with("created msg-0001\n"), "{first:?}");
    for _ in 0..2 {
        let again = world.send("order-17", CUSTOMER, "ready").await;
        assert!(again.status.success(), "{again:?}");
        let text = stdout(&again);
        assert!(text.starts_with("created msg-0001\n") && text.contains("nothing was sent now"));
    }
    let arguments =
        ["send", "--json", "--once", "order-17", "--phone", CUSTOMER, "--message", "ready"];
    let ok = json(&world.run(&arguments).await)["ok"].clone();
    assert_eq!(ok["replayed"], true);
    assert_eq!(
        (ok["recorded"].clone(), ok["json"]["id"].clone()),
        (true.into(), "msg-0001".into())
    );
    assert_eq!(world.service.ledger().posts(), 1);

    let reused = world.send("order-17", CUSTOMER, "another text").await;
    assert_fails(&reused, 1, "permanent-key-reused");
    let wrong = world.send("a key", CUSTOMER, "ready").await;
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    assert_eq!(world.service.ledger().posts(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_message_is_listed_and_resolved() {
    let world = World::new().await;
    world.send("known", CUSTOMER, "one").await;
    for _ in 0..2 {
        let lost = world.send("order-18", CLOSES, "two").await;
        assert_fails(&lost, 3, "permanent-outcome-unknown");
    }
    let list = stdout(&world.run(&["sent", "list", "--state", "unknown"]).await);
    assert!(list.starts_with("unknown") && list.contains("order-18"), "{list}");
    assert!(list.contains("1 listed") && !list.contains("known  2"), "{list}");
    let shown = stdout(&world.run(&["sent", "show", "order-18"]).await);
    assert!(shown.contains("messaging sent resolve order-18 --journal /"), "{shown}");
    assert!(shown.contains("  deadline     20"), "{shown}");
    let anonymous = world.run(&["sent", "resolve", "order-18", "--not-created"]).await;
    assert_eq!(anonymous.status.code(), Some(2), "{anonymous:?}");
    let resolve = ["sent", "resolve", "order-18", "--created", "msg-0002", "--by", "Ada"];
    let resolve = [&resolve[..], &["--reason", "seen in the inbox"]].concat();
    for _ in 0..2 {
        let resolved = world.run(&resolve).await;
        assert!(resolved.status.success(), "{resolved:?}");
        assert!(stdout(&resolved).contains("msg-0002"), "{resolved:?}");
    }
    let sent = world.send("order-18", CLOSES, "two").await;
    assert!(stdout(&sent).starts_with("created msg-0002\n"), "{sent:?}");
    let entry = json(&world.run(&["sent", "show", "order-18", "--json"]).await);
    assert_eq!(entry["state"], "created");
    assert_eq!(entry["resolutions"][0]["by"], "Ada");
    assert_eq!(entry["resolutions"][0]["found"]["created"], "msg-0002");
    let again = world.run(&[&resolve[..3], &["--not-created"], &resolve[5..]].concat()).await;
    assert_fails(&again, 1, "not-unknown");
    assert_eq!(world.service.ledger().posts(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn late_resolution_reports_no_change() {
    let world = World::new().await;
    world.send("k", CLOSES, "one").await;
    let resolve = ["sent", "resolve", "k", "--not-created", "--by", "Ada", "--reason", "looked"];
    assert!(world.run(&resolve).await.status.success());
    world.send("k", CLOSES, "one").await;
    let again = world.run(&resolve).await;
    assert_fails(&again, 1, "nothing was changed");
    assert!(stderr(&again).contains("journal.sqlite --attempt 2"), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn journal_commands_advise_about_journal() {
    let world = World::new().await;
    world.send("created", CUSTOMER, "one").await;
    world.send("forgotten", CUSTOMER, "one").await;
    world.send("unknown", CLOSES, "one").await;
    assert!(world.run(&["sent", "forget", "forgotten"]).await.status.success());
    let decision = ["--not-created", "--by", "Ada", "--reason", "looked"];
    let resolve = |key| [&["sent", "resolve", key][..], &decision].concat();
    for (arguments, code, advice) in [
        (vec!["sent", "show", "never"], 1, "`sent list` shows"),
        (vec!["sent", "show", "a key"], 2, "correct the value"),
        (resolve("never"), 1, "`sent list` shows"),
        (resolve("a key"), 2, "correct the value"),
        (resolve("created"), 1, "`sent show` shows"),
        (resolve("forgotten"), 1, "nothing is left to resolve"),
        ([&resolve("unknown")[..], &["--attempt", "2"]].concat(), 1, "then set --attempt"),
        (vec!["sent", "forget", "unknown"], 3, "then run `sent resolve`"),
    ] {
        let output = world.run(&arguments).await;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        let said = stderr(&output);
        assert!(said.contains(advice), "{arguments:?}: {said}");
        assert!(!said.contains("another key") && !said.contains("nothing was sent"), "{said}");
    }
    let never = json(&world.run(&["sent", "show", "never", "--json"]).await);
    assert_eq!(never["error"]["payload"]["code"], "no-entry");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_entry_is_exported() {
    let world = World::new().await;
    for key in ["a", "b", "c"] {
        world.send(key, CUSTOMER, "the text").await;
    }
    let forgotten = world.run(&["sent", "forget", "b"]).await;
    assert!(forgotten.status.success(), "{forgotten:?}");
    let refused = world.send("b", CUSTOMER, "the text").await;
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    let export = world.run(&["sent", "export"]).await;
    assert!(export.status.success(), "{export:?}");
    let text = stdout(&export);
    let entries: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let states: Vec<_> = entries.iter().map(|entry| entry["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["created", "forgotten", "created"]);
    assert!(!text.contains("the text") && !text.contains("600111222"), "{text}");
    let page = json(&world.run(&["sent", "list", "--json", "--limit", "2"]).await);
    assert_eq!((page["entries"].as_array().unwrap().len(), &page["more"]), (2, &true.into()));
    let rest = json(&world.run(&["sent", "list", "--json", "--after", "b"]).await);
    assert_eq!(rest["entries"][0]["key"], "c");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_old_known_entries_are_forgotten() {
    let world = World::new().await;
    for (key, phone) in [("a", CUSTOMER), ("b", "+99900000422"), ("c", CLOSES)] {
        world.send(key, phone, "one").await;
    }
    let forget = async |age: &str| {
        let output = world.run(&["sent", "forget", "--older-than", age, "--json"]).await;
        assert!(output.status.success(), "{output:?}");
        json(&output)["ok"]["forgotten"].as_u64().unwrap()
    };
    assert_eq!(forget("1h").await, 0);
    let all = world.run(&["sent", "forget", "--older-than", "0s"]).await;
    assert_fails(&all, 2, "shorter than 1ms");
    assert_eq!(forget("1ms").await, 2);
    assert_eq!(forget("1ms").await, 0);
    let list = json(&world.run(&["sent", "list", "--json"]).await);
    let states: Vec<_> =
        list["entries"].as_array().unwrap().iter().map(|entry| &entry["state"]).collect();
    assert_eq!(states, ["forgotten", "forgotten", "unknown"]);
    for key in ["a", "b"] {
        let again = world.send(key, CUSTOMER, "one").await;
        assert!(stderr(&again).contains("permanent-key-forgotten"), "{again:?}");
    }
    assert_eq!(world.service.ledger().posts(), 3);
    let which = world.run(&["sent", "forget", "a", "--older-than", "1h"]).await;
    assert_eq!(which.status.code(), Some(2), "{which:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_retention_is_one_day_or_more() {
    let world = World::new().await;
    world.send("a", CUSTOMER, "one").await;
    let path = |name: &str| world.folder.path().join(name).to_str().unwrap().to_string();
    let (store, journal) = (path("inbox.sqlite"), path("journal.sqlite"));
    let serve = |keep: &str| {
        let files = ["--store", &store, "--journal", &journal, "--operator", "127.0.0.1:0"];
        let arguments = [&files[..], &["--journal-keep", keep, "--prune-first", "0s"]].concat();
        let settings = [("MESSAGING_OPERATOR_TOKENS", "operator-token-0123456789")];
        Serving::start(&arguments, &[&settings[..], &[("RUST_LOG", "debug")]].concat())
    };
    serve("1d").logged("no key is old enough").await;
    let shown = json(&world.run(&["sent", "show", "a", "--json"]).await);
    assert_eq!(shown["state"], "created");
    for short in ["0d", "0s", "23h"] {
        let arguments =
            ["serve", "--store", &store, "--journal", &journal, "--journal-keep", short];
        let output = world.run(&arguments).await;
        assert_fails(&output, 2, "use 1d or more");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn key_may_begin_with_hyphen() {
    let world = World::new().await;
    for key in ["-5", "--order", "-"] {
        let sent = world.send(key, CUSTOMER, "ready").await;
        assert!(sent.status.success(), "{sent:?}");
        let shown = json(&world.run(&["sent", "show", "--json", key]).await);
        assert_eq!(shown["key"], key);
        let after = world.run(&["sent", "list", "--after", key]).await;
        assert!(after.status.success(), "{after:?}");
        let forgotten = world.run(&["sent", "forget", key]).await;
        assert!(forgotten.status.success(), "{forgotten:?}");
    }
    assert_eq!(world.service.ledger().posts(), 3);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn wait_for_killed_sender_is_reported() {
    use messaging_simulator::service::Answer;
    use messaging_simulator::service::script::Reply;
    let world = World::new().await;
    world.service.script(Answer::lost(Reply::Silence));
    let send = ["send", "--once", "k", "--phone", CUSTOMER, "--message", "one"];
    let mut killed = world.command(&send).spawn().unwrap();
    while world.service.ledger().requests.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    for format in ["text", "json"] {
        let arguments = [&send[..], &["--json", "--log-format", format]].concat();
        let waited = world.run(&arguments).await;
        assert_eq!(waited.status.code(), Some(75), "{waited:?}");
        assert_eq!(json(&waited)["error"]["case"], "busy", "{waited:?}");
        let said = stderr(&waited);
        assert_eq!(said.matches("waiting for another sender of this key").count(), 1, "{said}");
        assert!(said.contains("until"), "{said}");
    }
    let other = world.send("other", CUSTOMER, "one").await;
    assert!(!stderr(&other).contains("waiting"), "{other:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_pipe_ends_listing_without_words() {
    let world = World::new().await;
    world.send("order-17", CUSTOMER, "ready").await;
    let journal = world.folder.path().join("journal.sqlite");
    let store = world.folder.path().join("inbox.sqlite");
    Serving::start(&["--store", store.to_str().unwrap()], &[]).kill();
    for arguments in [
        ["sent", "list", "--journal", journal.to_str().unwrap()],
        ["sent", "export", "--journal", journal.to_str().unwrap()],
        ["inbox", "list", "--store", store.to_str().unwrap()],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = program(&arguments, &[]).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(stderr(&output), "", "{arguments:?}");
    }
}
